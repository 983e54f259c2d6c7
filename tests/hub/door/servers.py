"""A door behind a real server, boards that do what a script says, and clients that write raw bytes."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import uvicorn

from lightboard.hub import door
from lightboard.hub.door.door import Door
from lightboard.server import connections, limits

PATIENCE_SECS = 60.0
Handler = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class Served:
    """A door that listens on a port of the loopback address. `addresses` has the sockets of boards by id."""

    def __init__(self, bounds: door.Limits | None = None) -> None:
        self.addresses: dict[str, str] = {}
        self.asked: list[tuple[str | None, str]] = []
        self.failing = False
        self.door: Door[str] = Door(self.who, self.may_open, limits=bounds)
        self.port = 0

    async def who(self, scope: door.Scope) -> str | None:
        bearer = dict(scope["headers"]).get(b"authorization", b"")
        return bearer.removeprefix(b"Bearer ").decode() or None

    async def may_open(self, identity: str | None, board: str) -> door.Open | door.Reply:
        self.asked.append((identity, board))
        if self.failing:
            raise OSError("the database does not answer")
        if board == "waking":
            return door.Reply(503, b"<p>waking", headers=((b"retry-after", b"1"),))
        if board not in self.addresses:
            return door.Reply(404, b"<p>no such board")
        return door.Open(self.addresses[board])

    async def raw(self, request: bytes) -> bytes:
        """Sends bytes and reads until the end of the connection."""
        async with self.connected() as (reader, writer):
            writer.write(request)
            return await asyncio.wait_for(reader.read(), PATIENCE_SECS)

    async def get(self, path: str, *lines: str, method: str = "GET") -> tuple[bytes, bytes]:
        """Head and body of an answer with `connection: close`."""
        head = [f"{method} {path} HTTP/1.1", "host: hub.example", "connection: close", *lines, "", ""]
        answer = await self.raw("\r\n".join(head).encode("latin-1"))
        first, _, rest = answer.partition(b"\r\n\r\n")
        return first, rest

    @contextlib.asynccontextmanager
    async def connected(self) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            yield reader, writer
        finally:
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()


@contextlib.asynccontextmanager
async def serving(bounds: door.Limits | None = None) -> AsyncIterator[Served]:
    served = Served(bounds)
    listening = socket.create_server(("127.0.0.1", 0))
    served.port = listening.getsockname()[1]
    config = uvicorn.Config(
        served.door,
        http=connections.protocol(limits.Limits()),
        ws="none",
        lifespan="off",
        log_config=None,
        log_level="critical",
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)
    server.install_signal_handlers = lambda: None  # type: ignore[method-assign,attr-defined,unused-ignore]
    config.load()
    server.lifespan = config.lifespan_class(config)
    await server.startup(sockets=[listening])
    try:
        yield served
    finally:
        served.door.close()
        await server.shutdown(sockets=[listening])


class Scripted:
    """A board whose server is a function; what it received is in `heads`."""

    def __init__(self, handler: Handler) -> None:
        self.handler = handler
        self.heads: list[bytes] = []
        self.connections = 0
        self.open = 0
        self.closed = asyncio.Event()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self.open += 1
        try:
            await self.handler(reader, writer)
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            self.open -= 1
            self.closed.set()
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    async def head(self, reader: asyncio.StreamReader) -> bytes:
        head = await reader.readuntil(b"\r\n\r\n")
        self.heads.append(head)
        return head


@contextlib.asynccontextmanager
async def scripted(folder: Path, served: Served, handler: Callable[[Scripted], Handler]) -> AsyncIterator[Scripted]:
    """The board `s1`, at a socket in the folder."""
    made = Scripted(handler=lambda *_: asyncio.sleep(0))
    made.handler = handler(made)
    path = str(folder / "s1.socket")
    server = await asyncio.start_unix_server(made.serve, path)
    served.addresses["s1"] = path
    try:
        yield made
    finally:
        server.close()
        Path(path).unlink(missing_ok=True)  # noqa: ASYNC240


def answering(*answers: bytes) -> Callable[[Scripted], Handler]:
    """Reads a head and writes the next answer, over and over; closes after the last."""

    def script(board: Scripted) -> Handler:
        left = list(answers)

        async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            while left:
                await board.head(reader)
                writer.write(left.pop(0))
                await writer.drain()

        return handle

    return script


def ok(body: bytes, *lines: str) -> bytes:
    head = ["HTTP/1.1 200 OK", f"content-length: {len(body)}", *lines, "", ""]
    return "\r\n".join(head).encode() + body
