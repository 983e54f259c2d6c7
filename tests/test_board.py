"""The composition root: files in, answers out. The real command is tested in tests/cli."""

from __future__ import annotations

import threading
from pathlib import Path

import event_files
import httpx
import pytest

from lightboard import board, logdir

pytestmark = pytest.mark.anyio


def spec(path: Path) -> logdir.LogdirSpec:
    return logdir.spec_of([logdir.Root("", str(path))])


def write(path: Path, run: str = "train") -> None:
    event_files.write(path / run / "events.out.tfevents.1", event_files.scalars("loss", [3.0, 2.0, 1.0]))


def test_load_reads_everything_and_again_what_is_new(tmp_path: Path) -> None:
    write(tmp_path)
    one = board.Board(spec(tmp_path), board.Options(index=False))
    assert one.store.runs() == []
    one.load()
    assert one.store.runs() == ["train"]
    assert one.store.progress.done
    write(tmp_path, "eval")
    one.load()
    assert sorted(one.store.runs()) == ["eval", "train"]
    one.stop()


def test_start_reads_in_the_background(tmp_path: Path) -> None:
    write(tmp_path)
    one = board.Board(spec(tmp_path), board.Options(index=False))
    done = threading.Event()
    one.store.subscribe(lambda version: done.set() if one.store.progress.done else None)
    one.start()
    assert done.wait(60)
    one.stop()
    series = one.store.series("train", "loss")
    assert series is not None
    assert series.points().values.tolist() == [3.0, 2.0, 1.0]


async def test_the_application_answers_from_the_store(tmp_path: Path) -> None:
    write(tmp_path)
    one = board.Board(spec(tmp_path), board.Options(index=False))
    one.load()
    app = one.app(logdir=str(tmp_path), path_prefix="/x")
    transport = httpx.ASGITransport(app=app)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        assert (await client.get("/x/data/runs")).json() == ["train"]
        assert (await client.get("/data/runs")).status_code == 404
    one.stop()


def test_the_index_goes_where_it_is_told(tmp_path: Path) -> None:
    write(tmp_path / "runs")
    options = board.Options(index_dir=str(tmp_path / "index"))
    for _ in range(2):
        one = board.Board(spec(tmp_path / "runs"), options)
        one.load()
        assert one.store.runs() == ["train"]
        one.stop()
    assert len(list((tmp_path / "index").iterdir())) == 1
