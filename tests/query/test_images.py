"""Pictures: what their writer stated, and what is listed without reading them."""

from __future__ import annotations

from data_client import strings

from lightboard import store, types
from lightboard.query import blobs, images, series

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
