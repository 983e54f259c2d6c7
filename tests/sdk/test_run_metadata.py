"""Where a run comes from, and above all what must not be recorded."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys

import pytest
from run_records import records

import lightboard
from lightboard.sdk import run_metadata


@pytest.fixture
def repository(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    path = tmp_path / "project"
    path.mkdir()
    (path / "train.py").write_text("lr = 1\n")
    for command in (
        ["init", "-q", "-b", "trial"],
        ["remote", "add", "origin", "https://me:hunter2@example.org/a.git"],
        ["add", "."],
        ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "first"],
    ):
        subprocess.run(["git", *command], cwd=path, check=True)
    return path


def test_git_tells_commit_branch_and_what_changed(repository: pathlib.Path) -> None:
    clean = run_metadata.git(str(repository))
    assert (clean["branch"], clean["dirty"], len(clean["commit"])) == ("trial", False, 40)
    assert "diff" not in clean
    assert "hunter2" not in json.dumps(clean)
    (repository / "train.py").write_text("lr = 2\n")
    dirty = run_metadata.git(str(repository))
    assert dirty["dirty"] is True
    assert "+lr = 2" in dirty["diff"]
    assert dirty["diff_cut"] is False


def test_a_large_diff_is_cut(repository: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_metadata, "MAX_DIFF_BYTES", 50)
    (repository / "train.py").write_text("x" * 1000)
    found = run_metadata.git(str(repository))
    assert (len(found["diff"]), found["diff_cut"]) == (50, True)


def test_no_repository_no_git_and_a_slow_git_are_no_trouble(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert run_metadata.git(str(tmp_path)) == {}
    slow = tmp_path / "git"
    slow.write_text("#!/bin/sh\nexec sleep 60\n")
    slow.chmod(0o755)
    monkeypatch.setattr(run_metadata, "GIT_TIMEOUT_SECS", 0.05)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    assert run_metadata.git(str(tmp_path)) == {}
    monkeypatch.setenv("PATH", "/nowhere")
    assert run_metadata.git(str(tmp_path)) == {}


def test_secrets_of_the_environment_stay_there(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (
        "AWS_SECRET_ACCESS_KEY",
        "AWS_ACCESS_KEY_ID",
        "HF_TOKEN",
        "WANDB_API_KEY",
        "DATABASE_URL",
        "MY_PASSWORD",
    ):
        monkeypatch.setenv(name, f"swordfish of {name}")
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "2,3")
    found = run_metadata.collect()
    assert "swordfish" not in json.dumps(found, default=str)
    assert found["environment"]["CUDA_VISIBLE_DEVICES"] == "2,3"


def test_no_name_that_is_recorded_sounds_like_a_secret() -> None:
    assert [name for name in run_metadata.VARIABLES if run_metadata._SECRET.search(name)] == []


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (["train.py", "--lr", "0.1"], ["train.py", "--lr", "0.1"]),
        (["--token=abc"], ["--token=***"]),
        (["--api-key", "abc", "x"], ["--api-key", "***", "x"]),
        (["--password", "--verbose"], ["--password", "--verbose"]),
        (["AWS_SECRET_ACCESS_KEY=abc"], ["AWS_SECRET_ACCESS_KEY=***"]),
        (["postgres://me:pw@host/db"], ["postgres://***@host/db"]),
        (["model/author.txt"], ["model/author.txt"]),
    ],
)
def test_arguments_that_hold_secrets_are_masked(given: list[str], kept: list[str]) -> None:
    assert run_metadata.masked_arguments(given) == kept


def test_a_removed_working_directory_is_no_trouble(tmp_path: pathlib.Path) -> None:
    # imported first: Python 3.13.0 cannot import `socket` and other modules in a directory that is gone
    code = (
        "import os, sys; from lightboard.sdk import run_metadata;"
        "os.mkdir(sys.argv[1]); os.chdir(sys.argv[1]); os.rmdir(sys.argv[1]); found = run_metadata.collect();"
        "assert 'directory' not in found and found['host']"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "gone")], check=True, timeout=60)


def test_a_run_carries_its_origin_once(tmp_path: pathlib.Path) -> None:
    import numpy as np

    with lightboard.init(name="a", dir=tmp_path, system_metrics=False, console=False):
        pass
    with lightboard.open(tmp_path) as logs:
        (found,) = records(logs, "a", "run")
    assert found["python"]["version"].startswith(f"{sys.version_info.major}.{sys.version_info.minor}.")
    assert found["packages"]["numpy"] == np.__version__
    assert found["pid"] == os.getpid()
    assert found["directory"] == str(pathlib.Path.cwd())
    assert found["start_time"].endswith("Z")
