"""Boards for a notebook: found when they run and fit, started when not, and their complaints handed on as text."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import board_process
import event_files
import pytest

from lightboard import errors, instances
from lightboard.notebook import digest, starting, surroundings

HERE = surroundings.Surroundings()
AWAY = surroundings.Surroundings(any_host=True, token=True)
FRAMED = surroundings.Surroundings(frame_ancestors=("https://a.example",))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The kernel's directory, with logs in it."""
    (tmp_path / "logs" / "train").mkdir(parents=True)
    events = [event_files.scalar_event("loss", 1 / n, step=n) for n in range(1, 50)]
    event_files.write(tmp_path / "logs" / "train" / "events.out.tfevents.1", events)
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    for one in instances.known():
        starting.stop(one)


def started(*words: str, around: surroundings.Surroundings = HERE) -> instances.Instance:
    made = starting.start(words, around)
    assert isinstance(made, instances.Instance), made
    return made


def test_a_board_is_started_found_and_stopped() -> None:
    assert starting.find(["--logdir", "logs"], HERE) is None
    made = started("--logdir", "logs", "--port", "0")
    assert made.notebook and made.loopback and not made.token
    assert starting.find(["logs"], HERE) == made
    assert starting.find(["logs", "--port", str(made.port)], HERE) == made
    assert starting.find(["logs", "--port", "1"], HERE) is None
    assert starting.find(["logs", "--rewinds", "all"], HERE) is None
    assert starting.stop(made)
    assert starting.find(["logs"], HERE) is None
    assert starting.stop(made)  # twice is no mistake


def test_a_board_from_a_terminal_is_found(folder: Path) -> None:
    with board_process.Process("--logdir", folder / "logs", "--port", "0") as board:
        board.wait_for_runs("train")
        found = starting.find(["--logdir", "logs"], HERE)
        assert found is not None and found.pid == board.process.pid and not found.notebook


def test_a_board_that_died_is_not_found() -> None:
    made = started("logs", "--port", "0")
    os.kill(made.pid, signal.SIGKILL)
    assert starting.find(["logs"], HERE) is None


def test_a_board_that_hangs_is_not_found(monkeypatch: pytest.MonkeyPatch) -> None:
    made = started("logs", "--port", "0")
    os.kill(made.pid, signal.SIGSTOP)
    assert not instances.answers(made, timeout_secs=0.3)
    os.kill(made.pid, signal.SIGCONT)
    assert instances.answers(made)


@pytest.mark.parametrize("around", [AWAY, FRAMED])
def test_a_board_is_found_only_where_it_may_be_shown(around: surroundings.Surroundings) -> None:
    plain = started("logs", "--port", "0")
    assert starting.find(["logs"], around) is None
    made = started("logs", "--port", "0", around=around)
    assert made.pid != plain.pid
    assert starting.find(["logs"], around) == made


def test_behind_a_proxy_any_name_is_answered_with_a_token_only() -> None:
    made = started("logs", "--port", "0", around=AWAY)
    assert len(made.token) == 32 and made.any_host
    assert status(made, "hub.example", made.token) == 200
    assert status(made, "hub.example", "") == 401
    plain = started("logs", "--port", "0", "--window_title", "plain")
    assert status(plain, "hub.example", "") == 403


def status(instance: instances.Instance, host: str, token: str) -> int:
    import http.client

    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", instance.port, timeout=30)) as client:
        client.request("GET", "/api/board", headers={"Host": host, "Authorization": f"Bearer {token}"})
        return client.getresponse().status


def test_what_was_said_by_the_user_is_not_said_again() -> None:
    made = started("logs", "--port", "0", "--no-auth", "--allowed-hosts", "*", around=AWAY)
    assert not made.token and made.any_host


@pytest.mark.parametrize(
    ("words", "code", "complaint"),
    [
        (["--logdirr", "x"], 2, "error: unknown flag `--logdirr`"),
        ([], 2, "error: no logdir is given"),
        (["--logdir", "logs", "--port", "99999"], 2, "is not a port"),
        (["--logdir", "nosuch://x"], 2, "error:"),
    ],
)
def test_a_mistake_comes_back_as_text(words: list[str], code: int, complaint: str) -> None:
    ended = starting.start(words, HERE)
    assert isinstance(ended, starting.Ended)
    assert (ended.code, ended.out) == (code, "")
    assert complaint in ended.err and "Traceback" not in ended.err


def test_other_verbs_come_to_their_end() -> None:
    ended = starting.start(["inspect", "logs"], HERE)
    assert isinstance(ended, starting.Ended)
    assert ended.code == 0 and "loss" in ended.out


def test_a_unix_socket_cannot_be_shown() -> None:
    with pytest.raises(errors.BadInput, match="Unix socket"):
        starting.start(["logs", "--unix-socket=x.sock"], HERE)


def test_a_slow_start_names_the_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "slow"
    program.write_text(f"#!{sys.executable}\nimport sys, time\nprint('thinking', flush=True)\ntime.sleep(600)\n")
    program.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(program))
    with pytest.raises(starting.StartsSlowly, match=r"pid \d+") as told:
        starting.start(["logs"], HERE, patience_secs=2)
    child = starting._children.pop()
    assert str(child.pid) in told.value.hint
    assert "thinking" in told.value.message
    child.kill()
    child.wait()


def test_a_digest_has_the_last_values() -> None:
    made = started("logs", "--port", "0")
    found = digest.of_board(made)
    (chart,) = found.charts
    assert (chart.tag, chart.lines[0].run) == ("loss", "train")
    assert chart.lines[0].last == pytest.approx(1 / 49)
    assert chart.lines[0].x[0] == 1 and chart.lines[0].x[-1] == 49
    assert found.facts == "1 run · 49 points · 1 scalars"


def test_a_digest_of_nothing(folder: Path) -> None:
    (folder / "empty").mkdir()
    found = digest.of_board(started("empty", "--port", "0"), patience_secs=0.2)
    assert found.charts == () and found.facts.startswith("0 runs")


def test_a_digest_of_too_much_says_what_it_leaves_out(folder: Path) -> None:
    for run in range(30):
        (folder / "many" / f"run{run}").mkdir(parents=True)
        events = [event_files.scalar_event(f"tag{tag}", run, step=1, wall_time=1e9 + run) for tag in range(12)]
        event_files.write(folder / "many" / f"run{run}" / "events.out.tfevents.1", events)
    found = digest.of_board(started("many", "--port", "0"))
    assert len(found.charts) == 9
    assert {line.run for line in found.charts[0].lines} == {f"run{n}" for n in range(10, 30)}
    assert found.rest == "the newest 20 of 30 runs, 9 of 12 tags"
