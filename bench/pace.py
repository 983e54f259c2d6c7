"""Measures the current speed of the machine. On a shared host the same work may take twice as long a second later;
results that were measured at different speeds cannot be compared."""

from __future__ import annotations

import statistics
import time

STEPS = 500_000

_samples_ms: list[float] = []


def sample() -> None:
    """Time a fixed loop on one core: tens of milliseconds. Call it only while nothing is being measured."""
    began = time.perf_counter()
    total = 0
    for i in range(STEPS):
        total += i * i
    _samples_ms.append((time.perf_counter() - began) * 1e3)


def summary() -> str:
    """What the samples say; empty when there are none."""
    if not _samples_ms:
        return ""
    least, middle, most = min(_samples_ms), statistics.median(_samples_ms), max(_samples_ms)
    return f"a fixed loop took {middle:.0f} ms, from {least:.0f} to {most:.0f} in {len(_samples_ms)} samples"
