"""Distributions: a histogram told by nine of its percentiles, those of a normal curve at 0, ±½, ±1, ±1½ deviations and
the two ends.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

# In basis points, hundredths of a percent.
BASIS_POINTS = (0, 668, 1587, 3085, 5000, 6915, 8413, 9332, 10000)


def compress(buckets: NDArray[np.float64]) -> NDArray[np.float64]:
    """The value at each basis point: where the cumulated counts reach it, linearly within the bucket.

    Edges are clamped to the histogram's own first left and last right edge. A point that no bucket goes beyond is the
    last right edge.
    """
    points = np.array(BASIS_POINTS, np.float64)
    if not buckets.size:
        return np.zeros(len(points))
    lowest, highest = buckets[0, 0], buckets[-1, 1]
    rights, counts = buckets[:, 1], buckets[:, 2]
    with np.errstate(all="ignore"):  # infinite edges and counts are carried through as they come
        reached = np.cumsum(counts * points[-1] / (counts.sum() or 1.0))
        before = np.concatenate(([0.0], reached[:-1]))
        # The first bucket that goes beyond the point; empty buckets go beyond nothing.
        bucket = np.searchsorted(reached, points, side="right")
        values = np.full(len(points), highest)
        inside = bucket < len(reached)
        at = bucket[inside]
        left = np.where(before[at] == 0, lowest, np.fmax(np.concatenate(([lowest], rights[:-1]))[at], lowest))
        right = np.fmin(rights[at], highest)
        share = (points[inside] - before[at]) * (right - left) / (reached[at] - before[at])
        values[inside] = left + share
    return values
