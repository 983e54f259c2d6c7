"""The ASGI application of the door.

address → identity → may this client open this board → headers → a connection → the body in one direction, the answer in
the other

A request that fails before the first byte of its answer is sent once more, over a new connection, if it has no body
and changes nothing. Later the connection of the client is closed, so that it notices that the answer is incomplete.

A long exchange, such as a stream of events, is checked again while it lasts: it ends when the client may no longer open
the board.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from lightboard.hub import door
from lightboard.hub.door import headers, paths, upstream

logger = logging.getLogger("lightboard.hub.door")

Identity = TypeVar("Identity")

METHODS = frozenset({"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"})
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_NO_STORE = (b"cache-control", b"no-store")
_TITLES = {
    400: "The address or a header of the request is ambiguous.",
    404: "There is no such board.",
    405: "Boards do not know this method.",
    502: "The board does not answer.",
    503: "The board has too many connections.",
    504: "The board does not answer in time.",
}
_CODES = {400: "BadRequest", 404: "NotFound", 405: "MethodNotAllowed", 503: "RateLimited"}


def failure(scope: door.Scope, status: int) -> door.Reply:
    """An error as problem+json; the hub may pass a function that also makes pages."""
    code = _CODES.get(status, "BoardNotRunning")
    problem = {"type": "about:blank", "title": _TITLES[status], "status": status, "code": code}
    retry = ((b"retry-after", b"1"),) if status >= 500 else ()
    return door.Reply(status, json.dumps(problem).encode(), "application/problem+json", (_NO_STORE, *retry))


class Broken(Exception):
    """The answer ended in the middle. It is raised so that the server closes the connection of the client."""


class Door(Generic[Identity]):
    """State: the pool of connections."""

    def __init__(
        self,
        who: Callable[[door.Scope], Awaitable[Identity | None]],
        may_open: Callable[[Identity | None, str], Awaitable[door.Open | door.Reply]],
        *,
        failure: Callable[[door.Scope, int], door.Reply] = failure,
        limits: door.Limits | None = None,
        frame_ancestors: tuple[str, ...] = headers.SELF,
    ) -> None:
        self._frame_ancestors = frame_ancestors
        self._who, self._may_open, self._failure = who, may_open, failure
        self._limits = limits or door.Limits()
        self.pool = upstream.Pool(self._limits)

    def close(self) -> None:
        """Close all connections to boards; exchanges that run end."""
        self.pool.close()

    async def __call__(self, scope: door.Scope, receive: door.Receive, send: door.Send) -> None:
        if scope["type"] != "http":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
            return
        reply = await self._admit(scope, receive, send)
        if reply is not None:
            await _answer(reply, scope, send)

    async def _admit(self, scope: door.Scope, receive: door.Receive, send: door.Send) -> door.Reply | None:
        """Returns an answer of the hub itself, None if the board has answered."""
        address = paths.parse(scope["raw_path"])
        query = paths.query(scope["query_string"])
        if address is None or query is None:
            return self._failure(scope, 400)
        if scope["method"] not in METHODS:
            return self._failure(scope, 405)
        if not address.below:
            location = address.board.encode() + b"/" + (b"?" + query if query else b"")
            return door.Reply(308, headers=((b"location", location), _NO_STORE))
        found = await self._may_open(await self._who(scope), address.board)
        if isinstance(found, door.Reply):
            return found
        try:
            lines, framing, expects = headers.to_board(scope["headers"])
        except headers.Refused:
            return self._failure(scope, 400)
        target = scope["raw_path"] + (b"?" + query if query else b"")
        expect = b"expect: 100-continue\r\n" if expects else b""
        start = b"%s %s HTTP/1.1\r\n" % (scope["method"].encode("ascii"), target)
        head = b"".join((start, *lines, framing, expect, b"\r\n"))
        data = _is_data(scope["path"][len(paths.PREFIX) + len(address.board) :])

        async def still_open() -> bool:
            return isinstance(await self._may_open(await self._who(scope), address.board), door.Open)

        exchange = _Exchange(
            self.pool,
            self._limits,
            found.address,
            scope,
            receive,
            send,
            still_open=still_open,
            data=data,
            frame_ancestors=self._frame_ancestors,
        )
        return await self._run(exchange, scope, head, framing, expects=expects)

    async def _run(
        self, exchange: _Exchange, scope: door.Scope, head: bytes, framing: bytes, *, expects: bool
    ) -> door.Reply | None:
        try:
            await exchange.run(head, framing, expects=expects)
        except upstream.Full:
            return self._failure(scope, 503)
        except upstream.Left:
            return None
        except upstream.Lost as error:
            if exchange.started:
                raise Broken(str(error)) from error
            logger.info("no answer from a board: %s: %s", scope["path"], error)
            return self._failure(scope, 504 if isinstance(error, upstream.Slow) else 502)
        return None


class _Exchange:
    """One request and its answer. `started`: the client has got the head of the answer."""

    def __init__(
        self,
        pool: upstream.Pool,
        limits: door.Limits,
        address: str,
        scope: door.Scope,
        receive: door.Receive,
        send: door.Send,
        *,
        still_open: Callable[[], Awaitable[bool]],
        data: bool,
        frame_ancestors: tuple[str, ...],
    ) -> None:
        self._frame_ancestors = frame_ancestors
        self._pool, self._limits, self._address, self._data = pool, limits, address, data
        self._scope, self._receive, self._send = scope, receive, send
        self._loop = asyncio.get_running_loop()
        self._connection: upstream.Connection | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._body: asyncio.Task[None] | None = None
        self._task: asyncio.Task[None] | None = None
        self._still_open = still_open
        self._check: asyncio.Task[None] | None = None
        self._begun = self._checked_at = self._loop.time()
        self._blocked_at = 0.0  # when the client was given something that it has not taken yet
        self._gone = False
        self.started = False

    async def run(self, head: bytes, framing: bytes, *, expects: bool) -> None:
        self._task = asyncio.current_task()
        self._timer = self._loop.call_later(self._limits.watch_after_secs, self._watch)
        try:
            if framing or self._scope["method"] not in SAFE:
                connection = await self._with_body(head, framing, expects=expects)
            else:
                connection = await self._without_body(head)
            await self._pass_on(connection)
        except asyncio.CancelledError:
            if not self._gone:
                raise
            raise upstream.Left from None
        finally:
            self._timer.cancel()
            for task in filter(None, (self._body, self._check)):
                task.cancel()
            if self._connection is not None:
                self._pool.release(self._connection)

    # ---- the request

    async def _without_body(self, head: bytes) -> upstream.Connection:
        """Returns a connection on which the answer has begun."""
        connection = self._pool.idle(self._address)
        for fresh in (connection is None, True):
            if connection is None or fresh:
                connection = await self._pool.connect(self._address)
            self._begin(connection, head)
            try:
                await self._head(connection)
                return connection
            except upstream.Lost as error:
                if connection.received or isinstance(error, upstream.Slow):
                    raise
                lost = error
                self._connection = None
                connection.fail(error)
        raise lost

    async def _with_body(self, head: bytes, framing: bytes, *, expects: bool) -> upstream.Connection:
        """Always over a new connection: a body cannot be sent twice."""
        connection = await self._pool.connect(self._address)
        self._begin(connection, head)
        connection.sent = not framing
        if expects:
            while not connection.continued and not connection.status:
                await connection.changed()
        if framing and not connection.status:
            chunked = framing.startswith(b"transfer-encoding")
            self._body = self._loop.create_task(self._pump(connection, chunked=chunked))
        await self._head(connection)
        return connection

    def _begin(self, connection: upstream.Connection, head: bytes) -> None:
        self._connection = connection
        connection.begin(head, bodyless=self._scope["method"] == "HEAD")
        if self._gone:
            connection.fail(upstream.Left())

    async def _head(self, connection: upstream.Connection) -> None:
        while not connection.status:
            await connection.changed()

    async def _pump(self, connection: upstream.Connection, *, chunked: bool) -> None:
        """Pass the body on as it comes, then watch whether the client leaves."""
        more = True
        while more:
            message = await self._receive()
            if message["type"] == "http.disconnect":
                self._leave()
                return
            data, more = message.get("body", b""), message.get("more_body", False)
            if data:
                connection.write(b"%x\r\n%s\r\n" % (len(data), data) if chunked else data)
                await connection.drain()
        if chunked:
            connection.write(b"0\r\n\r\n")
        connection.sent = True
        await self._until_gone()

    # ---- the answer

    async def _pass_on(self, connection: upstream.Connection) -> None:
        board = b"/".join(self._scope["raw_path"].split(b"/", 3)[:3])
        passed = headers.to_client(
            connection.headers, prefix=board, data=self._data, frame_ancestors=self._frame_ancestors
        )
        await self._give({"type": "http.response.start", "status": connection.status, "headers": passed})
        self.started = True
        while True:
            data = connection.take()
            if connection.ended:
                await self._give({"type": "http.response.body", "body": data, "more_body": False})
                return
            if data:
                await self._give({"type": "http.response.body", "body": data, "more_body": True})
            else:
                await connection.changed()

    async def _give(self, message: door.Message) -> None:
        self._blocked_at = self._loop.time()
        await self._send(message)
        self._blocked_at = 0.0

    # ---- long exchanges

    def _watch(self) -> None:
        """Called again and again: end an exchange without a first byte, or with a client that takes none."""
        if self._body is None and not self._expects_body:
            self._body = self._loop.create_task(self._until_gone())
        now, limits = self._loop.time(), self._limits
        answered = self._connection is not None and self._connection.status
        if not answered and now - self._begun > limits.first_byte_secs and self._connection is not None:
            self._connection.fail(upstream.Slow("no answer in time"))
        if self._blocked_at and now - self._blocked_at > limits.stalled_secs and self._task is not None:
            self._gone = True
            self._task.cancel()
        if now - self._checked_at >= limits.check_secs and (self._check is None or self._check.done()):
            self._checked_at = now
            self._check = self._loop.create_task(self._check_again())
        waits = (30.0, limits.first_byte_secs / 4, limits.stalled_secs / 4, limits.check_secs)
        pause = max(limits.watch_after_secs, min(waits))
        pause = pause if self._body is not None else limits.watch_after_secs
        self._timer = self._loop.call_later(pause, self._watch)

    async def _check_again(self) -> None:
        try:
            allowed = await self._still_open()
        except Exception:  # it was allowed a moment ago; the next check may succeed
            logger.exception("cannot check again who may open a board: %s", self._scope["path"])
            return
        if not allowed and self._connection is not None:
            self._connection.fail(upstream.Lost("the client may no longer open the board"))

    @property
    def _expects_body(self) -> bool:
        """`receive` would ask the client for its body, or take it away from `_pump`."""
        return self._connection is None or not self._connection.sent

    async def _until_gone(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass
        self._leave()

    def _leave(self) -> None:
        self._gone = True
        if self._connection is not None and not self._connection.ended:
            self._connection.fail(upstream.Left())


def _is_data(below: str) -> bool:
    """Whether an address of the board, decoded as the board decodes it, is another one than that of a file of the
    page. TensorBoard's clients may put `/experiment/<id>` before it."""
    return "/api/" in below or "/data/" in below


async def _answer(reply: door.Reply, scope: door.Scope, send: door.Send) -> None:
    own = {name for name, _ in reply.headers}
    added: door.Headers = [
        (b"content-length", str(len(reply.body)).encode()),
        (b"x-content-type-options", b"nosniff"),
    ]
    if reply.body:
        added.append((b"content-type", reply.media_type.encode("latin-1")))
    added.append(_NO_STORE)
    missing = [each for each in added if each[0] not in own]
    await send({"type": "http.response.start", "status": reply.status, "headers": [*reply.headers, *missing]})
    body = b"" if scope["method"] == "HEAD" else reply.body
    await send({"type": "http.response.body", "body": body, "more_body": False})
