"""The printed output of a run: records as `lightboard.init` writes them, read back from the newest on."""

from __future__ import annotations

import pathlib

import pytest

from lightboard import board, errors, logdir, store
from lightboard.query.runs import console, runs
from lightboard.sdk import recorder, run_records


def written(folder: pathlib.Path, *records: object) -> store.Store:
    target = recorder.Recorder(folder / "loud")
    for step, record in enumerate(records):
        run_records.write(target, run_records.CONSOLE_TAG, record, step=step)
    target.close()
    made = board.Board(logdir.parse_spec(str(folder)), board.Options(index=False, sidecar="none"))
    made.load()
    return made.store


def lines(first: int, count: int) -> list[list[object]]:
    return [[float(number), "stdout", f"line {number}"] for number in range(first, first + count)]


def test_writer_and_board_use_the_same_tag() -> None:
    assert run_records.CONSOLE_TAG == console.TAG


def test_the_last_lines_come_in_order_and_tell_of_earlier_ones(tmp_path: pathlib.Path) -> None:
    shop = written(tmp_path, {"lines": lines(0, 3)}, {"lines": lines(3, 3), "dropped": 4}, {"lines": lines(6, 2)})
    found = console.tail(shop, "loud", lines=4)
    assert found.text == ["line 4", "line 5", "line 6", "line 7"]
    assert (found.time, found.stream) == ([4.0, 5.0, 6.0, 7.0], ["stdout"] * 4)
    assert (found.dropped, found.earlier) == (4, True)
    whole = console.tail(shop, "loud", lines=100)
    assert len(whole.text) == 8
    assert not whole.earlier
    assert runs.detail(shop, "loud").console == 3


def test_odd_records_are_skipped(tmp_path: pathlib.Path) -> None:
    odd: list[object] = [["now", "stdout", "x"], "text", [1.0, "stderr", "kept"], [1.0, 2, "x"]]
    shop = written(tmp_path, {"lines": odd, "dropped": "many"}, ["no object"], {"lines": 7})
    found = console.tail(shop, "loud", lines=10)
    assert (found.stream, found.text, found.dropped) == (["stderr"], ["kept"], 0)


def test_a_run_without_output_has_none_and_an_absent_run_is_an_error(tmp_path: pathlib.Path) -> None:
    shop = written(tmp_path, {"lines": []})
    assert console.tail(shop, "loud", lines=10).text == []
    with pytest.raises(errors.NotFound, match="nobody"):
        console.tail(shop, "nobody", lines=10)
