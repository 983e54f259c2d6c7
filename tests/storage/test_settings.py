"""`storage.toml`: what is read, what is refused, and that nothing shows a key."""

from __future__ import annotations

from pathlib import Path

import pytest

from lightboard import errors
from lightboard.storage import settings

FILE = """
[claims]
models = "volumes/models"
home = "~/runs"
data = "/mnt/data"

[secrets.team]
endpoint = "http://minio:9000"
key = "AKIA"
secret = "hunter2"
style = "path"

[secrets.public]
anonymous = true

[limits]
requests_per_second = 20
parallel_reads = 4
"""


def load(directory: Path, content: str) -> settings.Settings:
    file = directory / "storage.toml"
    file.write_text(content, encoding="utf-8")
    return settings.load(str(file))


def test_everything_in_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/me")
    found = load(tmp_path, FILE)
    assert found.directory("models") == str(tmp_path / "volumes/models"), "relative to the file"
    assert found.directory("home") == "/home/me/runs"
    assert found.directory("data") == "/mnt/data"
    team = found.secret("team")
    assert (team.endpoint, team.key, team.secret, team.style) == ("http://minio:9000", "AKIA", "hunter2", "path")
    assert found.secret("public").anonymous
    assert (found.limits.requests_per_second, found.limits.parallel_reads, found.limits.retries) == (20.0, 4, 4)


def test_without_a_file_there_is_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(settings.VARIABLE, raising=False)
    found = settings.load()
    assert (found.file, found.claims, found.secrets) == ("", {}, {})


def test_the_environment_names_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load(tmp_path, FILE)
    monkeypatch.setenv(settings.VARIABLE, str(tmp_path / "storage.toml"))
    assert set(settings.load().secrets) == {"team", "public"}
    (tmp_path / "other.toml").write_text("[claims]\n")
    assert settings.load(str(tmp_path / "other.toml")).secrets == {}, "a named file wins"


def test_what_is_printed_shows_no_key(tmp_path: Path) -> None:
    found = load(
        tmp_path, FILE + '[secrets.x]\nkey = "k"\nsecret = "s3cr3t"\ntoken = "t0ken"\nproxy = "http://u:pr0xy@h"\n'
    )
    for secret in ("hunter2", "AKIA", "s3cr3t", "t0ken", "pr0xy"):
        assert secret not in repr(found)


def test_unknown_names_are_answered_with_the_known_ones(tmp_path: Path) -> None:
    found = load(tmp_path, FILE)
    with pytest.raises(errors.BadInput, match="no secret is named `teams`") as raised:
        found.secret("teams")
    assert "public, team" in raised.value.hint
    assert "hunter2" not in raised.value.message + raised.value.hint
    with pytest.raises(errors.BadInput, match="the claim `x`") as raised:
        found.directory("x")
    assert "data, home, models" in raised.value.hint
    with pytest.raises(errors.BadInput) as raised:
        settings.Settings().secret("team")
    assert "--storage" in raised.value.hint


def test_a_wrong_value_is_not_repeated(tmp_path: Path) -> None:
    """It may be a key in the wrong line."""
    for content in (
        '[secrets.x]\nkey = ["hunter2"]\n',
        '[claims]\nx = ["hunter2"]\n',
        '[limits]\nretries = "hunter2"\n',
    ):
        with pytest.raises(errors.BadInput) as raised:
            load(tmp_path, content)
        assert "hunter2" not in raised.value.message + raised.value.hint


def test_networks(tmp_path: Path) -> None:
    assert load(tmp_path, FILE).networks is None
    found = load(tmp_path, '[networks]\nallow = ["10.1.0.0/16", "Minio"]\n').networks
    assert found is not None and found.allow == ("10.1.0.0/16", "minio")
    for wrong in ('allow = "10.0.0.0/8"', "allow = [1]", 'allow = ["http://x"]', 'deny = ["x"]'):
        with pytest.raises(errors.BadInput, match=r"\[networks\]"):
            load(tmp_path, f"[networks]\n{wrong}\n")


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    (tmp_path / "storage.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(errors.BadInput, match="is not TOML"):
        settings.load(str(tmp_path / "storage.toml"))
