"""Images as TensorBoard serves them; and `/api/images`: facts about an image. The image itself is a blob."""

from __future__ import annotations

import dataclasses
import urllib.parse

from lightboard import types
from lightboard.formats import media
from lightboard.query import blobs, images, kinds, series
from lightboard.server import context, data, endpoints, responses
from lightboard.server.parameters import param

PATH = "/data/plugin/images"


def routes(context: context.Context) -> data.Routes:
    table = (
        data.Data(f"{PATH}/tags", tags),
        data.Data(f"{PATH}/images", listed),
        data.Data(f"{PATH}/individualImage", image),
    )
    return data.routes(context, table)


def tags(context: context.Context, arguments: data.Arguments) -> responses.Reply | responses.Heavy:
    return data.tags_with_samples(context, types.Kind.IMAGES)


def listed(context: context.Context, arguments: data.Arguments) -> responses.Reply:
    steps = read(context, *arguments.run_and_tag())
    return data.as_json(
        [
            {"wall_time": each.wall_time, "step": each.step, "query": urllib.parse.urlencode({"blob_key": each.key})}
            for each in blobs.listed(steps, arguments.integer("sample", 0))
        ]
    )


def image(context: context.Context, arguments: data.Arguments) -> responses.Reply:
    found = blobs.read(context.store, arguments.need("blob_key"), kinds.LISTED_KINDS)
    return data.as_bytes(found.data, media.picture(found.data))


def read(context: context.Context, run: str, tag: str) -> series.Steps[images.Images]:
    limit = data.limit(context, "images")
    return images.read(context.store, run, tag, limit=limit, rewinds=context.settings.rewinds)


@dataclasses.dataclass(frozen=True)
class ImageQuestion:
    key: str = param("key of the picture, as for /api/blobs", in_path=True)


def facts(context: context.Context, question: ImageQuestion) -> responses.Reply:
    found = images.facts(context.store, question.key)
    # the picture of a key never changes
    return responses.Reply(responses.to_json(found), headers=(("Cache-Control", "private, max-age=86400, immutable"),))


API = (
    endpoints.Api(
        "/api/images/{key:path}",
        facts,
        question=ImageQuestion,
        answer=images.ImageFacts,
        about="Format, size and depth of a picture, whether it moves, and the boxes and masks logged with it.",
    ),
)
