"""`lightboard hub VERB` against a real hub: what is printed, and the exit codes of docs/reference/cli.md."""

from __future__ import annotations

import json
import os
import pathlib
import pty
import re
import signal
import subprocess
import sys

import pytest
from hub.cli.conftest import Shell

from lightboard import cli
from lightboard.cli.hub_verbs import logs


def test_a_board_from_create_to_rm(shell: Shell) -> None:
    url = shell("hub", "create", shell.logs, "--name", "mine", "--label", "a=b").strip()
    assert re.fullmatch(rf"{shell.team.hub.url}/boards/b-\w+/", url)
    assert shell("hub", "open", "mine", "--no_browser").strip() == url
    head, row = shell("hub", "ls").splitlines()
    assert head.split() == ["NAME", "STATE", "CREATED", "LAST", "USED", "PAUSES", "WORKSPACE", "OWNER", "URL"]
    assert re.match(r"mine  Running  (\d+ s ago|just now) ", row)
    assert row.endswith(url)
    assert re.search(r"in 1 d", row)
    assert "Created" in shell("hub", "events", url)
    assert "Lightboard" in shell("hub", "logs", "mine", "--lines", "5")
    assert shell("hub", "stop", "mine") == "mine  Stopped (User)\n"
    assert shell("hub", "stop", "mine") == "mine  Stopped (User)\n"
    assert shell("hub", "resume", "mine") == "mine  Running\n"
    assert shell("hub", "keepalive", "mine", "--for", "2h") == "mine  Running\n"
    assert shell("hub", "wait", "mine") == "mine  Running\n"
    assert re.search(r"^account +1 +5 +4$", shell("hub", "quota"), re.MULTILINE)
    assert shell("hub", "rm", "mine") == "mine  Deleted\n"
    assert shell("hub", "ls") == ""
    assert shell.err == "no boards\n"


def test_json_for_programs(shell: Shell) -> None:
    board = json.loads(shell("hub", "create", shell.logs, "--json"))
    assert (board["state"], board["name"]) == ("Running", "logs")
    for words in (("ls",), ("get",), ("stop", board["id"]), ("resume", board["id"]), ("wait", board["id"])):
        (item,) = json.loads(shell("hub", *words, "--json"))["items"]
        assert item["id"] == board["id"]
    assert json.loads(shell("hub", "get", board["id"], "-o", "json"))["id"] == board["id"]
    assert json.loads(shell("hub", "open", board["id"], "--no_browser", "--json"))["url"] == board["url"]
    assert json.loads(shell("hub", "events", board["id"], "--json"))["items"][0]["kind"] == "Created"
    assert json.loads(shell("hub", "logs", board["id"], "--json"))["lines"]
    assert json.loads(shell("hub", "quota", "--json"))["account"] == {"limit": 5, "used": 1, "id": ""}
    assert json.loads(shell("hub", "share", board["id"], "--json"))["url"].startswith(f"{shell.team.hub.url}/s/")
    (item,) = json.loads(shell("hub", "check", shell.logs, "--json"))["items"]
    assert item["ok"]
    (item,) = json.loads(shell("hub", "rm", board["id"], "--json"))["items"]
    assert item["state"] == "Deleted"


def test_several_sources(shell: Shell) -> None:
    words = ("create", f"a={shell.logs}", "b=pvc://data/update_freq_10", "--json", "--no_wait")
    board = json.loads(shell("hub", *words, "--idle_after", "30m", "--reclaim_after", "1d", "--max_runtime", "never"))
    assert [(each["prefix"], each["uri"]) for each in board["sources"]] == [
        ("a", shell.logs),
        ("b", "pvc://data/update_freq_10"),
    ]
    assert (board["idle_after"], board["reclaim_after"], board["max_runtime"]) == (1800, 86400, 0)
    assert "a=" in shell("hub", "ls", "--wide")


def test_a_create_that_a_script_repeats(shell: Shell) -> None:
    words = ("hub", "create", shell.logs, "--no_wait", "--idempotency_key", "nightly-42")
    assert shell(*words) == shell(*words)


def test_the_board_of_a_job(shell: Shell) -> None:
    words = ("hub", "create", shell.logs, "--ensure", "--source_type", "TrainingJob", "--source_id", "1", "--no_wait")
    assert shell(*words) == shell(*words)
    shell("hub", "create", shell.logs, "--ensure", code=cli.USAGE)
    assert "--source_type" in shell.err


# -- exit codes


