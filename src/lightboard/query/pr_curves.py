"""Precision-recall curves: each step holds a table of six rows over n thresholds evenly spaced from 0 to 1."""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import NDArray

from lightboard import types
from lightboard.query import series

ROWS = ("true_positives", "false_positives", "true_negatives", "false_negatives", "precision", "recall")


@dataclasses.dataclass(frozen=True)
class PrCurve:
    """`table` is [6, n], rows as in `ROWS`."""

    step: int
    wall_time: float
    table: NDArray[np.float64]

    @property
    def thresholds(self) -> NDArray[np.float64]:
        return np.linspace(0.0, 1.0, self.table.shape[1])

    @property
    def defined(self) -> int:
        """How many thresholds to show: precision is undefined behind the last where anything was called positive."""
        positives = np.nan_to_num(self.table[0]).astype(np.int64) + np.nan_to_num(self.table[1]).astype(np.int64)
        counted = np.nonzero(positives)[0]
        return int(counted[-1]) + 1 if len(counted) else min(1, self.table.shape[1])


def _decode(step: int, wall_time: float, tensor: types.Tensor) -> PrCurve:
    return PrCurve(step, wall_time, series.table(tensor, rows=6))


read = series.Reader(types.Kind.PR_CURVES, _decode)
