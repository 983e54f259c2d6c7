"""`/api/blobs`: images, clips and other heavy values as they are in the event file, one element each.

User content is shown but never trusted: its type is detected from the first bytes, and each type has its own content
security policy. A logged HTML page may run scripts, but without access to this origin, the network or the window
around it.
"""

from __future__ import annotations

import dataclasses
import hashlib
import re
from typing import Literal

from lightboard import errors, types
from lightboard.formats import media
from lightboard.query import blobs, elements, kinds, thumbnails
from lightboard.server import context, endpoints, responses
from lightboard.server.parameters import param

SANDBOX = "sandbox; default-src 'none'"
# scripts run neither inside <img> nor when the file is opened alone; styles work in both
SVG_SANDBOX = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:"
PAGE_SANDBOX = (
    "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "img-src data: blob:; font-src data:"
)
# opened alone, a script could navigate the window to another site and leak data: no scripts there
LONE_PAGE_SANDBOX = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:"
_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")


@dataclasses.dataclass(frozen=True)
class BlobQuestion:
    run: str = param("name of the run")
    tag: str = param("name of the tag")
    index: int = param("position of the point among the series' points; -1 is the last", -1)
    sample: int = param("which element of the value; images begin at 0", 0, lo=0)
    rewinds: Literal["latest", "all"] | None = param("points that a restart superseded: hide or count them", None)


@dataclasses.dataclass(frozen=True)
class KeyQuestion:
    key: str = param("key of the blob, as listings give it", in_path=True)
    width: int | None = param("of a picture: a thumbnail at most so many pixels wide", None, lo=1, hi=4096)


def by_position(context: context.Context, question: BlobQuestion, request: endpoints.Request) -> responses.Reply:
    found = elements.at(
        context.store,
        question.run,
        question.tag,
        question.index,
        question.sample,
        rewinds=context.rewinds(question.rewinds),
    )
    return reply(found, request, "private, no-cache")


def by_key(
    context: context.Context, question: KeyQuestion, request: endpoints.Request
) -> responses.Reply | responses.Heavy:
    # a key names one point of one file, so its content never changes
    caching = "private, max-age=86400, immutable"
    tag = _hash(f"{question.key} {question.width}".encode("utf-8", "surrogateescape"))
    if question.width is None:
        return reply(blobs.read(context.store, question.key), request, caching, tag)
    width = question.width
    found = thumbnails.maybe_kept(context.store, question.key, width)
    if found is not None:
        return reply(blobs.Blob(types.Kind.IMAGES, found.data), request, caching, tag)
    data = _picture(context, question.key)

    def make() -> responses.Reply:
        made = thumbnails.kept(context.store, question.key, width, lambda: data)
        return reply(blobs.Blob(types.Kind.IMAGES, made.data), request, caching, tag)

    return responses.Heavy(len(data) + thumbnails.cost_bytes(data, width), make)


def _picture(context: context.Context, key: str) -> bytes:
    blob = blobs.read(context.store, key)
    if blob.kind is types.Kind.IMAGES or blob.content_type.startswith("image/"):
        return blob.data
    raise errors.BadQuestion(f"{blob.kind.word} have no thumbnails", hint="ask without `width`")


def _hash(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=12).hexdigest()


def reply(blob: blobs.Blob, request: endpoints.Request, caching: str, tag: str = "") -> responses.Reply:
    """`tag`: an ETag that is cheaper than a hash of the bytes and changes when they do."""
    etag = f'"{tag or _hash(blob.data)}"'
    media_type = blob.content_type
    headers: tuple[tuple[str, str], ...] = (
        ("ETag", etag),
        ("Cache-Control", caching),
        ("Accept-Ranges", "bytes"),
        ("Content-Security-Policy", policy(media_type, alone=request.header(b"sec-fetch-dest") == "document")),
        ("Content-Disposition", "inline"),
        ("X-DNS-Prefetch-Control", "off"),  # DNS queries would leak data in host names
        # no preconnect either: browsers connect before they check a request against the policy
        ("Connection-Allowlist", "()"),
    )
    if media_type == kinds.HTML:
        headers += (("Vary", "Sec-Fetch-Dest"),)
    if _matches(request.header(b"if-none-match"), etag):
        return responses.Reply(b"", "", 304, headers, may_compress=False)
    size = len(blob.data)
    wanted = _range(request.header(b"range"), size)
    conditional = request.header(b"if-range")
    if wanted is None or (conditional and conditional != etag):
        # text is worth compressing, and no client requests a range of it
        return responses.Reply(blob.data, media_type, 200, headers, may_compress=blob.is_text)
    first, last = wanted
    headers += (("Content-Range", f"bytes {first}-{last}/{size}"),)
    return responses.Reply(blob.data[first : last + 1], media_type, 206, headers, may_compress=False)


def policy(media_type: str, *, alone: bool = False) -> str:
    if media_type == kinds.HTML:
        return LONE_PAGE_SANDBOX if alone else PAGE_SANDBOX
    return SVG_SANDBOX if media_type == media.SVG else SANDBOX


def _matches(header: str, etag: str) -> bool:
    return header.strip() == "*" or etag in [part.strip().removeprefix("W/") for part in header.split(",")]


def _range(header: str, size: int) -> tuple[int, int] | None:
    """Returns first and last byte; None: all of it (also for several ranges, which no client needs here)."""
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
        about="One element of a heavy value: an image, a clip, a page, a text.",
        media_types=("application/octet-stream",),
        wants_request=True,
    ),
    endpoints.Api(
        "/api/blobs/{key:path}",
        by_key,
        question=KeyQuestion,
        about="The same by its key, pictures also as thumbnails.",
        media_types=("application/octet-stream",),
        wants_request=True,
    ),
)
