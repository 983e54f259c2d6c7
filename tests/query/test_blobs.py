"""Blob keys: they find their blob again, and nothing else."""

from __future__ import annotations

import base64
import json

import numpy as np
import pytest
from data_client import strings

from lightboard import errors, store, types
from lightboard.query import blobs, images, kinds


def made() -> store.Store:
    values = [strings(b"1", b"1", f"a{step}".encode(), f"b{step}".encode()) for step in range(3)]
    builder = store.Builder().tensors("run/x", "img/ö", types.Kind.IMAGES, values)
    builder.tensors("run/x", "words", types.Kind.TEXT, [strings(b"one", b"two", b"three", b"four", shape=(2, 2))])
    return builder.tensors("run/x", "config", types.Kind.CUSTOM_SCALARS, [strings(b"secret")]).build()


def encoded(named: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(named).encode()).rstrip(b"=").decode()


def test_each_key_finds_its_own_blob() -> None:
    source = made()
    steps = images.read(source, "run/x", "img/ö")
    for sample, letter in enumerate("ab"):
        found = [blobs.read(source, each.key).data for each in blobs.listed(steps, sample)]
        assert found == [f"{letter}{step}".encode() for step in range(3)]


def test_a_key_is_url_safe() -> None:
    source = made()
    for each in blobs.listed(images.read(source, "run/x", "img/ö"), 0):
        assert each.key.replace("-", "").replace("_", "").isalnum()


@pytest.mark.parametrize(
    "key",
    [
        "",
        "!!!",
        "abc",
        "ö",
        encoded([]),
        encoded({"run": 1}),
        encoded(["r", "t", "0", 0, 0, 0]),
        encoded(["r", "t", True, 0.0, 0, 0]),
        encoded(["r", "t", 0, 0.0, -1, 0]),
        encoded(["r", "t", 1 << 70, 0.0, 0, 0]),
        encoded(["r", "t", 0, 0.0, 0, 0]) + "=" * 70_000,
    ],
)
def test_a_malformed_key_is_refused(key: str) -> None:
    with pytest.raises(errors.BadInput):
        blobs.read(made(), key)


def test_a_key_that_names_no_point_is_not_found() -> None:
    source = made()
    point = images.read(source, "run/x", "img/ö").points
    wall = float(point.wall_times[0])
    for named in (
        ["other", "img/ö", 0, wall, 0, 2],
        ["run/x", "other", 0, wall, 0, 2],
        ["run/x", "img/ö", 7, wall, 0, 2],
        ["run/x", "img/ö", 0, wall + 1, 0, 2],
        ["run/x", "img/ö", 0, wall, 1, 2],  # another value's place in the file
        ["run/x", "img/ö", 0, wall, 0, 4],
        ["run/x", "img/ö", 0, wall, 0, -1],
    ):
        with pytest.raises(errors.NotFound):
            blobs.read(source, encoded(named))


def test_a_key_reaches_only_kinds_that_have_blobs() -> None:
    source = made()
    with pytest.raises(errors.NotFound):
        blobs.read(source, key_of(source, "config", 0))
    with pytest.raises(errors.NotFound):
        blobs.read(source, key_of(source, "words", 0), kinds.LISTED_KINDS)


def test_strings_of_a_table_are_counted_row_by_row() -> None:
    source = made()
    found = [blobs.read(source, key_of(source, "words", element)).data for element in range(4)]
    assert found == [b"one", b"two", b"three", b"four"]
    with pytest.raises(errors.NotFound):
        blobs.read(source, key_of(source, "words", 4))


def test_numbers_are_no_blobs() -> None:
    numbers = types.Tensor((2,), array=np.zeros(2))
    source = store.Builder().tensors("run/x", "t", types.Kind.TENSORS, [numbers, strings(b"word")]).build()
    with pytest.raises(errors.NotFound):
        blobs.read(source, key_of(source, "t", 0))
    assert blobs.read(source, key_of(source, "t", 0, position=1)).data == b"word"


def test_the_page_writes_times_that_are_no_number() -> None:
    source = store.Builder().tensors("r", "t", types.Kind.HTML, [strings(b"<p>")], wall_times=[float("nan")]).build()
    raw = base64.urlsafe_b64encode(b'["r","t",0,NaN,0,0]').rstrip(b"=").decode()
    assert blobs.read(source, raw).data == b"<p>"


def key_of(source: store.Store, tag: str, element: int, *, position: int = 0) -> str:
    found = source.series("run/x", tag)
    assert found is not None
    return blobs.key(found, found.points(), position, element)
