"""Event files of uploads: appended by whole requests, one per run, begun again after a restart."""

from __future__ import annotations

import pathlib

import pytest

import lightboard
from lightboard import errors, wire
from lightboard.hub.tensorboard_dev import files, messages, records
from lightboard.hub.uploads import paths, stored

METADATA = wire.message(1, wire.text(1, "scalars")) + wire.integer(4, 1)


def points(tag: str, *steps: int) -> files.Tagged:
    made = messages.Tag(tag, METADATA, [messages.Point(step, 1.0 + step, float(step)) for step in steps])
    return tag, lambda metadata: records.scalars(made, metadata=metadata)


def steps_in(folder: pathlib.Path, run: str, tag: str) -> list[int]:
    logs = lightboard.open(folder, index=False, rewinds="all")
    assert logs.faults == []
    return [int(step) for step in logs.scalars(run, tag).steps]


def test_a_run_has_one_file_which_grows(tmp_path: pathlib.Path) -> None:
    upload = files.Files().of("up-1")
    upload.append(tmp_path, "a/b", [points("loss", 0, 1), points("loss", 2)], 5.0)
    upload.append(tmp_path, "a/b", [points("loss", 3)], 6.0)
    upload.append(tmp_path, ".", [points("loss", 7)], 6.0)
    assert steps_in(tmp_path, "a/b", "loss") == [0, 1, 2, 3]
    assert steps_in(tmp_path, ".", "loss") == [7]
    (file,) = (tmp_path / "a" / "b").iterdir()
    assert file.read_bytes().count(b"scalars") == 1
    assert file.name.startswith("events.out.tfevents.0000000005.")


def test_another_process_begins_another_file(tmp_path: pathlib.Path) -> None:
    files.Files().of("up-1").append(tmp_path, "run", [points("loss", 0)], 5.0)
    (file,) = (tmp_path / "run").iterdir()
    file.write_bytes(file.read_bytes()[:-3])  # the hub was killed while it wrote
    files.Files().of("up-1").append(tmp_path, "run", [points("loss", 1)], 5.0)
    assert len(list((tmp_path / "run").iterdir())) == 2
    assert 1 in lightboard.open(tmp_path, index=False).scalars("run", "loss").steps


def test_a_repeated_request_is_recognized() -> None:
    upload = files.Files().of("up-1")
    assert not upload.is_repeated(b"one")
    upload.note_written(b"one")
    upload.note_written(b"two")
    assert upload.is_repeated(b"one") and upload.is_repeated(b"two") and not upload.is_repeated(b"three")


def test_a_full_disk_leaves_whole_records(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    upload = files.Files().of("up-1")
    upload.append(tmp_path, "run", [points("loss", 0)], 5.0)
    write = stored.write_at

    def half(descriptor: int, data: bytes, offset: int, path: str) -> None:
        write(descriptor, data[: len(data) // 2], offset, path)
        raise stored.StorageFull("the disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(stored, "write_at", half)
        with pytest.raises(stored.StorageFull):
            upload.append(tmp_path, "run", [points("loss", 1, 2)], 5.0)
    upload.append(tmp_path, "run", [points("loss", 3)], 5.0)
    assert steps_in(tmp_path, "run", "loss") == [0, 3]


@pytest.mark.parametrize(
    "run", ["../out", "/etc", "a//b", "a/../b", "a\0b", "a\\b", "a\nb", "x" * 300, "d/" * 60 + "e", "a/./b", "\ud800"]
)
def test_a_run_cannot_leave_its_upload(run: str, tmp_path: pathlib.Path) -> None:
    (tmp_path / "top").mkdir()
    with pytest.raises(paths.BadPath):
        files.Files().of("up-1").append(tmp_path / "top", run, [points("loss", 0)], 5.0)
    assert [each.name for each in tmp_path.rglob("*")] == ["top"]


def test_a_run_below_a_file_is_refused(tmp_path: pathlib.Path) -> None:
    upload = files.Files().of("up-1")
    upload.append(tmp_path, "run", [points("loss", 0)], 5.0)
    (file,) = (tmp_path / "run").iterdir()
    with pytest.raises(stored.PathConflict):
        upload.append(tmp_path, f"run/{file.name}", [points("loss", 0)], 5.0)


def test_an_upload_that_was_deleted_is_not_made_again(tmp_path: pathlib.Path) -> None:
    with pytest.raises(errors.NotFound):
        files.Files().of("up-1").append(tmp_path / "gone", "run", [points("loss", 0)], 5.0)
    assert not (tmp_path / "gone").exists()


def test_long_tags_are_written_in_parts(tmp_path: pathlib.Path) -> None:
    """1,000 points of a long tag are 4 MB of records."""
    tag = "t" * 4000
    files.Files().of("up-1").append(tmp_path, "run", [points(tag, *range(1000))], 5.0)
    assert steps_in(tmp_path, "run", tag) == list(range(1000))
    with pytest.raises(errors.BadInput):
        files.check_tag("t" * 5000)


def test_uploads_written_long_ago_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MOST_UPLOADS", 2)
    known = files.Files()
    first = known.of("up-1")
    assert known.of("up-1") is first
    known.of("up-2"), known.of("up-3")
    assert known.of("up-1") is not first
