"""Scalar series for charts: chosen by tag and run, smoothed on all points, thinned for the pixels on screen.

Two encodings of the same picture:

- `exact`: the points themselves. With a width only those that affect the picture (first, lowest, highest, last of each
  pixel column), without one all of them.
- `pixels`: for each pixel column of a common range the first, lowest, highest and last value, in the compact columns of
  `kernels.encode_columns`: a tenth of the bytes, made for drawing only. A series whose x decreases somewhere has no
  columns; its exact points are sent instead.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from lightboard import errors, kernels, types
from lightboard import store as store_
from lightboard.query import derived, series
from lightboard.query import rows as rows_
from lightboard.query.runs import groups
from lightboard.query.runs import hparams as hparams_metadata
from lightboard.query.scalars import margins, pairing, smoothing
from lightboard.store import placement, row_types

Encoding = Literal["exact", "pixels"]
Scale = Literal["linear", "log", "symlog"]
METRIC = "metric:"  # prefix of a tag: that metric is the x axis

# The raw line behind a smoothed one is faint: an error of a pixel, without first and last value, halves its bytes.
FAINT_RESOLUTION = kernels.RESOLUTION / 4
# The smoothed line has an error of half a pixel, so that both lines still take a tenth of the bytes of TensorBoard.
PAIRED_RESOLUTION, PAIRED_END_LEVELS = kernels.RESOLUTION / 2, 4
# While a slider moves, many lines are sent as coarse drafts; exact ones follow when it stops.
DRAFT_RESOLUTION, DRAFT_END_LEVELS, DRAFT_LINES = kernels.RESOLUTION / 4, 0, 48
# Limits of one request: enough for 10,000 runs on an ordinary chart, or every point of 20 long series.
MAX_CELLS = 10_000_000  # series × pixel columns
MAX_POINTS = 20_000_000
# Last values are sent for legends, which are short.
MOST_LAST = 64


@dataclasses.dataclass(frozen=True)
class Extent:
    """`low` to `high` is the range for a y axis, without outliers. All None when there is no finite value."""

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
    # of a band between tags: positions in `tags` of its lower and its upper edge
    edges: list[int] | None = dataclasses.field(default=None, metadata={"may_be_absent": True})


@dataclasses.dataclass(frozen=True, kw_only=True)
class Lines:
    """Header of a scalars frame. Columns `tag` and `run` hold positions in `tags` and `runs`."""

    version: int  # of the store, for the next `since`
    x: str
    x_scale: str  # columns are evenly spaced on it
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
    values: Extent  # in the range; all None where `raw=false` leaves the line out
    smoothed: Extent | None
    unbanded: list[margins.Unbanded] | None = None  # bands between tags that are not there, or not whole
    last: list[float | str] | None = None  # parallel to `run`: the value at the largest x; None for many series


@dataclasses.dataclass(frozen=True)
class Chart:
    header: Lines
    arrays: dict[str, NDArray[Any] | bytes]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Asked:
    x: str = "step"  # or "wall", "relative", "metric:TAG"
    lo: int | float | None = None
    hi: int | float | None = None
    width: int = 0  # 0: every point
    smoothing: str = ""
    rewinds: types.Rewinds = types.Rewinds.LATEST
    encoding: Encoding = "exact"
    raw: bool = True  # False: omit the raw line if there is a smoothed one
    since: int = -1  # only series that changed after this version
    group: str = ""  # "regex:PATTERN" or "hparam:NAME,NAME": the runs of a group become a band
    band: groups.BandKind = "std"
    quantiles: tuple[float, float] = (0.25, 0.75)
    x_scale: Scale = "linear"
    draft: bool = False  # faster: `low` and `high` of the smoothed extent are estimated
    lower: tuple[str, ...] = ()  # for each tag the lower edge of its band; such tags are sent as bands, not as lines
    upper: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True)
class Found:
    """The series of one request: rows of the series table, and where their points are in memory. The row of a metric
    expression is that of its first metric: both are in the same run."""

    store: store_.Store
    rows: NDArray[np.int64]
    bundle: kernels.Bundle
    copied_bytes: int = 0  # bytes held in addition to the store's own
    names: tuple[str, ...] | None = None  # the tag of each series, if one of them is an expression

    @property
    def points(self) -> NDArray[np.int64]:
        counts: NDArray[np.int64] = self.bundle.table[:, placement.COUNT]
        return counts

    def cells(self, name: str) -> list[int]:
        numbers: list[int] = self.store.series_table.rows[name][self.rows].tolist()
        return numbers

    def tags(self) -> list[str]:
        if self.names is not None:
            return list(self.names)
        return [self.store.tag_names[number] for number in self.cells("tag")]

    def take(self, keep: Sequence[int]) -> Found:
        """Return some of the series, without their names."""
        if len(keep) == len(self.rows):
            return self
        table = np.ascontiguousarray(self.bundle.table[list(keep)])
        return Found(self.store, self.rows[list(keep)], dataclasses.replace(self.bundle, table=table))


def find(
    store: store_.Store,
    tags: Sequence[str] | None,
    runs: NDArray[np.int64] | None = None,
    *,
    since: int = -1,
    most: int | None = series.MAX_SERIES,
) -> list[store_.Series]:
    """Return scalar series of the tags (None: all) in the runs (rows of the run table, None: all).

    They are in the order of the given tags and runs, or else in natural order; by tag first.
    """
    return [store_.Series(store, row) for row in find_rows(store, tags, runs, since=since, most=most).tolist()]


def find_rows(
    store: store_.Store,
    tags: Sequence[str] | None,
    runs: NDArray[np.int64] | None = None,
    *,
    since: int = -1,
    most: int | None = series.MAX_SERIES,
) -> NDArray[np.int64]:
    """The same as rows of the series table."""
    return series.rows(store, types.Kind.SCALARS, tags, runs, since=since, most=most)


def collect(
    store: store_.Store,
    tags: Sequence[str],
    runs: NDArray[np.int64] | None,
    asked: Asked,
    *,
    most: int | None = series.MAX_SERIES,
) -> Found:
    """Return the series of tags and metric expressions with their x axis; same order as `find`."""
    if not any(derived.is_derived(store, tag) for tag in tags):
        return gather(store, find_rows(store, tags, runs, since=asked.since, most=most), asked.x, asked.rewinds)
    rows: list[NDArray[np.int64]] = []
    names: list[str] = []
    computed: dict[int, store_.Points] = {}  # by position
    for tag in dict.fromkeys(tags):
        if derived.is_derived(store, tag):
            curves = derived.find(store, tag, runs, since=asked.since, most=most)
            computed |= {at: curve.points(asked.rewinds) for at, curve in enumerate(curves, len(names))}
            rows.append(np.array([curve.row for curve in curves], np.int64))
        else:
            rows.append(find_rows(store, [tag], runs, since=asked.since, most=most))
        names += [tag] * len(rows[-1])
    every = np.concatenate(rows)
    logged = np.setdiff1d(np.arange(len(every)), list(computed))
    placed = placement.extended(placement.place(store, every[logged], asked.rewinds), list(computed.values()))
    order = np.argsort(np.concatenate([logged, np.array(list(computed), np.int64)]))
    placed = dataclasses.replace(placed, table=np.ascontiguousarray(placed.table[order]))
    return _with_axis(store, every, placed, asked.x, asked.rewinds, tuple(names))


def gather(store: store_.Store, rows: NDArray[np.int64], x: str, rewinds: types.Rewinds) -> Found:
    """Return series with their x axis, ready for one kernel call each."""
    return _with_axis(store, rows, placement.place(store, rows, rewinds), x, rewinds, None)


def _with_axis(
    store: store_.Store,
    rows: NDArray[np.int64],
    placed: placement.Placement,
    x: str,
    rewinds: types.Rewinds,
    names: tuple[str, ...] | None,
) -> Found:
    if x.startswith(METRIC):
        keep, placed = pairing.with_metric(store, rows, placed, x.removeprefix(METRIC), rewinds)
        names = None if names is None else tuple(names[at] for at in keep.tolist())
        return Found(store, rows[keep], kernels.Bundle(placed.buffers, placed.table, "own"), names=names)
    if x not in ("step", "wall", "relative"):
        raise errors.BadQuestion(
            f"parameter `x` must be step, wall, relative or metric:TAG, not `{x[:60]}`",
            hint="`metric:epoch` puts the tag `epoch` on the x axis",
        )
    return Found(store, rows, kernels.Bundle(placed.buffers, placed.table, x), placed.copied_bytes, names)


@dataclasses.dataclass(frozen=True, kw_only=True)
class _Surveyed:
    """Everything that a chart needs about its series before range, width and smoothing are chosen. It has no reference
    to the store, because it is in the store's cache."""

    rows: NDArray[np.int64]
    bundle: kernels.Bundle
    survey: kernels.Survey
    tags: tuple[rows_.JsonCachedList[str], rows_.JsonCachedList[int]]  # distinct names, and for each series its index
    runs: tuple[rows_.JsonCachedList[str], rows_.JsonCachedList[int]]
    points: rows_.JsonCachedList[int]
    ascending: rows_.JsonCachedList[int]  # indices of the series whose x never decreases
    cut: Callable[[kernels.Window], NDArray[np.uint32]]  # caches the cuts of two windows: of a draft and of the chart
    copied_bytes: int  # bytes that the bundle holds in addition to the store's own


