"""Tags per kind, with the number of runs that have each.

Tags below `_lightboard_/` hold what Lightboard's own writer tells about a run (heartbeats, console, command line). They
are left out of lists unless somebody asks for them.
"""

from __future__ import annotations

import collections
import dataclasses
import weakref
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightboard import store as store_
from lightboard import types
from lightboard.query import order

HIDDEN_PREFIX = "_lightboard_/"

# Which tags of a store are hidden, by tag number, as far as names have been looked at. Changed under the store's lock.
_hidden: weakref.WeakKeyDictionary[store_.Store, NDArray[np.bool_]] = weakref.WeakKeyDictionary()


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
    """`runs`: count only these rows of the run table. `since`: only tags with a series that changed after it, counted
    in full. `hidden`: also those of Lightboard's own."""
    with store.lock:
        version = store.version
        rows = store.series_rows(run=run)
        if runs is not None:
            wanted = np.zeros(len(store.runs_table), np.bool_)
            wanted[runs] = True
            rows = rows[wanted[store.series_table.rows["run"][rows]]]
        counts = count(store, rows, hidden=hidden)
        if since >= 0:
            changed = rows[store.series_table.rows["version"][rows] > since]
            counts[count(store, changed, hidden=hidden) == 0] = 0
        kinds = np.nonzero(counts.any(axis=1))[0].tolist()
        firsts = _first_metadata(store, rows, counts.shape)
        found = {types.Kind(kind).word: _columns(store, counts[kind], firsts[kind], types.Kind(kind)) for kind in kinds}
        if store.companions_versions.get("projector", 0) > max(since, 0):
            found |= _beside(store, run, runs)
        return Tags(version, found)


def _beside(store: store_.Store, run: str | None, runs: NDArray[np.int64] | None) -> dict[str, TagColumns]:
    """What companions name. A run of theirs may have no event file: it is left out only where others are named."""
    from lightboard.query import projector_config  # most boards have none

    wanted = None if runs is None else {store.run_names[row] for row in runs.tolist()}
    known = set(store.runs()) if wanted is not None else set()
    counted: collections.Counter[str] = collections.Counter()
    for of_run, name in dict.fromkeys(projector_config.names(store)):
        if (run is None or run == of_run) and (wanted is None or of_run in wanted or of_run not in known):
            counted[name] += 1
    names = sorted(counted, key=order.natural_key)
    columns = TagColumns(names, [counted[name] for name in names], {}, {}, {})
    return {projector_config.KIND: columns} if names else {}


def count(store: store_.Store, rows: NDArray[np.int64], *, hidden: bool = False) -> NDArray[np.int64]:
    """How many of the series have each kind and tag: kinds × tags. Untyped ones count as tensors."""
    kinds, tags = len(types.Kind), len(store.tag_names)
    counts = np.bincount(_codes(store, rows), minlength=kinds * tags).reshape(kinds, tags)
    if not hidden:
        counts[:, ~shown(store, np.arange(tags))] = 0
    return counts


def shown(store: store_.Store, tags: NDArray[np.integer[Any]]) -> NDArray[np.bool_]:
    """Which of the tags (by number) are for people. Each name is looked at once."""
    with store.lock:
        known = _hidden.get(store, np.zeros(0, np.bool_))
        names = range(len(known), len(store.tag_names))
        if names:
            fresh = np.fromiter((store.tag_names[number].startswith(HIDDEN_PREFIX) for number in names), np.bool_)
            known = _hidden[store] = np.concatenate([known, fresh])
    answer: NDArray[np.bool_] = ~known[tags]
    return answer


def _codes(store: store_.Store, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    table = store.series_table.rows
    kinds = table["kind"][rows].astype(np.int64)
    kinds[kinds == types.Kind.UNTYPED] = types.Kind.TENSORS
    codes: NDArray[np.int64] = kinds * len(store.tag_names) + table["tag"][rows]
    return codes


def _first_metadata(store: store_.Store, rows: NDArray[np.int64], shape: tuple[int, ...]) -> NDArray[np.int64]:
    """The metadata row of the first series of each kind and tag."""
    firsts = np.full(shape, -1, np.int64)
    # written backwards, so that the first is what stays
    firsts.reshape(-1)[_codes(store, rows)[::-1]] = store.series_table.rows["metadata"][rows][::-1]
    return firsts


def _columns(
    store: store_.Store, counts: NDArray[np.int64], metadata_rows: NDArray[np.int64], kind: types.Kind
) -> TagColumns:
    tags = np.nonzero(counts)[0]
    tags = tags[np.argsort(order.ranks(store.tag_names, tags))]
    names = [store.tag_names[row] for row in tags.tolist()]
    display, description, plugin = {}, {}, {}
    for name, meta in zip(names, metadata_rows[tags].tolist(), strict=True):
        if meta < 0:
            continue
        metadata = store.metadata[meta]
        if metadata.display_name and metadata.display_name != name:
            display[name] = metadata.display_name
        if metadata.description:
            description[name] = metadata.description
        if kind is types.Kind.TENSORS and metadata.plugin:
            plugin[name] = metadata.plugin
    return TagColumns(names, counts[tags].tolist(), display, description, plugin)
