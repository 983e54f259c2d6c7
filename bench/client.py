"""A small HTTP client over one keep-alive connection that counts the transferred bytes of bodies."""

from __future__ import annotations

import gzip
import http.client
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

BROWSER_ENCODINGS = "gzip, deflate, br, zstd"  # what current browsers send
TIMEOUT_SECS = 300.0


@dataclass(frozen=True)
class Request:
    """One HTTP request, relative to a board's address."""

    path: str
    method: str = "GET"
    body: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Answer:
    """A response: `body` is as transferred, still encoded."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        body = gzip.decompress(self.body) if self.headers.get("content-encoding") == "gzip" else self.body
        return json.loads(body)


class Client:
    """Connects on first use, and again after an error or after the board closed an idle connection."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._host, self._port = parts.hostname or "127.0.0.1", parts.port or 80
        self._connection: http.client.HTTPConnection | None = None

    def send(self, request: Request) -> Answer:
        """Send a request; raises OSError or http.client.HTTPException if the board does not respond."""
        reused = self._connection is not None
        try:
            return self._send(request)
        except (ConnectionError, http.client.RemoteDisconnected):
            if not reused:
                raise
            return self._send(request)

    def _send(self, request: Request) -> Answer:
        if self._connection is None:
            self._connection = http.client.HTTPConnection(self._host, self._port, timeout=TIMEOUT_SECS)
        try:
            headers = {"Accept-Encoding": "identity", **request.headers}
            self._connection.request(request.method, request.path, request.body, headers)
            response = self._connection.getresponse()
            body = response.read()
        except BaseException:
            self.close()
            raise
        return Answer(response.status, {name.lower(): value for name, value in response.getheaders()}, body)

    def get_json(self, path: str) -> Any:
        """Return the decoded response; raises on any status except 200."""
        answer = self.send(Request(path))
        if answer.status != 200:
            raise http.client.HTTPException(f"status {answer.status} for {path}: {answer.body[:200]!r}")
        return answer.json()

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


PATIENCE_SECS = 0.05


def wait_until(condition: Callable[[], bool], *, every_secs: float, limit_secs: float) -> bool:
    """Poll a condition; a refused or broken connection means "not yet". Return False at the time limit.

    The pause is `every_secs`, or as long as the last check took if that is longer, so that polling is not the main
    load. A slow check lengthens it to at most `PATIENCE_SECS`: it mostly waited for a process that was still starting.
    """
    end = time.perf_counter() + limit_secs
    while (before := time.perf_counter()) < end:
        try:
            if condition():
                return True
        except (OSError, http.client.HTTPException):
            pass
        time.sleep(max(every_secs, min(time.perf_counter() - before, PATIENCE_SECS)))
    return False
