"""Which hub and which token a client uses, and the file in which `lightboard login` keeps them."""

from __future__ import annotations

import json
import os
import pathlib
import stat

import pytest

from lightboard import client, errors
from lightboard.client import credentials

URL = "https://boards.example.org"


def token_of(hub: client.Hub) -> str:
    return hub._connections._token


def test_a_stored_token_is_used_for_its_hub_only() -> None:
    credentials.save(credentials.Entry("https://other.example", "another"))
    credentials.save(credentials.Entry(URL, "stored", "ann", "t-1"))
    assert (client.Hub().url, token_of(client.Hub())) == (URL, "stored")
    assert token_of(client.Hub("https://other.example/")) == "another"
    assert token_of(client.Hub("https://unknown.example")) == ""
    assert token_of(client.Hub(URL, "mine")) == "mine"


def test_the_environment_wins_over_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    credentials.save(credentials.Entry(URL, "stored"))
    monkeypatch.setenv("LIGHTBOARD_HUB", "https://env.example/")
    monkeypatch.setenv("LIGHTBOARD_HUB_TOKEN", "of-the-environment")
    assert (client.Hub().url, token_of(client.Hub())) == ("https://env.example", "of-the-environment")


def test_the_token_of_the_environment_goes_to_the_hub_of_the_environment_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIGHTBOARD_HUB", "https://env.example")
    monkeypatch.setenv("LIGHTBOARD_HUB_TOKEN", "of-the-environment")
    assert token_of(client.Hub(URL)) == ""
    monkeypatch.delenv("LIGHTBOARD_HUB")
    assert token_of(client.Hub(URL)) == "of-the-environment"


def test_no_hub_at_all() -> None:
    with pytest.raises(errors.BadInput, match="no hub is given"):
        client.Hub()


def test_only_this_user_can_read_the_file(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIGHTBOARD_CONFIG_DIR", str(tmp_path / "a" / "b"))
    before = os.umask(0)
    try:
        file = credentials.save(credentials.Entry(URL, "stored"))
    finally:
        os.umask(before)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert [each.name for each in file.parent.iterdir()] == ["hubs.json"]
    file.chmod(0o640)
    with pytest.raises(errors.Unreadable, match="others can read"):
        client.Hub()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"hubs": 3}', '{"hubs": {"https://x": 3}}', '{"current": 3}'])
def test_a_damaged_file(text: str) -> None:
    file = credentials.save(credentials.Entry(URL, "stored"))
    file.write_text(text)
    with pytest.raises(errors.LightboardError):
        client.Hub()


def test_forgetting_one_of_several() -> None:
    for name in ("a", "b"):
        credentials.save(credentials.Entry(f"https://{name}.example", name))
    credentials.forget("https://b.example")
    assert credentials.current() == "https://a.example"
    assert [each.token for each in credentials.entries()] == ["a"]
    credentials.forget("https://a.example")
    assert (credentials.current(), credentials.entries()) == ("", [])


def test_the_token_is_not_in_the_text_of_an_entry() -> None:
    entry = credentials.Entry(URL, "stored", "ann")
    assert "stored" not in repr(entry)
    assert json.loads(credentials.save(entry).read_text())["hubs"][URL]["token"] == "stored"
