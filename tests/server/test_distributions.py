"""`/data/plugin/distributions`."""

from __future__ import annotations

import numpy as np
from data_client import Client

from lightboard import store, types

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
