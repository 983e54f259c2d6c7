"""Every route of the OpenAPI document and of `/data`, asked oddly: an answer or a refusal that says why, never a 500.

The document itself says which parameters there are, so a new route is asked the same way without a line here. Each
parameter in turn gets each odd value while the others are sensible; every route gets each method, and POST bodies that
are none. Left out on purpose: pairs of odd values, and what the right answers are (a test file per route).
"""

from __future__ import annotations

import asyncio
import dataclasses
import json
import urllib.parse
from collections.abc import Iterable, Iterator, MutableMapping
from typing import Any

import asking
import numpy as np
import pytest

from lightboard.server import app, openapi

DOCUMENT = openapi.document(app.apis())
PATHS = [path for path in DOCUMENT["paths"] if path != "/api/events"]  # which never ends; see test_events

ODD = (
    "", " ", "0", "-1", "1e999", "NaN", "-Infinity", "9007199254740993", str(2**63), "9" * 5000, "true", "null", "[]",
    "{}", "\x00", "\n", "日本語 🚀", "\udcff", "%", "%25", "../../etc/passwd", "/etc/passwd", "a&b=c?d#e", "quote'\"",
    "<script>", ".*", "(", "(a+)+$", "[", "\\", "ema:", "ema:nan", "ema:2", "gaussian:1e300", "median:-1", "time:0",
    "mean:99999999999999999999", "regex:(", "regex:", "regex:(.*)", "hparam:", "hparam:lr", "last(", "last(loss)",
    "-last(loss)", "last(loss) > nan", "name == 'x", "1 < 2 < 3", "not not not run", "x" * 15_000, "(" * 500,
)  # fmt: skip
SENSIBLE = {"kind": "images", "tag": "loss", "run": "run1", "at": "1", "filter": "run", "key": "abc", "name": "lr",
            "id": "abc", "action": "stop"}  # fmt: skip
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "BREW")
BODIES = (
    b"", b"{", b"null", b"[]", b"1", b"\xff\xfe", b'{"tag": {}}', b'{"tag": [[]]}', b'{"tag": [null]}', b"[" * 100_000,
    b'{"limit": 1e400, "width": NaN}', b'{"tag": "\\ud800"}', b"tag=loss",
)  # fmt: skip
MEMBERS: tuple[Any, ...] = (
    None,
    True,
    1e308,
    -1,
    2**70,
    "",
    "\x00",
    [],
    [None],
    [[1]],
    {},
    {"a": 1},
    ["a"] * 3,
    "x" * 5000,
)
DATA_FIELDS = ("run", "tag", "sample", "index", "ts", "regex", "format", "blob_key", "imageId", "requests", "runs")

pytestmark = pytest.mark.anyio


@dataclasses.dataclass(frozen=True)
class Asked:
    """One request, and what makes it readable in a failure."""

    path: str
    fields: dict[str, str]
    method: str = "GET"
    body: bytes = b""

    def __str__(self) -> str:
        return f"{self.method} {self.path} {str(self.fields)[:200]} {self.body[:80]!r}"


@pytest.fixture(scope="module")
def board() -> app.App:
    """Numbers and steps of every odd sort, and a picture."""
    builder = asking.small()
    values = np.array([np.nan, np.inf, -np.inf, 0, -1e38, 1])
    builder.scalars("odd", "loss", values, steps=[2**63 - 1, -(2**63), 2**53 + 1, 5, 5, -1])
    builder.scalars("odd", "nothing", np.array([np.nan]), wall_times=[float("nan")])
    builder.scalars("日本語 🚀/#%25", "a&b=c?d'\"", np.arange(3.0))
    return app.create(builder.build())


async def ask(board: app.App, asked: Asked) -> tuple[int, bytes]:
    """Straight into the application: a client would refuse to send half of these."""
    names = {name: asked.fields.get(name, SENSIBLE[name]) for name in ("run", "key", "name", "id", "action")}
    query_string = urllib.parse.urlencode(asked.fields, errors="surrogateescape").encode()
    scope = {
        "type": "http", "method": asked.method, "path": asked.path.format(**names), "query_string": query_string,
        "headers": [(b"host", b"localhost")],
    }  # fmt: skip
    status, body = 0, b""

    bodies = iter([asked.body])

    async def receive() -> MutableMapping[str, Any]:
        body = next(bodies, None)
        if body is None:
            await asyncio.Event().wait()  # the client stays
        return {"type": "http.request", "body": body}

    async def send(message: MutableMapping[str, Any]) -> None:
        nonlocal status, body
        status = message.get("status", status)
        body += message.get("body", b"")

    await board(scope, receive, send)
    return status, body


async def failures(board: app.App, requests: Iterable[Asked]) -> list[str]:
    """Requests that got neither an answer nor a refusal in our one shape."""
    wrong = []
    for asked in requests:
        status, body = await ask(board, asked)
        if status < 400 or (status < 500 and asked.method == "HEAD"):
            continue
        if status >= 500 or json.loads(body)["error"]["status"] != status:
            wrong.append(f"{status} {asked}")
    return wrong


def odd_queries(path: str) -> Iterator[Asked]:
    # what only takes a body is asked with odd bodies below
    listed = DOCUMENT["paths"][path].get("get", {}).get("parameters", [])
    needed = {each["name"]: SENSIBLE.get(each["name"], "word") for each in listed if each["required"]}
    for each in listed:
        choices = [str(choice) for choice in each["schema"].get("enum", ())]
        for value in (*ODD, *choices):
            yield Asked(path, {**needed, each["name"]: value})


def odd_bodies(path: str) -> Iterator[Asked]:
    content = DOCUMENT["paths"][path]["post"]["requestBody"]["content"]
    schema = content.get("application/json", {"schema": {"properties": {}}})["schema"]  # a file has no members
    for body in BODIES:
        yield Asked(path, {}, "POST", body)
    for name in schema["properties"]:
        for value in MEMBERS:
            yield Asked(path, {}, "POST", json.dumps({**SENSIBLE, name: value}).encode())


@pytest.mark.parametrize("path", PATHS)
async def test_odd_values_are_answered_or_refused(board: app.App, path: str) -> None:
    assert await failures(board, odd_queries(path)) == []


@pytest.mark.parametrize("path", [path for path in PATHS if "post" in DOCUMENT["paths"][path]])
async def test_odd_bodies_are_answered_or_refused(board: app.App, path: str) -> None:
    assert await failures(board, odd_bodies(path)) == []


@pytest.mark.parametrize("path", PATHS)
async def test_every_method_is_answered_or_refused(board: app.App, path: str) -> None:
    assert await failures(board, [Asked(path, SENSIBLE, method) for method in METHODS]) == []


async def test_tensorboards_routes_take_odd_values(board: app.App) -> None:
    paths = [path for path in board.data_paths() if path.startswith("/data/")]
    assert "/data/plugin/images/individualImage" in paths
    sensible = {"run": "run1", "tag": "sample", "sample": "0", "index": "0"}
    wrong = []
    for path in paths:
        for value in ODD:
            every = dict.fromkeys(DATA_FIELDS, value)
            for fields in (every, every | sensible, sensible | {"tag": value}, sensible | {"sample": value}):
                status, _ = await ask(board, Asked(path, fields))
                if status >= 500:
                    wrong.append(f"{status} {path} {str(fields)[:200]}")
    assert wrong == []
