"""Pictures: their type by their first bytes, and what is listed without reading them."""

from __future__ import annotations

import pytest
from data_client import strings

from lightboard import store, types
from lightboard.query import blobs, images, series

PNG = b"\x89PNG\r\n\x1a\n.."


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (PNG, "image/png"),
        (b"\xff\xd8\xff\xe0", "image/jpeg"),
        (b"GIF87a", "image/gif"),
        (b"BM\0\0", "image/bmp"),
        (b"RIFF\0\0\0\0WEBP", "image/webp"),
        (b"\0\0\0\x20ftypavif", "image/avif"),
        (b"<svg onload='x'/>", "application/octet-stream"),
        (b"<html>", "application/octet-stream"),
        (b"", "application/octet-stream"),
    ],
)
def test_the_type_is_told_by_the_first_bytes(data: bytes, kind: str) -> None:
    assert images.content_type(data) == kind


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
