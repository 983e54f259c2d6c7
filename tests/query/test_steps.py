"""Steps of heavy series: every point with its place, and no value read."""

from __future__ import annotations

import numpy as np
import pytest
from data_client import strings

from lightboard import errors, store, types
from lightboard.query import blobs, kinds, series, steps
from lightboard.query.runs import runs


def made() -> store.Store:
    builder = store.Builder()
    for run in ("run10", "run2"):
        values = [strings(b"4", b"3", *[b"png"] * number) for number in (1, 3, 0)]
        builder.tensors(run, "b", types.Kind.IMAGES, values, steps=[5, 2**60, 7], wall_times=[1.5, float("nan"), 3.0])
        builder.tensors(run, "a", types.Kind.IMAGES, [strings(b"4", b"3", b"png")])
    builder.tensors("run2", "clips", types.Kind.AUDIO, [strings(b"one", b"two")])
    builder.tensors("run2", "odd", types.Kind.UNTYPED, [strings(b"x")])
    builder.tensors("run2", "buckets", types.Kind.HISTOGRAMS, [types.Tensor((0, 3), array=np.zeros((0, 3)))])
    return builder.build()


def test_series_come_by_tag_as_asked_then_by_run() -> None:
    source = made()
    found = steps.listing(source, "images", ["b", "a", "b", "absent"])
    assert [(one.run, one.tag, one.first, one.points, one.samples) for one in found.header.series] == [
        ("run2", "b", 0, 3, 3),
        ("run10", "b", 3, 3, 3),
        ("run2", "a", 6, 1, 1),
        ("run10", "a", 7, 1, 1),
    ]
    assert (found.header.kind, found.header.version) == ("images", source.version)


def test_no_value_is_read() -> None:
    source = made()

    def refuse(*place: object) -> types.Tensor:
        raise AssertionError("a value was read")

    source._load = refuse
    found = steps.listing(source, "images", ["b"], runs.select(source, ("run2",), ""))
    assert found.arrays["step"].tolist() == [5, 2**60, 7]
    assert found.arrays["count"].tolist() == [1, 3, 0]
    np.testing.assert_array_equal(found.arrays["wall"], [1.5, np.nan, 3.0])
    assert [array.dtype.str for array in found.arrays.values()] == ["<i8", "<f8", "<i4", "<i8", "<i8"]


def test_places_are_those_of_blob_keys() -> None:
    source = made()
    found = steps.listing(source, "images", ["b"], runs.select(source, ("run10",), ""))
    one = found.header.series[0]
    own = series.find(source, types.Kind.IMAGES, one.run, one.tag)
    shown = own.points()
    for position in range(2):
        key = blobs.key(own, shown, position, 2)
        assert blobs._parse(key)[4] == found.arrays["offset"][one.first + position]
        assert blobs.read(source, key).data == b"png"


@pytest.mark.parametrize(
    ("word", "tag", "count"),
    [("audio", "clips", 2), ("tensors", "odd", 1), ("histograms", "buckets", 0), ("distributions", "buckets", 0)],
)
def test_other_kinds(word: str, tag: str, count: int) -> None:
    found = steps.listing(made(), word, [tag])
    assert [one.tag for one in found.header.series] == [tag]
    assert found.arrays["count"].tolist() == [count]


def test_a_tag_of_another_kind_is_not_there() -> None:
    found = steps.listing(made(), "audio", ["b", "a", "buckets"])
    assert found.header.series == []
    assert [len(array) for array in found.arrays.values()] == [0] * 5


@pytest.mark.parametrize("word", ["scalars", "hparams", "untyped", "", "x" * 100])
def test_kinds_without_steps_are_refused(word: str) -> None:
    with pytest.raises(errors.BadInput, match="no kind"):
        steps.listing(made(), word, ["a"])


def test_every_kind_with_heavy_values_has_steps() -> None:
    light = {types.Kind.UNTYPED, types.Kind.SCALARS, types.Kind.HPARAMS}
    assert {steps.kind_of(row.word) for row in kinds.TABLE if row.steps} == set(types.Kind) - light


def test_only_what_changed() -> None:
    source = made()
    before = source.version
    assert steps.listing(source, "images", ["a"], since=before).header.series == []
    assert len(steps.listing(source, "images", ["a"], since=before - 1).header.series) <= 1
