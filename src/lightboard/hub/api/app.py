"""The ASGI application below `/api/v1`.

    address → route → identity → body → thing → may(identity, action, thing) → CSRF → handler → answer

Handlers run in threads, a bounded number at once, because the database blocks. An error that we raise becomes a problem
document; any other one is logged with an id and answered as 500 without its text.
"""

from __future__ import annotations

import asyncio
import copy
import dataclasses
import inspect
import logging
import re
import secrets
import urllib.parse
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping, Sequence
from concurrent import futures
from typing import Any

import msgspec

from lightboard import errors
from lightboard.hub.api import failing, news, problems, routes, things
from lightboard.hub.life import accounts
from lightboard.hub.people import may

PREFIX = "/api/v1"
MOST_BODY_BYTES = 1 << 20
BODY_SECS = 60.0
THREADS = 16
SAFE_METHODS = frozenset({"GET", "HEAD"})
_LOG = logging.getLogger("lightboard.hub.api")
_ENCODER = msgspec.json.Encoder()

Scope = Any
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]


class App:
    """State: the threads that run handlers, and what is known of changes and of failing sources."""

    def __init__(self, services: routes.Services, table: Sequence[routes.Route]) -> None:
        self._services = services
        self._set_table(table)
        self._threads = futures.ThreadPoolExecutor(THREADS, thread_name_prefix="hub-api")
        self._news = news.News(services.database)
        self._failing = failing.Failing(services.runtime, self._news.tell)

    def _set_table(self, table: Sequence[routes.Route]) -> None:
        self._table = tuple(table)
        self._routes = [(re.compile(_pattern(each.path)), each) for each in table]

    def beside(self, table: Sequence[routes.Route], who: Callable[[Scope], Awaitable[may.Identity]]) -> App:
        """Other routes, with another proof of identity, on the same threads. Only the first one is closed."""
        other = copy.copy(self)
        other._services = dataclasses.replace(self._services, who=who)
        other._set_table(table)
        return other

    def end_streams(self) -> None:
        """Ends event streams and waits, in the event loop. Call it when the hub is told to stop: a server waits for
        open requests before anything is closed."""
        self._news.end_streams()

    async def close(self) -> None:
        self.end_streams()
        await self._failing.close()
        self._news.close()
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            route, path = self._find(scope)
            asked = await self._asked(route, path, scope, receive)
            if route.streams:
                await _while_connected(route.handle(asked, send), receive)
                return
            handled = route.handle(asked, receive) if route.reads else self._handled(route, asked, receive)
            reply = _reply(route, await handled)
            if route.audit:
                await self._run(self._record, route, asked, reply)
        except Disconnected:
            return
        except errors.LightboardError as error:
            reply = problem(error)
        except Exception:
            number = secrets.token_hex(6)
            _LOG.exception("request %s failed: %s %s", number, scope["method"], scope["path"])
            told = problems.of(500, "InternalError", "the hub made a mistake", f"its log has more about {number}")
            reply = routes.Reply(value=told, status=500, media_type=problems.MEDIA_TYPE)
        await _answer(reply, scope, send)

    def _find(self, scope: Scope) -> tuple[routes.Route, dict[str, str]]:
        path = scope["path"].removeprefix(PREFIX)
        if "\0" in path:
            raise problems.not_found(path)
        allowed = []
        for pattern, route in self._routes:
            match = pattern.fullmatch(path)
            if match is None:
                continue
            heads = scope["method"] == "HEAD" and route.method == "GET" and not route.streams
            if route.method == scope["method"] or heads:
                return route, match.groupdict()
            allowed.append(route.method)
        if allowed:
            raise problems.Problem(
                405,
                "MethodNotAllowed",
                f"{scope['method'][:20]} is not possible here",
                hint="use " + " or ".join(allowed),
            )
        raise problems.not_found(scope["path"])

    async def _asked(self, route: routes.Route, path: dict[str, str], scope: Scope, receive: Receive) -> Any:
        identity = await self._services.who(scope)
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        query = _query(route.query, scope["query_string"])
        if route.action is not None and identity.user is None and not identity.shared_board:
            raise _unauthenticated()
        written = route.method not in SAFE_METHODS
        if written and not self._services.csrf_holds(scope, identity):
            raise problems.Problem(403, "Forbidden", "the request has no CSRF token", hint="reload the page")
        body = await _body(route.body, headers, receive)
        named = query if route.body is None else body
        thing = await self._run(self._permitted, route, identity, path, named, _client(scope))

        async def again() -> routes.Asked[Any, Any]:
            who = await self._services.who(scope)
            if route.action is not None and who.user is None and not who.shared_board:
                raise _unauthenticated()
            found = await self._run(self._permitted, route, who, path, named, asked.address)
            return dataclasses.replace(asked, identity=who, thing=found)

        asked: routes.Asked[Any, Any] = routes.Asked(
            services=self._services,
            identity=identity,
            thing=thing,
            query=query,
            body=body,
            path=path,
            headers=headers,
            address=_client(scope),
            base_url=self._services.url(scope),
            secure=scope.get("scheme") == "https",
            news=self._news,
            failing=self._failing,
            table=self._table,
            again=again,
            run=self._run,
        )
        return asked

    async def _handled(self, route: routes.Route, asked: Any, receive: Receive) -> Any:
        if not inspect.iscoroutinefunction(route.handle):
            return await self._run(route.handle, asked)
        if route.method in SAFE_METHODS:
            return await _while_connected(route.handle(asked), receive)
        return await route.handle(asked)  # what was begun is finished, and audited

    def _permitted(
        self, route: routes.Route, identity: may.Identity, path: Mapping[str, str], body: Any, address: str
    ) -> may.Thing:
        thing = route.thing(self._services, identity, path, body)
        if route.action is None:
            return thing
        try:
            return things.permitted(identity, route.action, thing, "/".join(path.values()) or route.path.strip("/"))
        except problems.Problem as problem:
            if problem.status == 403 and route.audit:
                self._note(route, identity, path, thing, outcome="Forbidden", address=address)
            raise

    def _record(self, route: routes.Route, asked: routes.Asked[Any, Any], reply: routes.Reply) -> None:
        """What was created has its id in the answer."""
        made = getattr(reply.value, "id", "")
        path = {**asked.path, **({"made": made} if made and made not in asked.path.values() else {})}
        self._note(route, asked.identity, path, asked.thing, outcome="ok", address=asked.address, note=reply.note)

    def _note(
        self,
        route: routes.Route,
        identity: may.Identity,
        path: Mapping[str, str],
        thing: may.Thing,
        *,
        outcome: str,
        address: str,
        note: routes.Note | None = None,
    ) -> None:
        note = note or routes.Note()
        entry = accounts.AuditEntry(
            time=self._services.clock(),
            actor=note.actor or identity.name,
            action=route.audit,
            thing=note.thing or "/".join(path.values()),
            workspace=may.workspace_of(thing),
            outcome=outcome,
            address=address,
            detail=note.detail,
        )
        self._services.database.journal.record(entry)

    async def run(self, handle: Callable[..., Any], *arguments: Any) -> Any:
        """Runs what blocks in a thread."""
        return await self._run(handle, *arguments)

    async def _run(self, handle: Callable[..., Any], *arguments: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._threads, handle, *arguments)


