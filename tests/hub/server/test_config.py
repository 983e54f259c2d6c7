"""`hub.toml`: what it may say, and that everything else is refused with its line."""

from __future__ import annotations

import pathlib

import pytest

from lightboard.hub.server import config

FULL = """
[hub]
dir = "/var/lib/lightboard"
port = 9000
url = "https://boards.example.org/"
trusted_proxies = ["10.0.0.1", "192.168.0.0/16"]

[boards]
idle_after = "90m"
reclaim_after = 7200
per_account = 3
memory = "1.5G"
roots = ["/data/a", "/data/b"]
allow_networks = ["10.20.1.1/16", "Minio.example.org"]

[people]
session = "7d"

[claims]
models = "/mnt/models"
"""


def written(tmp_path: pathlib.Path, text: str) -> str:
    path = tmp_path / "hub.toml"
    path.write_text(text)
    return str(path)


def test_nothing_is_a_hub_with_defaults() -> None:
    made = config.load()
    assert (made.idle_after, made.reclaim_after, made.per_account) == (3600, 86400, 5)
    assert (made.host, made.port) == ("127.0.0.1", 8080)


def test_every_section_is_read(tmp_path: pathlib.Path) -> None:
    made = config.load(written(tmp_path, FULL))
    assert (made.dir, made.port, made.url) == ("/var/lib/lightboard", 9000, "https://boards.example.org")
    assert made.trusted_proxies == ("10.0.0.1/32", "192.168.0.0/16")
    assert (made.idle_after, made.reclaim_after, made.per_account, made.memory) == (5400, 7200, 3, 3 << 29)
    assert made.roots == ("/data/a", "/data/b")
    assert made.allow_networks == ("10.20.0.0/16", "minio.example.org")
    assert (made.session, made.claims) == (7 * 86400, {"models": "/mnt/models"})


def test_flags_win_and_lists_are_joined(tmp_path: pathlib.Path) -> None:
    flags = {"port": 1, "roots": ["/data/c"], "claims": {"logs": "/mnt/logs"}}
    made = config.load(written(tmp_path, FULL), flags)
    assert made.port == 1
    assert made.roots == ("/data/a", "/data/b", "/data/c")
    assert made.claims == {"models": "/mnt/models", "logs": "/mnt/logs"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[hub]\nport = 'x'", "hub.toml:2: `port` wants a number"),
        ("[hub]\nport = 70000", "hub.toml:2: `port` wants"),
        ("[hub]\n\nprot = 1", "hub.toml:3: .hub. has no `prot`"),
        ("[hub]\nidle_after = '1h'", "hub.toml:2: .hub. has no `idle_after`"),
        ("\n[huub]\nport = 1", "hub.toml:2: `huub` is not a section"),
        ("[boards]\nidle_after = 'soon'", "hub.toml:2: `idle_after` wants a duration"),
        ("[boards]\nper_account = -1", "hub.toml:2: `per_account` wants a number"),
        ("[boards]\nper_account = true", "hub.toml:2: `per_account` wants a number"),
        ("[boards]\nmemory = '2 apples'", "hub.toml:2: `memory` wants a size"),
        ("[boards]\nroots = '/data'", "hub.toml:2: `roots` wants a list"),
        ("[hub]\nurl = 'boards.example.org'", "hub.toml:2: `url` wants an address"),
        ("[hub]\ntrusted_proxies = ['nginx']", "hub.toml:2: `trusted_proxies` wants"),
        ("[boards]\nallow_networks = ['http://minio']", "hub.toml:2: `allow_networks` wants a list"),
        ("[claims]\nmodels = 3", "hub.toml:2: a claim wants a directory"),
        ("[hub\nport = 1", "not TOML: .*line 1"),
    ],
)
def test_what_is_wrong_is_refused_with_its_line(tmp_path: pathlib.Path, text: str, message: str) -> None:
    with pytest.raises(config.BadConfig, match=message):
        config.load(written(tmp_path, text))


def test_a_file_that_is_not_there_is_named(tmp_path: pathlib.Path) -> None:
    with pytest.raises(config.BadConfig, match=r"cannot be read .*absent\.toml"):
        config.load(str(tmp_path / "absent.toml"))


def test_claims_of_the_command_line() -> None:
    assert config.claim_of("models=/mnt/models") == ("models", "/mnt/models")
    for wrong in ("models", "=dir", "models="):
        with pytest.raises(config.BadConfig, match="NAME=DIRECTORY"):
            config.claim_of(wrong)
