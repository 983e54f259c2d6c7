"""`/api/tables` over HTTP."""

from __future__ import annotations

import json

import asking
import pytest
from data_client import strings

from lightboard import query, store, types
from lightboard.query import blobs

TABLE = json.dumps({"columns": ["name", "loss"], "rows": [[f"run {i}", i / 10] for i in range(1000)]}).encode()


def logged(*values: bytes) -> tuple[store.Store, list[str]]:
    source = query.Builder().tensors("r", "t", types.Kind.TABLES, [strings(value) for value in values]).build()
    series = source.series("r", "t")
    assert series is not None
    points = series.points()
    return source, [blobs.key(series, points, place, 0) for place in range(len(values))]


@pytest.mark.anyio
async def test_a_page_of_rows() -> None:
    source, (key,) = logged(TABLE)
    async with asking.board(source) as client:
        whole = (await client.get("/api/tables", params={"key": key})).json()
        assert whole["columns"] == [{"name": "name", "type": "text"}, {"name": "loss", "type": "number"}]
        assert (whole["rows"], whole["passing"], len(whole["order"])) == (1000, 1000, 200)
        asked = {"key": key, "sort": "-loss", "filter": {"name": "run 9", "loss": "< 99"}, "first": 1, "count": 2}
        page = (await client.post("/api/tables", json=asked)).json()
    assert (page["passing"], page["order"]) == (101, [988, 987])
    assert page["cells"] == [["run 988", "run 987"], [98.8, 98.7]]


@pytest.mark.anyio
async def test_files() -> None:
    source, (key,) = logged(TABLE)
    async with asking.board(source) as client:
        csv = await client.get("/api/tables/file", params={"key": key, "sort": "-loss"})
        sent = await client.post("/api/tables/file", json={"key": key, "filter": {"loss": "= 1"}, "format": "json"})
    assert csv.headers["content-type"] == "text/csv; charset=utf-8"
    assert csv.headers["content-disposition"] == 'attachment; filename="table.csv"'
    assert csv.text.split("\r\n")[:2] == ["name,loss", "run 999,99.9"]
    assert csv.text.count("\r\n") == 1001
    assert sent.json() == {"columns": ["name", "loss"], "rows": [["run 10", 1.0]]}


@pytest.mark.anyio
async def test_what_is_no_table_is_told() -> None:
    source, keys = logged(b'{"columns": [', b"", b"3")
    async with asking.board(source) as client:
        for key in keys:
            answer = await client.get("/api/tables", params={"key": key})
            assert answer.status_code == 422
            assert answer.json()["error"]["hint"]
        assert (await client.get("/api/tables", params={"key": "x"})).status_code == 400


@pytest.mark.anyio
async def test_a_filter_that_makes_no_sense_is_told() -> None:
    source, (key,) = logged(TABLE)
    async with asking.board(source) as client:
        answer = await client.post("/api/tables", json={"key": key, "filter": {"loss": "> x"}})
    assert answer.status_code == 400
    assert "loss" in answer.json()["error"]["message"]
