"""The changes since a version of the store."""

from __future__ import annotations

import dataclasses
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from lightboard import store as store_
from lightboard import types
from lightboard.store import row_types

# If there are more names, a message says "all": the client would request everything anyway.
MAX_RUNS = 500
MAX_TAGS = 500


@dataclasses.dataclass(frozen=True)
class Changes:
    version: int
    progress: types.Progress
    runs: list[str] | Literal["all"]
    tags: dict[str, list[str] | Literal["all"]]  # by kind
    faults: int  # in total, not only new ones
    annotations: bool  # an annotation of a run has changed
    views: bool  # a view was saved or deleted


def since(store: store_.Store, version: int | None) -> Changes:
    """Return all changes after `version`; everything if it is None or newer than the store's version."""
    with store.lock:
        now, progress = store.version, progress_of(store)
        faults = count_faults(store)
        if version is None or version > now:
            known = np.nonzero(np.bincount(store.series_table.rows["kind"]))[0]
            every: dict[str, list[str] | Literal["all"]] = {_word(kind): "all" for kind in known.tolist()}
            return Changes(now, progress, "all", every | _beside(store, -1), faults, True, True)
        # Use masks: sorting a million numbers to find a few takes a second.
        of_runs = store.runs_table.rows["version"] > version
        table = store.series_table.rows
        changed = np.nonzero((table["version"] > version) & (table["first_chunk"] >= 0))[0]
        kinds, tags = table["kind"][changed], table["tag"][changed]
        # If a series grows, its run has changed too, even if the writer did not update the run's row.
        of_runs[table["run"][changed]] = True
        runs = _names(store.run_names, of_runs, MAX_RUNS)
        by_kind: dict[str, list[str] | Literal["all"]] = {}
        for kind in np.nonzero(np.bincount(kinds))[0].tolist():
            of_tags = np.zeros(len(store.tag_names), np.bool_)
            of_tags[tags[kinds == kind]] = True
            by_kind[_word(kind)] = _names(store.tag_names, of_tags, MAX_TAGS)
        said, saved = store.annotations_version > version, store.views_version > version
        return Changes(now, progress, runs, by_kind | _beside(store, version), faults, said, saved)


def _names(names: row_types.Strings, chosen: NDArray[np.bool_], most: int) -> list[str] | Literal["all"]:
    rows = np.nonzero(chosen)[0]
    return [names[row] for row in rows.tolist()] if len(rows) <= most else "all"


def _beside(store: store_.Store, version: int) -> dict[str, list[str] | Literal["all"]]:
    """Return the kinds of companions that were added, changed or removed."""
    return {kind: "all" for kind, changed in store.companions_versions.items() if changed > max(version, 0)}


def progress_of(store: store_.Store) -> types.Progress:
    """Return the progress of loading, including the number of runs."""
    with store.lock:
        files, total = store.files_table.rows, int(np.count_nonzero(store.runs_table.rows["files"]))
        unread = 0
        if not store.progress.done:
            waiting = (files["alive"] == 1) & (files["offset"] < files["size"])
            unread = int(np.count_nonzero(np.bincount(files["run"][waiting]))) if waiting.any() else 0
        return dataclasses.replace(store.progress, runs_read=total - unread, runs_total=total)


def count_faults(store: store_.Store) -> int:
    """Return the number of bad records in all existing files; a file that cannot be opened counts once."""
    files = store.files_table.rows
    bad = int(files["bad_records"][files["alive"] == 1].sum())
    return bad + sum(1 for file in store.faults if files["bad_records"][file] == 0)


def _word(kind: int) -> str:
    return types.Kind(kind).word
