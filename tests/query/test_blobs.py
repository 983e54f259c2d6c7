"""Blob keys: they find their blob again, and nothing else."""

from __future__ import annotations

import base64
import json

import pytest
from data_client import strings

from lightboard import errors, store, types
from lightboard.query import blobs, images


def made() -> store.Store:
    values = [strings(b"1", b"1", f"a{step}".encode(), f"b{step}".encode()) for step in range(3)]
    builder = store.Builder().tensors("run/x", "img/ö", types.Kind.IMAGES, values)
    return builder.tensors("run/x", "words", types.Kind.TEXT, [strings(b"secret")]).build()


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
    wall = float(source.series("run/x", "words").points().wall_times[0])  # type: ignore[union-attr]
    with pytest.raises(errors.NotFound):
        blobs.read(source, encoded(["run/x", "words", 0, wall, 3, 0]))
