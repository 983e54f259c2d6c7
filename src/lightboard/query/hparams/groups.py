"""Sessions, groups and experiments for TensorBoard's HParams page; Lightboard's own page uses `trials`.

A session is a run with a session start, a group all sessions of one group name. Metrics are those the experiment
declares; if there is no experiment, those found in runs at or below a session. Of several experiments TensorBoard uses
any; here the newest is used, so that a changed schema is visible. Values are read only for the requested groups.
"""

from __future__ import annotations

import dataclasses
import functools
import json
import math
import posixpath
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lightboard import errors, types
from lightboard import store as store_
from lightboard.query import patterns, tags
from lightboard.query.hparams import experiments as hparams_experiments
from lightboard.query.hparams import trials
from lightboard.query.runs import hparams as hparams_metadata
from lightboard.store import placement

Aggregation = Literal["avg", "median", "min", "max"]
Order = Literal["", "asc", "desc"]


@dataclasses.dataclass(frozen=True)
class Interval:
    lo: float
    hi: float


@dataclasses.dataclass(frozen=True, kw_only=True)
class Column:
    """One column of a request: an hparam, or a metric as (group, tag)."""

    hparam: str | None = None
    metric: tuple[str, str] | None = None
    order: Order = ""
    missing_first: bool = False
    regexp: str | None = None
    interval: Interval | None = None
    discrete: tuple[Any, ...] | None = None
    exclude_missing: bool = False
    include: bool | None = None


@dataclasses.dataclass(frozen=True)
class Asked:
    statuses: frozenset[int] = frozenset()
    columns: tuple[Column, ...] = ()
    aggregation: Aggregation = "avg"
    aggregation_metric: tuple[str, str] = ("", "")
    start: int = 0
    size: int = 0
    metrics: bool = True


class MetricValue(NamedTuple):
    group: str
    tag: str
    value: float
    step: int
    wall_time: float


class SessionSummary(NamedTuple):
    name: str
    start_time: float
    end_time: float
    status: int
    model_uri: str
    monitor_url: str
    metrics: list[MetricValue]


@dataclasses.dataclass(frozen=True)
class Group:
    name: str
    hparams: dict[str, hparams_metadata.Value]
    metrics: list[MetricValue]
    sessions: list[SessionSummary]
    monitor_url: str


@dataclasses.dataclass(frozen=True)
class Groups:
    groups: list[Group]
    total: int


# ---- the experiment


@dataclasses.dataclass(frozen=True)
class HparamEntry:
    info: hparams_experiments.HparamInfo
    differs: bool


@dataclasses.dataclass(frozen=True)
class ExperimentSummary:
    experiment: hparams_experiments.Experiment
    hparams: list[HparamEntry]


def experiment(store: store_.Store, *, metrics: bool = True, limit: int = 0) -> ExperimentSummary:
    """As it was written, or else as the sessions let one infer it; those that differ first, then by name."""
    found = _newest(store)
    if found is not None:
        hparams = [HparamEntry(info, False) for info in found.hparams]
    else:
        inferred, inferred_metrics = _cached_inference(store)
        hparams, found = list(inferred), hparams_experiments.Experiment(metrics=inferred_metrics)
    if not metrics:
        found = dataclasses.replace(found, metrics=())
    hparams.sort(key=lambda each: (not each.differs, each.info.name))
    return ExperimentSummary(found, hparams[:limit] if limit > 0 else hparams)


_Inference = tuple[list[HparamEntry], tuple[hparams_experiments.MetricInfo, ...]]
_INFERENCE = store_.Share("inferred experiment", 16 << 20, keep_newest=True)


def _cached_inference(store: store_.Store) -> _Inference:
    """Recomputed when a session or a tag was added or removed."""
    return store.cache.get(
        _INFERENCE,
        "experiment",
        lambda: _inference(store),
        version=trials.signature(store),
        size=lambda found: 1000 * (len(found[0]) + len(found[1])),
    )


def _inference(store: store_.Store) -> _Inference:
    sessions = _sessions(store)
    hparams = _inferred([start for _, start in sessions.values()])
    return hparams, _metric_infos(store, sessions) if hparams else ()


