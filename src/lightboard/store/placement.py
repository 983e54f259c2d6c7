"""A table of where the points of many series are in memory, for kernels that process a hundred series in one call.

Nearly every series has one chunk; its row is copied from the chunk table without creating a view. Only series with
several chunks, with a restart or with values that must be read from their files are joined one by one.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightboard import types
from lightboard.store import points as points_
from lightboard.store import store as store_

# Columns of the table. Each address takes two columns: the number of a buffer and a byte offset in it.
STEPS, WALLS, VALUES, OWN_X, COUNT, DOUBLE, ORDERED = 0, 2, 4, 6, 8, 9, 10
COLUMNS = 11


@dataclasses.dataclass(frozen=True)
class Placement:
    """One row per series; the buffer of `OWN_X` is -1 until a caller gives the series its own x values."""

    buffers: list[NDArray[np.uint8]]
    table: NDArray[np.int64]
    copied_bytes: int = 0  # bytes of points that were copied to join chunks

    @property
    def counts(self) -> NDArray[np.int64]:
        found: NDArray[np.int64] = self.table[:, COUNT]
        return found

    def take(self, keep: NDArray[Any] | list[int]) -> Placement:
        return Placement(self.buffers, np.ascontiguousarray(self.table[keep]))


def place(store: store_.Store, rows: NDArray[np.int64], rewinds: types.Rewinds = types.Rewinds.LATEST) -> Placement:
    """Build the table for these rows of the series table; all of them must be scalars."""
    for _ in range(store_.CHECK_TRIES):
        table, plain, segments, chunks = _place_plain(store, rows)
        if store.check is None or _sound(store.check, segments, chunks, table[plain, STEPS]):
            break
    else:
        raise store_.still_damaged()
    buffers = [np.frombuffer(each, np.uint8) if len(each) else np.zeros(0, np.uint8) for each in segments]
    whole = len(buffers)
    for position in np.nonzero(~plain)[0].tolist():
        _put(table[position], buffers, store_.Series(store, int(rows[position])).points(rewinds))
    return Placement(buffers, table, sum(each.nbytes for each in buffers[whole:]))


def extended(placed: Placement, computed: Sequence[points_.Points]) -> Placement:
    """Add series whose points were computed, after the others."""
    buffers, whole = list(placed.buffers), len(placed.buffers)
    table = np.concatenate([placed.table, np.zeros((len(computed), COLUMNS), np.int64)])
    for position, points in enumerate(computed, len(placed.table)):
        table[position, OWN_X] = -1
        _put(table[position], buffers, points)
    return Placement(buffers, table, placed.copied_bytes + sum(each.nbytes for each in buffers[whole:]))


def _put(row: NDArray[np.int64], buffers: list[NDArray[np.uint8]], points: points_.Points) -> None:
    for column, array in ((STEPS, points.steps), (WALLS, points.wall_times), (VALUES, points.values)):
        row[column] = len(buffers)
        buffers.append(as_bytes(array))
    row[COUNT] = len(points)
    row[DOUBLE] = points.values.dtype == np.float64


def _sound(
    check: store_.Check, segments: list[memoryview], chunks: NDArray[np.void], numbers: NDArray[np.int64]
) -> bool:
    if len({id(segment) for segment in segments}) == 1:
        return check(segments[0], chunks)
    return all(check(segment, chunks[numbers == number]) for number, segment in enumerate(segments))


def _place_plain(
    store: store_.Store, rows: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.bool_], list[memoryview], NDArray[np.void]]:
    """Return the table with the rows of plain series filled in, a mask of these, their segments, and their chunks."""
    table = np.zeros((len(rows), COLUMNS), np.int64)
    table[:, OWN_X] = -1
    with store.lock:
        first = store.series_table.rows["first_chunk"][rows].astype(np.int64)
        chunks = store.chunks_table.rows
        plain = _plain(store, rows, first)
        at = first[plain]
        used, numbers = np.unique(chunks["segment"][at], return_inverse=True)
        segments = [store.segments[number] for number in used.tolist()]
        for column, name in ((STEPS, "steps"), (WALLS, "walls"), (VALUES, "values")):
            table[plain, column] = numbers
            table[plain, column + 1] = chunks[name][at]
        table[plain, COUNT] = chunks["n"][at]
        table[plain, DOUBLE] = chunks["column"][at] == types.Column.F64
        table[plain, ORDERED] = chunks["ordered"][at]
        # NumPy copies rows ten times faster if the dtype has no fields.
        packed: NDArray[np.void] = chunks.view(f"V{chunks.itemsize}")[at]
    return table, plain, segments, packed


def _plain(store: store_.Store, rows: NDArray[np.int64], first: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return a mask of the series whose only chunk holds exactly the points that are shown. The caller holds the
    lock."""
    plain = first >= 0
    plain[plain] = store.chunks_table.rows["column"][first[plain]] <= types.Column.F64
    more = store._chunks_beyond_first()
    if more:
        plain &= ~np.isin(rows, np.fromiter(more, np.int64, len(more)))
    starts = store.starts_table.rows
    if len(starts):
        restarted = store.files_table.rows["run"][starts["file"]]
        plain &= ~np.isin(store.series_table.rows["run"][rows], restarted)
    return plain


def as_bytes(array: NDArray[Any]) -> NDArray[np.uint8]:
    return np.ascontiguousarray(array).view(np.uint8)
