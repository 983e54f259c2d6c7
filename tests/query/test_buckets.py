"""Buckets of many histograms: which series, which steps, and what is left out."""

from __future__ import annotations

import numpy as np
import pytest

from lightboard import errors, store, types
from lightboard.query import buckets
from lightboard.query.runs import runs


def table(*rows: tuple[float, float, float], dtype: str = "float64") -> types.Tensor:
    return types.Tensor((len(rows), 3), array=np.array(rows, dtype).reshape(-1, 3))


def made(steps: list[int]) -> store.Store:
    builder = store.Builder()
    for run in ("run10", "run2"):
        values = [table((step, step + 1, 1), (step + 1, step + 2, 2)) for step in steps]
        builder.tensors(run, "h", types.Kind.HISTOGRAMS, values, steps=steps)
    return builder.build()


def test_series_follow_each_other() -> None:
    first, second = buckets.each(made([3, 5]), ["h", "absent"])
    assert first.header == buckets.BucketSeries("run2", "h", 0, 2, 2, 0)
    assert second.header == buckets.BucketSeries("run10", "h", 2, 2, 2, 0)
    assert first.step.tolist() == [3, 5]
    assert first.ends.tolist() == [0, 2, 4]
    assert first.table.tolist() == [[3, 4, 1], [4, 5, 2], [5, 6, 1], [6, 7, 2]]


@pytest.mark.parametrize(
    ("asked", "steps", "points"),
    [
        (buckets.Asked(), list(range(100)), 100),
        (buckets.Asked(limit=100), list(range(100)), 100),
        (buckets.Asked(limit=1), [99], 100),
        (buckets.Asked(limit=2), [0, 99], 100),
        (buckets.Asked(limit=4), [0, 33, 66, 99], 100),
        (buckets.Asked(lo=10, hi=13), [10, 11, 12, 13], 4),
        (buckets.Asked(lo=9.5, hi=12.5, limit=2), [10, 12], 3),
        (buckets.Asked(lo=200), [], 0),
        (buckets.Asked(lo=50, hi=20), [], 0),
    ],
)
def test_steps_are_chosen_evenly_with_both_ends(asked: buckets.Asked, steps: list[int], points: int) -> None:
    source = made(list(range(100)))
    (found,) = buckets.each(source, ["h"], runs.select(source, ("run2",), ""), asked)
    assert found.step.tolist() == steps
    assert (found.header.steps, found.header.points) == (len(steps), points)


def test_large_steps_are_not_rounded() -> None:
    steps = [2**60, 2**60 + 1, 2**60 + 2]
    source = made(steps)
    asked = buckets.Asked(lo=2**60 + 1)
    (found,) = buckets.each(source, ["h"], runs.select(source, ("run2",), ""), asked)
    assert found.step.tolist() == steps[1:]


def test_what_holds_no_buckets_is_left_out_and_counted() -> None:
    values = [
        table((0, 1, 2)),
        types.Tensor((2, 2), array=np.ones((2, 2))),
        types.Tensor((3,), array=np.ones(3)),
        types.Tensor((1, 3), strings=(b"a", b"b", b"c")),
        table(),
        table((4, 5, 6), dtype="int64"),
        table((7, 8, 9), dtype="float16"),
    ]
    (found,) = buckets.each(store.Builder().tensors("r", "h", types.Kind.HISTOGRAMS, values).build(), ["h"])
    assert found.header == buckets.BucketSeries("r", "h", 0, 4, 7, 3)
    assert found.step.tolist() == [0, 4, 5, 6]
    assert found.ends.tolist() == [0, 1, 1, 2, 3]
    assert found.table.tolist() == [[0, 1, 2], [4, 5, 6], [7, 8, 9]]


def test_too_much_at_once_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    source = made(list(range(10)))
    monkeypatch.setattr(buckets, "MAX_VALUES", 15)
    with pytest.raises(errors.BadInput, match="20 histograms"):
        list(buckets.each(source, ["h"]))
    assert len(list(buckets.each(source, ["h"], asked=buckets.Asked(limit=5)))) == 2
