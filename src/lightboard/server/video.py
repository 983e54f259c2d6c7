"""`/api/video`: facts about a video. The video itself is a blob."""

from __future__ import annotations

import dataclasses

from lightboard.query import video
from lightboard.server import context, endpoints, responses
from lightboard.server.parameters import param


@dataclasses.dataclass(frozen=True)
class VideoQuestion:
    key: str = param("key of the video, as for /api/blobs", in_path=True)


def facts(context: context.Context, question: VideoQuestion) -> responses.Reply:
    found = video.facts(context.store, question.key)
    # the video of a key never changes
    return responses.Reply(responses.to_json(found), headers=(("Cache-Control", "private, max-age=86400, immutable"),))


API = (
    endpoints.Api(
        "/api/video/{key:path}",
        facts,
        question=VideoQuestion,
        answer=video.VideoFacts,
        about="Codec, size, length and the times of all frames of a video.",
    ),
)
