"""Tags per kind, with the number of runs that have each.

Tags below `_lightboard_/` are records of Lightboard's own writer about a run (heartbeats, console, command line). They
are left out of lists unless requested.
"""

from __future__ import annotations

import collections
import dataclasses
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightboard import store as store_
from lightboard import types
from lightboard.query import order
from lightboard.store import row_types

HIDDEN_PREFIX = "_lightboard_/"


class _Hidden:
    """State: `mask` has by tag number which tags are hidden, for the names checked so far. It is replaced as a whole,
    under the store's lock."""

    def __init__(self) -> None:
        self.mask = np.zeros(0, np.bool_)


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
    store: store_.Store,
    *,
    run: str | None = None,
    runs: NDArray[np.int64] | None = None,
    since: int = -1,
    hidden: bool = False,
) -> Tags:
    """`runs`: count only these rows of the run table. `since`: only tags with a series that changed after this version,
    counted in full. `hidden`: include Lightboard's own tags."""
    with store.lock:
        version = store.version
        rows = store.series_rows(run=run)
        if runs is not None:
            wanted = np.zeros(len(store.runs_table), np.bool_)
            wanted[runs] = True
            rows = rows[wanted[store.series_table.rows["run"][rows]]]
        counts = count(store, rows, hidden=hidden)
        if since >= 0:
            changed = count(store, rows[store.series_table.rows["version"][rows] > since], hidden=hidden)
            counts = {kind: np.where(changed[kind] > 0, counts[kind], 0) for kind in counts if kind in changed}
        firsts = {kind: _first_metadata(store, rows, kind) for kind in counts}
        beside = _beside(store, run, runs) if store.companions_versions.get("projector", 0) > max(since, 0) else {}
        metadata = store.metadata
    # Names and metadata are append-only, so they are read without the lock.
    found = {kind.word: _columns(store, metadata, counts[kind], firsts[kind], kind) for kind in counts}
    return Tags(version, found | beside)


def _beside(store: store_.Store, run: str | None, runs: NDArray[np.int64] | None) -> dict[str, TagColumns]:
    """Return the tags that companions name. Their runs may have no event files; only a filter on runs excludes such a
    run."""
    from lightboard.query.projector import config as projector_config  # imported here: most boards have no embeddings

    wanted = None if runs is None else {store.run_names[row] for row in runs.tolist()}
    known = set(store.runs()) if wanted is not None else set()
    counted: collections.Counter[str] = collections.Counter()
    for of_run, name in dict.fromkeys(projector_config.names(store)):
        if (run is None or run == of_run) and (wanted is None or of_run in wanted or of_run not in known):
            counted[name] += 1
    names = sorted(counted, key=order.natural_key)
    columns = TagColumns(names, [counted[name] for name in names], {}, {}, {})
    return {projector_config.KIND: columns} if names else {}


def count(store: store_.Store, rows: NDArray[np.int64], *, hidden: bool = False) -> dict[types.Kind, NDArray[np.int64]]:
    """Return the number of series of each tag, by kind. Untyped ones count as tensors."""
    kinds, tags = _kinds(store, rows), store.series_table.rows["tag"][rows]
    total = len(store.tag_names)
    found: dict[types.Kind, NDArray[np.int64]] = {}
    for kind in row_types.distinct(kinds).tolist():
        counts = np.bincount(tags[kinds == kind], minlength=total)
        if not hidden:
            counts *= shown(store, np.arange(total))
        if counts.any():
            found[types.Kind(kind)] = counts
    return found


def shown(store: store_.Store, tags: NDArray[np.integer[Any]]) -> NDArray[np.bool_]:
    """Return which of the tags (by number) are not hidden. Each name is checked once."""
    with store.lock:
        hidden = store.cache.state(_Hidden)
        mask = hidden.mask
        if len(mask) < len(store.tag_names):
            fresh = [name.startswith(HIDDEN_PREFIX) for name in store.tag_names.tail(len(mask))]
            mask = hidden.mask = np.concatenate([mask, np.array(fresh, np.bool_)])
    answer: NDArray[np.bool_] = ~mask[tags]
    return answer


def _kinds(store: store_.Store, rows: NDArray[np.int64]) -> NDArray[np.uint8]:
    kinds: NDArray[np.uint8] = store.series_table.rows["kind"][rows]
    kinds[kinds == types.Kind.UNTYPED] = types.Kind.TENSORS
    return kinds


def _first_metadata(store: store_.Store, rows: NDArray[np.int64], kind: types.Kind) -> NDArray[np.int64]:
    """Return the metadata row of the first series of each tag."""
    firsts = np.full(len(store.tag_names), -1, np.int64)
    # Assigned in reverse order, so that the first series wins.
    backwards = rows[_kinds(store, rows) == kind][::-1]
    table = store.series_table.rows
    firsts[table["tag"][backwards]] = table["metadata"][backwards]
    return firsts


def _columns(
    store: store_.Store,
    metadata: list[types.Metadata],
    counts: NDArray[np.int64],
    metadata_rows: NDArray[np.int64],
    kind: types.Kind,
) -> TagColumns:
    tags = np.nonzero(counts)[0]
    tags = tags[np.argsort(order.ranks(store, store.tag_names, tags))]
    every = store.tag_names.tail()
    names = [every[row] for row in tags.tolist()]
    rows = metadata_rows[tags]
    display, description, plugin = {}, {}, {}
    for place in np.nonzero(np.isin(rows, _with_details(metadata, rows)))[0].tolist():
        name, details = names[place], metadata[rows[place]]
        if details.display_name and details.display_name != name:
            display[name] = details.display_name
        if details.description:
            description[name] = details.description
        if kind is types.Kind.TENSORS and details.plugin:
            plugin[name] = details.plugin
    return TagColumns(names, counts[tags].tolist(), display, description, plugin)


def _with_details(metadata: list[types.Metadata], rows: NDArray[np.int64]) -> list[int]:
    """Return the metadata rows with a display name, description or plugin; most tags share a row that has none."""
    known = row_types.distinct(rows[rows >= 0]).tolist()
    return [row for row in known if metadata[row].display_name or metadata[row].description or metadata[row].plugin]
