"""The ASGI application of one board.

    prefix → Host → token → cross-site → ours by address │ static files │ Starlette's router → error shape → headers

Modules are loaded by the first request that needs them, Starlette by the first of TensorBoard's routes: a board must
answer its first page as soon as the process is up.
"""

from __future__ import annotations

import importlib
import logging
import re
import urllib.parse
from collections.abc import Callable, MutableMapping
from typing import Any

from lightboard import errors, query, sidecar
from lightboard import work as work_
from lightboard.server import (
    bodies,
    endpoints,
    events,
    notebook_frame,
    parameters,
    responses,
    security,
    static,
    threads,
)
from lightboard.server import context as context_
from lightboard.server import settings as settings_

logger = logging.getLogger("lightboard.server")

# Every module with routes: `API`, ours as data, and `routes(context)`, TensorBoard's. A new kind is a line here. Ours
# are found by address, the module named in it first; TensorBoard's by the router, in this order.
MODULES = (
    "board",
    "runs",
    "tags",
    "scalars",
    "scalar_tables",
    "steps",
    "blobs",
    "health",
    "exports",
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
    """Every route of ours, as data: for the hot table, the router and the OpenAPI document."""
    return [events.API, *(api for name in MODULES for api in getattr(_module(name), "API", ()))]


def create(
    store: query.Store,
    settings: settings_.Settings | None = None,
    *,
    work: work_.Work | None = None,
    sidecar: sidecar.Sidecar | None = None,
    give_back: Callable[[], None] = lambda: None,
) -> App:
    """`give_back` returns freed memory to the system; it is called when heavy work has ended."""
    settings = settings or settings_.Settings()
    work = work or work_.Work(store)
    return App(context_.Context(store, work, settings, sidecar, threads.Threads(settings.limits, give_back)))


class App:
    def __init__(self, context: context_.Context) -> None:
        self.context = context
        prefix = context.settings.path_prefix.strip("/")
        self._prefix = f"/{prefix}" if prefix else ""
        self._guard = security.Guard(context.settings)
        self._files = static.Files(context.settings.static_dir)
        self.feed = events.Feed(context)
        self._hot: dict[str, endpoints.App] = {events.API.path: self.feed}
        self._patterns: list[tuple[re.Pattern[str], endpoints.App]] = []  # addresses with parameters in them
        self._cold = list(MODULES)  # not asked for their routes yet
        self._router: endpoints.App | None = None

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
        """The path below the prefix; "" for the prefix itself without its slash."""
        if not self._prefix:
            return path or "/"
        if path == self._prefix or path.startswith(self._prefix + "/"):
            return path[len(self._prefix) :]
        raise errors.NotFound("there is nothing at this address", hint=f"this board lives below {self._prefix}/")

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
        """None: go on. A page opened with `?token=` is sent on to its clean address with a cookie."""
        given = None
        if b"token=" in scope["query_string"]:
            given = (parameters.from_query(scope["query_string"]).get("token") or [None])[-1]
        if not self._guard.knows(headers, given):
            raise security.Unauthorized(
                "this board asks for its token",
                hint="open the address that was printed when it started, or send `Authorization: Bearer TOKEN`",
            )
        if given is None or path.count("/") > 1:
            return None
        pairs = urllib.parse.parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        rest = urllib.parse.urlencode([(name, value) for name, value in pairs if name != "token"])
        # relative, and a cookie without a path: a proxy may have taken off a prefix that only the browser knows
        clean = "./" + _quoted(path.lstrip("/")) + (f"?{rest}" if rest else "")
        cookie = self._guard.set_cookie(secure=scope.get("scheme") == "https")
        return _redirect(clean, 302, ("Set-Cookie", cookie))

    async def _dispatch(
        self, path: str, scope: endpoints.Scope, receive: endpoints.Receive, send: endpoints.Send
    ) -> None:
        if path.startswith("/api/"):
            app, found = self._hot_app(path)
            if app is not None:
                await app(dict(scope, path_params=found) if found else scope, receive, send)
                return
        elif not path.startswith("/data/"):
            reply = await self.context.threads.run_first(self._static, path, scope["method"], dict(scope["headers"]))
            if reply is not None:
                await endpoints.send_reply(reply, scope, receive, send)
                return
        if self._router is None:
            self._router = await self.context.threads.run(self._make_router)
        # what Starlette needs to route below the prefix; "app" makes it raise rather than answer by itself
        inner = dict(scope, path=path, raw_path=path.encode("utf-8", "surrogateescape"), root_path="", app=self)
        await self._router(inner, receive, send)

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

    # ---- routes

    def _hot_app(self, path: str) -> tuple[endpoints.App | None, dict[str, str]]:
        """By address, with what stands in it. Modules are loaded until one knows it, the one named in it first."""
        word = path.split("/")[2]
        if word in self._cold:
            self._cold.remove(word)
            self._cold.insert(0, word)
        while True:
            if path in self._hot:
                return self._hot[path], {}
            for pattern, app in self._patterns:
                if match := pattern.fullmatch(path):
                    return app, match.groupdict()
            if not self._cold:
                return None, {}
            for api in getattr(_module(self._cold.pop(0)), "API", ()):
                endpoint = endpoints.Endpoint(self.context, api)
                if "{" in api.path:
                    self._patterns.append((_pattern(api.path), endpoint))
                else:
                    self._hot[api.path] = endpoint

    def _make_router(self) -> endpoints.App:
        from starlette import routing

        return routing.Router(self.routes(), redirect_slashes=False, default=_nothing_here)

    def routes(self) -> list[Any]:
        """TensorBoard's, as Starlette's routes."""
        found: list[Any] = []
        for module in map(_module, MODULES):
            if hasattr(module, "routes"):
                found += module.routes(self.context)
        return found

    # ---- life

    def close(self) -> None:
        """End the answers that have no end of their own, so that whoever serves this can stop at once."""
        self.feed.close()

    def end(self) -> None:
        """Nothing is answered any more."""
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


def _module(name: str) -> Any:
    return importlib.import_module(f"lightboard.server.{name}")


def _pattern(template: str) -> re.Pattern[str]:
    """`{name}` is one part of the address, `{name:path}` the rest of it."""
    parts = re.split(r"\{(\w+)(:path)?\}", template)
    found = re.escape(parts[0])
    for name, rest, fixed in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
        found += f"(?P<{name}>{'.*' if rest else '[^/]+'})" + re.escape(fixed)
    return re.compile(found, re.DOTALL)


def _canonical(path: str) -> str:
    """As TensorBoard's clients may write it: `/experiment/<id>` in front of any path, a slash behind `/data/...`."""
    if path.startswith("/experiment/"):
        _, _, below = path.removeprefix("/experiment/").partition("/")
        path = f"/{below}"
    return path.removesuffix("/") if path.startswith("/data/") else path


async def _nothing_here(scope: endpoints.Scope, receive: endpoints.Receive, send: endpoints.Send) -> None:
    raise errors.NotFound("there is nothing at this address", hint="what there is: /api/openapi.json")


def _path(scope: endpoints.Scope) -> str:
    """The decoded path. Names need not be UTF-8: bytes that are none come as the file system tells them."""
    path: str = scope["path"]
    if "\ufffd" in path and "raw_path" in scope:
        return urllib.parse.unquote_to_bytes(scope["raw_path"].partition(b"?")[0]).decode("utf-8", "surrogateescape")
    return path


def _expected(error: Exception) -> bool:
    """Whether the answer says all there is to say; anything else is a defect of ours, and goes to the log."""
    return isinstance(error, (errors.LightboardError, MemoryError)) or getattr(error, "status_code", 500) < 500


def _host(scope: endpoints.Scope) -> str | None:
    """The Host header. HTTP/1.1 wants exactly one: of two, a proxy and a board might believe different ones."""
    found = [value for name, value in scope["headers"] if name == b"host"]
    if len(found) > 1 or (not found and scope.get("http_version") == "1.1"):
        raise responses.BadHost(f"the request has {len(found)} Host headers", hint="send exactly one")
    return found[0].decode("latin-1") if found else None


def _check_sizes(scope: endpoints.Scope) -> None:
    if len(scope["query_string"]) > MAX_QUERY_BYTES:
        raise responses.TooLong(f"the query has more than {MAX_QUERY_BYTES} bytes", hint="send it as JSON in a POST")
    if sum(len(name) + len(value) for name, value in scope["headers"]) > MAX_HEADER_BYTES:
        raise responses.HeadersTooLong(f"the headers have more than {MAX_HEADER_BYTES} bytes")


def _is_page(path: str, scope: endpoints.Scope) -> bool:
    """Whether a person opened this in a browser."""
    return not path.startswith(("/api/", "/data/")) and b"text/html" in dict(scope["headers"]).get(b"accept", b"")


def _quoted(path: str) -> str:
    return urllib.parse.quote(path, safe="/~@:!$&'()*+,=", errors="surrogateescape")


def _redirect(location: str, status: int, *headers: tuple[str, str]) -> responses.Reply:
    return responses.Reply(b"", "", status, (("Location", location), ("Cache-Control", "no-store"), *headers))


def _with_defaults(headers: Any, defaults: tuple[tuple[bytes, bytes], ...]) -> list[tuple[bytes, bytes]]:
    """The answer's own headers win: user content brings a stricter policy of its own."""
    own = list(headers)
    names = {name.lower() for name, _ in own}
    return own + [pair for pair in defaults if pair[0] not in names]
