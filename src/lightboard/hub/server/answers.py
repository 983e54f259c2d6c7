"""Answers of the hub itself, outside the REST API: pages, problems, files; with the headers that protect them."""

from __future__ import annotations

import json
from typing import Any

from lightboard.hub import door

HTML = "text/html; charset=utf-8"
PROBLEM = "application/problem+json"
NO_STORE = (b"cache-control", b"no-store")
# The page of the hub and those of this room: nothing from elsewhere, nothing inline, no frame around them.
PAGE_POLICY = (
    b"default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self' data:; "
    b"connect-src 'self'; worker-src 'self' blob:; frame-src 'self'; object-src 'none'; base-uri 'none'; "
    b"form-action 'self'; frame-ancestors 'none'"
)
_PROTECTION = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
)
PAGE_HEADERS = (*_PROTECTION, (b"content-security-policy", PAGE_POLICY))


def problem(
    status: int, code: str, message: str, *, hint: str = "", headers: door.Headers | None = None, **members: Any
) -> door.Reply:
    document = {
        "type": "about:blank", "title": message, "status": status, "code": code, "message": message, "hint": hint,
        **members,
    }  # fmt: skip
    return door.Reply(status, json.dumps(document).encode(), PROBLEM, (NO_STORE, *(headers or ())))


def json_reply(document: Any) -> door.Reply:
    return door.Reply(200, json.dumps(document).encode(), "application/json", (NO_STORE,))


def text(body: str, status: int = 200) -> door.Reply:
    return door.Reply(status, body.encode(), "text/plain; charset=utf-8", (NO_STORE,))


def redirect(location: str, *headers: tuple[str, str]) -> door.Reply:
    """See other: whatever the method was, the next request is a GET."""
    sent = tuple((name.lower().encode(), value.encode("latin-1")) for name, value in headers)
    return door.Reply(303, b"", "", ((b"location", location.encode("ascii")), NO_STORE, *sent))


def protecting(send: door.Send) -> door.Send:
    """Adds headers that an answer does not have yet."""

    async def protected(message: door.Message) -> None:
        if message["type"] == "http.response.start":
            headers = list(message.get("headers", ()))
            names = {name for name, _ in headers}
            headers += [each for each in PAGE_HEADERS if each[0] not in names]
            message = {**message, "headers": headers}
        await send(message)

    return protected


async def give(reply: door.Reply, scope: door.Scope, send: door.Send) -> None:
    headers = list(reply.headers)
    if reply.media_type:
        headers.append((b"content-type", reply.media_type.encode()))
    if reply.status != 304:
        headers.append((b"content-length", b"%d" % len(reply.body)))
    await send({"type": "http.response.start", "status": reply.status, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else reply.body})
