"""`lightboard snapshot`: what it prints, where it writes, and when it refuses to."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from lightboard import cli
from lightboard import snapshot as snapshot_
from lightboard.cli import snapshot
from lightboard.sdk import writer as writer_


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("logs")
    for run in ("a", "b"):
        with writer_.SummaryWriter(str(folder / run)) as writer:
            for step in range(10):
                writer.add_scalar("loss", step, step)
    return folder


def lightboard(capsys: pytest.CaptureFixture[str], *words: str | Path, code: int = cli.OK) -> tuple[str, str]:
    assert cli.main(["snapshot", "--no_index", *map(str, words)]) == code
    out, err = capsys.readouterr()
    return out, err


def test_it_tells_what_is_inside_and_writes_the_file(
    directory: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, err = lightboard(capsys, directory, "-o", tmp_path / "board.html")
    assert out == ""
    assert "snapshot of 2 runs: " in err
    assert "20 of 20 points" in err
    assert err.endswith(f"wrote {tmp_path}/board.html\n")
    assert (tmp_path / "board.html").read_bytes().startswith(b"<!doctype html>")
    assert [path.name for path in tmp_path.iterdir()] == ["board.html"]


def test_json_has_the_same(directory: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, err = lightboard(capsys, directory, "--runs", "a", "-o", tmp_path / "board.html", "--json")
    told = json.loads(out)
    assert err == ""
    assert told["runs"] == 1
    assert told["size_bytes"] == (tmp_path / "board.html").stat().st_size
    assert told["kinds"]["scalars"]["values"] == 10


def test_a_file_is_replaced_only_by_force(directory: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "board.html"
    path.write_text("mine")
    _, err = lightboard(capsys, directory, "-o", path, code=cli.FAILED)
    assert "there is a file already" in err
    assert "--force" in err
    assert path.read_text() == "mine"
    lightboard(capsys, directory, "-o", path, "--force")
    assert path.read_bytes().startswith(b"<!doctype html>")


def test_above_the_limit_nothing_is_written(
    directory: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, err = lightboard(capsys, directory, "-o", tmp_path / "board.html", "--max_size", "10K", code=cli.FAILED)
    assert "the limit is 10.0 KiB" in err
    assert "`--points`" in err
    assert list(tmp_path.iterdir()) == []


def test_stdout_gets_the_file(directory: Path) -> None:
    command = [sys.executable, "-m", "lightboard", "snapshot", str(directory), "-o", "-", "--no_index"]
    done = subprocess.run(command, capture_output=True, check=True)
    assert done.stdout.startswith(b"<!doctype html>")
    assert done.stdout.endswith(b"</html>\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-o", "-", "--json"], "both write to stdout"),
        (["-o", "x.html", "--points", "0"], "neither a number above 0 nor `all`"),
        (["-o", "x.html", "--view", "loss"], "is not a view"),
        (["-o", "x.html", "--runs", "lr >"], ""),
        ([], "--output"),
    ],
)
def test_wrong_words_are_explained(
    words: list[str], message: str, directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, err = lightboard(capsys, directory, *words, code=cli.USAGE)
    assert message in err
    assert err.startswith("error: ")


def test_the_defaults_of_the_flags_are_those_of_the_library() -> None:
    from lightboard.cli import arguments

    args = arguments.parse("snapshot", ["runs", "-o", "x"])
    assert args.points == snapshot_.DEFAULT_POINTS
    assert args.image_bytes == snapshot_.DEFAULT_IMAGE_BYTES
    assert args.max_size == snapshot_.DEFAULT_MAX_BYTES
    assert snapshot.KINDS == snapshot_.KINDS
