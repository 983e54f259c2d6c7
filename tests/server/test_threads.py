"""Threads in lanes: parts of one request on several cores, and heavy work that keeps out of the way of the rest."""

from __future__ import annotations

import asyncio
import itertools
import threading

import httpx
import pytest

from lightboard import store
from lightboard.server import app, limits, responses, threads


@pytest.mark.parametrize("count", [0, 1, 2, 50])
def test_parts_are_each_done_once_and_come_in_order(count: int) -> None:
    done = itertools.count()

    def work(item: int) -> int:
        next(done)
        return item * item

    assert list(threads.Threads().side_by_side(work, range(count))) == [item * item for item in range(count)]
    assert next(done) == count


def test_parts_are_done_by_several_threads_at_once() -> None:
    together = threading.Barrier(2)

    def work(item: int) -> int:
        if item < 2:
            together.wait(30)  # breaks, and fails the test, where both are left to one thread
        return item

    assert list(threads.Threads().side_by_side(work, range(4))) == [0, 1, 2, 3]


def test_whoever_waits_for_a_part_does_others_meanwhile() -> None:
    """One is held up until all others are done: by nobody but those who would otherwise wait for it."""
    others = threading.Semaphore(0)

    def work(item: int) -> int:
        if item == 1:
            assert all(others.acquire(timeout=30) for _ in range(18))
        else:
            others.release()
        return item

    assert list(threads.Threads().side_by_side(work, range(19))) == list(range(19))


def test_a_part_that_fails_fails_the_whole() -> None:
    def work(item: int) -> int:
        if item == 3:
            raise ValueError("three")
        return item

    with pytest.raises(ValueError, match="three"):
        list(threads.Threads().side_by_side(work, range(9)))


def test_parts_that_nobody_waits_for_are_not_begun() -> None:
    begun: set[int] = set()
    hold = threading.Event()

    def work(item: int) -> int:
        begun.add(item)
        if item:
            assert hold.wait(30)
        return item

    parts = threads.Threads().side_by_side(work, range(1000))
    assert next(parts) == 0
    parts.close()
    hold.set()
    assert list(threads.Threads().side_by_side(lambda item: item, range(40))) == list(range(40))
    assert len(begun) < 1000


@pytest.mark.anyio
async def test_heavy_work_that_waits_holds_no_thread() -> None:
    """Eight large thumbnails at once stood in all threads at one lock: nobody else was answered for 3.8 s."""
    lanes = threads.Threads(limits.Limits(memory_bytes=10, wait_secs=60))
    goes_on = threading.Event()
    heavy = [asyncio.ensure_future(lanes.run_heavy(10, goes_on.wait, 30)) for _ in range(40)]
    await asyncio.sleep(0)
    assert await asyncio.wait_for(lanes.run(lambda: "answered"), 30) == "answered"
    goes_on.set()
    assert all(await asyncio.gather(*heavy))


@pytest.mark.anyio
async def test_a_page_is_answered_while_slow_questions_take_all_light_threads() -> None:
    """Sixteen clients with hostile patterns kept `/api/board` waiting for more than a second."""
    made, goes_on = app.create(store.Store()), threading.Event()
    transport = httpx.ASGITransport(made)
    slow = [asyncio.ensure_future(made.context.threads.run(goes_on.wait, 30)) for _ in range(100)]
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        for address in ("/api/board", "/"):
            assert (await asyncio.wait_for(client.get(address), 20)).status_code == 200
    goes_on.set()
    assert all(await asyncio.gather(*slow))


@pytest.mark.anyio
async def test_heavy_work_is_bounded_by_its_memory() -> None:
    lanes = threads.Threads(limits.Limits(memory_bytes=20, wait_secs=60))
    lock, running, most = threading.Lock(), 0, 0

    def work() -> None:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        with lock:
            running -= 1

    await asyncio.gather(*(lanes.run_heavy(20, work) for _ in range(50)))
    assert most == 1


@pytest.mark.anyio
async def test_memory_is_given_back_after_heavy_work() -> None:
    given_back = threading.Event()
    lanes = threads.Threads(limits.Limits(give_back_secs=0), given_back.set)
    await lanes.run(lambda: None)
    assert not given_back.is_set()
    await lanes.run_heavy(1, lambda: None)
    assert await lanes.run(given_back.wait, 30)


@pytest.mark.anyio
async def test_closed_threads_begin_nothing() -> None:
    lanes = threads.Threads()
    lanes.close()
    with pytest.raises(responses.Busy, match="stopping"):
        await lanes.run(lambda: None)


def test_two_boards_share_no_threads() -> None:
    one, two = (app.create(store.Store()) for _ in range(2))
    assert one.context.threads is not two.context.threads
    one.end()
    assert list(two.context.threads.side_by_side(lambda item: item, [1])) == [1]
