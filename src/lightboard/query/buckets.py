"""The buckets of many histograms: selected series at selected steps, one table each. For histograms and
distributions."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from lightboard import errors, types
from lightboard import store as store_
from lightboard.query import series

# Limits of one request: bytes read from event files, and number of histograms.
MAX_BYTES = 1 << 29
MAX_VALUES = 100_000


@dataclasses.dataclass(frozen=True)
class Asked:
    lo: int | float | None = None  # first step of the range
    hi: int | float | None = None  # last step of the range
    limit: int = 0  # at most this many steps of each series, evenly spaced, including first and last; 0: all
    rewinds: types.Rewinds = types.Rewinds.LATEST
    since: int = -1  # only series that changed after this version


@dataclasses.dataclass(frozen=True)
class BucketSeries:
    """Its steps are those from `first` on, so many, in the arrays of steps."""

    run: str
    tag: str
    first: int
    steps: int
    points: int  # it has in the range, told or not
    odd: int  # chosen steps that hold no buckets and are left out


@dataclasses.dataclass(frozen=True)
class Buckets:
    """The buckets of one series. `table` is [k, 3]: left, right, count; step i has the rows `ends[i]` to `ends[i +
    1]`."""

    header: BucketSeries
    step: NDArray[np.int64]
    wall: NDArray[np.float64]
    ends: NDArray[np.int64]
    table: NDArray[np.float64]


def each(
    source: store_.Store, tags: Sequence[str], runs: NDArray[np.int64] | None = None, asked: Asked | None = None
) -> Iterator[Buckets]:
    """Yield the histograms of the tags in the runs (rows of the run table, None: all), by tag, then by run; read one by
    one."""
    asked = asked or Asked()
    rows = series.rows(source, types.Kind.HISTOGRAMS, tags, runs, since=asked.since).tolist()
    found = [store_.Series(source, row) for row in rows]
    chosen = [_chosen(one.points(asked.rewinds), asked) for one in found]
    _check_size([points for points, _ in chosen])
    first = 0
    for one, (points, in_range) in zip(found, chosen, strict=True):
        kept, sizes, table = _tables(one, points)
        header = BucketSeries(one.run, one.tag, first, len(kept), in_range, len(points) - len(kept))
        yield Buckets(
            header, kept.steps, kept.wall_times, np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64), table
        )
        first += len(kept)


def _chosen(points: store_.Points, asked: Asked) -> tuple[store_.Points, int]:
    """Return the points to send, and the number of points in the range."""
    if asked.lo is not None or asked.hi is not None:
        keep = np.ones(len(points), np.bool_)
        if asked.lo is not None:
            keep &= points.steps >= asked.lo
        if asked.hi is not None:
            keep &= points.steps <= asked.hi
        points = points.take(keep)
    if not asked.limit or len(points) <= asked.limit:
        return points, len(points)
    # With a limit of one, keep the last point.
    places = np.linspace(len(points) - 1, 0, asked.limit).round().astype(np.int64)[::-1]
    return points.take(places), len(points)


def _check_size(chosen: Sequence[store_.Points]) -> None:
    count = sum(len(points) for points in chosen)
    size = sum(int(points.values["length"].sum(dtype=np.int64)) for points in chosen)
    if count > MAX_VALUES or size > MAX_BYTES:
        raise errors.BadInput(
            f"{count} histograms of {size >> 20} MB in one request",
            hint="ask for fewer series, or set `limit`",
            code="request.too_large",
        )


def _tables(
    found: store_.Series, points: store_.Points
) -> tuple[store_.Points, NDArray[np.int64], NDArray[np.float64]]:
    """Return the points that have buckets, the number of buckets of each, and all buckets."""
    read = found.tables(points)
    rows, columns = read.shapes[:, 0], read.shapes[:, 1]
    good = columns == 3
    if good.all():
        return points, rows, read.cells.reshape(-1, 3)
    cells = np.repeat(good, np.maximum(read.shapes, 0).prod(axis=1))
    return points.take(good), rows[good], read.cells[cells].reshape(-1, 3)
