"""The door between a client and a board whose server is a script: streaming in both directions, connections that are
used again, boards that end at every moment, clients that leave.

Left out on purpose: how quick it is (`python -m bench --only door`).
"""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path

import pytest
from hub.door import servers
from hub.door.servers import Scripted, Served, answering, ok, scripted

from lightboard.hub import door

MIB = 1 << 20
GET = b"GET /boards/s1/x HTTP/1.1\r\nhost: h\r\n\r\n"


@pytest.fixture(params=[False, True], ids=["asyncio", "uvloop"])
def anyio_backend(request: pytest.FixtureRequest) -> tuple[str, dict[str, bool]]:
    """Both event loops: the hub runs on uvloop where there is one."""
    return "asyncio", {"use_uvloop": request.param}


async def soon(condition: object) -> None:
    """Waits until a function returns true."""

    async def check() -> None:
        while not condition():  # type: ignore[operator]  # noqa: ASYNC110
            await asyncio.sleep(0.005)

    await asyncio.wait_for(check(), servers.PATIENCE_SECS)


async def read_answer(reader: asyncio.StreamReader) -> tuple[bytes, bytes]:
    """An answer with a length, on a connection that stays open."""
    head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), servers.PATIENCE_SECS)
    length = int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0])
    return head, await reader.readexactly(length)


async def test_requests_share_a_connection_to_the_board(served: Served, tmp_path: Path) -> None:
    async with scripted(tmp_path, served, answering(*[ok(b"%d" % n) for n in range(5)])) as board:
        async with served.connected() as (reader, writer):
            for number in range(3):
                writer.write(GET)
                assert (await read_answer(reader))[1] == b"%d" % number
        assert (await served.get("/boards/s1/x"))[1] == b"3"
        assert board.connections == 1
        await soon(lambda: served.door.pool.open_connections == 1)


async def test_unused_connections_are_closed_after_a_while(tmp_path: Path) -> None:
    async with (
        servers.serving(door.Limits(idle_secs=0.05)) as served,
        scripted(tmp_path, served, answering(ok(b"a"), ok(b"b"))) as board,
    ):
        await served.get("/boards/s1/x")
        await soon(lambda: served.door.pool.open_connections == 0)
        assert (await served.get("/boards/s1/x"))[1] == b"b" and board.connections == 2


async def test_a_connection_that_the_board_closed_is_replaced(served: Served, tmp_path: Path) -> None:
    def script(board: Scripted) -> servers.Handler:
        async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await board.head(reader)
            writer.write(ok(b"first"))
            await board.head(reader)  # the second request on a connection is never answered

        return handle

    async with scripted(tmp_path, served, script) as board:
        for _ in range(4):
            assert (await served.get("/boards/s1/x"))[1] == b"first"
        assert board.connections == 4 and len(board.heads) == 7


async def test_a_board_that_ends_before_the_first_byte_is_asked_once_more(served: Served, tmp_path: Path) -> None:
    def script(board: Scripted) -> servers.Handler:
        async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await board.head(reader)
            if len(board.heads) == 2:
                writer.write(ok(b"second try"))

        return handle

    async with scripted(tmp_path, served, script):
        assert (await served.get("/boards/s1/x"))[1] == b"second try"


@pytest.mark.parametrize("method", ["POST", "DELETE"])
async def test_a_request_that_may_change_something_is_sent_once(served: Served, tmp_path: Path, method: str) -> None:
    def script(board: Scripted) -> servers.Handler:
        async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await board.head(reader)

        return handle

    async with scripted(tmp_path, served, script) as board:
        head, body = await served.get("/boards/s1/x", "content-length: 0", method=method)
        assert head.startswith(b"HTTP/1.1 502") and b"BoardNotRunning" in body and len(board.heads) == 1


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf",
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n",
    ],
)
async def test_an_answer_that_breaks_off_is_seen_as_incomplete(served: Served, tmp_path: Path, answer: bytes) -> None:
    async with scripted(tmp_path, served, answering(answer)) as board:
        raw = await served.raw(GET)
        assert raw.startswith(b"HTTP/1.1 200") and raw.rstrip().endswith(b"half")
        assert b"content-length: 100" in raw or not raw.endswith(b"0\r\n\r\n")
        assert len(board.heads) == 1


async def test_a_board_that_does_not_listen_is_a_bad_gateway(served: Served, tmp_path: Path) -> None:
    served.addresses["s1"] = str(tmp_path / "nobody")
    head, _ = await served.get("/boards/s1/x")
    assert head.startswith(b"HTTP/1.1 502") and b"application/problem+json" in head and b"retry-after" in head
    assert served.door.pool.open_connections == 0


