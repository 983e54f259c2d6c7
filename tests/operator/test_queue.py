"""When boards are looked at: once at a time, once more after a change, again when due and after failures."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from lightboard.operator import queue, telling
from lightboard.operator.cluster import Fault
from lightboard.operator.queue import Key

ONE, TWO = ("board", "team", "one"), ("board", "team", "two")


def _run(look: Callable[[Key], Awaitable[None]], drive: Callable[[queue.Queue], Awaitable[None]]) -> None:
    async def main() -> None:
        made = queue.Queue(look, metrics=telling.Metrics(), health=telling.Health())
        tasks = made.tasks()
        try:
            await asyncio.wait_for(drive(made), 10)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(main())


def test_a_key_is_looked_at_once_at_a_time_and_once_more_if_it_was_woken_meanwhile() -> None:
    looks: list[str] = []
    going, go = asyncio.Event(), asyncio.Event()

    async def look(key: Key) -> None:
        looks.append("begin")
        going.set()
        await go.wait()
        looks.append("end")

    async def drive(made: queue.Queue) -> None:
        made.wake(ONE)
        await going.wait()
        for _ in range(100):
            made.wake(ONE)
        await asyncio.sleep(0)
        assert looks == ["begin"]
        go.set()
        while len(looks) < 4:  # noqa: ASYNC110
            await asyncio.sleep(0.001)
        await asyncio.sleep(0.01)
        assert looks == ["begin", "end"] * 2

    _run(look, drive)


def test_slow_boards_do_not_keep_others_waiting() -> None:
    done = asyncio.Event()

    async def look(key: Key) -> None:
        if key == ONE:
            done.set()
        else:
            await asyncio.sleep(60)

    async def drive(made: queue.Queue) -> None:
        for number in range(queue.WORKERS - 1):
            made.wake(("board", "slow", str(number)))
        made.wake(ONE)
        await done.wait()

    _run(look, drive)


def test_a_failed_look_is_repeated_and_a_time_that_was_replaced_wakes_nobody() -> None:
    looks: list[Key] = []

    async def look(key: Key) -> None:
        looks.append(key)
        if looks.count(ONE) == 1 and key == ONE:
            raise Fault("refused", status=500)

    async def drive(made: queue.Queue) -> None:
        made.at(TWO, 0.0)
        made.at(TWO, None)
        made.at(ONE, 0.0)
        while looks.count(ONE) < 2:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        assert looks == [ONE, ONE]

    _run(look, drive)
