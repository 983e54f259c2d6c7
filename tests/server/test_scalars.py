"""`/api/scalars` over HTTP: encodings, ranges, selections, smoothing, bands, odd numbers.

What thinning keeps and what smoothers compute is tested with the kernels.
"""

from __future__ import annotations

from typing import Any

import asking
import httpx
import numpy as np
import pytest
from numpy.typing import NDArray

from lightboard import kernels, query
from lightboard.query.scalars import scalars
from lightboard.server import compression, frames


async def ask(client: httpx.AsyncClient, **given: Any) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    answer = await client.post("/api/scalars", json=given)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == frames.MEDIA_TYPE
    return frames.decode(answer.content)


def wavy(runs: int = 3, points: int = 5000) -> query.Builder:
    builder, chance = query.Builder(), np.random.default_rng(0)
    for run in range(runs):
        values = (np.sin(np.arange(points) / 300) + chance.normal(0, 0.1, points)).astype(np.float32)
        values[1234] = 50 + run  # a spike that must not be lost
        builder.scalars(f"run{run}", "loss", values)
    return builder


@pytest.mark.anyio
async def test_without_a_width_every_point_comes_exactly() -> None:
    store = wavy().build()
    async with asking.board(store) as client:
        header, arrays = await ask(client, tag="loss")
    assert header["runs"] == ["run0", "run1", "run2"]
    assert header["points"] == header["kept"] == [5000] * 3
    series = store.series("run1", "loss")
    assert series is not None
    points = series.points()
    np.testing.assert_array_equal(arrays["step"][5000:10000], points.steps)
    np.testing.assert_array_equal(arrays["wall_time"][5000:10000], points.wall_times)
    np.testing.assert_array_equal(arrays["value"][5000:10000], points.values)
    assert arrays["value"].dtype == np.float32


@pytest.mark.anyio
async def test_an_empty_list_of_runs_is_no_run() -> None:
    """A page on which nothing is ticked must not be sent everything."""
    async with asking.board(wavy().build()) as client:
        header, _ = await ask(client, tag="loss", run=[])
    assert header["runs"] == []


@pytest.mark.anyio
async def test_with_a_width_fewer_points_come_and_no_extreme_is_lost() -> None:
    async with asking.board(wavy().build()) as client:
        header, arrays = await ask(client, tag="loss", width=200)
    assert all(count <= 4 * 200 + 2 for count in header["kept"])
    assert arrays["value"].max() == 52
    assert header["values"]["max"] == 52
    assert header["values"]["high"] < 2


@pytest.mark.anyio
async def test_pixels_draw_what_exact_points_draw() -> None:
    store = wavy().build()
    async with asking.board(store) as client:
        header, arrays = await ask(client, tag="loss", width=200, encoding="pixels")
    assert header["columns"] == [0, 1, 2]
    assert (header["lo"], header["hi"]) == (0, 4999)
    told = kernels.decode_columns(arrays["columns"].tobytes())
    series = store.series("run2", "loss")
    assert series is not None
    points = series.points()
    real = kernels.m4_columns(points.steps, points.values, columns=200, lo=0, hi=4999)
    pixel = (header["values"]["high"] - header["values"]["low"]) / 600
    np.testing.assert_allclose(told.min[2], real.min, atol=pixel)
    spike = int(np.nanargmax(real.max))
    assert told.max[2, spike] == pytest.approx(52, rel=1e-2)


@pytest.mark.anyio
async def test_a_zoomed_line_enters_and_leaves() -> None:
    async with asking.board(wavy().build()) as client:
        header, arrays = await ask(client, tag="loss", run="run0", width=100, encoding="pixels", lo=1000, hi=1010)
        exact, points = await ask(client, tag="loss", run="run0", lo=1000, hi=1010)
    np.testing.assert_array_equal(arrays["edge_x"], [999, 1011])
    assert (header["lo"], header["hi"]) == (1000, 1010)
    np.testing.assert_array_equal(points["step"], np.arange(999, 1012))
    assert exact["points"] == [5000]


@pytest.mark.anyio
async def test_smoothing_sees_all_points() -> None:
    store = wavy(1).build()
    async with asking.board(store) as client:
        header, arrays = await ask(client, tag="loss", width=100, smoothing="ema:0.9")
        _, pixels = await ask(client, tag="loss", width=100, smoothing="ema:0.9", encoding="pixels")
        _, alone = await ask(client, tag="loss", width=100, smoothing="ema:0.9", encoding="pixels", raw=False)
    series = store.series("run0", "loss")
    assert series is not None
    points = series.points()
    whole = kernels.ema(points.values, 0.9)
    np.testing.assert_array_equal(arrays["smoothed"], whole[arrays["step"]])
    assert header["smoothed"]["max"] == whole.max()
    assert {"columns", "smoothed_columns"} <= set(pixels)
    assert "columns" not in alone