async def test_a_board_that_never_answers_is_a_timeout(tmp_path: Path) -> None:
    def script(board: Scripted) -> servers.Handler:
        async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await board.head(reader)
            await reader.read()

        return handle

    async with (
        servers.serving(door.Limits(first_byte_secs=0.1, watch_after_secs=0.01)) as served,
        scripted(tmp_path, served, script) as board,
    ):
        assert (await served.get("/boards/s1/x"))[0].startswith(b"HTTP/1.1 504")
        await soon(lambda: not board.open)
        assert len(board.heads) == 1


async def test_too_many_connections_to_one_board_are_refused(tmp_path: Path) -> None:
    release = asyncio.Event()

    def script(board: Scripted) -> servers.Handler:
        async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await board.head(reader)
            await release.wait()
            writer.write(ok(b"done"))

        return handle

    async with servers.serving(door.Limits(connections=2)) as served, scripted(tmp_path, served, script) as board:
        waiting = [asyncio.create_task(served.get("/boards/s1/x")) for _ in range(2)]
        await soon(lambda: len(board.heads) == 2)
        assert (await served.get("/boards/s1/x"))[0].startswith(b"HTTP/1.1 503")
        release.set()
        assert [body for _, body in await asyncio.gather(*waiting)] == [b"done"] * 2


# ---- streaming


async def test_each_event_is_passed_on_at_once(served: Served, tmp_path: Path) -> None:
    events: asyncio.Queue[bytes] = asyncio.Queue()

    def script(board: Scripted) -> servers.Handler:
        async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await board.head(reader)
            writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n")
            while event := await events.get():
                writer.write(b"%x\r\n%s\r\n" % (len(event), event))
            writer.write(b"0\r\n\r\n")
            await reader.read()

        return handle

    async with scripted(tmp_path, served, script), served.connected() as (reader, writer):
        writer.write(GET)
        head = await reader.readuntil(b"\r\n\r\n")
        assert b"text/event-stream" in head and b"transfer-encoding: chunked" in head
        for number in range(5):
            events.put_nowait(b"data: %d\n\n" % number)
            assert await asyncio.wait_for(reader.readuntil(b"\n\n\r\n"), 10) == b"9\r\ndata: %d\n\n\r\n" % number
        events.put_nowait(b"")
        assert await asyncio.wait_for(reader.readuntil(b"0\r\n\r\n"), 10)


async def test_a_slow_client_slows_down_the_board_and_gets_everything(served: Served, tmp_path: Path) -> None:
    size, sent = 64 * MIB, 0

    def script(board: Scripted) -> servers.Handler:
        async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            nonlocal sent
            await board.head(reader)
            writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n" % size)
            while sent < size:
                writer.write(b"x" * 65536)
                await writer.drain()
                sent += 65536

        return handle

    async with scripted(tmp_path, served, script), served.connected() as (reader, writer):
        writer.write(GET)
        head = await reader.readuntil(b"\r\n\r\n")
        assert b"content-length: %d" % size in head
        last = -1
        while last != sent:  # until it stands still
            last = sent
            await asyncio.sleep(0.3)
        assert sent < 24 * MIB
        assert len(await reader.readexactly(size)) == size and sent == size


async def test_a_slow_board_slows_down_the_client_and_gets_everything(served: Served, tmp_path: Path) -> None:
    size, go = 32 * MIB, asyncio.Event()

    def script(board: Scripted) -> servers.Handler:
        async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            head = await board.head(reader)
            assert b"content-length: %d\r\n" % size in head
            await go.wait()
            total = 0
            while total < size:
                total += len(await reader.read(MIB))
            writer.write(ok(b"%d" % total))
            await writer.drain()

        return handle

    async with scripted(tmp_path, served, script), served.connected() as (reader, writer):
        writer.write(b"POST /boards/s1/x HTTP/1.1\r\nhost: h\r\ncontent-length: %d\r\n\r\n" % size)
        sent = 0

        async def upload() -> None:
            nonlocal sent
            while sent < size:
                writer.write(b"y" * 65536)
                await writer.drain()
                sent += 65536

        task = asyncio.create_task(upload())
        last = -1
        while last != sent or not sent:
            last = sent
            await asyncio.sleep(0.3)
        assert sent < 24 * MIB
        go.set()
        assert (await read_answer(reader))[1] == b"%d" % size
        await task


