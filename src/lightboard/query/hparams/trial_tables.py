"""The table of trials: a header and one array per column, ready for a frame."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from lightboard import errors
from lightboard import store as store_
from lightboard.query import order
from lightboard.query.hparams import experiments as hparams_experiments
from lightboard.query.hparams import trial_metrics, trials

MAX_METRICS = 200
MAX_LISTED = 10_000  # limit for metrics, hparams and absent runs that are only listed by name
DEFAULT_CELLS = 4_000_000  # limit of hparam cells in a response if the request names no hparams


@dataclasses.dataclass(frozen=True)
class HparamDomain:
    """What the experiment declares, one of the two."""

    values: list[str | float | bool | None] | None
    lo: float | None
    hi: float | None


@dataclasses.dataclass(frozen=True)
class TrialHparam:
    """Column `hparam.N` of the frame, N its position: numbers as f8 with NaN, else i4 positions in `values` or -1.

    `why.hparam.N`, u1, is there when a trial has no plain value: positions in `hparam_reasons`.
    """

    name: str
    display: str
    description: str
    kind: Literal["number", "bool", "text"]
    differs: bool
    domain: HparamDomain | None
    values: list[str]


@dataclasses.dataclass(frozen=True)
class TrialMetric:
    """Columns `value.N` f8, `step.N` i8 (-1: none), `why.N` u1 (where any has none); of repeats `deviation.N` f8 and
    `count.N` u4."""

    tag: str
    group: str
    display: str
    description: str
    goal: Literal["min", "max"] | None
    declared: bool
    trials: int  # that have a value


@dataclasses.dataclass(frozen=True)
class OtherMetric:
    """One that could be asked for."""

    tag: str
    group: str
    sessions: int


@dataclasses.dataclass(frozen=True, kw_only=True)
class TrialsHeader:
    """Header of a frame of trials. Arrays beside the columns: `start`, `end` f8, `status`, `source` u1, and `sessions`
    u4, how many of `runs` are each trial's."""

    version: int
    unchanged: bool  # since the version asked for: nothing else is told
    total: int  # trials, with or without the filter
    name: list[str]  # of each trial; empty where it is that of its only run
    runs: list[str]  # sessions, trial after trial
    hparams: list[TrialHparam]
    metrics: list[TrialMetric]
    other_hparams: list[str]
    other_metrics: list[OtherMetric]
    statuses: list[str]
    sources: list[str]
    reasons: list[str]  # why a value is not there
    hparam_reasons: list[str]
    absent: list[trials.Absent]
    absent_total: int
    aggregate: str
    repeats: str
    spread: str
    experiment: str  # its name
    description: str


@dataclasses.dataclass(frozen=True)
class Wanted:
    """The parameters of a query for trials."""

    hparams: Sequence[str] | None = None
    metrics: Sequence[tuple[str, str, str]] | None = None  # tag, group, goal ("" or "auto": guess)
    metric_limit: int = 10
    repeats: trials.Repeats = "group"
    spread: trial_metrics.Spread = "mean"
    values: trial_metrics.Asked = dataclasses.field(default_factory=trial_metrics.Asked)


@dataclasses.dataclass(frozen=True)
class HparamCells:
    """One hparam of each trial."""

    column: trials.Column
    info: hparams_experiments.HparamInfo
    cells: NDArray[Any]  # numbers, or codes
    reasons: NDArray[np.uint8]
    differs: bool

    def texts(self) -> list[Any]:
        """Return the values for files and people; None if there is no value."""
        if self.column.numbers is not None:
            missing = self.reasons == trials.NOT_GIVEN
            missing |= self.reasons == trials.NULL
            return [None if none else value for value, none in zip(self.cells.tolist(), missing.tolist(), strict=True)]
        words: list[Any] = [False, True] if self.column.kind == "bool" else self.column.values
        return [None if code < 0 else words[code] for code in self.cells.tolist()]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Table:
    """Trials with their columns, not encoded yet."""

    version: int
    sessions: trials.Sessions
    total: int
    names: list[str]
    runs: list[str]  # sessions, trial after trial
    counts: NDArray[np.int64]  # of them, by trial
    hparams: list[HparamCells]
    metrics: list[tuple[trial_metrics.Metric, trial_metrics.Values]]
    other_hparams: list[str]
    other_metrics: list[trial_metrics.Metric]
    start: NDArray[np.float64]
    end: NDArray[np.float64]
    status: NDArray[np.uint8]
    source: NDArray[np.uint8]

    @property
    def repeated(self) -> bool:
        return len(self.runs) > len(self.names)

    def runs_of(self) -> list[list[str]]:
        ends = np.cumsum(self.counts).tolist()
        return [self.runs[end - count : end] for end, count in zip(ends, self.counts.tolist(), strict=True)]


