"""Runs: the board's list of runs, and the selection of runs by filters."""

from __future__ import annotations

import dataclasses
import time
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from lightboard import colors, errors, types
from lightboard import store as store_
from lightboard.query import health, order
from lightboard.query import tags as tags_
from lightboard.query.runs import annotations as annotations_
from lightboard.query.runs import console, heartbeats, states
from lightboard.query.runs import hparams as hparams_metadata
from lightboard.query.runs import records as run_records

SORTS = ("name", "start_time", "last_time", "duration", "state", "files", "faults")


@dataclasses.dataclass(frozen=True, kw_only=True)
class Runs:
    """Columns, one entry per run. Times are seconds since 1970; None where nothing has been read yet."""

    version: int  # of the store, for the next `since`
    total: int  # runs that match, before `offset` and `limit`
    id: list[int]  # stable while the board runs
    name: list[str]
    start_time: list[float | None]
    last_time: list[float | None]
    duration: list[float | None]  # seconds
    state: list[str]
    files: list[int]
    faults: list[int]
    slot: list[int]  # number of its color, 0 to 47; stays the same when other runs are added or removed
    removed: list[str]  # with `since`: runs that are gone


@dataclasses.dataclass(frozen=True)
class Columns:
    """The list of runs as arrays, parallel to `rows` (rows of the store's run table)."""

    rows: NDArray[np.int64]
    start_time: NDArray[np.float64]
    last_time: NDArray[np.float64]
    state: NDArray[np.int64]  # indices into `states.STATES`
    files: NDArray[np.int64]
    faults: NDArray[np.int64]
    slot: NDArray[np.int64]

    @property
    def duration(self) -> NDArray[np.float64]:
        return self.last_time - self.start_time

    def take(self, keep: NDArray[np.int64] | NDArray[np.bool_]) -> Columns:
        return Columns(*(getattr(self, field.name)[keep] for field in dataclasses.fields(self)))


def columns(store: store_.Store, *, now: float | None = None) -> Columns:
    """Return every run that has a file."""
    with store.lock:
        table = store.runs_table.rows
        rows = np.nonzero(table["files"])[0]
        start, last = table["min_wall"][rows], table["max_wall"][rows]
        files = table["files"][rows].astype(np.int64)
        faults = _faults(store)[rows]
        slot = store.slots_of(rows) % colors.COUNT
    state = states.judge(store, rows, time.time() if now is None else now)
    return Columns(rows, start, last, state, files, faults, slot)


def _faults(store: store_.Store) -> NDArray[np.int64]:
    """Return the bad records per run row; a file that cannot be read at all counts once."""
    files = store.files_table.rows
    bad = np.where(files["alive"] == 1, files["bad_records"], 0).astype(np.float64)
    for file in store.faults:
        bad[file] = max(bad[file], 1.0)
    return np.bincount(files["run"], bad, len(store.runs_table)).astype(np.int64)


def chosen(store: store_.Store, names: tuple[str, ...] | None, filter_: str) -> NDArray[np.int64] | None:
    """Return the rows of the runs requested by name, filter or both; None if neither is given: all of them."""
    return None if names is None and not filter_ else select(store, names, filter_)


def select(store: store_.Store, names: tuple[str, ...] | None, filter_: str) -> NDArray[np.int64]:
    """Return the rows of the named runs (None: all) that pass the filter, in natural order. Unknown names are left
    out."""
    if names is not None:
        with store.lock:
            found = [store.run_row(name) for name in dict.fromkeys(names)]
        rows = np.array([row for row in found if row is not None], np.int64)
        if filter_:
            rows = rows[matching(store, filter_, rows)]
    else:
        with store.lock:
            rows = np.nonzero(store.runs_table.rows["files"])[0]
        if filter_:
            rows = rows[matching(store, filter_, rows)]
    return rows[np.argsort(order.ranks(store, store.run_names, rows), kind="stable")]


