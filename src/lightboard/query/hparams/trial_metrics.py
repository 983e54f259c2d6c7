"""Metrics of trials: the list of metrics, one value per series, and one value per trial of several repeats.

The last, lowest and highest values are in the summaries of chunks; no points are read. Values that need every point
(the mean, the step of the lowest) are computed once for each version of a series and cached.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from lightboard import errors, kernels, types
from lightboard import store as store_
from lightboard.query import order, tags
from lightboard.query.hparams import trials
from lightboard.query.scalars import scalars
from lightboard.store import placement

Aggregate = Literal["last", "first", "min", "max", "best", "mean", "at"]
Spread = Literal["mean", "median", "min", "max"]
Goal = Literal["min", "max"]

# Reasons why a trial has no value of a metric, by number; of several sessions the largest number counts.
REASONS = ("", "never_logged", "other_group", "other_kind", "no_step", "no_point", "nan")
NEVER, OTHER_GROUP, OTHER_KIND, NO_STEP, NO_POINT, NAN = 1, 2, 3, 4, 5, 6
NO_STEP_YET = -1  # sent in place of a missing step
_UNKNOWN = np.iinfo(np.int64).min  # an unknown step; -1 may be a real one
# Only the last characters of a name are matched: matching a megabyte takes seconds.
_MAX_NAME = 1_000
# Metrics to maximize, by name. `_LOW` has those to minimize; a name that matches neither has no goal.
_HIGH = re.compile(
    r"acc|auc|auroc|f1|fbeta|precision|recall|dice|iou|jaccard|\bmap|map[_@\d]|ndcg|mrr|bleu|rouge|meteor|psnr|ssim|reward"
    r"|return|score|r2|success|hit|kappa|mcc|matthews|spearman|pearson|throughput|samples_per_second|steps_per_second"
    r"|win_?rate|pass@|exact_match|\bem\b|likelihood|elbo|silhouette",
    re.IGNORECASE,
)
_LOW = re.compile(
    r"loss|err|mse|mae|rmse|mape|perplex|ppl|nll|cross_?entropy|\bce\b|divergence|\bkl|wer|cer|fid|brier|ece|regret"
    r"|cost|objective|time|secs|seconds|duration|runtime|latency|memory|distance|penalty|huber|hinge|bpb|bpd|bits_per",
    re.IGNORECASE,
)
# Often logged with metrics, but rarely a goal: steps, learning rates, timings.
_ASIDE = re.compile(
    r"(^|[/_.-])(epochs?|steps?|global_step|lr|learning_rate|lr-\w+|grad_norm|gradnorm|time|timestamp|fps|iteration|iter)$"
    r"|^(system|perf|gpu|cpu|memory)/|SPS$|_per_second$|runtime$|total_flos$|^hp_metric$",
    re.IGNORECASE,
)


@dataclasses.dataclass(frozen=True)
class Metric:
    tag: str
    group: str
    display: str
    description: str
    goal: Goal | None  # guessed from the name, or as requested
    declared: bool
    sessions: int  # number of sessions that have it


@dataclasses.dataclass(frozen=True)
class Asked:
    aggregate: Aggregate = "last"
    step: int | None = None  # `at`: take the last point up to this step
    lo: int | None = None  # first step of the range
    hi: int | None = None  # last step of the range
    by: tuple[str, str] | None = None  # (tag, group): take all values at the step where this metric is best
    by_goal: Goal | None = None  # its goal, if the name does not imply one
    rewinds: types.Rewinds = types.Rewinds.LATEST


@dataclasses.dataclass(frozen=True)
class Values:
    """Parallel to the requested sessions or trials. NaN and a reason if there is no value."""

    value: NDArray[np.float64]
    step: NDArray[np.int64]
    reason: NDArray[np.uint8]
    count: NDArray[np.uint32] | None = None  # number of sessions that have a value
    deviation: NDArray[np.float64] | None = None  # sample standard deviation between repeats; NaN for a single one


def goal(tag: str, display: str = "") -> Goal | None:
    for name in (tag[-_MAX_NAME:], display[-_MAX_NAME:]):
        last = name.rpartition("/")[2] or name
        for text in (last, name):
            if _LOW.search(text) and not re.search(r"neg(ative)?_?log|^neg_|log_?likelihood", text, re.IGNORECASE):
                return "min"
            if _HIGH.search(text):
                return "max"
    return None


def available(store: store_.Store, found: trials.Sessions) -> list[Metric]:
    """Return every metric that a session has or an experiment declares: declared ones first, then the most common."""
    with store.lock:
        table = store.series_table.rows
        rows = store.series_rows(types.Kind.SCALARS)
        run, tag = table["run"][rows].astype(np.int64), table["tag"][rows].astype(np.int64)
        known = run < len(found.owner)
        run, tag = run[known], tag[known]
        owned = found.owner[run] >= 0
        keys = found.metric_group[run[owned]] << 32 | tag[owned]
        unique, counts = np.unique(keys, return_counts=True)
        shown = tags.shown(store, unique & 0xFFFFFFFF) if len(unique) else np.zeros(0, np.bool_)
        counted = {
            (store.tag_names[key & 0xFFFFFFFF], found.metric_groups[key >> 32]): count
            for key, count in zip(unique[shown].tolist(), counts[shown].tolist(), strict=True)
        }
    declared = [
        Metric(
            info.tag, info.group, info.display, info.description, goal(info.tag, info.display), True,
            counted.pop((info.tag, _normal(info.group)), 0),
        )
        for info in found.declared.metrics
    ]  # fmt: skip
    rest = [Metric(tag, group, "", "", goal(tag), False, count) for (tag, group), count in counted.items()]
    rest.sort(key=lambda each: (_ASIDE.search(each.tag) is not None, -each.sessions, _deep(each.group), *_key(each)))
    return declared + rest


def _deep(group: str) -> int:
    return 0 if group in ("", "..") else group.count("/") + 1


def _key(metric: Metric) -> tuple[str, str]:
    return order.natural_key(metric.tag), order.natural_key(metric.group)


def _normal(group: str) -> str:
    """Normalize a group: `train/`, `./train` and `train` are the same; so are `.` and the empty text."""
    return "/".join(part for part in group.split("/") if part not in ("", "."))


def chosen(store: store_.Store, listed: Sequence[Metric], found: trials.Sessions, most: int) -> list[Metric]:
    """Return the default metrics: the declared ones; if some sessions have none of these, also the most common metrics
    whose values differ between trials."""
    declared = [metric for metric in listed if metric.declared and not _is_placeholder(store, found, metric)]
    covered = np.zeros(len(found.rows), np.bool_)
    for metric in declared:
        covered[_series(store, found, metric.tag, metric.group)[0]] = True
    if declared and covered.all():
        return declared
    rest = [metric for metric in listed if not metric.declared]
    best = ([metric for metric in rest if not _ASIDE.search(metric.tag)] or rest)[: 4 * most]
    if covered.any():
        best = [each for each in best if not covered[_series(store, found, each.tag, each.group)[0]].all()]
    varying = [metric for metric in best if len(found.rows) < 2 or _varies(store, found, metric)]
    return declared + (varying or best)[: max(0, most - len(declared))]


def _is_placeholder(store: store_.Store, found: trials.Sessions, metric: Metric) -> bool:
    """Lightning's logger declares `hp_metric` and writes -1 to it unless the user sets a metric."""
    if metric.tag != "hp_metric":
        return False
    last = store.stats(_series(store, found, metric.tag, metric.group)[1])["last"]
    return bool((last == -1).all())


