"""What a run tells about itself in records of `lightboard.init`: where it comes from, what it was given, what came out.

    _lightboard_/run       once: command line, versions, git, machine
    _lightboard_/config    each time it changes: {"name", "project", "group", "tags", "notes", "config"}
    _lightboard_/summary   at the end: what came out

They are JSON texts in the event file, read when somebody asks and kept until the series grows.
"""

from __future__ import annotations

import json
import weakref
from typing import Any

from lightboard import errors, types
from lightboard import store as store_

RUN_TAG, CONFIG_TAG, SUMMARY_TAG = "_lightboard_/run", "_lightboard_/config", "_lightboard_/summary"

# By series row: the version it was read at, and the record. A dictionary takes one item or is asked for one at a time,
# so no lock is needed; at worst a record is read twice.
_cache: weakref.WeakKeyDictionary[store_.Store, dict[int, tuple[int, dict[str, Any]]]] = weakref.WeakKeyDictionary()


def latest(store: store_.Store, run: str, tag: str) -> dict[str, Any]:
    """The last record of a run; nothing where there is none or where it cannot be read."""
    series = store.series(run, tag)
    return {} if series is None else latest_of(store, series.row)


def latest_of(store: store_.Store, row: int) -> dict[str, Any]:
    """The same by row of the series table."""
    known = _cache.setdefault(store, {})
    version = int(store.series_table.rows["version"][row])
    found = known.get(row)
    if found is None or found[0] != version:
        try:
            record = _decoded(store_.Series(store, row).tensor(-1))
        except (errors.LightboardError, OSError, IndexError):
            return {}  # gone for the moment; the next question tries again
        found = known[row] = version, record
    return found[1]


def _decoded(value: types.Tensor) -> dict[str, Any]:
    try:
        record = json.loads((value.strings or (b"",))[0])
    except (ValueError, RecursionError):
        return {}
    return record if isinstance(record, dict) else {}
