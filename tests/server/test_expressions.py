"""A metric expression is a tag: charts, tables, tooltips, filters, exports and points all accept it."""

from __future__ import annotations

import csv
import io

import asking
import numpy as np
import pytest

from lightboard import query
from lightboard.server import frames

GAP = '= "train/loss" - "val/loss"'


def store() -> query.Store:
    builder = query.Builder()
    for number, run in enumerate(("run2", "run10")):
        builder.scalars(run, "train/loss", np.arange(10.0) + number)
        builder.scalars(run, "val/loss", [1.0, 2.0], steps=[4, 9])
    return builder.scalars("only_train", "train/loss", [1.0]).build()


@pytest.mark.anyio
async def test_a_chart_mixes_tags_and_expressions() -> None:
    async with asking.board(store()) as client:
        answer = await client.get("/api/scalars", params={"tag": ["val/loss", "= train/loss - val/loss", "train/loss"]})
    header, arrays = frames.decode(answer.content)
    tags = [header["tags"][number] for number in header["tag"]]
    runs = [header["runs"][number] for number in header["run"]]
    assert tags == ["val/loss"] * 2 + ["= train/loss - val/loss"] * 2 + ["train/loss"] * 3
    assert runs == ["run2", "run10", "run2", "run10", "only_train", "run2", "run10"]
    assert header["kept"] == [2, 2, 2, 2, 1, 10, 10]
    assert list(arrays["value"][4:8]) == [3.0, 7.0, 4.0, 8.0]
    assert list(arrays["step"][4:8]) == [4, 9, 4, 9]


@pytest.mark.anyio
@pytest.mark.parametrize("encoding", ["exact", "pixels"])
async def test_an_expression_is_smoothed_thinned_and_grouped_like_a_tag(encoding: str) -> None:
    asked: dict[str, str | int] = {"width": 50, "encoding": encoding, "smoothing": "ema:0.6"}
    async with asking.board(store()) as client:
        one = await client.get("/api/scalars", params={"tag": '= "train/loss" * 1', **asked})
        two = await client.get("/api/scalars", params={"tag": "train/loss", **asked})
        banded = await client.get("/api/scalars", params={"tag": GAP, "group": "regex:(run)"})
        paired = await client.get("/api/scalars", params={"tag": GAP, "x": "metric:train/loss"})
    (first, curves), (second, plain) = frames.decode(one.content), frames.decode(two.content)
    assert first.pop("tags") != second.pop("tags")
    assert first == second
    assert curves.keys() == plain.keys()
    assert all(bytes(curves[name]) == bytes(plain[name]) for name in plain)
    header, arrays = frames.decode(banded.content)
    assert [group["label"] for group in header["groups"]] == ["run"]
    assert list(arrays["band_centre"]) == [3.5, 7.5]
    header, arrays = frames.decode(paired.content)
    assert list(arrays["x"]) == [4.0, 9.0, 5.0, 10.0]


@pytest.mark.anyio
async def test_tables_tooltips_and_points_know_expressions() -> None:
    async with asking.board(store()) as client:
        table = (await client.get("/api/table", params={"tag": GAP, "sort": f"-last({GAP})"})).json()
        ranged = (await client.get("/api/table", params={"tag": GAP, "lo": 5})).json()
        values = (await client.get("/api/values", params={"tag": [GAP, "val/loss"], "at": 5})).json()
        points = (await client.get("/api/points", params={"tag": GAP, "run": "run10"})).json()
        missing = await client.get("/api/points", params={"tag": GAP, "run": "only_train"})
    assert table["run"] == ["run10", "run2"]
    assert table["tags"][GAP] == {
        "first": [4, 3], "last": [8, 7], "min": [4, 3], "max": [8, 7], "last_step": [9, 9], "points": [2, 2]
    }  # fmt: skip
    assert ranged["range"][GAP]["max"] == [7, 8]
    assert (values["tag"], values["value"]) == ([GAP, GAP, "val/loss", "val/loss"], [3, 4, 1, 1])
    assert (points["step"], points["value"]) == ([4, 9], [4, 8])
    assert missing.status_code == 404


@pytest.mark.anyio
async def test_filters_and_exports_know_expressions() -> None:
    async with asking.board(store()) as client:
        runs = (await client.get("/api/runs", params={"filter": 'last("= train/loss - val/loss") > 7.5'})).json()
        wrong = await client.get("/api/runs", params={"filter": 'last("= train/los") > 7.5'})
        exported = await client.get("/api/export", params={"tag": [GAP], "run": "run2"})
    assert runs["total"] == 1
    assert wrong.status_code == 400 and "train/los" in wrong.text
    assert [row[1:3] + row[4:] for row in csv.reader(io.StringIO(exported.text))][1:] == [
        ["'" + GAP, "4", "3.0"], ["'" + GAP, "9", "7.0"]
    ]  # fmt: skip


@pytest.mark.anyio
async def test_only_changed_curves_are_sent_again() -> None:
    builder = query.Builder().scalars("a", "x", [1.0]).scalars("b", "x", [2.0])
    source = builder.build()
    async with asking.board(source) as client:
        header, _ = frames.decode((await client.get("/api/scalars", params={"tag": "= x * 2"})).content)
        builder.scalars("b", "x", [3.0], steps=[1])
        answer = await client.get("/api/scalars", params={"tag": "= x * 2", "since": header["version"]})
        header, arrays = frames.decode(answer.content)
        compared = await client.get(
            "/api/scalars", params={"tag": '= x / in_run("b", x)', "since": header["version"] - 1}
        )
    assert (header["runs"], list(arrays["value"])) == (["b"], [4.0, 6.0])
    # a curve that uses another run changes with it
    assert frames.decode(compared.content)[0]["runs"] == ["a", "b"]


@pytest.mark.anyio
async def test_a_text_is_checked_while_it_is_typed() -> None:
    async with asking.board(store()) as client:
        good = (await client.get("/api/expression", params={"text": "train/loss − val/loss"})).json()
        bad = await client.get("/api/expression", params={"text": "train/loss - "})
        absent = (await client.get("/api/expression", params={"text": 'train/loss / in_run("gone", val/loss)'})).json()
    assert good == {"tag": GAP, "tags": ["train/loss", "val/loss"], "runs": 2, "error": None}
    # browsers write refused requests to the console
    assert bad.status_code == 200 and bad.json()["error"]["position"] == 13
    assert absent["runs"] == 0


@pytest.mark.anyio
async def test_a_logged_tag_that_begins_with_an_equals_sign_is_a_tag() -> None:
    source = query.Builder().scalars("a", "= x", [5.0]).scalars("a", "x", [1.0]).build()
    async with asking.board(source) as client:
        _, arrays = frames.decode((await client.get("/api/scalars", params={"tag": "= x"})).content)
    assert list(arrays["value"]) == [5.0]
