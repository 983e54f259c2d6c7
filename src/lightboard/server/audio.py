"""`/api/audio`: facts about a clip; and audio as TensorBoard serves it. The sound itself is a blob."""

from __future__ import annotations

import dataclasses
import urllib.parse

from lightboard import errors, types
from lightboard.formats import media
from lightboard.query import audio, blobs, kinds
from lightboard.server import context, data, endpoints, responses
from lightboard.server.parameters import param

PATH = "/data/plugin/audio"


@dataclasses.dataclass(frozen=True)
class AudioQuestion:
    key: str = param("key of the clip, as for /api/blobs", in_path=True)


def facts(context: context.Context, question: AudioQuestion) -> responses.Reply:
    found = audio.facts(context.store, question.key)
    # the clip of a key never changes
    return responses.Reply(responses.to_json(found), headers=(("Cache-Control", "private, max-age=86400, immutable"),))


def routes(context: context.Context) -> data.Routes:
    table = (
        data.Data(f"{PATH}/tags", tags),
        data.Data(f"{PATH}/audio", listed),
        data.Data(f"{PATH}/individualAudio", clip),
    )
    return data.routes(context, table)


def tags(context: context.Context, arguments: data.Arguments) -> responses.Reply | responses.Heavy:
    return data.tags_with_samples(context, types.Kind.AUDIO)


def listed(context: context.Context, arguments: data.Arguments) -> responses.Reply:
    run, tag = arguments.run_and_tag()
    limit = data.limit(context, "audio")
    steps = audio.read(context.store, run, tag, limit=limit, rewinds=context.settings.rewinds)
    kind = audio.content_type(steps)
    clips = blobs.listed(steps, arguments.integer("sample", 0))
    return data.as_json([_row(each, kind) for each in clips])


def clip(context: context.Context, arguments: data.Arguments) -> responses.Reply:
    kind = arguments.need("content_type")
    if kind != media.allowed_sound(kind):
        raise errors.BadInput(f"Illegal mime type {kind!r}")
    return data.as_bytes(blobs.read(context.store, arguments.need("blob_key"), kinds.LISTED_KINDS).data, kind)


def _row(each: blobs.Listed, kind: str) -> dict[str, object]:
    query = urllib.parse.urlencode({"blob_key": each.key, "content_type": kind})
    return {"wall_time": each.wall_time, "label": "", "step": each.step, "contentType": kind, "query": query}


API = (
    endpoints.Api(
        "/api/audio/{key:path}",
        facts,
        question=AudioQuestion,
        answer=audio.AudioFacts,
        about="Encoding, sample rate, channels, length and label of a clip.",
    ),
)
