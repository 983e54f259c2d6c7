"""The expected content of a corpus, to check that a reader has all of it.

Each series has two order-sensitive sums modulo 2^64: over the bits of its float32 values and over the bits of its
float64 wall times; the i-th (from 0) is multiplied by 2i + 1. One missing, duplicated, swapped or changed point changes
them.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

Sums = npt.NDArray[np.uint64]


@dataclass(frozen=True)
class Truth:
    """Sums are [runs, tags]; spikes are rows of (run, tag, step) indices."""

    value_sums: Sums
    wall_time_sums: Sums
    spikes: npt.NDArray[np.int64]


def value_sum(values: npt.NDArray[np.float32], first_index: int = 0) -> Sums:
    """Return the sum over the last axis."""
    return _weighted(np.ascontiguousarray(values, np.float32).view(np.uint32).astype(np.uint64), first_index)


def wall_time_sum(wall_times: npt.NDArray[np.float64], first_index: int = 0) -> Sums:
    """Return the sum over the last axis."""
    return _weighted(np.ascontiguousarray(wall_times, np.float64).view(np.uint64), first_index)


def save(path: Path, truth: Truth) -> None:
    """Write it to a file in the corpus directory."""
    np.savez(path, value_sums=truth.value_sums, wall_time_sums=truth.wall_time_sums, spikes=truth.spikes)


def load(path: Path) -> Truth:
    """Read a file written by `save`."""
    with np.load(path) as stored:
        return Truth(stored["value_sums"], stored["wall_time_sums"], stored["spikes"])


def _weighted(bits: Sums, first_index: int) -> Sums:
    weights = (np.arange(first_index, first_index + bits.shape[-1], dtype=np.uint64) * np.uint64(2)) + np.uint64(1)
    return np.asarray((bits * weights).sum(axis=-1, dtype=np.uint64), np.uint64)
