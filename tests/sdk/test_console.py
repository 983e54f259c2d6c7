"""What a run prints: lines, progress bars, floods; and that the streams are put back."""

from __future__ import annotations

import logging
import pathlib
import subprocess
import sys

import pytest
from run_records import records

import lightboard
from lightboard.sdk import console


@pytest.fixture
def captured() -> console.Console:
    return console.Console()


def texts(found: tuple[list[tuple[float, str, str]], int]) -> list[tuple[str, str]]:
    return [(stream, text) for _, stream, text in found[0]]


def test_lines_are_kept_and_still_shown(captured: console.Console, capsys: pytest.CaptureFixture[str]) -> None:
    captured.start()
    try:
        sys.stdout.write("one\ntw")
        sys.stderr.write("oops\n")
        assert texts(captured.take()) == [("stdout", "one"), ("stderr", "oops")]
        sys.stdout.write("o\nthree")
        assert texts(captured.take()) == [("stdout", "two")]
        assert texts(captured.take(last=True)) == [("stdout", "three")]
    finally:
        captured.stop()
    sys.stdout.write("after\n")
    assert texts(captured.take(last=True)) == []
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == ("one\ntwo\nthreeafter\n", "oops\n")


def test_streams_are_put_back(captured: console.Console) -> None:
    captured.start()
    assert "write" in vars(sys.stdout)
    captured.stop()
    assert "write" not in vars(sys.stdout)
    assert "write" not in vars(sys.stderr)


def test_logging_set_up_earlier_is_seen(captured: console.Console) -> None:
    handler = logging.StreamHandler(sys.stderr)
    captured.start()
    try:
        handler.handle(logging.makeLogRecord({"msg": "loss is nan"}))
    finally:
        captured.stop()
    assert texts(captured.take()) == [("stderr", "loss is nan")]


def test_of_a_progress_bar_the_last_state_is_kept(captured: console.Console) -> None:
    for percent in range(100):
        captured._keep("stderr", f"\r{percent}%")
    captured._keep("stderr", "\r100%\n")
    assert texts(captured.take()) == [("stderr", "100%")]


def test_a_flood_is_cut_and_counted(captured: console.Console) -> None:
    for number in range(console.MAX_LINES + 7):
        captured._keep("stdout", f"{number}\n")
    lines, dropped = captured.take()
    assert (len(lines), dropped) == (console.MAX_LINES, 7)
    for _ in range(100):
        captured._keep("stdout", "x" * 10_000 + "\n")
    lines, dropped = captured.take()
    assert len(lines) + dropped == 100
    assert sum(len(text) for _, _, text in lines) <= console.MAX_BYTES
    assert captured.take() == ([], 0)


def test_a_program_prints_into_its_run(tmp_path: pathlib.Path) -> None:
    code = (
        "import lightboard, sys; lightboard.init(name='a', dir=sys.argv[1], metadata=False, system_metrics=False)\n"
        "print('hello'); print('careful', file=sys.stderr); print('no end', end=''); 1 / 0"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.stdout == "hello\nno end"
    with lightboard.open(tmp_path) as logs:
        lines = [(stream, text) for each in records(logs, "a", "console") for _, stream, text in each["lines"]]
    assert [text for stream, text in lines if stream == "stdout"] == ["hello", "no end"]
    errors = [text for stream, text in lines if stream == "stderr"]
    assert errors[0] == "careful"
    assert errors[-1] == "ZeroDivisionError: division by zero"
