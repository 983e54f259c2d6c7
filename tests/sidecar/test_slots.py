"""Slots of runs in the sidecar: kept for other machines, but never a file in logs that nobody annotated."""

from __future__ import annotations

import json
import os
import pathlib

import numpy as np
import pytest

from lightboard import errors, sidecar, store
from lightboard.store import row_types


def add(target: store.Store, *runs: str) -> None:
    rows = np.zeros(len(runs), row_types.FILE)
    rows["run"], rows["alive"] = target.add_runs(runs), 1
    target.add_files(rows, [f"/logs/{run}/events.out.tfevents.1700000000.host" for run in runs])


def board(logdir: pathlib.Path, *runs: str, wanted: str = "") -> tuple[store.Store, sidecar.Sidecar]:
    one = store.Store()
    made = sidecar.Sidecar(one, [str(logdir)], wanted)
    made.refresh()
    if runs:
        add(one, *runs)
    return one, made


def file_of(logdir: pathlib.Path) -> pathlib.Path:
    return logdir / ".lightboard" / "colors.json"


def test_a_board_that_nobody_annotates_writes_nothing_into_the_logs(tmp_path: pathlib.Path) -> None:
    _, made = board(tmp_path, "a", "b")
    made.save_slots()
    assert list(tmp_path.iterdir()) == []


def test_colors_are_the_same_on_another_machine_with_the_same_sidecar(tmp_path: pathlib.Path) -> None:
    one, made = board(tmp_path, "b", "c")
    made.annotate({"b": {"name": "baseline"}})
    add(one, "a")  # an older run that is copied here later
    made.save_slots()
    assert json.loads(file_of(tmp_path).read_text())["slots"] == one.slots()
    other, _ = board(tmp_path, "a", "b", "c")
    assert other.slots() == one.slots()


def test_slots_are_written_once_for_many_runs_and_not_again(tmp_path: pathlib.Path) -> None:
    (tmp_path / ".lightboard").mkdir()
    one, made = board(tmp_path, *(f"run{number}" for number in range(1000)))
    made.save_slots()
    written = file_of(tmp_path).stat()
    made.save_slots()
    one.retire_files([0])
    made.save_slots()
    assert file_of(tmp_path).stat().st_mtime_ns == written.st_mtime_ns
    assert len(json.loads(file_of(tmp_path).read_text())["slots"]) == 1000


def test_two_boards_over_one_sidecar_agree(tmp_path: pathlib.Path) -> None:
    (tmp_path / ".lightboard").mkdir()
    one, first = board(tmp_path, "a", "b", "c")
    two, second = board(tmp_path, "c")
    second.save_slots()
    add(two, "only here")
    first.refresh()
    first.save_slots()
    second.save_slots()
    first.refresh()
    second.refresh()
    assert two.slots()["c"] == one.slots()["c"]
    assert set(json.loads(file_of(tmp_path).read_text())["slots"]) == {"a", "b", "c", "only here"}


@pytest.mark.parametrize(
    "body",
    [b"", b"\0", b"[1]", b'{"slots": 3}', b"[" * 100_000, b'{"slots": {"a": -1, "b": 1e9, "c": "x", "d": true}}'],
)
def test_a_file_that_is_not_ours_does_no_harm(tmp_path: pathlib.Path, body: bytes) -> None:
    file_of(tmp_path).parent.mkdir()
    file_of(tmp_path).write_bytes(body)
    one, _ = board(tmp_path, "a", "b")
    assert one.slots() == board(tmp_path / "elsewhere", "a", "b")[0].slots()


def test_a_file_that_cannot_be_read_is_not_overwritten(tmp_path: pathlib.Path) -> None:
    file_of(tmp_path).parent.mkdir()
    file_of(tmp_path).write_bytes(b"no JSON")
    _, made = board(tmp_path, "a")
    with pytest.raises(errors.Unreadable):
        made.save_slots()
    assert file_of(tmp_path).read_bytes() == b"no JSON"


def test_a_link_is_neither_read_nor_written_through(tmp_path: pathlib.Path) -> None:
    target = tmp_path / "target.json"
    target.write_text('{"slots": {"a": 9}}')
    logs = tmp_path / "logs"
    (logs / ".lightboard").mkdir(parents=True)
    file_of(logs).symlink_to(target)
    one, made = board(logs, "a", "b")
    assert one.slots() == board(tmp_path / "elsewhere", "a", "b")[0].slots()
    with pytest.raises(errors.LightboardError):
        made.save_slots()
    assert target.read_text() == '{"slots": {"a": 9}}'


def test_a_directory_in_the_place_of_the_file_does_not_stop_the_board(tmp_path: pathlib.Path) -> None:
    file_of(tmp_path).mkdir(parents=True)
    one, made = board(tmp_path, "a")
    made.start()
    made._try_to_save_slots()
    made.stop()
    assert os.listdir(file_of(tmp_path)) == []
    assert list(one.slots()) == ["a"]


def test_no_sidecar_no_file(tmp_path: pathlib.Path) -> None:
    (tmp_path / ".lightboard").mkdir()
    _, made = board(tmp_path, "a", wanted="none")
    made.save_slots()
    assert list((tmp_path / ".lightboard").iterdir()) == []
