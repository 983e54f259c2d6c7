"""The composition root: files in, answers out. The real command is tested in tests/cli."""

from __future__ import annotations

import gc
import threading
import weakref
from pathlib import Path
from typing import Any

import embedding_files
import event_files
import httpx
import numpy as np
import pytest

from lightboard import board, logdir
from lightboard.server import frames

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


def opened(root: Path, values: list[float]) -> board.Board:
    event_files.write(root / "train" / "events.out.tfevents.1", event_files.scalars("loss", values))
    embedding_files.simple(root, np.eye(4) * values[0])
    one = board.Board(spec(root), board.Options(index=False, sidecar="none"))
    one.load()
    return one


def client_of(one: board.Board) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(app=one.app()), base_url="http://localhost")


LAYOUT = {"run": ".", "name": "e", "method": "pca"}


async def ask(client: httpx.AsyncClient) -> list[Any]:
    """The same questions for every board: points, a chart, runs, embeddings."""
    points = await client.get("/data/plugin/scalars/scalars", params={"run": "train", "tag": "loss"})
    chart = await client.get("/api/scalars", params={"tag": "loss", "width": 10, "encoding": "pixels"})
    neighbors = await client.get("/api/projector/neighbors", params={"run": ".", "name": "e", "row": 0})
    answers = (points, chart, neighbors)
    assert [each.status_code for each in answers] == [200] * len(answers)
    return [[point[2] for point in points.json()], chart.content, neighbors.content]


async def test_two_boards_in_one_process_know_nothing_of_each_other(tmp_path: Path) -> None:
    first, second = opened(tmp_path / "a", [3.0, 2.0, 1.0]), opened(tmp_path / "b", [30.0, 20.0, 10.0])
    async with client_of(first) as one, client_of(second) as two:
        own, other = await ask(one), await ask(two)
        assert (own[0], other[0]) == ([3.0, 2.0, 1.0], [30.0, 20.0, 10.0])
        assert await ask(one) == own and await ask(two) == other  # from the caches
        sent = await one.post("/api/projector/upload", content=b"1\t2\n3\t4\n")
        upload = {"run": "", "name": sent.json()["name"]}
        assert (await one.get("/api/projector/embedding", params=upload)).json()["rows"] == 2
        assert (await two.get("/api/projector/embedding", params=upload)).status_code == 410
        job = (await one.post("/api/projector/layouts", json=LAYOUT)).json()["id"]
        assert (await one.get(f"/api/projector/layouts/{job}")).status_code == 200
        assert (await two.get(f"/api/projector/layouts/{job}")).status_code == 404
        graph = await one.post("/api/graphs/upload", params={"name": "g.pbtxt"}, content=b'node { name: "n" op: "Op" }')
        node = {"key": frames.decode(graph.content)[0]["key"], "node": 0}
        assert (await one.get("/api/graphs/node", params=node)).status_code == 200
        assert (await two.get("/api/graphs/node", params=node)).status_code == 410

        first.stop()
        assert (await one.post("/api/projector/layouts", json={**LAYOUT, "method": "umap"})).status_code == 410
        assert await ask(two) == other
        assert (await two.post("/api/projector/layouts", json={**LAYOUT, "method": "umap"})).status_code == 200
    second.stop()


async def test_a_board_that_is_dropped_frees_all_that_was_computed(tmp_path: Path) -> None:
    one = opened(tmp_path, [3.0, 2.0, 1.0])
    async with client_of(one) as client:
        await ask(client)
        await client.get("/api/trials")
        await client.get("/api/tags")
        await client.get("/api/projector")
        job = (await client.post("/api/projector/layouts", json=LAYOUT)).json()["id"]
        one.work.layouts.get(job).wait(60)
    assert one.store.cache.size_bytes > 0
    gone = weakref.ref(one.store), weakref.ref(one.store.cache), weakref.ref(one.work)
    one.stop()
    del one, client
    gc.collect()
    assert [each() for each in gone] == [None] * 3
