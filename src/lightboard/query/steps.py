"""The points of heavy series without their values: steps, times, number of elements, offset in the file.

A page needs them for step sliders, and builds keys of blobs from run, tag, step, wall time and offset (see `blobs`).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightboard import errors, types
from lightboard import store as store_
from lightboard.query import kinds, series

MAX_POINTS = 20_000_000
_COLUMNS = {"step": np.int64, "wall": np.float64, "count": np.int32, "bytes": np.int64, "offset": np.int64}
_MOST = np.uint32(np.iinfo(np.int32).max)


@dataclasses.dataclass(frozen=True)
class SeriesSteps:
    """Its points are those from `first` on, so many, in every array."""

    run: str
    tag: str
    first: int
    points: int
    samples: int  # elements a value has at most


@dataclasses.dataclass(frozen=True)
class StepsHeader:
    """Header of a frame of steps."""

    version: int  # of the store, for the next `since`
    kind: str
    series: list[SeriesSteps]


@dataclasses.dataclass(frozen=True)
class Found:
    """`arrays`: step i8, wall f8, count i4 (elements of the value), bytes i8 (its length) and offset i8 in its file."""

    header: StepsHeader
    arrays: dict[str, NDArray[Any]]


def kind_of(word: str) -> types.Kind:
    row = kinds.BY_WORD.get(word)
    if row is None or not row.steps:
        words = sorted(row.word for row in kinds.TABLE if row.steps)
        raise errors.BadQuestion(f"no kind `{word[:60]}` has steps to list", hint=f"one of {', '.join(words)}")
    return row.kind


def listing(
    source: store_.Store,
    word: str,
    tags: Sequence[str],
    runs: NDArray[np.int64] | None = None,
    *,
    rewinds: types.Rewinds = types.Rewinds.LATEST,
    since: int = -1,
) -> Found:
    """Return every point of the tags in the runs (rows of the run table, None: all), by tag, then by run."""
    kind, version = kind_of(word), source.version
    found = [store_.Series(source, row) for row in series.rows(source, kind, tags, runs, since=since).tolist()]
    pieces = [each.points(rewinds) for each in found]
    counts = [len(each) for each in pieces]
    if sum(counts) > MAX_POINTS:
        raise errors.BadInput(
            f"{sum(counts)} points in one request",
            hint="ask for fewer tags or runs at a time",
            code="request.too_large",
        )
    firsts = np.cumsum([0, *counts]).tolist()
    listed = [
        SeriesSteps(each.run, each.tag, first, count, series.samples(source, each.row))
        for each, first, count in zip(found, firsts, counts, strict=False)
    ]
    return Found(StepsHeader(version, word, listed), _columns(pieces, firsts, series.leading(kind)))


def _columns(pieces: Sequence[store_.Points], firsts: Sequence[int], leading: int) -> dict[str, NDArray[Any]]:
    columns: dict[str, NDArray[Any]] = {name: np.empty(firsts[-1], dtype) for name, dtype in _COLUMNS.items()}
    for points, first in zip(pieces, firsts, strict=False):
        own = slice(first, first + len(points))
        columns["step"][own], columns["wall"][own] = points.steps, points.wall_times
        # Counts in a file may be as large as 2^32 - 1.
        columns["count"][own] = np.minimum(points.values["count"], _MOST)
        columns["bytes"][own], columns["offset"][own] = points.values["length"], points.values["offset"]
    if leading:
        columns["count"] = np.maximum(columns["count"] - leading, 0)
    return columns
