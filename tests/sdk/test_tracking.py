"""`SummaryWriter.track`: the same records as `lightboard.init` makes, for people who hold a writer.

How processes end is in test_heartbeat.py.
"""

from __future__ import annotations

import pathlib
import pickle
import threading

import pytest
from run_records import records, states

import lightboard
from lightboard.sdk import recorder, tracking, trouble


def watchers() -> list[threading.Thread]:
    return [each for each in threading.enumerate() if each.name == "lightboard-tracking"]


def test_a_writer_that_is_tracked_says_where_it_comes_from_and_how_it_ended(tmp_path: pathlib.Path) -> None:
    with lightboard.SummaryWriter(tmp_path / "good", strict=True) as writer:
        writer.track(console=True)
        writer.track()  # once is enough
        writer.add_scalar("loss", 1.0, 0)
        assert len(watchers()) == 1
    assert watchers() == []
    writer = lightboard.SummaryWriter(tmp_path / "bad", strict=True)
    writer.track(metadata=False)
    with pytest.raises(ZeroDivisionError), writer:
        raise ZeroDivisionError
    with lightboard.open(tmp_path) as logs:
        assert states(logs) == {"good": "finished", "bad": "crashed"}
        assert "python" in records(logs, "good", "run")[0]
        assert records(logs, "bad", "heartbeat")[-1]["exception"] == "ZeroDivisionError"


def test_a_writer_without_a_disk_is_not_tracked() -> None:
    with lightboard.SummaryWriter(write_to_disk=False) as writer:
        writer.track()
        assert watchers() == []


def test_a_tracked_writer_can_be_sent_to_another_process(tmp_path: pathlib.Path) -> None:
    with lightboard.SummaryWriter(tmp_path / "a", strict=True) as writer:
        writer.track(metadata=False)
        copy = pickle.loads(pickle.dumps(writer))
        copy.add_scalar("loss", 1.0, 0)
        copy.close()
        assert len(watchers()) == 1
    with lightboard.open(tmp_path) as logs:
        assert [each["status"] for each in records(logs, "a", "heartbeat")] == ["running", "success"]


def test_trouble_while_watching_is_told_once_and_disturbs_nothing(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise OSError("no")

    monkeypatch.setattr("lightboard.sdk.heartbeat.beat", fails)
    with pytest.warns(trouble.LoggingWarning) as caught:
        _beat_twice(tmp_path)
    assert len(caught) == 1


def _beat_twice(directory: pathlib.Path) -> None:
    watched = tracking.Tracking(recorder.Recorder(directory), metadata=False)
    watched._attempt(watched._beat)
    watched.stop()
