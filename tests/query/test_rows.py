"""Points as text: what comes out reads back as exactly what went in."""

from __future__ import annotations

import csv
import json
import math
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from lightboard import kernels, store
from lightboard.query import rows

doubles = some.floats(width=64)
steps_ = some.integers(-(2**63), 2**63 - 1)


def points_of(table: list[tuple[float, int, float]], dtype: str = "<f8") -> store.Points:
    walls, steps, values = zip(*table, strict=True) if table else ((), (), ())
    return store.Points(np.array(steps, "<i8"), np.array(walls, "<f8"), np.array(values, dtype))


def bits(number: float | str) -> bytes:
    return b"nan" if math.isnan(float(number)) else struct.pack("<d", float(number))


@given(some.lists(some.tuples(doubles, steps_, doubles), max_size=20))
def test_every_double_and_step_reads_back(table: list[tuple[float, int, float]]) -> None:
    found = json.loads(rows.json_rows(points_of(table)))
    assert [(bits(wall), step, bits(value)) for wall, step, value in found] == [
        (bits(wall), step, bits(value)) for wall, step, value in table
    ]


@given(some.lists(doubles, max_size=20), some.lists(steps_, max_size=20))
def test_columns_read_back_with_unsafe_numbers_as_strings(numbers: list[float], steps: list[int]) -> None:
    found = json.loads(rows.Column(np.array(numbers, np.float64)).json())
    assert [bits(number) for number in found] == [bits(number) for number in numbers]
    whole = json.loads(rows.Column(np.array(steps, np.int64)).json())
    assert whole == [step if abs(step) < 2**53 else str(step) for step in steps]


def test_absent_numbers_of_a_column_are_null() -> None:
    column = rows.Column(np.array([1.5, np.nan, 3.0], np.float32), np.array([True, True, False]))
    assert column.json() == b'[1.5,"NaN",null]'
    assert column.tolist()[2] is None
    assert rows.Column(np.zeros(0)).json() == b"[]"


@given(some.lists(some.floats(width=32), max_size=20))
def test_narrow_floats_are_told_as_the_doubles_they_are(values: list[float]) -> None:
    found = json.loads(rows.json_rows(points_of([(0.0, 0, value) for value in values], "<f4")))
    assert [bits(value) for _, _, value in found] == [bits(value) for value in values]


def test_doubles_never_look_like_whole_numbers() -> None:
    text = rows.json_rows(points_of([(1.7e9, 7, 3.0), (-0.0, -1, 1e300)]))
    assert text == b"[[1700000000.0, 7, 3.0], [-0.0, -1, 1e+300]]"


@given(some.lists(some.tuples(doubles, steps_, doubles), min_size=1, max_size=20))
def test_numbers_are_spelled_as_python_does(table: list[tuple[float, int, float]]) -> None:
    assert rows.csv(points_of(table)).decode().splitlines()[1:] == [f"{w!r},{s!r},{v!r}" for w, s, v in table]


def test_no_points_are_an_empty_list() -> None:
    assert rows.json_rows(points_of([])) == b"[]"
    assert rows.csv(points_of([])) == b"Wall time,Step,Value\r\n"


def test_points_have_names() -> None:
    found = json.loads(rows.json_points(points_of([(1.5, 2, math.inf), (2.5, 3, math.nan)])))
    assert found == [{"wallTime": 1.5, "step": 2, "value": "Infinity"}, {"wallTime": 2.5, "step": 3, "value": "NaN"}]


def test_csv_is_what_pythons_writer_writes() -> None:
    table = [(1.5, 2, math.inf), (2.25, -3, math.nan), (3.0, 4, -math.inf), (4.0, 5, 0.1)]
    lines = rows.csv(points_of(table)).decode().splitlines()
    assert list(csv.reader(lines[1:])) == [[repr(wall), repr(step), repr(value)] for wall, step, value in table]


def test_long_words_fit() -> None:
    form = kernels.RowForm(("a" * 100, "b" * 100, "c" * 100), "d" * 100, "e" * 100, "n" * 500, "i", "m")
    table = [(math.nan, 1, math.nan)] * 50
    points = points_of(table)
    one = "a" * 100 + "n" * 500 + "b" * 100 + "1" + "c" * 100 + "n" * 500 + "d" * 100
    expected = ("e" * 100).join([one] * 50).encode()
    assert kernels.row_text(points.wall_times, points.steps, points.values, form) == expected


def test_columns_of_different_length_are_refused() -> None:
    form = kernels.RowForm(("", "", ""), "", "", "", "", "")
    with pytest.raises(ValueError, match="length"):
        kernels.row_text(np.zeros(2), np.zeros(1, np.int64), np.zeros(2), form)
