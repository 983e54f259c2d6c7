"""`lightboard.enable()` and a hub that refuses or is away, in a real kernel: what cells say."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jupyter_lab
import nbclient
import nbformat
import pytest
from client import real

from lightboard import instances
from lightboard.notebook import starting


@pytest.fixture(scope="module")
def team(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[real.Team]:
    with real.team(tmp_path_factory.mktemp("team")) as made:
        yield made


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    jupyter_lab.write_logs(tmp_path / "logs")
    yield tmp_path
    for one in instances.known():
        starting.stop(one)


def run(folder: Path, variables: dict[str, str], *cells: str) -> list[list[Any]]:
    first = f"import os\nos.environ.update({variables!r})\nimport lightboard, lightboard.hub\n%load_ext lightboard"
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in (first, *cells)])
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(folder)}}).execute()
    return [list(cell.outputs) for cell in notebook.cells[1:]]


def texts(outputs: list[Any]) -> str:
    return "".join(output.get("text", "") for output in outputs)


def test_without_a_hub_the_board_is_here(folder: Path) -> None:
    (shown,) = run(folder, {}, "lightboard.enable()")
    assert shown[-1].data["text/plain"].startswith("Lightboard on logs: 2 runs")
    (board,) = instances.known()
    assert board.url in shown[-1].data["text/plain"]


def test_with_a_hub_the_board_is_there_if_it_can_read_the_logs(folder: Path, team: real.Team) -> None:
    _, token = team.person()
    hub = {"LIGHTBOARD_HUB": team.hub.url, "LIGHTBOARD_HUB_TOKEN": token, "PAI_OUTPUT_TENSORBOARD": str(team.logs)}
    named, other = run(folder, hub, "lightboard.enable()", "lightboard.enable('logs')")
    assert f"{team.hub.url}/boards/b-" in named[-1].data["text/plain"]
    assert token not in named[-1].data["text/html"]
    assert texts(other).startswith("The hub does not show these logs, so this machine does: ")
    assert other[-1].data["text/plain"].startswith("Lightboard on logs")


def test_a_hub_that_is_away_or_full_is_told_in_a_line_or_two(folder: Path, team: real.Team) -> None:
    name, token = team.person()
    team.admin.users.change(name, boards_limit=1)
    hub = {"LIGHTBOARD_HUB": team.hub.url, "LIGHTBOARD_HUB_TOKEN": token}
    away, first, full, wrong, nothing = run(
        folder,
        hub,
        "%lightboard --hub http://127.0.0.1:9 s3://logs/a",
        f"%lightboard --hub {team.hub.url} {team.logs}",
        f"lightboard.hub.notebook({str(team.logs / 'train')!r})",
        "%lightboard --hub --port 6006 logs",
        "%lightboard --hub",
    )
    assert first[-1].output_type == "display_data"
    for outputs, words in (
        (away, "127.0.0.1:9"),
        (full, "stop or delete one: "),
        (full, "`lightboard.hub.TensorBoard('b-"),
        (wrong, "error: a board of a hub has no flag `--port`"),
        (nothing, "error: name either logs or a board"),
    ):
        said = texts(outputs)
        assert words in said and said.startswith("error: ") and len(said.splitlines()) <= 2, said
