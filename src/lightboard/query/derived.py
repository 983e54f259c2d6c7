"""Curves of metric expressions, computed from the scalars in the store.

derived.find(store, tag, runs)   the runs that have every metric of the expression, each as a `Derived`
Derived.points()                 as `store.Series.points`, computed on first use and cached
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightboard import errors, types
from lightboard import store as store_
from lightboard.query import expressions, order, series

# Limits of one request.
MAX_RUNS = 20_000
MAX_POINTS = 40_000_000

# Cached because a slider, a tooltip and a table request the same curves. Dropped when the store changes.
_CURVES = store_.Share("expressions", 64 << 20, one_version=True)


@dataclasses.dataclass(frozen=True)
class Derived:
    """The curve of an expression in one run."""

    store: store_.Store
    expression: expressions.Expression
    tag: str  # the text of the expression, as it was asked for
    row: int  # of the series table: the first metric of the expression in this run

    @property
    def run(self) -> str:
        return store_.Series(self.store, self.row).run

    def points(self, rewinds: types.Rewinds = types.Rewinds.LATEST) -> store_.Points:
        key = (self.expression, self.row, rewinds)
        return self.store.cache.get(
            _CURVES, key, lambda: self._compute(rewinds), version=self.store.version, size=lambda made: 24 * len(made)
        )

    def _compute(self, rewinds: types.Rewinds) -> store_.Points:
        own = self.run

        def read(run: str | None, tag: str) -> expressions.Curve:
            points = series.find(self.store, types.Kind.SCALARS, own if run is None else run, tag).points(rewinds)
            return expressions.Curve(points.steps, points.wall_times, points.values.astype(np.float64))

        curve = self.expression.curve(read)
        return store_.Points(curve.steps, curve.wall_times, curve.values)


def is_derived(store: store_.Store, tag: str) -> bool:
    """Return whether a tag is an expression; a logged tag of the same name comes first."""
    return expressions.is_expression(tag) and store.tag_names.number(tag) is None


def parse(store: store_.Store, text: str) -> expressions.Expression:
    names = store.tag_names
    few = names.tail(0) if len(names) <= expressions.MAX_COMPARED else ()
    return expressions.parse(text, lambda name: names.number(name) is not None, few)


def find(
    store: store_.Store, tag: str, runs: NDArray[np.int64] | None = None, *, since: int = -1, most: int | None = None
) -> list[Derived]:
    """Return the curves in these runs (rows of the run table; None: all, in natural order). `since`: a metric of the
    expression changed after that version."""
    expression = parse(store, tag)
    most = MAX_RUNS if most is None else min(most, MAX_RUNS)
    with store.lock:
        operands, fixed = _operands(store, expression)
        if fixed is None:
            return []
        if runs is None:
            have = np.nonzero((operands >= 0).all(axis=0))[0]
            runs = have[np.argsort(order.ranks(store, store.run_names, have))]
        rows = operands[:, runs]
        rows = rows[:, (rows >= 0).all(axis=0)]
        everything = np.concatenate([rows, np.broadcast_to(fixed[:, np.newaxis], (len(fixed), rows.shape[1]))])
        if since >= 0:
            changed = (store.series_table.rows["version"][everything].astype(np.int64) > since).any(axis=0)
            rows, everything = rows[:, changed], everything[:, changed]
    if rows.shape[1] > most:
        raise errors.BadInput(
            f"an expression in {rows.shape[1]} runs", hint=f"choose at most {most} runs", code="request.too_large"
        )
    if int(store.stats(everything.ravel())["n"].sum()) > MAX_POINTS:
        raise errors.BadInput(
            f"the expression needs more than {MAX_POINTS} points", hint="choose fewer runs", code="request.too_large"
        )
    return [Derived(store, expression, tag, row) for row in rows[0].tolist()]


def maybe_one(store: store_.Store, run: str, tag: str) -> store_.Series | Derived | None:
    """Return the scalars of a tag, or the curve of an expression, in one run."""
    if not is_derived(store, tag):
        return series.maybe_find(store, types.Kind.SCALARS, run, tag)
    row = store.run_row(run)
    found = [] if row is None else find(store, tag, np.array([row], np.int64))
    return found[0] if found else None


def _operands(
    store: store_.Store, expression: expressions.Expression
) -> tuple[NDArray[np.int64], NDArray[np.int64] | None]:
    """Return the series of each metric by run (-1: the run does not have it), and the series in named runs (None: one
    of these does not exist). The caller holds the lock."""
    own: list[NDArray[np.int64]] = []
    fixed: list[int] = []
    for run, tag in expression.operands():
        if run is not None:
            found = series.maybe_find(store, types.Kind.SCALARS, run, tag)
            if found is None:
                return np.zeros((0, 0), np.int64), None
            fixed.append(found.row)
            continue
        rows = store.series_rows(types.Kind.SCALARS, tag=tag)
        by_run = np.full(len(store.runs_table), -1, np.int64)
        by_run[store.series_table.rows["run"][rows]] = rows
        own.append(by_run)
    return np.array(own), np.array(fixed, np.int64)


def summaries(
    store: store_.Store, tag: str, runs: NDArray[np.int64] | None = None
) -> tuple[NDArray[np.int64], dict[str, NDArray[Any]]]:
    """Return rows of the run table, and first, last, min, max, last_step and n of the curve in each, as `Store.stats`.
    Must be called without the store's lock: it may wait for the follower, which needs it."""
    found = find(store, tag, runs)
    stats = [store_.stats_of(each.points()) for each in found]
    names = ("first", "last", "min", "max", "last_step", "n")
    whole = ("last_step", "n")
    columns = {
        name: np.array([getattr(each, name) for each in stats], np.int64 if name in whole else np.float64)
        for name in names
    }
    rows = np.array([each.row for each in found], np.int64)
    return store.series_table.rows["run"][rows].astype(np.int64), columns
