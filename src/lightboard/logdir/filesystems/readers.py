"""Threads that run requests to stores, several at a time.

They are daemon threads that end after a minute without work: a request that waits for a store never keeps the process
from ending. Jobs are started in groups and waited for together; the first error stands for all of a group.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence

IDLE_SECS = 60.0

_Job = Callable[[], None]


class Group:
    """State, under `_lock`: how many jobs are left, and the first error."""

    def __init__(self, count: int) -> None:
        self._left = count
        self._error: OSError | None = None
        self._lock = threading.Lock()
        self._done = threading.Event()
        if not count:
            self._done.set()

    def ended(self, error: OSError | None) -> None:
        with self._lock:
            self._error = self._error or error
            self._left -= 1
            if not self._left:
                self._done.set()

    def wait(self) -> OSError | None:
        """Waits for all jobs; returns the first error."""
        self._done.wait()
        return self._error


class Readers:
    """State, under `_lock`: how many threads there are, and how many of them wait for work."""

    def __init__(self, most: int) -> None:
        self._most = max(1, most)
        self._jobs: queue.SimpleQueue[tuple[Group, _Job]] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._threads = 0
        self._idle = 0

    def start(self, jobs: Sequence[_Job]) -> Group:
        group = Group(len(jobs))
        for job in jobs:
            self._jobs.put((group, job))
        with self._lock:
            wanted = min(self._jobs.qsize() - self._idle, self._most - self._threads)
            self._threads += max(0, wanted)
        for _ in range(wanted):
            threading.Thread(target=self._run, name="lightboard-fetch", daemon=True).start()
        return group

    def _run(self) -> None:
        while True:
            with self._lock:
                self._idle += 1
            try:
                group, job = self._jobs.get(timeout=IDLE_SECS)
            except queue.Empty:
                with self._lock:
                    self._idle -= 1
                    if self._jobs.empty():
                        self._threads -= 1
                        return
                continue
            with self._lock:
                self._idle -= 1
            group.ended(_error_of(job))
            del group, job  # they hold a buffer


def _error_of(job: _Job) -> OSError | None:
    try:
        job()
    except OSError as error:
        return error
    except Exception as error:  # a defect must not leave the waiting thread without an answer
        return OSError(f"reading failed: {error!r}")
    return None