def table(store: store_.Store, runs: NDArray[np.int64] | None, wanted: Wanted, *, now: float | None = None) -> Table:
    """`runs`: rows of the run table; a session is included if it or a run that belongs to it is among them."""
    version = store.version
    found = trials.sessions(store)
    keep = _kept(found, runs)
    grouped = trials.trials(found, wanted.repeats)
    of, shown = _renumbered(grouped.of, keep)
    first = np.full(len(shown), len(keep), np.int64)
    chosen = np.nonzero(keep)[0]
    np.minimum.at(first, of[chosen], chosen)
    by_trial = chosen[np.argsort(of[chosen], kind="stable")]
    counts = np.bincount(of[chosen], minlength=len(shown))
    hparams, others = _hparams(found, wanted.hparams, of, keep, first)
    listed = trial_metrics.available(store, found)
    metrics = _metrics(store, found, listed, wanted)
    shown_metrics = {(metric.tag, metric.group) for metric in metrics}
    values = [
        (
            metric,
            trial_metrics.spread(
                of, len(shown), trial_metrics.values(store, found, metric, wanted.values), wanted.spread, keep
            ),
        )
        for metric in metrics
    ]
    start, end = trials.times(store, found)
    status = trials.statuses(store, found, now=now)
    return Table(
        version=version,
        sessions=found,
        total=len(grouped.names),
        names=[grouped.names[number] for number in shown.tolist()],
        runs=[found.names[session] for session in by_trial.tolist()],
        counts=counts,
        hparams=hparams,
        metrics=values,
        other_hparams=others,
        other_metrics=[metric for metric in listed if (metric.tag, metric.group) not in shown_metrics],
        start=_reduced(np.fmin, start, of, chosen, len(shown)),
        end=_reduced(np.fmax, end, of, chosen, len(shown)),
        status=_status(status, of, chosen, len(shown)),
        source=found.source[first],
    )


def _kept(found: trials.Sessions, runs: NDArray[np.int64] | None) -> NDArray[np.bool_]:
    if runs is None:
        return np.ones(len(found.rows), np.bool_)
    keep = np.zeros(len(found.rows), np.bool_)
    owners = found.owner[runs[runs < len(found.owner)]]
    keep[owners[owners >= 0]] = True
    return keep