async def test_a_chunked_body_is_passed_on_in_chunks(served: Served, tmp_path: Path) -> None:
    def script(board: Scripted) -> servers.Handler:
        async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            assert b"transfer-encoding: chunked" in await board.head(reader)
            body = await reader.readuntil(b"0\r\n\r\n")
            writer.write(ok(body.replace(b"\r\n", b"|")))
            await writer.drain()

        return handle

    async with scripted(tmp_path, served, script):
        request = b"POST /boards/s1/x HTTP/1.1\r\nhost: h\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n"
        answer = await served.raw(request + b"3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
        assert answer.endswith(b"0||") and b"abc" in answer and b"de" in answer


async def test_a_board_may_answer_before_it_has_read_the_body(served: Served, tmp_path: Path) -> None:
    def script(board: Scripted) -> servers.Handler:
        async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await board.head(reader)
            writer.write(b"HTTP/1.1 413 Too Large\r\ncontent-length: 3\r\nconnection: close\r\n\r\nbig")
            await writer.drain()
            await reader.read()

        return handle

    async with scripted(tmp_path, served, script), served.connected() as (reader, writer):
        writer.write(b"POST /boards/s1/x HTTP/1.1\r\nhost: h\r\ncontent-length: 1000000\r\n\r\nabc")
        head, body = await read_answer(reader)
        assert head.startswith(b"HTTP/1.1 413") and body == b"big"
        await soon(lambda: served.door.pool.open_connections == 0)


@pytest.mark.parametrize("accepted", [True, False])
async def test_the_board_decides_whether_the_client_continues(served: Served, tmp_path: Path, accepted: bool) -> None:
    def script(board: Scripted) -> servers.Handler:
        async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            assert b"expect: 100-continue" in await board.head(reader)
            if not accepted:
                writer.write(b"HTTP/1.1 403 No\r\ncontent-length: 2\r\n\r\nno")
                await reader.read()
                return
            writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
            writer.write(ok(await reader.readexactly(5)))
            await reader.read()

        return handle

    async with scripted(tmp_path, served, script), served.connected() as (reader, writer):
        writer.write(b"POST /boards/s1/x HTTP/1.1\r\nhost: h\r\ncontent-length: 5\r\nexpect: 100-continue\r\n\r\n")
        first = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 10)
        if not accepted:
            assert first.startswith(b"HTTP/1.1 403")
            return
        assert first == b"HTTP/1.1 100 Continue\r\n\r\n"
        writer.write(b"hello")
        assert (await read_answer(reader))[1] == b"hello"


