"""The ASGI application of one board.

prefix → Host → token → cross-site → static files │ route of the address (`routing.py`) → error shape → headers
"""

from __future__ import annotations

import logging
import urllib.parse
from collections.abc import Callable, MutableMapping
from typing import Any

from lightboard import activity as activity_
from lightboard import errors, query, sidecar
from lightboard import work as work_
from lightboard.server import activity as activity_routes
from lightboard.server import (
    bodies,
    endpoints,
    events,
    notebook_frame,
    parameters,
    responses,
    routing,
    security,
    static,
    threads,
)
from lightboard.server import context as context_
from lightboard.server import settings as settings_

logger = logging.getLogger("lightboard.server")

# Every module with routes; see `routing.py`. A new kind is a line here.
MODULES = (
    "board",
    "runs",
    "tags",
    "scalars",
    "scalar_tables",
    "steps",
    "blobs",
    "health",
    "activity",
    "exports",
    "snapshots",
    "expressions",
    "filters",
    "annotations",
    "views",
    "hparams",
    "trials",
    "openapi",
    "tensorboard",
    "timeseries",
    "tensorboard_scalars",
    "custom_scalars",
    "images",
    "audio",
    "video",
    "text",
    "tables",
    "histograms",
    "distributions",
    "pr_curves",
    "mesh",
    "projector",
    "tensors",
    "graphs",
)
MAX_QUERY_BYTES = 64 << 10
MAX_HEADER_BYTES = 64 << 10


def apis() -> list[endpoints.Api]:
    """Returns all our routes, for the OpenAPI document."""
    return [events.API, *(api for name in MODULES for api in getattr(routing.module(name), "API", ()))]


def create(
    store: query.Store,
    settings: settings_.Settings | None = None,
    *,
    work: work_.Work | None = None,
    sidecar: sidecar.Sidecar | None = None,
    activity: activity_.Activity | None = None,
    take_snapshot: Callable[..., Any] | None = None,
    give_back: Callable[[], None] = lambda: None,
) -> App:
    """`give_back` returns freed memory to the system; it is called after heavy work."""
    settings = settings or settings_.Settings()
    work = work or work_.Work(store)
    lanes = threads.Threads(settings.limits, give_back)
    activity = activity or activity_.Activity()
    return App(
        context_.Context(
            store=store,
            work=work,
            settings=settings,
            sidecar=sidecar,
            activity=activity,
            threads=lanes,
            take_snapshot=take_snapshot,
        )
    )