# Cached because a slider requests the same series with every move. Dropped when the store changes.
_SURVEYS = store_.Share("surveys", 64 << 20, one_version=True)
_MOST_SERIES, _MOST_COPIED_BYTES = 2000, 1 << 20
_MOST_CUTS = 1 << 16  # cached per window: 100 series on a chart of 650 pixels


def _survey(
    store: store_.Store, version: int, tags: Sequence[str], runs: NDArray[np.int64] | None, asked: Asked
) -> _Surveyed:
    positive = asked.x_scale == "log"
    key = (tuple(tags), None if runs is None else runs.tobytes(), asked.since, asked.x, asked.rewinds, positive)
    make = functools.partial(_make_survey, store, tags, runs, asked, positive=positive)
    # With a metric on x, the x values are computed and large: do not cache them.
    size = _nothing if asked.x.startswith(METRIC) else _size_bytes
    return store.cache.get(_SURVEYS, key, make, version=version, size=size)


def _make_survey(
    store: store_.Store, tags: Sequence[str], runs: NDArray[np.int64] | None, asked: Asked, *, positive: bool
) -> _Surveyed:
    found = collect(store, tags, runs, asked)
    survey = found.bundle.survey(positive=positive)
    return _Surveyed(
        rows=found.rows,
        bundle=found.bundle,
        survey=survey,
        tags=_numbered_texts(found.names) if found.names else _numbered(store.tag_names, found.cells("tag")),
        runs=_numbered(store.run_names, found.cells("run")),
        points=rows_.JsonCachedList(found.points.tolist()),
        ascending=rows_.JsonCachedList(np.nonzero(survey.ascending)[0].tolist()),
        cut=functools.lru_cache(maxsize=2)(functools.partial(found.bundle.cut, survey.ascending)),
        copied_bytes=found.copied_bytes,
    )


