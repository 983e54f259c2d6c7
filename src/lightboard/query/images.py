"""Images: each step holds some encoded pictures and the width and height their writer stated."""

from __future__ import annotations

import dataclasses
import io
import json
import struct
import zlib

from lightboard import errors, store, types
from lightboard.query import blobs, media, series, thumbnails

# A value is the strings [width, height, image, image, ...].
LEADING = series.leading(types.Kind.IMAGES)
SVG = "image/svg+xml"
# A chunk of a PNG of our own writer: boxes and masks, as JSON packed by zlib. Other programs pass over it.
OVERLAYS = b"lbOV"
_PNG_HEAD = 8
_MOST_OVERLAY_BYTES = 16 << 20
_MOST_BOXES, _MOST_MASKS = 2000, 64


@dataclasses.dataclass(frozen=True)
class Images:
    """The pictures of one step. Width and height are what the writer stated; None where that is no number."""

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


@dataclasses.dataclass(frozen=True)
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
    """Of the picture with this key."""
    data = blobs.read(source, key, (types.Kind.IMAGES,)).data
    content_type = SVG if media.is_svg(data) else media.picture(data)
    width, height, moves = _size(data, content_type)
    found = _overlays(data) if content_type == "image/png" else None
    boxes, masks = found or ([], [])
    bits = data[24] if content_type == "image/png" and len(data) > 24 else None
    return ImageFacts(content_type, len(data), width, height, bits, moves, found is not None, boxes, masks)


def _size(data: bytes, content_type: str) -> tuple[int | None, int | None, bool]:
    form = thumbnails.FORMS.get(content_type)
    if form is None:
        return None, None, False
    from PIL import Image

    try:
        with Image.open(io.BytesIO(data), formats=(form,)) as opened:
            return opened.width, opened.height, bool(getattr(opened, "is_animated", False))
    except Exception:  # as many kinds of damage as there are decoders
        return None, None, False


def _overlays(data: bytes) -> tuple[list[ImageBox], list[ImageMask]] | None:
    """None: none were logged, or they make no sense."""
    packed = _chunk(data, OVERLAYS)
    if packed is None:
        return None
    try:
        unpacking = zlib.decompressobj()
        told = json.loads(unpacking.decompress(packed, _MOST_OVERLAY_BYTES))
        boxes = [_box(one) for one in told.get("boxes", [])[:_MOST_BOXES]]
        masks = [
            ImageMask(str(one["name"]), str(one["png"]), {str(key): str(name) for key, name in one["labels"].items()})
            for one in told.get("masks", [])[:_MOST_MASKS]
        ]
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, zlib.error, RecursionError):
        return None
    return boxes, masks


def _box(told: dict[str, object]) -> ImageBox:
    left, top, right, bottom = (float(edge) for edge in told["box"])  # type: ignore[attr-defined]
    score = told.get("score")
    return ImageBox(
        left,
        top,
        right,
        bottom,
        str(told.get("label", "")),
        float(score) if isinstance(score, int | float) else None,
        str(told.get("group", "")),
    )


def _chunk(data: bytes, wanted: bytes) -> bytes | None:
    """The content of a chunk before the pixels."""
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
        raise errors.Unreadable(f"expected a list of strings, found a tensor of shape {list(tensor.shape)}")
    return Images(step, wall_time, _number(strings[0]), _number(strings[1]), tuple(strings[LEADING:]))


def _number(text: bytes) -> int | None:
    try:
        return int(text)
    except ValueError:
        return None


read = series.Reader(types.Kind.IMAGES, _decode)
