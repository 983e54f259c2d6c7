"""The index: a second start parses nothing, and whatever happens to it, what is shown is right.

Damage to the catalog is tried at random places; single bits of all its files are flipped in `test_flipped_bits`.
"""

from __future__ import annotations

import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import event_files
import pytest
from logdir_reader import Reader

from lightboard import _native, logdir, types
from lightboard.logdir import catalog, follower, index, loading, segments

Read = Callable[..., Reader]


def fill(logs: pathlib.Path, runs: int = 3) -> dict[str, dict[str, list[tuple[int, float]]]]:
    """Some runs with two tags each; what a reader shows of them."""
    shown = {}
    for number in range(runs):
        events = event_files.scalars("loss", [number, 2, 3]) + event_files.scalars("acc", [number], form="tensor")
        event_files.write(logs / f"run{number}" / "x.tfevents.1", [*events, event_files.text_event("note", ["hi"])])
        shown[f"run{number}"] = {"loss": [(0, float(number)), (1, 2.0), (2, 3.0)], "acc": [(0, float(number))]}
    return shown


def own_dir(index_dir: pathlib.Path) -> pathlib.Path:
    (found,) = (path for path in index_dir.iterdir() if path.is_dir())
    return found


@pytest.fixture
def scans(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Paths of the files that are parsed."""
    seen: list[str] = []
    real = _native.scan

    def scan(tasks: list[_native.Task], *rest: int) -> _native.Batch:
        seen.extend(str(task[0]) for task in tasks)
        return real(tasks, *rest)

    monkeypatch.setattr(_native, "scan", scan)
    return seen


def test_a_second_start_parses_nothing(logs: pathlib.Path, read: Read, scans: list[str]) -> None:
    shown = fill(logs)
    read().load().stop()
    scans.clear()
    reader = read().load()
    assert reader.shown() == shown
    assert scans == []
    assert reader.store.progress.done
    series = reader.store.series("run1", "note")
    assert series is not None
    assert series.tensor(0).strings == (b"hi",)
    assert series.metadata.plugin == "text"


def test_a_second_start_reads_only_what_is_new(logs: pathlib.Path, read: Read, scans: list[str]) -> None:
    shown = fill(logs)
    read().load().stop()
    scans.clear()
    event_files.append(logs / "run1" / "x.tfevents.1", event_files.scalars("loss", [4], first_step=3))
    event_files.write(logs / "run9" / "x.tfevents.1", event_files.scalars("loss", [5]))
    shutil.rmtree(logs / "run2")
    shown["run1"]["loss"].append((3, 4.0))
    shown["run9"] = {"loss": [(0, 5.0)]}
    del shown["run2"]
    for _ in range(3):
        reader = read().load()
        assert reader.shown() == shown
        reader.stop()
    assert sorted(scans) == [f"{logs}/run1/x.tfevents.1", f"{logs}/run9/x.tfevents.1"]


def test_rows_of_removed_files_do_not_pile_up(logs: pathlib.Path, read: Read) -> None:
    fill(logs, runs=2)
    for number in range(5):
        event_files.write(logs / "run0" / "x.tfevents.1", event_files.scalars("loss", [number, number]))
        read().load().stop()
    reader = read().load()
    assert reader.shown()["run0"] == {"loss": [(0, 4.0), (1, 4.0)]}
    tables = (reader.store.files_table, reader.store.runs_table, reader.store.series_table, reader.store.chunks_table)
    assert [len(table) for table in tables] == [2, 2, 4, 4]


def test_faults_and_session_starts_come_back(logs: pathlib.Path, read: Read) -> None:
    records = [bytearray(event_files.record(event)) for event in event_files.scalars("loss", [1, 2, 3])]
    records[1][20] ^= 0xFF
    restart = [event_files.session_start(2, event_files.WALL + 9), *event_files.scalars("loss", [7], first_step=2)]
    (logs / "x.tfevents").write_bytes(b"".join(records) + b"".join(map(event_files.record, restart)))
    first = read().load()
    faults, latest = first.faults(), first.store.series(".", "loss")
    assert len(faults) == 1
    assert latest is not None
    shown = latest.points(types.Rewinds.LATEST).values.tolist()
    assert shown == [1.0, 7.0]
    first.stop()
    second = read().load()
    again = second.store.series(".", "loss")
    assert again is not None
    assert second.faults() == faults
    assert again.points(types.Rewinds.LATEST).values.tolist() == shown


def test_two_readers_share_an_index_that_one_writes(logs: pathlib.Path, index_dir: pathlib.Path, read: Read) -> None:
    shown = fill(logs)
    writer = read().load()
    catalog_bytes = (own_dir(index_dir) / "catalog").read_bytes()
    second = read().load()
    assert writer.index is not None
    assert second.index is not None
    assert (writer.index.writable, second.index.writable) == (True, False)
    event_files.append(logs / "run0" / "x.tfevents.1", event_files.scalars("loss", [4], first_step=3))
    shown["run0"]["loss"].append((3, 4.0))
    assert second.load().shown() == shown
    second.stop()
    assert (own_dir(index_dir) / "catalog").read_bytes() == catalog_bytes
    assert writer.load().shown() == shown
    writer.stop()
    assert read().load().shown() == shown


def test_a_reader_survives_its_writer_rewriting_everything(logs: pathlib.Path, read: Read) -> None:
    shown = fill(logs)
    writer = read().load()
    reader = read().load()
    for number in range(3):
        event_files.write(logs / f"run{number}" / "x.tfevents.1", event_files.scalars("loss", [9]))
    writer.load()
    writer.stop()
    assert reader.shown() == shown  # as it was when it looked
    assert reader.load().shown() == {f"run{number}": {"loss": [(0, 9.0)]} for number in range(3)}


@pytest.mark.parametrize("seed", range(30))
def test_a_damaged_catalog_is_thrown_away(logs: pathlib.Path, index_dir: pathlib.Path, read: Read, seed: int) -> None:
    shown = fill(logs)
    read().load().stop()
    path = own_dir(index_dir) / "catalog"
    data = bytearray(path.read_bytes())
    luck = random.Random(seed)
    damage = luck.choice(["flip", "flips", "cut", "zero", "grow", "nothing left"])
    at = luck.randrange(len(data))
    if damage == "flip":
        data[at] ^= 1 << luck.randrange(8)
    elif damage == "flips":
        for _ in range(20):
            data[luck.randrange(len(data))] = luck.randrange(256)
    elif damage == "cut":
        del data[at:]
    elif damage == "zero":
        data[at : at + 512] = bytes(len(data[at : at + 512]))
    elif damage == "grow":
        data += b"\0" * 64
    else:
        data.clear()
    path.write_bytes(data)
    assert read().load().shown() == shown


def test_every_byte_of_the_header_matters(logs: pathlib.Path, index_dir: pathlib.Path, read: Read) -> None:
    fill(logs, runs=1)
    read().load().stop()
    path = own_dir(index_dir) / "catalog"
    good = path.read_bytes()
    for at in range(32):
        path.write_bytes(good[:at] + bytes([good[at] ^ 0x10]) + good[at + 1 :])
        with pytest.raises(ValueError, match=r"catalog|build"):
            catalog.read(str(path))


@pytest.mark.parametrize("damage", ["gone", "short", "other"])
def test_a_damaged_segment_is_noticed(logs: pathlib.Path, index_dir: pathlib.Path, read: Read, damage: str) -> None:
    shown = fill(logs)
    read().load().stop()
    (segment,) = own_dir(index_dir).glob("segment-*")
    if damage == "gone":
        segment.unlink()
    elif damage == "short":
        os.truncate(segment, 100)
    else:
        segment.write_bytes(bytes(segment.stat().st_size))
    assert read().load().shown() == shown


@pytest.mark.parametrize("restored", [False, True])
@pytest.mark.parametrize("size", [0, 100, 5000])
def test_a_segment_cut_under_a_running_board_is_read_again(
    logs: pathlib.Path,
    index_dir: pathlib.Path,
    read: Read,
    caplog: pytest.LogCaptureFixture,
    restored: bool,
    size: int,
) -> None:
    shown = fill(logs, runs=40)
    if restored:
        read().load().stop()
    reader = read().load()
    (segment,) = own_dir(index_dir).glob("segment-*")
    os.truncate(segment, size)
    reader.shown()  # a bus error without the guard
    event_files.append(logs / "run0" / "x.tfevents.1", event_files.scalars("loss", [9.0], first_step=3))
    shown["run0"]["loss"].append((3, 9.0))
    assert reader.load().shown() == shown
    assert "was cut short by another program; the logs are read again" in caplog.text
    assert reader.load().shown() == shown
    assert caplog.text.count("cut short") == 1
    reader.stop()
    assert read().load().shown() == shown


def test_a_following_board_notices_a_cut_segment(logs: pathlib.Path, index_dir: pathlib.Path, read: Read) -> None:
    shown = fill(logs)
    reader = read(reload_interval=0.05).start()
    reader.until(lambda: reader.shown() == shown)
    for segment in own_dir(index_dir).glob("segment-*"):
        os.truncate(segment, 0)
    event_files.append(logs / "run0" / "x.tfevents.1", event_files.scalars("loss", [9.0], first_step=3))
    shown["run0"]["loss"].append((3, 9.0))
    reader.until(lambda: reader.shown() == shown)


@pytest.mark.parametrize("restored", [False, True])
def test_a_reader_notices_a_cut_segment_before_the_next_look(
    logs: pathlib.Path, index_dir: pathlib.Path, read: Read, monkeypatch: pytest.MonkeyPatch, restored: bool
) -> None:
    monkeypatch.setattr(follower, "CUT_CHECK_SECS", 0.0)
    shown = fill(logs)
    if restored:
        read().load().stop()
    reader = read(reload_interval=3600.0).start()
    reader.until(lambda: reader.shown() == shown)
    for segment in own_dir(index_dir).glob("segment-*"):
        os.truncate(segment, 0)
    assert reader.shown() == shown


def test_a_chunk_beyond_its_segment_is_noticed(logs: pathlib.Path, index_dir: pathlib.Path, read: Read) -> None:
    fill(logs)
    read().load().stop()
    found = catalog.read(str(own_dir(index_dir) / "catalog"))
    chunks = found.saved.chunks.copy()
    chunks["values"][0] = 1 << 50
    assert max(index._needed(found).values()) <= found.segments[0].end
    object.__setattr__(found.saved, "chunks", chunks)
    assert max(index._needed(found).values()) > found.segments[0].end


def test_another_build_reads_again(
    logs: pathlib.Path, read: Read, scans: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = fill(logs)
    read().load().stop()
    scans.clear()
    monkeypatch.setattr(catalog, "stamp", lambda: "another build")
    assert read().load().shown() == shown
    assert len(scans) == 3


def test_after_a_crash_of_the_machine_only_synced_columns_are_believed(
    logs: pathlib.Path, read: Read, scans: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = fill(logs)
    reader = read().load()
    reader.stop()
    scans.clear()
    monkeypatch.setattr(index, "boot", lambda: "another boot")
    second = read().load()
    assert second.shown() == shown
    assert len(scans) == 3
    assert second.index is not None
    second.index.sync(second.follower._writer.duplicates())
    second.stop()
    scans.clear()
    monkeypatch.setattr(index, "boot", lambda: "a third boot")
    assert read().load().shown() == shown
    assert scans == []


def test_deleting_the_index_while_it_is_used_is_harmless(
    logs: pathlib.Path, index_dir: pathlib.Path, read: Read
) -> None:
    shown = fill(logs)
    reader = read().load()
    shutil.rmtree(index_dir)
    assert reader.shown() == shown
    event_files.append(logs / "run0" / "x.tfevents.1", event_files.scalars("loss", [4], first_step=3))
    shown["run0"]["loss"].append((3, 4.0))
    assert reader.load().shown() == shown
    reader.stop()
    assert read().load().shown() == shown


def test_an_index_that_cannot_be_made_is_done_without(logs: pathlib.Path, tmp_path: pathlib.Path, read: Read) -> None:
    (tmp_path / "file").write_text("not a directory")
    shown = fill(logs)
    assert read(index=tmp_path / "file" / "index").load().shown() == shown


def test_leftovers_of_a_killed_writer_are_removed(logs: pathlib.Path, index_dir: pathlib.Path, read: Read) -> None:
    shown = fill(logs)
    read().load().stop()
    for name in ("segment-0123456789abcdef.bin", "catalog.123.new"):
        (own_dir(index_dir) / name).write_bytes(b"left")
    reader = read().load()
    assert reader.shown() == shown
    assert len(list(own_dir(index_dir).glob("segment-*"))) == 1
    assert not list(own_dir(index_dir).glob("*.new"))


KILLED = """
import sys
from lightboard import logdir, store
from lightboard.logdir import follower, loading
loading.ROUND_FILES = 2
follower.SAVE_SECS = 0.0
board = logdir.Follower(store.Store(), logdir.parse_spec(sys.argv[1]), index=logdir.Index(sys.argv[2]))
board.store.subscribe(lambda version: board._save(complete=False))
print("go", flush=True)
board.load_once()
print("done", flush=True)
sys.stdin.read()
"""


@pytest.mark.slow
def test_a_writer_killed_at_any_moment_leaves_a_good_index(
    logs: pathlib.Path, index_dir: pathlib.Path, read: Read
) -> None:
    shown = fill(logs, runs=60)
    luck = random.Random(1)
    for attempt in range(12):
        process = subprocess.Popen(
            [sys.executable, "-c", KILLED, str(logs), str(index_dir)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert process.stdout is not None
        assert process.stdin is not None
        assert process.stdout.readline() == b"go\n"
        time.sleep(luck.random() * 0.08)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        if attempt % 3 == 0:
            reader = read().load()
            assert reader.shown() == shown
            reader.stop()
            shutil.rmtree(index_dir)
    assert read().load().shown() == shown


def test_a_full_disk_ends_the_index_not_the_board(
    logs: pathlib.Path, read: Read, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    shown = fill(logs, runs=6)
    monkeypatch.setattr(loading, "ROUND_FILES", 2)
    monkeypatch.setattr(segments, "FIRST_BYTES", 4096)
    real, calls = segments.Segment.scan, [0]

    def scan(segment: segments.Segment, tasks: list[_native.Task], *rest: Any) -> _native.Batch:
        calls[0] += 1
        if segment.name and calls[0] > 1:
            raise OSError(28, "No space left on device")
        return real(segment, tasks, *rest)

    monkeypatch.setattr(segments.Segment, "scan", scan)
    reader = read().load()
    assert reader.shown() == shown
    assert len([record for record in caplog.records if record.levelname == "WARNING"]) == 1
    reader.stop()
    monkeypatch.undo()
    assert read().load().shown() == shown


@pytest.fixture
def tiny_disk(tmp_path: pathlib.Path) -> Iterator[pathlib.Path]:
    """A file system of 64 kB."""
    path = tmp_path / "tiny"
    path.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", path], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("mounting is not allowed here")
    yield path
    subprocess.run(["umount", "--lazy", path], check=True)


def test_a_disk_that_is_really_full_gets_its_space_back(
    logs: pathlib.Path, tiny_disk: pathlib.Path, read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = [float(number) for number in range(6000)]
    for run in range(3):
        event_files.write(logs / f"run{run}" / "x.tfevents", event_files.scalars("loss", numbers))
    monkeypatch.setattr(loading, "ROUND_FILES", 1)
    reader = read(index=tiny_disk / "index").load()
    assert reader.shown() == {f"run{run}": {"loss": list(enumerate(numbers))} for run in range(3)}
    assert [path.name for path in tiny_disk.rglob("*") if path.is_file()] == ["lock"]


FULL = """
import json, resource, signal, sys
from lightboard import logdir, store, types
from lightboard.logdir import segments
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
segments.FIRST_BYTES = 4096
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[3]), resource.RLIM_INFINITY))
found = store.Store()
board = logdir.Follower(found, logdir.parse_spec(sys.argv[1]), index=logdir.Index(sys.argv[2]))
board.load_once()
print(json.dumps(sorted([s.run, s.tag, s.points().values.tolist()] for s in found.all_series(types.Kind.SCALARS))))
board.stop()
"""


@pytest.mark.parametrize("limit_bytes", [0, 100, 5000, 9000, 20000])
def test_files_that_may_not_grow_are_done_without(
    logs: pathlib.Path, index_dir: pathlib.Path, read: Read, limit_bytes: int
) -> None:
    shown = fill(logs, runs=40)
    command = [sys.executable, "-c", FULL, str(logs), str(index_dir), str(limit_bytes)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    expected = sorted(
        [run, tag, [value for _, value in points]] for run, tags in shown.items() for tag, points in tags.items()
    )
    assert json.loads(done.stdout) == expected
    assert read().load().shown() == shown


def test_the_least_recently_used_index_goes_first(tmp_path: pathlib.Path, index_dir: pathlib.Path, read: Read) -> None:
    paths = []
    for number in range(3):
        fill(tmp_path / f"logs{number}", runs=2)
        reader = read(tmp_path / f"logs{number}").load()
        assert reader.index is not None
        paths.append(pathlib.Path(reader.index.path))
        reader.stop()
        os.utime(paths[-1] / "lock", (time.time() - 1000 + number,) * 2)
    size = sum(path.stat().st_blocks * 512 for path in paths[0].iterdir())
    mine = logdir.Index(str(index_dir), max_bytes=2 * size + size // 2)
    mine.open(logdir.parse_spec(str(tmp_path / "logs1")))
    mine.evict()
    assert [path.exists() for path in paths] == [False, True, True]
    mine.close()


def test_an_index_nobody_uses_any_more_goes(tmp_path: pathlib.Path, index_dir: pathlib.Path, read: Read) -> None:
    fill(tmp_path / "old", runs=1)
    reader = read(tmp_path / "old").load()
    assert reader.index is not None
    reader.stop()
    os.utime(pathlib.Path(reader.index.path) / "lock", (1, 1))
    mine = logdir.Index(str(index_dir))
    mine.open(logdir.parse_spec(str(tmp_path / "new")))
    mine.evict()
    mine.close()
    assert not pathlib.Path(reader.index.path).exists()


def test_an_index_in_use_is_not_evicted(tmp_path: pathlib.Path, index_dir: pathlib.Path, read: Read) -> None:
    shown = fill(tmp_path / "used", runs=2)
    used = read(tmp_path / "used").load()
    mine = logdir.Index(str(index_dir), max_bytes=0)
    mine.open(logdir.parse_spec(str(tmp_path / "other")))
    mine.evict()
    assert used.index is not None
    assert pathlib.Path(used.index.path, "catalog").exists()
    assert used.shown() == shown
    mine.close()


def test_sizes_are_taken_while_files_come_and_go(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here").write_bytes(b"x" * 5000)
    monkeypatch.setattr(os, "listdir", lambda path: ["gone", "here"])
    assert index._size_bytes(str(tmp_path)) == (tmp_path / "here").stat().st_blocks * 512


def test_what_is_not_an_index_is_never_removed(tmp_path: pathlib.Path, index_dir: pathlib.Path) -> None:
    (index_dir / "precious").mkdir(parents=True)
    (index_dir / "precious" / "file").write_text("keep")
    mine = logdir.Index(str(index_dir), max_bytes=0)
    mine.open(logdir.parse_spec(str(tmp_path / "other")))
    mine.evict()
    mine.close()
    assert (index_dir / "precious" / "file").read_text() == "keep"


def test_a_logdir_larger_than_the_cap_is_kept_as_far_as_it_goes(
    logs: pathlib.Path, index_dir: pathlib.Path, monkeypatch: pytest.MonkeyPatch, scans: list[str]
) -> None:
    shown = fill(logs, runs=6)
    monkeypatch.setattr(loading, "ROUND_FILES", 1)
    counts = []
    for _ in range(3):
        scans.clear()
        reader = Reader(logs, index_dir)
        assert reader.index is not None
        reader.index.max_bytes = 500
        assert reader.load().shown() == shown
        reader.stop()
        counts.append(len(scans))
    assert counts[0] == 6
    assert 0 < counts[1] < 6
    assert counts[2] == counts[1]


def test_the_key_tells_logdirs_apart(tmp_path: pathlib.Path) -> None:
    texts = ["/a", "/b", "x:/a", "/a,/b", "/b,/a"]
    keys = [index.key(logdir.parse_spec(text)) for text in texts]
    keys.append(index.key(logdir.parse_spec("/a", exclude=["x"])))
    assert len(set(keys)) == len(keys)
    assert all(index.is_key(key) for key in keys)


def test_a_changed_catalog_is_saved_now_and_then(
    logs: pathlib.Path, read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(logs)
    monkeypatch.setattr(follower, "SAVE_SECS", 0.05)
    reader = read().start()
    assert reader.index is not None
    path = pathlib.Path(reader.index.path) / "catalog"
    reader.until(path.exists)
    before = path.stat().st_ino
    event_files.append(logs / "run0" / "x.tfevents.1", event_files.scalars("loss", [4], first_step=3))
    reader.until(lambda: len(reader.shown()["run0"]["loss"]) == 4)

    def saved() -> bool:
        event_files.append(logs / "run1" / "x.tfevents.1", event_files.scalars("loss", [4], first_step=3))
        return path.stat().st_ino != before

    reader.until(saved)


def test_an_index_says_of_which_logdirs_it_is(tmp_path: pathlib.Path) -> None:
    spec = logdir.spec_of([logdir.Root("", str(tmp_path / "a")), logdir.Root("b", str(tmp_path / "日本 🚀"))])
    one = logdir.Index(str(tmp_path / "index"))
    one.open(spec)
    try:
        assert index.whose(one.path) == [str(tmp_path / "a"), f"b:{tmp_path / '日本 🚀'}"]
    finally:
        one.close()
    assert index.whose(str(tmp_path / "none")) == []


def test_the_index_keeps_the_colors_of_runs(read: Callable[..., Reader], logs: pathlib.Path) -> None:
    event_files.write(logs / "b" / "events.out.tfevents.1700000002.host", event_files.scalars("loss", [1.0]))
    one = read().load()
    before = one.store.slots()
    event_files.write(logs / "a" / "events.out.tfevents.1700000001.host", event_files.scalars("loss", [1.0]))
    one.load()
    after = one.store.slots()
    assert after["b"] == before["b"]  # a copy of an older run changes no color
    one.stop()
    assert read().load().store.slots() == after


def test_without_an_index_runs_get_their_colors_again(read: Callable[..., Reader], logs: pathlib.Path) -> None:
    slots: dict[str, int] = {}
    for number in range(30):
        path = logs / f"run{number * 7 % 30}" / f"events.out.tfevents.{1_700_000_000 + number}.host"
        event_files.write(path, event_files.scalars("loss", [1.0]))
        if number % 5 == 0:
            one = read(index=False).load()
            assert {run: one.store.slots()[run] for run in slots} == slots
            slots = one.store.slots()
