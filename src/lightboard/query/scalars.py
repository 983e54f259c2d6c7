"""Scalar series for charts: chosen by tag and run, smoothed on all points, thinned for the pixels on screen.

Two encodings of the same picture:

- `exact`: the points themselves. With a width only those that decide the picture (first, lowest, highest, last of each
  pixel column), without one all of them.
- `pixels`: for each pixel column of a common range the first, lowest, highest and last value, in the compact columns of
  `kernels.encode_columns`: a tenth of the bytes, made for drawing only. A series that runs backwards on x cannot be
  told in columns; it comes as exact points beside them.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from lightboard import errors, kernels, types
from lightboard import store as store_
from lightboard.query import groups, hparams_metadata, order, smoothing, thinning
from lightboard.store import tables

X = Literal["step", "wall", "relative"]
Encoding = Literal["exact", "pixels"]

# Beside a smoothed line the raw one is drawn faint: a pixel of error and no first and last will do, at half the bytes.
FAINT_RESOLUTION = kernels.RESOLUTION / 4
# ... and the smoothed one with half a pixel, so that both together still cost a tenth of what TensorBoard sends.
PAIRED_RESOLUTION, PAIRED_END_LEVELS = kernels.RESOLUTION / 2, 4
# What one request may ask for: enough for 10,000 runs on an ordinary chart, or every point of 20 long series.
MAX_SERIES = 100_000
MAX_CELLS = 10_000_000  # series × pixel columns
MAX_POINTS = 20_000_000
_I64 = np.iinfo(np.int64)


@dataclasses.dataclass(frozen=True)
class Extent:
    """`low` to `high` leaves the outer 5 % on each side out. All None when there is no finite value."""

    low: float | None
    high: float | None
    min: float | None
    max: float | None


@dataclasses.dataclass(frozen=True)
class Group:
    """Runs told together as one band. Its stretch of the band arrays is `length` long, groups one after another."""

    tag: int  # position in `tags`
    label: str
    runs: list[int]  # positions in `runs`
    length: int


@dataclasses.dataclass(frozen=True)
class Lines:
    """Header of a scalars frame. Columns `tag` and `run` hold positions in `tags` and `runs`."""

    version: int  # of the store, for the next `since`
    x: str
    lo: int | float | str | None  # the range asked for, or that all series span; None: there is no point
    hi: int | float | str | None
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
    groups: list[Group]
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
    group: str = ""  # "regex:PATTERN" or "hparam:NAME,NAME": runs that belong together become a band
    band: groups.BandKind = "std"
    quantiles: tuple[float, float] = (0.25, 0.75)


@dataclasses.dataclass(frozen=True)
class Line:
    """One series, ready to be thinned."""

    points: store_.Points
    x: NDArray[Any]
    smoothed: NDArray[Any] | None
    ascending: bool


def find(
    store: store_.Store,
    tags: Sequence[str] | None,
    runs: NDArray[np.int64] | None = None,
    *,
    since: int = -1,
    most: int | None = MAX_SERIES,
) -> list[store_.Series]:
    """Scalar series of the tags (None: all) in the runs (rows of the run table, None: all).

    In the order tags and runs are given, or else in natural order; by tag first.
    """
    with store.lock:
        rows = _rows(store, tags, since)
        table = store.series_table.rows
        by_run = _places(store.run_names, table["run"][rows], runs)
        keep = by_run >= 0
        rows, by_run = rows[keep], by_run[keep]
        by_tag = _places(store.tag_names, table["tag"][rows], None if tags is None else _numbers(store, tags))
        keep = by_tag >= 0
        rows, by_run, by_tag = rows[keep], by_run[keep], by_tag[keep]
        if most is not None and len(rows) > most:
            raise errors.BadInput(f"{len(rows)} series in one request", hint="ask for fewer tags or runs at a time")
        return [store_.Series(store, row) for row in rows[np.lexsort((by_run, by_tag))].tolist()]


def _rows(store: store_.Store, tags: Sequence[str] | None, since: int) -> NDArray[np.int64]:
    if tags is None or len(tags) > 8:
        return store.series_rows(types.Kind.SCALARS, since=since)
    return np.concatenate([store.series_rows(types.Kind.SCALARS, tag=tag, since=since) for tag in dict.fromkeys(tags)])


def _numbers(store: store_.Store, tags: Sequence[str]) -> NDArray[np.int64]:
    found = [store.tag_names.number(tag) for tag in dict.fromkeys(tags)]
    return np.array([number for number in found if number is not None], np.int64)


def _places(names: tables.Strings, rows: NDArray[np.uint32], wanted: NDArray[np.int64] | None) -> NDArray[np.int64]:
    """For each row its place among the wanted ones, -1 where it is not wanted; natural order when all are."""
    if wanted is None:
        return order.ranks(names, rows.astype(np.int64))
    places = np.full(len(names), -1, np.int64)
    places[wanted] = np.arange(len(wanted))
    return places[rows]


def lines(found: Iterable[store_.Series], asked: Asked) -> list[Line]:
    smoother = smoothing.parse(asked.smoothing)
    result = []
    for series in found:
        points = series.points(asked.rewinds)
        x = thinning.axis(points, asked.x)
        smoothed = None
        if smoother.enabled:
            smoothed = smoother.apply(points.steps, points.wall_times, points.values)
        # a NaN anywhere is disorder, also when it is the only point
        ascending = bool((x[1:] >= x[:-1]).all() and not np.isnan(x[:1]).any())
        result.append(Line(points, x, smoothed, ascending))
    return result


def chart(store: store_.Store, tags: Sequence[str], runs: NDArray[np.int64] | None, asked: Asked) -> Chart:
    if asked.encoding == "pixels" and not asked.width:
        raise errors.BadInput("parameter `width` is needed with encoding=pixels")
    version = store.version
    found = find(store, tags, runs, since=asked.since)
    drawn = lines(found, asked)
    lo, hi = span(drawn, asked)
    tag_names, tag_at = _numbered([series.tag for series in found])
    run_names, run_at = _numbered([series.run for series in found])
    try:
        values = kernels.robust_range([_within(line, line.points.values, lo, hi) for line in drawn])
        smoothed = None
        if smoothing.parse(asked.smoothing).enabled:
            smoothed = kernels.robust_range([_within(line, _smoothed(line), lo, hi) for line in drawn])
        arrays: dict[str, NDArray[Any] | bytes] = {}
        banded: list[Group] = []
        alone = list(range(len(drawn)))
        if asked.group:
            banded, alone = _bands(store, drawn, tag_at, run_at, run_names, (lo, hi), asked, arrays)
        columns = [i for i in alone if drawn[i].ascending] if asked.encoding == "pixels" and lo is not None else []
        exact = [i for i in alone if not drawn[i].ascending] if columns else alone
        if len(columns) * asked.width > MAX_CELLS:
            raise errors.BadInput(
                f"{len(columns)} series are too many for {asked.width} columns",
                hint="ask for fewer runs or tags at a time, or for a smaller `width`",
            )
        if columns:
            arrays |= _columns([drawn[i] for i in columns], lo, hi, asked, values, smoothed)
        kept = _exact([drawn[i] for i in exact], lo, hi, asked, arrays) if exact else []
    except ValueError as problem:  # a range beyond what numbers can tell apart
        raise errors.BadInput(str(problem)) from problem
    header = Lines(
        version, asked.x, lo, hi, asked.width, asked.encoding, asked.smoothing, tag_names, run_names, tag_at, run_at,
        [len(line.points) for line in drawn], columns, exact, kept, banded, _extent(values),
        None if smoothed is None else _extent(smoothed),
    )  # fmt: skip
    return Chart(header, arrays)


def _smoothed(line: Line) -> NDArray[Any]:
    return line.points.values if line.smoothed is None else line.smoothed


def _bands(
    store: store_.Store,
    drawn: Sequence[Line],
    tag_at: Sequence[int],
    run_at: Sequence[int],
    run_names: Sequence[str],
    bounds: tuple[Any, Any],
    asked: Asked,
    arrays: dict[str, NDArray[Any] | bytes],
) -> tuple[list[Group], list[int]]:
    """Adds arrays `band_x`, `band_centre`, `band_low`, `band_high`, `band_count`; the groups, and lines left alone."""
    grouping = group_runs(store, run_names, asked.group)
    places = {(tag, run): i for i, (tag, run) in enumerate(zip(tag_at, run_at, strict=True))}
    found: list[Group] = []
    bands: list[groups.Band] = []
    for tag in dict.fromkeys(tag_at):
        for group in grouping.groups:
            members = [places[tag, run] for run in group.members if (tag, run) in places]
            series = [(drawn[i].x, _smoothed(drawn[i])) for i in members if len(drawn[i].x)]
            if not series:
                continue
            band = groups.band(
                series, asked.band, columns=asked.width or None, lo=bounds[0], hi=bounds[1], quantiles=asked.quantiles
            )
            bands.append(band)
            found.append(Group(tag, group.label, [run_at[i] for i in members], len(band.x)))
    for name in ("x", "centre", "low", "high", "count"):
        pieces = [getattr(band, name) for band in bands]
        arrays[f"band_{name}"] = np.concatenate(pieces) if pieces else np.zeros(0)
    grouped = {run for group in grouping.groups for run in group.members}
    return found, [i for i, run in enumerate(run_at) if run not in grouped]


def group_runs(store: store_.Store, run_names: Sequence[str], group: str) -> groups.Grouping:
    """`regex:PATTERN` or `hparam:NAME,NAME`."""
    how, _, what = group.partition(":")
    if how == "regex" and what:
        return groups.by_pattern(run_names, what)
    if how == "hparam" and what:
        known = hparams_metadata.of_runs(store)
        rows = [store.run_names.number(name) for name in run_names]
        empty: dict[str, hparams_metadata.Value] = {}
        columns = {
            name: [known.get(-1 if row is None else row, empty).get(name) for row in rows] for name in what.split(",")
        }
        return groups.by_values(columns)
    raise errors.BadInput(f"parameter `group` must be such as `regex:seed_(.*)` or `hparam:lr`, not `{group[:60]}`")


def span(drawn: Sequence[Line], asked: Asked) -> tuple[Any, Any]:
    """The range asked for, open ends closed with what the series span; (None, None) when there is no point."""
    lo: Any = asked.lo
    hi: Any = asked.hi
    if lo is not None and hi is not None:
        if lo > hi:
            raise errors.BadInput(f"parameter `lo` ({lo}) must not be above `hi` ({hi})")
        return lo, hi
    ends = [pair for pair in map(_ends, drawn) if pair is not None]
    # data may lie wholly beyond the one end that was asked for: the range is then that end
    if lo is None:
        lo = min([first for first, _ in ends] + ([] if hi is None else [hi]), default=None)
    if hi is None:
        hi = max([last for _, last in ends] + [lo], default=None) if lo is not None else None
    return lo, hi


def _ends(line: Line) -> tuple[Any, Any] | None:
    x = line.x
    if not len(x):
        return None
    if line.ascending:
        return x[0].item(), x[-1].item()
    finite = x[np.isfinite(x)] if x.dtype.kind == "f" else x
    return (finite.min().item(), finite.max().item()) if len(finite) else None


def _within(line: Line, values: NDArray[Any], lo: Any, hi: Any) -> NDArray[Any]:
    x = line.x
    if lo is None or not len(x):
        return values
    if not line.ascending:
        inside: NDArray[Any] = values[(x >= lo) & (x <= hi)]
        return inside
    if lo <= x[0] and x[-1] <= hi:
        return values
    return values[_below(x, lo, "left") : _below(x, hi, "right")]


def _below(x: NDArray[Any], bound: Any, side: Literal["left", "right"]) -> int:
    """How many of the ascending x lie before the bound. Steps stay whole: as doubles, large ones would be mixed up."""
    if x.dtype.kind == "i":
        whole = math.ceil(bound) if side == "left" else math.floor(bound)
        if not _I64.min <= whole <= _I64.max:
            return 0 if whole < 0 else len(x)
        return int(np.searchsorted(x, np.int64(whole), side))
    return int(np.searchsorted(x, bound, side))


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
        places = [kernels.m4_columns(line.x, _smoothed(line), columns=asked.width, lo=lo, hi=hi) for line in drawn]
        centre, scale = kernels.frame_scale(smoothed)
        arrays["smoothed_columns"] = kernels.encode_columns(
            places,
            centre=centre,
            scale=scale,
            resolution=PAIRED_RESOLUTION if asked.raw else kernels.RESOLUTION,
            end_levels=PAIRED_END_LEVELS if asked.raw else kernels.END_LEVELS,
        )
    edges = np.array([(place.before, place.after) for place in places], np.int64)
    if (edges >= 0).any():
        arrays |= _edges(drawn, edges)
    return arrays


def _edges(drawn: Sequence[Line], edges: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
    """The nearest points outside the range, two a series, NaN where there is none: lines enter and leave there."""
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
    counts = [len(line.points.steps[keep]) for line, keep in zip(drawn, kept, strict=True)]
    if sum(counts) > MAX_POINTS:
        raise errors.BadInput(
            f"{sum(counts)} points in one request", hint="give a `width`, a range, fewer runs, or use /api/export"
        )
    arrays["step"] = _joined([line.points.steps[keep] for line, keep in zip(drawn, kept, strict=True)], np.int64)
    arrays["wall_time"] = _joined(
        [line.points.wall_times[keep] for line, keep in zip(drawn, kept, strict=True)], np.float64
    )
    arrays["value"] = _joined([line.points.values[keep] for line, keep in zip(drawn, kept, strict=True)], np.float32)
    if drawn[0].smoothed is not None:
        arrays["smoothed"] = _joined(
            [_smoothed(line)[keep] for line, keep in zip(drawn, kept, strict=True)], np.float64
        )
    return counts


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
        return slice(max(_below(x, lo, "left") - 1, 0), _below(x, hi, "right") + 1)
    inside: NDArray[np.bool_] = (x >= lo) & (x <= hi)
    near: NDArray[np.bool_] = inside.copy()
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
