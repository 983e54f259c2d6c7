"""The native reader on one file in the page cache: bytes per second of one core, both CRCs checked."""

from __future__ import annotations

import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from bench import loads
from lightboard import _native


@dataclass(frozen=True)
class Scan:
    """Gigabytes (10^9) per second of wall time and of CPU time."""

    wall_gb_per_sec: float
    cpu_gb_per_sec: float


def measure(logdir: Path) -> Scan:
    """Scan the largest file on one thread and write its columns to a temporary file, as a board does."""
    loads.warm(logdir)
    path = max(logdir.rglob("*tfevents*"), key=lambda found: found.stat().st_size)
    size = path.stat().st_size
    with tempfile.TemporaryFile() as columns:
        cpu, wall = time.process_time(), time.perf_counter()
        _native.scan([(str(path), 0, size, 0, {})], columns.fileno(), 0, 1)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return Scan(size / wall / 1e9, size / cpu / 1e9)