def _renumbered(of: NDArray[np.int64], keep: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the trials that still have a session, renumbered; and their old numbers."""
    shown = np.unique(of[keep])
    numbers = np.full(int(of.max(initial=-1)) + 1, -1, np.int64)
    numbers[shown] = np.arange(len(shown))
    return numbers[of], shown


def _reduced(
    pick: np.ufunc, values: NDArray[np.float64], of: NDArray[np.int64], chosen: NDArray[np.int64], count: int
) -> NDArray[np.float64]:
    result = np.full(count, np.nan)
    pick.at(result, of[chosen], values[chosen])
    return result


def _status(
    status: NDArray[np.uint8], of: NDArray[np.int64], chosen: NDArray[np.int64], count: int
) -> NDArray[np.uint8]:
    """Return the status of repeats: running if one runs, else failed if one failed, else unknown if one is, else
    success."""
    weight = np.array([1, 0, 2, 3], np.uint8)  # by number in STATUSES
    heaviest = np.zeros(count, np.uint8)
    np.maximum.at(heaviest, of[chosen], weight[status[chosen]])
    return np.argsort(weight).astype(np.uint8)[heaviest]


def _hparams(
    found: trials.Sessions,
    names: Sequence[str] | None,
    of: NDArray[np.int64],
    keep: NDArray[np.bool_],
    first: NDArray[np.int64],
) -> tuple[list[HparamCells], list[str]]:
    known = found.names_of_hparams
    chosen = np.nonzero(keep)[0]
    everything = None if keep.all() else chosen
    infos = {info.name: info for info in found.declared.hparams}
    if names is None:
        most = max(DEFAULT_CELLS // max(len(first), 1), 20)
        if len(known) > most:  # checking thousands of columns is slow
            tried = sorted(known, key=lambda name: (name not in infos,))[: 4 * most]
        else:
            tried = known
        trials.make_columns(found, tried)
        apart = {name: trials.differs(trials.column(found, name), everything) for name in tried}
        wanted = sorted(tried, key=lambda name: not apart[name])[:most]
    else:
        there = set(known)
        wanted = [name for name in dict.fromkeys(names) if name in there]
        trials.make_columns(found, wanted)
        apart = {name: trials.differs(trials.column(found, name), everything) for name in wanted}
    if len(wanted) * len(first) > trials.MAX_CELLS:
        raise errors.BadInput(
            f"{len(wanted)} hparams of {len(first)} trials are too many for one answer",
            hint="ask for fewer hparams",
            code="request.too_large",
        )
    several = len(chosen) > len(first)
    cells = [
        _cells(found, name, infos=infos, of=of, chosen=chosen, first=first, differs=apart[name], several=several)
        for name in wanted
    ]
    shown = set(wanted)
    return cells, [name for name in known if name not in shown]


def _cells(
    found: trials.Sessions,
    name: str,
    *,
    infos: Mapping[str, hparams_experiments.HparamInfo],
    of: NDArray[np.int64],
    chosen: NDArray[np.int64],
    first: NDArray[np.int64],
    differs: bool,
    several: bool,
) -> HparamCells:
    column = trials.column(found, name)
    values: NDArray[Any] | None = column.numbers if column.numbers is not None else column.codes
    assert values is not None
    cells, reasons = values[first], column.reasons[first]
    if several:
        mine, theirs = values[chosen], cells[of[chosen]]
        other = (mine != theirs) & ~((mine != mine) & (theirs != theirs))
        reasons = reasons.copy()
        reasons[of[chosen[other]]] = trials.VARIES
    return HparamCells(column, infos.get(name, hparams_experiments.HparamInfo(name)), cells, reasons, differs)


def _metrics(
    store: store_.Store,
    found: trials.Sessions,
    listed: Sequence[trial_metrics.Metric],
    wanted: Wanted,
) -> list[trial_metrics.Metric]:
    if wanted.metrics is None:
        return trial_metrics.chosen(store, listed, found, wanted.metric_limit)
    if len(wanted.metrics) > MAX_METRICS:
        raise errors.BadQuestion(f"parameter `metric` is given more than {MAX_METRICS} times")
    known = {(metric.tag, metric.group): metric for metric in listed}
    chosen = []
    for tag, group, goal in wanted.metrics:
        metric = known.get((tag, group)) or trial_metrics.Metric(tag, group, "", "", trial_metrics.goal(tag), False, 0)
        if goal in ("min", "max"):
            metric = dataclasses.replace(metric, goal="min" if goal == "min" else "max")
        chosen.append(metric)
    return chosen


# ---- as a frame


def frame(found: Table, wanted: Wanted) -> tuple[TrialsHeader, dict[str, NDArray[Any]]]:
    arrays: dict[str, NDArray[Any]] = {
        "sessions": found.counts.astype(np.uint32),
        "start": found.start,
        "end": found.end,
        "status": found.status,
        "source": found.source,
    }
    for number, hparam in enumerate(found.hparams):
        arrays[f"hparam.{number}"] = hparam.cells
        if hparam.reasons.any():
            arrays[f"why.hparam.{number}"] = hparam.reasons
    for number, (_, values) in enumerate(found.metrics):
        arrays[f"value.{number}"], arrays[f"step.{number}"] = values.value, values.step
        if values.reason.any():
            arrays[f"why.{number}"] = values.reason
        if found.repeated and values.deviation is not None and values.count is not None:
            arrays[f"deviation.{number}"], arrays[f"count.{number}"] = values.deviation, values.count
    declared = found.sessions.declared
    header = TrialsHeader(
        version=found.version,
        unchanged=False,
        total=found.total,
        name=_names(found),
        runs=found.runs,
        hparams=[_hparam(each) for each in found.hparams],
        metrics=[_metric(metric, values) for metric, values in found.metrics],
        other_hparams=found.other_hparams[:MAX_LISTED],
        other_metrics=[OtherMetric(each.tag, each.group, each.sessions) for each in found.other_metrics[:MAX_LISTED]],
        statuses=list(trials.STATUSES),
        sources=list(trials.SOURCES),
        reasons=list(trial_metrics.REASONS),
        hparam_reasons=list(trials.HPARAM_REASONS),
        absent=found.sessions.absent[:MAX_LISTED],
        absent_total=len(found.sessions.absent),
        aggregate=wanted.values.aggregate,
        repeats=wanted.repeats,
        spread=wanted.spread,
        experiment=declared.name,
        description=declared.description,
    )
    return header, arrays


def _names(found: Table) -> list[str]:
    if found.repeated:
        runs = found.runs_of()
        return ["" if own == [name] else name for name, own in zip(found.names, runs, strict=True)]
    return ["" if run == name else name for name, run in zip(found.names, found.runs, strict=True)]


def unchanged(version: int, wanted: Wanted) -> TrialsHeader:
    return TrialsHeader(
        version=version,
        unchanged=True,
        total=0,
        name=[],
        runs=[],
        hparams=[],
        metrics=[],
        other_hparams=[],
        other_metrics=[],
        statuses=[],
        sources=[],
        reasons=[],
        hparam_reasons=[],
        absent=[],
        absent_total=0,
        aggregate=wanted.values.aggregate,
        repeats=wanted.repeats,
        spread=wanted.spread,
        experiment="",
        description="",
    )


def is_unchanged(store: store_.Store, since: int) -> bool:
    """Return whether no run has changed after a version."""
    with store.lock:
        newest = max(store.companions_versions.get("hparams", 0), store.annotations_version)
        newest = max(newest, int(store.runs_table.rows["version"].max(initial=0)))
        return since >= 0 and newest <= since <= store.version  # `since` may be from an earlier process


def _hparam(found: HparamCells) -> TrialHparam:
    info, domain = found.info, None
    if info.values is not None or info.interval is not None:
        lo, hi = info.interval or (None, None)
        domain = HparamDomain(None if info.values is None else list(info.values), lo, hi)
    values = [
        value if len(value) <= trials.MAX_TEXT else value[: trials.MAX_TEXT] + "…" for value in found.column.values
    ]
    return TrialHparam(
        found.column.name, info.display, info.description, found.column.kind, found.differs, domain, values
    )


def _metric(metric: trial_metrics.Metric, values: trial_metrics.Values) -> TrialMetric:
    count = int((values.reason == 0).sum())
    return TrialMetric(
        metric.tag, metric.group, metric.display, metric.description, metric.goal, metric.declared, count
    )


# ---- sorting, for files


def sorting(found: Table, sort: Sequence[str]) -> NDArray[np.int64]:
    """Return the indices of the trials sorted by keys such as `-metric:accuracy`, `hparam:lr`, `name`; the first key is
    the primary one. Trials without a value are last."""
    keys: list[NDArray[Any]] = [np.arange(len(found.names))]
    for key in reversed(sort):
        values = _sort_values(found, key)
        missing = np.isnan(values)
        keys += [np.where(missing, 0, -values if key.startswith("-") else values), missing]
    return np.lexsort(keys)


def _sort_values(found: Table, sort: str) -> NDArray[np.float64]:
    """Return the values to sort trials by; NaN if there is none."""
    word = sort.removeprefix("-")
    kind, _, name = word.partition(":")
    values: NDArray[Any] | None = None
    if kind == "hparam":
        values = next((each.cells for each in found.hparams if each.column.name == name), None)
    elif kind == "metric":
        values = next((got.value for metric, got in found.metrics if metric_key(metric) == name), None)
    elif word in ("start", "end", "status"):
        values = getattr(found, word)
    elif word == "name":
        keys = np.array([order.natural_key(name) for name in found.names], object)
        values = np.argsort(np.argsort(keys, kind="stable"), kind="stable")
    if values is None:
        raise errors.BadQuestion(
            f"parameter `sort` must be name, start, end, status, hparam:NAME or metric:TAG, not `{sort[:60]}`",
            hint="of a column that is asked for; `-` in front reverses it",
        )
    return np.where(values < 0, np.nan, values) if values.dtype == np.int32 else values.astype(np.float64)


def metric_key(metric: trial_metrics.Metric) -> str:
    """Return `validation:accuracy` if the metric has a group below the session, else the tag alone."""
    return f"{metric.group}:{metric.tag}" if metric.group else metric.tag
