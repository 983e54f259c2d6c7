"""Tags per kind, with the number of runs that have each."""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import NDArray

from lightboard import store as store_
from lightboard import types
from lightboard.query import order


@dataclasses.dataclass(frozen=True)
class TagColumns:
    """Columns, one entry per tag, in natural order; the three maps only name the tags that have one."""

    tag: list[str]
    runs: list[int]  # how many runs have it
    display_name: dict[str, str]
    description: dict[str, str]  # Markdown, as the writer gave it
    plugin: dict[str, str]  # kind `tensors` only: the plugin the tag was written for


@dataclasses.dataclass(frozen=True)
class Tags:
    version: int
    kinds: dict[str, TagColumns]


def listing(
    store: store_.Store, *, run: str | None = None, runs: NDArray[np.int64] | None = None, since: int = -1
) -> Tags:
    """`runs`: count only these rows of the run table. `since`: only tags with a series that changed after it."""
    with store.lock:
        version = store.version
        rows = store.series_rows(run=run, since=since)
        if runs is not None:
            rows = rows[np.isin(store.series_table.rows["run"][rows], runs)]
        cells = store.series_table.rows[rows]
        kinds = np.where(cells["kind"] == types.Kind.UNTYPED, types.Kind.TENSORS, cells["kind"])
        return Tags(
            version,
            {
                types.Kind(kind).word: _columns(store, cells[kinds == kind], types.Kind(kind))
                for kind in np.unique(kinds).tolist()
            },
        )


def _columns(store: store_.Store, cells: NDArray[np.void], kind: types.Kind) -> TagColumns:
    tags, firsts, counts = np.unique(cells["tag"], return_index=True, return_counts=True)
    sorting = np.argsort(order.ranks(store.tag_names, tags.astype(np.int64)))
    names = [store.tag_names[row] for row in tags[sorting].tolist()]
    display, description, plugin = {}, {}, {}
    for name, meta in zip(names, cells["metadata"][firsts[sorting]].tolist(), strict=True):
        if meta < 0:
            continue
        metadata = store.metadata[meta]
        if metadata.display_name and metadata.display_name != name:
            display[name] = metadata.display_name
        if metadata.description:
            description[name] = metadata.description
        if kind is types.Kind.TENSORS and metadata.plugin:
            plugin[name] = metadata.plugin
    return TagColumns(names, counts[sorting].tolist(), display, description, plugin)
