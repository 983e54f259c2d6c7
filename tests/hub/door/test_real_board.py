"""A real board behind the door: page, data, ranges, events, uploads, and what counts as use."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

import event_files
import pytest
from hub.door import servers
from hub.door.servers import Served

from lightboard.hub import runtimes
from lightboard.hub.life import nouns
from lightboard.hub.runtimes import process


def write(path: Path, *events: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    event_files.write(path, [event_files.version_event(), *events])


@pytest.fixture
async def board(served: Served, tmp_path: Path) -> AsyncIterator[process.Processes]:
    """The board `b1`."""
    points = [event_files.scalar_event("loss", 1 / (n + 1), step=n) for n in range(10)]
    write(tmp_path / "logs" / "run" / "events.out.tfevents.1", *points)
    runtime = process.Processes(tmp_path / "hub")
    source = nouns.Source(str(tmp_path / "logs"))
    await runtime.start(runtimes.Launch(id="b1", name="Böard <1>", sources=(source,)))

    async def ready() -> None:
        while (await runtime.progress("b1")).phase != "ready":  # noqa: ASYNC110
            await asyncio.sleep(0.02)

    served.addresses["b1"] = runtime.address("b1")
    try:
        await asyncio.wait_for(ready(), servers.PATIENCE_SECS)
        yield runtime
    finally:
        await runtime.stop("b1")
        runtime.close()


async def test_page_and_data_are_those_of_the_board(served: Served, board: process.Processes) -> None:
    head, body = await served.get("/boards/b1/")
    assert head.startswith(b"HTTP/1.1 200") and b"<html" in body
    assert head.count(b"content-security-policy") == 2 and b"set-cookie" not in head
    head, body = await served.get("/boards/b1/api/board")
    assert json.loads(body)["name"] == "Böard <1>" and json.loads(body)["counts"]["points"] == 10
    head, body = await served.get("/boards/b1/data/runs", method="HEAD")
    assert head.startswith(b"HTTP/1.1 200") and body == b""
    assert (await served.get("/boards/b1/api/nothing"))[0].startswith(b"HTTP/1.1 404")
    head, body = await served.get("/boards/b1")
    assert head.startswith(b"HTTP/1.1 308")


async def test_events_come_while_the_run_grows(served: Served, board: process.Processes, tmp_path: Path) -> None:
    async with served.connected() as (reader, writer):
        writer.write(b"GET /boards/b1/api/events HTTP/1.1\r\nhost: h\r\n\r\n")
        first = await asyncio.wait_for(reader.readuntil(b"\n\n"), servers.PATIENCE_SECS)
        assert b"text/event-stream" in first and b"event: change" in first
        write(tmp_path / "logs" / "another" / "events.out.tfevents.2", event_files.scalar_event("loss", 1.0, step=1))
        while b'"another"' not in await asyncio.wait_for(reader.readuntil(b"\n\n"), servers.PATIENCE_SECS):
            pass


async def test_questions_in_bodies_are_answered(served: Served, board: process.Processes) -> None:
    question = json.dumps({"tag": "loss", "width": 0}).encode()
    request = (
        b"POST /boards/b1/api/scalars HTTP/1.1\r\nhost: h\r\nconnection: close\r\ncontent-type: application/json\r\n"
        b"content-length: %d\r\nexpect: 100-continue\r\n\r\n" % len(question)
    )
    answer = await served.raw(request + question)
    assert answer.startswith(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200")


async def test_a_program_uses_a_board_and_a_probe_does_not(served: Served, board: process.Processes) -> None:
    before = await board.poll("b1")
    await served.get("/boards/b1/api/board?activity=0")
    await served.get("/boards/b1/api/runs", "sec-fetch-site: same-origin")
    assert (await board.poll("b1")).used == before.used
    await served.get("/boards/b1/api/runs", "cookie: sec-fetch-site=x")
    after = await board.poll("b1")
    assert after.used_by == "request" and before.used is not None and after.used is not None
    assert after.used > before.used


async def test_another_site_may_not_ask_a_board(served: Served, board: process.Processes) -> None:
    head, _ = await served.get("/boards/b1/api/runs", "sec-fetch-site: cross-site", "origin: https://evil.example")
    assert head.startswith(b"HTTP/1.1 403")


async def test_a_stopped_board_is_a_bad_gateway_and_comes_back(served: Served, board: process.Processes) -> None:
    assert (await served.get("/boards/b1/api/board"))[0].startswith(b"HTTP/1.1 200")
    await board.stop("b1")
    assert (await served.get("/boards/b1/api/board"))[0].startswith(b"HTTP/1.1 502")