def _newest(store: store_.Store) -> hparams_experiments.Experiment | None:
    found = hparams_experiments.of_runs(store)
    if not found:
        return None
    with store.lock:
        rows = store.series_rows(types.Kind.HPARAMS, tag=hparams_metadata.EXPERIMENT_TAG)
        runs = store.series_table.rows["run"][rows].tolist()
        walls = store.chunks_table.rows["max_wall"][store.series_table.rows["first_chunk"][rows]]
    times = dict(zip(runs, np.nan_to_num(walls, nan=-np.inf).tolist(), strict=True))
    return found[max(found, key=lambda run: times.get(run, -math.inf))]


def _sessions(store: store_.Store) -> dict[str, tuple[int, hparams_metadata.Session]]:
    """Return sessions by name of the run."""
    found = hparams_metadata.sessions(store)
    with store.lock:
        names = {row: store.run_names[row] for row in found}
    return {names[row]: (row, start) for row, start in found.items() if start.readable}


def _inferred(sessions: Sequence[hparams_metadata.Session]) -> list[HparamEntry]:
    values: dict[str, list[hparams_metadata.Value]] = {}
    for session in sessions:
        for name, value in session.hparams.items():
            values.setdefault(name, []).append(value)
    return [info for name, logged in values.items() if (info := _maybe_info(name, logged)) is not None]


def _maybe_info(name: str, values: Sequence[hparams_metadata.Value]) -> HparamEntry | None:
    kinds = {"float64" if isinstance(value, float) else "bool" if isinstance(value, bool) else "string"
             for value in values if value is not None}  # fmt: skip
    if not kinds:
        return None
    kind = kinds.pop() if len(kinds) == 1 else "string"
    if kind == "float64":
        numbers = [float(value) if isinstance(value, float) else 0.0 for value in values]
        interval = (min(numbers), max(numbers))
        return HparamEntry(hparams_experiments.HparamInfo(name, type=kind, interval=interval), len(set(numbers)) > 1)
    distinct: set[hparams_metadata.Value]
    if kind == "bool":
        distinct = {bool(value) for value in values}
    else:
        distinct = {_text(value) for value in values if value is not None and not _is_odd(value)}
    words = tuple(sorted(distinct, key=str))
    return HparamEntry(hparams_experiments.HparamInfo(name, type=kind, values=words), len(words) > 1)


def _text(value: hparams_metadata.Value) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _is_odd(value: hparams_metadata.Value) -> bool:
    return isinstance(value, float) and not math.isfinite(value)


def _metric_infos(store: store_.Store, sessions: Mapping[str, object]) -> tuple[hparams_experiments.MetricInfo, ...]:
    """Return the scalars of runs at or below a session, by tag and then by path below the session."""
    with store.lock:
        rows = store.series_rows(types.Kind.SCALARS)
        cells = store.series_table.rows[rows]
        keep = tags.shown(store, cells["tag"])
        pairs = np.unique(cells["run"][keep].astype(np.int64) << 32 | cells["tag"][keep])
        names = store.run_names
        places: dict[int, str | None] = {}
        found = set()
        for pair in pairs.tolist():
            run = pair >> 32
            if run not in places:
                places[run] = _maybe_place(names[run], sessions)
            place = places[run]
            if place is not None:
                found.add((store.tag_names[pair & 0xFFFFFFFF], place))
    return tuple(hparams_experiments.MetricInfo(tag, group) for tag, group in sorted(found))


def _maybe_place(run: str, sessions: Mapping[str, object]) -> str | None:
    above = run
    while above not in sessions:
        if not above:
            return None
        above = posixpath.dirname(above)
    return run[len(above) + 1 :] if above != run else "." if run.endswith(".") else ""


# ---- groups


