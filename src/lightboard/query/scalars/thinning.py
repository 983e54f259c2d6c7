"""Reduces points to those that matter on screen: x axes and thinned points.

A thinned line paints the same pixels as the full one (docs/explanation/thinning.md). Smooth all points
before thinning. Pure functions over arrays; nothing is read here.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from lightboard import errors, kernels, store

Axis = Literal["step", "wall", "relative"]


def axis(points: store.Points, x: Axis) -> NDArray[Any]:
    """Return the x of each point: its step, its wall time, or the seconds since the first point of this series."""
    if x == "step":
        return points.steps
    if x == "wall":
        return points.wall_times
    if x == "relative":
        usable = points.wall_times[np.isfinite(points.wall_times)]
        return points.wall_times - (usable[0] if usable.size else 0.0)
    raise errors.BadQuestion(f"unknown x axis {x!r}", hint="use `step`, `wall` or `relative`")


def thin(
    points: store.Points,
    *,
    columns: int,
    x: Axis = "step",
    lo: float | None = None,
    hi: float | None = None,
) -> store.Points:
    """Return the points that paint the same pixels as all of them on `columns` columns over [lo, hi] of the axis.

    Includes one point beyond each end of the range, where the line enters and leaves.
    """
    return points.take(kept(points, columns=columns, x=x, lo=lo, hi=hi))


def kept(
    points: store.Points, *, columns: int, x: Axis = "step", lo: float | None = None, hi: float | None = None
) -> NDArray[np.int64]:
    """The indices `thin` keeps, for callers that have more columns than a `Points` holds."""
    try:
        return kernels.m4_indices(axis(points, x), points.values, columns=columns, lo=lo, hi=hi)
    except ValueError as problem:
        raise errors.BadInput(str(problem), code="range.too_wide") from problem