def _varies(store: store_.Store, found: trials.Sessions, metric: Metric) -> bool:
    key = metric.tag, metric.group
    with found.derived.lock:
        if key in found.derived.varying_metrics:
            return True
    last = store.stats(_series(store, found, *key)[1])["last"]
    if len(last) != 1 and not bool((last != last[:1]).any()):
        return False
    with found.derived.lock:
        found.derived.varying_metrics.add(key)
    return True


# ---- one value per session


def values(store: store_.Store, found: trials.Sessions, metric: Metric, asked: Asked) -> Values:
    """Return the values of all sessions."""
    where, rows = _series(store, found, metric.tag, metric.group)
    count = len(found.rows)
    value, step = np.full(count, np.nan), np.full(count, NO_STEP_YET, np.int64)
    reason = np.full(count, NEVER, np.uint8)
    if len(rows):
        got, at, has = _aggregated(store, found, rows, where, metric, asked)
        value[where], step[where] = got, np.where(at == _UNKNOWN, NO_STEP_YET, at)
        reason[where] = np.where(has, np.where(np.isnan(got), NAN, 0), NO_POINT)
        if asked.by is not None:
            reason[where[at == _UNKNOWN]] = NO_STEP
    lacking = reason == NEVER
    if lacking.any():
        reason[lacking & _elsewhere(store, found, metric.tag)] = OTHER_GROUP
        reason[lacking & _other_kind(store, found, metric)] = OTHER_KIND
    return Values(value, step, reason)


