"""The OpenAPI document: valid, kept by every answer (schemathesis makes the requests), and the page's types follow it.

Requests are made of the document over a real connection, as an admin, with names of things that exist, so that they
reach handlers. Left out: the event stream, which does not end, and long waits.
"""

from __future__ import annotations

import asyncio
import contextlib
import pathlib
import shutil
import socket
import threading
from collections.abc import Iterator
from typing import Any

import httpx
import hypothesis
import pytest
import schemathesis
import uvicorn
from hub.api import hubs, test_authority
from schemathesis.specs.openapi import checks

from lightboard.hub.api import boards, openapi, table

pytestmark = pytest.mark.whole_hub

EXAMPLES = 15
NAMES = {
    "board": ["b-public", "b-zebra-private", "b-zebra-workspace", "b-none"],
    "share": ["s-zebra", "s-none"],
    "workspace": ["team", "elsewhere", "none"],
    "secret": ["zebra-keys", "none"],
    "user": ["editor", "u-stranger", "none"],
    "token": ["t-viewer", "t-none"],
    "session": ["session-of-owner", "none"],
}
CHECKS = [
    checks.content_type_conformance,
    checks.response_schema_conformance,
    schemathesis.checks.not_a_server_error,
    checks.status_code_conformance,
]


def document() -> dict[str, Any]:
    """With names of things that exist, and without waits."""
    made = openapi.document(table.all_routes())
    del made["paths"]["/api/v1/changes"]
    for methods in made["paths"].values():
        for operation in methods.values():
            operation["security"] = []
            for parameter in operation["parameters"]:
                if parameter["in"] == "path":
                    parameter["schema"] = {"type": "string", "enum": NAMES.get(parameter["name"], ["none"])}
                if parameter["name"] == "wait":
                    parameter["schema"] = {"type": "number", "minimum": 0, "maximum": 0.01}
    return made


@pytest.fixture(scope="module")
def address(peopled: pathlib.Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("schema")
    file = shutil.copy(peopled, str(folder / "hub.sqlite3"))
    test_authority.furnish(file)
    hub = hubs.Hub(file, folder)
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(hub.app, log_level="critical", ws="none", lifespan="off"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(boards, "STOP_WAIT_SECS", 0.0)
        thread = threading.Thread(target=lambda: asyncio.run(_served(server, hub, listener)))
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()
            listener.close()


async def _served(server: uvicorn.Server, hub: hubs.Hub, listener: socket.socket) -> None:
    await server.serve([listener])
    await hub.aclose()


SCHEMA = schemathesis.openapi.from_dict(document())


@SCHEMA.parametrize()
@hypothesis.settings(
    max_examples=EXAMPLES, deadline=None, derandomize=True, database=None,
    suppress_health_check=list(hypothesis.HealthCheck),
)  # fmt: skip
def test_every_answer_is_as_the_document_says(case: Any, address: str) -> None:
    headers = {"Authorization": f"Bearer {hubs.token_of('root')}"}
    answer = case.call(base_url=address, headers=headers, timeout=30)
    case.validate_response(answer, checks=CHECKS)


def test_the_document_is_for_everybody_and_describes_itself(address: str) -> None:
    answer = httpx.get(f"{address}/api/v1/openapi.json")
    shown = answer.json()
    assert answer.status_code == 200 and shown["openapi"] == "3.1.0"
    assert len([method for methods in shown["paths"].values() for method in methods]) == len(table.all_routes())
    assert not [name for name in shown["components"]["schemas"] if "." in name], "two structs have the same name"
    for path, methods in shown["paths"].items():
        for method, operation in methods.items():
            assert operation["summary"], (method, path)
            problems = [each for each in operation["responses"].items() if int(each[0]) >= 400]
            assert problems and all("application/problem+json" in answer["content"] for _, answer in problems)
    assert "Idempotency-Key" in str(shown["paths"]["/api/v1/boards"]["post"]["parameters"])


def test_the_types_of_the_page_are_up_to_date(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(pathlib.Path(__file__).parents[3] / "tools"))
    import generate_hub_types

    assert generate_hub_types.TARGET.read_text() == generate_hub_types.generate(), "run `make generate`"


async def test_slow_and_huge_bodies_do_not_grow(hub: hubs.Hub) -> None:
    """A body without an end is refused as soon as it is too large, and one without a next part waits without harm."""
    parts = 0

    async def receive() -> Any:
        nonlocal parts
        parts += 1
        return {"type": "http.request", "body": b"x" * 65536, "more_body": True}

    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "http", "method": "POST", "path": "/api/v1/boards", "query_string": b"", "scheme": "http",
        "headers": [(b"authorization", f"Bearer {hubs.token_of('editor')}".encode())], "client": ("127.0.0.1", 1),
    }  # fmt: skip
    await hub.app(scope, receive, send)
    assert sent[0]["status"] == 413 and parts <= 18

    async def stalled() -> Any:
        await asyncio.Event().wait()

    tasks = [asyncio.create_task(hub.app(scope, stalled, send)) for _ in range(200)]
    async with hub.client("editor") as client:
        assert (await client.get("/boards")).status_code == 200
    for task in tasks:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
