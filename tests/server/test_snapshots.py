"""`/api/snapshot`: the board as one file. What the page shows of it is in tests/browser/test_snapshot.py."""

from __future__ import annotations

import dataclasses

import asking
import numpy as np
import pytest

from lightboard import query
from lightboard.server import snapshots


@dataclasses.dataclass(frozen=True)
class Taken:
    pieces: tuple[bytes, ...]

    @property
    def size_bytes(self) -> int:
        return sum(map(len, self.pieces))


def store() -> query.Store:
    builder = query.Builder()
    for run in ("a", "b"):
        builder.scalars(run, "loss", np.arange(10.0)).scalars(run, "lr", np.arange(10.0))
    return builder.build()


@pytest.mark.anyio
async def test_the_question_reaches_the_board_and_the_file_is_an_attachment() -> None:
    asked: list[snapshots.SnapshotQuestion] = []

    def take(context: object, question: snapshots.SnapshotQuestion) -> Taken:
        asked.append(question)
        return Taken((b"<!doctype html>", b"<p>"))

    async with asking.board(store(), take_snapshot=take) as client:
        answer = await client.post("/api/snapshot", json={"run": ["a"], "tag": ["loss"], "view": "timeseries?x=wall"})
    assert answer.content == b"<!doctype html><p>"
    assert answer.headers["content-disposition"] == 'attachment; filename="board.html"'
    assert asked == [snapshots.SnapshotQuestion(run=("a",), tag=("loss",), view="timeseries?x=wall")]


@pytest.mark.anyio
async def test_what_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    async with asking.board(store(), take_snapshot=lambda *_: Taken((b"x" * 100,))) as client:
        monkeypatch.setattr(snapshots, "MAX_BYTES", 50)
        after = await client.post("/api/snapshot", json={})
        monkeypatch.setattr(snapshots, "MAX_POINTS", 100)
        before = await client.post("/api/snapshot", json={})
    for answer in (after, before):
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "snapshot.too_large")


@pytest.mark.anyio
async def test_a_board_without_snapshots_says_so() -> None:
    async with asking.board(store()) as client:
        assert (await client.post("/api/snapshot", json={})).status_code == 404
