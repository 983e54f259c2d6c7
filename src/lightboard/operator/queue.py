"""Which board or job is looked at when.

A key is looked at when it was woken (something of it changed), when it is due, and after a failure, with growing waits.
It is never looked at twice at once; a key that is woken meanwhile is looked at once more.
"""

from __future__ import annotations

import asyncio
import collections
import contextlib
import heapq
import logging
import time
from collections.abc import Awaitable, Callable

from lightboard.operator import telling
from lightboard.operator.cluster import Fault

_LOG = logging.getLogger(__name__)
# A look mostly waits: for the API server, or for a board that is slow to answer. Slow boards must not stop others.
WORKERS = 32
FIRST_WAIT_SECS = 0.2
LONGEST_WAIT_SECS = 60.0
Key = tuple[str, str, str]  # word of the kind, namespace, name


class Queue:
    """State, used in one event loop: `_queued` waits, `_busy` is looked at, `_again` was woken meanwhile, `_due` is a
    heap of times (`_due_at` has the valid one of each key), `_failures` in a row."""

    def __init__(
        self,
        look: Callable[[Key], Awaitable[None]],
        *,
        metrics: telling.Metrics,
        health: telling.Health,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._look = look
        self._metrics = metrics
        self._health = health
        self._clock = clock
        self._queue: asyncio.Queue[Key] = asyncio.Queue()
        self._queued: set[Key] = set()
        self._busy: set[Key] = set()
        self._again: set[Key] = set()
        self._due: list[tuple[float, Key]] = []
        self._due_at: dict[Key, float] = {}
        self._due_changed = asyncio.Event()
        self._failures: collections.Counter[Key] = collections.Counter()

    def wake(self, key: Key) -> None:
        if key in self._busy:
            self._again.add(key)
        elif key not in self._queued:
            self._queued.add(key)
            self._queue.put_nowait(key)

    def at(self, key: Key, at: float | None) -> None:
        """The key is woken at this time instead of an earlier wish; None: no more."""
        if at is None:
            self._due_at.pop(key, None)
            return
        self._due_at[key] = at
        heapq.heappush(self._due, (at, key))
        self._due_changed.set()

    def tasks(self) -> list[asyncio.Task[None]]:
        """Tasks that never end by themselves."""
        workers = [asyncio.create_task(self._work(), name=f"worker {number}") for number in range(WORKERS)]
        return [*workers, asyncio.create_task(self._wake_due(), name="due")]

    async def _work(self) -> None:
        while True:
            key = await self._queue.get()
            self._queued.discard(key)
            self._busy.add(key)
            try:
                await self._look_safely(key)
            finally:
                self._busy.discard(key)
                if key in self._again:
                    self._again.discard(key)
                    self.wake(key)

    async def _look_safely(self, key: Key) -> None:
        self._metrics.looks.inc()
        try:
            await self._look(key)
            self._failures.pop(key, None)
        except Exception as error:
            self._metrics.faults.inc()
            self._failures[key] += 1
            wait = min(LONGEST_WAIT_SECS, FIRST_WAIT_SECS * 2 ** min(self._failures[key] - 1, 12))
            expected = isinstance(error, Fault)
            if not (isinstance(error, Fault) and error.is_conflict):
                _LOG.warning("cannot follow %s/%s %s: %s", key[1], key[2], key[0], error, exc_info=not expected)
            self.at(key, self._clock() + wait)

    async def _wake_due(self) -> None:
        while True:
            self._health.turned = time.monotonic()
            now = self._clock()
            while self._due and self._due[0][0] <= now:
                at, key = heapq.heappop(self._due)
                if self._due_at.get(key) == at:
                    del self._due_at[key]
                    self.wake(key)
            wait = min(10.0, self._due[0][0] - now) if self._due else 10.0
            self._due_changed.clear()
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._due_changed.wait(), max(0.01, wait))