class Disconnected(Exception):
    """The client left before its request was complete, or before the answer."""


def _unauthenticated() -> problems.Problem:
    return problems.Problem(401, "Unauthenticated", "sign in first", hint="send `Authorization: Bearer TOKEN`")


async def _while_connected(answer: Coroutine[Any, Any, Any], receive: Receive) -> Any:
    """What may take long ends when the client leaves."""
    handling = asyncio.ensure_future(answer)
    leaving = asyncio.ensure_future(_disconnect(receive))
    try:
        await asyncio.wait([handling, leaving], return_when=asyncio.FIRST_COMPLETED)
        if not handling.done():
            raise Disconnected
        return handling.result()
    finally:
        for task in (handling, leaving):
            task.cancel()
        await asyncio.gather(handling, leaving, return_exceptions=True)


async def _disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def problem(error: errors.LightboardError) -> routes.Reply:
    headers: tuple[tuple[str, str], ...] = ()
    if error.status == 401:
        headers = (("WWW-Authenticate", 'Bearer realm="lightboard"'),)
    elif error.status in (429, 503):
        headers = (("Retry-After", str(getattr(error, "retry_secs", 1))),)
    return routes.Reply(
        value=problems.document(error), status=error.status, headers=headers, media_type=problems.MEDIA_TYPE
    )


