"""Distributions: nine percentiles of a histogram, those of a normal curve at 0, ±½, ±1, ±1½ standard deviations and the
two ends.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightboard import store
from lightboard.query import buckets as buckets_

# In basis points, hundredths of a percent.
BASIS_POINTS = (0, 668, 1587, 3085, 5000, 6915, 8413, 9332, 10000)


@dataclasses.dataclass(frozen=True)
class DistributionsHeader:
    """Header of a frame of distributions."""

    version: int  # of the store, for the next `since`
    basis_points: list[int]  # what the columns of `value` are: TensorBoard's nine
    percentiles: list[float]  # what the columns of `percentile` are: those asked for
    series: list[buckets_.BucketSeries]


def several(
    source: store.Store,
    tags: Sequence[str],
    runs: NDArray[np.int64] | None = None,
    asked: buckets_.Asked | None = None,
    percentiles: Sequence[float] = (),
) -> tuple[DistributionsHeader, dict[str, NDArray[Any]]]:
    """Return header and arrays of many series at chosen steps: `step`, `wall`, `value` and `percentile`, ordered by
    step."""
    version = source.version
    points = (*BASIS_POINTS, *(100 * each for each in percentiles))
    series: list[buckets_.BucketSeries] = []
    steps, walls, values = [np.zeros(0, np.int64)], [np.zeros(0)], [np.zeros((0, len(points)))]
    for one in buckets_.each(source, tags, runs, asked):
        series.append(one.header)
        steps.append(one.step)
        walls.append(one.wall)
        values.append(compress_all(one.ends, one.table, points))
    table, nine = np.concatenate(values), len(BASIS_POINTS)
    return DistributionsHeader(version, list(BASIS_POINTS), list(percentiles), series), {
        "step": np.concatenate(steps),
        "wall": np.concatenate(walls),
        "value": table[:, :nine].ravel(),
        "percentile": table[:, nine:].ravel(),
    }


def compress(buckets: NDArray[np.float64], points: Sequence[float] = BASIS_POINTS) -> NDArray[np.float64]:
    """The value at each basis point, where the cumulative count reaches it; linear within the bucket.

    Edges are clamped to the histogram's own first left and last right edge. A point that no
    count exceeds is the last right edge.
    """
    found: NDArray[np.float64] = compress_all(np.array([0, len(buckets)], np.int64), buckets, points)[0]
    return found


def compress_all(
    ends: NDArray[np.int64], table: NDArray[np.float64], points: Sequence[float] = BASIS_POINTS
) -> NDArray[np.float64]:
    """`compress` for many histograms, one row each; histogram i is the rows `ends[i]` to `ends[i + 1]` of the table."""
    wanted = np.array(points, np.float64)
    values = np.zeros((len(ends) - 1, len(wanted)))
    filled = np.nonzero(np.diff(ends))[0]
    if not len(filled) or not len(wanted):
        return values
    lefts, rights, counts = (np.ascontiguousarray(column) for column in table.T)
    reached = np.empty(len(counts))
    bucket = np.empty((len(filled), len(wanted)), np.int64)
    begins, stops = ends[:-1][filled], ends[1:][filled]
    with np.errstate(all="ignore"):  # infinite edges and counts pass through unchanged
        # one histogram at a time: the order of additions, and so every bit, is as in TensorBoard
        totals = [counts[begin:stop].sum() or 1.0 for begin, stop in zip(begins.tolist(), stops.tolist(), strict=True)]
        shares = counts * BASIS_POINTS[-1] / np.repeat(totals, stops - begins)
        for row, (begin, stop) in enumerate(zip(begins.tolist(), stops.tolist(), strict=True)):
            sums = shares[begin:stop].cumsum(out=reached[begin:stop])
            # the first bucket whose cumulative count exceeds the point, never an empty one
            bucket[row] = sums.searchsorted(wanted, side="right")
        before = np.concatenate(([0.0], reached[:-1]))
        before[begins] = 0.0
        lowest, highest = lefts[begins][:, None], rights[stops - 1][:, None]
        inside = bucket < (stops - begins)[:, None]
        at = begins[:, None] + np.where(inside, bucket, 0)
        previous = np.concatenate(([0.0], rights[:-1]))
        previous[begins] = lefts[begins]
        left = np.where(before[at] == 0, lowest, np.fmax(previous[at], lowest))
        right = np.fmin(rights[at], highest)
        share = (wanted - before[at]) * (right - left) / (reached[at] - before[at])
        values[filled] = np.where(inside, left + share, highest)
    return values