def _nothing(surveyed: _Surveyed) -> None:
    """Return None as the size: the value is not cached."""


def _size_bytes(surveyed: _Surveyed) -> int | None:
    if surveyed.copied_bytes > _MOST_COPIED_BYTES or len(surveyed.rows) > _MOST_SERIES:
        return None
    cuts = 2 * 4 * _MOST_CUTS  # for two windows
    return surveyed.copied_bytes + surveyed.bundle.table.nbytes + 200 * len(surveyed.rows) + cuts


def chart(store: store_.Store, tags: Sequence[str], runs: NDArray[np.int64] | None, asked: Asked) -> Chart:
    if asked.encoding == "pixels" and not asked.width:
        raise errors.BadQuestion("parameter `width` is needed with encoding=pixels")
    version = store.version
    smoother = smoothing.parse(asked.smoothing)
    edged = [*tags, *asked.lower, *asked.upper] if asked.lower else tags
    surveyed = _survey(store, version, edged, runs, asked)
    found, survey = Found(store, surveyed.rows, surveyed.bundle), surveyed.survey
    points: list[int] = surveyed.points
    lo, hi = span(survey, asked)
    tag_names: list[str] = surveyed.tags[0]
    tag_at: list[int] = surveyed.tags[1]
    run_names: list[str] = surveyed.runs[0]
    run_at: list[int] = surveyed.runs[1]
    arrays: dict[str, NDArray[Any] | bytes] = {}
    banded: list[Group] = []
    alone: Sequence[int] = range(len(found.rows))
    unbanded: list[margins.Unbanded] | None = None
    try:
        if asked.lower:
            triples = list(zip(tags, asked.lower, asked.upper, strict=True))
            banded, unbanded = _margins(
                found, triples, (tag_names, tag_at), (run_names, run_at), (lo, hi), asked, arrays
            )
            alone = [i for i in alone if tag_names[tag_at[i]] in tags]
        elif asked.group:
            banded, alone = _bands(found, tag_at, run_at, run_names, (lo, hi), asked, arrays)
        columns: list[int] = []
        if asked.encoding == "pixels" and lo is not None:
            columns = surveyed.ascending
            if len(alone) < len(found.rows):
                columns = [i for i in alone if survey.ascending[i]]
        exact = list(alone)
        if columns:
            exact = [] if len(columns) == len(alone) else [i for i in alone if not survey.ascending[i]]
        if len(columns) * asked.width > MAX_CELLS:
            raise errors.BadInput(
                f"{len(columns)} series are too many for {asked.width} columns",
                hint="ask for fewer runs or tags at a time, or for a smaller `width`",
                code="request.too_large",
            )
        drawn = _draw(found, surveyed, columns, (lo, hi), asked, smoother.kernel, arrays)
        kept = _exact(found.take(exact), (lo, hi), asked, smoother.kernel, arrays) if exact else []
    except ValueError as problem:  # the range is too wide for float64
        raise errors.BadInput(str(problem), code="range.too_wide") from problem
    last = _last(found, survey)
    if asked.lower:  # the edges are not separate lines
        last = None if last is None else [last[i] for i in alone]
        places = {old: new for new, old in enumerate(alone)}
        tag_at, run_at, points = ([column[i] for i in alone] for column in (tag_at, run_at, points))
        columns, exact = ([places[i] for i in positions] for positions in (columns, exact))
    header = Lines(
        version=version,
        x=asked.x,
        x_scale=asked.x_scale,
        lo=lo,
        hi=hi,
        width=asked.width,
        encoding=asked.encoding,
        smoothing=asked.smoothing,
        tags=tag_names,
        runs=run_names,
        tag=tag_at,
        run=run_at,
        points=points,
        columns=columns,
        exact=exact,
        kept=kept,
        groups=banded,
        values=_extent(drawn.values, drawn.values_fit),
        smoothed=_extent(drawn.smoothed, drawn.smoothed_fit) if smoother.enabled else None,
        unbanded=unbanded,
        last=last,
    )
    return Chart(header, arrays)


