"""The threads of one board, in lanes, so that the event loop only moves bytes.

first   requests that a page needs to start and to stay alive: its files, the board, events. User content cannot make
        these slow, so there is always a thread for them
light   requests that take milliseconds, unless user input makes them slow: patterns, Markdown
heavy   thumbnails, exports, uploads, large tables: one thread per core, limited by a budget of memory. A request that
        does not fit waits in the budget's queue and holds no thread meanwhile
parts   the parts of one light request, in parallel on all cores
disk    writing bodies to temporary files: a slow disk delays only the clients that send them

Kernels and reads release the GIL, so a page full of charts is answered on all cores.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import functools
import os
import threading
from collections.abc import Callable, Generator, Sequence
from typing import ParamSpec, TypeVar

from lightboard.server import budget, limits, responses

P = ParamSpec("P")
R = TypeVar("R")
Item = TypeVar("Item")

# How many requests may block a light thread while they wait for the next state of a layout.
WAITING = 2


def _nothing() -> None:
    pass


class Threads:
    """Created and closed by the board's application. `give_back` returns freed memory to the system."""

    def __init__(self, bounds: limits.Limits | None = None, give_back: Callable[[], None] = _nothing) -> None:
        self.limits = bounds or limits.Limits()
        self.memory = budget.Budget(self.limits.memory_bytes, self.limits.wait_secs)
        self.spool = budget.Budget(self.limits.spool_bytes, self.limits.wait_secs)
        self.waiting = threading.BoundedSemaphore(WAITING)
        cores = os.cpu_count() or 1
        self._first = _pool("first", 4)
        # more than cores: some wait for a disk or an object store while others compute
        self._light = _pool("http", max(8, min(16, 2 * cores)))
        self._heavy = _pool("heavy", max(2, cores))
        # a separate pool, so that a request waiting for its parts cannot deadlock; the caller's thread is a worker, too
        self._parts = _pool("part", max(1, cores - 1))
        self._disk = _pool("disk", 2)
        self._give_back = give_back
        self._giving_back: asyncio.TimerHandle | None = None
        self._closed = False

    async def run(self, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        return await self._in(self._light, functools.partial(work, *args, **kwargs))

    async def run_first(self, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        return await self._in(self._first, functools.partial(work, *args, **kwargs))

    async def run_on_disk(self, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        return await self._in(self._disk, functools.partial(work, *args, **kwargs))

    async def run_heavy(self, size: int, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """`size`: about how many bytes of memory the work takes. Raises `responses.Busy` after a timeout."""
        async with self.memory.hold(size):
            try:
                return await self._in(self._heavy, functools.partial(work, *args, **kwargs))
            finally:
                self._give_back_soon()

    def side_by_side(self, work: Callable[[Item], R], items: Sequence[Item]) -> Generator[R, None, None]:
        """Map `work` over the items on all cores. Yields each result as soon as it and all before it are done."""
        parts = [self._parts.submit(work, item) for item in items]
        not_begun = (i for i, part in enumerate(parts) if part.cancel())
        done_here: dict[int, R] = {}
        try:
            for i, part in enumerate(parts):
                # while another thread computes this part, compute a part that no thread has begun
                while not part.done() and (other := next(not_begun, None)) is not None:
                    done_here[other] = work(items[other])
                yield done_here.pop(i) if i in done_here else part.result()
        finally:
            for part in parts:
                part.cancel()

    def close(self) -> None:
        """Start no more work, and do not wait for running work."""
        self._closed = True
        if self._giving_back is not None:
            self._giving_back.cancel()
        for pool in (self._first, self._light, self._heavy, self._parts, self._disk):
            pool.shutdown(wait=False, cancel_futures=True)

    async def _in(self, pool: concurrent.futures.ThreadPoolExecutor, work: Callable[[], R]) -> R:
        if self._closed:
            raise responses.Busy("the board is stopping", code="board.stopping")
        return await asyncio.get_running_loop().run_in_executor(pool, work)

    def _give_back_soon(self) -> None:
        """Schedule the return of freed memory, which the allocator keeps, for the next pause of heavy work."""
        if self._giving_back is not None:
            self._giving_back.cancel()
        loop = asyncio.get_running_loop()
        self._giving_back = loop.call_later(self.limits.give_back_secs, self._return_memory, loop)

    def _return_memory(self, loop: asyncio.AbstractEventLoop) -> None:
        self._giving_back = None
        loop.run_in_executor(self._light, self._give_back)


def _pool(name: str, size: int) -> concurrent.futures.ThreadPoolExecutor:
    return concurrent.futures.ThreadPoolExecutor(size, f"lightboard-{name}")
