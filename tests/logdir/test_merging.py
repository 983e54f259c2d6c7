"""Many chunks become one: the same points, no copies, nothing lost on disk or in views that are held."""

from __future__ import annotations

import pathlib
from collections.abc import Callable

import event_files
import numpy as np
import pytest
from logdir_reader import Reader

from lightboard import types
from lightboard.logdir import follower, loading, merging, segments

Read = Callable[..., Reader]


Merge = Callable[[Reader], None]


@pytest.fixture
def merge(monkeypatch: pytest.MonkeyPatch) -> Merge:
    """Merges when the test says so, not with every load."""
    real = follower.Follower._merge
    monkeypatch.setattr(follower.Follower, "_merge", lambda self: None)
    return lambda reader: real(reader.follower)


def chunks(reader: Reader, run: str, tag: str) -> int:
    series = reader.store.series(run, tag)
    assert series is not None
    return len(reader.store.chunk_rows(series.row))


def grow(reader: Reader, path: pathlib.Path, times: int, *, first: int = 0) -> None:
    """Append and read point by point, as a live run does."""
    for step in range(first, first + times):
        event_files.append(path, [event_files.scalar_event("loss", step / 2, step, event_files.WALL + step)])
        reader.load()


def test_additions_are_merged_into_a_view(logs: pathlib.Path, read: Read, merge: Merge) -> None:
    path = logs / "x.tfevents"
    reader = read()
    grow(reader, path, 33)
    before = reader.shown()
    assert chunks(reader, ".", "loss") == 33
    merge(reader)
    assert chunks(reader, ".", "loss") == 1
    assert reader.shown() == before
    series = reader.store.series(".", "loss")
    assert series is not None
    points = series.points()
    assert points.values.base is not None  # a view, not a copy
    assert not points.values.flags.writeable
    assert series.stats() == merged_stats(33)


def merged_stats(n: int) -> object:
    from lightboard import store

    return store.Stats(
        n=n,
        first=0.0,
        last=(n - 1) / 2,
        min=0.0,
        max=(n - 1) / 2,
        last_step=n - 1,
        min_wall=event_files.WALL,
        max_wall=event_files.WALL + n - 1,
    )


def test_chunks_stay_few_however_long_a_run_lives(logs: pathlib.Path, read: Read, merge: Merge) -> None:
    reader = read()
    for round_ in range(12):
        grow(reader, logs / "x.tfevents", 10, first=10 * round_)
        merge(reader)
    assert chunks(reader, ".", "loss") < 40
    assert len(reader.store.chunks_table) < 1024 + 120
    assert reader.shown() == {".": {"loss": [(step, step / 2) for step in range(120)]}}


def test_files_and_parts_are_not_mixed(logs: pathlib.Path, read: Read, merge: Merge) -> None:
    reader = read()
    grow(reader, logs / "x.tfevents.1", 20)
    event_files.append(logs / "x.tfevents.1", [event_files.session_start(10, event_files.WALL + 100)])
    for step in range(10, 30):
        later = event_files.WALL + 100 + step
        event_files.append(logs / "x.tfevents.1", [event_files.scalar_event("loss", -step, step, later)])
        reader.load()
    series = reader.store.series(".", "loss")
    assert series is not None
    before = {rewinds: series.points(rewinds).values.tolist() for rewinds in types.Rewinds}
    merge(reader)
    assert chunks(reader, ".", "loss") == 2
    assert {rewinds: series.points(rewinds).values.tolist() for rewinds in types.Rewinds} == before
    assert len(before[types.Rewinds.LATEST]) == 30
    assert len(before[types.Rewinds.ALL]) == 40


def test_references_are_merged_too(logs: pathlib.Path, read: Read, merge: Merge) -> None:
    reader = read()
    for step in range(20):
        event_files.append(logs / "x.tfevents", [event_files.text_event("t", [f"text {step}"], step)])
        reader.load()
    merge(reader)
    assert chunks(reader, ".", "t") == 1
    series = reader.store.series(".", "t")
    assert series is not None
    assert [tensor.strings for tensor in series.tensors()] == [(f"text {step}".encode(),) for step in range(20)]


