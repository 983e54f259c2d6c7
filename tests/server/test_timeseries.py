"""`/data/plugin/timeseries`."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from data_client import Client, answered, strings

from lightboard import store, types

PATH = "/data/plugin/timeseries"


def described(text: str) -> types.Metadata:
    return types.Metadata("scalars", description=text)


def made() -> store.Store:
    builder = store.Builder()
    builder.scalars("a", "loss", [1.0], wall_times=[1.0], metadata=described("one"))
    builder.scalars("c", "loss", [3.0], wall_times=[1.0], metadata=described("*two*"))
    builder.scalars("b", "loss", [2.0], wall_times=[1.0], metadata=described("one"))
    builder.scalars("a", "acc", [2.0], wall_times=[1.0])
    histogram = types.Tensor((1, 3), array=np.array([[0.0, 1.0, 5.0]]))
    builder.tensors("a", "h", types.Kind.HISTOGRAMS, [histogram], wall_times=[1.0])
    return builder.tensors("a", "i", types.Kind.IMAGES, [strings(b"1", b"1", b"BM0", b"BM1")], wall_times=[1.0]).build()


async def asked(ask: Client, *requests: dict[str, Any]) -> Any:
    return answered(await ask.post(f"{PATH}/timeSeries", requests=json.dumps(requests)))


async def test_tags_of_three_kinds_come_at_once() -> None:
    async with Client(made()) as ask:
        found = await ask.json(f"{PATH}/tags")
    assert found["scalars"]["runTagInfo"] == {"a": ["acc", "loss"], "b": ["loss"], "c": ["loss"]}
    assert found["histograms"] == {"runTagInfo": {"a": ["h"]}, "tagDescriptions": {}}
    assert found["images"]["tagRunSampledInfo"] == {"i": {"a": {"maxSamplesPerStep": 2}}}


async def test_differing_descriptions_stand_under_the_names_of_their_runs() -> None:
    async with Client(made()) as ask:
        found = await ask.json(f"{PATH}/tags")
    assert found["scalars"]["tagDescriptions"] == {
        "loss": "<h1>Multiple descriptions</h1>\n<h2>For run: c</h2>\n<p><em>two</em></p>\n"
        "<h2>For runs: a, b</h2>\n<p>one</p>"
    }


async def test_each_request_is_answered_in_its_place() -> None:
    async with Client(made()) as ask:
        scalars, histogram, picture, gone = await asked(
            ask,
            {"plugin": "scalars", "tag": "loss"},
            {"plugin": "histograms", "tag": "h", "run": "a"},
            {"plugin": "images", "tag": "i", "run": "a", "sample": 1},
            {"plugin": "scalars", "tag": "gone", "run": "a"},
        )
        assert set(scalars["runToSeries"]) == {"a", "b", "c"}
        assert scalars["runToSeries"]["a"] == [{"wallTime": 1.0, "step": 0, "value": 1.0}]
        assert histogram["runToSeries"]["a"][0]["bins"] == [{"min": 0.0, "max": 1.0, "count": 5.0}]
        assert gone == {"plugin": "scalars", "tag": "gone", "run": "a", "runToSeries": {}}
        assert picture["sample"] == 1
        (shown,) = picture["runToSeries"]["a"]
        image = await ask.get(f"{PATH}/imageData", imageId=shown["imageId"])
        assert (image.content, image.headers["content-type"]) == (b"BM1", "image/bmp")


async def test_a_get_asks_the_same() -> None:
    async with Client(made()) as ask:
        requests = json.dumps([{"plugin": "scalars", "tag": "acc"}])
        (found,) = await ask.json(f"{PATH}/timeSeries", requests=requests)
    assert set(found["runToSeries"]) == {"a"}


async def test_a_bad_item_spoils_only_itself() -> None:
    async with Client(made()) as ask:
        found = await asked(
            ask,
            {"plugin": "scalars"},
            {"plugin": "text", "tag": "x"},
            {"plugin": "histograms", "tag": "h"},
            {"plugin": "images", "tag": "i", "run": "a"},
            {"plugin": ["scalars"], "tag": "x"},
            {"plugin": "scalars", "tag": "acc"},
        )
    errors = ["Missing tag", "Invalid plugin", "Missing run", "Missing sample", "Invalid plugin", None]
    assert [each.get("error") for each in found] == errors


@pytest.mark.parametrize("requests", [None, "", "{", "{}", "[1]", "[" * 10_000])
async def test_a_request_that_is_no_list_is_refused(requests: str | None) -> None:
    async with Client(made()) as ask:
        fields = {} if requests is None else {"requests": requests}
        assert (await ask.post(f"{PATH}/timeSeries", **fields)).status_code == 400
    async with Client(made()) as ask:
        assert (await ask.get(f"{PATH}/imageData")).status_code == 400
