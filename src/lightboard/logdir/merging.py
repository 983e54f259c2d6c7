"""Merges many chunks into one, so that a series can be a view again, without a copy.

A huge file is read in ranges and a live one in small additions, and each makes a chunk. Consecutive chunks of one
series, file and part are copied into one: by the kernel, from mapping to file, so it takes no memory of ours.
As in a log-structured store, a chunk is copied again only when the chunks after it are together as large.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from lightboard import store, types
from lightboard.logdir import segments

# New chunks of a live series are merged when there are this many.
PATIENCE = 16
# With this much dead space, a segment's live chunks are copied out.
DEAD_BYTES = 64 << 20
# A merge of this size gets a new file, so that the old one may become completely dead.
LARGE_BYTES = 64 << 20
_WIDTH = {types.Column.F32: 4, types.Column.F64: 8, types.Column.VALUE_REF: 16, types.Column.RAW_REF: 16}

Run = list[int]
"""Rows of chunks that can be merged into one."""


Sound = Callable[[memoryview, "NDArray[np.void] | np.void"], bool]
"""Returns whether the columns of a chunk (its row) in a segment are undamaged: see `index`."""


def unchecked(segment: memoryview, chunk: NDArray[np.void] | np.void) -> bool:
    """For stores that were not restored from disk."""
    return True


def merge(
    target: store.Store,
    writer: segments.Writer,
    *,
    stopping: Callable[[], bool] = lambda: False,
    sound: Sound = unchecked,
) -> bool:
    """Merge chunks where it is worthwhile. Returns whether anything was merged. Damaged chunks are skipped."""
    merged = False
    candidates = list(_candidates(target))
    every = np.array([row for rows in candidates for row in rows], np.int64)
    if target.chunks_table.rows["n"][every].sum() * 20 > LARGE_BYTES:
        writer.rotate()
    for rows in candidates:
        if stopping():
            break
        merged |= _merge_one(target, writer, rows, sound)
    return merged


def move_out(
    target: store.Store,
    writer: segments.Writer,
    file_of: Callable[[memoryview], tuple[str, int]],
    *,
    sound: Sound = unchecked,
) -> bool:
    """Copy live chunks out of segment files that are mostly dead, so that the files can be deleted.

    `file_of` returns the file of a view, and its used length. A file that grew has several views, so live bytes are
    counted per file.
    """
    with target.lock:
        chunks = target.chunks_table.rows
        live = np.nonzero(chunks["dead"] == 0)[0]
        widths = np.array([16 + _WIDTH[column] for column in types.Column], np.uint64)
        sizes = chunks["n"][live] * widths[chunks["column"][live]]
        used = np.bincount(chunks["segment"][live], sizes, len(target.segments))
        files = [file_of(view) for view in target.segments]
        in_use: dict[str, float] = {}
        for (name, _), size in zip(files, used.tolist(), strict=True):
            in_use[name] = in_use.get(name, 0.0) + size
        crowded = [
            number
            for number, (name, end) in enumerate(files)
            if name and (dead := end - in_use[name]) > in_use[name] and dead > DEAD_BYTES
        ]
        rows = live[np.isin(chunks["segment"][live], crowded)].tolist()
    if rows:
        writer.rotate()
    moved = [_merge_one(target, writer, [row], sound) for row in rows]
    return any(moved)


def _candidates(target: store.Store) -> Iterator[Run]:
    with target.lock:
        series = sorted(target._chunks_beyond_first())
        every = [target.chunk_rows(row) for row in series]
        table = target.chunks_table.rows
        flat = np.array(list(itertools.chain.from_iterable(every)), np.int64)
        if not len(flat):
            return
        cells = table[flat][["file", "part", "column", "n"]]
    columns = [cells[name].tolist() for name in ("file", "part", "column", "n")]
    cursor = 0
    for rows in every:
        members = list(zip(rows, *(column[cursor : cursor + len(rows)] for column in columns), strict=True))
        cursor += len(rows)
        # by file and part, each in reading order
        members.sort(key=lambda member: (member[1], member[2]))
        for _, group in itertools.groupby(members, key=lambda member: member[1:4]):
            if (chosen := _worth(list(group))) is not None:
                yield chosen


def _worth(group: list[tuple[int, int, int, int, int]]) -> Run | None:
    """Returns the last chunks of a group, as many as are worth copying."""
    if len(group) < 2:
        return None
    total, first = 0, len(group)
    for position in range(len(group) - 1, -1, -1):
        n = group[position][4]
        if len(group) - position > PATIENCE // 2 and n > 2 * total:
            break
        total, first = total + n, position
    few = len(group) - first < PATIENCE
    if len(group) - first < 2 or (few and total < len(group) * 1000):
        return None
    return [member[0] for member in group[first:]]


def _merge_one(target: store.Store, writer: segments.Writer, rows: Run, sound: Sound) -> bool:
    with target.lock:
        chunks = target.chunks_table.rows[rows].copy()
        views = [target.segments[number] for number in chunks["segment"].tolist()]
    if chunks["dead"].any():
        return False
    if not all(sound(view, chunk) for view, chunk in zip(views, chunks, strict=True)):
        return False
    column = types.Column(int(chunks["column"][0]))
    widths = {"steps": 8, "walls": 8, "values": _WIDTH[column]}
    columns = [
        [
            view[start : start + n * width]
            for view, start, n in zip(views, chunks[name].tolist(), chunks["n"].tolist(), strict=True)
        ]
        for name, width in widths.items()
    ]
    written = writer.append(columns)
    if written is None:
        return False
    positions, view = written
    merged = _summary(chunks)
    for name, position in zip(widths, positions, strict=True):
        merged[name] = position
    target.replace_chunks([(rows, merged)], view)
    return True


def _summary(chunks: NDArray[np.void]) -> np.void:
    """Returns the row of the merged chunk."""
    row = chunks[:1].copy()
    row["n"] = chunks["n"].sum()
    row["max_count"] = chunks["max_count"].max()
    row["last_step"], row["last"] = chunks["last_step"][-1], chunks["last"][-1]
    row["min_step"], row["max_step"] = chunks["min_step"].min(), chunks["max_step"].max()
    for name, pick in (("min_wall", np.fmin), ("max_wall", np.fmax), ("min", np.fmin), ("max", np.fmax)):
        row[name] = pick.reduce(chunks[name])
    ordered = chunks["ordered"].all() and (chunks["last_step"][:-1] <= chunks["first_step"][1:]).all()
    row["ordered"] = bool(ordered)
    merged: np.void = row[0]
    return merged
