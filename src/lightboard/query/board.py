"""The board as a whole: counts and how far loading has come."""

from __future__ import annotations

import dataclasses

import numpy as np

from lightboard import store as store_
from lightboard import types
from lightboard.query import changes


@dataclasses.dataclass(frozen=True)
class Counts:
    runs: int
    files: int
    series: int
    points: int
    tags: dict[str, int]  # by kind


@dataclasses.dataclass(frozen=True)
class Summary:
    version: int
    progress: types.Progress
    counts: Counts
    faults: int


def summary(store: store_.Store) -> Summary:
    with store.lock:
        series = store.series_table.rows[store.series_rows()]
        kinds = np.where(series["kind"] == types.Kind.UNTYPED, types.Kind.TENSORS, series["kind"]).astype(np.int64)
        pairs = np.unique((kinds << 32) | series["tag"])
        found, tags = np.unique(pairs >> 32, return_counts=True)
        files = store.files_table.rows["alive"] == 1
        chunks = store.chunks_table.rows
        counts = Counts(
            int(np.count_nonzero(store.runs_table.rows["files"])),
            int(np.count_nonzero(files)),
            len(series),
            int(chunks["n"][chunks["dead"] == 0].sum()),  # dead: its file has gone, or it was merged into another
            {types.Kind(kind).word: count for kind, count in zip(found.tolist(), tags.tolist(), strict=True)},
        )
        return Summary(store.version, store.progress, counts, changes.count_faults(store))
