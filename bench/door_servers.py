"""Servers for the measurements of the hub's door, each in a process of its own.

python -m bench.door_servers fixed SOCKET PORT BYTES    answers every request with so many bytes, on both
python -m bench.door_servers door SOCKET PORT           forwards /boards/b/… to the socket
"""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import uvicorn

from lightboard.hub import door
from lightboard.hub.door.door import Door
from lightboard.server import connections, limits

Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


def main() -> None:
    kind, path, port = sys.argv[1:4]
    _install_uvloop()
    listening = [socket.create_server(("127.0.0.1", int(port)))]
    if kind == "fixed":
        unix = socket.socket(socket.AF_UNIX)
        unix.bind(path)
        unix.listen()
        listening.append(unix)
        asyncio.run(_serve(_fixed(b"x" * int(sys.argv[4])), listening))
    else:
        asyncio.run(_serve(Door(_nobody, _opens(path)), listening))


def _install_uvloop() -> None:
    import uvloop

    asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())


async def _serve(app: Any, listening: list[socket.socket]) -> None:
    config = uvicorn.Config(
        app,
        http=connections.protocol(limits.Limits()),
        ws="none",
        lifespan="off",
        log_config=None,
        log_level="critical",
        access_log=False,
    )
    await uvicorn.Server(config).serve(sockets=listening)


def _fixed(body: bytes) -> Any:
    head = [(b"content-type", b"application/octet-stream"), (b"content-length", str(len(body)).encode())]

    async def app(scope: Any, receive: Any, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": head})
        await send({"type": "http.response.body", "body": body, "more_body": False})

    return app


async def _nobody(scope: door.Scope) -> str | None:
    return None


def _opens(path: str) -> Callable[[str | None, str], Awaitable[door.Open | door.Reply]]:
    found = door.Open(path)

    async def may_open(identity: str | None, board: str) -> door.Open | door.Reply:
        return found

    return may_open


if __name__ == "__main__":
    main()
