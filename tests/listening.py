"""A browser's EventSource without a browser."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from lightboard.server import app


class Listener:
    """A browser's EventSource, driving the application without a network. `read=False` never takes a byte."""

    def __init__(
        self, made: app.App, *, headers: dict[str, str] | None = None, query: str = "", read: bool = True
    ) -> None:
        self.status = 0
        self.ended = asyncio.Event()
        self._gone = asyncio.Event()
        self._pieces: asyncio.Queue[bytes] = asyncio.Queue()
        self._read = read
        self._asked = False
        scope = {
            "type": "http",
            "method": "GET",
            "path": "/api/events",
            "query_string": query.encode(),
            "headers": [(name.encode(), value.encode()) for name, value in (headers or {}).items()],
        }
        self.task = asyncio.create_task(self._run(made, scope))

    async def _run(self, made: app.App, scope: dict[str, Any]) -> None:
        try:
            await made(scope, self._receive, self._send)
        finally:
            self.ended.set()

    async def _receive(self) -> dict[str, Any]:
        if not self._asked:
            self._asked = True
            return {"type": "http.request", "body": b""}
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            return
        if not self._read:
            await asyncio.Event().wait()
        self._pieces.put_nowait(message["body"])

    async def raw(self) -> str:
        return (await asyncio.wait_for(self._pieces.get(), 10)).decode()

    async def message(self) -> tuple[str, dict[str, Any]]:
        """The id and data of the next message."""
        text = await self.raw()
        lines = dict(line.split(": ", 1) for line in text.strip().splitlines())
        assert lines["event"] == "change"
        return lines["id"], json.loads(lines["data"])

    async def leave(self) -> None:
        self._gone.set()
        await asyncio.wait_for(self.ended.wait(), 10)
