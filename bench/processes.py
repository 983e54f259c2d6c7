"""Measures a board's processes while they run: CPU seconds and anonymous memory of the tree, from /proc (Linux).

CPU is user + system time of every live process of the tree plus that of children already waited for. Memory is RssAnon
summed over the tree, sampled; pages of mapped files are not counted, because they are the system's cache.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

SAMPLE_SECS = 0.02
STOP_SECS = 10.0
TICKS_PER_SEC = os.sysconf("SC_CLK_TCK")


class Running:
    """One started command. `started_at` is the `time.perf_counter()` just before the start."""

    def __init__(self, command: Sequence[str], *, log: Path, environment: Mapping[str, str] | None = None) -> None:
        self._log = log.open("ab")
        self.started_at = time.perf_counter()
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=self._log,
            start_new_session=True,
            env={**os.environ, **(environment or {})},
        )
        self.peak_anon_bytes = 0  # written only by the sampling thread
        self._ended = threading.Event()
        self._sampler = threading.Thread(target=self._sample, daemon=True)
        self._sampler.start()

    def elapsed_secs(self) -> float:
        return time.perf_counter() - self.started_at

    def cpu_secs(self) -> float:
        """Return the CPU time of the tree until now."""
        return sum(map(cpu_secs, self.pids()))

    def anon_bytes(self) -> int:
        """Return the anonymous memory of the tree now."""
        return sum(map(anon_bytes, self.pids()))

    def pids(self) -> list[int]:
        """Return the process and all its living descendants."""
        found, queue = [], [self.process.pid]
        while queue:
            pid = queue.pop()
            found.append(pid)
            queue.extend(_children(pid))
        return found

    def programs(self) -> list[str]:
        """Return the file names of the programs in the tree."""
        names = []
        for pid in self.pids():
            with contextlib.suppress(OSError):
                names.append(str(Path(f"/proc/{pid}/exe").readlink()))
        return names

    def stop(self) -> None:
        """Send SIGTERM to the process, wait, and kill all remaining processes of its tree by pid."""
        self._ended.set()
        self._sampler.join()
        pids = self.pids()
        self.process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(STOP_SECS)
        for pid in pids:
            if pid == self.process.pid or _session(pid) == self.process.pid:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()
        self._log.close()

    def __enter__(self) -> Running:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _sample(self) -> None:
        while not self._ended.wait(SAMPLE_SECS):
            self.peak_anon_bytes = max(self.peak_anon_bytes, self.anon_bytes())


def _children(pid: int) -> list[int]:
    """Return the child processes; /proc lists them under the thread that created them."""
    children: list[int] = []
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with contextlib.suppress(OSError):
                children.extend(map(int, Path(f"/proc/{pid}/task/{thread}/children").read_text().split()))
    return children


def _stat(pid: int) -> list[str]:
    """Return the fields of /proc/<pid>/stat from the third (state) on; empty if the process has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def cpu_secs(pid: int) -> float:
    return sum(map(int, _stat(pid)[11:15])) / TICKS_PER_SEC


def _session(pid: int) -> int | None:
    stat = _stat(pid)
    return int(stat[3]) if stat else None


def anon_bytes(pid: int) -> int:
    """Return the anonymous memory of one process; 0 if it has ended."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    _, found, rest = status.partition("RssAnon:")
    return int(rest.split(None, 1)[0]) * 1024 if found else 0
