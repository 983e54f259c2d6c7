"""Waits for other work on the machine to pause before a measurement starts."""

from __future__ import annotations

import os
import time
from pathlib import Path

SAMPLE_SECS = 0.5
BUSY_CORES = 0.15  # the machine is quiet if less than this much of one core is used


def wait(limit_secs: float) -> bool:
    """Block until the machine is idle; False at the time limit."""
    end = time.perf_counter() + limit_secs
    while time.perf_counter() < end:
        before = _idle_secs()
        started = time.perf_counter()
        time.sleep(SAMPLE_SECS)
        elapsed = time.perf_counter() - started
        busy_cores = (os.cpu_count() or 1) - (_idle_secs() - before) / elapsed
        if busy_cores < BUSY_CORES:
            return True
    return False


def _idle_secs() -> float:
    """Return the total idle and I/O wait time of all cores."""
    fields = Path("/proc/stat").read_text().split(None, 6)
    return (int(fields[4]) + int(fields[5])) / os.sysconf("SC_CLK_TCK")
