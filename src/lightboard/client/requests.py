"""The REST API as calls: JSON in, JSON out, lists page by page."""

from __future__ import annotations

import json
import urllib.parse
from collections.abc import Iterator, Mapping
from typing import Any

from lightboard.client import connections

BASE = "/api/v1"
PAGE = 500


def quoted(*parts: str) -> str:
    """Returns `/boards/b-1` for ("boards", "b-1"), whatever characters the parts have."""
    return "".join(f"/{urllib.parse.quote(part, safe='')}" for part in parts)


class Requests:
    def __init__(self, connected: connections.Connections) -> None:
        self.connections = connected

    @property
    def url(self) -> str:
        return self.connections.url

    def get(self, path: str, query: Mapping[str, Any] | None = None, *, hold_secs: float = 0.0) -> Any:
        """`hold_secs`: how long the hub may wait with its answer."""
        request = connections.Request("GET", _address(path, query), silent_secs=connections.SILENT_SECS + hold_secs)
        return self._content(self.connections.ask(request))

    def text(self, path: str) -> str:
        answer = self.connections.ask(connections.Request("GET", _address(path), headers={"Accept": "*/*"}))
        if answer.status >= 300:
            raise connections.of_answer(answer)
        return answer.body.decode("utf-8", "replace")

    def fetch(self, path: str, body: bytes | None = None) -> bytes:
        """What is at an address of the hub, as it is. With a body it is a question all the same, and may be retried."""
        headers = {} if body is None else {"Content-Type": "application/json"}
        method = "GET" if body is None else "POST"
        answer = self.connections.ask(connections.Request(method, path, body, headers, again=True))
        if answer.status >= 300:
            raise connections.of_answer(answer)
        return answer.body

    def send(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        *,
        headers: Mapping[str, str] | None = None,
        again: bool = False,
    ) -> Any:
        """`again`: sending the request twice changes nothing, so it may be retried."""
        raw = None if body is None else json.dumps(body).encode()
        request = connections.Request(method, _address(path), raw, headers or {}, again)
        answer = self.connections.ask(request)
        if method == "DELETE" and answer.status == 404 and answer.repeated:
            return None  # the first try did it, and its answer was lost
        return self._content(answer)

    def items(self, path: str, query: Mapping[str, Any] | None = None, *, limit: int | None = None) -> Iterator[Any]:
        """Yields the items of a list, page by page; at most `limit`."""
        left, token = limit, ""
        while left is None or left > 0:
            page = PAGE if left is None else min(left, PAGE)
            asked = {**(query or {}), "limit": page, **({"page_token": token} if token else {})}
            found = self.get(path, asked)
            items = found.get("items") or []
            yield from items if left is None else items[:left]
            left = None if left is None else left - len(items)
            token = found.get("next_page_token") or ""
            if not token or not items:
                return

    def all(self, path: str, query: Mapping[str, Any] | None = None) -> list[Any]:
        """The items of a list that has one page."""
        found = self.get(path, query)
        return list(found.get("items") or []) if isinstance(found, dict) else list(found or [])

    def _content(self, answer: connections.Answer) -> Any:
        if answer.status >= 300:
            raise connections.of_answer(answer)
        return answer.json() if answer.body else None


def _address(path: str, query: Mapping[str, Any] | None = None) -> str:
    pairs = [(name, _text(value)) for name, value in (query or {}).items() if value not in (None, "")]
    return f"{BASE}{path}" + (f"?{urllib.parse.urlencode(pairs)}" if pairs else "")


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple | set | frozenset):
        return ",".join(map(str, value))
    return str(value)
