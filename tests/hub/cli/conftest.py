"""One real hub for all tests of this folder that do not stop it, and the command line in this process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from client import real

from lightboard import cli


class Shell:
    """The commands of one person. `out` and `err` are those of the last command."""

    def __init__(self, team: real.Team, name: str, capsys: pytest.CaptureFixture[str]) -> None:
        self.team, self.name = team, name
        self.logs = str(team.logs)
        self._capsys = capsys
        self.code, self.out, self.err = 0, "", ""

    def __call__(self, *words: str, code: int = 0) -> str:
        """Runs a command; returns what it printed to stdout."""
        self._capsys.readouterr()
        self.code = cli.main([*words])
        self.out, self.err = self._capsys.readouterr()
        assert self.code == code, (words, self.code, self.out, self.err)
        return self.out


@pytest.fixture(scope="session")
def team(tmp_path_factory: pytest.TempPathFactory) -> Iterator[real.Team]:
    with real.team(tmp_path_factory.mktemp("team")) as made:
        yield made


@pytest.fixture
def shell(team: real.Team, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """Of a new user, whose token is in the environment."""
    name, token = team.person()
    monkeypatch.setenv("LIGHTBOARD_HUB", team.hub.url)
    monkeypatch.setenv("LIGHTBOARD_HUB_TOKEN", token)
    return Shell(team, name, capsys)