def _series(
    store: store_.Store, found: trials.Sessions, tag: str, group: str
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the indices of the sessions that have the metric, and the rows of its series."""
    with store.lock:
        rows = store.series_rows(types.Kind.SCALARS, tag=tag)
        places = np.full(len(store.runs_table), -1, np.int64)
        places[store.series_table.rows["run"][rows]] = rows
    runs = found.runs_at(_normal(group))
    mine = np.where(runs >= 0, places[runs], -1)
    where = np.nonzero(mine >= 0)[0]
    return where, mine[where]


def _elsewhere(store: store_.Store, found: trials.Sessions, tag: str) -> NDArray[np.bool_]:
    """Return which sessions have the tag in any of their runs."""
    has = np.zeros(len(found.rows), np.bool_)
    with store.lock:
        runs = store.series_table.rows["run"][store.series_rows(types.Kind.SCALARS, tag=tag)]
    owners = found.owner[runs[runs < len(found.owner)]]
    has[owners[owners >= 0]] = True
    return has


def _other_kind(store: store_.Store, found: trials.Sessions, metric: Metric) -> NDArray[np.bool_]:
    has = np.zeros(len(store.runs_table), np.bool_)
    with store.lock:
        rows = store.series_rows(tag=metric.tag)
        cells = store.series_table.rows[rows]
        has[cells["run"][cells["kind"] != types.Kind.SCALARS]] = True
    runs = found.runs_at(_normal(metric.group))
    mine: NDArray[np.bool_] = (runs >= 0) & has[runs]
    return mine


def _aggregated(
    store: store_.Store,
    found: trials.Sessions,
    rows: NDArray[np.int64],
    where: NDArray[np.int64],
    metric: Metric,
    asked: Asked,
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.bool_]]:
    """Return value, step, and whether there was a point at all."""
    if asked.by is not None:
        return _at_best(store, found, rows, where, asked)
    how: str = asked.aggregate
    lo, hi = asked.lo, asked.hi
    if how == "best":
        how = metric.goal or "last"
    if how == "at":
        how, hi = "last", asked.step if hi is None or asked.step is None else min(hi, asked.step)
    if lo is None and hi is None and how in ("last", "first") and asked.rewinds is types.Rewinds.LATEST:
        stats = store.stats(rows)
        if how == "last":
            return stats["last"], stats["last_step"].astype(np.int64), stats["n"] > 0
    if lo is None and hi is None:
        stats = _summaries(store, rows, asked.rewinds)
    else:
        stats = _stats(store, rows, asked.rewinds, lo, hi)
    has = stats["n"] > 0
    steps = stats["last_step" if how == "mean" else f"{how}_step"].astype(np.int64)
    return np.where(has, stats[how], np.nan), np.where(has, steps, NO_STEP_YET), has


_NAMES = ("first", "last", "min", "max", "mean", "first_step", "last_step", "min_step", "max_step", "n")


class _Summaries:
    """Summaries over all points, by row of the series table, with the version they were computed at."""

    def __init__(self) -> None:
        self.version = np.zeros(0, np.uint64)
        self.columns: dict[str, NDArray[Any]] = {}

    def grow(self, size: int) -> None:
        more = size - len(self.version)
        if more > 0:
            more = max(more, len(self.version) // 2)
            self.version = np.concatenate([self.version, np.zeros(more, np.uint64)])
            for name in _NAMES:
                kind = np.int64 if name.endswith("_step") or name == "n" else np.float64
                old = self.columns.get(name, np.zeros(0, kind))
                self.columns[name] = np.concatenate([old, np.zeros(more, kind)])


class _Read:
    """State: the summaries of a store. Read and changed under the store's lock."""

    def __init__(self) -> None:
        self.summaries = {rewinds: _Summaries() for rewinds in types.Rewinds}


def _summaries(store: store_.Store, rows: NDArray[np.int64], rewinds: types.Rewinds) -> dict[str, NDArray[Any]]:
    """Return the summaries; only series that changed since the last call are read."""
    with store.lock:
        known = store.cache.state(_Read).summaries[rewinds]
        known.grow(len(store.series_table))
        versions = store.series_table.rows["version"][rows]
        stale = np.nonzero(known.version[rows] != versions)[0]
    if len(stale):
        fresh = _stats(store, rows[stale], rewinds, None, None)
        with store.lock:
            for name in _NAMES:
                known.columns[name][rows[stale]] = fresh[name]
            known.version[rows[stale]] = versions[stale]
    with store.lock:
        return {name: known.columns[name][rows] for name in _NAMES}


def _stats(
    store: store_.Store, rows: NDArray[np.int64], rewinds: types.Rewinds, lo: int | None, hi: int | None
) -> dict[str, NDArray[Any]]:
    found = scalars.gather(store, rows, "step", rewinds)
    if lo is None and hi is None:
        return found.bundle.stats(None)
    low, high = -(2**62) if lo is None else lo, 2**62 if hi is None else hi
    if low > high:  # the requested step is before the range: there is no point
        return {name: np.zeros(len(rows), np.int64 if name == "n" else np.float64) for name in _NAMES}
    try:
        return found.bundle.stats(kernels.Window(low, high))
    except ValueError as problem:  # the range is too wide for float64
        raise errors.BadInput(str(problem), code="range.too_wide") from problem


def _at_best(
    store: store_.Store,
    found: trials.Sessions,
    rows: NDArray[np.int64],
    where: NDArray[np.int64],
    asked: Asked,
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.bool_]]:
    """Return each value at the last point up to the step where the metric `by` of its session is best."""
    assert asked.by is not None
    tag, group = asked.by
    goal_ = asked.by_goal or goal(tag) or "max"
    best_where, best_rows = _series(store, found, tag, group)
    best = np.full(len(found.rows), _UNKNOWN, np.int64)
    if len(best_rows):
        if asked.lo is None and asked.hi is None:
            stats = _summaries(store, best_rows, asked.rewinds)
        else:
            stats = _stats(store, best_rows, asked.rewinds, asked.lo, asked.hi)
        usable = (stats["n"] > 0) & ~np.isnan(stats[goal_])
        best[best_where[usable]] = stats[f"{goal_}_step"][usable]
    wanted = best[where]
    value, at = np.full(len(rows), np.nan), wanted.copy()
    placed = placement.place(store, rows, asked.rewinds)
    asked_for = wanted != _UNKNOWN
    quick = asked_for & (placed.table[:, placement.ORDERED] == 1) & (placed.counts > 0)
    place = np.full(len(rows), -1, np.int64)
    place[quick] = _last_upto(placed.take(quick), wanted[quick])
    for position in np.nonzero(asked_for & ~quick)[0].tolist():
        steps = store_.Series(store, int(rows[position])).points(asked.rewinds).steps
        before = np.nonzero(steps <= wanted[position])[0]
        if len(before):
            place[position] = before[-1 - int(np.argmax(steps[before][::-1]))]
    has = place >= 0
    with_point = placed.take(has)
    at[has] = _gathered(with_point, placement.STEPS, place[has], "<i8")
    double = with_point.table[:, placement.DOUBLE] == 1
    numbers = np.zeros(len(with_point.table))
    numbers[double] = _gathered(with_point.take(double), placement.VALUES, place[has][double], "<f8")
    numbers[~double] = _gathered(with_point.take(~double), placement.VALUES, place[has][~double], "<f4")
    value[has] = numbers
    return value, at, has


