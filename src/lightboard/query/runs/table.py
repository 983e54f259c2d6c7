"""The runs as the filter language needs them: columns of the store's tables, fetched when a filter names them."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightboard import store as store_
from lightboard import types
from lightboard.query import derived, tags
from lightboard.query.runs import filters, states
from lightboard.query.runs import hparams as hparams_metadata


class RunTable:
    """Some runs (rows of the store's run table), in that order. Created for one filter and then discarded."""

    def __init__(self, store: store_.Store, rows: NDArray[np.int64], *, now: float | None = None) -> None:
        self._store = store
        self._rows = rows
        self._now = time.time() if now is None else now

    def __len__(self) -> int:
        return len(self._rows)

    def names(self) -> NDArray[Any]:
        return self._names

    @functools.cached_property
    def _names(self) -> NDArray[Any]:
        names = np.empty(len(self._rows), object)
        names[:] = [self._store.run_names[row] for row in self._rows.tolist()]
        return names

    def starts(self) -> NDArray[np.float64]:
        starts: NDArray[np.float64] = self._store.runs_table.rows["min_wall"][self._rows]
        return starts

    def durations(self) -> NDArray[np.float64]:
        table = self._store.runs_table.rows
        durations: NDArray[np.float64] = table["max_wall"][self._rows] - table["min_wall"][self._rows]
        return durations

    def statuses(self) -> NDArray[Any]:
        judged = states.judge(self._store, self._rows, self._now)
        return np.array(states.STATES, object)[judged]

    def has(self, tag: str) -> NDArray[np.bool_]:
        present = np.zeros(len(self._store.runs_table), np.bool_)
        with self._store.lock:
            rows = self._store.series_rows(tag=tag)
            present[self._store.series_table.rows["run"][rows]] = True
        found: NDArray[np.bool_] = present[self._rows]
        return found

    def has_any(self, tags: Collection[str]) -> NDArray[np.bool_]:
        store = self._store
        present = np.zeros(len(store.runs_table), np.bool_)
        with store.lock:
            wanted = np.zeros(len(store.tag_names), np.bool_)
            wanted[[number for tag in tags if (number := store.tag_names.number(tag)) is not None]] = True
            cells = store.series_table.rows[store.series_rows()]
            present[cells["run"][wanted[cells["tag"]]]] = True
        found: NDArray[np.bool_] = present[self._rows]
        return found

    def tag_names(self) -> Sequence[str]:
        with self._store.lock:
            found = np.unique(self._store.series_table.rows["tag"][self._store.series_rows()])
            found = found[tags.shown(self._store, found)]
            return [self._store.tag_names[tag] for tag in found.tolist()]

    def metric(self, func: filters.Metric, tag: str) -> NDArray[np.float64]:
        values = np.full(len(self._store.runs_table), np.nan)
        if derived.is_derived(self._store, tag):
            rows, stats = derived.summaries(self._store, tag, self._rows)
            values[rows] = stats[func]
            computed: NDArray[np.float64] = values[self._rows]
            return computed
        with self._store.lock:
            rows = self._store.series_rows(types.Kind.SCALARS, tag=tag)
            if len(rows):
                values[self._store.series_table.rows["run"][rows]] = self._store.stats(rows)[func]
        found: NDArray[np.float64] = values[self._rows]
        return found

    def hparam(self, name: str) -> NDArray[Any]:
        known = self._hparams
        column = np.empty(len(self._rows), object)
        column[:] = [known[row].get(name) if row in known else None for row in self._rows.tolist()]
        return column

    def titles(self) -> NDArray[Any]:
        titled = {place: said.name for place, said in self._annotations.items() if said.name is not None}
        if not titled:
            return self._names
        titles: NDArray[Any] = self._names.copy()
        titles[list(titled)] = list(titled.values())
        return titles

    def notes(self) -> NDArray[Any]:
        notes = np.full(len(self._rows), None, object)
        for place, said in self._annotations.items():
            notes[place] = said.note
        return notes

    def archived(self) -> NDArray[np.bool_]:
        return self._said(lambda said: said.archived)

    def labelled(self, labels: Collection[str]) -> NDArray[np.bool_]:
        wanted = set(labels)
        return self._said(lambda said: not wanted.isdisjoint(said.tags))

    def label_names(self) -> Sequence[str]:
        return sorted({label for said in self._store.annotations.values() for label in said.tags})

    def _said(self, test: Callable[[types.Annotation], bool]) -> NDArray[np.bool_]:
        found = np.zeros(len(self._rows), np.bool_)
        found[[place for place, said in self._annotations.items() if test(said)]] = True
        return found

    @functools.cached_property
    def _annotations(self) -> dict[int, types.Annotation]:
        """Return annotations by index; few runs have any, and some annotations are about removed runs."""
        with self._store.lock:
            place = np.full(len(self._store.runs_table), -1, np.int64)
            place[self._rows] = np.arange(len(self._rows))
            pairs = [(self._store.run_row(run), said) for run, said in self._store.annotations.items()]
            return {int(place[row]): said for row, said in pairs if row is not None and place[row] >= 0}

    def hparam_names(self) -> Collection[str]:
        return {name for found in self._hparams.values() for name in found}

    @functools.cached_property
    def _hparams(self) -> dict[int, dict[str, hparams_metadata.Value]]:
        return hparams_metadata.of_runs(self._store)
