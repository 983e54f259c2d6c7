"""Percentiles of histograms, by hand on small cases; the comparison with TensorBoard's is in tests/compat."""

from __future__ import annotations

import numpy as np
import pytest

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