def _last_upto(placed: placement.Placement, wanted: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return for each series (steps ascending) the index of the last point up to its wanted step; -1: none. All at
    once."""
    low, high = np.zeros(len(wanted), np.int64), placed.counts.copy()
    while (low < high).any():
        middle = (low + high) // 2
        open_ = low < high
        steps = _gathered(placed, placement.STEPS, np.where(open_, middle, 0), "<i8")
        after = steps > wanted
        high = np.where(open_ & after, middle, high)
        low = np.where(open_ & ~after, middle + 1, low)
    return low - 1


def _gathered(placed: placement.Placement, column: int, place: NDArray[np.int64], kind: str) -> NDArray[Any]:
    """Return one value of each series."""
    size = np.dtype(kind).itemsize
    found = np.zeros(len(place), kind)
    for number in np.unique(placed.table[:, column]).tolist():
        mine = np.nonzero(placed.table[:, column] == number)[0]
        starts = placed.table[mine, column + 1] + size * place[mine]
        found[mine] = placed.buffers[number][starts[:, np.newaxis] + np.arange(size)].view(kind).ravel()
    return found


# ---- one value for several repeats


def spread(of: NDArray[np.int64], count: int, got: Values, how: Spread, keep: NDArray[np.bool_]) -> Values:
    """Aggregate the sessions of `count` trials: `of` has the trial of each session, `keep` selects sessions."""
    sessions = np.nonzero(keep & (of >= 0))[0]
    trial = of[sessions]
    value, step, reason = got.value[sessions], got.step[sessions], got.reason[sessions]
    present = ~np.isnan(value)
    why = np.zeros(count, np.uint8)
    np.maximum.at(why, trial, reason)
    amount = np.bincount(trial[present], minlength=count)
    result, at = np.full(count, np.nan), np.full(count, NO_STEP_YET, np.int64)
    np.maximum.at(at, trial, step)  # steps of NaN values count, too
    deviation = np.full(count, np.nan)
    some = amount > 0
    why[some] = 0
    if present.any():
        places = np.lexsort((value[present], trial[present]))
        ordered, steps = value[present][places], step[present][places]
        first = (np.cumsum(amount) - amount)[some]
        many = amount[some]
        lower, upper = first + (many - 1) // 2, first + many // 2
        if how == "min":
            result[some], at[some] = ordered[first], steps[first]
        elif how == "max":
            result[some], at[some] = ordered[first + many - 1], steps[first + many - 1]
        else:
            middle = ordered[lower] / 2 + ordered[upper] / 2 if how == "median" else _mean(ordered, first, many)
            result[some] = np.where(many == 1, ordered[first], middle)
            at[some] = np.maximum.reduceat(steps, first)
        deviation[some] = _deviation(ordered, first, many)
    return Values(result, at, why, amount.astype(np.uint32), deviation)


def _mean(ordered: NDArray[np.float64], first: NDArray[np.int64], many: NDArray[np.int64]) -> NDArray[np.float64]:
    with np.errstate(invalid="ignore", over="ignore"):
        mean: NDArray[np.float64] = np.add.reduceat(ordered / np.repeat(many, many), first)
    return mean


def _deviation(ordered: NDArray[np.float64], first: NDArray[np.int64], many: NDArray[np.int64]) -> NDArray[np.float64]:
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        apart = ordered - np.repeat(_mean(ordered, first, many), many)
        found: NDArray[np.float64] = np.sqrt(np.add.reduceat(apart * apart, first) / (many - 1))
    return np.where(many > 1, found, np.nan)
