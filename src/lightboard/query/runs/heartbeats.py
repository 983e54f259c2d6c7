"""Heartbeats: the status of runs, computed without reading a value.

`lightboard.sdk.heartbeat` writes a tiny record every few seconds and a last one when the run ends. Everything that a
board needs to know about 100,000 runs is in the *step* of the last record, which the chunk tables hold anyway:

    step = seconds since 1970 × 1024 + status        status 0: alive, 1: success, 2: an exception, 512 + n: signal n

The interval between beats is the metadata's content, `{"interval_secs": 30.0}`.
"""

from __future__ import annotations

import dataclasses
import json

import numpy as np
from numpy.typing import NDArray

from lightboard import store as store_

TAG = "_lightboard_/heartbeat"
STATUS_RANGE = 1024
ALIVE, SUCCESS, FAILURE, SIGNAL = 0, 1, 2, 512
INTERRUPTED = SIGNAL + 2  # Ctrl-C: the user ended the run
DEFAULT_INTERVAL_SECS = 30.0
# The number of beats that may be missed: a machine under load is late, and clocks of two machines differ a little.
MISSED_BEATS = 3


@dataclasses.dataclass(frozen=True)
class Heartbeats:
    """Columns, one entry per run that has heartbeats."""

    runs: NDArray[np.int64]  # rows of the run table
    time: NDArray[np.int64]  # time of the last heartbeat, seconds since 1970
    status: NDArray[np.int64]
    interval_secs: NDArray[np.float64]

    @property
    def ended(self) -> NDArray[np.bool_]:
        ended: NDArray[np.bool_] = self.status != ALIVE
        return ended

    @property
    def failed(self) -> NDArray[np.bool_]:
        failed: NDArray[np.bool_] = (self.status > SUCCESS) & (self.status != INTERRUPTED)
        return failed

    def is_alive(self, now: float) -> NDArray[np.bool_]:
        alive: NDArray[np.bool_] = (self.status == ALIVE) & (now - self.time <= MISSED_BEATS * self.interval_secs)
        return alive


def latest(store: store_.Store) -> Heartbeats:
    """Return the last heartbeat of each run that has any."""
    with store.lock:
        if store.tag_names.number(TAG) is None:
            none = np.zeros(0, np.int64)
            return Heartbeats(none, none, none, none.astype(np.float64))
        rows = store.series_rows(tag=TAG)
        table = store.series_table.rows
        steps = store.stats(rows)["last_step"].astype(np.int64)
        numbers, places = np.unique(table["metadata"][rows], return_inverse=True)
        intervals = [_interval(store.metadata[row].content if row >= 0 else b"") for row in numbers.tolist()]
        runs = table["run"][rows].astype(np.int64)
    secs = np.array(intervals, np.float64)[places.reshape(-1)]
    return Heartbeats(runs, steps // STATUS_RANGE, steps % STATUS_RANGE, secs)


def _interval(content: bytes) -> float:
    try:
        secs = float(json.loads(content)["interval_secs"])
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
        return DEFAULT_INTERVAL_SECS
    return secs if 0 < secs < 1e9 else DEFAULT_INTERVAL_SECS
