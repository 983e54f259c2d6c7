"""Histograms: each step holds buckets, rows of left edge, right edge and count."""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import NDArray

from lightboard import types
from lightboard.query import series


@dataclasses.dataclass(frozen=True)
class Histogram:
    """`buckets` is [k, 3] float64: left, right, count."""

    step: int
    wall_time: float
    buckets: NDArray[np.float64]


def _decode(step: int, wall_time: float, tensor: types.Tensor) -> Histogram:
    return Histogram(step, wall_time, series.table(tensor, columns=3))


read = series.Reader(types.Kind.HISTOGRAMS, _decode)
