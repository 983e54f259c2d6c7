"""What a user can type wrong after `--logdir`: one line that names the cause, and a remedy.

Here: what is refused before the board listens, and what needs no server to fail. The rest, and what looks wrong but
works, is in `tests/stores/test_wrong_addresses.py`, with real stores.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import board_process
import pytest

from lightboard import cli

SECRET = "wJalrXUtnFEMI"

# address → part of the message, part of the hint
REFUSED = {
    "s3://": ("names no bucket", "s3://bucket/path"),
    "s3:///runs": ("names no bucket", "s3://bucket/path"),
    "az://": ("names no container", "az://container/path"),
    "s3:/bkt/runs": ("two slashes after its scheme", "s3://bkt/runs"),
    "s3:bkt": ("two slashes after its scheme", "s3://bkt"),
    "https:/host/runs": ("two slashes after its scheme", "https://host/runs"),
    "hdfs://namenode/runs": ("`hdfs://` is not supported", "s3://"),
    "ftp://host/runs": ("`ftp://` is not supported", "s3://"),
    "s3://my bucket/runs": ("`my bucket` cannot be the name of a bucket", "names have letters"),
    "s3:// bkt/runs": ("cannot be the name of a bucket", "names have letters"),
    "s3://bkt:runs": ("cannot be the name of a bucket", "the path comes after a slash"),
    "s3://bkt/a//runs": ("two slashes in a row", "one slash"),
    "s3://bkt/a/../b": ("`.` or `..`", "the path itself"),
    "s3://bkt/ru\nns": ("control character", "remove it"),
    f"s3://AKIAEXAMPLE:{SECRET}@bkt/runs": ("keys and passwords do not belong in an address", "--storage"),
    f"https://user:{SECRET}@host/runs": ("user and password do not belong in an address", "--storage"),
    "s3://team@bkt/runs": ("no secret is named `team`", "[secrets.team]"),
    "minio://te am@bkt/runs": ("cannot be the name of a secret", "names have letters"),
    "t9k://minio/team/bkt": ("no secret is named `team`", "--storage"),
    "t9k://minio/team": ("not an address of TensorStack", "t9k://minio/secret/bucket/path"),
    "t9k://pvc": ("not an address of TensorStack", "t9k://pvc/claim/path"),
    "t9k://nfs/x": ("not an address of TensorStack", "t9k://pvc/claim/path"),
    "pvc://": ("names no claim", "pvc://claim/path"),
    "pvc://models/runs": ("no directory is named for the claim `models`", "[claims]"),
    "pvc://models/../../etc": ("`.` or `..`", "the path itself"),
    "abfss://container/runs": ("needs a container and an account", "abfss://container@account.dfs.core.windows.net"),
    "abfss://container@account/runs": ("needs a container and an account", "az://container/path"),
    "https://bkt.s3.eu-west-1.amazonaws.com/runs": ("the web address of a bucket", "s3://bkt/runs"),
    "https://s3.amazonaws.com/bkt/runs": ("the web address of a bucket", "s3://bkt/runs"),
    "https://storage.googleapis.com/bkt/runs": ("the web address of a bucket", "gs://bkt/runs"),
    "https://bkt.oss-cn-hangzhou.aliyuncs.com/runs": ("the web address of a bucket", "oss://bkt.oss-cn-hangzhou"),
    "https://account.blob.core.windows.net/c/runs": ("the web address of a bucket", "abfss://c@account"),
    "http://": ("names no server", "http://server"),
    "http://host:99999/runs": ("not the address of a web server", "host and port"),
    "https://host/runs?x=1": ("no `?` or `#`", "the directory itself"),
    "file://host/runs": ("files of this machine", "file:///host/runs"),
}


def complaint(capsys: pytest.CaptureFixture[str], *words: str | Path, code: int = cli.USAGE) -> tuple[str, str]:
    """The two lines that a command prints before it ends."""
    assert cli.main([str(word) for word in words]) == code
    out, err = capsys.readouterr()
    lines = err.splitlines()
    assert out == "", "nothing was listened on"
    assert len(lines) == 2, err
    assert lines[0].startswith("error: ")
    assert lines[1].startswith("hint: ")
    return lines[0], lines[1]


@pytest.mark.parametrize("address", REFUSED)
@pytest.mark.parametrize("verb", ["serve", "inspect"])
def test_a_wrong_address_is_refused_with_cause_and_remedy(
    address: str, verb: str, capsys: pytest.CaptureFixture[str]
) -> None:
    message, hint = REFUSED[address]
    found = complaint(capsys, verb, "--logdir", address)
    assert message in found[0]
    assert hint in found[1]
    assert SECRET not in "".join(found)


def test_a_bare_word_is_checked_like_a_logdir(capsys: pytest.CaptureFixture[str]) -> None:
    assert "two slashes" in complaint(capsys, "s3:/bkt/runs")[0]
    assert "names no bucket" in complaint(capsys, "--logdir_spec", "a:s3://")[0]


# content of storage.toml → part of the message
FILES = {
    "[secrets.team\n": "is not TOML",
    "[secret.team]\nkey = 'x'\n": "unknown name `secret`; known are: claims, limits, networks, secrets",
    "[secrets.team]\nkeys = 'x'\n": "[secrets.team] has an unknown name `keys`",
    "[secrets.team]\nkey = 'x'\n": "has key alone; both `key` and `secret` are needed",
    "[secrets.team]\nkey = 1\nsecret = 'y'\n": "key wants a text in quotes",
    "[secrets.team]\nstyle = 'host'\n": 'style is "path" or "virtual", not "host"',
    "[secrets.team]\nendpoint = 'minio:9000'\n": "endpoint begins with http:// or https://",
    "[claims]\nmodels = 3\n": "[claims] models wants a directory in quotes",
    "[limits]\nparallel_reads = 'many'\n": "parallel_reads wants a number that is not negative",
    "[limits]\nretries = -1\n": "retries wants a number that is not negative",
    "claims = 3\n": "[claims] is a table",
}


@pytest.mark.parametrize("content", FILES)
def test_a_wrong_storage_file_is_refused(content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "storage.toml"
    file.write_text(content)
    message, _ = complaint(capsys, "--logdir", "s3://team@bkt/runs", "--storage", file)
    assert FILES[content] in message
    assert str(file) in message


def test_a_missing_storage_file_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "nowhere.toml"
    message, hint = complaint(capsys, "--logdir", "runs", "--storage", file, code=cli.FAILED)
    assert f"the storage file cannot be read (No such file or directory): {file}" in message
    assert "--storage" in hint


def test_a_secret_without_credentials_is_not_filled_from_the_environment(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "of the environment")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "of the environment")
    file = tmp_path / "storage.toml"
    file.write_text("[secrets.team]\nendpoint = 'http://127.0.0.1:1'\n")
    assert cli.main(["inspect", "s3://team@bkt/runs", "--storage", str(file)]) == cli.FAILED
    error, hint = capsys.readouterr().err.splitlines()
    assert "the secret `team` has no credentials" in error
    assert "add `key` and `secret`" in hint


# ---- what only a connection shows

QUIET = {"AWS_EC2_METADATA_DISABLED": "true", "ALIBABA_CLOUD_ECS_METADATA_DISABLED": "true"}
KEYS = {"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": SECRET}

# address, variables → part of the message, part of the hint, code on the page
FAILING = {
    "a closed port": (
        ("s3://bkt/runs", {**KEYS, "AWS_ENDPOINT_URL": "http://127.0.0.1:1"}),
        ("nothing answers at http://127.0.0.1:1", "is the server running?", "storage.refused"),
    ),
    "an unknown host": (
        ("s3://bkt/runs", {**KEYS, "AWS_ENDPOINT_URL": "http://nowhere.invalid:9000"}),
        ("the host name is unknown: http://nowhere.invalid:9000", "check the spelling", "storage.unknown_host"),
    ),
    "minio without a server": (
        ("minio://bkt/runs", {}),
        ("the server of this bucket is unknown", "MINIO_ENDPOINT", "storage.no_endpoint"),
    ),
    "oss without a region": (
        ("oss://bkt/runs", {}),
        ("the region of this bucket is unknown", "OSS_REGION", "storage.no_region"),
    ),
    "azure without an account": (
        ("az://logs/runs", {}),
        ("the storage account of this container is unknown", "AZURE_STORAGE_ACCOUNT_NAME", "storage.no_account"),
    ),
    "an unknown profile": (
        ("s3://bkt/runs", {"AWS_PROFILE": "work"}),
        ("the profile `work` does not exist", "AWS_PROFILE", "storage.no_profile"),
    ),
    "a web server that does not listen": (
        ("http://127.0.0.1:1/runs", {}),
        ("127.0.0.1:1", "", ""),
    ),
}


@pytest.mark.parametrize("name", FAILING)
def test_a_board_says_once_why_it_cannot_read_and_shows_it_on_the_page(name: str) -> None:
    (address, variables), (message, hint, code) = FAILING[name]
    words = ("--logdir", address, "--port", "0", "--no_index", "--reload_interval", "0.1")
    with board_process.Process(*words, env={**QUIET, **variables}) as board:
        board_process.wait_until(lambda: problem_of(board), "a problem of the source")
        place = problem_of(board)
        notices = [notice for notice in health_of(board) if notice["code"] == "logdir.storage"]
        _, _, err = board.stop()
    because = place["parameters"]["because"]
    assert message in because["message"]
    assert hint in because["hint"]
    assert code in because["code"]
    assert because["message"] in notices[0]["message"]
    assert notices[0]["parameters"]["path"] == address
    lines = [line for line in err.splitlines() if line.startswith("notice: ")]
    assert len(lines) == 1, err
    assert message in lines[0]
    assert hint in lines[0]
    assert address in lines[0]
    assert SECRET not in err + json.dumps([place, notices])


def problem_of(board: board_process.Process) -> Any:
    (place,) = json.loads(board.get("api/board")[1])["places"]
    return place if place["problem"] == "unreadable" else None


def health_of(board: board_process.Process) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(board.get("api/health")[1])["notices"]
    return found
