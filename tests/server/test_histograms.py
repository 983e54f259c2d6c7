"""`/data/plugin/histograms`."""

from __future__ import annotations

import numpy as np
from data_client import Client

from lightboard import store, types

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
