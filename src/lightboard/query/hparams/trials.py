"""Trials: their sessions, hparams, status and times.

A *session* is a run that has hparams from any source (`hparams_metadata.of_runs`). Runs below it
(`train`, `validation`) belong to it and have its metrics; so does the run directly above it if that has no hparams
and no other session below it, as PyTorch's `add_hparams` writes it. A *trial* is one session, or several repeats:

    group   sessions that the writer put into one group (TensorBoard's way)
    same    sessions whose hparams are all equal but for seeds, names and directories
    none    each session alone

Runs and hparams change rarely, values of metrics all the time. So sessions are cached until one of their tags changes,
and metrics are read for every request (`trial_metrics`).
"""

from __future__ import annotations

import dataclasses
import functools
import math
import re
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from lightboard import store as store_
from lightboard import types
from lightboard.query import order
from lightboard.query.hparams import experiments as hparams_experiments
from lightboard.query.runs import groups, heartbeats
from lightboard.query.runs import hparams as hparams_metadata
from lightboard.query.runs import records as run_records
from lightboard.store import row_types

Repeats = Literal["group", "same", "none"]
Kind = Literal["number", "bool", "text"]

STATUSES = hparams_metadata.STATUSES
SOURCES = hparams_metadata.SOURCES
# Reasons why a trial has no (plain) value of an hparam, by number.
HPARAM_REASONS = ("", "not_given", "null", "nan", "varies")
NOT_GIVEN, NULL, NAN, VARIES = 1, 2, 3, 4
# A run without a session end counts as running if its last event is newer than this.
RUNNING_SECS = 180.0
MAX_TEXT = 2000  # characters of one value in a dictionary
MAX_CELLS = 20_000_000
# Hparams that may differ between repeats of one trial: seeds, and names or paths of a run.
_OWN = re.compile(
    r"(^|[/._-])(seeds?|random_?(state|seed)|rng|(run|trial|job|experiment|exp)_?(id|name|number|index|dir)"
    r"|(output|logging|log|save|checkpoint|ckpt|work)_?(dir|path|directory))$"
    r"|(^|/)(run|trial|job|exp|experiment|version|timestamp|datetime|date|host(name)?|(local_|global_)?rank|device)$"
    r"|seed$",
    re.IGNORECASE,
)


@dataclasses.dataclass(frozen=True)
class Absent:
    """A run that might have been a trial and is none."""

    run: str
    reason: Literal["no_hparams", "unreadable", "only_end", "text_unreadable"]
    detail: str = ""  # the tag that could not be understood


@dataclasses.dataclass(frozen=True)
class Column:
    """One hparam of all sessions. `codes` are indices into `values` for text and bool, -1 if there is no value."""

    name: str
    kind: Kind
    numbers: NDArray[np.float64] | None
    codes: NDArray[np.int32] | None
    values: list[str]
    reasons: NDArray[np.uint8]


class Derived:
    """Values computed from sessions so far. Entries are only added, under `lock`."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.trials: dict[Repeats, Trials] = {}
        self.columns: dict[str, Column] = {}
        self.varying_metrics: set[tuple[str, str]] = set()  # (tag, group) whose values differ between trials


@dataclasses.dataclass(frozen=True, kw_only=True)
class Sessions:
    """Everything about trials that does not change with every step, in natural order of the runs. Immutable except
    `derived`, which has its own lock."""

    rows: NDArray[np.int64]  # rows of the run table
    names: list[str]
    hparams: Sequence[Mapping[str, hparams_metadata.Value]]
    group: list[str]
    loose: NDArray[np.bool_]  # True: sessions of its group may have different hparams, so they are not always repeats
    start: NDArray[np.float64]
    end: NDArray[np.float64]
    status: NDArray[np.uint8]  # as the writer stated it
    source: NDArray[np.uint8]
    owner: NDArray[np.int64]  # by run row: index of the session it belongs to, -1: none
    metric_groups: list[str]  # the groups of metrics that occur: paths of runs below their session
    metric_group: NDArray[np.int64]  # by run row: index into `metric_groups`
    absent: list[Absent]
    declared: hparams_experiments.Experiment
    names_of_hparams: list[str]
    derived: Derived = dataclasses.field(default_factory=Derived)

    def runs_at(self, group: str) -> NDArray[np.int64]:
        """Return the run row of each session's metrics of a group, -1 if there is none."""
        found = np.full(len(self.rows), -1, np.int64)
        if group in self.metric_groups:
            there = np.nonzero((self.metric_group == self.metric_groups.index(group)) & (self.owner >= 0))[0]
            found[self.owner[there]] = there
        return found