def matching(
    store: store_.Store, filter_: str, rows: NDArray[np.int64], *, now: float | None = None
) -> NDArray[np.bool_]:
    """Return which of the runs pass a filter; raises errors.BadFilter with the position of the error."""
    from lightboard.query.runs import filters, table  # imported here: a board without a filter never needs them

    return filters.parse(filter_).mask(table.RunTable(store, rows, now=now), now=now)


def filter_names(store: store_.Store) -> dict[str, list[str]]:
    """Return the tags, labels and hparams that a filter may name."""
    from lightboard.query.runs import table

    runs = table.RunTable(store, np.zeros(0, np.int64))
    return {
        "tags": sorted(runs.tag_names()),
        "labels": list(runs.label_names()),
        "hparams": sorted(runs.hparam_names()),
    }


def listing(
    store: store_.Store,
    *,
    filter_: str = "",
    sort: str = "name",
    offset: int = 0,
    limit: int | None = None,
    since: int = -1,
    now: float | None = None,
) -> Runs:
    """Return runs in the requested order; "-" at the start of `sort` reverses it."""
    with store.lock:
        version = store.version
        removed = _removed(store, since) if since >= 0 else []
    found = columns(store, now=now)
    if since >= 0:
        # Read the versions after the columns: the table may have grown since `version` was read.
        found = found.take(store.runs_table.rows["version"][found.rows] > since)
    if filter_:
        found = found.take(matching(store, filter_, found.rows, now=now))
    found = found.take(_sorting(store, found, sort))
    total = len(found.rows)
    if offset or limit is not None:
        found = found.take(np.arange(offset, total if limit is None else min(total, offset + limit)))
    names = store.run_names
    return Runs(
        version=version,
        total=total,
        id=found.rows.tolist(),
        name=[names[row] for row in found.rows.tolist()],
        start_time=_or_none(found.start_time),
        last_time=_or_none(found.last_time),
        duration=_or_none(found.duration),
        state=[states.STATES[state] for state in found.state.tolist()],
        files=found.files.tolist(),
        faults=found.faults.tolist(),
        slot=found.slot.tolist(),
        removed=removed,
    )


def _removed(store: store_.Store, since: int) -> list[str]:
    table = store.runs_table.rows
    return [store.run_names[row] for row in np.nonzero((table["files"] == 0) & (table["version"] > since))[0].tolist()]


def _sorting(store: store_.Store, found: Columns, sort: str) -> NDArray[np.int64]:
    key, down = sort.removeprefix("-"), sort.startswith("-")
    if key not in SORTS:
        raise errors.BadQuestion(f"parameter `sort` must be one of {', '.join(SORTS)}, not `{key[:60]}`")
    by_name = order.ranks(store, store.run_names, found.rows)
    if key == "name":
        return np.argsort(-by_name if down else by_name, kind="stable")
    values = np.asarray(getattr(found, key), np.float64)
    # Runs without a value are last in either direction.
    values = np.where(np.isnan(values), np.inf, -values if down else values)
    return np.lexsort((by_name, values))


def _or_none(values: NDArray[np.float64]) -> list[float | None]:
    items: list[float | None] = values.tolist()
    for position in np.nonzero(~np.isfinite(values))[0].tolist():
        items[position] = None
    return items


@dataclasses.dataclass(frozen=True)
class File:
    """One event file of a run."""

    path: str
    size: int
    records: int
    bad_records: int
    start_time: float | None
    last_time: float | None
    faults: list[health.FileFault]  # the first hundred


@dataclasses.dataclass(frozen=True)
class Heartbeat:
    """The last sign of life of a run that gives any."""

    time: float
    age: float  # seconds since
    interval_secs: float  # between two of them
    status: Literal["alive", "late", "success", "failure", "signal"]
    signal: int | None  # its number
    detail: str  # for people: the exception, the name of the signal