@pytest.mark.anyio
async def test_other_axes() -> None:
    walls = [100.0, 101.5, 104.0]
    store = query.Builder().scalars("a", "loss", [1.0, 2.0, 3.0], wall_times=walls).build()
    async with asking.board(store) as client:
        wall, _ = await ask(client, tag="loss", x="wall")
        relative, _ = await ask(client, tag="loss", x="relative", width=10, encoding="pixels")
    assert (wall["lo"], wall["hi"]) == (100, 104)
    assert (relative["lo"], relative["hi"]) == (0, 4)


@pytest.mark.anyio
async def test_steps_that_go_back_come_as_points_beside_the_columns() -> None:
    builder = query.Builder().scalars("back", "loss", [1.0, 2.0, 3.0, 4.0], steps=[0, 10, 5, 20])
    store = builder.scalars("fore", "loss", [1.0, 2.0]).build()
    async with asking.board(store) as client:
        header, arrays = await ask(client, tag="loss", width=50, encoding="pixels")
    assert (header["exact"], header["columns"]) == ([0], [1])
    np.testing.assert_array_equal(arrays["step"], [0, 10, 5, 20])


@pytest.mark.anyio
async def test_odd_numbers_arrive_as_they_are() -> None:
    steps = [-(2**63), -1, 2**53 + 1, 2**63 - 1]
    values = [np.nan, np.inf, -np.inf, 1e-300]
    store = query.Builder().scalars("a", "loss", values, steps=steps).build()
    async with asking.board(store) as client:
        header, arrays = await ask(client, tag="loss")
        narrow, kept = await ask(client, tag="loss", lo=str(2**53 + 1), hi=2**62)
        await ask(client, tag="loss", width=100)
        await ask(client, tag="loss", width=100, encoding="pixels")
    assert (header["lo"], header["hi"]) == (str(steps[0]), str(steps[3]))
    np.testing.assert_array_equal(arrays["step"], steps)
    np.testing.assert_array_equal(arrays["value"], values)
    assert narrow["lo"] == str(2**53 + 1)
    np.testing.assert_array_equal(kept["step"], steps[1:])


@pytest.mark.anyio
async def test_runs_and_filters_choose() -> None:
    async with asking.board() as client:
        by_name, _ = await ask(client, tag="loss", run=["run10", "run2", "absent"])
        by_filter, _ = await ask(client, tag="loss", filter='last("loss") > 0.5')
        nothing, arrays = await ask(client, tag="absent", width=100, encoding="pixels")
        wrong = await client.get("/api/scalars", params={"tag": "loss", "filter": "last( > 1"})
    assert by_name["runs"] == ["run2", "run10"]
    assert by_filter["runs"] == ["run10"]
    assert (nothing["runs"], nothing["lo"]) == ([], None)
    assert len(arrays) == 0
    assert wrong.json()["error"]["position"] >= 0


@pytest.mark.anyio
async def test_only_what_changed_since_a_version_comes() -> None:
    builder = asking.small()
    store = builder.build()
    async with asking.board(store) as client:
        before, _ = await ask(client, tag="loss")
        unchanged, _ = await ask(client, tag="loss", since=before["version"])
        builder.scalars("run2", "loss", [5.0], steps=[99], wall_times=[1.8e9])
        changed, _ = await ask(client, tag="loss", since=before["version"])
    assert unchanged["runs"] == []
    assert changed["runs"] == ["run2"]


@pytest.mark.anyio
async def test_runs_that_belong_together_become_a_band() -> None:
    builder = query.Builder()
    for seed in range(3):
        builder.scalars(f"adam_{seed}", "loss", np.full(10, float(seed)))
    builder.scalars("other", "loss", np.ones(10))
    async with asking.board(builder.build()) as client:
        header, arrays = await ask(client, tag="loss", group="regex:(adam)_", band="minmax", width=5)
        quarter, _ = await ask(client, tag="loss", group="regex:(adam)_", band="quantiles", quantile=[0.1, 0.9])
        wrong = await client.post("/api/scalars", json={"tag": "loss", "group": "nonsense"})
    (group,) = header["groups"]
    assert (group["label"], group["runs"], group["length"]) == ("adam", [0, 1, 2], 5)
    np.testing.assert_array_equal(arrays["band_low"], np.zeros(5))
    np.testing.assert_array_equal(arrays["band_high"], np.full(5, 2.0))
    np.testing.assert_array_equal(arrays["band_centre"], np.ones(5))
    assert header["exact"] == [3], "runs in no group stay lines"
    assert quarter["groups"][0]["length"] == 10
    assert wrong.status_code == 400


