"""Scalar series for charts: chosen by tag and run, smoothed on all points, thinned for the pixels on screen.

Two encodings of the same picture:

- `exact`: the points themselves. With a width only those that decide the picture (first, lowest, highest, last of each
  pixel column), without one all of them.
- `pixels`: for each pixel column of a common range the first, lowest, highest and last value, in the compact columns of
  `kernels.encode_columns`: a tenth of the bytes, made for drawing only. A series that runs backwards on x cannot be told
  in columns; it comes as exact points beside them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from lightboard import errors, kernels, types
from lightboard import store as store_
from lightboard.query import order

X = Literal["step", "wall", "relative"]
Encoding = Literal["exact", "pixels"]

# Beside a smoothed line the raw one is drawn faint: one pixel of error and no first and last will do, at half the bytes.
FAINT_RESOLUTION = kernels.RESOLUTION / 4
MAX_SERIES = 100_000


@dataclasses.dataclass(frozen=True)
class Extent:
    """`low` to `high` leaves the outer 5 % on each side out. All None when there is no finite value."""

    low: float | None
    high: float | None
    min: float | None
    max: float | None


@dataclasses.dataclass(frozen=True)
class Lines:
    """Header of a scalars frame. Columns `tag` and `run` hold positions in `tags` and `runs`."""

    version: int  # of the store, for the next `since`
    x: str
    lo: int | float | None  # the range that was asked for, or that all series span; None: there is no point
    hi: int | float | None
    width: int
    encoding: str
    smoothing: str
    tags: list[str]
    runs: list[str]
    tag: list[int]
    run: list[int]
    points: list[int]  # of the whole series
    columns: list[int]  # positions (in the columns above) of the series told in columns
    exact: list[int]  # positions of the series told as points
    kept: list[int]  # parallel to `exact`: how many points of each are in the arrays
    values: Extent  # in the range
    smoothed: Extent | None


@dataclasses.dataclass(frozen=True)
class Chart:
    header: Lines
    arrays: dict[str, NDArray[Any] | bytes]


@dataclasses.dataclass(frozen=True)
class Asked:
    x: X = "step"
    lo: int | float | None = None
    hi: int | float | None = None
    width: int = 0  # 0: every point
    smoothing: str = ""
    rewinds: types.Rewinds = types.Rewinds.LATEST
    encoding: Encoding = "exact"
    raw: bool = True  # False: leave the raw line out where there is a smoothed one
    since: int = -1  # only series that changed after this version


@dataclasses.dataclass(frozen=True)
class Line:
    """One series, ready to be thinned."""

    points: store_.Points
    x: NDArray[Any]
    smoothed: NDArray[np.float64] | None
    ascending: bool


def find(
    store: store_.Store, tags: Sequence[str], runs: NDArray[np.int64] | None = None, *, since: int = -1
) -> list[store_.Series]:
    """Scalar series of the tags in the runs (rows of the run table; None: all), by tag as given, then by run."""
    found: list[store_.Series] = []
    with store.lock:
        for tag in dict.fromkeys(tags):
            rows = store.series_rows(types.Kind.SCALARS, tag=tag, since=since)
            own = store.series_table.rows["run"][rows].astype(np.int64)
            if runs is None:
                keep = np.argsort(order.ranks(store.run_names, own))
            else:
                places = np.full(len(store.runs_table), len(runs), np.int64)
                places[runs] = np.arange(len(runs))
                keep = np.argsort(places[own], kind="stable")[: np.count_nonzero(places[own] < len(runs))]
            found += [store_.Series(store, row) for row in rows[keep].tolist()]
    if len(found) > MAX_SERIES:
        raise errors.BadInput(f"{len(found)} series in one request", hint="ask for fewer tags or runs at a time")
    return found


def x_of(points: store_.Points, x: X) -> NDArray[Any]:
    """Steps, times, or seconds since the series' own first point."""
    if x == "step":
        return points.steps
    if x == "wall" or not len(points):
        return points.wall_times
    return points.wall_times - points.wall_times[0]


def lines(found: Iterable[store_.Series], asked: Asked) -> list[Line]:
    smoother = _smoother(asked.smoothing) if asked.smoothing else None
    result = []
    for series in found:
        points = series.points(asked.rewinds)
        x = x_of(points, asked.x)
        smoothed = None if smoother is None else smoother(x, points.values)
        result.append(Line(points, x, smoothed, bool((x[1:] >= x[:-1]).all())))
    return result


