"""The code of runs on their page and in a comparison: two runs of one repository, the second with a change."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
from collections.abc import Iterator

import board_process
import pytest
from playwright import sync_api

pytestmark = pytest.mark.browser

expect = sync_api.expect
PROGRAM = """
import sys
import lightboard
run = lightboard.init(name=sys.argv[1], dir=sys.argv[2], system_metrics=False, console=False)
run.log({"loss": 1.0}, step=0)
run.finish()
"""


def git(repository: pathlib.Path, *words: str) -> None:
    known = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    author = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    subprocess.run(["git", *author, *words], cwd=repository, check=True, env={**os.environ, **known})


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[board_process.Process]:
    repository, logs = tmp_path_factory.mktemp("code"), tmp_path_factory.mktemp("logs")
    (repository / "train.py").write_text("lr = 0.1\n")
    git(repository, "init", "-q", "-b", "main")
    git(repository, "add", "train.py")
    git(repository, "commit", "-q", "-m", "first")
    for name in ("before", "after"):
        subprocess.run([sys.executable, "-c", PROGRAM, name, str(logs)], cwd=repository, check=True)
        (repository / "train.py").write_text("lr = 0.2\n")
    with board_process.Process("--logdir", logs, "--port", "0") as process:
        process.wait_for_runs("before", "after")
        yield process


def test_a_run_shows_its_commit_and_what_was_not_committed(page: sync_api.Page, board: board_process.Process) -> None:
    page.goto(f"{board.url}#run?of=after&runTab=code")
    expect(page.get_by_test_id("run-code")).to_contain_text("main")
    expect(page.locator(".run-code__removed")).to_have_text("-lr = 0.1")
    expect(page.locator(".run-code__added")).to_have_text("+lr = 0.2")
    page.goto(f"{board.url}#run?of=before&runTab=code")
    expect(page.locator(".run-code__none")).to_have_text("none")


def test_a_comparison_shows_where_code_differs(page: sync_api.Page, board: board_process.Process) -> None:
    page.goto(f"{board.url}#compare?of=before,after")
    table = page.get_by_test_id("compare-code")
    expect(table.locator("tr", has_text="Uncommitted changes").locator("td")).to_have_text(["none", "+1 −1"])
    expect(table.locator("tr", has_text="Branch").locator("td")).to_have_text(["main", "main"])
    page.locator(".run-code__changes summary").click()
    expect(page.locator(".run-code__added")).to_have_text("+lr = 0.2")
