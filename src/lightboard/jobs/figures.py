"""Looks after the log directory of a job: notices its first event file, and writes figures of the machine.

Figures are ordinary scalars in the run `system` below the log directory: CPU and memory of the job with all its
processes, of the machine, and of GPUs. They begin a few seconds after the start, so that short jobs leave none.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable
from typing import Any

from lightboard.jobs import spool

LOOK_SECS = 0.3
FIRST_SECS = 3.0
INTERVAL_SECS = 10.0
RUN = "system"
ERROR = "figures-error.txt"
MOST_ENTRIES = 20_000
_MEGA = 1e6


class Watching:
    """State: when to look and to measure next, and the counters of the last measurement."""

    def __init__(self, kept: spool.Spool, logdir: str, *, figures: bool, ended: threading.Event) -> None:
        self._spool, self._logdir, self._figures, self._ended = kept, logdir, figures, ended
        self._writer: Any = None
        self._sampler: Any = None
        self._step = 0
        self._cpu_secs, self._cpu_at = 0.0, 0.0

    def run(self) -> None:
        local = bool(self._logdir) and "://" not in self._logdir
        measure_at = time.monotonic() + FIRST_SECS
        while True:
            ended = self._ended.wait(LOOK_SECS)
            if local and not self._spool.state.has_events and has_events(self._logdir):
                self._spool.change(has_events=True)
            if ended:
                break
            if self._figures and time.monotonic() >= measure_at:
                measure_at = time.monotonic() + INTERVAL_SECS
                self._try(self._measure)
        if self._writer is not None:
            self._try(self._writer.close)

    def _try(self, act: Callable[[], None]) -> None:
        """Figures are never worth a job: the last failure is kept in the spool, beside the console."""
        try:
            act()
        except Exception:
            import traceback

            with contextlib.suppress(OSError):
                (self._spool.folder / ERROR).write_text(traceback.format_exc(), encoding="utf-8")

    def _measure(self) -> None:
        if self._sampler is None:
            from lightboard.sdk import system_metrics

            self._sampler = system_metrics.Sampler(self._logdir if os.path.isdir(self._logdir) else ".")  # noqa: PTH112
        found = {name.rpartition("/")[2]: value for name, value in self._sampler.sample().items()}
        machine = {name: value for name, value in found.items() if not name.startswith("process_")}
        numbers = {**machine, **self._of_job()}
        write_figures(self._spool, numbers)
        if self._logdir:
            if self._writer is None:
                from lightboard.sdk.writer import SummaryWriter

                self._writer = SummaryWriter(f"{self._logdir.rstrip('/')}/{RUN}", flush_secs=5)
            for name, value in numbers.items():
                self._writer.add_scalar(f"system/{name}", value, self._step)
            self._writer.flush()
        self._step += 1

    def _of_job(self) -> dict[str, float]:
        now = time.monotonic()
        cpu_secs, memory_bytes, processes = tree(self._spool.state.pid)
        figures = {"job_memory_mb": memory_bytes / _MEGA, "job_processes": float(processes)}
        if self._cpu_at:
            figures["job_cpu_percent"] = max(0.0, 100 * (cpu_secs - self._cpu_secs) / (now - self._cpu_at))
        self._cpu_secs, self._cpu_at = cpu_secs, now
        return figures


def write_figures(kept: spool.Spool, numbers: dict[str, float]) -> None:
    """The newest, for the next report."""
    import json

    with contextlib.suppress(OSError):
        temporary = kept.folder / ".figures"
        temporary.write_text(json.dumps({name: round(value, 3) for name, value in numbers.items()}), encoding="ascii")
        temporary.replace(kept.folder / "figures.json")


def tree(session: int) -> tuple[float, float, int]:
    """CPU seconds, memory and number of the processes in the job's session, which children inherit."""
    ticks, pages, number = 0.0, 0.0, 0
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        with contextlib.suppress(OSError, IndexError, ValueError), open(f"/proc/{name}/stat", "rb") as file:
            # fields after the name, which may have spaces and brackets: state is the first of them
            fields = file.read().rpartition(b")")[2].split()
            if int(fields[3]) == session:
                # also of children that have ended
                ticks += sum(float(each) for each in fields[11:15])
                pages += float(fields[21])
                number += 1
    return ticks / os.sysconf("SC_CLK_TCK"), pages * os.sysconf("SC_PAGE_SIZE"), number


def has_events(logdir: str) -> bool:
    """Whether an event file of the job is there; our figures do not count."""
    seen = 0
    waiting = [(logdir, True)]
    while waiting:
        folder, top = waiting.pop()
        with contextlib.suppress(OSError), os.scandir(folder) as entries:
            for entry in entries:
                seen += 1
                if seen > MOST_ENTRIES:
                    return False
                if "tfevents" in entry.name and entry.is_file() and entry.stat().st_size > 0:
                    return True
                if entry.is_dir(follow_symlinks=False) and not (top and entry.name == RUN):
                    waiting.append((entry.path, False))
    return False
