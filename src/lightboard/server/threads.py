"""Where blocking work goes: a few threads, so that the event loop only ever moves bytes.

Kernels and reads release the interpreter lock, so a page full of charts is answered on all cores.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import functools
import os
from collections.abc import Callable, Generator, Sequence
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")
Item = TypeVar("Item")


@functools.cache
def _pool() -> concurrent.futures.ThreadPoolExecutor:
    # more than cores: some wait for a disk or an object store while others compute
    return concurrent.futures.ThreadPoolExecutor(max(4, min(16, 2 * (os.cpu_count() or 1))), "lightboard-http")


async def run(work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    call = functools.partial(work, *args, **kwargs)
    return await asyncio.get_running_loop().run_in_executor(_pool(), call)


@functools.cache
def _cores() -> concurrent.futures.ThreadPoolExecutor:
    # threads of their own: work that waits for its parts must not hold the place they need; one core has who asks
    return concurrent.futures.ThreadPoolExecutor(max(1, (os.cpu_count() or 1) - 1), "lightboard-part")


def side_by_side(work: Callable[[Item], R], items: Sequence[Item]) -> Generator[R, None, None]:
    """The work of one request, done for each item on all cores; results in the order of the items, as they come."""
    parts = [_cores().submit(work, item) for item in items]
    not_begun = (i for i, part in enumerate(parts) if part.cancel())
    done_here: dict[int, R] = {}
    try:
        for i, part in enumerate(parts):
            # rather than wait for a part that somebody else does, do the next that nobody has begun
            while not part.done() and (other := next(not_begun, None)) is not None:
                done_here[other] = work(items[other])
            yield done_here.pop(i) if i in done_here else part.result()
    finally:
        for part in parts:
            part.cancel()
