"""`/api/table`, `/api/values`, `/api/points` over HTTP."""

from __future__ import annotations

import asking
import numpy as np
import pytest

from lightboard import query


def three() -> query.Store:
    builder = query.Builder()
    builder.scalars("a", "loss", [3.0, 1.0, 2.0]).scalars("a", "acc", [0.5, np.nan])
    builder.scalars("b", "loss", [9.0, np.nan, -np.inf]).scalars("c", "acc", [0.25], steps=[2**60])
    return builder.build()


@pytest.mark.anyio
async def test_one_row_per_run() -> None:
    async with asking.board(three()) as client:
        found = (await client.get("/api/table?tag=loss&tag=acc")).json()
    assert found["run"] == ["a", "b", "c"]
    loss, acc = found["tags"]["loss"], found["tags"]["acc"]
    assert loss["first"] == [3.0, 9.0, None]
    assert loss["last"] == [2.0, "-Infinity", None]
    assert loss["min"] == [1.0, 9.0, None]
    assert acc["last"] == ["NaN", None, 0.25]
    assert acc["last_step"] == [1, None, str(2**60)]
    assert acc["points"] == [2, None, 1]


@pytest.mark.anyio
async def test_rows_are_sorted_with_absent_ones_last() -> None:
    async with asking.board(three()) as client:
        up = (await client.get("/api/table?tag=loss&tag=acc&sort=max(loss)")).json()
        down = (await client.get("/api/table?tag=loss&tag=acc&sort=-max(loss)&limit=2")).json()
        wrong = await client.get("/api/table?tag=loss&sort=last(other)")
    assert up["run"] == ["a", "b", "c"]
    assert (down["run"], down["total"]) == (["b", "a"], 3)
    assert wrong.status_code == 400


@pytest.mark.anyio
async def test_runs_without_any_of_the_tags_have_no_row() -> None:
    async with asking.board(three()) as client:
        assert (await client.get("/api/table?tag=acc")).json()["run"] == ["a", "c"]
        assert (await client.get("/api/table?tag=nothing")).json()["run"] == []


@pytest.mark.anyio
async def test_values_are_the_nearest_points() -> None:
    store = query.Builder().scalars("a", "loss", [1.0, 2.0, 3.0, 4.0], steps=[0, 10, 10, 20]).build()
    async with asking.board(store) as client:
        ask = {"tag": "loss", "at": [-5, 4, 6, 10, 1e9], "smoothing": "ema:0.5"}
        found = (await client.post("/api/values", json=ask)).json()
        relative = (await client.post("/api/values", json={"tag": "loss", "at": 1.2, "x": "relative"})).json()
        many = await client.post("/api/values", json={"tag": "loss", "at": [1] * 101})
    assert found["step"] == [0, 0, 10, 10, 20]
    assert found["value"] == [1.0, 1.0, 3.0, 3.0, 4.0], "of two points at one step the later is shown"
    assert found["relative"] == [0.0, 0.0, 2.0, 2.0, 3.0]
    assert len(found["smoothed"]) == 5
    assert relative["step"] == [10]
    assert many.status_code == 400


@pytest.mark.anyio
async def test_values_work_where_steps_are_huge_or_go_back() -> None:
    builder = query.Builder().scalars("big", "loss", [1.0, 2.0], steps=[-(2**63), 2**63 - 1])
    store = builder.scalars("back", "loss", [1.0, 2.0, 3.0], steps=[5, 1, 9]).build()
    async with asking.board(store) as client:
        found = (await client.post("/api/values", json={"tag": "loss", "at": 2})).json()
    assert found["run"] == ["back", "big"]
    assert found["step"] == [1, str(2**63 - 1)]


@pytest.mark.anyio
async def test_points_are_all_there() -> None:
    async with asking.board(three()) as client:
        found = (await client.get("/api/points?run=b&tag=loss")).json()
        part = (await client.get("/api/points?run=b&tag=loss&offset=1&limit=1")).json()
        absent = await client.get("/api/points?run=b&tag=acc")
    assert found["value"] == [9.0, "NaN", "-Infinity"]
    assert found["step"] == [0, 1, 2]
    assert (part["step"], part["total"]) == ([1], 3)
    assert absent.status_code == 404


@pytest.mark.anyio
async def test_superseded_points_are_one_switch_away() -> None:
    builder = query.Builder().scalars("a", "loss", [1.0, 2.0, 3.0], wall_times=[10, 11, 12])
    store = builder.scalars("a", "loss", [7.0, 8.0], steps=[1, 2], wall_times=[20, 21]).build()
    async with asking.board(store) as client:
        latest = (await client.get("/api/points?run=a&tag=loss")).json()
        everything = (await client.get("/api/points?run=a&tag=loss&rewinds=all")).json()
    assert latest["value"] == [1.0, 7.0, 8.0]
    assert everything["value"] == [1.0, 2.0, 3.0, 7.0, 8.0]
    assert everything["superseded"] == [False, True, True, False, False]


@pytest.mark.anyio
async def test_statistics_over_a_range_stand_beside_those_of_all_points() -> None:
    builder = query.Builder().scalars("a", "loss", [9.0, 3.0, 5.0, 4.0, 1.0], steps=[0, 10, 20, 30, 40])
    builder.scalars("b", "loss", [2.0], steps=[100]).scalars("c", "acc", [0.5, 0.75], steps=[15, 25])
    async with asking.board(builder.build()) as client:
        found = (await client.post("/api/table", json={"tag": ["loss", "acc"], "lo": 10, "hi": 30})).json()
        plain = (await client.get("/api/table?tag=loss")).json()
        wrong = await client.get("/api/table?tag=loss&lo=5&hi=1")
    assert found["run"] == ["a", "b", "c"]
    assert found["tags"]["loss"]["min"] == [1.0, 2.0, None]
    loss = found["range"]["loss"]
    assert (loss["first"], loss["last"], loss["mean"]) == ([3.0, None, None], [4.0, None, None], [4.0, None, None])
    assert (loss["min_step"], loss["max_step"]) == ([10, None, None], [20, None, None])
    assert (loss["first_step"], loss["last_step"], loss["points"]) == (
        [10, None, None],
        [30, None, None],
        [3, None, None],
    )
    assert found["range"]["acc"]["mean"] == [None, None, 0.625]
    assert plain["range"] == {}
    assert (wrong.status_code, "`lo`" in wrong.json()["error"]["message"]) == (400, True)


@pytest.mark.anyio
async def test_a_range_may_be_open_and_count_in_seconds_or_in_a_metric() -> None:
    builder = query.Builder().scalars("a", "loss", [9.0, 3.0, 5.0]).scalars("a", "epoch", [0.0, 0.5, 1.0])
    async with asking.board(builder.build()) as client:
        late = (await client.get("/api/table?tag=loss&lo=1&x=relative")).json()["range"]["loss"]
        early = (await client.get("/api/table?tag=loss&hi=0.5&x=metric:epoch")).json()["range"]["loss"]
        absent = (await client.get("/api/table?tag=nothing&tag=loss&hi=0.5")).json()["range"]["nothing"]
    assert (late["first"], late["last"]) == ([3.0], [5.0])
    assert early["mean"] == [6.0]
    assert absent["mean"] == [None]