def _last(found: Found, survey: kernels.Survey) -> list[float | str] | None:
    if not 0 < len(found.rows) <= MOST_LAST or not survey.any.any():
        return None
    end = survey.last[survey.any.astype(bool)].max().item()
    values: list[float | str] = found.bundle.nearest([end], kernels.Smoother()).values.tolist()
    return values


def _draw(
    found: Found,
    surveyed: _Surveyed,
    columns: Sequence[int],
    bounds: tuple[Any, Any],
    asked: Asked,
    smoother: kernels.Smoother,
    arrays: dict[str, NDArray[Any] | bytes],
) -> kernels.Drawn:
    """Return the extents of all series; add `columns`, `smoothed_columns` (see docs/explanation/thinning.md) and the
    edges."""
    smooth = smoother.kind > 0
    raw = kernels.Form(asked.raw or not smooth or asked.encoding == "exact")
    smoothed = kernels.Form(smooth)
    if smooth and asked.raw:
        raw = kernels.Form(True, FAINT_RESOLUTION, 0)
        smoothed = kernels.Form(True, PAIRED_RESOLUTION, PAIRED_END_LEVELS)
    if asked.draft:
        smoothed = smoothed._replace(rough=True)
        if len(columns) > DRAFT_LINES:
            smoothed = smoothed._replace(resolution=DRAFT_RESOLUTION, end_levels=DRAFT_END_LEVELS)
    window = None
    if bounds[0] is not None:
        window = kernels.Window(*bounds, asked.width if columns else 0, asked.x_scale)
    cuts = kernels.NO_CUTS
    if window is not None and columns and len(found.rows) * (window.columns + 1) <= _MOST_CUTS:
        cuts = surveyed.cut(window)
    drawn = in_columns = found.bundle.draw(surveyed.survey.ascending, window, smoother, raw, smoothed, cuts)
    if not columns:
        return drawn
    if len(columns) < len(surveyed.ascending):  # some are sent as bands
        in_columns = found.take(columns).bundle.draw(np.ones(len(columns), np.uint8), window, smoother, raw, smoothed)
    if asked.raw or not smooth:
        arrays["columns"] = in_columns.frame
    if smooth:
        arrays["smoothed_columns"] = in_columns.smoothed_frame
    if in_columns.edges is not None:
        arrays["edge_x"], arrays["edge_value"], edge_smoothed = in_columns.edges
        if smooth:
            arrays["edge_smoothed"] = edge_smoothed
    return drawn


