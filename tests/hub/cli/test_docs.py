"""What docs/reference/hub-client.md and docs/howto/hub-from-scripts.md show is run, at a real hub.

The pages name a bucket; here it is a directory of logs. Left out: `lightboard login`, which test_login.py has.
"""

from __future__ import annotations

import pathlib
import re
import shlex

import pytest
from hub.cli.conftest import Shell

from lightboard import client

pytestmark = pytest.mark.whole_hub

DOCS = pathlib.Path(__file__).parent.parent.parent.parent / "docs"
BUCKET = "s3://logs/resnet"
HOWTO = "howto/hub-from-scripts.md"


def blocks(page: str, language: str) -> list[str]:
    text = (DOCS / page).read_text(encoding="utf-8")
    found = re.findall(r"^```(\w*)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    return [content for name, content in found if name == language]


@pytest.mark.parametrize("page", ["reference/hub-client.md", HOWTO])
def test_python_runs(shell: Shell, page: str, capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, object] = {}
    for block in blocks(page, "python"):
        exec(compile(block.replace(BUCKET, shell.logs), page, "exec"), names)
    assert f"{shell.team.hub.url}/boards/" in capsys.readouterr().out


def test_commands_run(shell: Shell, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (manifest,) = blocks(HOWTO, "yaml")
    (tmp_path / "boards.yaml").write_text(manifest.replace(BUCKET, shell.logs))
    lines = [line for block in blocks(HOWTO, "") for line in block.splitlines() if line.startswith("lightboard hub ")]
    assert len(lines) >= 12
    for line in lines:
        shell(*shlex.split(line.replace(BUCKET, shell.logs))[1:])


def test_every_public_name_is_in_the_reference() -> None:
    text = (DOCS / "reference" / "hub-client.md").read_text(encoding="utf-8")
    # values that are returned are described by what returns them
    values = {"Event", "Frame", "Limit", "Member", "Quota", "Removed", "Secret", "Share", "Token", "User", "Workspace"}
    assert [name for name in client.__all__ if name not in values and f"`{name}" not in text] == []
    for owner in (client.Board, client.Hub, type(client.Hub("http://127.0.0.1:1", "").boards)):
        members = [name for name in vars(owner) if not name.startswith("_") and name not in ("generation", "board_of")]
        assert [name for name in members if not re.search(rf"`(?:with Hub\(\)|{name}\b)", text)] == []
