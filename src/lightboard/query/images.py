"""Images: each step holds some encoded pictures and the width and height their writer stated."""

from __future__ import annotations

import dataclasses
import struct
import zlib
from typing import Any

from lightboard import errors, store, types
from lightboard.formats import bounded_json, media
from lightboard.query import blobs, series, thumbnails

# A value is the strings [width, height, image, image, ...].
LEADING = series.leading(types.Kind.IMAGES)
SVG = "image/svg+xml"
# A PNG chunk of Lightboard's own writer: boxes and masks as zlib-compressed JSON. Other programs ignore it.
OVERLAYS = b"lbOV"
_PNG_HEAD = 8
_MOST_OVERLAY_BYTES = 16 << 20
_MOST_OVERLAY_VALUES = 200_000
_MOST_BOXES, _MOST_MASKS = 2000, 64


@dataclasses.dataclass(frozen=True)
class Images:
    """The pictures of one step. Width and height are what the writer stated; None if that is not a number."""

    step: int
    wall_time: float
    width: int | None
    height: int | None
    blobs: tuple[bytes, ...]


@dataclasses.dataclass(frozen=True)
class ImageBox:
    """In pixels of the picture."""

    left: float
    top: float
    right: float
    bottom: float
    label: str
    score: float | None
    group: str  # what it belongs to: "prediction", "truth"; boxes of a group have one colour


@dataclasses.dataclass(frozen=True)
class ImageMask:
    name: str
    png: str  # base64 of a grey PNG whose values are classes; 0 is nothing
    labels: dict[str, str]  # by class


@dataclasses.dataclass(frozen=True, kw_only=True)
class ImageFacts:
    """What a picture is, told by its head. None: it does not say."""

    content_type: str
    bytes: int
    width_px: int | None
    height_px: int | None
    bits: int | None  # of each channel
    moves: bool
    has_overlays: bool
    boxes: list[ImageBox]
    masks: list[ImageMask]


def facts(source: store.Store, key: str) -> ImageFacts:
    """Return the facts about the picture with this key."""
    return describe(blobs.read(source, key, (types.Kind.IMAGES,)).data)


def describe(data: bytes) -> ImageFacts:
    content_type = SVG if media.is_svg(data) else media.picture(data)
    width, height, moves = _size(data, content_type)
    found = _overlays(data) if content_type == "image/png" else None
    boxes, masks = found or ([], [])
    bits = data[24] if content_type == "image/png" and len(data) > 24 else None
    return ImageFacts(
        content_type=content_type,
        bytes=len(data),
        width_px=width,
        height_px=height,
        bits=bits,
        moves=moves,
        has_overlays=found is not None,
        boxes=boxes,
        masks=masks,
    )


def _size(data: bytes, content_type: str) -> tuple[int | None, int | None, bool]:
    form = thumbnails.FORMS.get(content_type)
    opened = thumbnails.maybe_open(data, form) if form is not None else None
    if opened is None:
        return None, None, False
    with opened:
        return opened.width, opened.height, thumbnails.moves(opened)


def _overlays(data: bytes) -> tuple[list[ImageBox], list[ImageMask]] | None:
    """Return None if none were logged or they are invalid."""
    packed = _chunk(data, OVERLAYS)
    if packed is None:
        return None
    try:
        text = zlib.decompressobj().decompress(packed, _MOST_OVERLAY_BYTES)
    except zlib.error:
        return None
    parsed = bounded_json.maybe_load(text, most_values=_MOST_OVERLAY_VALUES)
    if not isinstance(parsed, dict):
        return None
    boxes = [_maybe_box(one) for one in _list(parsed.get("boxes"))[:_MOST_BOXES]]
    masks = [_maybe_mask(one) for one in _list(parsed.get("masks"))[:_MOST_MASKS]]
    if None in boxes or None in masks:
        return None
    return [one for one in boxes if one is not None], [one for one in masks if one is not None]


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _maybe_number(value: Any) -> float | None:
    """None where it is no number, or one that no double can hold."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e300:
        return None
    return float(value)


def _maybe_box(value: Any) -> ImageBox | None:
    if not isinstance(value, dict):
        return None
    edges = [edge for edge in map(_maybe_number, _list(value.get("box"))[:5]) if edge is not None]
    if len(edges) != 4:
        return None
    score = _maybe_number(value.get("score"))
    left, top, right, bottom = edges
    return ImageBox(left, top, right, bottom, str(value.get("label", "")), score, str(value.get("group", "")))


def _maybe_mask(value: Any) -> ImageMask | None:
    if (
        not isinstance(value, dict)
        or not isinstance(value.get("png"), str)
        or not isinstance(value.get("labels"), dict)
    ):
        return None
    return ImageMask(
        str(value.get("name", "")), value["png"], {key: str(name) for key, name in value["labels"].items()}
    )


def _chunk(data: bytes, wanted: bytes) -> bytes | None:
    """Return the content of a chunk that precedes the pixels."""
    at = _PNG_HEAD
    while at + 12 <= len(data):
        length, name = struct.unpack_from(">I4s", data, at)
        if name == wanted:
            return data[at + 8 : at + 8 + length]
        if name == b"IDAT":
            return None
        at += 12 + length
    return None


def _decode(step: int, wall_time: float, tensor: types.Tensor) -> Images:
    strings = series.strings(tensor, least=LEADING)
    if len(tensor.shape) != 1:
        raise errors.Unreadable(
            f"expected a list of strings, found a tensor of shape {list(tensor.shape)}",
            code="value.shape",
            shape=str(list(tensor.shape)),
        )
    return Images(step, wall_time, _number(strings[0]), _number(strings[1]), tuple(strings[LEADING:]))


def _number(text: bytes) -> int | None:
    try:
        return int(text)
    except ValueError:
        return None


read = series.Reader(types.Kind.IMAGES, _decode)
