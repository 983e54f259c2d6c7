"""`/data/plugin/distributions` and `/api/distributions`."""

from __future__ import annotations

import pathlib

import numpy as np
import pytest
from data_client import Client

import lightboard
from lightboard import store, types
from lightboard.server import frames

PATH = "/data/plugin/distributions"


async def test_nine_percentiles_come_per_step() -> None:
    value = types.Tensor((1, 3), array=np.array([[0.0, 10000.0, 3.0]]))
    source = store.Builder().tensors("r", "h", types.Kind.HISTOGRAMS, [value], wall_times=[1.0]).build()
    async with Client(source) as ask:
        assert set(await ask.json(f"{PATH}/tags")) == {"r"}
        ((wall, step, rows),) = await ask.json(f"{PATH}/distributions", run="r", tag="h")
        assert (wall, step) == (1.0, 0)
        assert [point for point, _ in rows] == [0, 668, 1587, 3085, 5000, 6915, 8413, 9332, 10000]
        assert all(abs(point - value) < 1e-9 for point, value in rows)
        assert (await ask.get(f"{PATH}/distributions", run="r", tag="gone")).status_code == 404


@pytest.mark.anyio
async def test_percentiles_of_real_files_are_those_that_data_tells(data_dir: pathlib.Path) -> None:
    with lightboard.open(data_dir / "torch_writer") as logs:
        entries = logs.select(kind="histograms")
        assert entries
        async with Client(logs._store) as ask:
            for entry in entries:
                rows = await ask.json("/data/plugin/distributions/distributions", run=entry.run, tag=entry.tag)
                answer = await ask.get("/api/distributions", run=entry.run, tag=entry.tag, percentile=["25", "50"])
                header, arrays = frames.decode(answer.content)
                assert header["percentiles"] == [25, 50]
                values = arrays["value"].reshape(len(rows), 9)
                for i, (wall_time, step, points) in enumerate(rows):
                    assert (arrays["step"][i], arrays["wall"][i]) == (step, wall_time)
                    assert [[*pair] for pair in zip(header["basis_points"], values[i].tolist(), strict=True)] == points
                assert np.array_equal(arrays["percentile"][1::2], values[:, 4])


@pytest.mark.anyio
@pytest.mark.parametrize("percentile", ["101", "-1", "x", "nan"])
async def test_odd_percentiles_are_refused(percentile: str) -> None:
    async with Client(store.Builder().build()) as ask:
        answer = await ask.get("/api/distributions", tag="h", percentile=percentile)
        assert answer.status_code == 400
        assert "percentile" in answer.json()["error"]["message"]
