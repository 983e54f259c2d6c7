"""Threads that fetch ranges from stores, several at a time.

They are daemon threads that end after a minute without work: a read that waits for a store never keeps the process
from ending. A group of reads is started together and waited for together; the first error stands for all of it.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from typing import Any, Protocol

IDLE_SECS = 60.0

_Job = Callable[[], Any]


class Pending(Protocol):
    def wait(self) -> list[Any] | OSError:
        """The parts in order, or the error of the first part that failed."""


class Group:
    """State: `_parts` in the order of the jobs; `_left` counts the missing ones, under `_lock`."""

    def __init__(self, count: int) -> None:
        self._parts: list[Any] = [None] * count
        self._left = count
        self._lock = threading.Lock()
        self._done = threading.Event()
        if not count:
            self._done.set()

    def put(self, at: int, part: Any) -> None:
        self._parts[at] = part
        with self._lock:
            self._left -= 1
            if not self._left:
                self._done.set()

    def wait(self) -> list[Any] | OSError:
        self._done.wait()
        return next((part for part in self._parts if isinstance(part, OSError)), self._parts)


class Chain:
    """Several pending groups, one after the other."""

    def __init__(self, groups: Sequence[Pending]) -> None:
        self._groups = groups

    def wait(self) -> list[Any] | OSError:
        parts: list[Any] = []
        for group in self._groups:
            found = group.wait()
            if isinstance(found, OSError):
                return found
            parts += found
        return parts


class Readers:
    """State, under `_lock`: how many threads there are, and how many of them wait for work."""

    def __init__(self, most: int) -> None:
        self._most = max(1, most)
        self._jobs: queue.SimpleQueue[tuple[Group, int, _Job]] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._threads = 0
        self._idle = 0

    def start(self, jobs: Sequence[_Job]) -> Group:
        group = Group(len(jobs))
        for at, job in enumerate(jobs):
            self._jobs.put((group, at, job))
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
                group, at, job = self._jobs.get(timeout=IDLE_SECS)
            except queue.Empty:
                with self._lock:
                    self._idle -= 1
                    if self._jobs.empty():
                        self._threads -= 1
                        return
                continue
            with self._lock:
                self._idle -= 1
            try:
                part = job()
            except OSError as error:
                part = error
            except Exception as error:  # a defect must not leave the waiting thread without an answer
                part = OSError(f"reading failed: {error!r}")
            group.put(at, part)
