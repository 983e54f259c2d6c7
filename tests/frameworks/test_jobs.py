"""Training programs of PAI's documentation, unchanged, as jobs of a hub: `lightboard run -- python train.py`.

The hub runs in .venv; programs and `lightboard run` in this environment. While a program still trains, its board is
there, with the name of the job, and its curves grow.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import pathlib
import re
import subprocess
import sys
import time
import urllib.parse
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from frameworks import conftest
from hub import hubs

from lightboard import client

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PYTHON = ROOT / ".venv" / "bin" / "python"
OLDER = ROOT / "build" / "transformers-4"
PAGE = ROOT / "docs" / "howto" / "from-pai.md"
# after the program of the page: what a longer training would do, until the test has seen it
TRAINS_ON = """
import itertools, pathlib, time
for step in itertools.count(2):
    writer.add_scalar("train/loss", 1 / step, step)
    writer.flush()
    time.sleep(0.05)
    if pathlib.Path("seen").exists():
        break
writer.close()
"""
pytestmark = pytest.mark.timeout(600)


@dataclasses.dataclass(frozen=True)
class Site:
    hub: hubs.Hub
    session: client.Hub
    token: str
    folder: pathlib.Path


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    if not PYTHON.exists():
        pytest.skip("`make setup` makes the environment of the hub")
    folder = tmp_path_factory.mktemp("jobs")
    words = ("--allow_root", str(folder / "work"))
    (folder / "work").mkdir()
    with hubs.running(folder / "hub", *words, python=str(PYTHON)) as hub:
        token = hub.new_user("ann")
        with client.Hub(hub.url, token) as session:
            yield Site(hub, session, token, folder / "work")


@contextlib.contextmanager
def running(site: Site, name: str, program: pathlib.Path, variables: dict[str, str]) -> Iterator[subprocess.Popen[str]]:
    """`lightboard run`, in a directory with its name."""
    directory = site.folder / name
    directory.mkdir()
    own = {key: value for key, value in os.environ.items() if not key.startswith(("LIGHTBOARD_", "PAI_"))}
    own |= {"LIGHTBOARD_HUB": site.hub.url, "LIGHTBOARD_HUB_TOKEN": site.token, "CUDA_VISIBLE_DEVICES": "", **variables}
    command = [sys.executable, "-m", "lightboard", "run", "--name", name, "--", sys.executable, "-W", "ignore"]
    with (directory / "output").open("w") as output:
        process = subprocess.Popen(
            [*command, str(program)], cwd=directory, env=own, stdout=output, stderr=output, text=True
        )
    try:
        yield process
        (directory / "seen").touch()
        assert process.wait(conftest.PROGRAM_SECS) == 0, (directory / "output").read_text()[-3000:]
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


def until(look: Callable[[], Any], process: subprocess.Popen[str], secs: float = 120.0) -> Any:
    end = time.monotonic() + secs
    while not (found := look()):
        assert process.poll() is None, "the program ended before it was seen"
        assert time.monotonic() < end, "not seen in time"
        time.sleep(0.1)
    return found


def points(board: client.Board, tag: str) -> list[tuple[int, float]]:
    """All points of the only run that has this tag, from TensorBoard's routes."""
    tags = json.loads(board.fetch("data/plugin/scalars/tags"))
    for run in (each for each, found in tags.items() if tag in found):
        query = urllib.parse.urlencode({"run": run, "tag": tag})
        return [(step, value) for _, step, value in json.loads(board.fetch(f"data/plugin/scalars/scalars?{query}"))]
    return []


def its_board(site: Site, name: str, process: subprocess.Popen[str]) -> client.Board:
    """The board that came with the first events, under the name of the job."""
    board: client.Board = until(lambda: [each for each in site.session.boards.list() if each.name == name], process)[0]
    return board.wait(60)


def test_the_writer_of_pytorch_has_a_live_board(site: Site) -> None:
    (block,) = re.findall(
        r"^```python\n(import os\n.*?)^```", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )
    program = site.folder / "train.py"
    program.write_text(block + TRAINS_ON, encoding="utf-8")
    with running(site, "resnet", program, {}) as process:
        board = its_board(site, "resnet", process)
        first = until(lambda: points(board, "train/loss"), process)
        assert first[0] == (1, pytest.approx(0.1))
        more = until(lambda: len(found := points(board, "train/loss")) > len(first) and found, process)
        assert more[: len(first)] == first
    assert any("train/image" in tags for tags in json.loads(board.fetch("data/plugin/images/tags")).values())
    (job,) = client.Job.list(session=site.session, q="resnet")
    assert (job.state, job.exit_code) == ("Succeeded", 0)
    assert job.tensorboard().tensorboard_id == board.id


@pytest.mark.parametrize("major", ["4", "5"])
def test_the_trainer_of_hugging_face_has_a_live_board(site: Site, major: str) -> None:
    if major == "4" and not OLDER.exists():
        pytest.skip("`make test-frameworks` installs transformers 4")
    name = f"bert-{major}"
    variables = {"PYTHONPATH": str(OLDER), "USE_TF": "0"} if major == "4" else {}  # it cannot use Keras 3
    with running(site, name, conftest.PROGRAMS / "pai_trainer.py", variables) as process:
        board = its_board(site, name, process)
        seen = until(lambda: points(board, "train/loss"), process)
        assert {step for step, _ in seen} <= {4, 8}
    end = time.monotonic() + 60
    while [step for step, _ in points(board, "train/loss")] != [4, 8, 12, 16]:
        assert time.monotonic() < end
        time.sleep(0.1)
    (job,) = client.Job.list(session=site.session, q=name)
    assert (job.state, job.logdir) == ("Succeeded", board.sources[0]["uri"])
