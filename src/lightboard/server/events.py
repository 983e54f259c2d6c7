"""`/api/events`: server-sent events that say which runs and tags changed.

One pump task serves all clients: the store's writer only sets a flag, the pump collects what changed since its last
message and puts the same bytes into every client's queue. It sends at most ten messages a second; the first after a
pause is sent at once. A client that does not read is disconnected when its small queue is full: it reconnects with
`Last-Event-ID` and gets everything it missed in one message.
"""

from __future__ import annotations

import asyncio
import dataclasses
import time
from collections.abc import Callable
from typing import Literal

from lightboard import types
from lightboard.query import changes
from lightboard.server import context, endpoints, parameters, responses

INTERVAL_SECS = 0.1
HEARTBEAT_SECS = 15.0
QUEUE_LENGTH = 32  # three seconds of messages
RETRY_MS = 1000


@dataclasses.dataclass(frozen=True)
class EventsQuestion:
    since: str | None = parameters.param("the `id` of the last message seen; it may also come as Last-Event-ID", None)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Change:
    """One message. `runs` and `tags` say "all" where there are too many to name."""

    session: str  # a new one means that the board was started again
    version: int
    progress: types.Progress
    runs: list[str] | Literal["all"]
    tags: dict[str, list[str] | Literal["all"]]  # by kind
    faults: int  # in total, not only new ones
    annotations: bool  # what people say about runs has changed: ask /api/annotations
    views: bool  # a view was saved or deleted: ask /api/views


API = endpoints.Api(
    "/api/events",
    lambda *_: None,  # a Feed answers this route
    question=EventsQuestion,
    answer=Change,
    about="Server-sent events: which runs and tags changed.",
    media_types=("text/event-stream",),
)


@dataclasses.dataclass(eq=False)
class _Client:
    queue: asyncio.Queue[bytes | None]
    task: asyncio.Task[None] | None
    dropped: bool = False


class Feed:
    """All clients of one board. Everything but `_wake` runs on the event loop."""

    def __init__(self, context: context.Context) -> None:
        self._context = context
        self._session = context.session
        self._clients: set[_Client] = set()
        self._pump: asyncio.Task[None] | None = None
        self._dirty: asyncio.Event | None = None
        self._unsubscribe: Callable[[], None] | None = None

    async def __call__(self, scope: endpoints.Scope, receive: endpoints.Receive, send: endpoints.Send) -> None:
        if scope["method"] not in ("GET", "HEAD"):
            raise responses.MethodNotAllowed(scope["method"], ("GET",))
        raw = parameters.from_query(scope["query_string"])
        question = parameters.parse(EventsQuestion, raw)
        last_seen = question.since or dict(scope["headers"]).get(b"last-event-id", b"").decode("latin-1")
        headers = [
            (b"content-type", b"text/event-stream; charset=utf-8"),
            (b"cache-control", b"no-store"),
            (b"x-accel-buffering", b"no"),  # nginx would buffer messages
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        if scope["method"] == "HEAD":
            await send({"type": "http.response.body", "body": b""})
            return
        await self._serve(self._version_of(last_seen), receive, send)

    async def _serve(self, since: int | None, receive: endpoints.Receive, send: endpoints.Send) -> None:
        client = _Client(asyncio.Queue(QUEUE_LENGTH), asyncio.current_task())
        self._join(client)
        gone = asyncio.ensure_future(endpoints.disconnected(receive))
        gone.add_done_callback(lambda _: self._part(client))
        try:
            first = await self._context.threads.run_first(self._message, since)
            await _push(send, f"retry: {RETRY_MS}\n".encode() + first)
            while not client.dropped:
                try:
                    message = await asyncio.wait_for(client.queue.get(), HEARTBEAT_SECS)
                except asyncio.TimeoutError:
                    message = b": still here\n\n"
                if message is None:
                    break
                await _push(send, message)
            await send({"type": "http.response.body", "body": b""})
        except asyncio.CancelledError:
            if not client.dropped:
                raise
        finally:
            gone.cancel()
            self._part(client)

    def close(self) -> None:
        """End every stream, so that the server can stop without waiting for them."""
        for client in list(self._clients):
            self._part(client)

    # ---- clients

    def _join(self, client: _Client) -> None:
        self._clients.add(client)
        if self._pump is None:
            loop = asyncio.get_running_loop()
            self._dirty = asyncio.Event()
            dirty = self._dirty
            self._unsubscribe = self._context.store.subscribe(lambda _: _set_soon(loop, dirty))
            self._pump = loop.create_task(self._run(dirty))

    def _part(self, client: _Client) -> None:
        """Disconnect a client; the pump stops after the last one."""
        client.dropped = True
        self._clients.discard(client)
        if not client.queue.full():
            client.queue.put_nowait(None)
        if not self._clients and self._pump is not None:
            self._pump.cancel()
            self._pump = None
            if self._unsubscribe is not None:
                self._unsubscribe()

    # ---- the pump

    async def _run(self, dirty: asyncio.Event) -> None:
        sent = self._context.store.version
        last = 0.0
        while True:
            await dirty.wait()
            pause = last + INTERVAL_SECS - time.monotonic()
            if pause > 0:
                await asyncio.sleep(pause)
            dirty.clear()
            last = time.monotonic()
            found = await self._context.threads.run_first(changes.since, self._context.store, sent)
            sent = found.version
            message = self._encode(found)
            for client in list(self._clients):
                if client.queue.full():
                    self._part(client)
                    if client.task is not None:
                        client.task.cancel()  # it is blocked in `send`: the client does not read
                else:
                    client.queue.put_nowait(message)

    def _message(self, since: int | None) -> bytes:
        return self._encode(changes.since(self._context.store, since))

    def _encode(self, found: changes.Changes) -> bytes:
        change = Change(
            session=self._session,
            version=found.version,
            progress=found.progress,
            runs=found.runs,
            tags=found.tags,
            faults=found.faults,
            annotations=found.annotations,
            views=found.views,
        )
        data = responses.to_json(change)
        return b"event: change\nid: %s-%d\ndata: %s\n\n" % (self._session.encode(), found.version, data)

    def _version_of(self, last_seen: str) -> int | None:
        """Returns None if the id is from another process: its versions are not valid here."""
        session, _, version = last_seen.rpartition("-")
        if session != self._session or not version.isdigit() or len(version) > 18:
            return None
        return int(version)


def _set_soon(loop: asyncio.AbstractEventLoop, dirty: asyncio.Event) -> None:
    try:
        loop.call_soon_threadsafe(dirty.set)
    except RuntimeError:
        pass  # the event loop has ended


async def _push(send: endpoints.Send, message: bytes) -> None:
    await send({"type": "http.response.body", "body": message, "more_body": True})
