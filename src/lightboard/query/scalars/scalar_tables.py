"""Numbers in tables: one row per run, the points nearest a position, all points of one series."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightboard import errors, kernels, types
from lightboard import store as store_
from lightboard.query import derived, order
from lightboard.query import rows as rows_
from lightboard.query.scalars import scalars, smoothing

MAX_VALUES = 200_000  # series × positions in one request for the nearest points
STATISTICS = ("first", "last", "min", "max", "last_step", "points")


@dataclasses.dataclass(frozen=True)
class Cells:
    """One tag's columns, parallel to the table's `run`; None where a run does not have the tag."""

    first: list[float | str | None]
    last: list[float | str | None]
    min: list[float | str | None]
    max: list[float | str | None]
    last_step: list[int | str | None]
    points: list[int | None]


@dataclasses.dataclass(frozen=True, kw_only=True)
class RangeCells:
    """One tag's columns over a range of x; None where a run has no point in it. min, max and mean: of finite values."""

    first: list[float | str | None]
    last: list[float | str | None]
    min: list[float | str | None]
    max: list[float | str | None]
    mean: list[float | str | None]
    first_step: list[int | str | None]
    last_step: list[int | str | None]
    min_step: list[int | str | None]
    max_step: list[int | str | None]
    points: list[int | None]


@dataclasses.dataclass(frozen=True)
class Table:
    version: int
    total: int  # rows before `offset` and `limit`
    run: list[str]
    tags: dict[str, Cells]
    range: dict[str, RangeCells]  # empty unless `lo` or `hi` is given


@dataclasses.dataclass(frozen=True)
class Range:
    """A range of x; None: no limit on this side."""

    x: str = "step"
    lo: int | float | None = None
    hi: int | float | None = None
    rewinds: types.Rewinds = types.Rewinds.LATEST

    @property
    def is_bounded(self) -> bool:
        return self.lo is not None or self.hi is not None


def table(
    store: store_.Store,
    tags: Sequence[str],
    runs: NDArray[np.int64] | None = None,
    *,
    sort: str = "",
    offset: int = 0,
    limit: int | None = None,
    within: Range | None = None,
) -> Table:
    """First, last, min and max of each run. `sort` is, say, `-last(loss)`; runs without a value come last. `within`
    adds statistics over a range of x."""
    version = store.version
    computed = {tag: derived.summaries(store, tag, runs) for tag in tags if derived.is_derived(store, tag)}
    with store.lock:
        if runs is None:
            rows = np.nonzero(store.runs_table.rows["files"])[0]
            runs = rows[np.argsort(order.ranks(store, store.run_names, rows))]
        columns = {tag: _columns(store, tag, runs, computed.get(tag)) for tag in dict.fromkeys(tags)}
        has_any = np.zeros(len(runs), np.bool_)
        for _, present in columns.values():
            has_any |= present
        keep = np.nonzero(has_any)[0]
        if sort:
            keep = keep[_sorting(sort, columns, keep)]
        total = len(keep)
        keep = keep[offset : None if limit is None else offset + limit]
        shown = runs[keep]
        names = [store.run_names[row] for row in shown.tolist()]
    cells = {
        tag: Cells(*(_column(values[name][keep], present[keep]) for name in STATISTICS))
        for tag, (values, present) in columns.items()
    }
    ranged = {}
    if within is not None and within.is_bounded:
        ranged = {tag: _ranged(store, tag, shown, within) for tag in columns}
    return Table(version, total, names, cells, ranged)


def _ranged(store: store_.Store, tag: str, runs: NDArray[np.int64], within: Range) -> RangeCells:
    asked = scalars.Asked(x=within.x, lo=within.lo, hi=within.hi, rewinds=within.rewinds)
    found = scalars.collect(store, [tag], runs, asked, most=None)
    lo, hi = scalars.span(found.bundle.survey(), asked)
    try:
        stats = found.bundle.stats(None if lo is None else kernels.Window(lo, hi))
    except ValueError as problem:
        raise errors.BadInput(str(problem), code="range.too_wide") from problem
    stats["points"] = stats.pop("n")
    places = np.full(len(store.runs_table), -1, np.int64)
    places[found.cells("run")] = np.arange(len(found.rows))
    at = places[runs]
    present = at >= 0
    present[present] = stats["points"][at[present]] > 0
    if not len(found.rows):
        stats = {name: np.zeros(1, values.dtype) for name, values in stats.items()}  # so that `at` has a target
    names = [field.name for field in dataclasses.fields(RangeCells)]
    return RangeCells(**{name: _column(stats[name][at], present) for name in names})


