"""One GET request to a board over its Unix socket, bounded in time and size."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httptools

ANSWER_SECS = 5.0
MOST_BYTES = 8 << 20


class NoAnswer(Exception):
    """The board does not listen, is slow, or sends something else than JSON."""


class _Reader(asyncio.Protocol):
    """State: `done` is set once, by the end of the answer or of the connection."""

    def __init__(self, request: bytes, done: asyncio.Future[bytes]) -> None:
        self._request = request
        self._done = done
        self._parser = httptools.HttpResponseParser(self)
        self._pieces: list[bytes] = []
        self._size = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # uvloop's is none
        transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        self._size += len(data)
        try:
            if self._size > MOST_BYTES:
                raise NoAnswer("the answer is too large")
            self._parser.feed_data(data)
        except Exception as error:
            self._fail(error)

    def on_body(self, data: bytes) -> None:
        self._pieces.append(data)

    def on_message_complete(self) -> None:
        if self._parser.get_status_code() != 200:
            self._fail(NoAnswer(f"status {self._parser.get_status_code()}"))
        elif not self._done.done():
            self._done.set_result(b"".join(self._pieces))

    def connection_lost(self, exc: Exception | None) -> None:
        self._fail(exc or ConnectionResetError("closed without an answer"))

    def _fail(self, error: Exception) -> None:
        if not self._done.done():
            self._done.set_exception(error)


async def get(socket: str, path: str, *, timeout_secs: float = ANSWER_SECS) -> Any:
    """Returns the decoded JSON; raises NoAnswer."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[bytes] = loop.create_future()
    request = f"GET {path} HTTP/1.1\r\nhost: board\r\nconnection: close\r\naccept-encoding: identity\r\n\r\n".encode()
    transport: asyncio.BaseTransport | None = None

    async def exchange() -> bytes:
        nonlocal transport
        transport, _ = await loop.create_unix_connection(lambda: _Reader(request, done), socket)
        return await done

    try:
        return json.loads(await asyncio.wait_for(exchange(), timeout_secs))
    except (OSError, ValueError, asyncio.TimeoutError, httptools.HttpParserError) as error:
        raise NoAnswer(str(error) or type(error).__name__) from error
    finally:
        if transport is not None:
            transport.close()
        done.cancel()
        if done.done() and not done.cancelled():
            done.exception()  # it was retrieved, or nobody needs it