@dataclasses.dataclass(frozen=True)
class Trials:
    """The sessions of each trial: `of` has the trial of each session."""

    names: list[str]
    of: NDArray[np.int64]


_SESSIONS = store_.Share("sessions", 64 << 20, keep_newest=True)


def sessions(store: store_.Store) -> Sessions:
    """Return the sessions of all runs, cached until `signature` changes."""
    return store.cache.get(
        _SESSIONS, "all", lambda: _sessions(store), version=signature(store), size=lambda found: 500 * len(found.owner)
    )


def signature(store: store_.Store) -> tuple[Any, ...]:
    """Return a value that changes whenever a run, a session or a scalar tag is added or removed."""
    with store.lock:
        table = store.series_table.rows
        alive = store.runs_table.rows["files"] > 0
        rows = hparams_metadata.hparams_series_rows(store)
        newest = int(table["version"][rows].max(initial=0))
        scalars = (table["kind"] == types.Kind.SCALARS) & (table["first_chunk"] >= 0)
        there = int(alive.sum()), hash(alive.tobytes()), int(scalars.sum()), len(store.run_names)
        return len(rows), newest, store.companions_versions.get("hparams", 0), there


def _sessions(store: store_.Store) -> Sessions:
    by_row = hparams_metadata.own_hparams(store)
    started = hparams_metadata.sessions(store)
    with store.lock:
        alive = np.nonzero(store.runs_table.rows["files"])[0]
        names = store.run_names
        rows = np.array([row for row in by_row if row < len(names)], np.int64)
        rows = rows[np.isin(rows, alive)]
        rows = rows[np.argsort(order.ranks(store, names, rows), kind="stable")]
        by_row, rows = _without_parents(by_row, rows, names)
        by_name = {names[row]: position for position, row in enumerate(rows.tolist())}
        has_scalars = np.zeros(len(names), np.bool_)
        has_scalars[store.series_table.rows["run"][store.series_rows(types.Kind.SCALARS)]] = True
        run_names = {row: names[row] for row in alive.tolist()}
    owner, metric_group, metric_groups = _owners(run_names, by_name, has_scalars)
    infos = [started.get(row) for row in rows.tolist()]
    ends = hparams_metadata.ends(store)
    ended = [ends.get(row, (0, 0.0)) for row in rows.tolist()]
    hparams = [by_row[row].hparams for row in rows.tolist()]
    return Sessions(
        rows=rows,
        names=list(by_name),
        hparams=hparams,
        group=[info.group if info is not None else "" for info in infos],
        loose=_loose(store, rows),
        start=np.array([info.start_time if info is not None else 0.0 for info in infos], np.float64),
        end=np.array([end for _, end in ended], np.float64),
        status=np.array([status for status, _ in ended], np.uint8),
        source=np.array([SOURCES.index(by_row[row].source) for row in rows.tolist()], np.uint8),
        owner=owner,
        metric_groups=metric_groups,
        metric_group=metric_group,
        absent=_absent(store, started, run_names, owner, has_scalars, ends),
        declared=hparams_experiments.merged(list(hparams_experiments.of_runs(store).values())),
        names_of_hparams=sorted(set().union(*hparams), key=order.natural_key),
    )


