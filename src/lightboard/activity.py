"""When somebody last looked at a board, and when somebody last used it.

    look    a page is visible, or a program asks for data. While nobody looks, buckets are not listed
    use     a page is visible and was touched within half an hour, or a program asks for data. Boards that nobody uses
            can be stopped by whoever manages them

An open connection, a hidden tab, a health probe or a live update is neither. Pages report themselves
(`POST /api/activity`); the server reports requests of programs.
"""

from __future__ import annotations

import dataclasses
import threading
import time
from collections.abc import Callable

# A look counts this long; a visible page reports itself twice as often.
LOOK_SECS = 60.0
# A visible page that was not touched this long is not used.
TOUCH_SECS = 1800.0


@dataclasses.dataclass(frozen=True)
class Last:
    """Wall times; `by` is "start", "page" or "request"."""

    looked: float
    used: float
    by: str


class Activity:
    """State, under `_lock`: the last look by the clock, both wall times, and what to call when somebody looks again
    after a pause."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, wall: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._wall = wall
        self._lock = threading.Lock()
        self._at = clock()  # whoever starts a board wants to see it
        self._last = Last(wall(), wall(), "start")
        self._wakes: list[Callable[[], None]] = []

    def when_looked(self, wake: Callable[[], None]) -> None:
        """`wake` is called, in the thread that looks, when the last look is older than LOOK_SECS."""
        self._wakes.append(wake)

    def requested(self) -> None:
        """A program asked for data."""
        self._looked("request", used=True)

    def visible(self, untouched_secs: float) -> None:
        """A page is visible; `untouched_secs` ago somebody moved the pointer, scrolled or typed."""
        self._looked("page", used=untouched_secs < TOUCH_SECS, ago_secs=max(0.0, untouched_secs))

    def _looked(self, by: str, *, used: bool, ago_secs: float = 0.0) -> None:
        now, wall = self._clock(), self._wall()
        with self._lock:
            paused = now - self._at >= LOOK_SECS
            self._at = now
            last_used = max(self._last.used, wall - ago_secs) if used else self._last.used
            self._last = Last(wall, last_used, by)
        if paused:
            for wake in self._wakes:
                wake()

    def unseen_secs(self) -> float:
        """How long nobody has looked."""
        with self._lock:
            return self._clock() - self._at

    def last(self) -> Last:
        with self._lock:
            return self._last
