"""`lightboard login` and `logout`: by password, by token, at a terminal and in a script."""

from __future__ import annotations

import io
import json
import os
import pathlib
import pty
import select
import signal
import stat
import subprocess
import sys
import termios
import time

import pytest
from hub.cli.conftest import Shell

from lightboard import cli
from lightboard.client import credentials

PASSWORD = "a long password"


@pytest.fixture
def outside(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """Somebody without a token in the environment."""
    monkeypatch.delenv("LIGHTBOARD_HUB")
    monkeypatch.delenv("LIGHTBOARD_HUB_TOKEN")
    return shell


def typed(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(text))


def test_a_password_becomes_a_token_of_this_machine(outside: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    name, _ = outside.team.person(PASSWORD)
    typed(monkeypatch, f"{PASSWORD}\n")
    assert outside("login", outside.team.hub.url, "--user", name, "--password", "-", "--expires_in", "1d") == (
        f"signed in as {name} at {outside.team.hub.url}\n"
    )
    (entry,) = credentials.entries()
    assert PASSWORD not in json.dumps(vars(entry))
    assert entry.token not in outside.out + outside.err
    file = credentials.directory() / credentials.FILE
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert outside("hub", "ls") == ""
    tokens = outside.team.admin.tokens.list(user=name)
    assert entry.token_id in [each.id for each in tokens]
    me = outside.team.hub.ok("GET", "/api/v1/sessions", token=entry.token)
    assert me["items"] == []  # the session was only for this

    outside("logout")
    assert credentials.entries() == []
    assert entry.token_id not in [each.id for each in outside.team.admin.tokens.list(user=name)]
    outside("logout", code=cli.FAILED)


def test_a_token_from_stdin(outside: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    name, token = outside.team.person(PASSWORD)
    typed(monkeypatch, f"{token}\n")
    assert json.loads(outside("login", outside.team.hub.url, "--token", "-", "--json"))["user"] == name
    assert outside("hub", "quota").startswith("OF")
    outside("logout", outside.team.hub.url)
    outside.team.hub.ok("GET", "/api/v1/me", token=token)  # a token of somebody else's making stays valid


def test_wrong_passwords_and_tokens_are_not_stored(outside: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    name, _ = outside.team.person(PASSWORD)
    typed(monkeypatch, "wrong password\n")
    outside("login", outside.team.hub.url, "--user", name, "--password", "-", code=cli.FORBIDDEN)
    assert outside.err.startswith("error: user name or password is wrong\n")
    typed(monkeypatch, "wrong-token-0123456789abcdef0123456789\n")
    outside("login", outside.team.hub.url, "--token", "-", code=cli.FORBIDDEN)
    typed(monkeypatch, "")
    outside("login", outside.team.hub.url, "--token", "-", code=cli.USAGE)
    assert credentials.entries() == []


def test_secrets_do_not_belong_on_a_command_line(outside: Shell) -> None:
    for flag in ("--token", "--password"):
        outside("login", outside.team.hub.url, flag, "secret", code=cli.USAGE)
        assert "stdin" in outside.err
        assert "secret\n" not in outside.err


def test_a_password_is_not_sent_in_the_clear(outside: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    typed(monkeypatch, f"{PASSWORD}\n")
    outside("login", "http://boards.example.org", "--user", "ann", "--password", "-", code=cli.USAGE)
    assert "without encryption" in outside.err


def test_without_a_terminal(outside: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    typed(monkeypatch, "")
    outside("login", outside.team.hub.url, code=cli.USAGE)
    assert "--token -" in outside.err
    outside("login", code=cli.USAGE)
    assert outside.err.startswith("error: no hub is given")


class Terminal:
    """A command at a terminal of its own."""

    def __init__(self, *words: str) -> None:
        self.primary, secondary = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "lightboard", *words],
            stdin=secondary,
            stdout=secondary,
            stderr=secondary,
            start_new_session=True,
        )
        self._secondary = secondary
        self.text = ""

    def until(self, words: str) -> None:
        ends = time.monotonic() + 60
        while words not in self.text:
            assert time.monotonic() < ends, self.text
            if select.select([self.primary], [], [], 0.05)[0]:
                self.text += os.read(self.primary, 4096).decode()

    def type(self, words: str) -> None:
        os.write(self.primary, words.encode())

    @property
    def echoes(self) -> bool:
        return bool(termios.tcgetattr(self._secondary)[3] & termios.ECHO)

    def until_silent(self) -> None:
        ends = time.monotonic() + 60
        while self.echoes:
            assert time.monotonic() < ends
            time.sleep(0.01)

    def close(self) -> None:
        self.process.wait(60)
        os.close(self.primary)
        os.close(self._secondary)


def test_at_a_terminal_the_password_is_not_shown(outside: Shell) -> None:
    name, _ = outside.team.person(PASSWORD)
    terminal = Terminal("login", outside.team.hub.url)
    try:
        terminal.until("User name")
        terminal.type(f"{name}\n")
        terminal.until(f"Password of {name}: ")
        terminal.until_silent()
        terminal.type(f"{PASSWORD}\n")
        terminal.until(f"signed in as {name}")
        assert PASSWORD not in terminal.text
        assert terminal.process.wait(60) == 0
        assert terminal.echoes
    finally:
        terminal.process.kill()
        terminal.close()


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, cli.INTERRUPTED), (signal.SIGTERM, cli.TERMINATED)])
def test_a_signal_at_the_password_sets_the_terminal_back(outside: Shell, number: int, code: int) -> None:
    terminal = Terminal("login", outside.team.hub.url, "--user", "ann")
    try:
        terminal.until("Password of ann: ")
        terminal.until_silent()
        terminal.process.send_signal(number)
        assert terminal.process.wait(60) == code
        assert terminal.echoes
    finally:
        terminal.process.kill()
        terminal.close()


def test_entries_of_several_hubs(outside: Shell, tmp_path: pathlib.Path) -> None:
    for name in ("a", "b"):
        credentials.save(credentials.Entry(f"https://{name}.example", "x"))
    assert outside("logout", "--all") == "signed out of https://a.example\nsigned out of https://b.example\n"
    outside("logout", "https://a.example", code=cli.FAILED)
