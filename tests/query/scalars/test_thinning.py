"""Thinning of points on the three axes. That the thinned line paints the same pixels: tests/test_kernels.py."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lightboard import errors, store
from lightboard.query.scalars import thinning


def noisy(n: int) -> store.Points:
    rng = np.random.default_rng(n)
    return store.Points(
        np.arange(n, dtype=np.int64) * 10,
        1e9 + np.cumsum(rng.uniform(0.5, 1.5, n)),
        rng.normal(size=n).astype(np.float32),
    )


def test_every_extreme_and_both_ends_survive_on_each_axis() -> None:
    points = noisy(20_000)
    axes: tuple[thinning.Axis, ...] = ("step", "wall", "relative")
    for x in axes:
        thin = thinning.thin(points, columns=100, x=x)
        assert len(thin) <= 400
        assert (thin.steps[0], thin.steps[-1]) == (0, 199_990)
        assert (thin.values.min(), thin.values.max()) == (points.values.min(), points.values.max())
        assert len(thin.wall_times) == len(thin.values) == len(thin.steps)


def test_range_comes_with_one_neighbour_on_each_side() -> None:
    thin = thinning.thin(noisy(100), columns=1000, lo=200, hi=300)
    assert thin.steps.tolist() == list(range(190, 320, 10))


def test_fractional_ranges_on_steps_round_outwards() -> None:
    thin = thinning.thin(noisy(100), columns=1000, lo=200.5, hi=299.5)
    assert {210, 290} <= set(thin.steps.tolist())


def test_relative_counts_from_the_first_usable_time() -> None:
    points = store.Points(np.arange(4), np.array([np.nan, 5.0, 6.5, 9.0]), np.zeros(4, np.float32))
    np.testing.assert_array_equal(thinning.axis(points, "relative"), [np.nan, 0.0, 1.5, 4.0])


def test_no_points_thin_to_none() -> None:
    empty = store.Points(np.zeros(0, np.int64), np.zeros(0), np.zeros(0, np.float32))
    for x in ("step", "wall", "relative"):
        assert len(thinning.thin(empty, columns=10, x=x)) == 0


def test_wrong_questions_are_refused() -> None:
    wrong: Any
    for wrong in ({"columns": 0}, {"columns": 5, "lo": 3, "hi": 1}, {"columns": 5, "x": "epoch"}):
        with pytest.raises(errors.BadInput):
            thinning.thin(noisy(10), **wrong)
