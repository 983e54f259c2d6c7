"""`/api/blobs`: images, clips and other heavy values as they lie in the event file, one element each.

What users logged is shown but never trusted: the type is told from the first bytes and only for harmless forms, and a
policy of its own keeps a document among them from running anything.
"""

from __future__ import annotations

import dataclasses
import hashlib
import re
from typing import Literal

from lightboard import types
from lightboard.query import blobs, elements, images
from lightboard.server import context, endpoints, responses
from lightboard.server.parameters import param
from lightboard.server.scalars import rewinds

SANDBOX = "sandbox; default-src 'none'"
_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")
_AUDIO = ((b"ID3", "audio/mpeg"), (b"OggS", "audio/ogg"), (b"fLaC", "audio/flac"), (b"\xff\xfb", "audio/mpeg"))


@dataclasses.dataclass(frozen=True)
class BlobQuestion:
    run: str = param("name of the run")
    tag: str = param("name of the tag")
    index: int = param("position of the point among the series' points; -1 is the last", -1)
    sample: int = param("which element of the value; images begin at 0", 0, lo=0)
    rewinds: Literal["latest", "all"] | None = param("points a restart superseded: leave them out or count them", None)


@dataclasses.dataclass(frozen=True)
class KeyQuestion:
    key: str = param("key of the blob, as listings give it", in_path=True)


def by_position(context: context.Context, question: BlobQuestion, request: endpoints.Request) -> responses.Reply:
    found = elements.at(
        context.store,
        question.run,
        question.tag,
        question.index,
        question.sample,
        rewinds=rewinds(context, question.rewinds),
    )
    return reply(found, request, "private, no-cache")


def by_key(context: context.Context, question: KeyQuestion, request: endpoints.Request) -> responses.Reply:
    # a key names one point of one file, so what it led to once it leads to for ever
    return reply(blobs.read(context.store, question.key), request, "private, max-age=86400, immutable")


def reply(blob: blobs.Blob, request: endpoints.Request, caching: str) -> responses.Reply:
    etag = f'"{hashlib.blake2b(blob.data, digest_size=12).hexdigest()}"'
    headers: tuple[tuple[str, str], ...] = (
        ("ETag", etag),
        ("Cache-Control", caching),
        ("Accept-Ranges", "bytes"),
        ("Content-Security-Policy", SANDBOX),
        ("Content-Disposition", "inline"),
    )
    if _matches(request.header(b"if-none-match"), etag):
        return responses.Reply(b"", "", 304, headers, may_compress=False)
    media_type = content_type(blob)
    size = len(blob.data)
    wanted = _range(request.header(b"range"), size)
    conditional = request.header(b"if-range")
    if wanted is None or (conditional and conditional != etag):
        return responses.Reply(blob.data, media_type, 200, headers, may_compress=False)
    first, last = wanted
    headers += (("Content-Range", f"bytes {first}-{last}/{size}"),)
    return responses.Reply(blob.data[first : last + 1], media_type, 206, headers, may_compress=False)


def content_type(blob: blobs.Blob) -> str:
    """By the first bytes; what the writer stated counts for audio only, where nothing can run."""
    if blob.kind is types.Kind.AUDIO:
        if blob.data[:4] == b"RIFF" and blob.data[8:12] == b"WAVE":
            return "audio/wav"
        for magic, name in _AUDIO:
            if blob.data.startswith(magic):
                return name
        return (
            blob.stated_type if re.fullmatch(r"audio/[\w.+-]{1,64}", blob.stated_type) else "application/octet-stream"
        )
    if blob.kind is types.Kind.TEXT:
        return "text/plain; charset=utf-8"
    return images.content_type(blob.data)


def _matches(header: str, etag: str) -> bool:
    return header.strip() == "*" or etag in [part.strip().removeprefix("W/") for part in header.split(",")]


def _range(header: str, size: int) -> tuple[int, int] | None:
    """First and last byte; None: all of it (also for several ranges, which nobody needs here)."""
    match = _RANGE.fullmatch(header.replace(" ", ""))
    if match is None or match[1] == match[2] == "":
        return None
    if match[1] == "":
        first, last = max(size - int(match[2]), 0), size - 1
    else:
        first, last = int(match[1]), min(int(match[2] or size - 1), size - 1)
    if match[1] and match[2] and int(match[1]) > int(match[2]):
        return None
    if first > last:
        raise responses.BadRange(size)
    return first, last


API = (
    endpoints.Api(
        "/api/blobs",
        by_position,
        question=BlobQuestion,
        about="One element of a heavy value: an image, a clip, a text.",
        media_types=("application/octet-stream",),
        wants_request=True,
    ),
    endpoints.Api(
        "/api/blobs/{key:path}",
        by_key,
        question=KeyQuestion,
        about="The same by the key that listings give.",
        media_types=("application/octet-stream",),
        wants_request=True,
    ),
)
