"""A whole board over files that are not on this machine: listing, growth, replacement, removal, values, companions,
the index, faults. The store is `memory_files`; what real object stores do besides is theirs to test."""

from __future__ import annotations

import pathlib
from collections.abc import Callable

import embedding_files
import event_files
import memory_files
import numpy as np
import pytest
from logdir_reader import Reader

from lightboard import _native, board, errors, logdir, store, types
from lightboard.logdir import loading
from lightboard.storage import faults

Read = Callable[..., Reader]
ROOT = "memory://bucket/runs"
TRAIN = f"{ROOT}/train/x.tfevents.1"


def content(events: list[bytes]) -> bytes:
    return b"".join(map(event_files.record, events))


def scalars(*values: float, first_step: int = 0) -> bytes:
    return content(event_files.scalars("loss", list(values), first_step=first_step))


def loss(*values: float) -> dict[str, list[tuple[int, float]]]:
    return {"loss": list(enumerate(values))}


@pytest.fixture
def memory() -> memory_files.MemoryFiles:
    return memory_files.MemoryFiles()


@pytest.fixture
def reader(memory: memory_files.MemoryFiles, read: Read) -> Reader:
    return read(ROOT, systems=logdir.FileSystems({"memory": memory}))


def test_runs_are_found_and_read(memory: memory_files.MemoryFiles, reader: Reader) -> None:
    memory.put(TRAIN, scalars(3, 2, 1))
    memory.put(f"{ROOT}/deep/er/x.tfevents", scalars(5))
    memory.put(f"{ROOT}/train/notes.txt", b"nothing of ours")
    memory.put("memory://bucket/elsewhere/x.tfevents", scalars(9))
    assert reader.load().shown() == {"train": loss(3, 2, 1), "deep/er": loss(5)}
    assert reader.faults() == []
    assert memory.requests == {"list": 1, "get": 2}


def test_a_root_may_have_a_name_a_pattern_and_local_ones_beside_it(
    memory: memory_files.MemoryFiles, read: Read, tmp_path: pathlib.Path
) -> None:
    memory.put("memory://a/runs/x/tb/1.tfevents", scalars(1))
    memory.put("memory://a/runs/y/tb/1.tfevents", scalars(2))
    memory.put("memory://a/runs/y/other/1.tfevents", scalars(2))
    event_files.write(tmp_path / "here" / "1.tfevents", event_files.scalars("loss", [3]))
    spec = logdir.parse_spec(f"far:memory://a/runs/*/tb,near:{tmp_path}")
    reader = read(spec, systems=logdir.FileSystems({"memory": memory}))
    assert reader.load().shown() == {"far/x/tb": loss(1), "far/y/tb": loss(2), "near/here": loss(3)}


def test_patterns_leave_out_runs(memory: memory_files.MemoryFiles, read: Read) -> None:
    for run in ("keep", "old/train", "keep/tmp"):
        memory.put(f"{ROOT}/{run}/x.tfevents", scalars(1))
    spec = logdir.parse_spec(ROOT, exclude=["old", "*/tmp"])
    assert set(read(spec, systems=logdir.FileSystems({"memory": memory})).load().shown()) == {"keep"}


def test_an_object_that_grew_is_read_on(memory: memory_files.MemoryFiles, reader: Reader) -> None:
    memory.put(TRAIN, scalars(3, 2))
    reader.load()
    memory.append(TRAIN, scalars(1, first_step=2))
    memory.requests.clear()
    assert reader.load().shown() == {"train": loss(3, 2, 1)}
    assert memory.requests == {"list": 1, "get": 2}  # its last checksum, and what is new


def test_a_record_that_comes_in_halves_is_read_when_it_is_whole(
    memory: memory_files.MemoryFiles, reader: Reader
) -> None:
    whole = scalars(3, 2, 1)
    for cut in range(0, len(whole), 7):
        memory.put(TRAIN, whole[:cut])
        reader.load()
        assert reader.faults() == []
    memory.put(TRAIN, whole)
    assert reader.load().shown() == {"train": loss(3, 2, 1)}


def test_an_object_that_was_replaced_is_read_anew(memory: memory_files.MemoryFiles, reader: Reader) -> None:
    memory.put(TRAIN, scalars(3, 2))
    reader.load()
    memory.put(TRAIN, scalars(7, 6, 5, 4))  # longer, other records
    assert reader.load().shown() == {"train": loss(7, 6, 5, 4)}
    memory.put(TRAIN, scalars(8, 6, 5, 4))  # as long, and the same end
    assert reader.load().shown() == {"train": loss(8, 6, 5, 4)}
    memory.put(TRAIN, scalars(1))  # shorter
    assert reader.load().shown() == {"train": loss(1)}


def test_an_object_that_is_gone_takes_its_run_with_it(memory: memory_files.MemoryFiles, reader: Reader) -> None:
    memory.put(TRAIN, scalars(3))
    memory.put(f"{ROOT}/eval/x.tfevents", scalars(4))
    reader.load()
    memory.remove(TRAIN)
    assert reader.load().shown() == {"eval": loss(4)}


