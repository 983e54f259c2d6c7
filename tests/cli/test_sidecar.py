"""`--sidecar` of the real command: two boards of one logdir, another directory, none."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import board_process
import event_files
import pytest

from lightboard import cli


@pytest.fixture
def logdir(tmp_path: Path) -> Path:
    path = tmp_path / "runs"
    event_files.write(path / "train" / "events.out.tfevents.1", event_files.scalars("loss", [1.0]))
    return path


def post(board: board_process.Process, runs: dict[str, Any]) -> int:
    request = urllib.request.Request(board.url + "api/annotations", json.dumps({"runs": runs}).encode())
    try:
        with urllib.request.urlopen(request, timeout=board_process.PATIENCE_SECS) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        with error:
            return error.code


def answer_of(board: board_process.Process) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(board.get("api/annotations")[1])
    return found


def test_two_boards_of_one_logdir_agree_and_pages_hear_of_it(logdir: Path) -> None:
    with (
        board_process.Process("--logdir", logdir, "--port", "0") as one,
        board_process.Process("--logdir", logdir, "--port", "0") as two,
        urllib.request.urlopen(two.url + "api/events", timeout=board_process.PATIENCE_SECS) as stream,
    ):
        assert post(one, {"train": {"name": "基线"}}) == 200
        assert post(two, {"train": {"tags": ["paper"]}}) == 200
        assert post(one, {"other": {"archived": True}}) == 200
        until = time.monotonic() + board_process.PATIENCE_SECS
        while '"annotations":true' not in (line := stream.readline().decode()) or "other" not in answer_of(two)["runs"]:
            assert time.monotonic() < until, line
        assert answer_of(one)["runs"] == answer_of(two)["runs"]
        assert answer_of(one)["runs"]["train"] == {"name": "基线", "tags": ["paper"]}
    files = [path for path in logdir.rglob("*") if path.is_file() and ".lightboard" not in path.parts]
    assert [path.name for path in files] == ["events.out.tfevents.1"]


def test_another_directory_and_none(logdir: Path, tmp_path: Path) -> None:
    with board_process.Process("--logdir", logdir, "--port", "0", "--sidecar", tmp_path / "elsewhere") as board:
        assert post(board, {"train": {"name": "x"}}) == 200
        assert answer_of(board)["place"] == str(tmp_path / "elsewhere")
    assert not (logdir / ".lightboard").exists()
    with board_process.Process("--logdir", logdir, "--port", "0", "--sidecar", "none") as board:
        assert post(board, {"train": {"name": "x"}}) == 403
        assert (answer_of(board)["writable"], answer_of(board)["runs"]) == (False, {})


def test_a_file_is_no_directory(logdir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = logdir / "train" / "events.out.tfevents.1"
    assert cli.main(["--logdir", str(logdir), "--sidecar", str(file)]) == cli.USAGE
    assert "--sidecar needs a directory" in capsys.readouterr().err