def test_what_does_not_exist(shell: Shell) -> None:
    for verb in ("stop", "resume", "rm", "open", "logs", "events", "share", "get", "wait", "keepalive"):
        shell("hub", verb, "nobody", code=cli.NOT_FOUND)
        assert shell.err == "error: no board has this name or id: nobody\nhint: `lightboard hub ls` lists them\n"


def test_without_or_with_a_wrong_token(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    for token in ("", "wrong-token-0123456789abcdef0123456789"):
        monkeypatch.setenv("LIGHTBOARD_HUB_TOKEN", token)
        shell("hub", "ls", code=cli.FORBIDDEN)
        assert shell.err.splitlines()[1].startswith("hint: `lightboard login URL`")
        assert not token or token not in shell.err


def test_what_somebody_may_not_do(shell: Shell) -> None:
    """A viewer of a workspace sees its boards and cannot stop them."""
    admin = shell.team.admin
    name = admin.workspaces.create("viewed").id
    admin.workspaces.add_member(name, shell.name, "viewer")
    board = admin.boards.create(shell.logs, workspace=name, visibility="workspace", wait=False)
    assert board.id in shell("hub", "ls", "--workspace", name)
    shell("hub", "stop", board.id, code=cli.FORBIDDEN)
    shell("hub", "create", shell.logs, "--workspace", name, code=cli.FORBIDDEN)
    board.delete()


def test_one_board_too_many(shell: Shell) -> None:
    shell.team.admin.users.change(shell.name, boards_limit=1)
    shell("hub", "create", shell.logs, "--name", "first", "--no_wait")
    shell("hub", "create", shell.logs, "--no_wait", code=cli.LIMIT)
    error, hint = shell.err.splitlines()
    assert error == "error: 1 of 1 boards are active (account)"
    assert hint.startswith("hint: stop or delete one: first (b-")


def test_no_time_to_wait(shell: Shell) -> None:
    shell("hub", "create", shell.logs, "--timeout", "0", code=cli.TIMEOUT)
    assert shell.err.splitlines()[-1] == "hint: a later wait continues"
    shell("hub", "wait", "logs", "--for", "stopped", "--timeout", "0", code=cli.TIMEOUT)


def test_a_board_that_somebody_stops_meanwhile(shell: Shell) -> None:
    shell("hub", "create", shell.logs, "--no_wait")
    shell("hub", "stop", "logs")
    assert shell("hub", "wait", "logs", "--for", "stopped") == "logs  Stopped (User)\n"


def test_wrong_words(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    shell("hub", "create", "nonsense://x", code=cli.USAGE)
    assert len(shell.err.splitlines()) <= 2
    shell("hub", "create", shell.logs, "--idle_after", "soon", code=cli.USAGE)
    shell("hub", "create", shell.logs, "--label", "x", code=cli.USAGE)
    shell("hub", "create", shell.logs, "--secret", "b=x", code=cli.USAGE)
    shell("hub", "create", code=cli.USAGE)
    shell("hub", "crate", code=cli.USAGE)
    assert "did you mean `lightboard hub create`?" in shell.err
    shell("hub", "wait", "x", "--timeout", "soon", code=cli.USAGE)
    shell("hub", "ls", "--hub", "ftp://x", code=cli.USAGE)
    monkeypatch.setenv("LIGHTBOARD_HUB", "http://boards.example.org")
    shell("hub", "ls", code=cli.USAGE)
    assert "without encryption" in shell.err


def test_a_hub_that_is_not_there(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lightboard.client.connections.RETRY_SECS", 0.0)
    shell("hub", "ls", "--hub", "http://127.0.0.1:1", code=cli.FAILED)
    assert shell.err.startswith("error: the hub does not answer")


def test_several_boards_of_which_one_is_absent(shell: Shell) -> None:
    for name in ("a", "b"):
        shell("hub", "create", shell.logs, "--name", name, "--no_wait")
    assert shell("hub", "stop", "a", "absent", "b", code=cli.NOT_FOUND) == "a  Stopped (User)\nb  Stopped (User)\n"
    assert shell.err.startswith("error: no board has this name or id: absent\n")


def test_a_name_that_several_boards_have(shell: Shell) -> None:
    for _ in range(2):
        shell("hub", "create", shell.logs, "--name", "twin", "--no_wait")
    shell("hub", "stop", "twin", code=cli.USAGE)
    error, hint = shell.err.splitlines()
    assert error == "error: 2 boards are named 'twin'"
    assert hint.count("b-") == 2


def test_a_command_that_is_not_possible_now(shell: Shell) -> None:
    shell("hub", "create", shell.logs, "--no_wait")
    shell("hub", "stop", "logs")
    shell("hub", "keepalive", "logs", code=cli.FAILED)
    assert shell.err.startswith("error: ")


# -- the others


def test_opening_a_board_in_the_browser(shell: Shell, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The browser gets the link, and a process in which Ctrl-C and SIGTERM work."""
    url = shell("hub", "create", shell.logs, "--no_wait").strip()
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {tmp_path}/url\ngrep SigBlk /proc/self/status > {tmp_path}/blocked\n')
    browser.chmod(0o700)
    environment = {**os.environ, "BROWSER": str(browser)}
    done = subprocess.run(
        [sys.executable, "-m", "lightboard", "hub", "open", "logs"], env=environment, capture_output=True, check=True
    )
    assert done.stdout.decode().strip() == url
    assert (tmp_path / "url").read_text().strip() == url
    blocked = int((tmp_path / "blocked").read_text().split()[1], 16)
    assert blocked & (1 << (signal.SIGINT - 1) | 1 << (signal.SIGTERM - 1)) == 0
    for name in ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    assert shell("hub", "open", "logs").strip() == url
    assert "no browser" in shell.err


def test_links(shell: Shell) -> None:
    shell("hub", "create", shell.logs, "--no_wait")
    assert shell("hub", "share", "logs", "--expires_in", "1h").startswith(f"{shell.team.hub.url}/s/")
    head, row = shell("hub", "share", "logs", "--list").splitlines()
    assert head.split() == ["ID", "BY", "CREATED", "EXPIRES", "USES"]
    assert "in 59 min" in row
    shell("hub", "share", "logs", "--revoke", row.split()[0])
    assert "revoked" in shell("hub", "share", "logs", "--list")
    shell("hub", "share", "logs", "--revoke", "absent", code=cli.NOT_FOUND)
    shell("hub", "share", "logs", "--list", "--revoke", "x", code=cli.USAGE)


def test_who_sees_a_board(shell: Shell) -> None:
    shell("hub", "create", shell.logs, "--no_wait")
    shell("hub", "share", "logs", "--visibility", "workspace")
    shell("hub", "share", "logs", "--visibility", "public", code=cli.USAGE)
    assert "--yes" in shell.err
    assert '"workspace"' in shell("hub", "get", "logs", "-o", "json")
    shell("hub", "share", "logs", "--visibility", "public", "--yes")
    shell("hub", "rm", "logs")


def test_looking_before_creating(shell: Shell) -> None:
    line = shell("hub", "check", shell.logs)
    assert re.search(r": \d+ runs?, \d+ files?, .* such as ", line)
    shell("hub", "check", "pvc://unknown/x", code=cli.FAILED)
    assert "pvc://unknown/x" in shell.err


def test_names_only(shell: Shell) -> None:
    shell("hub", "create", shell.logs, "--name", "训练", "--no_wait")
    assert shell("hub", "get", "-o", "name") == "训练\n"
    assert "local" in shell("hub", "get", "训练", "-o", "wide")


def test_new_lines_of_a_log() -> None:
    assert logs.new_lines(["a", "b"], ["a", "b", "c"]) == ["c"]
    assert logs.new_lines(["a", "b"], ["b", "c"]) == ["c"]
    assert logs.new_lines(["a", "b"], ["c"]) == ["c"]
    assert logs.new_lines(["a"], ["z", "a", "b"]) == ["b"]
    assert logs.new_lines([], ["a"]) == ["a"]
    assert logs.new_lines(["a"], []) == []


def test_tables_fit_a_narrow_terminal(shell: Shell, tmp_path: pathlib.Path) -> None:
    shell("hub", "create", shell.logs, "--name", "a name that is longer than others, and then some", "--no_wait")
    primary, secondary = pty.openpty()
    try:
        done = subprocess.Popen(
            [sys.executable, "-m", "lightboard", "hub", "ls"],
            stdout=secondary,
            env={**os.environ, "COLUMNS": "90"},
        )
        assert done.wait(60) == 0
        text = os.read(primary, 1 << 16).decode()
    finally:
        os.close(primary)
        os.close(secondary)
    lines = text.splitlines()
    assert all(len(line) <= 90 for line in lines), lines
    assert "…" in lines[1]
    assert lines[1].endswith("/")  # links are whole
