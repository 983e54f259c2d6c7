"""Counting into bins: NumPy's `histogram` is the measure, on numbers that lie on edges, beside them and beyond them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from lightboard import _native
from lightboard.sdk import histograms

RANDOM = np.random.default_rng(11)
DEFAULT = np.array(histograms.default_edges())
EDGES = {
    "default": DEFAULT,
    "few": np.array([-1.0, 0.0, 0.5, 2.0]),
    "even": np.linspace(-3, 3, 500),
    "many in one cell of the table": np.concatenate([np.linspace(0, 1e-3, 4000), [1, 1, 2]]),
    "infinite": np.array([-np.inf, 0, np.inf]),
    "random": np.sort(RANDOM.normal(size=3000)),
    "negative": np.array([-1e300, -1e-300, -5e-324]),
}
FINITE = DEFAULT[np.isfinite(DEFAULT)]
NUMBERS = {
    "normal": RANDOM.normal(size=20_000),
    "wide": RANDOM.normal(size=20_000) * 10.0 ** RANDOM.integers(-300, 300, 20_000),
    "edges": FINITE,
    "above edges": np.nextafter(FINITE, np.inf),
    "below edges": np.nextafter(FINITE, -np.inf),
    "odd": np.array([0.0, -0.0, 5e-324, -5e-324, 1e-300, 1.7e308, -1.7e308, np.inf, -np.inf]),
    "one": np.array([0.25]),
    "none": np.array([]),
}


@pytest.mark.parametrize("edges", EDGES)
@pytest.mark.parametrize("numbers", NUMBERS)
def test_counts_are_numpys(edges: str, numbers: str) -> None:
    for values in (NUMBERS[numbers], EDGES[edges]):
        packed, *_ = _native.Bins(EDGES[edges]).count(values)
        assert_array_equal(np.frombuffer(packed, np.int64), np.histogram(values, EDGES[edges])[0])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("size", [1, 2, 3, 5, 1023, 1024, 1025, 10_001])
def test_the_rest_is_numpys(dtype: Any, size: int) -> None:
    values = RANDOM.normal(size=size).astype(dtype)
    packed, low, high, total, squares = _native.Bins(DEFAULT).count(values)
    wide = values.astype(np.float64)
    assert (low, high) == (wide.min(), wide.max())
    assert np.frombuffer(packed, np.int64).sum() == size
    assert_allclose((total, squares), (wide.sum(), wide.dot(wide)), rtol=1e-12, atol=1e-12)


def test_a_nan_is_in_no_bin_and_spoils_the_rest() -> None:
    packed, *rest = _native.Bins(DEFAULT).count(np.array([1.0, np.nan, -np.nan, 3.0]))
    assert np.frombuffer(packed, np.int64).sum() == 2
    assert np.isnan(rest).all()


def test_infinities_spoil_the_sums_only() -> None:
    packed, low, high, total, squares = _native.Bins(DEFAULT).count(np.array([1.0, np.inf, -np.inf]))
    assert np.frombuffer(packed, np.int64).sum() == 1
    assert (low, high, squares) == (-np.inf, np.inf, np.inf) and np.isnan(total)


@pytest.mark.parametrize("edges", [[1.0], [], [1.0, 0.0], [0.0, np.nan]])
def test_edges_that_make_no_bins_are_refused(edges: list[float]) -> None:
    with pytest.raises(ValueError, match="edges"):
        _native.Bins(np.array(edges, np.float64))
