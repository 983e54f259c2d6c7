"""Pictures: what their writer stated, and what is listed without reading them."""

from __future__ import annotations

import base64
import io
import zlib
from typing import Any

import numpy as np
import pytest
from data_client import strings
from PIL import Image

from lightboard import store, types
from lightboard.query import blobs, images, series
from lightboard.sdk import overlays, png

PNG = b"\x89PNG\r\n\x1a\n.."


def test_width_and_height_may_be_no_numbers() -> None:
    source = store.Builder().tensors("r", "i", types.Kind.IMAGES, [strings(b"12", b"wide", PNG)]).build()
    (found,) = images.read(source, "r", "i")
    assert (found.width, found.height, found.blobs) == (12, None, (PNG,))


def test_listing_reads_no_picture() -> None:
    values = [strings(b"1", b"1", PNG, PNG), strings(b"1", b"1", PNG)]
    source = store.Builder().tensors("r", "i", types.Kind.IMAGES, values, steps=[3, 9]).build()

    def refuse(*place: object) -> types.Tensor:
        raise AssertionError("a picture was read")

    source._load = refuse
    (entry,) = series.listing(source, types.Kind.IMAGES)
    assert series.samples(source, entry.row) == 2
    assert [one.step for one in blobs.listed(images.read(source, "r", "i"), 0)] == [3, 9]
    assert [one.step for one in blobs.listed(images.read(source, "r", "i"), 1)] == [3]


def facts_of(picture: bytes) -> images.ImageFacts:
    source = store.Builder().tensors("r", "i", types.Kind.IMAGES, [strings(b"1", b"1", picture)]).build()
    (one,) = blobs.listed(images.read(source, "r", "i"), 0)
    return images.facts(source, one.key)


def encoded(form: str, size: tuple[int, int] = (6, 4), mode: str = "RGB", **options: Any) -> bytes:
    written = io.BytesIO()
    Image.new(mode, size).save(written, form, **options)
    return written.getvalue()


@pytest.mark.parametrize("form", ["PNG", "JPEG", "GIF", "BMP", "WEBP", "AVIF"])
def test_format_and_size_of_a_picture_are_told(form: str) -> None:
    found = facts_of(encoded(form))
    assert (found.content_type, found.width_px, found.height_px) == (f"image/{form.lower()}", 6, 4)
    assert (found.moves, found.has_overlays) == (False, False)


def test_depth_and_movement_are_told() -> None:
    assert (facts_of(encoded("PNG", mode="I;16")).bits, facts_of(encoded("PNG")).bits) == (16, 8)
    more = [Image.new("RGB", (6, 4), "red")]
    assert facts_of(encoded("GIF", save_all=True, append_images=more)).moves


@pytest.mark.parametrize(
    "data", [b"", b"GIF89a", PNG, encoded("PNG")[:30], b"<svg/>", b"II*\0 tiff", b"\x89PNG\r\n\x1a\n" * 9]
)
def test_what_is_broken_or_unknown_has_no_size(data: bytes) -> None:
    found = facts_of(data)
    assert found.bytes == len(data)
    assert not found.has_overlays


def test_boxes_and_masks_of_the_writer_come_back() -> None:
    classes = np.zeros((4, 6), np.uint8)
    classes[1, 2] = 3
    boxes = {"truth": [(1, 1, 4, 3)], "prediction": [{"box": [0, 0, 2.5, 2], "label": "猫", "score": 0.75}]}
    over = overlays.packed(boxes, {"ground": {"mask": classes, "labels": {3: "road"}}})
    found = facts_of(png.encode(np.zeros((4, 6, 3), np.uint8), (overlays.CHUNK, over)))
    assert found.boxes == [
        images.ImageBox(1, 1, 4, 3, "", None, "truth"),
        images.ImageBox(0, 0, 2.5, 2, "猫", 0.75, "prediction"),
    ]
    (mask,) = found.masks
    assert (mask.name, mask.labels) == ("ground", {"3": "road"})
    assert np.array_equal(np.asarray(Image.open(io.BytesIO(base64.b64decode(mask.png)))), classes)


def test_overlays_that_make_no_sense_are_none() -> None:
    pixels = np.zeros((4, 6, 3), np.uint8)
    for told in (
        b"",
        b"no zlib",
        zlib.compress(b"[1"),
        zlib.compress(b"[]"),
        zlib.compress(b'{"boxes":[{"box":[1]}]}'),
        zlib.compress(b'{"boxes":[{"box":[1,1,1,1' + b"0" * 400 + b"]}]}"),
        zlib.compress(b"[" * 100_000),
    ):
        found = facts_of(png.encode(pixels, (images.OVERLAYS, told)))
        assert (found.has_overlays, found.boxes, found.width_px) == (False, [], 6)
    assert facts_of(png.encode(pixels, (images.OVERLAYS, overlays.packed([], None)))).has_overlays
