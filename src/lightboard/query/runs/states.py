"""The state of a run: running, idle, finished or crashed, determined by its heartbeats and its last event."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lightboard import store as store_
from lightboard.query.runs import heartbeats, hparams

# Limits for the age of the last event. Epochs of several minutes are common, pauses of an hour are rare.
RUNNING_SECS = 180.0
IDLE_SECS = 3600.0

STATES = ("running", "idle", "finished", "empty", "crashed")


def judge(store: store_.Store, rows: NDArray[np.int64], now: float) -> NDArray[np.int64]:
    """Return indices into STATES, by the run's heartbeats. Without any: by the age of the last event, unless the writer
    stated that the run has ended."""
    age = now - store.runs_table.rows["max_wall"][rows]
    judged = np.where(np.isnan(age), 3, np.where(age <= RUNNING_SECS, 0, np.where(age <= IDLE_SECS, 1, 2)))
    judged[np.isin(rows, hparams.ended(store))] = STATES.index("finished")
    beating = heartbeats.latest(store)
    if len(beating.runs):
        said = np.full(len(store.runs_table), -1, np.int64)
        said[beating.runs] = np.select(
            [beating.failed, beating.ended, beating.is_alive(now)],
            [STATES.index("crashed"), STATES.index("finished"), STATES.index("running")],
            STATES.index("crashed"),
        )
        judged = np.where(said[rows] >= 0, said[rows], judged)
    return judged
