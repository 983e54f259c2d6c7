"""`--follow_links` of the real commands, and that a link to the board's own environment shows nothing of it."""

from __future__ import annotations

import json
from pathlib import Path

import board_process
import event_files
import pytest

from lightboard import cli

SECRET = "a-token-that-nobody-may-see"


@pytest.fixture
def logdir(tmp_path: Path) -> Path:
    path = tmp_path / "runs"
    for place in (path / "plain", tmp_path / "outside"):
        event_files.write(place / "events.out.tfevents.1", event_files.scalars("loss", [1.0]))
    (path / "near").symlink_to("plain")
    (path / "away").symlink_to(tmp_path / "outside")
    return path


@pytest.mark.parametrize(
    ("links", "runs"),
    [("never", ["plain"]), ("inside", ["near", "plain"]), *((word, ["away", "near", "plain"]) for word in ("all", ""))],
)  # fmt: skip
def test_inspect_follows_links_as_told(
    logdir: Path, links: str, runs: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--follow_links", links] if links else []
    assert cli.main(["inspect", "--logdir", str(logdir), "--json", *words]) == cli.OK
    assert [run["run"] for run in json.loads(capsys.readouterr().out)["runs"]] == runs


def test_a_board_follows_links_as_told(logdir: Path) -> None:
    with board_process.Process("--logdir", logdir, "--port", "0", "--follow_links", "inside") as board:
        board.wait_for_runs("near", "plain")
        assert board.runs() == ["near", "plain"]


def test_the_environment_of_a_board_is_not_shown(logdir: Path) -> None:
    (logdir / "plain" / "hparams.yaml").symlink_to("/proc/self/environ")
    with board_process.Process("--logdir", logdir, "--port", "0", env={"SOME_KEY": SECRET}) as board:
        board.wait_for_runs("plain")
        for route in ("api/runs/plain", "api/hparams", "api/trials", "api/health", "api/board"):
            status, body = board.get(route)
            assert (status, SECRET.encode() in body) == (200, False), route
