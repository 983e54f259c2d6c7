"""What a store shows after each kind of change to the files, looked at with `load_once`: no threads, no waiting.

Following in the background, and notifications, are in test_following.
"""

from __future__ import annotations

import os
import pathlib
import shutil
from collections.abc import Callable
from typing import Any

import event_files
import numpy as np
import pytest
from logdir_reader import Reader

from lightboard import _native, errors, sources, types
from lightboard.logdir import filesystems, loading, segments

Read = Callable[..., Reader]


def scalars(*numbers: float, tag: str = "loss", first_step: int = 0, form: str = "simple") -> list[bytes]:
    return event_files.scalars(tag, numbers, first_step=first_step, form=form)


def points(*numbers: float, first_step: int = 0) -> list[tuple[int, float]]:
    return list(enumerate(numbers, first_step))


def test_everything_there_is_read(logs: pathlib.Path, read: Read) -> None:
    event_files.write(logs / "a" / "x.tfevents.1", [event_files.version_event(), *scalars(1, 2, 3)])
    event_files.write(logs / "b" / "x.tfevents.1", scalars(4, 5, form="tensor"))
    event_files.write(logs / "empty" / "x.tfevents.1", [])
    reader = read().load()
    assert reader.shown() == {"a": {"loss": points(1, 2, 3)}, "b": {"loss": points(4, 5)}, "empty": {}}
    assert reader.store.progress == types.Progress(
        True, 3, 3, reader.store.progress.bytes_read, reader.store.progress.bytes_total
    )
    assert reader.faults() == []


def test_a_first_listing_is_used_once(logs: pathlib.Path, read: Read) -> None:
    event_files.write(logs / "early" / "x.tfevents.1", scalars(1))
    walked = _native.walk(str(logs), sources.patterns())
    event_files.write(logs / "late" / "x.tfevents.1", scalars(2))
    reader = read(first_listing=(str(logs), lambda: walked)).load()
    assert reader.shown() == {"early": {"loss": points(1)}}
    assert reader.load().shown() == {"early": {"loss": points(1)}, "late": {"loss": points(2)}}


def test_growth_is_read_from_where_it_was_left(logs: pathlib.Path, read: Read) -> None:
    path = event_files.write(logs / "a" / "x.tfevents.1", scalars(1, 2))
    reader = read().load()
    event_files.append(path, scalars(3, 4, first_step=2))
    assert reader.load().shown() == {"a": {"loss": points(1, 2, 3, 4)}}
    assert reader.store.files_table.rows["records"].tolist() == [4]


def test_a_tensor_scalar_stays_one_when_its_metadata_came_in_the_first_part(logs: pathlib.Path, read: Read) -> None:
    path = event_files.write(logs / "a" / "x.tfevents.1", scalars(1, 2, form="tensor"))
    reader = read().load()
    later = [event_files.scalar_event("loss", 3, 2, form="tensor", metadata=b"")]
    event_files.append(path, later)
    event_files.write(
        logs / "a" / "x.tfevents.2", [event_files.scalar_event("loss", 4, 3, form="tensor", metadata=b"")]
    )
    shown = reader.load().shown()["a"]["loss"]
    assert sorted(shown) == points(1, 2, 3, 4)