@pytest.mark.anyio
@pytest.mark.parametrize(
    "given",
    [
        {"lo": 5, "hi": 1},
        {"smoothing": "nonsense:1"},
        {"smoothing": "ema:2"},
        {"encoding": "pixels"},
        {"width": 100_000},
        {"quantile": [0.9, 0.1]},
        {"x": "wall", "lo": -1e308, "hi": 1e308, "width": 10, "encoding": "pixels"},
    ],
)
async def test_impossible_wishes_are_refused(given: dict[str, Any]) -> None:
    async with asking.board() as client:
        assert (await client.post("/api/scalars", json={"tag": "loss"} | given)).status_code == 400


@pytest.mark.anyio
async def test_requests_without_measure_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    async with asking.board() as client:
        for name, most in (("MAX_CELLS", 299), ("MAX_POINTS", 59)):
            monkeypatch.setattr(scalars, name, most)
        pixels = await client.post("/api/scalars", json={"tag": "loss", "width": 100, "encoding": "pixels"})
        exact = await client.post("/api/scalars", json={"tag": "loss"})
        fewer = await client.post("/api/scalars", json={"tag": "loss", "run": "run1"})
    assert (pixels.status_code, exact.status_code, fewer.status_code) == (400, 400, 200)


@pytest.mark.anyio
async def test_a_wide_range_answers_quickly_whatever_the_steps_are() -> None:
    async with asking.board() as client:
        header, _ = await ask(client, tag="loss", lo=-(2**63), hi=2**63 - 1, width=16384, encoding="pixels")
    assert header["points"] == [20, 20, 20]


@pytest.mark.anyio
async def test_a_logarithmic_axis_begins_above_zero() -> None:
    async with asking.board(wavy().build()) as client:
        header, arrays = await ask(client, tag="loss", width=50, x_scale="log", lo=0)
        refused = await client.get("/api/scalars?tag=loss&width=50&x_scale=log&lo=-5&hi=0")
        signed, _ = await ask(client, tag="loss", width=50, x_scale="symlog", encoding="pixels")
    assert (header["x_scale"], header["lo"], header["hi"]) == ("log", 1, 4999)
    assert arrays["step"].min() == 1
    assert 50.0 in arrays["value"]
    assert (signed["lo"], signed["columns"]) == (0, [0, 1, 2])
    assert (refused.status_code, "`hi`" in refused.json()["error"]["message"]) == (400, True)


@pytest.mark.anyio
async def test_any_metric_may_stand_on_the_x_axis() -> None:
    builder = wavy(2)
    builder.scalars("run0", "tokens", np.arange(5000.0) * 512)
    async with asking.board(builder.build()) as client:
        header, arrays = await ask(client, tag="loss", width=100, x="metric:tokens")
    assert (header["x"], header["runs"], header["hi"]) == ("metric:tokens", ["run0"], 4999 * 512)
    np.testing.assert_array_equal(arrays["x"], arrays["step"] * 512.0)


@pytest.mark.anyio
async def test_extents_have_every_value_and_a_range_without_outliers() -> None:
    store = wavy(5).build()
    async with asking.board(store) as client:
        header, _ = await ask(client, tag="loss", width=100, encoding="pixels", smoothing="ema:0.6", lo=100, hi=3000)
        slider, _ = await ask(client, tag="loss", width=100, encoding="pixels", smoothing="ema:0.6", raw=False)
    lines = [series.points().values[100:3001].astype(np.float64) for series in store.all_series()]
    smoothed = [kernels.ema(series.points().values, 0.6)[100:3001] for series in store.all_series()]
    for extent, found in ((header["values"], lines), (header["smoothed"], smoothed)):
        low, high = extent["low"], extent["high"]
        assert (extent["min"], extent["max"]) == (min(map(np.min, found)), max(map(np.max, found)))
        assert extent["min"] <= low < high <= extent["max"]
        for line in found:
            assert low <= min(line[0], line[-1]) <= max(line[0], line[-1]) <= high
            assert np.mean((line < low) | (line > high)) <= 0.02
    assert slider["values"] == {"low": None, "high": None, "min": None, "max": None}
    assert slider["smoothed"]["low"] is not None