class _Values:
    """Last values of a metric by session: values are read for all sessions in one batch, wall times only on request."""

    def __init__(self, store: store_.Store, runs: NDArray[np.int64], tag: str) -> None:
        """`runs`: for each session the row of its run, -1 if it has none."""
        self._store = store
        with store.lock:
            rows = store.series_rows(types.Kind.SCALARS, tag=tag)
            places = np.full(len(store.runs_table) + 1, -1, np.int64)
            places[store.series_table.rows["run"][rows]] = rows
            self._rows = places[runs]
            stats = store.stats(self._rows[self._rows >= 0])
        self.has = self._rows >= 0
        self.has[self.has] = stats["n"] > 0
        self.values = np.zeros(len(runs))
        self.steps = np.zeros(len(runs), np.int64)
        there = self._rows >= 0
        self.values[there], self.steps[there] = stats["last"], stats["last_step"]

    def wall_times(self, sessions: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the wall times of the last points of these sessions; each must have a point."""
        placed = placement.place(self._store, self._rows[sessions])
        table = placed.table
        walls = np.zeros(len(sessions))
        ends = table[:, placement.WALLS + 1] + 8 * (table[:, placement.COUNT] - 1)
        for number in np.unique(table[:, placement.WALLS]).tolist():
            mine = np.nonzero(table[:, placement.WALLS] == number)[0]
            places = ends[mine][:, np.newaxis] + np.arange(8)
            walls[mine] = placed.buffers[number][places].view("<f8").ravel()
        return walls


def run_of(session: str, group: str) -> str:
    return posixpath.join(session, group).removesuffix("/") if group else session


@dataclasses.dataclass(kw_only=True)
class _Sheet:
    """Sessions of allowed status, grouped; groups are sorted by name."""

    names: list[str]
    starts: list[hparams_metadata.Session]
    ends: list[tuple[int, float]]
    groups: dict[str, list[int]]
    metrics: tuple[hparams_experiments.MetricInfo, ...]
    aggregation: Aggregation
    aggregation_metric: tuple[str, str]
    read: Callable[[str, str], _Values]

    def hparams(self, group: str) -> dict[str, hparams_metadata.Value]:
        """Return the hparams of the group's first session; numbers that JSON cannot represent are left out."""
        found = self.starts[self.groups[group][0]].hparams
        return {name: value for name, value in found.items() if not _is_odd(value)}

    def metric_sessions(self, group: str) -> list[int]:
        """The sessions that a group's metrics are taken from."""
        members = self.groups[group]
        if self.aggregation == "avg" or len(members) == 1:
            return members
        values = self.read(*self.aggregation_metric)
        measured = sorted((each for each in members if values.has[each]), key=lambda each: float(values.values[each]))
        if not measured:
            return members
        return [measured[{"min": 0, "max": -1, "median": (len(measured) - 1) // 2}[self.aggregation]]]

    def metric(self, group: str, place: str, tag: str) -> float | None:
        values = self.read(place, tag)
        found = [float(values.values[each]) for each in self.metric_sessions(group) if values.has[each]]
        return sum(found) / len(found) if found else None


def groups(store: store_.Store, asked: Asked) -> Groups:
    sheet = _sheet(store, asked)
    readers = [_reader(sheet, column) for column in asked.columns]
    passing = [_maybe_filter(column, read) for column, read in zip(asked.columns, readers, strict=True)]
    names = sorted(sheet.groups)
    for keep in passing:
        if keep is not None:
            names = [name for name in names if keep(name)]
    for column, read in reversed(list(zip(asked.columns, readers, strict=True))):
        if column.order:
            down = column.order == "desc"
            names.sort(key=_key(read, none_last=column.missing_first == down, down=down), reverse=down)
    shown = names[asked.start : asked.start + asked.size] if asked.size > 0 else []
    included = None
    if any(column.include is not None for column in asked.columns):
        included = {column.hparam for column in asked.columns if column.include is not False}
    return Groups(_built(sheet, shown, included), len(names))


def _sheet(store: store_.Store, asked: Asked) -> _Sheet:
    sessions = _sessions(store)
    ended = hparams_metadata.ends(store)
    names: list[str] = []
    starts: list[hparams_metadata.Session] = []
    ends: list[tuple[int, float]] = []
    members: dict[str, list[int]] = {}
    for name in sorted(sessions):
        row, start = sessions[name]
        end = ended.get(row, (0, 0.0))
        if end[0] in asked.statuses:
            members.setdefault(start.group or name, []).append(len(names))
            names.append(name)
            starts.append(start)
            ends.append(end)
    metrics = experiment(store).experiment.metrics if asked.metrics else ()
    known = {(metric.group, metric.tag) for metric in metrics}

    @functools.cache
    def runs(group: str) -> NDArray[np.int64]:
        with store.lock:
            found = [store.run_row(run_of(name, group)) for name in names]
        return np.array([-1 if row is None else row for row in found], np.int64)

    @functools.cache
    def read(group: str, tag: str) -> _Values:
        # A metric that the experiment does not declare has no values, even if it was logged.
        return _Values(store, runs(group) if (group, tag) in known else np.full(len(names), -1, np.int64), tag)

    return _Sheet(
        names=names,
        starts=starts,
        ends=ends,
        groups=members,
        metrics=metrics,
        aggregation=asked.aggregation,
        aggregation_metric=asked.aggregation_metric,
        read=read,
    )


def _reader(sheet: _Sheet, column: Column) -> Callable[[str], Any]:
    if column.metric is not None:
        place, tag = column.metric
        return lambda group: sheet.metric(group, place, tag)
    name = column.hparam
    if name is None:
        raise errors.BadQuestion("a column names neither an hparam nor a metric")
    return lambda group: sheet.hparams(group).get(name)


def _key(read: Callable[[str], Any], *, none_last: bool, down: bool) -> Callable[[str], Any]:
    """Return a sort key: None first or last as requested, NaN first in either direction, texts after numbers."""

    def key(group: str) -> Any:
        value = read(group)
        if value is None:
            return (1 if none_last else -1, 0, 0)
        if isinstance(value, float) and math.isnan(value):
            return (0, 2 if down else -1, 0)
        return (0, 1, value) if isinstance(value, str) else (0, 0, value)

    return key


def _maybe_filter(column: Column, read: Callable[[str], Any]) -> Callable[[str], bool] | None:
    test = _test(column)
    if test is None and not column.exclude_missing:
        return None

    def passes(group: str) -> bool:
        value = read(group)
        if value is None:
            return not column.exclude_missing
        return test is None or test(value)

    return passes


def _test(column: Column) -> Callable[[Any], bool] | None:
    if column.regexp is not None:
        finds = patterns.compile_pattern(column.regexp, case=True).finder(patterns.Budget())
        return functools.partial(_matches, finds)
    if column.interval is not None:
        return functools.partial(_lies_in, column.interval)
    if column.discrete is not None:
        allowed = column.discrete
        return lambda value: any(value == each for each in allowed)
    return None


def _matches(finds: Callable[[str], bool], value: Any) -> bool:
    if not isinstance(value, str):
        raise errors.BadQuestion(f"Cannot use a regexp filter for a value of type {type(value)}. Value: {value}")
    return finds(value)


def _lies_in(interval: Interval, value: Any) -> bool:
    if not isinstance(value, (int, float)):
        raise errors.BadQuestion(f"Cannot use an interval filter for a value of type: {type(value)}, Value: {value}")
    return interval.lo <= value <= interval.hi


def _built(sheet: _Sheet, shown: Sequence[str], included: set[str | None] | None) -> list[Group]:
    members = [session for group in shown for session in sheet.groups[group]]
    of_session: dict[int, list[MetricValue]] = {session: [] for session in members}
    for metric in sheet.metrics:
        values = sheet.read(metric.group, metric.tag)
        there = np.array([session for session in members if values.has[session]], np.int64)
        if len(there):
            cells = zip(
                there.tolist(),
                values.values[there].tolist(),
                values.steps[there].tolist(),
                values.wall_times(there).tolist(),
                strict=True,
            )
            for session, value, step, wall in cells:
                of_session[session].append(MetricValue(metric.group, metric.tag, value, step, wall))
    built = []
    for name in shown:
        hparams = sheet.hparams(name)
        if included is not None:
            hparams = {each: value for each, value in hparams.items() if each in included}
        sessions = [_session(sheet, session, of_session[session]) for session in sheet.groups[name]]
        averages = _averaged([of_session[session] for session in sheet.metric_sessions(name)])
        built.append(Group(name, hparams, averages, sessions, sheet.starts[sheet.groups[name][0]].monitor_url))
    return built


def _session(sheet: _Sheet, session: int, metrics: list[MetricValue]) -> SessionSummary:
    start, (status, end_time) = sheet.starts[session], sheet.ends[session]
    return SessionSummary(
        sheet.names[session], start.start_time, end_time, status, start.model_uri, start.monitor_url, metrics
    )


def _averaged(sessions: Sequence[Sequence[MetricValue]]) -> list[MetricValue]:
    if len(sessions) == 1:
        return list(sessions[0])
    found: dict[tuple[str, str], list[MetricValue]] = {}
    for metrics in sessions:
        for metric in metrics:
            found.setdefault((metric.group, metric.tag), []).append(metric)
    return [
        MetricValue(
            group,
            tag,
            sum(each.value for each in same) / len(same),
            sum(each.step for each in same) // len(same),
            sum(each.wall_time for each in same) / len(same),
        )
        for (group, tag), same in found.items()
    ]
