"""What a board answers, and what the image of a stranger answers: too slow, too much, nonsense."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from operator_documents import NOW, definition, deployed, pod

from lightboard.operator import asking, observing

PLACES: dict[str, Any] = {"progress": {"done": True}, "places": []}


async def _answers(bodies: dict[str, Any]) -> AsyncIterator[int]:
    """A server on this machine; a body is a document, bytes, or None: a byte now and then, without an end."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        body = bodies["activity" if b"/api/activity " in head else "board"]
        writer.write(b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n")
        try:
            while body is None:
                writer.write(b" ")
                await writer.drain()
                await asyncio.sleep(0.02)
            writer.write(body if isinstance(body, bytes) else json.dumps(body).encode())
            await writer.drain()
        except OSError:
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[observing.Answer | None, bool]]:
    monkeypatch.setattr(asking, "ANSWER_SECS", 0.5)

    async def run(activity: Any, board: Any) -> tuple[observing.Answer | None, bool]:
        async for port in _answers({"activity": activity, "board": board}):
            monkeypatch.setattr(asking, "PORT", port)
            asker = asking.Asker(lambda: NOW)
            made = definition()
            try:
                return await asker.ask(made, (pod(deployed(made), ip="127.0.0.1"),), None)
            finally:
                await asker.close()
        raise AssertionError

    return lambda activity, board=PLACES: asyncio.run(run(activity, board))


def test_the_last_use_and_the_sources_are_taken(ask: Any) -> None:
    inner = {"code": "logs.unreadable", "cause": [{"code": "storage.denied"}]}
    place = {"path": "s3://b", "problem": "unreadable", "detail": "no" * 9000, "error": inner}
    answer, unanswered = ask({"last_use": NOW - 5, "by": "page"}, {**PLACES, "places": [place, place, place]})
    assert not unanswered
    assert (answer.used, answer.by, answer.pod) == (NOW - 5, "page", "p1")
    assert [each.code for each in answer.sources] == ["storage.denied"]  # the board has one source
    assert len(answer.sources[0].detail) < 3000
    answer, _ = ask({"last_use": NOW + 1e9, "by": "page"}, {"progress": {"done": False}})
    assert answer.used == NOW  # nobody used it in the future
    assert answer.sources is None


@pytest.mark.parametrize(
    "activity",
    [None, b"{", b"[]", {"by": "page"}, b'{"last_use": NaN, "by": ""}', b'{"last_use": 1e999, "by": ""}',
     b"[" * 100_000, b" " * (asking.MOST_ANSWER_BYTES + 1), {"last_use": [], "by": ""}],
    ids=["endless", "cut", "list", "missing", "nan", "infinite", "deep", "large", "wrong"],
)  # fmt: skip
def test_what_is_no_answer_decides_nothing_and_ends_soon(ask: Any, activity: Any) -> None:
    assert ask(activity) == (None, True)


def test_a_million_members_hold_nobody_up(ask: Any) -> None:
    place = b'{"path": "", "problem": "", "detail": "", "x": [' + b"0," * 900_000 + b"0]}"
    board = b'{"progress": {"done": true}, "places": [' + place + b"]}"
    answer, unanswered = ask({"last_use": NOW, "by": "page"}, board)
    assert unanswered or answer.sources == (observing.Source("", "", ""),)
