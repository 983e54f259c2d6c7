"""One request to a board, whatever answers at its socket."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path

import pytest

from lightboard.hub.runtimes import asking


@pytest.fixture(params=[False, True], ids=["asyncio", "uvloop"])
def anyio_backend(request: pytest.FixtureRequest) -> tuple[str, dict[str, bool]]:
    return "asyncio", {"use_uvloop": request.param}


async def answer(folder: Path, text: bytes, *, stays: bool = False, timeout_secs: float = 10.0) -> object:
    ended = asyncio.Event()

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"GET /boards/b1/api/activity HTTP/1.1\r\n")
        writer.write(text)
        if stays:
            await reader.read()
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()
        ended.set()

    server = await asyncio.start_unix_server(handle, folder / "s")
    try:
        return await asking.get(str(folder / "s"), "/boards/b1/api/activity", timeout_secs=timeout_secs)
    finally:
        await ended.wait()
        server.close()


@pytest.mark.parametrize(
    "text",
    [
        b'HTTP/1.1 200 OK\r\ncontent-length: 7\r\n\r\n{"a":1}',
        b'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\n{"a\r\n4\r\n":1}\r\n0\r\n\r\n',
    ],
)
async def test_json_is_decoded(tmp_path: Path, text: bytes) -> None:
    assert await answer(tmp_path, text) == {"a": 1}
    assert await answer(tmp_path, text, stays=True) == {"a": 1}


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"nonsense",
        b"HTTP/1.1 404 No\r\ncontent-length: 2\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n<>",
        b"HTTP/1.1 200 OK\r\ncontent-length: 9000000\r\n\r\n" + b"x" * 9_000_000,
    ],
    ids=lambda text: text[:20],
)
async def test_anything_else_is_no_answer(tmp_path: Path, text: bytes) -> None:
    with pytest.raises(asking.NoAnswer):
        await answer(tmp_path, text)


async def test_a_silent_board_is_no_answer(tmp_path: Path) -> None:
    with pytest.raises(asking.NoAnswer):
        await answer(tmp_path, b"", stays=True, timeout_secs=0.05)
    with pytest.raises(asking.NoAnswer):
        await asking.get(str(tmp_path / "nobody"), "/")
