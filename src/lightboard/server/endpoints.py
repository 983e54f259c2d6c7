"""A route of `/api` as data, and the ASGI application that answers it.

A handler is a plain function: it gets the context and the parsed request, calls `query`, and returns a dataclass (sent
as JSON) or a `responses.Reply`. Parsing, threads, encoding, compression and errors are handled here, once.

    API = (Api("/api/board", board, answer=Board, about="Name, state and counts of the board."),)

    def board(context: Context, question: parameters.Nothing) -> Board: ...
"""

from __future__ import annotations

import asyncio
import dataclasses
import functools
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from typing import Any, TypeVar

from lightboard.server import bodies, compression, context, parameters, responses

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
Run = Callable[..., Awaitable[Any]]
R = TypeVar("R")

# Parsed JSON takes many times its size in memory; a larger body than this is parsed in the heavy lane.
LARGE_BODY_BYTES = 1 << 20
BODY_FACTOR = 8
# Approximate memory of most heavy routes: a large value, or the rows of a file that is being written.
HEAVY_BYTES = 32 << 20
# Listings of more series than MANY_SERIES are made in the heavy lane. They take about SERIES_BYTES per series.
MANY_SERIES = 50_000
SERIES_BYTES = 200


@dataclasses.dataclass(frozen=True)
class Request:
    """What is left of a request once its parameters are parsed."""

    method: str
    headers: dict[bytes, bytes]
    body: bodies.Body = dataclasses.field(default_factory=bodies.Body)  # of routes that take a file

    def header(self, name: bytes) -> str:
        return self.headers.get(name, b"").decode("latin-1")


@dataclasses.dataclass(frozen=True)
class Api:
    """One of our routes, as data: for the router and the OpenAPI document."""

    path: str  # `{name}` is one part of it, `{name:path}` the rest: /api/runs/{run:path}
    handle: Callable[..., Any]  # (context, question) or, with `wants_request`, (context, question, request)
    _: dataclasses.KW_ONLY
    question: type = parameters.Nothing
    answer: type | None = None  # the dataclass sent as JSON; None: see `media_types`
    methods: tuple[str, ...] = ("GET",)
    about: str = ""
    media_types: tuple[str, ...] = (responses.JSON,)
    wants_request: bool = False
    file_bytes: int = 0  # the body of a POST is a file of up to so many bytes, not JSON; it comes with the request
    first: bool = False  # answered before others: what is asked for does not depend on anything users wrote
    heavy_bytes: int = 0  # not 0: it is answered in the heavy lane, and takes about so much memory
    # … and this for a file of so many bytes that was sent
    file_cost: Callable[[int], int] | None = None


class Endpoint:
    """One route as an ASGI application, used by the hot table and by Starlette's `Route`."""

    def __init__(self, context: context.Context, api: Api) -> None:
        self.context = context
        self.api = api

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        method = scope["method"]
        allowed = self.api.methods
        if method not in allowed and not (method == "HEAD" and "GET" in allowed):
            raise responses.MethodNotAllowed(method, allowed)
        headers = dict(scope["headers"])
        body = bodies.Body()
        if method in ("POST", "PUT"):
            body = await bodies.read(headers, receive, self.context.threads, self.api.file_bytes or bodies.MAX_BYTES)
        answering = functools.partial(self._answer, scope, headers, body)
        lanes = self.context.threads
        run = lanes.run_first if self.api.first else lanes.run
        await answer(
            self.context,
            self._cost(body),
            answering=answering,
            headers=headers,
            scope=scope,
            receive=receive,
            send=send,
            run=run,
        )

    def _cost(self, body: bodies.Body) -> int:
        """Returns the memory in bytes; 0: the request is light."""
        if self.api.file_cost is not None:
            return self.api.file_cost(len(body))
        return max(self.api.heavy_bytes, cost_of_fields(body))

    def _answer(
        self, scope: Scope, headers: dict[bytes, bytes], body: bodies.Body
    ) -> responses.Reply | responses.Heavy:
        raw = parameters.from_query(scope["query_string"])
        if body and not self.api.file_bytes:
            raw |= parameters.from_json(body.to_bytes())
        raw |= {name: [str(value)] for name, value in scope.get("path_params", {}).items()}
        question: Any = parameters.parse(self.api.question, raw)
        if self.api.wants_request:
            answer = self.api.handle(self.context, question, Request(scope["method"], headers, body))
        else:
            answer = self.api.handle(self.context, question)
        if isinstance(answer, responses.Heavy):
            work = answer.work
            return responses.Heavy(answer.memory_bytes, lambda: as_reply(work()))
        return as_reply(answer)


