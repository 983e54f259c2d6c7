"""Percentiles of histograms, by hand on small cases; the comparison with TensorBoard's is in tests/compat."""

from __future__ import annotations

import numpy as np
import pytest

from lightboard import store, types
from lightboard.query import distributions


def values(*rows: tuple[float, float, float]) -> dict[int, float]:
    found = distributions.compress(np.array(rows, np.float64).reshape(-1, 3)).tolist()
    return dict(zip(distributions.BASIS_POINTS, found, strict=True))


def test_one_even_bucket_is_a_straight_line() -> None:
    assert values((0.0, 10.0, 7.0)) == pytest.approx({point: point / 1000 for point in distributions.BASIS_POINTS})


def test_points_fall_into_the_bucket_that_reaches_them() -> None:
    found = values((0.0, 1.0, 1.0), (1.0, 2.0, 0.0), (2.0, 4.0, 1.0))
    assert found[0] == 0.0
    assert found[5000] == 2.0  # half the counts lie before it, the empty bucket is skipped
    assert found[10000] == 4.0
    assert found[1587] == pytest.approx(0.3174)


def test_no_buckets_are_zeros_and_no_counts_are_the_right_edge() -> None:
    assert set(values().values()) == {0.0}
    assert set(values((1.0, 2.0, 0.0), (2.0, 3.0, 0.0)).values()) == {3.0}


def test_inner_edges_beyond_the_outer_ones_are_clamped() -> None:
    found = values((-0.5, -1.0, 0.0), (-1.0, 0.0, 3.0), (0.0, 1.0, 4.0), (1.0, 0.9, 0.0))
    assert (found[0], found[10000]) == (-0.5, 0.9)


def test_infinite_edges_and_counts_do_not_fail() -> None:
    assert values((-np.inf, 0.0, 1.0), (0.0, np.inf, 1.0))[10000] == np.inf
    assert len(values((0.0, 1.0, np.inf), (1.0, 2.0, np.nan))) == 9


def test_many_at_once_are_the_same_as_one_by_one() -> None:
    random = np.random.default_rng(5)
    tables = []
    for size in [0, 1, *random.integers(0, 30, 40).tolist(), 0]:
        limits = np.sort(random.normal(size=size + 1)) * 10.0 ** random.integers(-20, 20)
        counts = random.poisson(0.8, size) * 0.3
        tables.append(np.stack([limits[:-1], limits[1:], counts], axis=1))
    ends = np.concatenate([[0], np.cumsum([len(table) for table in tables])])
    points = (*distributions.BASIS_POINTS, 2500, 7500)
    found = distributions.compress_all(ends, np.concatenate(tables), points)
    assert np.array_equal(found, [distributions.compress(table, points) for table in tables])


def test_percentiles_are_quantiles_of_what_was_counted() -> None:
    """Against the numbers themselves, where each bucket holds one of them at its right edge."""
    numbers = np.sort(np.random.default_rng(1).normal(size=1000))
    edges = np.concatenate([[numbers[0] - 0.01], numbers])
    buckets = np.stack([edges[:-1], edges[1:], np.ones(1000)], axis=1)
    found = distributions.compress(buckets, [100 * percent for percent in (10, 25, 50, 90, 99)])
    assert found == pytest.approx(np.interp([0.1, 0.25, 0.5, 0.9, 0.99], np.linspace(0, 1, 1001), edges))


def test_several_series_with_percentiles_asked_for() -> None:
    value = types.Tensor((1, 3), array=np.array([[0.0, 10.0, 4.0]]))
    builder = store.Builder()
    for run in ("a", "b"):
        builder.tensors(run, "h", types.Kind.HISTOGRAMS, [value, value], steps=[1, 7])
    header, arrays = distributions.several(builder.build(), ["h"], percentiles=[25, 99.5])
    assert [(one.run, one.first, one.steps) for one in header.series] == [("a", 0, 2), ("b", 2, 2)]
    assert header.basis_points == list(distributions.BASIS_POINTS)
    assert arrays["value"].reshape(4, 9)[3].tolist() == pytest.approx([p / 1000 for p in distributions.BASIS_POINTS])
    assert arrays["percentile"].tolist() == pytest.approx([2.5, 9.95] * 4)
    assert arrays["step"].tolist() == [1, 7, 1, 7]


def test_no_series_is_an_empty_answer() -> None:
    header, arrays = distributions.several(store.Builder().build(), ["h"])
    assert header.series == []
    assert [len(array) for array in arrays.values()] == [0, 0, 0, 0]
