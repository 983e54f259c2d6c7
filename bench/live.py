"""From a flush to the client: a run grows by one point at a time, and a client records when each arrives."""

from __future__ import annotations

import random
import statistics
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from bench import charts, client, processes, records

RUN, TAG = "growing", "train/loss"
NAME = f"{RUN}/events.out.tfevents.1750000000.bench.1.0"
PAUSE_SECS = (0.1, 0.7)  # between flushes, random: does not match the interval of either board
LIMIT_SECS = 60.0

Seen = Callable[[int, float], None]  # last step that a client has, and the time it got it (`time.perf_counter()`)


class Side(Protocol):
    """The interface that both boards implement."""

    def start(self, logdir: Path | str, *, fresh: bool = True) -> tuple[processes.Running, str]: ...
    def watch(self, url: str, run: str, tag: str, *, seen: Seen, ended: threading.Event) -> None: ...


@dataclass(frozen=True)
class Live:
    """Seconds from flush to arrival."""

    flushes: int
    p50_secs: float
    p95_secs: float
    max_secs: float


class Arrivals:
    """When each step was flushed and when a client first had it. Filled by two threads, read after both ended."""

    def __init__(self) -> None:
        self.flushed: dict[int, float] = {}
        self.arrived: dict[int, float] = {}
        self._lock = threading.Lock()

    def seen(self, last_step: int, at: float) -> None:
        """A client learned at `at` that it can read all steps up to this one. Steps flushed later are not counted."""
        with self._lock:
            for step, flushed_at in self.flushed.items():
                if step <= last_step and flushed_at <= at:
                    self.arrived.setdefault(step, at)

    def flush(self, step: int) -> None:
        """Record that this step is about to be flushed."""
        with self._lock:
            self.flushed[step] = time.perf_counter()

    def complete(self) -> bool:
        with self._lock:
            return len(self.arrived) == len(self.flushed)


def measure(side: Side, logdir: Path, *, flushes: int) -> Live:
    """Add points to a run in `logdir` (which must be empty) and time each of them."""
    path = logdir / NAME
    path.parent.mkdir(parents=True)
    path.write_bytes(records.file_version(time.time()) + point(0))
    with path.open("ab", buffering=0) as file:
        return measure_appended(side, logdir, file.write, flushes=flushes)


def measure_appended(
    side: Side, logdir: Path | str, append: Callable[[bytes], object], *, flushes: int, longest_secs: float = 0.0
) -> Live:
    """The same with a function that appends bytes to the run's file, which has one point.

    Pauses between points are up to `longest_secs` instead of the usual ones; then the first point is not counted, since
    a bucket in which nothing changes is listed less often.
    """
    uncounted = int(bool(longest_secs))
    arrivals, ended = Arrivals(), threading.Event()
    running, url = side.start(logdir)
    with running:
        watcher = threading.Thread(
            target=side.watch, args=(url, RUN, TAG), kwargs={"seen": arrivals.seen, "ended": ended}
        )
        arrivals.flush(0)
        watcher.start()
        client.wait_until(arrivals.complete, every_secs=0.02, limit_secs=LIMIT_SECS)
        for steps in (range(1, 1 + uncounted), range(1 + uncounted, 1 + uncounted + flushes)):
            _grow(append, arrivals, steps, longest_secs)
            client.wait_until(arrivals.complete, every_secs=0.02, limit_secs=LIMIT_SECS)
        ended.set()
    watcher.join()
    secs = [
        arrivals.arrived[step] - at
        for step, at in arrivals.flushed.items()
        if step > uncounted and step in arrivals.arrived
    ]
    if len(secs) < flushes:
        raise RuntimeError(f"{flushes - len(secs)} of {flushes} flushed points never arrived")
    return Live(len(secs), statistics.median(secs), charts.percentile(secs, 95), max(secs))


def point(step: int, tag: str = TAG) -> bytes:
    """One record of a growing series."""
    value = records.simple_value(tag)
    out = np.empty((1, records.size_bytes(value, records.step_bytes(step))), np.uint8)
    payload = np.array([[1.0 / (step + 1)]], "<f4").view(np.uint8)
    records.fill(out, value, wall_times=np.array([time.time()]), steps=np.array([step]), payload=payload)
    return out.tobytes()


def _grow(append: Callable[[bytes], object], arrivals: Arrivals, steps: range, longest_secs: float) -> None:
    rng = random.Random(0)
    for step in steps:
        time.sleep(rng.uniform(*((PAUSE_SECS[0], longest_secs) if longest_secs else PAUSE_SECS)))
        record = point(step)
        arrivals.flush(step)
        append(record)
