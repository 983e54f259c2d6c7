"""Rows of CSV files. Cells that begin like formulas: tests/server/test_hostile.py."""

from __future__ import annotations

import csv
import io

from lightboard.formats import csv_text


def test_cells_are_read_back_as_they_were_written() -> None:
    rows: list[list[object]] = [["run", 'a "quoted" name', "two\r\nlines", "a,b"], ["", 1, 0.1, None]]
    text = csv_text.lines(rows)
    assert text == 'run,"a ""quoted"" name","two\r\nlines","a,b"\r\n,1,0.1,\r\n'
    assert next(csv.reader(io.StringIO(text, newline=""))) == rows[0]


def test_a_cell_with_nul_is_written_on_every_python() -> None:
    """Python 3.10 raised `need to escape`, and a file of trials was answered with status 500."""
    assert csv_text.lines([["a\0b", "\0"], ["\0,", 2]]) == 'a\0b,\0\r\n"\0,",2\r\n'
