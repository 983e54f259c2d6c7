"""Heartbeats from the writer's side, read by the board's: the two must mean the same by a number.

Processes really end here, in each of the ways a training run ends.
"""

from __future__ import annotations

import pathlib
import signal
import subprocess
import sys
import time

import pytest
from run_records import records, states

import lightboard
from lightboard.query.runs import heartbeats
from lightboard.sdk import heartbeat, recorder, run_records

INIT = "import lightboard, os, signal, sys, threading; run = lightboard.init(name='r', dir=sys.argv[1], {options})\n"


def program(body: str, directory: pathlib.Path, options: str = "metadata=False") -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", INIT.format(options=options) + body, str(directory)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_writer_and_board_use_the_same_numbers() -> None:
    assert heartbeat.STATUS_RANGE == heartbeats.STATUS_RANGE
    assert (heartbeat.ALIVE, heartbeat.SUCCESS, heartbeat.FAILURE, heartbeat.SIGNAL) == (
        heartbeats.ALIVE, heartbeats.SUCCESS, heartbeats.FAILURE, heartbeats.SIGNAL,
    )  # fmt: skip
    assert run_records.HEARTBEAT_TAG == heartbeats.TAG
    assert heartbeat.INTERVAL_SECS == heartbeats.DEFAULT_INTERVAL_SECS
    assert heartbeats.INTERRUPTED == heartbeat.SIGNAL + signal.SIGINT


def test_a_beat_makes_a_run_running_and_silence_crashed(tmp_path: pathlib.Path) -> None:
    target = recorder.Recorder(tmp_path / "a")
    heartbeat.beat(target, interval_secs=5)
    target.close()
    with lightboard.open(tmp_path) as logs:
        now = time.time()
        assert states(logs, now=now) == {"a": "running"}
        assert states(logs, now=now + 17) == {"a": "crashed"}
        assert heartbeats.latest(logs._store).interval_secs.tolist() == [5.0]


@pytest.mark.parametrize(
    ("body", "state", "status"),
    [
        ("run.log({'loss': 1.0})", "finished", "success"),
        ("run.log({'loss': 1.0}); run.finish()", "finished", "success"),
        ("raise ZeroDivisionError('oh')", "crashed", "exception"),
        ("raise KeyboardInterrupt", "finished", "signal"),
        ("os.kill(os.getpid(), signal.SIGTERM)", "crashed", "signal"),
        ("with run: sys.exit(3)", "crashed", "exception"),
        ("with run: sys.exit(0)", "finished", "success"),
        ("os._exit(0)", "running", "running"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "running", "running"),
    ],
)
def test_the_end_of_a_process_is_told(tmp_path: pathlib.Path, body: str, state: str, status: str) -> None:
    # the first beat must be on disk before the process dies without a word
    process = program("run.recorder.flush()\n" + body, tmp_path)
    process.communicate(timeout=60)
    with lightboard.open(tmp_path) as logs:
        assert states(logs)["r"] == state
        assert records(logs, "r", "heartbeat")[-1]["status"] == status
        if state == "running":  # nobody said goodbye: it is dead once its beats are overdue
            assert states(logs, now=time.time() + 100)["r"] == "crashed"


def test_the_exception_is_named(tmp_path: pathlib.Path) -> None:
    process = program("raise ZeroDivisionError('oh')", tmp_path)
    _, talk = process.communicate(timeout=60)
    assert "ZeroDivisionError: oh" in talk
    with lightboard.open(tmp_path) as logs:
        last = records(logs, "r", "heartbeat")[-1]
    assert (last["exception"], last["message"]) == ("ZeroDivisionError", "oh")


def test_a_signal_kills_as_if_nobody_had_looked(tmp_path: pathlib.Path) -> None:
    process = program("os.kill(os.getpid(), signal.SIGTERM)", tmp_path)
    process.communicate(timeout=60)
    assert process.returncode == -signal.SIGTERM


def test_a_handler_of_the_program_is_left_alone(tmp_path: pathlib.Path) -> None:
    """The handler is there before the run, and is still there after it."""
    body = (
        "assert signal.getsignal(signal.SIGTERM) is mine; run.finish(); assert signal.getsignal(signal.SIGTERM) is mine"
    )
    start = "import signal\ndef mine(*_): pass\nsignal.signal(signal.SIGTERM, mine)\n"
    code = start + INIT.format(options="metadata=False") + body
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=True, timeout=60)


def test_hooks_are_taken_back_at_the_end(tmp_path: pathlib.Path) -> None:
    hook, handler = sys.excepthook, signal.getsignal(signal.SIGTERM)
    run = lightboard.init(name="a", dir=tmp_path, metadata=False, system_metrics=False, console=False)
    assert sys.excepthook is not hook
    run.finish()
    lightboard.finish()
    assert (sys.excepthook, signal.getsignal(signal.SIGTERM)) == (hook, handler)


def test_a_forked_child_does_not_end_its_parents_run(tmp_path: pathlib.Path) -> None:
    body = "pid = os.fork()\nif pid == 0: sys.exit(1)\nos.waitpid(pid, 0)\nrun.recorder.flush()\nos._exit(0)"
    process = program(body, tmp_path)
    process.communicate(timeout=60)
    with lightboard.open(tmp_path) as logs:
        assert [each["status"] for each in records(logs, "r", "heartbeat")] == ["running"]


def test_beats_go_on_while_the_run_lives(tmp_path: pathlib.Path) -> None:
    run = lightboard.init(
        name="a", dir=tmp_path, metadata=False, system_metrics=False, console=False, heartbeat_secs=0.05
    )
    run.recorder.flush()
    deadline = time.monotonic() + 30
    with lightboard.open(tmp_path) as logs:
        while len(records(logs.refresh(), "a", "heartbeat")) < 3:
            assert time.monotonic() < deadline
            time.sleep(0.05)
    run.finish()
    lightboard.finish()
