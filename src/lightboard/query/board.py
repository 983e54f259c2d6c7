"""The board as a whole: counts and the progress of loading."""

from __future__ import annotations

import dataclasses

import numpy as np

from lightboard import sources, types
from lightboard import store as store_
from lightboard.query import changes, tags
from lightboard.query.runs import hparams as hparams_metadata
from lightboard.store import row_types


@dataclasses.dataclass(frozen=True)
class Counts:
    runs: int
    files: int
    series: int
    points: int
    tags: dict[str, int]  # by kind


@dataclasses.dataclass(frozen=True)
class Unshown:
    """Files that were found, but that no page shows."""

    kind: str  # of the rule in `sources.py`
    runs: int  # how many runs have such files


@dataclasses.dataclass(frozen=True)
class Summary:
    version: int
    progress: types.Progress
    counts: Counts
    faults: int
    unshown: list[Unshown]


def summary(store: store_.Store) -> Summary:
    with store.lock:
        rows = store.series_rows()
        counted = tags.count(store, rows)
        files = store.files_table.rows["alive"] == 1
        chunks = store.chunks_table.rows
        counts = Counts(
            int(np.count_nonzero(store.runs_table.rows["files"])),
            int(np.count_nonzero(files)),
            len(rows),
            int(chunks["n"][chunks["dead"] == 0].sum()),  # dead: its file was removed, or it was merged
            _count_hparams(store)
            | {kind.word: int(np.count_nonzero(counts)) for kind, counts in counted.items()}
            | _beside(store),
        )
        faults, unshown = changes.count_faults(store), _unshown(store)
        return Summary(store.version, changes.progress_of(store), counts, faults, unshown)


def _unshown(store: store_.Store) -> list[Unshown]:
    shown = {rule.kind for rule in sources.RULES if rule.shown}
    return [Unshown(kind, runs) for kind, runs in store.count_source_runs().items() if kind not in shown]


def _count_hparams(store: store_.Store) -> dict[str, int]:
    """Return the number of hparams tags, including configurations in texts; 1 if only files beside the events have
    hparams."""
    cells = store.series_table.rows[hparams_metadata.hparams_series_rows(store)]
    tags_of = cells["tag"][(cells["kind"] == types.Kind.TEXT) | (cells["kind"] == types.Kind.HPARAMS)]
    found = len(row_types.distinct(tags_of))
    found = found or int(any(each.kind == "hparams" for each in store.companions))
    return {types.Kind.HPARAMS.word: found} if found else {}


def _beside(store: store_.Store) -> dict[str, int]:
    if not store.companions:
        return {}
    from lightboard.query.projector import config as projector_config  # imported here: most boards have no embeddings

    names = {name for _, name in projector_config.names(store)}
    return {projector_config.KIND: len(names)} if names else {}
