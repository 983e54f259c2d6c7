"""An application served over a real socket by a thread of this process."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from collections.abc import Iterator
from typing import Any

from lightboard.server import limits, serving


@contextlib.contextmanager
def port_of(app: Any, bounds: limits.Limits | None = None) -> Iterator[int]:
    listening = socket.create_server(("127.0.0.1", 0), backlog=1024)
    server: Any = serving.server(app, bounds=bounds)
    loop = asyncio.new_event_loop()
    ready = threading.Event()

    async def serve() -> None:
        server.stopping = asyncio.Event()
        loop.call_soon(ready.set)
        await server._serve([listening])

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    assert ready.wait(30)
    try:
        yield listening.getsockname()[1]
    finally:
        server.should_exit = True
        loop.call_soon_threadsafe(server.stopping.set)
        thread.join()
        loop.close()
