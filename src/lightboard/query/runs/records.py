"""Records of `lightboard.init` in which a run describes itself: its origin, its configuration and its results.

    _lightboard_/run       once: command line, versions, git, machine
    _lightboard_/config    each time it changes: {"name", "project", "group", "tags", "notes", "config"}
    _lightboard_/summary   at the end: the results

They are JSON texts in the event file, read on request and cached until the series grows.
"""

from __future__ import annotations

import json
import threading
from typing import Any

from lightboard import errors, types
from lightboard import store as store_

RUN_TAG, CONFIG_TAG, SUMMARY_TAG = "_lightboard_/run", "_lightboard_/config", "_lightboard_/summary"


class _Records:
    """State: by series row the version at which it was read, and the record. `lock` guards the dictionary and is not
    held while a record is read; at worst two threads read the same one."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.by_row: dict[int, tuple[int, dict[str, Any]]] = {}


def latest(store: store_.Store, run: str, tag: str) -> dict[str, Any]:
    """Return the last record of a run; an empty one if there is none or it cannot be read."""
    series = store.series(run, tag)
    return {} if series is None else latest_of(store, series.row)


def latest_of(store: store_.Store, row: int) -> dict[str, Any]:
    """The same by row of the series table."""
    records = store.cache.state(_Records)
    version = int(store.series_table.rows["version"][row])
    with records.lock:
        known = records.by_row.get(row)
    if known is not None and known[0] == version:
        return known[1]
    try:
        record = _decoded(store_.Series(store, row).tensor(-1))
    except (errors.LightboardError, OSError, IndexError):
        return {}  # cannot be read now; the next request retries
    with records.lock:
        records.by_row[row] = version, record
    return record


def _decoded(value: types.Tensor) -> dict[str, Any]:
    try:
        record = json.loads((value.strings or (b"",))[0])
    except (ValueError, RecursionError):
        return {}
    return record if isinstance(record, dict) else {}