def chart(store: store_.Store, tags: Sequence[str], runs: NDArray[np.int64] | None, asked: Asked) -> Chart:
    if asked.encoding == "pixels" and not asked.width:
        raise errors.BadInput("parameter `width` is needed with encoding=pixels")
    version = store.version
    found = find(store, tags, runs, since=asked.since)
    drawn = lines(found, asked)
    lo, hi = span(drawn, asked)
    arrays: dict[str, NDArray[Any] | bytes] = {}
    columns = [i for i, line in enumerate(drawn) if line.ascending] if asked.encoding == "pixels" else []
    exact = (
        [i for i, line in enumerate(drawn) if not line.ascending] if asked.encoding == "pixels" else range(len(drawn))
    )
    values = kernels.robust_range([_within(line, line.points.values, lo, hi) for line in drawn])
    smoothed = None
    if asked.smoothing:
        smoothed = kernels.robust_range(
            [_within(line, line.smoothed, lo, hi) for line in drawn if line.smoothed is not None]
        )
    if columns:
        arrays |= _columns([drawn[i] for i in columns], lo, hi, asked, values, smoothed)
    kept = _exact([drawn[i] for i in exact], lo, hi, asked, arrays) if exact else []
    tag_names, tag_at = _numbered([series.tag for series in found])
    run_names, run_at = _numbered([series.run for series in found])
    header = Lines(
        version, asked.x, lo, hi, asked.width, asked.encoding, asked.smoothing, tag_names, run_names, tag_at, run_at,
        [len(line.points) for line in drawn], columns, list(exact), kept, _extent(values),
        None if smoothed is None else _extent(smoothed),
    )  # fmt: skip
    return Chart(header, arrays)


def span(drawn: Sequence[Line], asked: Asked) -> tuple[Any, Any]:
    """The range asked for, open ends closed with what the series span; (None, None) when there is no point."""
    lo, hi = asked.lo, asked.hi
    if lo is None or hi is None:
        ends = [_ends(line) for line in drawn if len(line.x)]
        ends = [pair for pair in ends if pair is not None]
        if not ends:
            return (lo, lo) if hi is None else (hi, hi) if lo is None else (lo, hi)
        lo = min(pair[0] for pair in ends) if lo is None else lo
        hi = max(pair[1] for pair in ends) if hi is None else hi
        if lo > hi:  # all data lies beyond the one end that was asked for
            lo = hi = asked.lo if asked.lo is not None else asked.hi
    if lo > hi:
        raise errors.BadInput(f"parameter `lo` ({lo}) must not be above `hi` ({hi})")
    return lo, hi


def _ends(line: Line) -> tuple[Any, Any] | None:
    x = line.x
    if line.ascending:
        return x[0].item(), x[-1].item()
    finite = x[np.isfinite(x)] if x.dtype.kind == "f" else x
    return (finite.min().item(), finite.max().item()) if len(finite) else None


def _within(line: Line, values: NDArray[Any], lo: Any, hi: Any) -> NDArray[Any]:
    x = line.x
    if lo is None or not len(x):
        return values
    if line.ascending:
        if lo <= x[0] and x[-1] <= hi:
            return values
        return values[np.searchsorted(x, lo, "left") : np.searchsorted(x, hi, "right")]
    return values[(x >= lo) & (x <= hi)]


def _columns(
    drawn: Sequence[Line], lo: Any, hi: Any, asked: Asked, values: kernels.Range, smoothed: kernels.Range | None
) -> dict[str, NDArray[Any] | bytes]:
    """Arrays `columns` and `smoothed_columns` (see docs/explanation/thinning.md), and where lines enter and leave."""
    arrays: dict[str, NDArray[Any] | bytes] = {}
    places: Sequence[kernels.Columns] = []
    if asked.raw or smoothed is None:
        places = [kernels.m4_columns(line.x, line.points.values, columns=asked.width, lo=lo, hi=hi) for line in drawn]
        centre, scale = kernels.frame_scale(values)
        faint = smoothed is not None
        arrays["columns"] = kernels.encode_columns(
            places,
            centre=centre,
            scale=scale,
            resolution=FAINT_RESOLUTION if faint else kernels.RESOLUTION,
            end_levels=0 if faint else kernels.END_LEVELS,
        )
    if smoothed is not None:
        places = [
            kernels.m4_columns(line.x, line.smoothed, columns=asked.width, lo=lo, hi=hi)
            for line in drawn
            if line.smoothed is not None
        ]
        centre, scale = kernels.frame_scale(smoothed)
        arrays["smoothed_columns"] = kernels.encode_columns(places, centre=centre, scale=scale)
    edges = np.array([(place.before, place.after) for place in places], np.int64)
    if (edges >= 0).any():
        arrays |= _edges(drawn, edges)
    return arrays