def as_reply(answer: object) -> responses.Reply:
    if isinstance(answer, responses.Reply):
        return answer
    return responses.Reply(responses.json_body(answer), headers=(("Cache-Control", "no-cache"),))


def by_size(context: context.Context, work: Callable[[], R]) -> R | responses.Heavy:
    """Returns the response of a listing: light, unless there are very many runs and tags."""
    with context.store.lock:
        count = len(context.store.series_table) + len(context.store.runs_table)
    return work() if count <= MANY_SERIES else responses.Heavy(count * SERIES_BYTES, work)


def cost_of_fields(body: bodies.Body) -> int:
    """Returns the memory in bytes for a body of JSON or of a form; 0: it is light."""
    return BODY_FACTOR * len(body) if len(body) > LARGE_BODY_BYTES else 0


async def answer(
    context: context.Context,
    cost: int,
    *,
    answering: Callable[[], responses.Reply | responses.Heavy],
    headers: dict[bytes, bytes],
    scope: Scope,
    receive: Receive,
    send: Send,
    run: Run | None = None,
) -> None:
    """Do the work in its lane, compress the response and send it. Light work may return `Heavy` to move to the heavy
    lane.

    `run`: the lane of work that is not heavy; by default the light one.
    """

    lanes = context.threads

    def made() -> responses.Reply | responses.Heavy:
        found = answering()
        return found if isinstance(found, responses.Heavy) else packed(context, found, headers)

    run = run or lanes.run
    reply = await (lanes.run_heavy(cost, made) if cost else run(made))
    if isinstance(reply, responses.Heavy):
        cost, work = reply.memory_bytes, reply.work
        reply = await lanes.run_heavy(cost, lambda: packed(context, work(), headers))
    if cost:
        run = functools.partial(lanes.run_heavy, min(cost, HEAVY_BYTES))
    await send_reply(reply, scope, receive, send, run)


def packed(context: context.Context, reply: responses.Reply, headers: dict[bytes, bytes]) -> responses.Reply:
    """Compresses the reply with the best coding that the client accepts, if that is worthwhile."""
    if not reply.may_compress or reply.status in (204, 206, 304):
        return reply
    size = len(reply.body) if isinstance(reply.body, bytes) else 1 << 30
    if not compression.worthwhile(reply.media_type, size):
        return reply
    coding = compression.choose(headers.get(b"accept-encoding", b"").decode("latin-1"))
    more: tuple[tuple[str, str], ...] = (("Vary", "Accept-Encoding"),)
    if not coding:
        return dataclasses.replace(reply, headers=reply.headers + more)
    more += (("Content-Encoding", coding),)
    if isinstance(reply.body, bytes):
        body: bytes | Iterator[bytes] = compression.compress(reply.body, coding, reply.media_type)
    else:
        body = compression.compress_pieces(reply.body, coding, reply.media_type, context.packers)
    return dataclasses.replace(reply, body=body, headers=reply.headers + more)


async def send_reply(
    reply: responses.Reply, scope: Scope, receive: Receive, send: Send, run: Run | None = None
) -> None:
    """`run` executes, in a thread, the code that makes each piece of a streamed response."""
    headers = [(b"content-type", reply.media_type.encode("latin-1"))] if reply.media_type else []
    headers += [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in reply.headers]
    if isinstance(reply.body, bytes):
        headers.append((b"content-length", str(len(reply.body)).encode()))
    await send({"type": "http.response.start", "status": reply.status, "headers": headers})
    if scope["method"] == "HEAD":
        await send({"type": "http.response.body", "body": b""})
    elif isinstance(reply.body, bytes):
        await send({"type": "http.response.body", "body": reply.body})
    else:
        assert run is not None
        await _stream(reply.body, receive, send, run)


async def _stream(pieces: Iterator[bytes] | Iterator[list[bytes]], receive: Receive, send: Send, run: Run) -> None:
    """Sends piece by piece, each made in a thread, until the end or until the client disconnects."""
    gone = asyncio.ensure_future(disconnected(receive))
    try:
        while not gone.done():
            piece = await run(_next, pieces)
            if piece is None:
                await send({"type": "http.response.body", "body": b""})
                return
            await send({"type": "http.response.body", "body": piece, "more_body": True})
    finally:
        gone.cancel()


def _next(pieces: Iterator[bytes] | Iterator[list[bytes]]) -> bytes | None:
    piece = next(pieces, None)
    return None if piece is None else joined(piece)


def joined(piece: bytes | list[bytes]) -> bytes:
    return b"".join(piece) if isinstance(piece, list) else piece


async def disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