def _without_parents(
    by_row: dict[int, hparams_metadata.RunHparams], rows: NDArray[np.int64], names: row_types.Strings
) -> tuple[dict[int, hparams_metadata.RunHparams], NDArray[np.int64]]:
    """A run that logged its configuration as a text, and its hparams into the one run below it, is one session."""
    texts = {names[row]: row for row in rows.tolist() if by_row[row].source not in ("session", "config")}
    below: dict[str, list[int]] = {}
    for row in rows.tolist() if texts else ():
        if by_row[row].source in ("session", "config") and (above := _above(names[row])) in texts:
            below.setdefault(above, []).append(row)
    merged, gone = dict(by_row), set()
    for above, children in below.items():
        if len(children) == 1:
            own, parent = by_row[children[0]], by_row[texts[above]]
            merged[children[0]] = hparams_metadata.RunHparams({**parent.hparams, **own.hparams}, own.source)
            gone.add(texts[above])
    return merged, np.array([row for row in rows.tolist() if row not in gone], np.int64) if gone else rows


def _loose(store: store_.Store, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return the runs of `lightboard.init`. Their `group` may be a whole sweep: only its runs with equal hparams are
    repeats."""
    loose = np.zeros(len(store.runs_table), np.bool_)
    with store.lock:
        if store.tag_names.number(run_records.CONFIG_TAG) is not None:
            series = store.series_rows(tag=run_records.CONFIG_TAG)
            loose[store.series_table.rows["run"][series]] = True
    found: NDArray[np.bool_] = loose[rows]
    return found


def _owners(
    run_names: Mapping[int, str], by_name: Mapping[str, int], has_scalars: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.int64], list[str]]:
    """Return for each run row the session it belongs to, and its path below that session."""
    owner = np.full(len(has_scalars), -1, np.int64)
    group = np.zeros(len(has_scalars), np.int64)
    groups: dict[str, int] = {"": 0}
    only = _only_children(run_names, by_name, has_scalars)
    for row, name in run_names.items():
        above = name
        while True:
            if above in by_name:
                owner[row] = by_name[above]
                below = "" if above == name else name if above == "." else name[len(above) + 1 :]
                group[row] = groups.setdefault(below, len(groups))
                break
            if above in only:
                owner[row] = only[above]
                below = ".." if above == name else f"../{name[len(above) + 1 :]}"
                group[row] = groups.setdefault(below, len(groups))
                break
            if above in ("", "."):
                break
            above = _above(above)
    return owner, group, list(groups)


def _only_children(
    run_names: Mapping[int, str], by_name: Mapping[str, int], has_scalars: NDArray[np.bool_]
) -> dict[str, int]:
    """Return by name the runs with scalars that are not sessions and have exactly one session directly below them."""
    children: dict[str, list[int]] = {}
    for name, position in by_name.items():
        children.setdefault(_above(name), []).append(position)
    return {
        name: children[name][0]
        for row, name in run_names.items()
        if len(children.get(name, ())) == 1 and name not in by_name and has_scalars[row] and name != "."
    }


def _above(name: str) -> str:
    return name.rpartition("/")[0] or "."


def _absent(
    store: store_.Store,
    started: Mapping[int, hparams_metadata.Session],
    run_names: Mapping[int, str],
    owner: NDArray[np.int64],
    has_scalars: NDArray[np.bool_],
    ends: Mapping[int, object],
) -> list[Absent]:
    broken = {row for row, found in started.items() if not found.readable}
    odd = hparams_metadata.unreadable_texts(store)
    lone = np.array([row for row in run_names if owner[row] < 0], np.int64)
    found = []
    for row in lone[np.argsort(order.ranks(store, store.run_names, lone), kind="stable")].tolist():
        if row in broken:
            found.append(Absent(run_names[row], "unreadable", hparams_metadata.START_TAG))
        elif row in odd:
            found.append(Absent(run_names[row], "text_unreadable", odd[row]))
        elif row in ends:
            found.append(Absent(run_names[row], "only_end"))
        elif has_scalars[row]:
            found.append(Absent(run_names[row], "no_hparams"))
    return found


# ---- sessions of the same trial


def trials(found: Sessions, repeats: Repeats) -> Trials:
    derived = found.derived
    with derived.lock:
        if repeats not in derived.trials:
            derived.trials[repeats] = _trials(found, repeats)
        return derived.trials[repeats]


def _trials(found: Sessions, repeats: Repeats) -> Trials:
    count = len(found.rows)
    if repeats == "none":
        return Trials(found.names, np.arange(count))
    # A group and a run without a group may have the same name but are different trials.
    keys: list[Any] = [("", name) for name in found.names]
    for at, (group, loose, hparams) in enumerate(zip(found.group, found.loose.tolist(), found.hparams, strict=True)):
        if repeats == "same":
            keys[at] = _same(hparams) if hparams else keys[at]
        elif group:
            keys[at] = (group, _same(hparams)) if loose else (group,)
    numbers: dict[Any, int] = {}
    of = np.fromiter((numbers.setdefault(key, len(numbers)) for key in keys), np.int64, count)
    first = np.full(len(numbers), count, np.int64)
    np.minimum.at(first, of, np.arange(count))
    names = [
        key[0] if repeats == "group" and len(key) == 1 else found.names[position]
        for key, position in zip(numbers, first.tolist(), strict=True)
    ]
    return Trials(_unique_names(names), of)


def _unique_names(names: list[str]) -> list[str]:
    if len(set(names)) == len(names):
        return names
    seen: set[str] = set()
    apart = []
    for original in names:
        name, number = original, 2
        while name in seen:
            name, number = f"{original} ({number})", number + 1
        seen.add(name)
        apart.append(name)
    return apart


@functools.lru_cache(maxsize=1 << 14)
def _is_own(name: str) -> bool:
    return _OWN.search(name) is not None


def _same(hparams: Mapping[str, hparams_metadata.Value]) -> Any:
    kept = [(name, type(value) is bool, value) for name, value in hparams.items() if not _is_own(name)]
    return frozenset((name, kind, "NaN" if value != value else value) for name, kind, value in kept)


# ---- hparams as columns


def column(found: Sessions, name: str) -> Column:
    with found.derived.lock:
        known = found.derived.columns.get(name)
        if known is None:
            known = found.derived.columns[name] = _columns(found, [name])[name]
        return known


def make_columns(found: Sessions, names: Sequence[str]) -> None:
    """Build the missing columns in one pass over the sessions: looking up 10,000 dictionaries for each of 1,000 names
    takes ten times as long."""
    with found.derived.lock:
        known = found.derived.columns
        known.update(_columns(found, [name for name in names if name not in known]))


def _columns(found: Sessions, names: Sequence[str]) -> dict[str, Column]:
    lists: dict[str, list[Any]] = {name: [] for name in names}
    if not lists:
        return {}
    for session, hparams in enumerate(found.hparams):
        for name, value in hparams.items():
            cells = lists.get(name)
            if cells is not None:
                if len(cells) < session:
                    cells.extend([_NONE] * (session - len(cells)))
                cells.append(value)
    for cells in lists.values():
        cells.extend([_NONE] * (len(found.hparams) - len(cells)))
    return {name: _column(name, cells) for name, cells in lists.items()}


_NONE: Any = object()


def _column(name: str, cells: Sequence[Any]) -> Column:
    kinds = set(map(type, cells))
    reasons = np.zeros(len(cells), np.uint8)
    for kind, none, reason in ((type(_NONE), _NONE, NOT_GIVEN), (type(None), None, NULL)):
        if kind in kinds:
            reasons[[i for i, cell in enumerate(cells) if cell is none]] = reason
    whole = kinds <= {int, float, bool, str}
    kinds -= {type(_NONE), type(None)}
    if kinds and kinds <= {int, float}:
        if not whole:
            cells = [cell if type(cell) in (int, float) else math.nan for cell in cells]
        numbers = np.array(cells, np.float64)
        reasons[np.isnan(numbers) & (reasons == 0)] = NAN
        return Column(name, "number", numbers, None, [], reasons)
    if kinds == {bool}:
        codes = np.array(cells if whole else [int(cell) if type(cell) is bool else -1 for cell in cells], np.int32)
        return Column(name, "bool", None, codes, ["false", "true"], reasons)
    texts: dict[Any, int] = {}
    if kinds == {str} and whole:
        numbered = [texts.setdefault(cell, len(texts)) for cell in cells]
    else:
        missing = reasons > 0
        numbered = [
            -1 if none else texts.setdefault(text_of(cell), len(texts))
            for cell, none in zip(cells, missing.tolist(), strict=True)
        ]
    words = sorted(texts, key=order.natural_key)
    ranks = np.full(len(words) + 1, -1, np.int32)
    ranks[[texts[word] for word in words]] = np.arange(len(words))
    return Column(name, "text", None, ranks[numbered] if numbered else np.zeros(0, np.int32), words, reasons)


def text_of(value: hparams_metadata.Value) -> str:
    """Return the one spelling of a value that all text columns use."""
    return groups.text(value)


def differs(found: Column, keep: NDArray[np.int64] | None = None) -> bool:
    """Return whether these sessions have different values, or some have none."""
    reasons = found.reasons if keep is None else found.reasons[keep]
    cells: NDArray[Any] | None = found.numbers if found.numbers is not None else found.codes
    assert cells is not None
    values = cells if keep is None else cells[keep]
    if not len(values):
        return False
    missing = (reasons == NOT_GIVEN) | (reasons == NULL)
    if missing.any() and not missing.all():
        return True
    same = values == values[0]
    if values.dtype.kind == "f":
        same |= np.isnan(values) & np.isnan(values[0])
    return not bool(same.all())


# ---- status


def statuses(store: store_.Store, found: Sessions, *, now: float | None = None) -> NDArray[np.uint8]:
    """Return the status that the writer stated; else that of its heartbeats; else running if the last event is
    recent."""
    moment = time.time() if now is None else now
    status: NDArray[np.uint8] = found.status.copy()
    silent = status == STATUSES.index("unknown")
    if not silent.any():
        return status
    with store.lock:
        last = _last_walls(store, found)
    status[silent & (moment - last <= RUNNING_SECS)] = STATUSES.index("running")
    beating = heartbeats.latest(store)
    if len(beating.runs):
        by_run = np.zeros(len(store.runs_table), np.uint8)
        by_run[beating.runs] = np.select(
            [beating.failed, beating.ended, beating.is_alive(moment)],
            [STATUSES.index("failure"), STATUSES.index("success"), STATUSES.index("running")],
            STATUSES.index("failure"),
        )
        said = by_run[found.rows]
        status = np.where(silent & (said > 0), said, status).astype(np.uint8)
    return status


def _last_walls(store: store_.Store, found: Sessions) -> NDArray[np.float64]:
    """Return when any run of each session last wrote."""
    walls = store.runs_table.rows["max_wall"][: len(found.owner)]
    last = np.full(len(found.rows), -np.inf)
    owned = np.nonzero(found.owner[: len(walls)] >= 0)[0]
    np.fmax.at(last, found.owner[owned], walls[owned])
    return last


def times(store: store_.Store, found: Sessions) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return start and end; the first and last event if the writer stated none."""
    with store.lock:
        first = store.runs_table.rows["min_wall"][found.rows]
        last = _last_walls(store, found)
    start = np.where(found.start > 0, found.start, first)
    end = np.where(found.end > 0, found.end, last)
    return start, np.where(np.isfinite(end), end, np.nan)
