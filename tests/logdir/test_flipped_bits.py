"""Bits of the index that flip on disk: each is noticed, and every point is right.

Each flip gets a board of its own, over an index that is intact but for one bit of the catalog or of a segment.
Positions are random; a failure names the seed. `LIGHTBOARD_FLIPS_SEED` repeats it, `LIGHTBOARD_FLIPS` asks for more
flips than the usual few. Left out: bits beyond the filled end of a segment, which nobody reads.
"""

from __future__ import annotations

import logging
import os
import pathlib
import random
import shutil
import threading
from collections.abc import Callable

import event_files
import numpy as np
import pytest
from logdir_reader import Reader

from lightboard import _native, types
from lightboard.logdir import catalog
from lightboard.store import placement

Read = Callable[..., Reader]
Columns = dict[tuple[str, str], tuple[bytes, bytes, bytes]]
RUNS, POINTS = 6, 2000


def fill(logs: pathlib.Path) -> None:
    """Some hundred kilobytes of columns: numbers of both widths, references, a run that was restarted."""
    for run in range(RUNS):
        luck = random.Random(run)
        path = logs / f"run{run}" / "x.tfevents.1"
        path.parent.mkdir()
        with path.open("wb") as file:
            for step in range(POINTS):
                wall = 1e9 + step * 0.5
                for tag, form in (("loss", "simple"), ("double", "double")):
                    file.write(event_files.record(point(tag, form, luck.gauss(0, 1), step, wall)))
                if step % 100 == 0:
                    note = event_files.text_event("note", [f"{run}/{step}"], step, wall)
                    file.write(event_files.record(note))
    event_files.append(logs / "run0" / "x.tfevents.1", [event_files.session_start(1500, 2e9)])
    event_files.append(
        logs / "run0" / "x.tfevents.1",
        [event_files.scalar_event("loss", float(step), step=step, wall_time=2e9 + step) for step in range(1500, 1600)],
    )


def point(tag: str, form: str, number: float, step: int, wall_time: float) -> bytes:
    if form == "simple":
        return event_files.scalar_event(tag, number, step=step, wall_time=wall_time)
    body = event_files.field_bytes(8, event_files.tensor([number], dtype="float64"))
    metadata = event_files.summary_metadata("scalars")
    return event_files.summary_event(event_files.value(tag, body, metadata), step=step, wall_time=wall_time)


def columns_of(reader: Reader, wanted: Callable[[types.Kind], bool]) -> Columns:
    found = {}
    for series in reader.store.all_series():
        if wanted(series.kind):
            points = series.points(types.Rewinds.ALL)
            found[series.run, series.tag] = points.steps.tobytes(), points.wall_times.tobytes(), points.values.tobytes()
    return found


def by_series(reader: Reader) -> Columns:
    """What every series holds, asked for one by one."""
    return columns_of(reader, lambda kind: True)


def by_placement(reader: Reader) -> Columns:
    """The same, scalars as kernels find them."""
    found = columns_of(reader, lambda kind: kind is not types.Kind.SCALARS)
    series = list(reader.store.all_series(types.Kind.SCALARS))
    placed = placement.place(reader.store, np.array([each.row for each in series], np.int64), types.Rewinds.ALL)
    for each, row in zip(series, placed.table.tolist(), strict=True):
        count, width = row[placement.COUNT], 8 if row[placement.DOUBLE] else 4
        places = ((placement.STEPS, 8), (placement.WALLS, 8), (placement.VALUES, width))
        steps, walls, values = (
            bytes(placed.buffers[row[at]][row[at + 1] : row[at + 1] + count * size]) for at, size in places
        )
        found[each.run, each.tag] = steps, walls, values
    return found


