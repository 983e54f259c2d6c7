"""`make demo-hub` runs `lightboard hub demo`: what it shows, and that nothing of it is left at the end."""

from __future__ import annotations

import os
import pathlib
import re
import signal
import subprocess
import sys

import httpx
import pytest
from hub import hubs

pytestmark = pytest.mark.whole_hub

PASSWORD = "demo password"


def text_until(process: subprocess.Popen[bytes], word: str) -> str:
    """What it writes to stdout, up to the line with this word."""
    assert process.stdout is not None
    os.set_blocking(process.stdout.fileno(), False)
    text = ""

    def ended() -> bool:
        nonlocal text
        text += (process.stdout.read() or b"").decode()  # type: ignore[union-attr]
        assert process.poll() is None, f"it has ended after {text!r}"
        return word in text and text.endswith("\n")

    hubs.until(ended, what=word)
    return text


def start(folder: pathlib.Path) -> subprocess.Popen[bytes]:
    own = {name: value for name, value in os.environ.items() if not name.startswith("LIGHTBOARD_")}
    command = [sys.executable, "-m", "lightboard", "hub", "demo", "--port", "0"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**own, "TMPDIR": str(folder)})


def processes_of(folder: pathlib.Path) -> list[str]:
    """Commands of processes that name the folder: the hub and its boards."""
    found = []
    for each in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = each.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:  # it has ended
            continue
        if f"{folder}/" in command:
            found.append(command)
    return found


def boards_of(url: str, name: str) -> dict[str, dict[str, object]]:
    with httpx.Client(base_url=url, trust_env=False, timeout=hubs.PATIENCE_SECS) as client:
        assert client.post("/api/v1/session", json={"name": name, "password": PASSWORD}).status_code == 201
        items = client.get("/api/v1/boards", params={"limit": 100}).json()["items"]
        details = [client.get(f"/api/v1/boards/{each['id']}").json() for each in items]
    return {str(each["name"]): each for each in details}


def test_the_demo_has_boards_in_several_states_and_leaves_nothing(tmp_path: pathlib.Path) -> None:
    process = start(tmp_path)
    try:
        told = text_until(process, "with this link")
        match = re.search(r" at (http://\S+)/ ", told)
        assert match is not None
        assert PASSWORD in told
        url = match[1]
        boards = boards_of(url, "admin")
        states = {(each["state"], each["reason"]) for each in boards.values()}
        assert states >= {
            ("Running", ""),
            ("Idle", ""),
            ("Stopped", "User"),
            ("Stopped", "IdleReclaimed"),
            ("Failed", "SecretNotFound"),
        }
        assert {each["workspace"] for each in boards.values()} == {"vision", "language"}
        assert {each["visibility"] for each in boards.values()} == {"workspace", "public", "private"}
        problems = hubs.until(lambda: boards_of(url, "admin")["翻译"]["problems"], what="a broken source is told")
        assert len(problems) == 1  # type: ignore[arg-type]
        assert boards["对齐"]["type"] == "web"
        assert boards["对齐"]["problems"] == []
        # a viewer of one workspace sees it, and what is public
        assert {each["workspace"] for each in boards_of(url, "dana").values()} == {"vision"}
        with httpx.Client(base_url=url, trust_env=False, timeout=hubs.PATIENCE_SECS) as client:
            assert client.post("/api/v1/session", json={"name": "admin", "password": PASSWORD}).status_code == 201
            jobs = client.get("/api/v1/jobs").json()["items"]
            assert {each["state"] for each in jobs} >= {"Running", "Succeeded", "Failed", "Stopped"}
            assert len(client.get("/api/v1/uploads").json()["items"]) == 2
        link = re.search(r"http://\S+/s/\S+", told)
        assert link is not None
        assert httpx.get(link[0], trust_env=False).status_code == 303
        assert len(processes_of(tmp_path)) >= 5
    finally:
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=hubs.PATIENCE_SECS)
    assert process.returncode == 0
    assert b"rror" not in errors
    assert processes_of(tmp_path) == []
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_while_the_demo_is_made_leaves_nothing(tmp_path: pathlib.Path) -> None:
    process = start(tmp_path)
    try:
        hubs.until(lambda: list(tmp_path.glob("*/hub/boards/*/process.json")), what="a board starts")
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=hubs.PATIENCE_SECS)
    assert process.returncode == 0
    assert processes_of(tmp_path) == []
    assert list(tmp_path.iterdir()) == []
