"""One board: a logdir is followed into a store, a server answers from it. The only place where the three meet.

    Board(spec, options)    nothing read yet
      .start()              read and follow in the background
      .load()               read once, here and now (scripts, `inspect`, `export`)
      .app(...)             the ASGI application
      .serve(app, sockets)  answer requests until a signal
      .stop()

The server is imported by `app()` and `serve()` only: scripts that read logs never load it, and a starting board reads
while it imports.
"""

from __future__ import annotations

import dataclasses
import importlib
import importlib.util
import pathlib
import signal
import socket
import sys
import types as python_types
from collections.abc import Awaitable, Callable, MutableMapping
from typing import TYPE_CHECKING, Any

from lightboard import errors, logdir, store, types

if TYPE_CHECKING:
    import uvicorn.server

App = Callable[
    [MutableMapping[str, Any], Callable[[], Awaitable[Any]], Callable[[MutableMapping[str, Any]], Awaitable[None]]],
    Awaitable[None],
]

# Open event streams never end by themselves; a stopping board waits this long for answers under way.
GRACE_SECS = 0.5


@dataclasses.dataclass(frozen=True)
class Options:
    """How to read. The defaults are those of the command line."""

    rewinds: types.Rewinds = types.Rewinds.LATEST
    index: bool = True
    index_dir: str = ""  # "": the user's cache directory
    index_max_bytes: int | None = None
    reload_interval_secs: float = 5.0  # where the file system does not tell of changes; 0: read once


class Board:
    """State: `store` grows from `start()` or `load()` on; only the follower writes to it."""

    def __init__(self, spec: logdir.LogdirSpec, options: Options | None = None) -> None:
        self.spec = spec
        self.options = options or Options()
        self.store = store.Store(logdir.load_value)
        self.follower = logdir.Follower(
            self.store, spec, index=_index(self.options), reload_interval=self.options.reload_interval_secs
        )

    def start(self) -> None:
        self.follower.start()

    def load(self) -> None:
        self.follower.load_once()

    def stop(self) -> None:
        self.follower.stop()

    def app(self, **settings: Any) -> App:
        """The ASGI application; keywords are fields of `server.settings.Settings`."""
        from lightboard.server import app as server_app
        from lightboard.server import settings as server_settings

        roots = tuple(str(pathlib.Path(root.path).expanduser().absolute()) for root in self.spec.roots)
        given = {"static_dir": static_dir(), "rewinds": self.options.rewinds, "roots": roots, **settings}
        return server_app.create(self.store, server_settings.Settings(**given))

    def serve(self, app: App, sockets: list[socket.socket], *, tls_cert: str = "", tls_key: str = "") -> None:
        """Answer on listening sockets until SIGINT or SIGTERM; a second one ends the process at once."""
        _server(app, tls_cert, tls_key).run(sockets)


def static_dir() -> str | None:
    """Where the built page lies; None when this installation was built without it."""
    import lightboard

    # not importlib.resources: importing that takes longer than everything else here
    for base in lightboard.__path__:
        if (pathlib.Path(base) / "static" / "index.html").is_file():
            return str(pathlib.Path(base) / "static")
    return None


def _index(options: Options) -> logdir.Index | None:
    if not options.index:
        return None
    return logdir.Index(options.index_dir or None, max_bytes=options.index_max_bytes)


def _server(app: App, tls_cert: str, tls_key: str) -> uvicorn.server.Server:
    _lean_uvicorn()
    import asyncio
    import os
    import ssl

    import uvicorn.config
    import uvicorn.server

    class Server(uvicorn.server.Server):
        """uvicorn's, but it waits for a signal instead of waking ten times a second, and exits 0 after one."""

        stopping: asyncio.Event

        async def serve(self, sockets: list[socket.socket] | None = None) -> None:
            self.stopping = asyncio.Event()
            loop = asyncio.get_running_loop()

            def stop(number: int, frame: python_types.FrameType | None) -> None:
                if self.should_exit:
                    os._exit(0 if number == signal.SIGTERM else 130)
                self.should_exit = True
                loop.call_soon_threadsafe(self.stopping.set)

            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, stop)
            await self._serve(sockets)

        async def main_loop(self) -> None:
            while not self.should_exit:
                await self.on_tick(0)  # renews the Date header
                try:
                    await asyncio.wait_for(self.stopping.wait(), 1.0)
                except asyncio.TimeoutError:
                    pass

    config = uvicorn.config.Config(
        app,
        loop=_loop_kind(),
        http="httptools",
        ws="none",
        lifespan="off",
        interface="asgi3",
        log_config=None,
        log_level="critical",  # the server room answers for errors; uvicorn's own talk would break "one line"
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=GRACE_SECS,  # type: ignore[arg-type] # a float works
        ssl_certfile=tls_cert or None,
        ssl_keyfile=tls_key or None,
    )
    try:
        config.load()
    except (ssl.SSLError, OSError) as error:
        raise errors.Unreadable(f"the TLS certificate or key cannot be used, {error}: {tls_cert}") from error
    return Server(config)


def _loop_kind() -> Any:
    return "uvloop" if importlib.util.find_spec("uvloop") else "asyncio"


def _lean_uvicorn() -> None:
    """Let `import uvicorn.server` skip `uvicorn/__init__.py`, which imports uvicorn's own command line.

    That is click and multiprocessing: a sixth of a starting board's CPU time, for things never used here. A module with
    the package's path and its two classes stands in, and loads the rest for whoever asks; where uvicorn was imported
    already, nothing is changed.
    """
    if "uvicorn" in sys.modules:
        return
    spec = importlib.util.find_spec("uvicorn")
    if spec is None or spec.submodule_search_locations is None:
        return
    package = python_types.ModuleType("uvicorn")
    package.__path__ = list(spec.submodule_search_locations)
    package.__spec__ = spec
    package.__getattr__ = _rest_of_uvicorn  # type: ignore[method-assign]
    sys.modules["uvicorn"] = package
    for name, home in (("Config", "uvicorn.config"), ("Server", "uvicorn.server")):
        setattr(package, name, getattr(importlib.import_module(home), name))


def _rest_of_uvicorn(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    return getattr(importlib.import_module("uvicorn.main"), name)
