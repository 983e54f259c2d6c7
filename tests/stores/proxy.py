"""A proxy between a client and a store: counts requests, and fails as real stores and networks do.

    with proxy.Proxy(store.endpoint) as between:
        between.plan = injected.Script([injected.SLOW_DOWN, None, injected.RESET])    # of the next three requests
        between.plan = injected.Chance(0.2, seed=7)                                   # of a fifth of all
        ... read from between.endpoint ...
        assert between.count() == {"LIST": 1, "GET": 3}

It runs in a thread with its own event loop, speaks HTTP/1.1 and passes request heads on as they are, `Host` included,
so that signatures stay valid. As an HTTP proxy (absolute addresses in requests) it passes everything to the same store.
"""

from __future__ import annotations

import asyncio
import collections
import contextlib
import dataclasses
import socket
import struct
import threading
import urllib.parse
from collections.abc import Coroutine, Iterator
from typing import Any

from stores import injected, processes

_TLS_ALERT = bytes.fromhex("15030100020228")  # fatal: handshake failure
_ERRORS = (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError)


class _Ended(Exception):
    """The connection with the client ends here."""


@dataclasses.dataclass(frozen=True)
class _Head:
    """Lines of a request or an answer, without the last empty one."""

    lines: tuple[bytes, ...]

    @property
    def words(self) -> list[str]:
        return self.lines[0].decode("latin-1").split(" ", 2)

    def get(self, name: str) -> str:
        for line in self.lines[1:]:
            key, _, value = line.partition(b":")
            if key.strip().lower() == name.encode():
                return value.strip().decode("latin-1")
        return ""

    def with_length(self, length: int) -> _Head:
        dropped = (b"content-length", b"transfer-encoding")
        kept = [line for line in self.lines if line.partition(b":")[0].strip().lower() not in dropped]
        return _Head((*kept, b"content-length: %d" % length))

    def raw(self) -> bytes:
        return b"\r\n".join(self.lines) + b"\r\n\r\n"


async def _read_head(reader: asyncio.StreamReader) -> _Head:
    raw = await reader.readuntil(b"\r\n\r\n")
    return _Head(tuple(raw[:-4].split(b"\r\n")))


async def _read_body(reader: asyncio.StreamReader, head: _Head) -> bytes:
    if head.get("transfer-encoding").lower() == "chunked":
        return await _read_chunks(reader)
    return await reader.readexactly(int(head.get("content-length") or 0))


async def _read_chunks(reader: asyncio.StreamReader) -> bytes:
    pieces = []
    while size := int((await reader.readline()).split(b";")[0], 16):
        pieces.append(await reader.readexactly(size))
        await reader.readline()
    await reader.readline()
    return b"".join(pieces)


def _reset(writer: asyncio.StreamWriter) -> None:
    """Ends a connection by RST instead of FIN."""
    raw = writer.get_extra_info("socket")
    if raw is not None:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


@dataclasses.dataclass
class _Store:
    """One connection to the store for each connection of a client."""

    host: str
    port: int
    streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, head: _Head, body: bytes) -> tuple[_Head, bytes]:
        """Once more if the store closed the kept connection."""
        kept = self.streams is not None
        try:
            return await self._once(head, body)
        except _ERRORS:
            self.close()
            if not kept:
                raise
            return await self._once(head, body)

    async def _once(self, head: _Head, body: bytes) -> tuple[_Head, bytes]:
        if self.streams is None:
            self.streams = await asyncio.open_connection(self.host, self.port, limit=1 << 20)
        reader, writer = self.streams
        writer.write(head.raw() + body)
        await writer.drain()
        answer = await _read_head(reader)
        while answer.words[1] == "100":
            answer = await _read_head(reader)
        bare = head.words[0] == "HEAD" or answer.words[1] in ("204", "304")
        content = b"" if bare else await _read_body(reader, answer)
        if answer.get("connection").lower() == "close":
            self.close()
        return answer, content

    def close(self) -> None:
        if self.streams is not None:
            self.streams[1].transport.abort()
            self.streams = None