def test_what_changes_is_seen_while_it_is_followed(memory: memory_files.MemoryFiles, read: Read) -> None:
    memory.put(TRAIN, scalars(3))
    live = read(ROOT, systems=logdir.FileSystems({"memory": memory}), reload_interval=0.02).start()
    memory.append(TRAIN, scalars(2, first_step=1))
    memory.put(f"{ROOT}/new/x.tfevents", scalars(5))
    live.until(lambda: live.shown() == {"train": loss(3, 2), "new": loss(5)})
    memory.remove(TRAIN)
    live.until(lambda: live.shown() == {"new": loss(5)})
    assert live.faults() == []


def test_large_objects_are_fetched_in_pieces(
    memory: memory_files.MemoryFiles, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the pieces, points and faults are those of the whole; a record longer than a piece is read as well."""
    monkeypatch.setattr(loading, "FIRST_FETCHED", 100)
    long = content([event_files.text_event("note", ["word " * 100], step=1)])
    damaged = bytearray(scalars(1, 2, 3, 4))
    damaged[len(damaged) // 4 + 3] ^= 1
    memory.put(TRAIN, scalars(*range(50)) + long + bytes(damaged))
    reader.load()
    assert len(reader.shown()["train"]["loss"]) == 53
    assert reader.faults() == [("x.tfevents.1", "length_crc")]
    note = reader.store.series("train", "note")
    assert note is not None
    assert note.tensor(0).strings == (b"word " * 100,)


def test_values_are_fetched_when_they_are_looked_at(memory: memory_files.MemoryFiles, reader: Reader) -> None:
    tables = [
        event_files.summary_event(
            event_files.value(
                "t", event_files.field_bytes(8, event_files.tensor([step, 1, 2], dtype="float64", shape=[1, 3])),
                event_files.summary_metadata("my_plugin"),
            ),
            step=step,
        )
        for step in range(3)
    ]  # fmt: skip
    graph = b"\x0a\x03abc" * 10
    memory.put(TRAIN, content([*tables, event_files.event(event_files.field_bytes(4, graph))]))
    reader.load()
    series, graphs = reader.store.series("train", "t"), reader.store.series("train", "__run_graph__")
    assert series is not None
    assert graphs is not None
    array = series.tensor(2).array
    assert array is not None
    assert array.tolist() == [[2, 1, 2]]
    assert graphs.tensor(0) == types.Tensor((), strings=(graph,))
    assert series.tables().cells.tolist() == [0, 1, 2, 1, 1, 2, 2, 1, 2]
    memory.remove(TRAIN)
    with pytest.raises(errors.Gone, match=TRAIN):
        series.tensor(0)


def test_companions_and_the_files_they_name_are_read(memory: memory_files.MemoryFiles, reader: Reader) -> None:
    home = f"{ROOT}/proj/{embedding_files.CONFIG}"
    memory.put(home, b"one")
    memory.put(f"{ROOT}/proj/sub/vectors.tsv", b"1\t2\n")
    memory.put(f"{ROOT}/secret.tsv", b"no")
    (companion,) = reader.load().store.companions
    assert (companion.kind, companion.run, companion.path, companion.content) == ("projector", "proj", home, b"one")
    beside = reader.store.beside
    assert beside.read(companion, "sub/vectors.tsv", 2, 1) == b"2"
    assert beside.names(companion, "sub") == ["vectors.tsv"]
    for outside in ("../secret.tsv", "/etc/passwd", "../../../../../etc/passwd"):
        with pytest.raises(errors.BadInput):
            beside.read(companion, outside)
    with pytest.raises(errors.NotFound):
        beside.read(companion, "sub/missing.tsv")
    memory.put(home, b"two")
    assert reader.load().store.companions[0].content == b"two"
    memory.remove(home)
    assert reader.load().store.companions == ()


def test_the_second_start_lists_and_fetches_nothing(memory: memory_files.MemoryFiles, read: Read) -> None:
    memory.put(TRAIN, scalars(3, 2))
    memory.put(f"{ROOT}/eval/x.tfevents", scalars(4))
    systems = logdir.FileSystems({"memory": memory})
    first = read(ROOT, systems=systems).load()
    first.stop()
    memory.requests.clear()
    second = read(ROOT, systems=systems).load()
    assert second.shown() == {"train": loss(3, 2), "eval": loss(4)}
    assert memory.requests == {"list": 1}
    second.stop()
    memory.append(TRAIN, scalars(1, first_step=2))
    assert read(ROOT, systems=systems).load().shown()["train"] == loss(3, 2, 1)


def test_a_fault_names_the_uri_and_the_reason_and_goes_away(memory: memory_files.MemoryFiles, reader: Reader) -> None:
    memory.put(TRAIN, scalars(3))
    memory.put(f"{ROOT}/eval/x.tfevents", scalars(4))
    memory.broken[TRAIN] = PermissionError(13, "AccessDenied: not yours")
    reader.load()
    assert reader.shown() == {"eval": loss(4), "train": {}}
    (fault,) = [each for faults in reader.store.faults.values() for each in faults]
    assert (fault.path, fault.reason, fault.detail) == (TRAIN, "open", "AccessDenied: not yours")
    memory.broken.clear()
    assert reader.load().shown() == {"train": loss(3), "eval": loss(4)}
    assert reader.faults() == []


def test_the_reason_of_a_store_has_its_code_also_after_a_restart(memory: memory_files.MemoryFiles, read: Read) -> None:
    memory.put(TRAIN, scalars(3))
    who = errors.Explanation("secret team", code="storage.who.secret", parameters={"name": "team"})
    denied = errors.Explanation("no access", hint="ask", code="storage.denied", parameters={"who": who})
    memory.broken[TRAIN] = faults.StorageError(13, denied, passing=False)
    systems = logdir.FileSystems({"memory": memory})
    for _ in range(2):
        reader = read(ROOT, systems=systems)
        reader.load()
        (fault,) = [each for of_file in reader.store.faults.values() for each in of_file]
        assert (fault.reason, fault.code, fault.detail) == ("open", "fault.store", "no access (ask)")
        assert fault.parameters["because"]["code"] == "storage.denied"
        assert fault.parameters["because"]["parameters"]["who"]["parameters"] == {"name": "team"}
        reader.stop()


def test_a_bucket_that_does_not_answer_keeps_its_runs(memory: memory_files.MemoryFiles, reader: Reader) -> None:
    memory.put(TRAIN, scalars(3))
    reader.load()
    memory.broken[ROOT] = TimeoutError(110, "no answer")
    assert reader.load().shown() == {"train": loss(3)}
    (notice,) = reader.store.notices
    assert notice.path == ROOT
    assert "no answer" in notice.detail
    memory.broken.clear()
    assert reader.load().faults() == []


def test_an_object_replaced_between_listing_and_reading_waits_for_the_next_listing(
    memory: memory_files.MemoryFiles, reader: Reader
) -> None:
    memory.put(TRAIN, scalars(3, 2))
    reader.load()
    listed = memory.discover

    def late(*args: object, **options: object) -> object:
        found = listed(*args, **options)  # type: ignore[arg-type]
        memory.put(TRAIN, scalars(9, 8, 7, 6, 5))
        memory.discover = listed  # type: ignore[method-assign]
        return found

    memory.append(TRAIN, scalars(1, first_step=2))
    memory.discover = late  # type: ignore[method-assign, assignment]
    reader.load()
    assert reader.load().shown() == {"train": loss(9, 8, 7, 6, 5)}
    assert reader.faults() == []


def test_a_board_works_over_handed_in_file_systems(memory: memory_files.MemoryFiles, tmp_path: pathlib.Path) -> None:
    memory.put(TRAIN, scalars(3, 2))
    systems = logdir.FileSystems({"memory": memory})
    options = board.Options(index_dir=str(tmp_path / "index"), sidecar="none")
    one = board.Board(logdir.parse_spec(ROOT), options, systems=systems)
    one.load()
    assert one.roots == (ROOT,)
    assert one.store.runs() == ["train"]
    one.stop()


def test_other_schemes_are_refused_with_what_is_known(memory: memory_files.MemoryFiles) -> None:
    systems = logdir.FileSystems({"memory": memory})
    with pytest.raises(errors.BadInput, match="hdfs://") as refused:
        logdir.Follower(store.Store(), logdir.parse_spec("hdfs://host/runs"), systems=systems)
    assert "s3://" in refused.value.hint


def test_a_file_uri_is_a_path(read: Read, tmp_path: pathlib.Path) -> None:
    event_files.write(tmp_path / "a" / "1.tfevents", event_files.scalars("loss", [3]))
    assert read(f"file://{tmp_path}").load().shown() == {"a": loss(3)}


def test_bytes_and_path_bring_the_same(tmp_path: pathlib.Path) -> None:
    bytes_ = scalars(3, 2, 1) + b"garbage" + scalars(5)
    path = tmp_path / "x.tfevents"
    path.write_bytes(bytes_)
    by_path = _native.scan([(str(path), 0, 1 << 40, 0, {})])
    by_bytes = _native.scan([((bytes_, len(bytes_), 5, 6), 0, 1 << 40, 0, {})])
    for name in ("tags", "chunks", "starts", "faults", "memory", "metadata"):
        assert getattr(by_path, name) == getattr(by_bytes, name)
    rows = [np.frombuffer(each.files, store.row_types.FILE)[0] for each in (by_path, by_bytes)]
    assert rows[1]["version"] == 5
    assert rows[1]["mtime_ns"] == 6
    for name in ("size", "offset", "records", "bad_records", "tail_crc", "min_wall", "max_wall"):
        assert rows[0][name] == rows[1][name]


@pytest.mark.parametrize("source", [("bytes", 5), (b"", 0, 0, 0), 7])
def test_a_source_that_is_none_is_refused(source: object) -> None:
    with pytest.raises((ValueError, TypeError, RuntimeError)):
        _native.scan([(source, 0, 1, 0, {})])  # type: ignore[list-item]
