"""The line behind `%lightboard`, as far as it needs no IPython: words, flags, lists and complaints.

What is displayed is looked at in tests/jupyter.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import board_process
import event_files
import pytest

from lightboard import instances, notebook
from lightboard.notebook import output, surroundings
from lightboard.picture import Digest


def said(line: str, capsys: pytest.CaptureFixture[str]) -> tuple[str, str]:
    notebook._magic(line)
    found = capsys.readouterr()
    assert "Traceback" not in found.err
    return found.out, found.err


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("'abc", "error: cannot read the line, no closing quotation: 'abc"),
        ("--logdir x --height", "error: `--height` needs a value"),
        ("--logdir x --height -3", "error: `--height -3` is no number of pixels"),
        ("--logdir x --theme=pink", "error: `--theme` is one of auto, light, dark, not `pink`"),
        ("stop", "error: no board is running\nhint: `%lightboard list` tells which are"),
        ("stop 6006", "error: no board is running on port 6006"),
        ("stop x", "error: `x` is not a port"),
        ("display 70", "error: no board is running on port 70"),
        ("--nosuch", "error: unknown flag `--nosuch`"),
        ("", "error: no logdir is given"),
    ],
)
def test_a_mistake_is_a_line_or_two(line: str, complaint: str, capsys: pytest.CaptureFixture[str]) -> None:
    out, err = said(line, capsys)
    assert out == ""
    assert err.startswith(complaint)
    assert len(err.splitlines()) <= 3


def test_no_board_is_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert said("list", capsys) == ("No board is running.\n", "")


def test_help_and_version_are_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert said("--version", capsys)[0].strip() == __import__("lightboard").__version__
    assert "--logdir" in said("--help", capsys)[0]


def test_boards_of_terminals_are_listed_and_stopped_by_port_only(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    event_files.write(tmp_path / "events.out.tfevents.1", [event_files.scalar_event("loss", 1.0, step=1)])
    with (
        board_process.Process("--logdir", tmp_path, "--port", "0") as one,
        board_process.Process("--logdir", tmp_path, "--port", "0", "--rewinds", "all") as other,
    ):
        board_process.wait_until(lambda: len(instances.known()) == 2, "two boards")
        out, _ = said("list", capsys)
        assert len(out.splitlines()) == 2 and f"pid {one.process.pid}, started" in out and "--rewinds all" in out
        assert said("stop all", capsys)[1].startswith("error: no notebook has a board running")
        assert said("stop", capsys)[1].startswith("error: 2 boards are running\nhint: `%lightboard stop ")
        port = next(each.port for each in instances.known() if each.pid == other.process.pid)
        assert said(f"stop {port}", capsys)[0].startswith(f"Stopped the board on port {port} (pid")
        assert other.process.wait(board_process.PATIENCE_SECS) == 0
        assert one.process.poll() is None


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [(0, "0 seconds ago"), (1, "1 second ago"), (90, "1 minute ago"), (7200, "2 hours ago"), (200000, "2 days ago")],
)
def test_ages(seconds: float, expected: str) -> None:
    assert notebook._ago(time.time() - seconds) == expected


def test_no_script_can_be_smuggled_into_the_output() -> None:
    evil = "</script><img src=x onerror=alert(1)>"
    instance = instances.Instance(
        pid=1,
        process_start="",
        machine="",
        session=evil,
        started=0.0,
        version="",
        words=(),
        directory="",
        logdir=evil,
        scheme="http",
        host="localhost",
        port=1,
        path_prefix=evil,
        loopback=True,
        token=evil,
        any_host=False,
        frame_ancestors=(),
        notebook=False,
    )
    made = output.bundle(instance, Digest(evil, evil, ()), surroundings.Surroundings(evil, evil))
    for kind in ("text/html", "image/svg+xml"):
        assert "<img src=x" not in made[kind]
    assert made["text/html"].count("</script>") == 1


def test_without_ipython_the_functions_say_so(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "IPython", None)
    notebook.answer_to_tensorboard()
    assert capsys.readouterr().err.startswith("error: a notebook has IPython, and here is none")
