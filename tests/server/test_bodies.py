"""Bodies of requests: what is kept of them, where, and how many at a time."""

from __future__ import annotations

import asyncio
import gc
import mmap
from collections.abc import Iterable
from typing import Any

import asking
import pytest

from lightboard.server import bodies, limits, responses, threads

pytestmark = pytest.mark.anyio


def sending(pieces: Iterable[bytes]) -> bodies.Receive:
    waiting = iter(pieces)

    async def receive() -> dict[str, Any]:
        piece = next(waiting, None)
        return {"type": "http.request", "body": piece or b"", "more_body": piece is not None}

    return receive


async def test_a_small_body_stays_in_memory() -> None:
    body = await bodies.read({b"content-length": b"3"}, sending([b"a", b"bc"]), threads.Threads())
    assert body.data == b"abc"


async def test_a_large_body_lies_in_a_file() -> None:
    size = bodies.LOT_BYTES + 5
    body = await bodies.read({b"content-length": b"%d" % size}, sending([b"ab", b"c" * (size - 2)]), threads.Threads())
    assert isinstance(body.data, mmap.mmap)
    assert (len(body), bytes(body.view[:3]), body.to_bytes()) == (size, b"abc", b"ab" + b"c" * (size - 2))


async def test_a_body_without_a_length_lies_in_a_file() -> None:
    body = await bodies.read({b"transfer-encoding": b"chunked"}, sending([b"ab"]), threads.Threads())
    assert (type(body.data), body.to_bytes()) == (mmap.mmap, b"ab")
    assert (await bodies.read({b"transfer-encoding": b"chunked"}, sending([]), threads.Threads())).data == b""


@pytest.mark.parametrize("announced", [b"40", b"70000"])
async def test_a_refused_body_is_not_kept_in_memory(announced: bytes) -> None:
    """Until the garbage collector ran, each refused upload kept everything that had come of it."""
    alive = 0

    class Piece(bytes):
        def __del__(self) -> None:
            nonlocal alive
            alive -= 1

    def pieces() -> Iterable[bytes]:
        nonlocal alive
        for _ in range(100):
            alive += 1
            yield Piece(b" " * 1000)

    async def refused() -> None:
        with pytest.raises(responses.TooLarge):
            await bodies.read({b"content-length": announced}, sending(pieces()), threads.Threads(), limit=80_000)

    gc.disable()
    try:
        await refused()
        assert alive == 0
    finally:
        gc.enable()


async def test_a_body_that_announces_too_much_is_not_read() -> None:
    with pytest.raises(responses.TooLarge):
        await bodies.read({b"content-length": b"%d" % (1 << 60)}, _never, threads.Threads())


async def _never() -> dict[str, Any]:
    raise AssertionError("the body is read")


async def test_a_client_that_goes_away_is_not_answered() -> None:
    async def receive() -> dict[str, Any]:
        return {"type": "http.disconnect"}

    with pytest.raises(bodies.Disconnected):
        await bodies.read({b"content-length": b"3"}, receive, threads.Threads())


async def test_large_bodies_take_turns() -> None:
    """Their number was not bounded: six of 150 MiB took 900 MB."""
    lanes = threads.Threads(limits.Limits(spool_bytes=200_000, wait_secs=30))
    reading: list[int] = []
    two_read, goes_on = asyncio.Event(), asyncio.Event()

    def half(number: int) -> bodies.Receive:
        async def receive() -> dict[str, Any]:
            reading.append(number)
            if len(reading) == 2:
                two_read.set()
            await goes_on.wait()
            return {"type": "http.request", "body": b"a" * 100_000, "more_body": False}

        return receive

    tasks = [
        asyncio.ensure_future(bodies.read({b"content-length": b"100000"}, half(number), lanes)) for number in range(6)
    ]
    await asyncio.wait_for(two_read.wait(), 30)
    for _ in range(100):
        await asyncio.sleep(0)
    assert sorted(reading) == [0, 1]
    goes_on.set()
    assert [len(await task) for task in tasks] == [100_000] * 6


async def test_a_body_that_waits_too_long_is_refused_for_now() -> None:
    lanes = threads.Threads(limits.Limits(spool_bytes=100_000, wait_secs=0.01))
    async with lanes.spool.hold(100_000):
        with pytest.raises(responses.Busy):
            await bodies.read({b"content-length": b"100000"}, _never, lanes)


async def test_a_busy_board_says_when_to_come_back() -> None:
    async with asking.board(limits=limits.Limits(spool_bytes=1, wait_secs=0.01)) as client:
        transport: Any = client._transport
        async with transport.app.context.threads.spool.hold(1):
            answer = await client.post("/api/runs", content=b" " * 100_000)
    assert answer.status_code == 503
    assert int(answer.headers["retry-after"]) > 0
    assert "busy" in answer.json()["error"]["message"]
