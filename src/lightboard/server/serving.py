"""uvicorn configured for a board: fast to import, fast to stop, and safe against clients that send half a request
(`connections.py`).

`server()` imports uvicorn and its loop; a board reads logs meanwhile.
"""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
import socket
import ssl
import sys
import types as python_types
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, Protocol

from lightboard import errors
from lightboard.server import connections, limits

if TYPE_CHECKING:
    import uvicorn.config
    import uvicorn.server

# Running requests get this long when the board is stopped; event streams are ended at once. A whole stop takes at most
# a second (`cli/stopping.py`).
GRACE_SECS = 0.4


class App(Protocol):
    """An ASGI application."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None: ...

    def close(self) -> None:
        """End what runs until it is ended, such as event streams."""


def server(
    app: App,
    *,
    stops: Callable[[], int | None] = lambda: None,
    closing: Callable[[], None] = lambda: None,
    tls_cert: str = "",
    tls_key: str = "",
    bounds: limits.Limits | None = None,
) -> uvicorn.server.Server:
    """Returns a server to `run()`. When the descriptor of `stops` is readable, it calls `closing` and stops."""
    _lean_uvicorn()
    import uvicorn.config

    config = uvicorn.config.Config(
        app,
        loop=_loop_kind(),
        http=connections.protocol(bounds or limits.Limits()),
        ws="none",
        lifespan="off",
        interface="asgi3",
        log_config=None,
        log_level="critical",  # our own code logs errors; uvicorn's messages would break "one line"
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

    def close() -> None:
        closing()
        app.close()

    return _server(config, stops, close)


def run(server: uvicorn.server.Server, main: Coroutine[Any, Any, None]) -> None:
    """Runs a coroutine that serves and does more, in the loop that `server.run` would make."""
    from uvicorn._compat import asyncio_run  # asyncio.Runner, also for Python 3.10

    asyncio_run(main, loop_factory=server.config.get_loop_factory())


def _server(
    config: uvicorn.config.Config, stops: Callable[[], int | None], close: Callable[[], None]
) -> uvicorn.server.Server:
    import uvicorn.server

    class Server(uvicorn.server.Server):
        """uvicorn's server, but it ignores signals, and waits for the stop instead of waking up ten times a second."""

        stopping: asyncio.Event

        async def serve(self, sockets: list[socket.socket] | None = None) -> None:
            self.stopping = asyncio.Event()
            descriptor = stops()
            if descriptor is not None:
                asyncio.get_running_loop().add_reader(descriptor, self._stop, descriptor)
            await self._serve(sockets)

        def _stop(self, descriptor: int) -> None:
            asyncio.get_running_loop().remove_reader(descriptor)
            self.should_exit = True
            self.stopping.set()

        async def main_loop(self) -> None:
            while not self.should_exit:
                await self.on_tick(0)  # renews the Date header
                try:
                    await asyncio.wait_for(self.stopping.wait(), 1.0)
                except asyncio.TimeoutError:
                    pass

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            close()
            await super().shutdown(sockets)

    return Server(config)


def _loop_kind() -> Any:
    return "uvloop" if importlib.util.find_spec("uvloop") else "asyncio"


def _lean_uvicorn() -> None:
    """Let `import uvicorn.server` skip `uvicorn/__init__.py`, which imports uvicorn's own command line.

    The command line imports click and multiprocessing: a sixth of the CPU time of a starting board, for code that is
    never used here. Instead, an empty module named `uvicorn` is put into `sys.modules`. It has the path of the package,
    so its submodules can be imported. If uvicorn was imported already, nothing is changed.
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
