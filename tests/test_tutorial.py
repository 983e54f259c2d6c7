"""What the tutorial and the how-to pages tell people to run is run, over the demo's logs.

Left out: commands that serve until they are stopped (tests/cli/test_serve.py has those).
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from lightboard.demo import logs as demo_logs

DOCS = Path(__file__).parent.parent / "docs"
SERVING = re.compile(r"^lightboard (?:demo$|--)")


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A working directory with logs under the names the pages use."""
    path = tmp_path_factory.mktemp("docs")
    for name in ("runs", "my_logs"):
        demo_logs.write(path / name)
    return path


def blocks(page: str, language: str) -> list[str]:
    text = (DOCS / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize(
    "page",
    [
        "tutorial/first-board.md",
        "howto/from-eventaccumulator.md",
        "howto/tune-hyperparameters.md",
        "howto/explore-embeddings.md",
    ],
)
def test_python_runs(page: str, directory: Path) -> None:
    found = blocks(page, "python")
    assert found
    for block in found:
        done = subprocess.run(
            [sys.executable, "-c", block], capture_output=True, text=True, cwd=directory, timeout=120, check=False
        )
        assert done.returncode == 0, block + done.stderr


@pytest.mark.parametrize(
    "page", ["tutorial/first-board.md", "howto/export.md", "howto/manage-the-index.md", "howto/send-a-snapshot.md"]
)
def test_commands_run(page: str, directory: Path) -> None:
    lines = [line for block in blocks(page, "") for line in block.splitlines() if line.startswith("lightboard ")]
    commands = [line for line in lines if not SERVING.match(line) and "--logs_only" not in line]
    assert commands
    for command in commands:
        program = command.replace("lightboard", f"{sys.executable} -m lightboard", 1)
        done = subprocess.run(
            program, shell=True, capture_output=True, text=True, cwd=directory, timeout=120, check=False
        )
        assert done.returncode == 0, command + "\n" + done.stderr
        assert "error:" not in done.stderr, command + "\n" + done.stderr
