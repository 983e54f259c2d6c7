"""When somebody last looked at a board: a visible page, or a program that asks for data.

An open connection, a hidden tab, a health probe or a live update is not a look. Pages report that they are visible
(`POST /api/activity`); the server reports requests of programs. The follower asks whether it is worth listing a bucket.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

# A look counts this long; a visible page reports twice as often.
LOOK_SECS = 60.0


class Activity:
    """State, under `_lock`: the last look by both clocks, and what to call when somebody looks again after a pause."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._at = clock()  # whoever starts a board wants to see it
        self._time = time.time()
        self._by = "start"
        self._wakes: list[Callable[[], None]] = []

    def when_looked(self, wake: Callable[[], None]) -> None:
        """`wake` is called, in the thread that looks, when the last look is older than LOOK_SECS."""
        self._wakes.append(wake)

    def looked(self, by: str) -> None:
        """`by`: "page", "request"."""
        now = self._clock()
        with self._lock:
            paused = now - self._at >= LOOK_SECS
            self._at, self._time, self._by = now, time.time(), by
        if paused:
            for wake in self._wakes:
                wake()

    def secs_since(self) -> float:
        with self._lock:
            return self._clock() - self._at

    def last(self) -> tuple[float, str]:
        """Wall time of the last look, and by what."""
        with self._lock:
            return self._time, self._by