def _pattern(path: str) -> str:
    return re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>[^/:]+)", re.escape(path))


def _query(kind: type, raw: bytes) -> Any:
    try:
        pairs = urllib.parse.parse_qsl(raw.decode("ascii"), keep_blank_values=True, strict_parsing=bool(raw))
    except (ValueError, UnicodeDecodeError) as error:
        raise problems.Problem(400, "BadRequest", "the query string is not encoded well") from error
    if any("\0" in each for pair in pairs for each in pair):
        raise _has_nul()
    given = dict(pairs)
    if len(given) != len(pairs):
        raise problems.Problem(400, "BadRequest", "a parameter is given twice", hint="give each once")
    return _converted(given, kind, strict=False)


async def _read(receive: Receive) -> bytes:
    raw = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Disconnected
        raw += message.get("body", b"")
        if len(raw) > MOST_BODY_BYTES:
            raise problems.Problem(413, "BodyTooLarge", f"the body has more than {MOST_BODY_BYTES:,} bytes")
        if not message.get("more_body", False):
            return bytes(raw)


async def read_body(receive: Receive) -> bytes:
    """Raises problems.Problem for one that is too large or too slow, Disconnected."""
    try:
        return await asyncio.wait_for(_read(receive), BODY_SECS)
    except asyncio.TimeoutError as error:
        raise problems.Problem(408, "RequestTimeout", "the body did not come in time", hint="send it again") from error


async def refuse(error: errors.LightboardError, scope: Scope, send: Send) -> None:
    await _answer(problem(error), scope, send)


async def _body(kind: type | None, headers: Mapping[str, str], receive: Receive) -> Any:
    if kind is None:
        return None
    raw = await read_body(receive)
    if kind is bytes:  # as it is, of any media type
        return raw
    if not raw:
        return _converted({}, kind, strict=True)
    media_type = headers.get("content-type", "application/json").partition(";")[0].strip().lower()
    if media_type != "application/json":
        raise problems.Problem(415, "UnsupportedMediaType", f"the body is `{media_type[:80]}`", hint="send JSON")
    try:
        members = msgspec.json.decode(raw)
    except (ValueError, RecursionError) as error:
        raise problems.Problem(400, "BadRequest", f"the body is not JSON: {str(error)[:200]}") from error
    if b"\\u0000" in raw and "\0" in "".join(_texts(members)):
        raise _has_nul()
    return _converted(members, kind, strict=True)


def _has_nul() -> problems.Problem:
    """PostgreSQL cannot store it, and no name or address has one."""
    return problems.Problem(400, "BadRequest", "a text contains a NUL character", hint="remove it")


def _texts(value: Any) -> Iterator[str]:
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, str):
            yield each
        elif isinstance(each, list):
            waiting += each
        elif isinstance(each, dict):
            waiting += [*each, *each.values()]


def _converted(members: Any, kind: type, *, strict: bool) -> Any:
    """Values of a query string are texts, so numbers and booleans are parsed from them (`strict=False`)."""
    try:
        return msgspec.convert(members, kind, strict=strict)
    except (msgspec.ValidationError, OverflowError) as error:
        raise problems.Problem(400, "BadRequest", str(error)[:300]) from error


def _reply(route: routes.Route, answer: Any) -> routes.Reply:
    if isinstance(answer, routes.Reply):
        return answer
    return routes.Reply(value=answer, status=route.status if answer is not None else 204)


def _client(scope: Scope) -> str:
    client = scope.get("client")
    return str(client[0]) if client else ""


async def _answer(reply: routes.Reply, scope: Scope, send: Send) -> None:
    body = (
        reply.value if isinstance(reply.value, bytes) else b"" if reply.value is None else _ENCODER.encode(reply.value)
    )
    headers = [(name.lower().encode(), value.encode("latin-1")) for name, value in reply.headers]
    if not any(name == b"cache-control" for name, _ in headers):
        headers.append((b"cache-control", b"no-store"))
    headers += [(b"x-content-type-options", b"nosniff"), (b"content-security-policy", b"default-src 'none'; sandbox")]
    if reply.status != 204:
        headers += [(b"content-type", reply.media_type.encode()), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": reply.status, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})