@pytest.mark.parametrize(
    ("method", "answer"),
    [
        ("HEAD", b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n"),
        ("GET", b"HTTP/1.1 304 Not Modified\r\netag: x\r\n\r\n"),
        ("GET", b"HTTP/1.1 204 No Content\r\n\r\n"),
    ],
)
async def test_answers_without_a_body_leave_the_connection_usable(
    served: Served, tmp_path: Path, method: str, answer: bytes
) -> None:
    async with scripted(tmp_path, served, answering(answer, ok(b"next"))) as board:
        head, body = await served.get("/boards/s1/x", method=method)
        assert head.split(b" ")[1] == answer.split(b" ")[1] and body == b""
        assert (b"content-length: 1000" in head) == (method == "HEAD")
        assert (await served.get("/boards/s1/x"))[1] == b"next" and board.connections == 1


async def test_an_answer_that_ends_with_the_connection_is_complete(served: Served, tmp_path: Path) -> None:
    async with scripted(tmp_path, served, answering(b"HTTP/1.0 200 OK\r\n\r\nuntil the end")):
        head, body = await served.get("/boards/s1/x")
        assert b"transfer-encoding: chunked" in head and b"until the end" in body and body.endswith(b"0\r\n\r\n")


async def test_ranges_pass_both_ways(served: Served, tmp_path: Path) -> None:
    partial = b"HTTP/1.1 206 Partial Content\r\ncontent-range: bytes 1-2/9\r\ncontent-length: 2\r\n\r\nbc"
    async with scripted(tmp_path, served, answering(partial)) as board:
        head, body = await served.get("/boards/s1/x", "range: bytes=1-2", 'if-range: "e"')
        assert b"206" in head and b"content-range: bytes 1-2/9" in head and body == b"bc"
        assert b"range: bytes=1-2" in board.heads[0] and b'if-range: "e"' in board.heads[0]


# ---- clients that leave


@pytest.mark.parametrize("after", ["request", "head"])
async def test_a_client_that_leaves_ends_the_request_at_the_board(served: Served, tmp_path: Path, after: str) -> None:
    def script(board: Scripted) -> servers.Handler:
        async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await board.head(reader)
            if after == "head":
                writer.write(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n")
            await reader.read()  # until the door closes the connection

        return handle

    async with scripted(tmp_path, served, script) as board:
        async with served.connected() as (reader, writer):
            writer.write(GET)
            await soon(lambda: board.heads)
            if after == "head":
                await reader.readuntil(b"\r\n\r\n")
        await asyncio.wait_for(board.closed.wait(), servers.PATIENCE_SECS)
        await soon(lambda: served.door.pool.open_connections == 0)


async def test_a_stream_ends_when_the_client_may_no_longer_open_the_board(tmp_path: Path) -> None:
    def script(board: Scripted) -> servers.Handler:
        async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await board.head(reader)
            writer.write(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nfirst\r\n")
            await reader.read()

        return handle

    async with (
        servers.serving(door.Limits(watch_after_secs=0.01, check_secs=0.02)) as served,
        scripted(tmp_path, served, script) as board,
        served.connected() as (reader, writer),
    ):
        writer.write(GET)
        await reader.readuntil(b"first")
        await soon(lambda: len(served.asked) > 3)
        assert board.open == 1  # while it is allowed, the stream goes on
        del served.addresses["s1"]
        rest = await asyncio.wait_for(reader.read(), servers.PATIENCE_SECS)
        assert b"0\r\n\r\n" not in rest  # the client notices that the answer is incomplete
        await asyncio.wait_for(board.closed.wait(), servers.PATIENCE_SECS)
        await soon(lambda: served.door.pool.open_connections == 0)


async def test_a_check_that_fails_ends_no_stream(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    def script(board: Scripted) -> servers.Handler:
        async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await board.head(reader)
            writer.write(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nfirst\r\n")
            await soon(lambda: caplog.records)
            writer.write(b"4\r\nlast\r\n0\r\n\r\n")

        return handle

    async with (
        servers.serving(door.Limits(watch_after_secs=0.01, check_secs=0.02)) as served,
        scripted(tmp_path, served, script),
        served.connected() as (reader, writer),
    ):
        writer.write(GET)
        await reader.readuntil(b"first")
        served.failing = True
        await reader.readuntil(b"last")
        served.failing = False
    assert "cannot check again" in caplog.text


async def test_a_client_that_leaves_during_its_upload_ends_the_request(served: Served, tmp_path: Path) -> None:
    def script(board: Scripted) -> servers.Handler:
        async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await board.head(reader)
            await reader.read()

        return handle

    async with scripted(tmp_path, served, script) as board:
        async with served.connected() as (_, writer):
            writer.write(b"POST /boards/s1/x HTTP/1.1\r\nhost: h\r\ncontent-length: 100\r\n\r\nabc")
            await soon(lambda: board.heads)
        await asyncio.wait_for(board.closed.wait(), servers.PATIENCE_SECS)


async def test_a_client_that_takes_nothing_is_given_up(tmp_path: Path) -> None:
    def script(board: Scripted) -> servers.Handler:
        async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await board.head(reader)
            writer.write(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n")
            while True:
                writer.write(b"10000\r\n" + b"x" * 65536 + b"\r\n")
                await writer.drain()

        return handle

    async with (
        servers.serving(door.Limits(stalled_secs=0.2, watch_after_secs=0.02)) as served,
        scripted(tmp_path, served, script) as board,
        served.connected() as (reader, writer),
    ):
        reader._transport.pause_reading()  # type: ignore[attr-defined]
        writer.write(GET)
        await asyncio.wait_for(board.closed.wait(), servers.PATIENCE_SECS)
        writer.transport.abort()


async def test_a_closed_door_ends_everything(tmp_path: Path) -> None:
    def script(board: Scripted) -> servers.Handler:
        async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await board.head(reader)
            writer.write(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n")
            await reader.read()

        return handle

    async with servers.serving() as served, scripted(tmp_path, served, script) as board:
        async with served.connected() as (reader, writer):
            writer.write(GET)
            await reader.readuntil(b"\r\n\r\n")
            served.door.close()
            with contextlib.suppress(ConnectionError):
                assert await asyncio.wait_for(reader.read(), servers.PATIENCE_SECS) == b""
        await asyncio.wait_for(board.closed.wait(), servers.PATIENCE_SECS)
