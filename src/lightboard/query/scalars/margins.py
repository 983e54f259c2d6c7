"""Bands from tags: a line and, in the same run, the tags of its lower and its upper edge.

If the three have different steps, the band has only the steps that they share, and the response says so.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightboard import kernels

Numbers = NDArray[np.float64]
Triple = tuple[str, str, str]  # value, lower, upper


@dataclasses.dataclass(frozen=True)
class Unbanded:
    """Why the band of a run is not there, or not whole."""

    run: str
    value: str
    lower: str
    upper: str
    missing: list[str]  # tags that the run does not have
    shared: int  # steps that all three have; counts when none is missing


@dataclasses.dataclass(frozen=True)
class Margin:
    """A band of one run; `triple` has its three tags."""

    triple: Triple
    run: str
    x: NDArray[Any]
    centre: Numbers
    low: Numbers
    high: Numbers


@dataclasses.dataclass(frozen=True)
class Points:
    """One series: `x` on the chart's axis, and its values, smoothed if requested."""

    steps: NDArray[np.int64]
    x: NDArray[Any]
    values: Numbers


def bands(
    triples: Sequence[Triple], runs: Sequence[str], read: Callable[[str, str], Points | None]
) -> tuple[list[Margin], list[Unbanded]]:
    """`read(tag, run)` returns the points, None if the run does not have the tag. Runs with none of the three are
    skipped."""
    found: list[Margin] = []
    trouble: list[Unbanded] = []
    for triple in triples:
        for run in runs:
            parts = [read(tag, run) for tag in triple]
            missing = [tag for tag, part in zip(triple, parts, strict=True) if part is None]
            if len(missing) == len(triple):
                continue
            if missing:
                trouble.append(Unbanded(run, *triple, list(dict.fromkeys(missing)), 0))
                continue
            middle, low, high = (part for part in parts if part is not None)
            margin, whole = _joined(triple, run, middle, low, high)
            if not whole:
                trouble.append(Unbanded(run, *triple, [], len(margin.x)))
            if len(margin.x):
                found.append(margin)
    return found, trouble


def _joined(triple: Triple, run: str, middle: Points, low: Points, high: Points) -> tuple[Margin, bool]:
    same = np.array_equal(middle.steps, low.steps) and np.array_equal(middle.steps, high.steps)
    if same:
        return Margin(triple, run, middle.x, middle.values, low.values, high.values), True
    shared = np.intersect1d(np.intersect1d(middle.steps, low.steps), high.steps)
    at, below, above = (_last_at(part.steps, shared) for part in (middle, low, high))
    return Margin(triple, run, middle.x[at], middle.values[at], low.values[below], high.values[above]), False


def _last_at(steps: NDArray[np.int64], wanted: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the last index of each wanted step; a restart may have logged it twice."""
    order = np.argsort(steps, kind="stable")
    return order[np.searchsorted(steps, wanted, side="right", sorter=order) - 1]


def thinned(margin: Margin, lo: float, hi: float, width: int, bend: Callable[[NDArray[Any]], Numbers]) -> Margin:
    """Return the part in the range, with a point beyond each end. If there are many points: one per column, with the
    lowest and highest edge of its points."""
    x = margin.x.astype(np.float64)
    if not len(x) or not np.all(np.diff(x) >= 0):
        return margin
    from_, to = int(np.searchsorted(x, lo)), int(np.searchsorted(x, hi, side="right"))
    kept = slice(max(from_ - 1, 0), to + 1)
    cut = Margin(margin.triple, margin.run, x[kept], margin.centre[kept], margin.low[kept], margin.high[kept])
    if not width or len(cut.x) <= 2 * width:
        return cut
    places = np.clip((bend(cut.x) - bend(np.array([lo]))) / _span(bend, lo, hi) * width, -1, width).astype(np.int64)
    firsts = np.nonzero(np.diff(places, prepend=places[0] - 1))[0]
    return Margin(
        margin.triple,
        margin.run,
        cut.x[firsts],
        cut.centre[firsts],
        np.fmin.reduceat(cut.low, firsts),
        np.fmax.reduceat(cut.high, firsts),
    )


def _span(bend: Callable[[NDArray[Any]], Numbers], lo: float, hi: float) -> float:
    ends = bend(np.array([lo, hi], np.float64))
    return float(ends[1] - ends[0]) or 1.0


def bender(scale: str) -> Callable[[NDArray[Any]], Numbers]:
    """Return the function of x that is linear on the screen for this scale."""
    if scale == "log":
        return lambda x: np.log(np.maximum(x, np.finfo(np.float64).tiny))
    if scale == "symlog":
        return lambda x: np.sign(x) * np.log1p(np.abs(x))
    return lambda x: np.asarray(x, np.float64)


def reader(
    kept: Callable[[str, str], kernels.Kept | None], axis: str, *, smooth: bool
) -> Callable[[str, str], Points | None]:
    """The `read` function for `bands`: points of whole series, computed by the kernels."""

    def read(tag: str, run: str) -> Points | None:
        found = kept(tag, run)
        if found is None:
            return None
        x: NDArray[Any] = {"step": found.steps, "own": found.x}.get(axis, found.wall_times)
        if axis == "relative":
            usable = x[np.isfinite(x)]
            x = x - (usable[0] if usable.size else 0.0)
        values = found.smoothed if smooth else found.values
        return Points(found.steps, x, np.asarray(values, np.float64))

    return read