@dataclasses.dataclass(frozen=True, kw_only=True)
class Run:
    """One run in full."""

    id: int
    name: str
    start_time: float | None
    last_time: float | None
    duration: float | None
    state: str
    faults: int
    files: list[File]
    tags: dict[str, int]  # number of tags by kind
    directory: str  # where its files lie, below the root
    config: dict[str, Any]  # what it was given; hparams where the writer told no more
    metadata: dict[str, Any]  # where it comes from: command, host, user, git, python …
    summary: dict[str, Any]  # what came out, where the writer said it
    about: dict[str, Any]  # name, project, group, tags, notes, where the writer said so
    heartbeat: Heartbeat | None
    console: int  # records of printed output; /api/console has their lines
    annotations: annotations_.Remarks


def detail(store: store_.Store, name: str, *, now: float | None = None) -> Run:
    with store.lock:
        row = store.run_row(name)
        if row is None:
            raise errors.NotFound(
                f"no run is called `{name}`", hint="/api/runs lists them", code="run.unknown", run=name
            )
        found = columns(store, now=now)
        own = found.take(found.rows == row)
        table = store.files_table.rows
        own_files = np.nonzero((table["run"] == row) & (table["alive"] == 1))[0]
        files = [_file(store, file) for file in own_files.tolist()]
        series = store.series_table.rows[store.series_rows(run=name)]
        kinds, counts = np.unique(series["kind"][tags_.shown(store, series["tag"])], return_counts=True)
        tags: dict[str, int] = {}
        for kind, count in zip(kinds.tolist(), counts.tolist(), strict=True):
            word = types.Kind(kind).word
            tags[word] = tags.get(word, 0) + count
    start, last, duration = (_or_none(getattr(own, each))[0] for each in ("start_time", "last_time", "duration"))
    record = dict(run_records.latest(store, name, run_records.CONFIG_TAG))
    config = record.pop("config", None)
    return Run(
        id=row,
        name=name,
        start_time=start,
        last_time=last,
        duration=duration,
        state=states.STATES[int(own.state[0])],
        faults=int(own.faults[0]),
        files=files,
        tags=tags,
        directory=files[0].path.rpartition("/")[0] if files else "",
        config=config if isinstance(config, dict) and config else dict(hparams_metadata.of_runs(store).get(row, {})),
        metadata=run_records.latest(store, name, run_records.RUN_TAG),
        summary=run_records.latest(store, name, run_records.SUMMARY_TAG),
        about={word: each for word, each in record.items() if each},
        heartbeat=_heartbeat(store, row, time.time() if now is None else now),
        console=console.records(store, name),
        annotations=annotations_.remarks(store.annotations.get(name, types.Annotation())),
    )


def _file(store: store_.Store, row: int) -> File:
    file = store.files_table.rows[row]
    start, last = _or_none(np.array([file["min_wall"], file["max_wall"]]))
    faults = [health.file_fault(fault) for fault in store.faults.get(row, ())]
    size, records, bad = (int(file[name]) for name in ("size", "records", "bad_records"))
    return File(store.paths[row], size, records, bad, start, last, faults)


def _heartbeat(store: store_.Store, row: int, now: float) -> Heartbeat | None:
    beating = heartbeats.latest(store)
    found = np.nonzero(beating.runs == row)[0]
    if not len(found):
        return None
    at = int(found[0])
    moment, status = float(beating.time[at]), int(beating.status[at])
    signal = status - heartbeats.SIGNAL if status >= heartbeats.SIGNAL else None
    word: Literal["alive", "late", "success", "failure", "signal"]
    if signal is not None:
        word = "signal"
    elif status == heartbeats.ALIVE:
        word = "alive" if beating.is_alive(now)[at] else "late"
    else:
        word = "success" if status == heartbeats.SUCCESS else "failure"
    said = run_records.latest(store, store.run_names[row], heartbeats.TAG)
    words = [str(said[each]) for each in ("exception", "message", "signal") if said.get(each)]
    return Heartbeat(moment, max(0.0, now - moment), float(beating.interval_secs[at]), word, signal, ": ".join(words))