class Proxy:
    """State, under `_lock`: what was asked, and how many requests are being answered. `plan` may be exchanged any
    time."""

    def __init__(self, target: str, *, closed_secs: float = 0.2, trickle_secs: float = 0.005) -> None:
        split = urllib.parse.urlsplit(target)
        assert split.hostname is not None and split.port is not None
        self.plan: injected.Plan = injected.Pass()
        self._address = split.hostname, split.port
        self._path = split.path
        self._closed_secs = closed_secs
        self._trickle_secs = trickle_secs
        self._lock = threading.Lock()
        self._requests: list[injected.Request] = []
        self._open_requests = 0
        self._most_at_once = 0
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="proxy", daemon=True)
        self._listener: socket.socket | None = None
        self._opener: asyncio.Future[None] | None = None  # kept until it is done
        self._clients: set[asyncio.Task[None]] = set()
        self._port = processes.free_port()

    # ---- for tests

    def __enter__(self) -> Proxy:
        self._thread.start()
        self._run(self._open())
        return self

    def __exit__(self, *exc: object) -> None:
        self._run(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    @property
    def endpoint(self) -> str:
        """Stands in for the store's own endpoint."""
        return f"{self.url}{self._path}"

    @property
    def url(self) -> str:
        """Without the path; also as HTTP proxy."""
        return f"http://127.0.0.1:{self._port}"

    def requests(self, kind: str = "") -> list[injected.Request]:
        with self._lock:
            return [each for each in self._requests if kind in ("", each.kind)]

    def count(self) -> dict[str, int]:
        """How many requests of each kind there were since the last `forget`."""
        return dict(collections.Counter(each.kind for each in self.requests()))

    def faults(self) -> dict[str, int]:
        """How many there were of each fault."""
        return dict(collections.Counter(each.fault.name for each in self.requests() if each.fault is not None))

    @property
    def most_at_once(self) -> int:
        """The largest number of requests that were being answered together."""
        with self._lock:
            return self._most_at_once

    def forget(self) -> None:
        with self._lock:
            self._requests.clear()
            self._most_at_once = 0

    @contextlib.contextmanager
    def closed(self) -> Iterator[None]:
        """Nobody listens in this block."""
        self._run(self._close())
        try:
            yield
        finally:
            self._run(self._open())

    # ---- in the thread

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result(30)

    async def _open(self) -> None:
        """On the same port as before. With a listener of our own: asyncio's server leaves connections unanswered that
        it accepts while it closes."""
        if self._listener is None:
            self._listener = socket.create_server(("127.0.0.1", self._port), backlog=512)
            self._listener.setblocking(False)
            self._loop.add_reader(self._listener, self._accept, self._listener)

    async def _close(self) -> None:
        if self._listener is not None:
            self._loop.remove_reader(self._listener)
            self._listener.close()
            self._listener = None
        await asyncio.sleep(0)  # what was accepted just now has begun
        own = asyncio.current_task()
        others = [task for task in self._clients if task is not own]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        for _ in range(3):
            await asyncio.sleep(0)  # transports close in the next rounds of the loop

    def _accept(self, listener: socket.socket) -> None:
        try:
            connection, _ = listener.accept()
        except OSError:  # the client left already
            return
        connection.setblocking(False)
        task = self._loop.create_task(self._converse(connection))
        self._clients.add(task)
        task.add_done_callback(self._clients.discard)

    async def _converse(self, connection: socket.socket) -> None:
        reader, writer = await asyncio.open_connection(sock=connection, limit=1 << 20)
        store = _Store(*self._address)
        try:
            while True:
                await self._serve(reader, writer, store)
        except (_Ended, *_ERRORS):
            writer.transport.abort()
        except asyncio.CancelledError:  # the port closes, or the proxy ends
            _reset(writer)
        finally:
            store.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, store: _Store) -> None:
        head = await _read_head(reader)
        body = await _read_body(reader, head)
        method, target, _ = head.words
        request = injected.Request(
            injected.kind_of(method, target), target, head.get("range"), head.get("host"), method == "HEAD"
        )
        request.fault = self.plan.choose(request)
        with self._counted(request):
            await self._reply(reader, writer, store, request, head, body)

    @contextlib.contextmanager
    def _counted(self, request: injected.Request) -> Iterator[None]:
        with self._lock:
            self._requests.append(request)
            self._open_requests += 1
            self._most_at_once = max(self._most_at_once, self._open_requests)
        try:
            yield
        finally:
            with self._lock:
                self._open_requests -= 1

    async def _reply(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        store: _Store,
        request: injected.Request,
        head: _Head,
        body: bytes,
    ) -> None:
        if request.fault is None:
            await _send(writer, request, *await store.ask(head, body))
        elif request.fault.status:
            await _send(writer, request, *_answer(request.fault, request))
        elif request.fault in injected.IN_BODY:
            await self._spoil(reader, writer, request, *await store.ask(head, body))
        else:
            await self._break(writer, request.fault)

    async def _break(self, writer: asyncio.StreamWriter, fault: injected.Fault) -> None:
        """Without an answer of the store."""
        if fault == injected.CLOSED:
            await self._close()
            self._loop.call_later(self._closed_secs, self._open_later)
        if fault == injected.TLS:
            writer.write(_TLS_ALERT)
            await writer.drain()
            writer.close()
            raise _Ended
        _reset(writer)
        raise _Ended

    def _open_later(self) -> None:
        self._opener = asyncio.ensure_future(self._open())

    async def _spoil(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        request: injected.Request,
        head: _Head,
        body: bytes,
    ) -> None:
        """With half of what the store answered. An answer without a body is reset."""
        half = body[: len(body) // 2]
        whole = head.with_length(len(body))
        if not body:
            await self._break(writer, injected.RESET)
        if request.fault == injected.WRONG_LENGTH:
            await _send(writer, request, head.with_length(len(half)), half)
            return
        if request.fault == injected.TRICKLE:
            await _send(writer, request, whole, body, step=max(1, len(body) // 20), secs=self._trickle_secs)
            return
        await _send(writer, request, whole, half)
        if request.fault == injected.STALL:
            await reader.read(1)  # until the client leaves
        elif request.fault == injected.RESET_IN_BODY:
            _reset(writer)
        else:
            writer.close()
            await writer.wait_closed()
        raise _Ended


async def _send(
    writer: asyncio.StreamWriter,
    request: injected.Request,
    head: _Head,
    body: bytes,
    *,
    step: int = 0,
    secs: float = 0.0,
) -> None:
    if not request.bare and head.words[1] not in ("204", "304") and not head.get("content-length"):
        head = head.with_length(len(body))  # it was sent in chunks
    request.status, request.body_bytes = int(head.words[1]), len(body)
    writer.write(head.raw() + (b"" if step else body))
    for start in range(0, len(body), step) if step else ():
        await writer.drain()
        await asyncio.sleep(secs)
        writer.write(body[start : start + step])
    await writer.drain()


def _answer(fault: injected.Fault, request: injected.Request) -> tuple[_Head, bytes]:
    """As S3 says it."""
    text = (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>{fault.code}</Code><Message>{fault.message}</Message>'
        f"<Resource>{urllib.parse.quote(request.path)}</Resource><RequestId>injected-request-id</RequestId></Error>"
    )
    body = text.encode()
    head = _Head(
        (
            b"HTTP/1.1 %d %s" % (fault.status, fault.code.encode()),
            b"content-type: application/xml",
            b"x-amz-request-id: injected-request-id",
            b"content-length: %d" % len(body),
        )
    )
    return head, b"" if request.bare else body
