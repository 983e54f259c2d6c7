"""Buckets, whatever numbers they were written in."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from lightboard import errors, store, types
from lightboard.query import buckets, histograms


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64"])
def test_buckets_are_doubles(dtype: str) -> None:
    value = types.Tensor((1, 3), array=np.array([[0, 1, 5]], dtype))
    source = store.Builder().tensors("r", "h", types.Kind.HISTOGRAMS, [value]).build()
    (found,) = histograms.read(source, "r", "h")
    assert found.buckets.dtype == np.float64
    assert found.buckets.tolist() == [[0.0, 1.0, 5.0]]


def test_another_tag_is_not_found() -> None:
    with pytest.raises(errors.NotFound, match="histogram"):
        histograms.read(store.Builder().build(), "r", "h")


def series_of(*histograms_: list[tuple[float, float, float]]) -> buckets.Buckets:
    values = [types.Tensor((len(rows), 3), array=np.array(rows, np.float64).reshape(-1, 3)) for rows in histograms_]
    (found,) = buckets.each(store.Builder().tensors("r", "h", types.Kind.HISTOGRAMS, values).build(), ["h"])
    return found


def rows_of(found: histograms.Edges) -> list[tuple[list[float], list[float]]]:
    """Edges and counts of each histogram."""
    ends = found.first.tolist()
    return [
        (found.edge[ends[i] + i : ends[i + 1] + i + 1].tolist(), found.count[ends[i] : ends[i + 1]].tolist())
        for i in range(len(ends) - 1)
    ]


def test_edges_are_told_once() -> None:
    found = histograms.edges(series_of([(0, 1, 5), (1, 3, 6)], [(2, 4, 7)]))
    assert rows_of(found) == [([0, 1, 3], [5, 6]), ([2, 4], [7])]


def test_empty_buckets_side_by_side_are_one() -> None:
    rows = [(0.0, 1.0, 0.0), (1.0, 2.0, 0.0), (2.0, 3.0, 4.0), (3.0, 4.0, 0.0), (4.0, 5.0, 0.0), (5.0, 6.0, 1.0)]
    found = histograms.edges(series_of(rows, rows[:2], rows[3:5]))
    assert rows_of(found) == [([0, 2, 3, 5, 6], [0, 4, 0, 1]), ([0, 2], [0]), ([3, 5], [0])]


def test_gaps_are_empty_buckets_and_overlaps_are_cut() -> None:
    found = histograms.edges(
        series_of([(0, 1, 5), (2, 3, 6)], [(9, 10, 1), (12, 13, 0), (14, 15, 2)], [(0, 2, 1), (1, 3, 1)])
    )
    assert rows_of(found) == [
        ([0, 1, 2, 3], [5, 0, 6]),
        ([9, 10, 14, 15], [1, 0, 2]),
        ([0, 2, 3], [1, 1]),
    ]


def test_no_buckets_and_odd_numbers() -> None:
    inf, nan = float("inf"), float("nan")
    found = rows_of(histograms.edges(series_of([], [(-inf, 0, nan), (0, inf, inf)], [], [(nan, nan, 1)])))
    assert [len(edges) - len(counts) for edges, counts in found] == [1, 1, 1, 1]
    assert np.isnan(found[0][0]).all()
    assert found[1][0] == [-inf, 0, inf]
    assert found[2][1] == []


def test_the_edges_of_random_histograms_hold_every_count() -> None:
    random = np.random.default_rng(3)
    made = []
    for size in random.integers(0, 40, 30).tolist():
        limits = np.sort(random.normal(size=size + 1))
        counts = random.poisson(0.7, size).astype(float)
        made.append(list(zip(limits[:-1].tolist(), limits[1:].tolist(), counts.tolist(), strict=True)))
    for rows, (edges, counts) in zip(made, rows_of(histograms.edges(series_of(*made))), strict=True):
        assert sum(counts) == sum(count for _, _, count in rows)
        full = [(left, right, count) for left, right, count in rows if count]
        assert [row for row in zip(edges, edges[1:], counts, strict=False) if row[2]] == full
        assert all(first or second for first, second in itertools.pairwise(counts))


def test_several_series_in_one_answer() -> None:
    builder = store.Builder()
    for run, rows in (("a", [(0.0, 1.0, 2.0)]), ("b", [(5.0, 6.0, 1.0), (6.0, 7.0, 3.0)])):
        values = [types.Tensor((len(rows), 3), array=np.array(rows))] * 2
        builder.tensors(run, "h", types.Kind.HISTOGRAMS, values)
    header, arrays = histograms.several(builder.build(), ["h"])
    assert [(one.run, one.first, one.steps) for one in header.series] == [("a", 0, 2), ("b", 2, 2)]
    found = histograms.Edges(arrays["first"], arrays["edge"], arrays["count"])
    assert rows_of(found) == [([0, 1], [2])] * 2 + [([5, 6, 7], [1, 3])] * 2
    assert arrays["step"].tolist() == [0, 1, 0, 1]


def test_no_series_is_an_empty_answer() -> None:
    header, arrays = histograms.several(store.Builder().build(), ["h"])
    assert header.series == []
    assert {name: array.tolist() for name, array in arrays.items()} == {
        "step": [], "wall": [], "first": [0], "edge": [], "count": [],
    }  # fmt: skip
