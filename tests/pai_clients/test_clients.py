"""Alibaba's own clients, unchanged, against a real hub: `make test-pai`.

The hub runs as always; programs with the clients run in .venv-pai (400 MB), each in a process of its own. The bucket
`volume` is a claim of the hub.
"""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
import time
import urllib.parse
from collections.abc import Iterator
from typing import Any

import pytest
from hub import hubs

from lightboard import SummaryWriter

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PYTHON = ROOT / ".venv-pai" / "bin" / "python"
PROGRAMS = pathlib.Path(__file__).parent / "programs"
LIMIT = 3


class Team:
    """State: a hub with the workspace `lab`, and an access key of ann, who may have `LIMIT` boards."""

    def __init__(self, hub: hubs.Hub, home: pathlib.Path, volume: pathlib.Path) -> None:
        self.hub, self._home, self.volume = hub, home, volume
        self.token = hub.new_user("ann")
        hub.ok("PATCH", "/api/v1/users/ann", json={"boards_limit": LIMIT})
        hub.ok("POST", "/api/v1/workspaces", json={"id": "lab"}, token=self.token)
        self.key = hub.ok("POST", "/api/v1/access_keys", json={"name": "tests"}, token=self.token)

    def run(self, program: str) -> Any:
        own = {
            "PATH": os.environ["PATH"],
            "HOME": str(self._home),
            "PYTHONPATH": str(ROOT / "src"),
            "HUB": self.hub.url,
            "ALIBABA_CLOUD_ACCESS_KEY_ID": self.key["access_key_id"],
            "ALIBABA_CLOUD_ACCESS_KEY_SECRET": self.key["access_key_secret"],
            "ALIBABA_CLOUD_ECS_METADATA_DISABLED": "true",
            "NO_PROXY": "127.0.0.1",
        }
        command = [str(PYTHON), str(PROGRAMS / f"{program}.py")]
        done = subprocess.run(command, env=own, capture_output=True, text=True, timeout=200, cwd=self._home)
        assert done.returncode == 0, f"{done.stdout}\n{done.stderr[-4000:]}\n{self.hub.log()[-2000:]}"
        sys.stdout.write(done.stdout)  # with how long it took
        return json.loads(done.stdout.splitlines()[-1])


@pytest.fixture(scope="module")
def team(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Team]:
    if not PYTHON.exists():
        pytest.skip("`make test-pai` installs Alibaba's clients into .venv-pai")
    folder = tmp_path_factory.mktemp("pai")
    logs = folder / "volume" / "runs"
    with SummaryWriter(str(logs / "first")) as writer:
        writer.add_scalar("loss", 1.0, 1)
    (folder / "home").mkdir()
    with hubs.running(folder / "hub", "--claim", f"volume={folder / 'volume'}") as hub:
        yield Team(hub, folder / "home", folder / "volume")


def test_alipai_creates_waits_lists_stops_starts_and_deletes(team: Team) -> None:
    seen = team.run("boards")
    me = team.hub.ok("GET", "/api/v1/me", token=team.token)["user"]
    assert (seen["workspace"], seen["account"]) == ("lab", me["id"])
    status, name, address = seen["created"]
    assert (status, name) == ("Running", "exp é")
    assert address.startswith(f"{team.hub.url}/boards/b-")
    assert seen["listed"] == [1, ["exp é"]]
    assert (seen["stopped"], seen["started"]) == ("Stopped", "Running")
    assert seen["limit"] == ["ClientException", "TensorboardLimitExceeded", 403, LIMIT, LIMIT]
    assert seen["left"] == 0
    assert seen["missing"] == ["NotFound", 404]


def test_an_estimator_has_one_live_board_for_its_job(team: Team) -> None:
    seen = team.run("estimator")
    assert seen["same"] and seen["status"] == "Running"
    assert seen["name"] == seen["job"] and seen["job"].startswith("resnet")
    assert seen["logs"].startswith("oss://volume") and len(seen["opened"]) == 2
    # as the job does, whose PAI_OUTPUT_TENSORBOARD is a mounted bucket
    with SummaryWriter(str(team.volume / urllib.parse.urlsplit(seen["logs"]).path.strip("/"))) as writer:
        for step in (1, 2):
            writer.add_scalar("loss", 1 / step, step)
            writer.flush()
            wait_for_steps(team, seen["board"], list(range(1, step + 1)))
    team.hub.ok("DELETE", f"/api/v1/boards/{seen['board']}", token=team.token)


def wait_for_steps(team: Team, board: str, steps: list[int]) -> None:
    address = f"/boards/{board}/data/plugin/scalars/scalars?run=.&tag=loss"
    end = time.monotonic() + hubs.PATIENCE_SECS
    while True:
        answer = team.hub.request("GET", address, token=team.token)
        if answer.status_code == 200 and [step for _, step, _ in answer.json()] == steps:
            return
        assert time.monotonic() < end, answer.text
        time.sleep(0.05)


def test_the_client_of_dlc(team: Team) -> None:
    seen = team.run("dlc")
    assert seen["created"][:2] == ["Running", "from dlc ü"]
    assert seen["listed"] == [1, [True]]
    assert seen["changed"] == ["PUBLIC", 45]
    assert seen["shared"].startswith(f"{team.hub.url}/s/")
    assert (seen["started"], seen["left"]) == ("Running", 0)


def test_wrong_keys_are_refused_alike(team: Team) -> None:
    assert team.run("wrong") == [["SignatureDoesNotMatch", 403]] * 4


def test_the_poll_of_wait_neither_wakes_nor_uses_a_board(team: Team) -> None:
    """As `wait()` sends it: without credentials. It must not be told 5xx, or it is repeated for ever."""
    board = team.hub.new_board("pvc://volume/runs", token=team.token, workspace="lab")
    before = team.hub.ok("GET", f"/api/v1/boards/{board['id']}/usage", token=team.token)["last_used_by"]
    headers = {"User-Agent": "python-requests/2.34.2", "Accept": "*/*"}
    running = team.hub.request("GET", f"/boards/{board['id']}/", token="", headers=headers)
    assert running.status_code == 401
    assert team.hub.ok("GET", f"/api/v1/boards/{board['id']}/usage", token=team.token)["last_used_by"] == before
    stopped = team.hub.settled(team.hub.ok("POST", f"/api/v1/boards/{board['id']}:stop", token=team.token))
    assert stopped["state"] == "Stopped"
    assert team.hub.request("GET", f"/boards/{board['id']}/", token="", headers=headers).status_code == 401
    assert team.hub.ok("GET", f"/api/v1/boards/{board['id']}", token=team.token)["state"] == "Stopped"
    team.hub.ok("DELETE", f"/api/v1/boards/{board['id']}", token=team.token)
