"""A route of `/api` as data, and the ASGI application that answers it.

A handler is a plain function: it gets the context and its parsed question, asks `query`, and returns a dataclass (sent
as JSON) or a `responses.Reply`. Parsing, threads, encoding, compression and errors are done here, once.

    API = (Api("/api/board", board, answer=Board, about="Name, state and counts of the board."),)

    def board(context: Context, question: parameters.Nothing) -> Board: ...
"""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from typing import Any

from lightboard.server import compression, context, parameters, responses, threads

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

MAX_BODY_BYTES = 16 << 20  # a list of 100,000 run names fits


@dataclasses.dataclass(frozen=True)
class Request:
    """What is left of a request once its parameters are parsed."""

    method: str
    headers: dict[bytes, bytes]
    body: bytes = b""  # of routes that take a file

    def header(self, name: bytes) -> str:
        return self.headers.get(name, b"").decode("latin-1")


@dataclasses.dataclass(frozen=True)
class Api:
    path: str  # in Starlette's notation: /api/runs/{run:path}
    handle: Callable[..., Any]  # (context, question) or, with `wants_request`, (context, question, request)
    question: type = parameters.Nothing
    answer: type | None = None  # the dataclass sent as JSON; None: see `media_types`
    methods: tuple[str, ...] = ("GET",)
    about: str = ""
    media_types: tuple[str, ...] = (responses.JSON,)
    wants_request: bool = False
    file_bytes: int = 0  # the body of a POST is a file of up to so many bytes, not JSON; it comes with the request


class Endpoint:
    """One route, answering. An ASGI application for the hot table and for Starlette's `Route` alike."""

    def __init__(self, context: context.Context, api: Api) -> None:
        self.context = context
        self.api = api

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        method = scope["method"]
        allowed = self.api.methods
        if method not in allowed and not (method == "HEAD" and "GET" in allowed):
            raise responses.MethodNotAllowed(method, allowed)
        headers = dict(scope["headers"])
        limit = self.api.file_bytes or MAX_BODY_BYTES
        body = await read_body(headers, receive, limit) if method in ("POST", "PUT") else b""
        reply = await threads.run(self._answer, scope, headers, body)
        await send_reply(reply, scope, receive, send)

    def _answer(self, scope: Scope, headers: dict[bytes, bytes], body: bytes) -> responses.Reply:
        raw = parameters.from_query(scope["query_string"])
        if body and not self.api.file_bytes:
            raw |= parameters.from_json(body)
        raw |= {name: [str(value)] for name, value in scope.get("path_params", {}).items()}
        question: Any = parameters.parse(self.api.question, raw)
        if self.api.wants_request:
            answer = self.api.handle(self.context, question, Request(scope["method"], headers, body))
        else:
            answer = self.api.handle(self.context, question)
        if not isinstance(answer, responses.Reply):
            answer = responses.Reply(responses.to_json(answer), headers=(("Cache-Control", "no-cache"),))
        return packed(answer, headers)


def packed(reply: responses.Reply, headers: dict[bytes, bytes]) -> responses.Reply:
    """The reply in the best coding the client takes, if that pays."""
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
        body = compression.compress_pieces(reply.body, coding, reply.media_type)
    return dataclasses.replace(reply, body=body, headers=reply.headers + more)


async def read_body(headers: dict[bytes, bytes], receive: Receive, limit: int = MAX_BODY_BYTES) -> bytes:
    too_large = responses.TooLarge(f"the body has more than {limit} bytes")
    announced = headers.get(b"content-length", b"0")
    if announced.isdigit() and int(announced) > limit:
        raise too_large
    pieces, size = [], 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return b""
        piece = message.get("body", b"")
        size += len(piece)
        if size > limit:
            raise too_large
        pieces.append(piece)
        if not message.get("more_body", False):
            return b"".join(pieces)


async def send_reply(reply: responses.Reply, scope: Scope, receive: Receive, send: Send) -> None:
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
        await _stream(reply.body, receive, send)


async def _stream(pieces: Iterator[bytes] | Iterator[list[bytes]], receive: Receive, send: Send) -> None:
    """Piece by piece, each made in a thread, until the end or until the client goes away."""
    gone = asyncio.ensure_future(disconnected(receive))
    try:
        while not gone.done():
            piece = await threads.run(_next, pieces)
            if piece is None:
                await send({"type": "http.response.body", "body": b""})
                return
            await send({"type": "http.response.body", "body": piece, "more_body": True})
    finally:
        gone.cancel()


def _next(pieces: Iterator[bytes] | Iterator[list[bytes]]) -> bytes | None:
    piece = next(pieces, None)
    return b"".join(piece) if isinstance(piece, list) else piece


async def disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