def _columns(
    store: store_.Store,
    tag: str,
    runs: NDArray[np.int64],
    computed: tuple[NDArray[np.int64], dict[str, NDArray[Any]]] | None,
) -> tuple[dict[str, NDArray[Any]], NDArray[np.bool_]]:
    """Return the statistics of the tag in each run, and which runs have it. `computed`: those of an expression."""
    if computed is None:
        found = store.series_rows(types.Kind.SCALARS, tag=tag)
        rows, stats = store.series_table.rows["run"][found], store.stats(found)
    else:
        rows, stats = computed
    stats["points"] = stats.pop("n").astype(np.int64)
    places = np.full(len(store.runs_table), -1, np.int64)
    places[rows] = np.arange(len(rows))
    at = places[runs]
    present = at >= 0
    if not len(rows):
        return {name: np.zeros(len(runs), values.dtype) for name, values in stats.items()}, present
    return {name: values[at] for name, values in stats.items()}, present


def _sorting(
    sort: str, columns: dict[str, tuple[dict[str, NDArray[Any]], NDArray[np.bool_]]], keep: NDArray[np.int64]
) -> NDArray[np.int64]:
    name, _, tag = sort.removeprefix("-").removesuffix(")").partition("(")
    if name not in STATISTICS or tag not in columns or not sort.endswith(")"):
        raise errors.BadQuestion(
            f"parameter `sort` must be such as `-last({next(iter(columns), 'loss')})`",
            hint=f"one of {', '.join(STATISTICS)} of one of the tags asked for",
        )
    values, present = columns[tag]
    numbers = values[name][keep].astype(np.float64)
    key = np.where(present[keep] & ~np.isnan(numbers), -numbers if sort.startswith("-") else numbers, np.inf)
    return np.argsort(key, kind="stable")


def _column(values: NDArray[Any], present: NDArray[np.bool_] | None = None) -> Any:
    return rows_.Column(values, present)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Nearest:
    """Columns, one entry per series and position asked for, series after series; None: the series has no point."""

    version: int
    x: str
    at: list[int | float]
    tag: list[str]  # one entry per series
    run: list[str]
    step: list[int | str | None]
    wall_time: list[float | str | None]
    relative: list[float | str | None]
    value: list[float | str | None]
    smoothed: list[float | str | None]  # empty without `smoothing`


def nearest(
    store: store_.Store,
    tags: Sequence[str],
    runs: NDArray[np.int64] | None,
    at: Sequence[int | float],
    asked: scalars.Asked,
) -> Nearest:
    """Return the exact points nearest to positions on x, for tooltips and tables below a chart."""
    version = store.version
    smoother = smoothing.parse(asked.smoothing)
    found = scalars.collect(store, tags, runs, asked, most=MAX_VALUES // max(len(at), 1))
    picked = found.bundle.nearest(at, smoother.kernel)
    there = picked.index >= 0
    return Nearest(
        version=version,
        x=asked.x,
        at=list(at),
        tag=found.tags(),
        run=[store.run_names[number] for number in found.cells("run")],
        step=_column(picked.steps, there),
        wall_time=_column(picked.wall_times, there),
        relative=_column(picked.relative, there),
        value=_column(picked.values, there),
        smoothed=_column(picked.smoothed, there) if smoother.enabled else [],
    )


@dataclasses.dataclass(frozen=True, kw_only=True)
class SeriesPoints:
    """Every point of one series, as columns."""

    version: int
    run: str
    tag: str
    total: int  # before `offset` and `limit`
    step: list[int | str]
    wall_time: list[float | str]
    value: list[float | str]
    superseded: list[bool]  # empty when no point is


def points(
    store: store_.Store,
    run: str,
    tag: str,
    *,
    rewinds: types.Rewinds = types.Rewinds.LATEST,
    offset: int = 0,
    limit: int | None = None,
) -> SeriesPoints:
    version = store.version
    found = derived.maybe_one(store, run, tag)
    if found is None:
        raise errors.NotFound(f"No scalar data for run={run!r}, tag={tag!r}", code="tag.unknown", run=run, tag=tag)
    shown = found.points(rewinds)
    total = len(shown)
    shown = shown.take(slice(offset, None if limit is None else offset + limit))
    marks = [] if shown.superseded is None else shown.superseded.tolist()
    steps, walls, values = (_column(each) for each in (shown.steps, shown.wall_times, shown.values))
    return SeriesPoints(
        version=version, run=run, tag=tag, total=total, step=steps, wall_time=walls, value=values, superseded=marks
    )
