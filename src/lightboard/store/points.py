"""Join the chunks of one series into one sequence of points: restarts, parallel writers, growth.

Most series are written by one file, and then this module only creates views. Otherwise:

- A *part* has the points of a file between two session starts. Parts are sorted by first wall time, because a file
  that sorts later by name may have been written earlier.
- Parts whose wall times overlap were written at the same time by several writers: their points are merged by step.
- A part that begins after another ended, at a step the other had passed, is a restart: a job that resumed from the
  checkpoint of step 80 writes steps 81 to 100 again. The earlier points from there on are *superseded*: kept, and left
  out unless `Rewinds.ALL` is requested.
- A SessionLog START states a restart explicitly, for every tag of the run.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightboard import types
from lightboard.store import row_types

VALUES_DTYPE: dict[types.Column, np.dtype[Any]] = {types.Column.F32: np.dtype("<f4"), types.Column.F64: np.dtype("<f8")}


@dataclasses.dataclass(frozen=True)
class Points:
    """Parallel arrays. `files` has the file row of each reference (None for scalars); `superseded` is None if no point
    is superseded."""

    steps: NDArray[np.int64]
    wall_times: NDArray[np.float64]
    values: NDArray[Any]
    files: NDArray[np.uint32] | None = None
    superseded: NDArray[np.bool_] | None = None

    def __len__(self) -> int:
        return len(self.steps)

    def take(self, keep: NDArray[Any] | slice) -> Points:
        return Points(
            self.steps[keep],
            self.wall_times[keep],
            self.values[keep],
            None if self.files is None else self.files[keep],
            None if self.superseded is None else self.superseded[keep],
        )


EMPTY_SCALARS = Points(np.zeros(0, np.int64), np.zeros(0, np.float64), np.zeros(0, np.float32))
EMPTY_REFS = Points(np.zeros(0, np.int64), np.zeros(0, np.float64), np.zeros(0, row_types.REF), np.zeros(0, np.uint32))

# Reads the numbers behind references: a scalar logged without metadata is known to be a scalar only when another file
# says so.
Resolve = Callable[[int, types.Column, NDArray[np.void]], NDArray[np.float64]]


def view(chunk: np.void, segment: memoryview, *, scalar: bool, resolve: Resolve) -> Points:
    """Return the chunk's columns as views of the segment, without copying."""
    n = int(chunk["n"])
    steps = np.frombuffer(segment, "<i8", n, int(chunk["steps"]))
    walls = np.frombuffer(segment, "<f8", n, int(chunk["walls"]))
    column = types.Column(int(chunk["column"]))
    if column in VALUES_DTYPE:
        return Points(steps, walls, np.frombuffer(segment, VALUES_DTYPE[column], n, int(chunk["values"])))
    refs = np.frombuffer(segment, row_types.REF, n, int(chunk["values"]))
    file = int(chunk["file"])
    if scalar:
        return Points(steps, walls, resolve(file, column, refs))
    return Points(steps, walls, refs, np.full(n, file, np.uint32))


@dataclasses.dataclass
class _Part:
    file: int
    part: int
    points: Points
    first_step: int
    min_wall: float
    max_wall: float
    superseded: NDArray[np.bool_] | None = None

    def supersede(self, step: int) -> None:
        mask = self.points.steps >= step
        if mask.any():
            self.superseded = mask if self.superseded is None else self.superseded | mask


def concatenate(pieces: Sequence[Points]) -> Points:
    if len(pieces) == 1:
        return pieces[0]
    files = [piece.files for piece in pieces if piece.files is not None]
    masks = [piece.superseded for piece in pieces if piece.superseded is not None]
    return Points(
        np.concatenate([piece.steps for piece in pieces]),
        np.concatenate([piece.wall_times for piece in pieces]),
        np.concatenate([piece.values for piece in pieces]),
        np.concatenate(files) if files else None,
        np.concatenate(masks) if masks else None,
    )


def join(chunks: Sequence[tuple[np.void, Points]], starts: NDArray[np.void]) -> Points:
    """Return all points of a series in the order to show them, with the superseded ones marked.

    `chunks` are in the order they were read; `starts` are the session starts of the run.
    """
    parts = _parts(chunks)
    if len(parts) == 1 and not len(starts):
        return parts[0].points
    parts.sort(key=lambda part: part.min_wall)
    for start in starts:
        _apply_start(parts, start)
    clusters = _clusters(parts)
    for later in range(1, len(clusters)):
        resumed_at = min(part.first_step for part in clusters[later])
        for cluster in clusters[:later]:
            for part in cluster:
                part.supersede(resumed_at)
    return _in_sequence(clusters, any(part.superseded is not None for part in parts))


def _parts(chunks: Sequence[tuple[np.void, Points]]) -> list[_Part]:
    grouped: dict[tuple[int, int], list[tuple[np.void, Points]]] = {}
    for row, points in chunks:
        grouped.setdefault((int(row["file"]), int(row["part"])), []).append((row, points))
    parts = []
    for (file, part), members in grouped.items():
        rows = [row for row, _ in members]
        parts.append(
            _Part(
                file,
                part,
                concatenate([points for _, points in members]),
                int(rows[0]["first_step"]),
                min(float(row["min_wall"]) for row in rows),
                max(float(row["max_wall"]) for row in rows),
            )
        )
    return parts


def _apply_start(parts: list[_Part], start: np.void) -> None:
    file, number, step, wall = (start[name].item() for name in ("file", "part", "step", "wall"))
    for part in parts:
        before = part.part < number if part.file == file else part.max_wall <= wall
        if before:
            part.supersede(step)


def _clusters(parts: list[_Part]) -> list[list[_Part]]:
    """Group parts that were written at the same time; parts of one file never overlap each other."""
    clusters: list[list[_Part]] = []
    end = -np.inf
    for part in parts:
        alone = all(part.file == other.file for other in clusters[-1]) if clusters else True
        if not clusters or part.min_wall > end or alone:
            clusters.append([part])
            end = part.max_wall
        else:
            clusters[-1].append(part)
            end = max(end, part.max_wall)
    return clusters


def _in_sequence(clusters: list[list[_Part]], marked: bool) -> Points:
    pieces = []
    for cluster in clusters:
        points = concatenate([_marked(part) if marked else part.points for part in cluster])
        if len(cluster) > 1:
            points = points.take(np.argsort(points.steps, kind="stable"))
        pieces.append(points)
    return concatenate(pieces)


def _marked(part: _Part) -> Points:
    mask = part.superseded if part.superseded is not None else np.zeros(len(part.points), np.bool_)
    return dataclasses.replace(part.points, superseded=mask)


def latest(points: Points) -> Points:
    """Return the points without the superseded ones."""
    if points.superseded is None:
        return points
    kept = points.take(~points.superseded)
    return dataclasses.replace(kept, superseded=None)
