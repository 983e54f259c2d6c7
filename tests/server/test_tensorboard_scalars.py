"""`/data/plugin/scalars`."""

from __future__ import annotations

import math

import numpy as np
from data_client import Client, answered

from lightboard import store, types

PATH = "/data/plugin/scalars"


def made() -> store.Store:
    described = types.Metadata("scalars", display_name="Loss", description="*lower* is better")
    builder = store.Builder().scalars("train", "loss", [3.0, 2.0], wall_times=[1.0, 2.0], metadata=described)
    return builder.scalars("test", "loss", np.array([0.4], np.float32), wall_times=[1.5]).build()


async def test_tags_tell_display_name_and_description() -> None:
    async with Client(made()) as ask:
        assert await ask.json(f"{PATH}/tags") == {
            "train": {"loss": {"displayName": "Loss", "description": "<p><em>lower</em> is better</p>"}},
            "test": {"loss": {"displayName": "", "description": ""}},
        }


async def test_points_are_wall_time_step_value() -> None:
    async with Client(made()) as ask:
        assert await ask.json(f"{PATH}/scalars", run="train", tag="loss") == [[1.0, 0, 3.0], [2.0, 1, 2.0]]
        # what was written as 32 bits is told as the double it is
        assert await ask.json(f"{PATH}/scalars", run="test", tag="loss") == [[1.5, 0, 0.4000000059604645]]


async def test_csv_has_a_header_and_the_same_points() -> None:
    async with Client(made()) as ask:
        response = await ask.get(f"{PATH}/scalars", run="train", tag="loss", format="csv")
    assert response.headers["content-type"] == "text/csv; charset=utf-8"
    assert response.text == "Wall time,Step,Value\r\n1.0,0,3.0\r\n2.0,1,2.0\r\n"


async def test_numbers_json_cannot_hold_are_words_and_large_steps_stay_whole() -> None:
    values, steps = [math.nan, math.inf, -math.inf, 1.0], [-5, 0, 2**53 + 1, 2**63 - 1]
    source = store.Builder().scalars("r", "t", values, steps=steps, wall_times=[0.0] * 4).build()
    async with Client(source) as ask:
        found = await ask.json(f"{PATH}/scalars", run="r", tag="t")
    assert found == [[0.0, -5, "NaN"], [0.0, 0, "Infinity"], [0.0, 2**53 + 1, "-Infinity"], [0.0, 2**63 - 1, 1.0]]


async def test_several_runs_come_at_once_and_unknown_ones_are_left_out() -> None:
    async with Client(made()) as ask:
        found = answered(await ask.post(f"{PATH}/scalars_multirun", tag="loss", runs=["train", "gone", "test"]))
        assert set(found) == {"train", "test"}
        assert (await ask.get(f"{PATH}/scalars_multirun", tag="loss")).status_code == 405
        assert (await ask.post(f"{PATH}/scalars_multirun", runs="train")).status_code == 400
        assert (await ask.post(f"{PATH}/scalars_multirun", tag=["a", "b"], runs="train")).status_code == 400


async def test_points_are_thinned_only_when_asked() -> None:
    source = store.Builder().scalars("r", "t", list(range(3000))).build()
    async with Client(source) as ask:
        assert len(await ask.json(f"{PATH}/scalars", run="r", tag="t")) == 3000
    async with Client(source, samples_per_plugin={"scalars": 0}) as ask:
        assert len(await ask.json(f"{PATH}/scalars", run="r", tag="t")) == 3000
    async with Client(source, samples_per_plugin={"scalars": 100}) as ask:
        found = await ask.json(f"{PATH}/scalars", run="r", tag="t")
    assert len(found) == 100
    assert found[-1][1] == 2999
