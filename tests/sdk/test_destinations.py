"""Where logs go when nobody says."""

from __future__ import annotations

import pathlib
import socket

import pytest

from lightboard.sdk import destinations, object_store, recorder


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in destinations.VARIABLES:
        monkeypatch.delenv(variable, raising=False)


def test_a_given_directory_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIGHTBOARD_LOGDIR", "elsewhere")
    assert destinations.logdir("here", comment="ignored") == "here"
    assert destinations.logdir(pathlib.Path("here")) == "here"


def test_variables_are_asked_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for variable in reversed(destinations.VARIABLES):
        monkeypatch.setenv(variable, f"of-{variable}")
        found.append(destinations.logdir())
    assert found == [f"of-{variable}" for variable in reversed(destinations.VARIABLES)]


def test_an_empty_variable_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIGHTBOARD_LOGDIR", " ")
    monkeypatch.setenv("TENSORBOARD_LOGDIR", "logs")
    assert destinations.logdir() == "logs"


def test_a_comment_becomes_a_sub_run_of_a_variables_directory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIGHTBOARD_LOGDIR", "/out")
    assert destinations.logdir(comment="_lr=0.1") == "/out/lr=0.1"
    monkeypatch.setenv("LIGHTBOARD_LOGDIR", "s3://bucket/job/")
    assert destinations.logdir(comment="_lr=0.1") == "s3://bucket/job/lr=0.1"


def test_otherwise_it_is_runs_with_time_and_host() -> None:
    parent, name = destinations.logdir(comment="_x").rsplit("/", 1)
    assert parent == "runs"
    assert name.endswith(f"_{socket.gethostname()}_x")


@pytest.mark.parametrize(
    ("directory", "remote"),
    [
        ("s3://b/p", True),
        ("gs://b", True),
        ("file:///tmp/a", False),
        ("logs", False),
        ("C:\\logs", False),
        ("s3:/b", True),
        ("s3x:b", False),
    ],
)
def test_object_stores_are_told_from_directories(directory: str, remote: bool) -> None:
    assert destinations.is_remote(directory) is remote


def test_a_file_uri_is_a_path() -> None:
    assert destinations.logdir("file:///logs/a%20b") == "/logs/a b"


def test_the_recorder_fits_the_place(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIGHTBOARD_SPOOL", str(tmp_path / "spool"))
    assert type(destinations.open_recorder(str(tmp_path))) is recorder.Recorder
    remote = destinations.open_recorder("s3://bucket/run")
    assert isinstance(remote, object_store.ObjectStoreRecorder)
    assert remote.logdir.startswith(str(tmp_path / "spool"))
