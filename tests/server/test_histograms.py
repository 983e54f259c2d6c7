"""`/data/plugin/histograms` and `/api/histograms`."""

from __future__ import annotations

import pathlib

import numpy as np
import pytest
from data_client import Client

import lightboard
from lightboard import store, types
from lightboard.server import frames

PATH = "/data/plugin/histograms"


def buckets(*rows: tuple[float, float, float]) -> types.Tensor:
    return types.Tensor((len(rows), 3), array=np.array(rows, np.float64).reshape(-1, 3))


async def test_buckets_come_per_step() -> None:
    values = [buckets((0.0, 1.0, 5.0), (1.0, 2.0, 0.0)), buckets()]
    source = store.Builder().tensors("r", "h", types.Kind.HISTOGRAMS, values, wall_times=[1.0, 2.0]).build()
    async with Client(source) as ask:
        assert await ask.json(f"{PATH}/tags") == {"r": {"h": {"displayName": "", "description": ""}}}
        assert await ask.json(f"{PATH}/histograms", run="r", tag="h") == [
            [1.0, 0, [[0.0, 1.0, 5.0], [1.0, 2.0, 0.0]]],
            [2.0, 1, []],
        ]
        assert (await ask.get(f"{PATH}/histograms", run="r", tag="gone")).status_code == 404


async def test_infinite_edges_are_words() -> None:
    source = store.Builder().tensors("r", "h", types.Kind.HISTOGRAMS, [buckets((-np.inf, np.inf, 1.0))]).build()
    async with Client(source) as ask:
        ((_, _, rows),) = await ask.json(f"{PATH}/histograms", run="r", tag="h")
    assert rows == [["-Infinity", "Infinity", 1.0]]


async def test_a_value_of_another_form_does_not_hide_the_others() -> None:
    odd = types.Tensor((2,), array=np.zeros(2))
    values = [odd, buckets((0.0, 1.0, 5.0))]
    source = store.Builder().tensors("r", "h", types.Kind.HISTOGRAMS, values).build()
    async with Client(source) as ask:
        assert [step for _, step, _ in await ask.json(f"{PATH}/histograms", run="r", tag="h")] == [1]


@pytest.mark.anyio
async def test_buckets_of_real_files_are_those_that_data_tells(data_dir: pathlib.Path) -> None:
    with lightboard.open(data_dir / "torch_writer") as logs:
        entries = logs.select(kind="histograms")
        assert entries
        async with Client(logs._store) as ask:
            for entry in entries:
                rows = await ask.json("/data/plugin/histograms/histograms", run=entry.run, tag=entry.tag)
                answer = await ask.get("/api/histograms", run=entry.run, tag=entry.tag)
                header, arrays = frames.decode(answer.content)
                (one,) = header["series"]
                assert (one["steps"], one["odd"]) == (len(rows), 0)
                ends = arrays["first"].tolist()
                for i, (wall_time, step, buckets) in enumerate(rows):
                    assert (arrays["step"][i], arrays["wall"][i]) == (step, wall_time)
                    edges = arrays["edge"][ends[i] + i : ends[i + 1] + i + 1].tolist()
                    counts = arrays["count"][ends[i] : ends[i + 1]].tolist()
                    told = [list(row) for row in zip(edges, edges[1:], counts, strict=False) if row[2]]
                    assert told == [row for row in buckets if row[2]]


@pytest.mark.anyio
async def test_a_range_and_a_limit() -> None:
    value = types.Tensor((1, 3), array=np.array([[0.0, 1.0, 2.0]]))
    source = store.Builder().tensors("r", "h", types.Kind.HISTOGRAMS, [value] * 50, steps=range(50)).build()
    async with Client(source) as ask:
        header, arrays = frames.decode((await ask.get("/api/histograms", tag="h", lo=10, hi=29, limit=3)).content)
        assert arrays["step"].tolist() == [10, 20, 29]
        assert header["series"][0]["points"] == 20
        assert (await ask.get("/api/histograms", tag="h", limit=-1)).status_code == 400
        sent = await ask.http.post("/api/histograms", json={"tag": ["h"], "run": [], "lo": str(2**60)})
        assert frames.decode(sent.content)[0]["series"] == []