def test_windows_of_a_huge_file_are_merged_at_once(
    logs: pathlib.Path, read: Read, merge: Merge, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = np.arange(5001.0).tolist()
    event_files.write(logs / "x.tfevents", event_files.scalars("loss", numbers))
    monkeypatch.setattr(loading, "FILE_BYTES", 100_000)
    reader = read().load()
    assert 1 < chunks(reader, ".", "loss") < merging.PATIENCE
    merge(reader)
    assert chunks(reader, ".", "loss") == 1
    assert reader.shown()["."]["loss"] == list(enumerate(numbers))


def test_views_that_are_held_stay_good(
    logs: pathlib.Path, read: Read, merge: Merge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(merging, "LARGE_BYTES", 0)
    reader = read()
    event_files.write(logs / "x.tfevents", event_files.scalars("loss", [1.0, 2.0, 3.0]))
    reader.load()
    series = reader.store.series(".", "loss")
    assert series is not None
    held = series.points()
    grow(reader, logs / "x.tfevents", 20, first=3)
    merge(reader)
    reader.stop()
    assert held.values.tolist() == [1.0, 2.0, 3.0]
    assert held.steps.tolist() == [0, 1, 2]


def test_dead_files_leave_the_disk_and_the_index_stays_right(
    logs: pathlib.Path, index_dir: pathlib.Path, read: Read, merge: Merge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(merging, "LARGE_BYTES", 0)
    reader = read()
    grow(reader, logs / "x.tfevents", 20)
    (old,) = index_dir.glob("*/segment-*")
    merge(reader)
    reader.follower._save()
    shown = reader.shown()
    assert not old.exists()
    assert len(list(index_dir.glob("*/segment-*"))) == 1
    grow(reader, logs / "x.tfevents", 1, first=20)
    reader.stop()
    again = read().load()
    assert chunks(again, ".", "loss") == 2
    assert again.shown() == {".": {"loss": [*shown["."]["loss"], (20, 10.0)]}}


def test_what_is_alive_moves_out_of_dead_segments(
    logs: pathlib.Path, index_dir: pathlib.Path, read: Read, merge: Merge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(merging, "DEAD_BYTES", 0)
    event_files.write(logs / "keep" / "x.tfevents", event_files.scalars("loss", [1.0, 2.0]))
    event_files.write(logs / "drop" / "x.tfevents", event_files.scalars("loss", np.arange(100.0).tolist()))
    read().load().stop()
    (old,) = index_dir.glob("*/segment-*")
    (logs / "drop" / "x.tfevents").unlink()
    reader = read().load()
    merge(reader)
    reader.follower._save()
    assert not old.exists()
    reader.stop()
    assert read().load().shown() == {"keep": {"loss": [(0, 1.0), (1, 2.0)]}}


def test_a_file_mapped_several_times_is_not_taken_for_dead(
    logs: pathlib.Path, index_dir: pathlib.Path, read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(segments, "FIRST_BYTES", 4096)
    monkeypatch.setattr(loading, "ROUND_FILES", 1)
    monkeypatch.setattr(merging, "DEAD_BYTES", 0)
    for number in range(8):
        event_files.write(logs / f"run{number}" / "x.tfevents", event_files.scalars("loss", np.arange(200.0).tolist()))
    reader = read().load()
    assert len({id(view) for view in reader.store.segments}) > 1
    assert len(list(index_dir.glob("*/segment-*"))) == 1
    reader.stop()
    scanned: list[object] = []
    monkeypatch.setattr(segments.Writer, "scan", lambda writer, tasks: scanned.append(tasks))
    assert len(read().load().shown()) == 8
    assert scanned == []


def test_an_emptied_segment_does_not_end_the_index(
    logs: pathlib.Path, read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(merging, "DEAD_BYTES", 0)
    event_files.write(logs / "keep" / "x.tfevents", event_files.scalars("loss", [1.0, 2.0]))
    event_files.write(logs / "drop" / "x.tfevents", event_files.scalars("loss", np.arange(100.0).tolist()))
    read().load().stop()
    (logs / "drop" / "x.tfevents").unlink()
    read().load().stop()  # moves `keep` out
    reader = read().load()
    event_files.append(logs / "keep" / "x.tfevents", event_files.scalars("loss", [3.0], first_step=2))
    reader.load()
    assert reader.index is not None
    assert reader.index.writable
    reader.stop()
    assert read().load().shown() == {"keep": {"loss": [(0, 1.0), (1, 2.0), (2, 3.0)]}}


def test_a_file_removed_meanwhile_is_not_brought_back(logs: pathlib.Path, read: Read) -> None:
    reader = read()
    grow(reader, logs / "x.tfevents", 20)
    series = reader.store.series(".", "loss")
    assert series is not None
    rows = reader.store.chunk_rows(series.row)
    reader.store.retire_files([0])
    assert not merging._merge_one(reader.store, reader.follower._writer, rows, merging.unchecked)
    assert reader.shown() == {}


def test_scripts_get_views_at_once(logs: pathlib.Path, read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    event_files.write(logs / "x.tfevents", event_files.scalars("loss", np.arange(5001.0).tolist()))
    monkeypatch.setattr(loading, "FILE_BYTES", 100_000)
    assert chunks(read().load(), ".", "loss") == 1
