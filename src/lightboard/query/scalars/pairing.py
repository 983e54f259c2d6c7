"""Any metric as the x axis: each point of a series paired with another series of the same run.

A point gets the x that was logged at its own step, or else the last one before it. Points before the first x have
none. Series of a run that does not have the metric are left out.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lightboard import store as store_
from lightboard import types
from lightboard.store import placement


def with_metric(
    store: store_.Store,
    rows: NDArray[np.int64],
    placed: placement.Placement,
    tag: str,
    rewinds: types.Rewinds,
) -> tuple[NDArray[np.int64], placement.Placement]:
    """Return which series have a run with the metric (positions in `rows`), and these series, each with its own x
    values: NaN for points before the first x."""
    with store.lock:
        metric = store.series_rows(types.Kind.SCALARS, tag=tag)
        by_run = np.full(len(store.runs_table), -1, np.int64)
        by_run[store.series_table.rows["run"][metric]] = metric
        partner = by_run[store.series_table.rows["run"][rows]]
    keep = np.nonzero(partner >= 0)[0]
    partner = partner[keep]
    table = placed.table[keep]
    buffers = list(placed.buffers)
    known: dict[int, tuple[NDArray[np.int64], NDArray[np.float64]]] = {}  # several tags share one x
    for position, other in enumerate(partner.tolist()):
        if other not in known:
            points = store_.Series(store, other).points(rewinds)
            by_step = np.argsort(points.steps, kind="stable")
            known[other] = points.steps[by_step], points.values[by_step].astype(np.float64)
        buffer, at = table[position, placement.STEPS : placement.STEPS + 2].tolist()
        steps = np.frombuffer(buffers[buffer], np.int64, int(table[position, placement.COUNT]), at)
        table[position, placement.OWN_X] = len(buffers)
        buffers.append(placement.as_bytes(paired(steps, *known[other])))
    return keep, placement.Placement(buffers, table)


def paired(steps: NDArray[np.int64], x_steps: NDArray[np.int64], x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the x of each step: the one at that step (the last of several), else the last before it, else NaN."""
    at = np.searchsorted(x_steps, steps, "right") - 1
    found = np.full(len(steps), np.nan)
    found[at >= 0] = x[at[at >= 0]]
    return found