class App:
    def __init__(self, context: context_.Context) -> None:
        self.context = context
        prefix = context.settings.path_prefix.strip("/")
        self._prefix = f"/{prefix}" if prefix else ""
        self._guard = security.Guard(context.settings)
        self._files = static.Files(context.settings.static_dir)
        self.feed = events.Feed(context)
        self._router = routing.Router(context, MODULES, {events.API.path: self.feed})

    async def __call__(self, scope: endpoints.Scope, receive: endpoints.Receive, send: endpoints.Send) -> None:
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        else:
            await receive()
            await send({"type": "websocket.close", "code": 1008})

    async def _http(self, scope: endpoints.Scope, receive: endpoints.Receive, send: endpoints.Send) -> None:
        started = False

        async def guarded_send(message: MutableMapping[str, Any]) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                message["headers"] = _with_defaults(message.get("headers", ()), self._guard.headers)
            await send(message)

        path = _path(scope)
        try:
            path = _canonical(self._inside_prefix(path))
            await self._admit(path, scope, receive, guarded_send)
        except bodies.Disconnected:
            return
        except Exception as error:
            if not _expected(error):
                logger.exception("request failed: %s %s", scope["method"], scope["path"])
            if started:
                raise
            reply = responses.failure(error, tensorboard=path.startswith("/data/"))
            if isinstance(error, security.Unauthorized) and _is_page(path, scope):
                reply = static.token_page(reply)
            await endpoints.send_reply(reply, scope, receive, guarded_send)

    def _inside_prefix(self, path: str) -> str:
        """Returns the path below the prefix; "" for the prefix itself without its slash."""
        if not self._prefix:
            return path or "/"
        if path == self._prefix or path.startswith(self._prefix + "/"):
            return path[len(self._prefix) :]
        raise errors.NotFound(
            "there is nothing at this address",
            hint=f"this board is served below {self._prefix}/",
            code="address.unknown",
        )

    async def _admit(self, path: str, scope: endpoints.Scope, receive: endpoints.Receive, send: endpoints.Send) -> None:
        headers = dict(scope["headers"])
        _check_sizes(scope)
        self._guard.check_host(_host(scope))
        if path == "":
            await endpoints.send_reply(_redirect(_quoted(self._prefix + "/"), 301), scope, receive, send)
            return
        if self._guard.wants_token:
            reply = self._check_token(path, scope, headers)
            if reply is not None:
                await endpoints.send_reply(reply, scope, receive, send)
                return
        self._guard.check_cross_site(scope["method"], path, headers)
        await self._dispatch(path, scope, receive, send)

    def _check_token(self, path: str, scope: endpoints.Scope, headers: dict[bytes, bytes]) -> responses.Reply | None:
        """Returns None if the request may continue. Redirects a page opened with `?token=` to its URL without it, with
        a cookie."""
        token = None
        if b"token=" in scope["query_string"]:
            token = (parameters.from_query(scope["query_string"]).get("token") or [None])[-1]
        if not self._guard.knows(headers, token):
            raise security.Unauthorized(
                "this board requires a token",
                hint="open the address that was printed when it started, or send `Authorization: Bearer TOKEN`",
                code="token.missing",
            )
        if token is None or path.count("/") > 1:
            return None
        pairs = urllib.parse.parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        rest = urllib.parse.urlencode([(name, value) for name, value in pairs if name != "token"])
        # relative URL, and a cookie without a path: a proxy may strip a prefix that only the browser knows
        clean = "./" + _quoted(path.lstrip("/")) + (f"?{rest}" if rest else "")
        cookie = self._guard.set_cookie(secure=scope.get("scheme") == "https")
        return _redirect(clean, 302, ("Set-Cookie", cookie))

    async def _dispatch(
        self, path: str, scope: endpoints.Scope, receive: endpoints.Receive, send: endpoints.Send
    ) -> None:
        if not path.startswith(("/api/", "/data/")):
            reply = await self.context.threads.run_first(self._static, path, scope["method"], dict(scope["headers"]))
            if reply is not None:
                await endpoints.send_reply(reply, scope, receive, send)
                return
        match = self._router.known(path)
        if match is None and not self._router.complete:
            match = await self.context.threads.run_first(self._router.find, path)
        if match is None:
            raise errors.NotFound(
                "there is nothing at this address", hint="what there is: /api/openapi.json", code="address.unknown"
            )
        if activity_routes.is_program(path, dict(scope["headers"]), scope["query_string"]):
            self.context.activity.requested()
        inner = dict(scope, path_params=match.parameters) if match.parameters else scope
        await match.app(inner, receive, send)

    def _static(self, path: str, method: str, headers: dict[bytes, bytes]) -> responses.Reply | None:
        address = path.lstrip("/")
        page = address in ("", "index.html")
        reply = notebook_frame.maybe_reply(address, self.context.session)
        reply = reply or self._files.reply("index.html" if page else address, headers)
        if reply is None and page:
            reply = endpoints.packed(self.context, static.fallback(self.context), headers)
        if reply is not None and method not in ("GET", "HEAD"):
            raise responses.MethodNotAllowed(method, ("GET",))
        return reply

    def data_paths(self) -> list[str]:
        """The addresses of TensorBoard's routes."""
        found = [routing.module(name) for name in MODULES]
        return [path for each in found if hasattr(each, "routes") for path in each.routes(self.context)]

    # ---- life cycle

    def close(self) -> None:
        """End the responses that stream forever, so that the server can stop immediately."""
        self.feed.close()

    def end(self) -> None:
        """Called when no more requests are answered."""
        self.context.threads.close()

    async def _lifespan(self, receive: endpoints.Receive, send: endpoints.Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                await send({"type": "lifespan.startup.complete"})
            elif message["type"] == "lifespan.shutdown":
                self.close()
                self.end()
                await send({"type": "lifespan.shutdown.complete"})
                return


def _canonical(path: str) -> str:
    """Normalizes paths of TensorBoard's clients: removes `/experiment/<id>` in front and a slash after `/data/...`."""
    if path.startswith("/experiment/"):
        _, _, below = path.removeprefix("/experiment/").partition("/")
        path = f"/{below}"
    return path.removesuffix("/") if path.startswith("/data/") else path


def _path(scope: endpoints.Scope) -> str:
    """The decoded path. Names need not be UTF-8: other bytes are decoded with surrogateescape, as for file names."""
    path: str = scope["path"]
    if "\ufffd" in path and "raw_path" in scope:
        return urllib.parse.unquote_to_bytes(scope["raw_path"].partition(b"?")[0]).decode("utf-8", "surrogateescape")
    return path


def _expected(error: Exception) -> bool:
    """Returns whether the error is expected and only sent to the client; any other is a bug and is logged."""
    return isinstance(error, (errors.LightboardError, MemoryError))


def _host(scope: endpoints.Scope) -> str | None:
    """The Host header. HTTP/1.1 requires exactly one: with two, a proxy and the board could use different ones."""
    hosts = [value for name, value in scope["headers"] if name == b"host"]
    if len(hosts) > 1 or (not hosts and scope.get("http_version") == "1.1"):
        raise responses.BadHost(f"the request has {len(hosts)} Host headers", hint="send exactly one")
    return hosts[0].decode("latin-1") if hosts else None


def _check_sizes(scope: endpoints.Scope) -> None:
    if len(scope["query_string"]) > MAX_QUERY_BYTES:
        raise responses.TooLong(f"the query has more than {MAX_QUERY_BYTES} bytes", hint="send it as JSON in a POST")
    if sum(len(name) + len(value) for name, value in scope["headers"]) > MAX_HEADER_BYTES:
        raise responses.HeadersTooLong(f"the headers have more than {MAX_HEADER_BYTES} bytes")


def _is_page(path: str, scope: endpoints.Scope) -> bool:
    """Returns whether a user opened this in a browser."""
    return not path.startswith(("/api/", "/data/")) and b"text/html" in dict(scope["headers"]).get(b"accept", b"")


def _quoted(path: str) -> str:
    return urllib.parse.quote(path, safe="/~@:!$&'()*+,=", errors="surrogateescape")


def _redirect(location: str, status: int, *headers: tuple[str, str]) -> responses.Reply:
    return responses.Reply(b"", "", status, (("Location", location), ("Cache-Control", "no-store"), *headers))


def _with_defaults(headers: Any, defaults: tuple[tuple[bytes, bytes], ...]) -> list[tuple[bytes, bytes]]:
    """Adds default headers. Headers of the response win: user content has its own, stricter policy."""
    own = list(headers)
    names = {name.lower() for name, _ in own}
    return own + [pair for pair in defaults if pair[0] not in names]