def _edges(drawn: Sequence[Line], edges: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
    """The nearest points outside the range, two a series, NaN where there is none: lines enter and leave towards them."""
    shape = edges.shape
    x, value, smoothed = (np.full(shape, np.nan) for _ in range(3))
    for i, line in enumerate(drawn):
        for side in (0, 1):
            at = edges[i, side]
            if at >= 0:
                x[i, side], value[i, side] = line.x[at], line.points.values[at]
                if line.smoothed is not None:
                    smoothed[i, side] = line.smoothed[at]
    arrays = {"edge_x": x.ravel(), "edge_value": value.ravel()}
    if drawn[0].smoothed is not None:
        arrays["edge_smoothed"] = smoothed.ravel()
    return arrays


def _exact(drawn: Sequence[Line], lo: Any, hi: Any, asked: Asked, arrays: dict[str, NDArray[Any] | bytes]) -> list[int]:
    """Adds arrays `step`, `wall_time`, `value`, `smoothed`, the series one after another; how many points of each."""
    kept = [_keep(line, lo, hi, asked) for line in drawn]
    arrays["step"] = _joined([line.points.steps[keep] for line, keep in zip(drawn, kept, strict=True)], np.int64)
    arrays["wall_time"] = _joined(
        [line.points.wall_times[keep] for line, keep in zip(drawn, kept, strict=True)], np.float64
    )
    arrays["value"] = _joined([line.points.values[keep] for line, keep in zip(drawn, kept, strict=True)], np.float32)
    if asked.smoothing:
        arrays["smoothed"] = _joined(
            [line.smoothed[keep] for line, keep in zip(drawn, kept, strict=True) if line.smoothed is not None],
            np.float64,
        )
    return [len(line.points.steps[keep]) for line, keep in zip(drawn, kept, strict=True)]


def _keep(line: Line, lo: Any, hi: Any, asked: Asked) -> NDArray[Any] | slice:
    """Which points to send: those in the range, one more on each side, thinned to the width if one is given."""
    x = line.x
    if lo is None or not len(x):
        return slice(None)
    if asked.width:
        keep = kernels.m4_indices(x, line.points.values, columns=asked.width, lo=lo, hi=hi)
        if line.smoothed is not None:
            keep = np.union1d(keep, kernels.m4_indices(x, line.smoothed, columns=asked.width, lo=lo, hi=hi))
        return keep
    if asked.lo is None and asked.hi is None:
        return slice(None)
    if line.ascending:
        first, end = np.searchsorted(x, lo, "left"), np.searchsorted(x, hi, "right")
        return slice(max(int(first) - 1, 0), int(end) + 1)
    inside = (x >= lo) & (x <= hi)
    near = inside.copy()
    near[1:] |= inside[:-1]
    near[:-1] |= inside[1:]
    return near


def _joined(pieces: Sequence[NDArray[Any]], empty: type[np.generic]) -> NDArray[Any]:
    """One array; doubles if any piece has them."""
    return np.concatenate(pieces) if pieces else np.zeros(0, empty)


def _numbered(names: Sequence[str]) -> tuple[list[str], list[int]]:
    places: dict[str, int] = {}
    at = [places.setdefault(name, len(places)) for name in names]
    return list(places), at


def _extent(found: kernels.Range) -> Extent:
    if not found.count:
        return Extent(None, None, None, None)
    return Extent(found.low, found.high, found.min, found.max)


def _smoother(spec: str) -> Any:
    name, _, text = spec.partition(":")
    amount = float(text or 0.6)
    return lambda x, values: kernels.ema(values, amount)
