"""Tables out of JSON: what counts as one, sorting, filtering, files. Left out: HTTP (tests/server/test_tables.py)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from data_client import strings

from lightboard import errors, query, types
from lightboard.query import tables

MIXED = {
    "columns": ["name", "loss", "odd"],
    "rows": [["run10", 0.5, 3], ["run2", None, "x"], ["Run1", float("nan"), None], ["run1", -1, [1, {"a": 2}]]],
}


def made(value: Any) -> tables.Table:
    return tables.parse(json.dumps(value).encode())


def names(table: tables.Table, filters: dict[str, str] | None = None, sort: str = "") -> list[Any]:
    return [table.cells[0][row] for row in tables.chosen(table, filters or {}, sort).tolist()]


@pytest.mark.parametrize(
    "value",
    [
        {"columns": ["a", "b"], "rows": [[1, 2], [3, 4]]},
        {"columns": ["a", "b"], "data": [[1, 2], [3, 4]], "index": [0, 1]},
        [{"a": 1, "b": 2}, {"a": 3, "b": 4}],
        {"a": [1, 3], "b": [2, 4]},
        {"columns": ["a", "b"], "rows": [{"b": 2, "a": 1}, {"a": 3, "b": 4}]},
    ],
)
def test_the_same_table_in_every_form(value: Any) -> None:
    table = made(value)
    assert [column.name for column in table.columns] == ["a", "b"]
    assert table.cells == [[1, 3], [2, 4]]


def test_types_are_told_from_the_cells() -> None:
    table = made(MIXED)
    assert [column.type for column in table.columns] == ["text", "number", "mixed"]
    assert table.cells[2] == [3, "x", None, '[1, {"a": 2}]']
    assert made({"columns": ["a"], "rows": []}).columns == [tables.TableColumn("a", "empty")]
    assert made({"a": [True, None]}).columns[0].type == "text"


def test_uneven_rows_are_filled_up_and_counted() -> None:
    table = made({"columns": ["a"], "rows": [[1], [], [1, 2, 3]]})
    assert [column.name for column in table.columns] == ["a", "1", "2"]
    assert table.cells == [[1, None, 1], [None, None, 2], [None, None, 3]]
    assert table.ragged == 2


@pytest.mark.parametrize("data", [b"", b"  ", b"{", b"3", b'{"a": 1}', b"[1, 2]", b"\xff\xfe", b"[" * 100_000])
def test_what_is_no_table_is_told(data: bytes) -> None:
    with pytest.raises(errors.Unreadable) as caught:
        tables.parse(data)
    assert caught.value.message


def _ragged() -> bytes:
    return json.dumps({"columns": ["a"], "rows": [[1] * 100_000, *([[1]] * 100_000)]}).encode()


def _other_names() -> bytes:
    return json.dumps([{str(number): 1} for number in range(20_000)]).encode()


def _other_lengths() -> bytes:
    return json.dumps({"a": [1] * 100_000, **{str(number): [] for number in range(10_000)}}).encode()


@pytest.mark.parametrize("data", [_ragged(), _other_names(), _other_lengths()], ids=["ragged", "names", "lengths"])
def test_a_short_table_does_not_become_billions_of_empty_cells(data: bytes) -> None:
    with pytest.raises(errors.Unreadable, match="almost all cells empty"):
        tables.parse(data)


@pytest.mark.parametrize("depth", [500, 900, 950, 980])
def test_a_deep_cell_is_written_or_refused(depth: int) -> None:
    try:
        cells = tables.parse(b"[[" + b"[" * depth + b"]" * depth + b"]]").cells
    except errors.Unreadable as error:
        cells = [[error.message]]
    assert cells in ([["this JSON is nested too deeply"]], [["[" * depth + "]" * depth]])


def test_numbers_of_thousands_of_digits() -> None:
    table = tables.parse(b"[[" + b"1" * 4_000 + b"], [2], [1e999]]")
    assert names(table, sort="0") == [2, 10**4_000 // 9, float("inf")]
    with pytest.raises(errors.Unreadable):
        tables.parse(b"[[" + b"1" * 100_000 + b"]]")


def test_sorting_is_natural_and_leaves_empty_cells_last() -> None:
    table = made(MIXED)
    assert names(table, sort="name") == ["Run1", "run1", "run2", "run10"]
    assert names(table, sort="-name") == ["run10", "run2", "run1", "Run1"]
    assert names(table, sort="loss") == ["run1", "run10", "run2", "Run1"]
    assert names(table, sort="-loss") == ["run10", "run1", "run2", "Run1"]
    assert names(table, sort="odd")[0] == "run10"  # the number before the texts
    assert names(table, sort="odd")[-1] == "Run1"


def test_a_column_may_begin_with_a_minus() -> None:
    table = made({"columns": ["-x", "x"], "rows": [[2, 1], [1, 2]]})
    assert names(table, sort="-x") == [1, 2]


@pytest.mark.parametrize(
    ("filters", "passing"),
    [
        ({"loss": "> -5"}, ["run10", "run1"]),
        ({"loss": ">=0.5"}, ["run10"]),
        ({"loss": "-1..0"}, ["run1"]),
        ({"loss": "= -1.0"}, ["run1"]),
        ({"loss": "!= 0.5"}, ["run2", "Run1", "run1"]),
        ({"name": "RUN1"}, ["run10", "Run1", "run1"]),
        ({"name": "=run1"}, ["Run1", "run1"]),
        ({"name": "!run1"}, ["run2"]),
        ({"name": "/n[12]$/"}, ["run2", "Run1", "run1"]),
        ({"name": "run1", "loss": "< 0"}, ["run1"]),
        ({"odd": "a"}, ["run1"]),
        ({"name": " "}, ["run10", "run2", "Run1", "run1"]),
    ],
)
def test_filters(filters: dict[str, str], passing: list[str]) -> None:
    assert names(made(MIXED), filters) == passing


@pytest.mark.parametrize("filters", [{"loss": "> many"}, {"gone": "x"}, {"name": "/(/"}, {"name": "/a(?=b)/"}])
def test_filters_that_make_no_sense_are_refused(filters: dict[str, str]) -> None:
    with pytest.raises(errors.BadInput):
        tables.chosen(made(MIXED), filters)


@pytest.mark.parametrize(("text", "passing"), [("1 .. 5", [5]), ("-1..2.5", []), ("4...5e1", [5]), ("..", [])])
def test_ranges(text: str, passing: list[int]) -> None:
    table = made({"columns": ["a"], "rows": [[5], [-7]]})
    assert [table.cells[0][row] for row in tables.chosen(table, {"a": text}).tolist()] == passing


def test_a_range_of_dots_is_read_in_linear_time() -> None:
    assert tables.chosen(made({"columns": ["a"], "rows": [[5]]}), {"a": "." * 1_000_000 + " x"}).tolist() == []


def test_numbers_too_large_for_a_double_do_no_harm() -> None:
    table = made({"columns": ["a"], "rows": [[10**400], [-(10**400)], [5]]})
    assert names(table, {"a": "> 6"}, "a") == [10**400]
    assert names(table, sort="a") == [-(10**400), 5, 10**400]


def test_a_page_is_cut_where_cells_or_columns_are_too_many() -> None:
    table = made({"columns": [str(i) for i in range(600)], "rows": [["y" * 5000] * 600]})
    page = tables.page(table, tables.chosen(table, {}), 0, 10)
    assert (len(page.columns), len(page.cells), page.left_out) == (500, 500, 100)
    assert page.cells[0] == ["y" * 2000 + "…"]


def test_files_hold_everything_that_passes() -> None:
    table = made(MIXED)
    rows = tables.chosen(table, {"name": "run1"}, "-name")
    assert b"".join(tables.write(table, rows, "csv")).decode().split("\r\n") == [
        "name,loss,odd",
        "run10,0.5,3",
        'run1,-1,"[1, {""a"": 2}]"',
        "Run1,nan,",
        "",
    ]
    told = json.loads(b"".join(tables.write(table, rows, "json")), parse_constant=lambda word: pytest.fail(word))
    assert told == {
        "columns": ["name", "loss", "odd"],
        "rows": [["run10", 0.5, 3], ["run1", -1, '[1, {"a": 2}]'], ["Run1", None, None]],
    }


def test_a_hundred_thousand_rows_are_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    cells = [[i, f"row {i}", i * 0.5] for i in range(100_000)]
    data = json.dumps({"columns": ["i", "name", "half"], "rows": cells}).encode()
    reads: list[str] = []

    def read(source: query.Store, key: str) -> bytes:
        reads.append(key)
        return data

    monkeypatch.setattr(tables, "_bytes", read)
    source = query.Store()
    first, again = tables.read(source, "key"), tables.read(source, "key")
    assert first is again
    assert tables.cost_bytes(source, "key") == 0
    assert reads == ["key"]
    assert tables.cost_bytes(query.Store(), "key") > len(data)
    rows = tables.chosen(first, {"half": "> 49990"}, "-i")
    assert tables.page(first, rows, 0, 2).cells[1] == ["row 99999", "row 99998"]


def test_reading_by_key_asks_for_a_table() -> None:
    builder = query.Builder()
    builder.tensors("r", "t", types.Kind.TABLES, [strings(b'{"a": [1]}')])
    builder.tensors("r", "x", types.Kind.TEXT, [strings(b'{"a": [1]}')])
    source = builder.build()
    from lightboard.query import blobs

    def key(tag: str) -> str:
        series = source.series("r", tag)
        assert series is not None
        return blobs.key(series, series.points(), 0, 0)

    assert tables.read(source, key("t")).cells == [[1]]
    with pytest.raises(errors.NotFound):
        tables.read(source, key("x"))


@pytest.mark.parametrize(
    "data",
    [
        b'{"rows": [[' + b"1," * 30_000 + b"1]" + b",[]" * 30_000 + b"]}",
        b"[" + b",".join(b'{"%d": 1}' % number for number in range(5_000)) + b"]",
        b'{"a": [' + b"1," * 30_000 + b"1]," + b",".join(b'"%d": []' % number for number in range(9_000)) + b"}",
        b"[[" + b"1," * 30_000 + b"1]]",
        b'{"columns": [' + b"1," * 30_000 + b'1], "rows": []}',
    ],
)
def test_a_few_long_rows_do_not_fill_up_all_others(data: bytes) -> None:
    """100 kB of JSON stood for a table of 900 million cells."""
    with pytest.raises(errors.Unreadable, match=r"almost all cells empty|up to 4,000,000 cells and 10,000 columns"):
        tables.parse(data)


def test_very_many_values_are_refused_before_they_are_parsed() -> None:
    with pytest.raises(errors.Unreadable, match="values, up to 5,000,000 are read"):
        tables.parse(b"[" * 6_000_000)


def test_long_texts_with_commas_are_no_values() -> None:
    data = b'[["' + b'[a, {b:\\"' * 1_000_000 + b'"]]'
    assert tables.parse(data).rows == 1
