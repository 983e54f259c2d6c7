"""The magic in a real IPython shell and, through nbclient, in a real kernel: what cells say and keep."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jupyter_lab
import nbclient
import nbformat
import pytest

from lightboard import instances
from lightboard.notebook import starting


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    jupyter_lab.write_logs(tmp_path / "logs")
    yield tmp_path
    for one in instances.known():
        starting.stop(one)


def run(folder: Path, *cells: str) -> list[list[Any]]:
    """The outputs of each cell; a cell that raises fails the test."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in cells])
    client = nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(folder)}})
    client.execute()
    return [list(cell.outputs) for cell in notebook.cells]


def texts(outputs: list[Any]) -> str:
    return "".join(output.get("text", "") for output in outputs)


def test_a_notebook_without_a_page(folder: Path) -> None:
    _, first, again, listed, wrong, stopped, gone = run(
        folder,
        "%load_ext lightboard",
        "%lightboard --logdir logs --port 0",
        "where = 'logs'\n%lightboard --logdir {where} --height 300",
        "%lightboard list",
        "%lightboard --logdirr logs",
        "%lightboard stop",
        "%lightboard list",
    )
    (shown,) = first
    # stopping has put the last picture into it, without a script
    assert set(shown.data) == {"text/html", "image/svg+xml", "text/plain"}
    assert shown.data["text/plain"].startswith(
        "Lightboard on logs: 2 runs · 156 points · 2 scalars\n  accuracy  train 0.975"
    )
    assert "<script" not in shown.data["text/html"] and "data:image/svg+xml" in shown.data["text/html"]
    assert re.match(r"Showing the board on port \d+ \(pid \d+\) that was started .* ago\.", texts(again))
    assert again[-1].output_type == "display_data"
    assert "--logdir logs --port 0" in texts(listed)
    assert texts(wrong) == "error: unknown flag `--logdirr`\nhint: did you mean `--logdir`?\n(exit code 2)\n"
    assert texts(stopped).startswith("Stopped the board on port")
    assert texts(gone) == "No board is running.\n"


def test_a_board_outlives_its_kernel_and_serves_the_next(folder: Path) -> None:
    first = run(folder, "%load_ext lightboard", "%lightboard logs --port 0")
    (board,) = instances.known()
    assert instances.answers(board)
    script = first[1][0].data["text/html"]
    assert f'"session": "{board.session}"' in script and f'"port": {board.port}' in script
    second = run(folder, "%load_ext lightboard", "%lightboard logs")
    assert f"(pid {board.pid})" in texts(second[1])
    assert [one.pid for one in instances.known()] == [board.pid]


INTERRUPT = """
import os, signal, threading
try:
    os.killpg(os.getpgid(0), signal.SIGINT)
    threading.Event().wait(30)
except KeyboardInterrupt:
    pass
"""


def test_an_interrupted_cell_does_not_end_the_board(folder: Path) -> None:
    run(folder, "%load_ext lightboard", "%lightboard logs --port 0", INTERRUPT)
    (board,) = instances.known()
    assert instances.answers(board)


def test_a_killed_board_is_started_anew(folder: Path) -> None:
    run(folder, "%load_ext lightboard", "%lightboard logs --port 0")
    (board,) = instances.known()
    os.kill(board.pid, signal.SIGKILL)
    outputs = run(folder, "%load_ext lightboard", "%lightboard logs --port 0")[1]
    assert texts(outputs) == ""
    assert [one.pid for one in instances.known()] != [board.pid]


@pytest.mark.parametrize(
    "begin",
    [
        "import lightboard.notebook\nlightboard.notebook.answer_to_tensorboard()",
        "import lightboard.as_tensorboard\n%load_ext tensorboard",
    ],
)
def test_tensorboards_magic_is_answered(folder: Path, begin: str) -> None:
    outputs = run(folder, begin, "%tensorboard --logdir logs --port 0 --load_fast=false")[1]
    assert outputs[-1].data["text/plain"].startswith("Lightboard on logs")
    (board,) = instances.known()
    assert board.notebook


def test_tensorboards_functions_are_answered(folder: Path) -> None:
    outputs = run(
        folder,
        "import lightboard.as_tensorboard\nfrom tensorboard import notebook",
        "notebook.start('--logdir logs --port 0')",
        "notebook.list()",
        "notebook.display(height=300)",
    )
    assert "lightboard --logdir logs" in texts(outputs[2])
    assert '"height": 300' in outputs[3][0].data["text/html"]


def test_logs_show_their_curves(folder: Path) -> None:
    logs, scalars = run(
        folder,
        "import lightboard\nlogs = lightboard.open('logs')\nlogs",
        "logs.scalars('train', 'loss')",
    )
    for (output,) in (logs, scalars):
        assert output.data["text/html"].startswith('<img alt="')


def test_a_terminals_ipython_prints_the_address(folder: Path) -> None:
    program = "%load_ext lightboard\n%lightboard logs --port 0\n%lightboard stop\n"
    (folder / "session.ipy").write_text(program)
    done = subprocess.run(
        [sys.executable, "-m", "IPython", "--colors=NoColor", "session.ipy"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert "http://127.0.0.1:" in done.stdout and "Stopped the board" in done.stdout, done.stderr


def test_the_package_loads_no_ipython_by_itself() -> None:
    program = "import sys, lightboard.notebook; print('IPython' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