@pytest.mark.anyio
async def test_few_lines_have_their_last_values() -> None:
    store = wavy(3).build()
    async with asking.board(store) as client:
        header, _ = await ask(client, tag="loss", width=100, encoding="pixels", lo=100, hi=200)
    lasts = [series.points().values[-1] for series in store.all_series()]
    assert header["last"] == pytest.approx(lasts)
    many = wavy(scalars.MOST_LAST + 1).build()
    async with asking.board(many) as client:
        header, _ = await ask(client, tag="loss", width=100, encoding="pixels")
    assert header["last"] is None


async def several(client: httpx.AsyncClient, **given: Any) -> list[bytes | dict[str, Any]]:
    answer = await client.post("/api/charts", json=given)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == frames.SEVERAL_MEDIA_TYPE
    return frames.split(answer.content)


@pytest.mark.anyio
async def test_several_charts_in_one_answer_are_those_asked_one_by_one() -> None:
    builder = wavy()
    builder.scalars("run0", "accuracy", np.linspace(0, 1, 77))
    shared = {"run": ["run0", "run2"], "smoothing": "ema:0.9", "encoding": "pixels", "width": 300}
    asked: list[dict[str, Any]] = [{"tag": "loss"}, {"tag": ["accuracy"], "width": 33}, {"tag": "loss", "raw": False}]
    async with asking.board(builder.build()) as client:
        found = await several(client, charts=asked, shared=shared)
        alone = [(await client.post("/api/scalars", json={**shared, **one})).content for one in asked]
        assert await several(client, charts=asked[:1]) == [(await client.post("/api/scalars", json=asked[0])).content]
    assert found == alone


@pytest.mark.anyio
async def test_a_wrong_chart_among_several_spoils_no_other() -> None:
    asked: list[dict[str, Any]] = [{"tag": "loss", "smoothing": "lots"}, {"tag": "loss"}]
    async with asking.board(wavy().build()) as client:
        wrong, right = await several(client, charts=asked)
        alone = await client.post("/api/scalars", json=asked[1])
    assert isinstance(wrong, dict) and wrong["error"]["status"] == 400
    assert "unknown smoothing 'lots'" in wrong["error"]["message"]
    assert right == alone.content


@pytest.mark.anyio
@pytest.mark.parametrize("coding", ["zstd", "gzip", "identity"])
async def test_charts_arrive_whole_in_every_coding(coding: str) -> None:
    asked = [{"tag": "loss", "smoothing": f"ema:0.{i}", "encoding": "pixels", "width": 200} for i in range(9)]
    async with asking.board(wavy(20).build()) as client:
        answer = await client.post("/api/charts", json={"charts": asked}, headers={"Accept-Encoding": coding})
        alone = [(await client.post("/api/scalars", json=one)).content for one in asked]
    assert answer.headers.get("content-encoding", "identity") == coding
    # httpx unpacks gzip by itself, zstd only where a package for it is installed
    packed = answer.content[:4] == b"(\xb5/\xfd"
    assert frames.split(compression._zstd().decompress(answer.content) if packed else answer.content) == alone


@pytest.mark.anyio
async def test_a_question_for_charts_that_makes_no_sense_is_refused() -> None:
    async with asking.board(wavy().build()) as client:
        for charts, said in [
            ([{"width": 7}], "parameter `tag` is missing"),
            (["loss"], "parameter `charts` must be an object"),
            ([{"tag": "loss"}] * 65, "more than 64 charts"),
            ([], "parameter `charts` is missing"),
        ]:
            answer = await client.post("/api/charts", json={"charts": charts})
            assert (answer.status_code, said in answer.json()["error"]["message"]) == (400, True), answer.text
        assert (await client.get("/api/charts")).status_code == 405


@pytest.mark.anyio
async def test_bands_between_tags_need_both_edges() -> None:
    async with asking.board() as client:
        good = await client.get("/api/scalars?tag=loss&lower=loss&upper=loss&width=100&encoding=pixels")
        bad = await client.get("/api/scalars?tag=loss&lower=loss")
    header, arrays = frames.decode(good.content)
    assert [group["label"] for group in header["groups"]] == ["run1", "run2", "run10"]
    assert len(arrays["band_low"]) == 60
    assert bad.status_code == 400
    assert "`upper`" in bad.json()["error"]["message"]