class Intact:
    """An index as it was saved: puts it back, but for one bit."""

    def __init__(self, directory: pathlib.Path) -> None:
        self.directory = directory
        ends = {each.name: each.end for each in catalog.read(str(directory / "catalog")).segments}
        self.files = {name: (directory / name).read_bytes()[:end] for name, end in ends.items()}
        self.files["catalog"] = (directory / "catalog").read_bytes()

    def put_back(self, name: str = "", bit: int = 0) -> None:
        shutil.rmtree(self.directory)
        self.directory.mkdir()
        for each, content in self.files.items():
            changed = bytearray(content)
            if each == name:
                changed[bit // 8] ^= 1 << bit % 8
            (self.directory / each).write_bytes(changed)


@pytest.fixture
def intact(logs: pathlib.Path, index_dir: pathlib.Path, read: Read) -> Intact:
    fill(logs)
    read().load().stop()
    (own,) = index_dir.iterdir()
    return Intact(own)


def test_every_flipped_bit_is_noticed_and_every_point_is_right(
    intact: Intact, read: Read, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "lightboard")
    truth = by_series(read(index=False).load())
    assert sum(map(len, intact.files.values())) > 3 * _native.SUM_BLOCK_BYTES
    seed = int(os.environ.get("LIGHTBOARD_FLIPS_SEED", random.randrange(1 << 30)))
    luck = random.Random(seed)
    names = list(intact.files)
    for flip in range(int(os.environ.get("LIGHTBOARD_FLIPS", "40"))):
        (name,) = luck.choices(names, [len(content) for content in intact.files.values()])
        bit = luck.randrange(len(intact.files[name]) * 8)
        which = f"flip {flip} of LIGHTBOARD_FLIPS_SEED={seed}: bit {bit} of {name}"
        intact.put_back(name, bit)
        caplog.clear()
        reader = read().load()
        shown = by_placement(reader) if flip % 2 else by_series(reader)
        assert shown == truth, which
        assert "is damaged; what lay there is read again" in caplog.text or "is thrown away" in caplog.text, which
        assert by_series(reader) == by_placement(reader) == truth, which
        reader.stop()
        if flip % 10 == 0:  # what was saved after it has no damage in it
            caplog.clear()
            again = read().load()
            assert by_series(again) == truth, which
            assert caplog.text == "", which
            again.stop()


def test_an_intact_index_is_used_as_it_is(intact: Intact, read: Read, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "lightboard")
    intact.put_back()
    reader = read().load()
    assert len(by_series(reader)) == RUNS * 3
    assert caplog.text == ""
    series = reader.store.series("run1", "loss")
    assert series is not None
    assert not series.points().values.flags.owndata  # a view, not a copy


def test_damage_is_a_notice_and_only_files_that_lay_there_are_read_again(
    intact: Intact, read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    (segment,) = (name for name in intact.files if name != "catalog")
    intact.put_back(segment, 8 * (len(intact.files[segment]) - 1))
    scanned: list[str] = []
    real = _native.scan

    def scan(tasks: list[_native.Task], *rest: int) -> _native.Batch:
        scanned.extend(str(task[0]) for task in tasks)
        return real(tasks, *rest)

    monkeypatch.setattr(_native, "scan", scan)
    reader = read().load()
    assert scanned == []
    by_series(reader)
    assert 0 < len(scanned) < RUNS
    (notice,) = (each for each in reader.store.notices if each.reason == "index")
    assert notice.path.endswith(segment)
    assert notice.detail == f"a file of the index was damaged; {len(scanned)} event files were read again"
    reader.load()
    assert notice in reader.store.notices


def test_damage_in_many_places_takes_one_repair(intact: Intact, read: Read, caplog: pytest.LogCaptureFixture) -> None:
    truth = by_series(read(index=False).load())
    intact.put_back()
    (segment,) = (name for name in intact.files if name != "catalog")
    with (intact.directory / segment).open("r+b") as file:
        for at in range(1000, len(intact.files[segment]), _native.SUM_BLOCK_BYTES):
            file.seek(at)
            file.write(b"\xff\xfe\xfd")
    assert by_series(read().load()) == truth
    assert caplog.text.count("is damaged; what lay there is read again") == 1


def test_readers_of_a_following_board_wait_for_the_right_points(intact: Intact, read: Read) -> None:
    truth = by_series(read(index=False).load())
    (segment,) = (name for name in intact.files if name != "catalog")
    intact.put_back(segment, 8 * 5000)
    reader = read().start()
    shown: list[Columns] = []
    threads = [threading.Thread(target=lambda: shown.append(by_placement(reader))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(shown) == 4
    # while files are read again, others may find a series without points, but never with wrong ones
    for columns in shown:
        assert all(columns[key] in (truth[key], (b"", b"", b"")) for key in columns)
    assert by_placement(reader) == truth


def test_damaged_chunks_are_not_merged(logs: pathlib.Path, index_dir: pathlib.Path, read: Read) -> None:
    """A merge copies columns: damage must not get a checksum of its own."""
    path = logs / "x.tfevents.1"
    event_files.write(path, event_files.scalars("loss", [0.0]))
    reader = read().load()
    for step in range(1, 12):
        event_files.append(path, event_files.scalars("loss", [float(step)], first_step=step))
        reader.load()
    reader.stop()
    (own,) = index_dir.iterdir()
    intact = Intact(own)
    (segment,) = (name for name in intact.files if name != "catalog")
    intact.put_back(segment, 8 * (len(intact.files[segment]) - 8))  # the last value, before 4 bytes of padding
    reader = read().load()
    for step in range(12, 40):
        event_files.append(path, event_files.scalars("loss", [float(step)], first_step=step))
        reader.load()
    expected = [(step, float(step)) for step in range(40)]
    assert reader.shown() == {".": {"loss": expected}}
    reader.stop()
    assert read().load().shown() == {".": {"loss": expected}}
