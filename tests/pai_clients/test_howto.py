"""The programs of docs/howto/from-pai.md, which are those of PAI's own documentation with a few changed lines.

Blocks with PAI's clients run in .venv-pai, those with `lightboard.hub` here; that for PyTorch runs in tests/frameworks.
Only the hub's address and the keys are replaced. The bucket `my-bucket` is a claim.
"""

from __future__ import annotations

import os
import pathlib
import re
import subprocess
import sys
import urllib.parse
from collections.abc import Iterator

import pytest
from hub import hubs

from lightboard import SummaryWriter

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs" / "howto" / "from-pai.md"
PYTHON = ROOT / ".venv-pai" / "bin" / "python"
BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
OURS = [block for block in BLOCKS if block.startswith("from lightboard.hub")]
THEIRS = [block for block in BLOCKS if re.search("^from (pai|alibabacloud)", block, re.MULTILINE)]


class Person:
    """A user of the hub with at most one board, and an access key."""

    def __init__(self, hub: hubs.Hub, home: pathlib.Path) -> None:
        self.hub, self._home = hub, home
        self.token = hub.new_user("ann")
        hub.ok("PATCH", "/api/v1/users/ann", json={"boards_limit": 1})
        hub.ok("POST", "/api/v1/workspaces", json={"id": "lab"}, token=self.token)
        self.key = hub.ok("POST", "/api/v1/access_keys", json={"name": "tests"}, token=self.token)

    def run(self, block: str) -> str:
        address = urllib.parse.urlsplit(self.hub.url)
        replaced = {
            'endpoint="boards.example.org", protocol="https"': f'endpoint="{address.netloc}", protocol="http"',
            "https://boards.example.org": self.hub.url,
            "LBAK…": self.key["access_key_id"],
            'access_key_secret="…"': f'access_key_secret="{self.key["access_key_secret"]}"',
        }
        for old, new in replaced.items():
            block = block.replace(old, new)
        variables = {
            "PATH": os.environ["PATH"],
            "HOME": str(self._home),
            "PYTHONPATH": str(ROOT / "src"),
            "LIGHTBOARD_HUB": self.hub.url,
            "LIGHTBOARD_HUB_TOKEN": self.token,
            "ALIBABA_CLOUD_ACCESS_KEY_ID": self.key["access_key_id"],
            "ALIBABA_CLOUD_ACCESS_KEY_SECRET": self.key["access_key_secret"],
            "ALIBABA_CLOUD_ECS_METADATA_DISABLED": "true",
            "NO_PROXY": "127.0.0.1",
            "BROWSER": "true",  # the command; `estimator.tensorboard()` opens a page
        }
        python = str(PYTHON) if block.startswith("import lightboard.hub") or "alibabacloud" in block else sys.executable
        done = subprocess.run(
            [python, "-c", block], env=variables, capture_output=True, text=True, timeout=200, cwd=self._home
        )
        assert done.returncode == 0, f"{block}\n{done.stderr[-4000:]}"
        return done.stdout

    def boards(self, workspace: str = "") -> list[tuple[str, str]]:
        query = f"?workspace={workspace}" if workspace else ""
        found = self.hub.ok("GET", f"/api/v1/boards{query}", token=self.token)["items"]
        return [(each["name"], each["state"]) for each in found if each["state"] != "Deleting"]


@pytest.fixture(scope="module")
def person(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Person]:
    if not PYTHON.exists():
        pytest.skip("`make test-pai` installs Alibaba's clients into .venv-pai")
    folder = tmp_path_factory.mktemp("howto")
    with SummaryWriter(str(folder / "volume" / "logs" / "resnet")) as writer:
        writer.add_scalar("loss", 1.0, 1)
    (folder / "home").mkdir()
    with hubs.running(folder / "hub", "--claim", f"my-bucket={folder / 'volume'}") as hub:
        yield Person(hub, folder / "home")


def test_the_page_has_the_blocks_that_are_run() -> None:
    rest = [block for block in BLOCKS if block not in OURS and block not in THEIRS]
    assert (len(OURS), len(THEIRS)) == (3, 3)
    assert len(rest) == 1 and "torch.utils.tensorboard" in rest[0]


def test_with_the_import_changed(person: Person) -> None:
    create, manage, job = OURS
    assert person.run(create).startswith(f"{person.hub.url}/boards/b-")
    assert person.boards() == [("resnet", "Running")]
    # the limit is reached, so the program stops the first board
    assert person.run(manage) == "['resnet', 'resnet']\n"
    assert person.boards() == [("resnet", "Stopped")]
    members = {"name": "bert", "command": ["train.py"], "logdir": "pvc://my-bucket/logs", "heartbeat_secs": 0}
    person.hub.ok("POST", "/api/v1/jobs", json=members, token=person.token)
    assert person.run(job).startswith(f"{person.hub.url}/boards/b-")
    assert person.boards() == [("resnet", "Stopped")]


@pytest.mark.parametrize("number", range(2))
def test_with_the_sdk_unchanged(person: Person, number: int) -> None:
    assert person.run(THEIRS[number]).splitlines()[-1].startswith(f"{person.hub.url}/boards/b-")
    assert person.boards("lab") == []


def test_with_the_client_of_dlc(person: Person) -> None:
    assert person.run(THEIRS[2]).strip() == "0"
