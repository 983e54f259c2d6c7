"""A number of bytes that requests share."""

from __future__ import annotations

import asyncio

import pytest

from lightboard.server import budget, responses

pytestmark = pytest.mark.anyio


async def turns(count: int = 100) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


async def test_who_comes_first_is_let_in_first() -> None:
    shared = budget.Budget(10, 30)
    inside: list[str] = []
    leave = {name: asyncio.Event() for name in "abc"}

    async def hold(name: str, size: int) -> None:
        async with shared.hold(size):
            inside.append(name)
            await leave[name].wait()

    tasks = [asyncio.ensure_future(hold(name, size)) for name, size in (("a", 6), ("b", 6), ("c", 1))]
    await turns()
    assert inside == ["a"]  # c would fit, and waits: a large one is not overtaken for ever
    leave["a"].set()
    await turns()
    assert inside == ["a", "b", "c"]
    leave["b"].set()
    leave["c"].set()
    await asyncio.gather(*tasks)
    assert shared.held == 0


async def test_more_than_there_is_counts_as_all_of_it() -> None:
    shared = budget.Budget(10, 30)
    async with shared.hold(1000):
        assert shared.held == 10
    assert shared.held == 0


async def test_who_waits_too_long_is_refused_and_leaves_the_line() -> None:
    shared = budget.Budget(10, 0.01)
    async with shared.hold(10):
        with pytest.raises(responses.Busy):
            async with shared.hold(1):
                pass
    async with shared.hold(10):
        pass
    assert shared.held == 0


async def test_who_is_cancelled_leaves_the_line() -> None:
    shared = budget.Budget(10, 30)

    async def wait() -> None:
        async with shared.hold(5):
            pass

    async with shared.hold(10):
        waiting = asyncio.ensure_future(wait())
        await turns()
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
    async with shared.hold(10):
        pass
    assert shared.held == 0
