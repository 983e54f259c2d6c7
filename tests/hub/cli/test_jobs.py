"""`lightboard hub jobs`: what each action prints and does."""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys
from collections.abc import Iterator

import pytest
from hub import hubs
from hub.jobs import runs

PROGRAM = (
    "import lightboard, time\nw = lightboard.SummaryWriter()\nw.add_scalar('a', 1.0, 0)\nw.flush()\n"
    "print('hello', flush=True)\ntime.sleep(60)\n"
)


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[hubs.Hub]:
    folder = tmp_path_factory.mktemp("hub")
    with hubs.running(folder, "--allow_root", str(folder.parent)) as running:
        yield running


def command(folder: pathlib.Path, hub: hubs.Hub, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "lightboard", "hub", "jobs", *words],
        env=runs.environment(folder, hub.url), capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip


def test_a_job_is_listed_followed_opened_stopped_and_deleted(tmp_path: pathlib.Path, hub: hubs.Hub) -> None:
    assert command(tmp_path, hub).stderr == "no jobs\n"
    with runs.started(tmp_path, "--name", "resnet", "--label", "size=50", program=PROGRAM, url=hub.url) as process:
        runs.until(lambda: "resnet" in command(tmp_path, hub, "ls", "--label", "size=50").stdout, "listed")
        listed = command(tmp_path, hub, "ls").stdout
        assert listed.startswith("ID ") and "Running" in listed
        runs.until(lambda: command(tmp_path, hub, "logs", "resnet").stdout == "hello\n", "printed")
        opened = command(tmp_path, hub, "open", "resnet", "--no_browser")
        assert "/boards/b-" in opened.stdout, opened.stderr
        stopped = command(tmp_path, hub, "stop", "resnet", "--grace", "5")
        assert stopped.stdout == "resnet  Stopped (StopRequested)\n"
        assert process.wait(60) == 143
    assert command(tmp_path, hub, "logs", "resnet", "-f").stdout == "hello\n"
    assert json.loads(command(tmp_path, hub, "show", "resnet").stdout)["signal"] == "SIGTERM"
    assert command(tmp_path, hub, "wait", "resnet").returncode == 1
    assert command(tmp_path, hub, "rm", "resnet", "--remove_board").returncode == 0
    assert command(tmp_path, hub, "show", "resnet").returncode == 3


def test_a_program_registers_itself(tmp_path: pathlib.Path, hub: hubs.Hub) -> None:
    program = (
        "import lightboard.hub, os\n"
        "with lightboard.hub.Job.register('cluster job', logdir='.', labels={'a': 'b'}) as job:\n"
        "    print(job.state)\n"
        "    raise SystemExit(3)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path, env=runs.environment(tmp_path, hub.url), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.stdout, done.returncode) == ("Running\n", 3), done.stderr
    found = json.loads(command(tmp_path, hub, "show", "cluster job").stdout)
    assert (found["state"], found["exit_code"], found["labels"]) == ("Failed", 3, {"a": "b"})


def test_a_program_without_a_hub_is_only_warned(tmp_path: pathlib.Path) -> None:
    program = "import lightboard.hub\nwith lightboard.hub.Job.register('x') as job: print(job.state)\n"
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path, env=runs.environment(tmp_path), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.stdout, done.returncode) == ("Unregistered\n", 0)
    assert "not registered on a hub" in done.stderr
