"""Connections to boards: HTTP/1.1 over Unix sockets, used again for later requests.

A connection has one request at a time. `begin` sends its head; the answer is parsed as it comes and waits in the
connection until the door takes it. Above `waiting_bytes` the connection is not read, so a slow client slows down the
board and not the memory of the hub. A connection goes back to the pool only if both messages have ended as they
should; anything that arrives outside of an exchange closes it.
"""

from __future__ import annotations

import asyncio
import collections

import httptools

from lightboard.hub import door

HEAD_BYTES = 64 << 10
INTERIM_ANSWERS = 16  # 1xx, before the answer


class Lost(Exception):
    """The board does not listen, closed the connection, or sent something that is no answer."""


class Slow(Lost):
    """No byte came in time."""


class Left(Exception):
    """The client has disconnected."""


class Full(Exception):
    """There are too many connections to this board."""


class Connection(asyncio.Protocol):
    """State of an exchange: `status` is 0 until the head of the answer is complete; `ended` says that the whole answer
    is there, `error` that nothing more will come. `_chunks` has `_waiting` bytes of the body that nobody took yet.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, limits: door.Limits, pool: Pool) -> None:
        self._loop, self._limits, self._pool = loop, limits, pool
        self._transport: asyncio.Transport | None = None
        self._waiter: asyncio.Future[None] | None = None
        self._writable: asyncio.Future[None] | None = None
        self.idle_timer: asyncio.TimerHandle | None = None
        self.used = False  # by a request before
        self._reset(bodyless=False)
        self.ended = True
        self.error: Exception | None = None

    def _reset(self, *, bodyless: bool) -> None:
        self._parser = httptools.HttpResponseParser(self)
        self._bodyless = bodyless
        self._chunks: list[bytes] = []
        self._waiting = 0
        self._paused = False
        self._head_bytes = 0
        self._interim = 0
        self._delimited = False  # the answer says where it ends
        self._reusable = False
        self.headers: door.Headers = []
        self.status = 0
        self.received = False  # a byte of the answer
        self.continued = False  # the board wants the body
        self.ended = False
        self.sent = True  # the whole request

    # ---- for the door

    def begin(self, head: bytes, *, bodyless: bool) -> None:
        """Send the head of a request; `bodyless`: the answer has a head only, whatever it says."""
        self._reset(bodyless=bodyless)
        self.write(head)

    def write(self, data: bytes) -> None:
        if self._transport is not None and self.error is None:
            self._transport.write(data)

    async def drain(self) -> None:
        """Wait until the board takes more of the request."""
        if self._writable is not None:
            await self._writable

    async def changed(self) -> None:
        """Wait for something new in the answer. Raises `error`."""
        if self.error is None:
            self._waiter = self._loop.create_future()
            try:
                await self._waiter
            finally:
                self._waiter = None
        if self.error is not None and not self.ended:
            raise self.error

    def take(self) -> bytes:
        """Returns what has come of the body since the last call."""
        chunks = self._chunks
        if not chunks:
            return b""
        self._chunks, self._waiting = [], 0
        if self._paused and self._transport is not None:
            self._paused = False
            self._transport.resume_reading()
        return chunks[0] if len(chunks) == 1 else b"".join(chunks)

    def fail(self, error: Exception) -> None:
        """End the exchange and the connection."""
        if self.error is None:
            self.error = error
        if self._transport is not None:
            self._transport.abort()
        self._wake()

    @property
    def reusable(self) -> bool:
        return self.ended and self.sent and self._reusable and self.error is None and not self._chunks

    # ---- the transport

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # uvloop's is none
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        if self.ended:
            self.fail(Lost("the board sent something that nobody asked for"))
            return
        self.received = True
        if not self.status:
            self._head_bytes += len(data)
        try:
            self._parser.feed_data(data)
        except Exception as error:  # also httptools.HttpParserUpgrade, and what the callbacks raise
            self._broken(error)
        else:
            if not self.status and self._head_bytes > HEAD_BYTES:
                self._broken(Lost("the head of the answer is too long"))
        self._wake()

    def _broken(self, error: Exception) -> None:
        if self.ended:
            self._reusable = False
        else:
            self.fail(error if isinstance(error, Lost) else Lost(f"the board sent no valid answer: {error}"))

    def eof_received(self) -> None:
        if self.status and not self._delimited and not self.ended:
            self.ended = True

    def connection_lost(self, exc: Exception | None) -> None:
        self._pool.lost(self)
        if self.error is None:
            self.error = Lost("the board closed the connection")
        self._transport = None
        self.resume_writing()
        self._wake()

    def pause_writing(self) -> None:
        if self._writable is None:
            self._writable = self._loop.create_future()

    def resume_writing(self) -> None:
        if self._writable is not None and not self._writable.done():
            self._writable.set_result(None)
        self._writable = None

    # ---- the parser

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self.status:  # else it is a trailer
            name = name.lower()
            self._delimited = self._delimited or name in (b"content-length", b"transfer-encoding")
            self.headers.append((name, value))

    def on_headers_complete(self) -> None:
        status = self._parser.get_status_code()
        if self.ended or status == 101 or not 100 <= status <= 599:
            raise Lost(f"the board answered with status {status}")
        if status < 200:
            self._interim += 1
            if self._interim > INTERIM_ANSWERS:
                raise Lost("the board sends no answer")
            self.continued = self.continued or status == 100
            return
        self.status = status
        self._reusable = self._parser.should_keep_alive()
        if self._bodyless or status in (204, 304):
            self.ended = self._delimited = True

    def on_body(self, data: bytes) -> None:
        if self.ended:
            self._reusable = False  # more than the answer has
            return
        self._chunks.append(data)
        self._waiting += len(data)
        if self._waiting > self._limits.waiting_bytes and not self._paused and self._transport is not None:
            self._paused = True
            self._transport.pause_reading()

    def on_message_complete(self) -> None:
        if self.status:
            self.ended = True
        else:  # an interim answer
            self.headers, self._delimited, self._head_bytes = [], False, 0

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)


class Pool:
    """The connections to all boards. State, by address: `_idle` has unused connections, the newest last; `_open` counts
    all."""

    def __init__(self, limits: door.Limits) -> None:
        self._limits = limits
        self._idle: dict[str, list[Connection]] = {}
        self._open: collections.Counter[str] = collections.Counter()
        self._address: dict[Connection, str] = {}

    def idle(self, address: str) -> Connection | None:
        """Returns an unused connection, if there is one."""
        waiting = self._idle.get(address)
        while waiting:
            connection = waiting.pop()
            if connection.idle_timer is not None:
                connection.idle_timer.cancel()
            if connection.error is None:
                return connection
        return None

    async def connect(self, address: str) -> Connection:
        """Raises Lost, or Full."""
        if self._open[address] >= self._limits.connections:
            raise Full
        loop = asyncio.get_running_loop()
        connection = Connection(loop, self._limits, self)
        self._open[address] += 1
        self._address[connection] = address
        try:
            made = loop.create_unix_connection(lambda: connection, address)
            await asyncio.wait_for(made, self._limits.connect_secs)
        except (OSError, asyncio.TimeoutError) as error:
            self.lost(connection)
            raise Lost(f"the board does not listen: {error}") from error
        except BaseException:
            connection.fail(Left())
            self.lost(connection)
            raise
        return connection

    def release(self, connection: Connection) -> None:
        """Keep a connection for the next request, or close it."""
        address = self._address.get(connection)
        waiting = self._idle.setdefault(address, []) if address is not None else []
        if address is None or not connection.reusable or len(waiting) >= self._limits.idle_connections:
            connection.fail(Lost("not needed any more"))
            return
        connection.used = True
        loop = asyncio.get_running_loop()
        connection.idle_timer = loop.call_later(self._limits.idle_secs, connection.fail, Lost("idle"))
        waiting.append(connection)

    def lost(self, connection: Connection) -> None:
        address = self._address.pop(connection, None)
        if address is None:
            return
        if connection.idle_timer is not None:
            connection.idle_timer.cancel()
        waiting = self._idle.get(address, [])
        if connection in waiting:
            waiting.remove(connection)
        if not waiting:
            self._idle.pop(address, None)
        self._open[address] -= 1
        if not self._open[address]:
            del self._open[address]

    def close(self) -> None:
        for connection in list(self._address):
            connection.fail(Lost("the hub is stopping"))

    @property
    def open_connections(self) -> int:
        return self._open.total() if hasattr(self._open, "total") else sum(self._open.values())
