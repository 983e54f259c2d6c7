"""Asks a board's `/data` in this process, without a socket."""

from __future__ import annotations

import json
from types import TracebackType
from typing import Any

import httpx

from lightboard import store, types
from lightboard.server import app, settings


class Client:
    """`async with Client(store) as ask: await ask.json("/data/runs")`."""

    def __init__(self, source: store.Store, **options: Any) -> None:
        transport = httpx.ASGITransport(app.create(source, settings.Settings(**options)))
        self.http = httpx.AsyncClient(transport=transport, base_url="http://localhost")

    async def __aenter__(self) -> Client:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.http.aclose()

    async def get(self, path: str, **fields: Any) -> httpx.Response:
        return await self.http.get(path, params=fields or None)

    async def post(self, path: str, **fields: Any) -> httpx.Response:
        return await self.http.post(path, data=fields)

    async def json(self, path: str, **fields: Any) -> Any:
        return answered(await self.get(path, **fields))


def answered(response: httpx.Response) -> Any:
    """The JSON of a good answer, as strict as a browser is about numbers."""
    assert response.status_code == 200, (response.status_code, response.text[:500])
    assert response.headers["content-type"] == "application/json"

    def refuse(word: str) -> None:
        raise AssertionError(f"{word} is no JSON")

    return json.loads(response.text, parse_constant=refuse)


def strings(*values: bytes, shape: tuple[int, ...] | None = None, content_type: str = "") -> types.Tensor:
    return types.Tensor((len(values),) if shape is None else shape, strings=values, content_type=content_type)
