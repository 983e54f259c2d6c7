"""Synthetic training data: decaying losses with noise, wall times with microsecond jitter, planted spikes."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.float32]
Floats = npt.NDArray[np.float64]

FIRST_WALL_TIME = 1_750_000_000.0
SECS_PER_STEP = 0.25
SPIKE_VALUE = np.float32(1000.0)  # far from all ordinary values


def values(generator: np.random.Generator, steps: npt.NDArray[np.int64], series: int, length: int) -> Values:
    """[series, steps] losses that decay to a floor over a run of `length` steps, one shape per series."""
    start = generator.uniform(0.5, 8.0, (series, 1)).astype(np.float32)
    floor = generator.uniform(0.01, 0.4, (series, 1)).astype(np.float32)
    pace = generator.uniform(2.0, 12.0, (series, 1)).astype(np.float32)
    decay = np.exp(-pace * (steps.astype(np.float32) / np.float32(max(length, 1))))
    noise = generator.standard_normal((series, len(steps)), dtype=np.float32)
    return np.asarray((start * decay + floor) * (np.float32(1.0) + np.float32(0.05) * noise), np.float32)


def wall_times(generator: np.random.Generator, steps: npt.NDArray[np.int64], series: int, *, start: float) -> Floats:
    """[series, steps] wall times: one writer that logs its tags one after another, some microseconds apart."""
    jitter = generator.integers(0, 20_000, (1, len(steps)))
    apart = np.cumsum(generator.integers(20, 90, (series, len(steps))), axis=0)
    micros = np.round(steps * (SECS_PER_STEP * 1e6)).astype(np.int64) + jitter + apart
    return start + micros / 1e6