def _exact(
    found: Found,
    bounds: tuple[Any, Any],
    asked: Asked,
    smoother: kernels.Smoother,
    arrays: dict[str, NDArray[Any] | bytes],
) -> list[int]:
    """Add arrays `step`, `wall_time`, `value`, `smoothed`, `x`, one series after another; return the number of points
    of each."""
    ranged = asked.width > 0 or asked.lo is not None or asked.hi is not None or asked.x_scale == "log"
    window = None
    if ranged and bounds[0] is not None:
        window = kernels.Window(*bounds, asked.width, asked.x_scale)
    kept = found.bundle.exact(window, smoother, limit=MAX_POINTS)
    if kept.total > MAX_POINTS:
        raise errors.BadInput(
            f"{kept.total} points in one request",
            hint="give a `width`, a range, fewer runs, or use /api/export",
            code="request.too_large",
        )
    arrays["step"], arrays["wall_time"], arrays["value"] = kept.steps, kept.wall_times, kept.values
    if smoother.kind:
        arrays["smoothed"] = kept.smoothed
    if asked.x.startswith(METRIC):
        arrays["x"] = kept.x
    if asked.x == "relative":  # the first point of a series may not be among the kept ones
        first = found.bundle.nearest([0.0], kernels.Smoother())
        arrays["x"] = kept.wall_times - np.repeat(first.wall_times - first.relative, kept.counts)
    counts: list[int] = kept.counts.tolist()
    return counts


def lines(found: Found, smoother: smoothing.Smoothing) -> list[tuple[NDArray[Any], NDArray[Any]]]:
    """Return x and (smoothed) values of each series."""
    result = []
    for i in range(len(found.rows)):
        kept = found.take([i]).bundle.exact(None, smoother.kernel, limit=MAX_POINTS)
        x: NDArray[Any] = {"step": kept.steps, "own": kept.x}.get(found.bundle.axis, kept.wall_times)
        if found.bundle.axis == "relative":
            usable = x[np.isfinite(x)]
            x = x - (usable[0] if usable.size else 0.0)
        result.append((x, kept.smoothed if smoother.enabled else kept.values))
    return result


def _bands(
    found: Found,
    tag_at: Sequence[int],
    run_at: Sequence[int],
    run_names: Sequence[str],
    bounds: tuple[Any, Any],
    asked: Asked,
    arrays: dict[str, NDArray[Any] | bytes],
) -> tuple[list[Group], list[int]]:
    """Add arrays `band_x`, `band_centre`, `band_low`, `band_high`, `band_count`; return the groups, and the ungrouped
    lines."""
    grouping = group_runs(found.store, run_names, asked.group)
    drawn = lines(found, smoothing.parse(asked.smoothing))
    places = {(tag, run): i for i, (tag, run) in enumerate(zip(tag_at, run_at, strict=True))}
    labeled: list[Group] = []
    bands: list[groups.Band] = []
    for tag in dict.fromkeys(tag_at):
        for group in grouping.groups:
            members = [places[tag, run] for run in group.members if (tag, run) in places]
            curves = [drawn[i] for i in members if len(drawn[i][0])]
            if not curves:
                continue
            band = groups.band(
                curves, asked.band, columns=asked.width or None, lo=bounds[0], hi=bounds[1], quantiles=asked.quantiles
            )
            bands.append(band)
            labeled.append(Group(tag, group.label, [run_at[i] for i in members], len(band.x)))
    for name in ("x", "centre", "low", "high", "count"):
        pieces = [getattr(band, name) for band in bands]
        arrays[f"band_{name}"] = np.concatenate(pieces) if pieces else np.zeros(0)
    grouped = {run for group in grouping.groups for run in group.members}
    return labeled, [i for i, run in enumerate(run_at) if run not in grouped]


