"""Where blocking work goes: a few threads, so that the event loop only ever moves bytes.

Kernels and reads release the interpreter lock, so a page full of charts is answered on all cores.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import functools
import os
from collections.abc import Callable, Iterator, Sequence
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
    # threads of their own: work that waits for its parts must not hold the place they need
    return concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1, "lightboard-part")


def side_by_side(work: Callable[[Item], R], items: Sequence[Item]) -> Iterator[R]:
    """The work of one request, done for each item on all cores; results in the order of the items, as they come."""
    if len(items) < 2:
        return map(work, items)
    return _cores().map(work, items)
