"""A consistent copy of all tables of a store, without dead rows: the content of the index.

Restoring uses the tables without copying. They may be views of a memory-mapped file: the store copies one when it first
changes it.
"""

from __future__ import annotations

import dataclasses
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

from lightboard import types
from lightboard.store import row_types, store

Packed = tuple[bytes | memoryview, NDArray[np.uint64]]
"""Names in one buffer, and the offset in it where each name ends."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Snapshot:
    """The tables of a store and their version, all taken at the same moment."""

    version: int
    runs: NDArray[np.void]
    files: NDArray[np.void]
    series: NDArray[np.void]
    chunks: NDArray[np.void]
    starts: NDArray[np.void]
    sources: NDArray[np.void]
    run_names: Packed
    tag_names: Packed
    paths: Packed
    source_kinds: Packed
    source_runs: Packed
    source_keys: Packed
    source_addresses: Packed
    metadata: list[types.Metadata]
    faults: dict[int, list[types.Fault]]
    segments: list[memoryview]


def take(source: store.Store) -> Snapshot:
    """Copy all tables, so that the store may change. Rows of files, runs, series and chunks that are gone are left
    out."""
    with source.lock:
        tables_ = (source.runs_table, source.files_table, source.series_table, source.chunks_table, source.starts_table)
        runs, files, series, chunks, starts = (table.rows.copy() for table in tables_)
        segments, faults = list(source.segments), {row: list(each) for row, each in source.faults.items()}
        names = [list(strings) for strings in (source.run_names, source.tag_names, source.paths)]
        metadata, version = list(source.metadata), source.version
        beside = _sources(source)
    run_names, tag_names, paths = names
    if _all_live(runs, files, series, chunks) and all(len(view) for view in segments):
        return Snapshot(
            version=version,
            runs=runs,
            files=files,
            series=series,
            chunks=chunks,
            starts=starts,
            run_names=_pack(run_names, None),
            tag_names=_pack(tag_names, None),
            paths=_pack(paths, None),
            metadata=metadata,
            faults=faults,
            segments=segments,
            **beside,
        )
    kept_runs, new_run = _keep(runs["files"] > 0)
    kept_files, new_file = _keep(files["alive"] == 1)
    kept_series, new_series = _keep(series["first_chunk"] >= 0)
    kept_chunks, new_chunk = _keep(chunks["dead"] == 0)
    used = np.zeros(len(segments), np.bool_)
    used[chunks["segment"][kept_chunks]] = True
    kept_segments, new_segment = _keep(used)

    runs, files, series, chunks = runs[kept_runs], files[kept_files], series[kept_series], chunks[kept_chunks]
    starts = starts[new_file[starts["file"]] >= 0]
    files["run"] = new_run[files["run"]]
    series["run"], series["first_chunk"] = new_run[series["run"]], new_chunk[series["first_chunk"]]
    chunks["series"], chunks["file"] = new_series[chunks["series"]], new_file[chunks["file"]]
    chunks["segment"] = new_segment[chunks["segment"]]
    starts["file"] = new_file[starts["file"]]
    return Snapshot(
        version=version,
        runs=runs,
        files=files,
        series=series,
        chunks=chunks,
        starts=starts,
        run_names=_pack(run_names, kept_runs),
        tag_names=_pack(tag_names, None),
        paths=_pack(paths, kept_files),
        metadata=metadata,
        faults={int(new_file[row]): each for row, each in faults.items()},
        segments=[segments[row] for row in kept_segments.tolist()],
        **beside,
    )


def restore(target: store.Store, saved: Snapshot) -> None:
    """Fill an empty store. No work is done per row."""
    with target.lock:
        target.version = saved.version + 1
        target.run_names, target.tag_names = row_types.Strings(*saved.run_names), row_types.Strings(*saved.tag_names)
        target.paths = row_types.Strings(*saved.paths)
        target.runs_table = row_types.Table(row_types.RUN, saved.runs)
        target.files_table = row_types.Table(row_types.FILE, saved.files)
        target.series_table = row_types.Table(row_types.SERIES, saved.series)
        target.chunks_table = row_types.Table(row_types.CHUNK, saved.chunks)
        target.starts_table = row_types.Table(row_types.START, saved.starts)
        target.files_beside.table = row_types.Table(row_types.SOURCE, saved.sources)
        target.files_beside.kinds = row_types.Strings(*saved.source_kinds)
        target.files_beside.runs = row_types.Strings(*saved.source_runs)
        target.files_beside.keys = row_types.Strings(*saved.source_keys)
        target.files_beside.addresses = row_types.Strings(*saved.source_addresses)
        target.segments = list(saved.segments)
        target.faults = dict(saved.faults)
        target.adopt_metadata(saved.metadata)
    target.set_progress(target.progress)


class _Sources(TypedDict):
    """The fields of a snapshot about files that are not event files."""

    sources: NDArray[np.void]
    source_kinds: Packed
    source_runs: Packed
    source_keys: Packed
    source_addresses: Packed


def _sources(source: store.Store) -> _Sources:
    """Return the files that exist. The caller holds the lock."""
    beside, kept = source.files_beside, source.files_beside.alive()
    return _Sources(
        sources=beside.table.rows[kept],
        source_kinds=_pack(list(beside.kinds), None),
        source_runs=_pack(list(beside.runs), None),
        source_keys=_pack(list(beside.keys), kept),
        source_addresses=_pack(list(beside.addresses), kept),
    )


def _all_live(
    runs: NDArray[np.void], files: NDArray[np.void], series: NDArray[np.void], chunks: NDArray[np.void]
) -> bool:
    live = (runs["files"] > 0, files["alive"] == 1, series["first_chunk"] >= 0, chunks["dead"] == 0)
    return all(bool(mask.all()) for mask in live)


def _keep(mask: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the rows to keep, and the new number of every row (-1 for those left out)."""
    numbers = np.cumsum(mask) - 1
    return np.nonzero(mask)[0], np.where(mask, numbers, -1)


def _pack(names: list[str], kept: NDArray[np.int64] | None) -> Packed:
    if kept is not None and len(kept) != len(names):
        names = [names[row] for row in kept.tolist()]
    text = "".join(names)
    if text.isascii():
        ends = np.cumsum(np.fromiter(map(len, names), np.uint64, len(names)), dtype=np.uint64)
        return text.encode(), ends
    encoded = [name.encode("utf-8", "surrogateescape") for name in names]
    ends = np.cumsum(np.fromiter(map(len, encoded), np.uint64, len(encoded)), dtype=np.uint64)
    return b"".join(encoded), ends
