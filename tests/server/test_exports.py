"""`/api/export`: every format holds every point, streamed; a missing package says what to install."""

from __future__ import annotations

import csv
import io
import json
import sys

import asking
import httpx
import numpy as np
import pytest

from lightboard import query, types
from lightboard.query import exports
from lightboard.server import exports as routes


def store() -> query.Store:
    builder = query.Builder().scalars('odd, "run"', "loss", [0.1, np.nan, np.inf], steps=[0, 1, 2**60])
    return builder.scalars("b", "acc", np.array([0.1], np.float32)).build()


async def export(format_: str, **given: str) -> httpx.Response:
    async with asking.board(store()) as client:
        answer = await client.get("/api/export", params={"format": format_, **given})
    assert answer.status_code == 200, answer.text
    assert "attachment" in answer.headers["content-disposition"]
    return answer


@pytest.mark.anyio
async def test_csv_holds_every_digit() -> None:
    rows = list(csv.reader(io.StringIO((await export("csv")).text)))
    assert rows[0] == ["run", "tag", "step", "wall_time", "value"]
    assert rows[1] == ["b", "acc", "0", "1700000000.0", str(float(np.float32(0.1)))]
    assert [row[0] for row in rows[2:]] == ['odd, "run"'] * 3
    assert [row[2] for row in rows[2:]] == ["0", "1", str(2**60)]
    assert [row[4] for row in rows[2:]] == ["0.1", "NaN", "Infinity"]


@pytest.mark.anyio
async def test_json_lines_carry_unsafe_numbers_as_strings() -> None:
    rows = [json.loads(line) for line in (await export("jsonl", tag="loss")).text.splitlines()]
    assert [row["step"] for row in rows] == [0, 1, str(2**60)]
    assert [row["value"] for row in rows] == [0.1, "NaN", "Infinity"]
    assert rows[0]["run"] == 'odd, "run"'


@pytest.mark.anyio
async def test_arrow_and_parquet() -> None:
    ipc = pytest.importorskip("pyarrow.ipc")
    parquet = pytest.importorskip("pyarrow.parquet")
    stream = ipc.open_stream((await export("arrow")).content).read_all()
    file = parquet.read_table(io.BytesIO((await export("parquet")).content))
    for table in (stream, file):
        assert table.column_names == ["run", "tag", "step", "wall_time", "value"]
        assert table["run"].to_pylist() == ["b"] + ['odd, "run"'] * 3
        assert table["step"].to_pylist() == [0, 0, 1, 2**60]
        np.testing.assert_array_equal(table["value"].to_numpy()[2:], [np.nan, np.inf])


@pytest.mark.anyio
async def test_a_missing_package_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    async with asking.board(store()) as client:
        answer = await client.get("/api/export?format=parquet")
    assert answer.status_code == 501
    assert "pip install" in answer.json()["error"]["hint"]


@pytest.mark.anyio
async def test_nothing_to_export_is_said() -> None:
    async with asking.board(store()) as client:
        assert (await client.get("/api/export?tag=nothing")).status_code == 404
        assert (await client.get("/api/export?format=xls")).status_code == 400


def test_blocks_join_short_series_and_cut_long_ones() -> None:
    builder = query.Builder().scalars("long", "loss", np.arange(25.0))
    for number in range(7):
        builder.scalars(f"short{number}", "loss", [1.0, 2.0])
    chosen = exports.selection(builder.build().all_series())
    sizes = [len(block.step) for block in chosen.blocks(10)]
    assert sum(sizes) == 39
    assert max(sizes) < 20
    assert len(sizes) == 4


@pytest.mark.anyio
async def test_json_is_one_document_with_the_points_of_each_series() -> None:
    document = json.loads((await export("json")).text)
    assert [(one["run"], one["tag"]) for one in document] == [("b", "acc"), ('odd, "run"', "loss")]
    assert document[1]["points"] == [
        [1700000000.0, 0, 0.1],
        [1700000001.0, 1, "NaN"],
        [1700000002.0, 2**60, "Infinity"],
    ]


@pytest.mark.anyio
async def test_long_series_are_whole_in_json(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exports, "BLOCK_ROWS", 10)
    monkeypatch.setattr(exports, "PIECE_BYTES", 100)
    made = query.Builder().scalars("a", "x", np.arange(95.0)).scalars("b", "x", np.zeros(1)).build()
    pieces = list(exports.write(exports.selection(made.all_series()), "json"))
    document = json.loads(b"".join(pieces))
    assert len(pieces) > 5
    assert [point[2] for point in document[0]["points"]] == list(range(95))
    assert len(document[1]["points"]) == 1


@pytest.mark.parametrize(
    ("runs", "tags", "wanted"),
    [
        (["a", "b"], ["x", "y"], 'attachment; filename="lightboard.csv"'),
        (["a"], ["train/loss"], 'attachment; filename="a-train_loss.csv"'),
        (["a", "b"], ["../../etc/passwd"], 'attachment; filename="etc_passwd.csv"'),
        (["."], ["loss"], 'attachment; filename="loss.csv"'),
        (["a"], ['x"\r\nSet-Cookie: y'], 'attachment; filename="a-x___Set-Cookie__y.csv"'),
        (
            ["实验"],
            ["损失"],
            "attachment; filename=\"__-__.csv\"; filename*=UTF-8''%E5%AE%9E%E9%AA%8C-%E6%8D%9F%E5%A4%B1.csv",
        ),
        (["\u202egnp.exe"], ["x"], 'attachment; filename="gnp.exe-x.csv"'),
    ],
)
def test_files_are_named_after_what_is_in_them(runs: list[str], tags: list[str], wanted: str) -> None:
    chosen = exports.Selection(runs, tags, [], types.Rewinds.LATEST)
    assert routes.disposition(routes.file_name(chosen, ".csv")) == wanted


def test_long_names_are_cut() -> None:
    chosen = exports.Selection(["r" * 500], ["t" * 500], [], types.Rewinds.LATEST)
    assert len(routes.file_name(chosen, ".parquet")) < 200
