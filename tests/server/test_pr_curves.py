"""`/data/plugin/pr_curves`."""

from __future__ import annotations

import numpy as np
from data_client import Client

from lightboard import store, types
from lightboard.server import frames

PATH = "/data/plugin/pr_curves"


def curve(*rows: list[float]) -> types.Tensor:
    return types.Tensor((len(rows), len(rows[0])), array=np.array(rows, np.float32))


def made() -> store.Store:
    good = curve([3, 2, 0, 0], [4, 0, 0, 0], [0, 4, 4, 4], [0, 1, 3, 3], [0.5, 1.0, 0.0, 0.0], [1.0, 0.5, 0.0, 0.0])
    empty = curve(*[[0.0, 0.0]] * 6)
    odd = curve([1.0], [2.0])
    builder = store.Builder().tensors("a", "pr", types.Kind.PR_CURVES, [good, odd], wall_times=[1.0, 2.0])
    return builder.tensors("b", "pr", types.Kind.PR_CURVES, [empty], wall_times=[5.0]).build()


async def test_trailing_thresholds_without_positives_are_cut() -> None:
    async with Client(made()) as ask:
        found = await ask.json(f"{PATH}/pr_curves", tag="pr", run=["a", "b"])
    assert found["a"] == [
        {
            "wall_time": 1.0,
            "step": 0,
            "true_positives": [3, 2],
            "false_positives": [4, 0],
            "true_negatives": [0, 4],
            "false_negatives": [0, 1],
            "precision": [0.5, 1.0],
            "recall": [1.0, 0.5],
            "thresholds": [0.0, 1 / 3],
        }
    ]
    assert found["b"][0]["thresholds"] == [0.0]


async def test_the_unknown_is_a_bad_request() -> None:
    async with Client(made()) as ask:
        assert set(await ask.json(f"{PATH}/tags")) == {"a", "b"}
        for fields in ({"tag": "pr"}, {"run": "a"}, {"tag": "pr", "run": ["a", "gone"]}, {"tag": "gone", "run": "a"}):
            response = await ask.get(f"{PATH}/pr_curves", **fields)
            assert (response.status_code, response.headers["content-type"]) == (400, "text/plain; charset=utf-8")


# ---- /api/pr_curves


async def test_curves_of_chosen_steps_come_as_a_frame() -> None:
    async with Client(made()) as ask:
        got = await ask.get("/api/pr_curves", tag="pr", run=["b", "a"], step=[0, 0])
        sent = await ask.http.post("/api/pr_curves", json={"tag": ["pr", "pr"], "run": ["b", "a"], "step": [0, 0]})
    assert got.content == sent.content
    header, arrays = frames.decode(got.content)
    assert [(each["run"], each["first"], each["thresholds"], each["defined"]) for each in header["curves"]] == [
        ("b", 0, 2, 1),
        ("a", 2, 4, 2),
    ]
    assert arrays["precision"].tolist() == [0, 0, 0.5, 1, 0, 0]
    assert arrays["f1"][2:].tolist() == [0.6, 0.8, 0.0, 0.0]


async def test_a_value_of_another_shape_is_named() -> None:
    async with Client(made()) as ask:
        header, _ = frames.decode((await ask.get("/api/pr_curves", tag="pr", run="a")).content)
    assert header["curves"][0]["step"] is None
    assert "table" in header["curves"][0]["problem"]["message"]


async def test_lists_of_different_lengths_are_a_bad_request() -> None:
    async with Client(made()) as ask:
        response = await ask.get("/api/pr_curves", tag="pr", run=["a", "b"], step=[0])
    assert response.status_code == 400
    assert "`step`" in response.json()["error"]["message"]