def test_a_record_cut_in_half_is_read_when_the_rest_arrives(logs: pathlib.Path, read: Read) -> None:
    whole = b"".join(event_files.record(event) for event in scalars(1, 2, 3))
    path = logs / "x.tfevents.1"
    reader = read()
    for end in range(len(whole) // 2, len(whole) + 1):
        path.write_bytes(whole[:end]) if end == len(whole) // 2 else _append(path, whole[end - 1 : end])
        reader.load()
    assert reader.shown() == {".": {"loss": points(1, 2, 3)}}
    assert reader.faults() == []
    assert len(reader.store.files_table) == 1  # never taken for another file


def _append(path: pathlib.Path, data: bytes) -> None:
    with open(path, "ab") as file:
        file.write(data)


def test_a_truncated_file_is_read_anew(logs: pathlib.Path, read: Read) -> None:
    path = event_files.write(logs / "a" / "x.tfevents.1", scalars(1, 2, 3))
    reader = read().load()
    with open(path, "r+b") as file:
        file.truncate(0)
        file.write(event_files.record(scalars(9)[0]))
    assert reader.load().shown() == {"a": {"loss": points(9)}}


def test_a_file_truncated_and_grown_beyond_where_it_was_is_read_anew(logs: pathlib.Path, read: Read) -> None:
    path = event_files.write(logs / "a" / "x.tfevents.1", scalars(1, 2, 3))
    reader = read().load()
    with open(path, "r+b") as file:  # the same inode, other records, longer than before
        file.truncate(0)
        file.write(b"".join(event_files.record(event) for event in scalars(6, 7, 8, 9)))
    assert reader.load().shown() == {"a": {"loss": points(6, 7, 8, 9)}}


def test_a_replaced_file_is_read_anew_even_if_it_ends_alike(logs: pathlib.Path, read: Read) -> None:
    path = event_files.write(logs / "a" / "x.tfevents.1", scalars(1, 2, 3))
    reader = read().load()
    fresh = event_files.write(logs / "new", scalars(5, 2, 3))
    fresh.replace(path)
    assert reader.load().shown() == {"a": {"loss": points(5, 2, 3)}}


def test_a_replaced_run_never_leaves_the_list(logs: pathlib.Path, read: Read) -> None:
    path = event_files.write(logs / "a" / "x.tfevents.1", scalars(1, 2, 3))
    reader = read().load()
    seen: list[list[str]] = []
    reader.store.subscribe(lambda version: seen.append(reader.store.runs()))
    event_files.write(logs / "new", scalars(5)).replace(path)
    assert reader.load().shown() == {"a": {"loss": points(5)}}
    assert seen
    assert all(runs == ["a"] for runs in seen)


def test_a_replacement_may_give_a_tag_another_kind(logs: pathlib.Path, read: Read) -> None:
    path = event_files.write(logs / "a" / "x.tfevents.1", scalars(1, 2, tag="note"))
    reader = read().load()
    fresh = event_files.write(logs / "new", [event_files.text_event("note", ["hello"])])
    fresh.replace(path)
    reader.load()
    series = reader.store.series("a", "note")
    assert series is not None and series.kind is types.Kind.TEXT
    assert series.tensor(0).strings == (b"hello",)


def test_a_touched_file_is_not_read_again(logs: pathlib.Path, read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    path = event_files.write(logs / "a" / "x.tfevents.1", scalars(1, 2))
    reader = read().load()
    os.utime(path, (1, 1))
    monkeypatch.setattr(segments.Writer, "scan", _must_not_scan)
    assert reader.load().load().shown() == {"a": {"loss": points(1, 2)}}


def _must_not_scan(writer: segments.Writer, tasks: list[_native.Task]) -> None:
    raise AssertionError(f"nothing has changed, yet these are read: {tasks}")


def test_removed_files_and_runs_disappear(logs: pathlib.Path, read: Read) -> None:
    first = event_files.write(logs / "a" / "x.tfevents.1", scalars(1))
    second = event_files.write(logs / "a" / "x.tfevents.2", scalars(2, first_step=1))
    reader = read().load()
    assert reader.shown() == {"a": {"loss": points(1, 2)}}
    first.unlink()
    assert reader.load().shown() == {"a": {"loss": [(1, 2.0)]}}
    second.unlink()
    assert reader.load().shown() == {}
    assert reader.store.series("a", "loss") is None


def test_a_file_that_comes_back_is_shown_again(logs: pathlib.Path, read: Read) -> None:
    path = event_files.write(logs / "a" / "x.tfevents.1", scalars(1))
    reader = read().load()
    path.rename(logs / "away")
    assert reader.load().shown() == {}
    (logs / "away").rename(path)
    assert reader.load().shown() == {"a": {"loss": points(1)}}


def test_a_renamed_run_moves(logs: pathlib.Path, read: Read) -> None:
    event_files.write(logs / "a" / "x.tfevents.1", scalars(1))
    reader = read().load()
    (logs / "a").rename(logs / "b")
    assert reader.load().shown() == {"b": {"loss": points(1)}}


def test_several_writers_in_one_directory_are_all_followed(logs: pathlib.Path, read: Read) -> None:
    writers = [logs / "a" / f"x.tfevents.{number}" for number in range(3)]
    for number, path in enumerate(writers):
        event_files.write(path, scalars(number, tag=f"tag{number}"))
    reader = read().load()
    for round_ in (1, 2):
        for number, path in enumerate(writers):
            event_files.append(path, scalars(round_, tag=f"tag{number}", first_step=round_))
        reader.load()
    assert reader.shown() == {"a": {f"tag{number}": points(number, 1, 2) for number in range(3)}}


def test_a_missing_root_is_picked_up_when_it_appears(tmp_path: pathlib.Path, read: Read) -> None:
    reader = read(tmp_path / "later").load()
    assert reader.store.progress.done
    assert reader.faults() == [("later", "missing")]
    event_files.write(tmp_path / "later" / "a" / "x.tfevents", scalars(1))
    assert reader.load().shown() == {"a": {"loss": points(1)}}
    assert reader.faults() == []


def test_a_directory_that_cannot_be_read_for_a_while_keeps_its_runs(
    logs: pathlib.Path, read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    event_files.write(logs / "a" / "sub" / "x.tfevents", scalars(1))
    event_files.write(logs / "b" / "x.tfevents", scalars(2))
    reader = read().load()
    real = _native.walk

    def stale(*args: Any) -> Any:
        ((files, identities), *beside), directories, faults = real(*args)
        kept = [at for at, path in enumerate(files) if not path.startswith("a/")]
        rows = np.frombuffer(identities, filesystems.IDENTITY)[kept].tobytes()
        events = [files[at] for at in kept], rows
        return [events, *beside], directories, [*faults, ("a", "Stale file handle", -1)]

    monkeypatch.setattr(_native, "walk", stale)
    assert set(reader.load().shown()) == {"a/sub", "b"}
    assert reader.faults() == [("a", "unreadable")]
    (logs / "b" / "x.tfevents").unlink()
    assert set(reader.load().shown()) == {"a/sub"}
    monkeypatch.undo()
    shutil.rmtree(logs / "a")
    assert reader.load().shown() == {}


def test_a_root_that_goes_away_takes_its_runs_with_it(logs: pathlib.Path, read: Read) -> None:
    event_files.write(logs / "a" / "x.tfevents", scalars(1))
    reader = read().load()
    shutil.rmtree(logs)
    assert reader.load().shown() == {}
    assert reader.faults() == [("logs", "missing")]


def test_compressed_event_files_are_named_and_left_alone(logs: pathlib.Path, read: Read) -> None:
    event_files.write(logs / "a" / "x.tfevents.1", scalars(1))
    (logs / "b").mkdir()
    (logs / "b" / "x.tfevents.1.gz").write_bytes(b"\x1f\x8b junk")
    reader = read().load().load()
    assert reader.faults() == [("x.tfevents.1.gz", "compressed")]
    assert reader.shown() == {"a": {"loss": points(1)}, "b": {}}


def test_damage_is_reported_once_and_the_rest_is_read(logs: pathlib.Path, read: Read) -> None:
    records = [bytearray(event_files.record(event)) for event in scalars(1, 2, 3)]
    records[1][20] ^= 0xFF
    path = logs / "x.tfevents.1"
    path.write_bytes(b"".join(records))
    reader = read().load()
    event_files.append(path, scalars(4, first_step=3))
    assert reader.load().shown() == {".": {"loss": [(0, 1.0), (2, 3.0), (3, 4.0)]}}
    assert len(reader.faults()) == 1


def test_garbage_at_the_end_is_reported_once_while_it_grows(logs: pathlib.Path, read: Read) -> None:
    path = event_files.write(logs / "x.tfevents.1", scalars(1))
    reader = read()
    for _ in range(3):
        _append(path, b"\xff" * 40)
        reader.load()
    assert reader.shown() == {".": {"loss": points(1)}}
    assert len(reader.faults()) == 1
    event_files.append(path, scalars(2, first_step=1))
    assert reader.load().shown() == {".": {"loss": points(1, 2)}}


def test_a_file_damaged_just_before_a_cut_record_is_not_taken_for_another(logs: pathlib.Path, read: Read) -> None:
    first, second, third = (event_files.record(event) for event in scalars(1, 2, 3))
    damaged = bytes([second[0] ^ 0xFF]) + second[1:]
    path = logs / "x.tfevents"
    path.write_bytes(first + damaged + third[:-1])
    reader = read().load()
    _append(path, third[-1:])
    assert reader.load().shown() == {".": {"loss": [(0, 1.0), (2, 3.0)]}}
    assert len(reader.store.files_table) == 1


def test_a_file_that_cannot_be_opened_is_tried_again(
    logs: pathlib.Path, read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = event_files.write(logs / "a" / "x.tfevents.1", scalars(1))
    real = _native.scan

    def elsewhere(tasks: list[_native.Task], *rest: int) -> _native.Batch:
        return real([("/nowhere", *task[1:]) for task in tasks], *rest)

    monkeypatch.setattr(_native, "scan", elsewhere)
    reader = read().load()
    version = reader.store.version
    assert [reason for _, reason in reader.faults()] == ["open"]
    monkeypatch.undo()
    assert reader.load().shown() == {"a": {"loss": points(1)}}
    assert reader.faults() == []
    assert reader.store.version > version and path.exists()


def test_a_file_that_breaks_the_reader_is_left_alone(
    logs: pathlib.Path, read: Read, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for number in range(7):
        event_files.write(logs / f"run{number}" / "x.tfevents", scalars(number))
    real = _native.scan

    def fragile(tasks: list[_native.Task], *rest: int) -> _native.Batch:
        if any("/run4/" in str(task[0]) for task in tasks):
            raise MemoryError("too much")
        return real(tasks, *rest)

    monkeypatch.setattr(_native, "scan", fragile)
    reader = read().load().load()
    assert reader.shown() == {f"run{number}": {"loss": points(number)} if number != 4 else {} for number in range(7)}
    assert reader.faults() == [("x.tfevents", "failed")]
    assert len(caplog.records) == 1


def test_a_file_swapped_between_walk_and_scan_is_read_anew(
    logs: pathlib.Path, read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = event_files.write(logs / "a" / "x.tfevents.1", scalars(1, 2))
    fresh = event_files.write(logs / "fresh", scalars(7, 8, 9))
    reader = read().load()
    event_files.append(path, scalars(3, first_step=2))
    real = _native.scan

    def swapping(tasks: list[_native.Task], *rest: int) -> _native.Batch:
        if fresh.exists():
            fresh.replace(path)
        return real(tasks, *rest)

    monkeypatch.setattr(_native, "scan", swapping)
    assert reader.load().shown() == {"a": {"loss": points(7, 8, 9)}}


def test_huge_files_are_read_in_rounds(logs: pathlib.Path, read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = np.arange(500.0).tolist()
    event_files.write(logs / "a" / "x.tfevents.1", scalars(*numbers))
    event_files.write(logs / "b" / "x.tfevents.1", scalars(*numbers))
    monkeypatch.setattr(loading, "ROUND_BYTES", 3000)
    monkeypatch.setattr(loading, "FILE_BYTES", 2000)
    reader = read()
    seen: list[types.Progress] = []
    reader.store.subscribe(lambda version: seen.append(reader.store.progress))
    reader.load()
    assert reader.shown() == {run: {"loss": points(*numbers)} for run in ("a", "b")}
    assert len({progress.bytes_read for progress in seen}) > 5
    assert [progress.done for progress in seen][-1]
    reads = [progress.bytes_read for progress in seen]
    assert reads == sorted(reads) and all(p.bytes_read <= p.bytes_total for p in seen)


def test_a_record_longer_than_a_round_is_read(logs: pathlib.Path, read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "x" * 20_000
    event_files.write(
        logs / "x.tfevents", [*scalars(1), event_files.text_event("t", [text]), *scalars(2, first_step=1)]
    )
    monkeypatch.setattr(loading, "FILE_BYTES", 1000)
    reader = read().load()
    assert reader.shown()["."]["loss"] == points(1, 2)
    series = reader.store.series(".", "t")
    assert series is not None and series.tensor(0).strings == (text.encode(),)


def test_a_value_whose_file_is_gone_says_so(logs: pathlib.Path, read: Read) -> None:
    path = event_files.write(logs / "x.tfevents", [event_files.text_event("t", ["hello"])])
    reader = read().load()
    series = reader.store.series(".", "t")
    assert series is not None
    path.unlink()
    with pytest.raises(errors.Gone, match=r"x\.tfevents"):
        series.tensor(0)


def test_without_an_index_nothing_is_left_behind(
    logs: pathlib.Path, tmp_path: pathlib.Path, read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    import tempfile

    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    event_files.write(logs / "x.tfevents", scalars(1, 2))
    reader = read(index=False).load()
    assert reader.shown() == {".": {"loss": points(1, 2)}}
    assert list((tmp_path / "tmp").iterdir()) == []


def test_without_any_room_points_are_kept_in_memory(
    logs: pathlib.Path, tmp_path: pathlib.Path, read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    import tempfile

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nothing"))
    path = event_files.write(logs / "x.tfevents", scalars(1, 2))
    reader = read(index=False).load()
    event_files.append(path, scalars(3, first_step=2))
    assert reader.load().shown() == {".": {"loss": points(1, 2, 3)}}


def test_a_read_may_be_called_off(logs: pathlib.Path, read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(5):
        event_files.write(logs / str(number) / "x.tfevents", scalars(number))
    monkeypatch.setattr(loading, "ROUND_FILES", 1)
    reader = read()
    reader.store.subscribe(lambda version: reader.follower._stopping.set())
    reader.load()
    assert not reader.store.progress.done
    reader.stop()
    assert read().load().shown() == {str(number): {"loss": points(number)} for number in range(5)}