def _margins(
    found: Found,
    triples: Sequence[margins.Triple],
    tags: tuple[Sequence[str], Sequence[int]],
    runs: tuple[Sequence[str], Sequence[int]],
    bounds: tuple[Any, Any],
    asked: Asked,
    arrays: dict[str, NDArray[Any] | bytes],
) -> tuple[list[Group], list[margins.Unbanded]]:
    """Add the arrays of `_bands` for bands between tags, one group each; return the groups and the incomplete bands."""
    (tag_names, tag_at), (run_names, run_at) = tags, runs
    places = {(tag_names[tag], run_names[run]): i for i, (tag, run) in enumerate(zip(tag_at, run_at, strict=True))}
    smoother = smoothing.parse(asked.smoothing)

    def kept(tag: str, run: str) -> kernels.Kept | None:
        place = places.get((tag, run))
        return None if place is None else found.take([place]).bundle.exact(None, smoother.kernel, limit=MAX_POINTS)

    read = margins.reader(kept, found.bundle.axis, smooth=smoother.enabled)
    whole, trouble = margins.bands(triples, run_names, read)
    if bounds[0] is not None:
        bend = margins.bender(asked.x_scale)
        whole = [margins.thinned(each, float(bounds[0]), float(bounds[1]), asked.width, bend) for each in whole]
    tag_numbers = {name: i for i, name in enumerate(tag_names)}
    run_numbers = {name: i for i, name in enumerate(run_names)}
    margin_groups = [
        Group(
            tag_numbers[each.triple[0]],
            each.run,
            [run_numbers[each.run]],
            len(each.x),
            [tag_numbers[tag] for tag in each.triple[1:]],
        )
        for each in whole
    ]
    for name in ("x", "centre", "low", "high"):
        pieces = [getattr(each, name).astype(np.float64) for each in whole]
        arrays[f"band_{name}"] = np.concatenate(pieces) if pieces else np.zeros(0)
    return margin_groups, trouble


def group_runs(store: store_.Store, run_names: Sequence[str], group: str) -> groups.Grouping:
    """`group` is `regex:PATTERN` or `hparam:NAME,NAME`."""
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
    raise errors.BadQuestion(f"parameter `group` must be such as `regex:seed_(.*)` or `hparam:lr`, not `{group[:60]}`")


def span(survey: kernels.Survey, asked: Asked) -> tuple[Any, Any]:
    """Return the requested range; an open end becomes the end of the data. (None, None) if there is no point."""
    lo: Any = asked.lo
    hi: Any = asked.hi
    if lo is not None and hi is not None and lo > hi:
        raise errors.BadQuestion(f"parameter `lo` ({lo}) must not be above `hi` ({hi})")
    if asked.x_scale == "log" and hi is not None and hi <= 0:
        raise errors.BadQuestion(f"parameter `hi` ({hi}) must be above 0 on a logarithmic axis")
    if asked.x_scale == "log" and lo is not None and lo <= 0:
        lo = None  # a log axis cannot show it: begin at the data
    if lo is not None and hi is not None:
        return lo, hi
    some = survey.any.astype(np.bool_)
    # If all data is beyond the one given end, the range is only that end.
    if lo is None:
        lo = min(
            [*([survey.first[some].min().item()] if some.any() else []), *([] if hi is None else [hi])], default=None
        )
    if hi is None and lo is not None:
        hi = max([*([survey.last[some].max().item()] if some.any() else []), lo])
    return lo, hi


def _numbered(
    names: row_types.Strings, numbers: Sequence[int]
) -> tuple[rows_.JsonCachedList[str], rows_.JsonCachedList[int]]:
    """Return each distinct name once, and for each number the index of its name."""
    places: dict[int, int] = {}
    at = rows_.JsonCachedList(places.setdefault(number, len(places)) for number in numbers)
    return rows_.JsonCachedList(names[number] for number in places), at


def _numbered_texts(texts: Sequence[str]) -> tuple[rows_.JsonCachedList[str], rows_.JsonCachedList[int]]:
    places: dict[str, int] = {}
    at = rows_.JsonCachedList(places.setdefault(text, len(places)) for text in texts)
    return rows_.JsonCachedList(places), at


def _extent(found: kernels.Range, fit: tuple[float, float]) -> Extent:
    if not found.count:
        return Extent(None, None, None, None)
    return Extent(*fit, found.min, found.max)
