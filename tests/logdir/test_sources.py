"""Files that are not event files: found by rules, listed as rows of the store, kept in the index, scanned where a rule
says so. What companions say is test_companions'; links are test_links' and, for sources, here."""

from __future__ import annotations

import pathlib
from collections.abc import Callable
from typing import Any

import event_files
import memory_files
import numpy as np
import pytest
from logdir_reader import Reader

from lightboard import _native, errors, logdir, sources, types
from lightboard.store import row_types

Read = Callable[..., Reader]


def put(path: pathlib.Path, content: bytes = b"12345") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def listed(reader: Reader, **asked: Any) -> list[tuple[str, str, str]]:
    """(kind, run, name) of each."""
    return sorted((each.kind, each.run, each.address.rpartition("/")[2]) for each in reader.store.sources(**asked))


FILES = {
    "tf/train/plugins/profile/2026_01_01/host.xplane.pb": ("profile", "tf/train"),
    "jax/plugins/profile/2026_01_01/host.trace.json.gz": ("profile", "jax"),
    "plugins/profile/1/host.xplane.pb": ("profile", "."),
    "torch/run/worker0.17.pt.trace.json": ("profile", "torch/run"),
    "torch/run/worker1.17.pt.trace.json.gz": ("profile", "torch/run"),
    "dump/tfdbg_events.17.host.metadata": ("debugger", "dump"),
    "eval/metrics-00000-of-00001.tfrecord": ("evaluation", "eval"),
    "eval/eval_config.json": ("evaluation", "eval"),
    "eval/validations.tfrecord": ("evaluation", "eval"),
    "data/examples.tfrecord": ("examples", "data"),
    "data/examples.tfrecord.gz": ("examples", "data"),
    "a/projector_config.pbtxt": ("projector", "a"),
    f"b/{sources.PROJECTOR_ASSETS}/projector_config.pbtxt": ("projector", "b"),
    "a/hparams.yaml": ("hparams", "a"),
}
NOT_OURS = (
    "tf/train/plugins/profile/host.xplane.pb",  # too high
    "jax/host.trace.json.gz",
    "a/notes.txt",
    "a/hparams.yaml.bak",
    "a/events.out.tfevents.1.tfrecord",  # an event file, whatever its end
)


def test_files_of_every_rule_are_found_with_their_runs(logs: pathlib.Path, read: Read) -> None:
    for path in (*FILES, *NOT_OURS):
        put(logs / path)
    expected = sorted((kind, run, path.rpartition("/")[2]) for path, (kind, run) in FILES.items())
    reader = read().load()
    assert listed(reader) == expected
    (trace,) = [each for each in reader.store.sources("profile") if each.run == "tf/train"]
    status = (logs / "tf/train/plugins/profile/2026_01_01/host.xplane.pb").stat()
    assert trace.address == str(logs / "tf/train/plugins/profile/2026_01_01/host.xplane.pb")
    assert (trace.state.size, trace.state.mtime_ns) == (5, status.st_mtime_ns)
    assert trace.state.version != 0
    assert reader.store.read_source(trace, 1, 3) == b"234"


def test_python_and_native_patterns_agree(logs: pathlib.Path) -> None:
    for path in (*FILES, *NOT_OURS):
        put(logs / path)
    found, _, _ = _native.walk(str(logs), sources.patterns())
    by_walk = {path: number - 1 for number, (paths, _) in enumerate(found) for path in paths}
    for path in (*FILES, *NOT_OURS):
        assert sources.rule_of(path) == by_walk.get(path, -1)
        assert (sources.rule_of(path) < 0) or sources.names().match(path.rpartition("/")[2])


def test_files_without_a_reader_show_nothing(logs: pathlib.Path, read: Read) -> None:
    """They make no run, no tag, no fault, and wake no page."""
    put(logs / "data/examples.tfrecord")
    put(logs / "dump/tfdbg_events.17.host.metadata")
    reader = read()
    told: list[int] = []
    reader.store.subscribe(told.append)
    reader.load()
    before = len(told)
    put(logs / "dump/tfdbg_events.17.host.metadata", b"longer than before")
    reader.load()
    assert len(told) == before
    assert reader.shown() == {}
    assert reader.store.companions == ()
    assert reader.faults() == []
    assert reader.store.runs() == []


def test_what_changed_since_a_version_is_told(logs: pathlib.Path, read: Read) -> None:
    put(logs / "a/x.tfrecord")
    put(logs / "b/y.pt.trace.json")
    reader = read().load()
    version = reader.store.version
    assert listed(reader, since=version) == []
    put(logs / "a/x.tfrecord", b"another, longer")
    put(logs / "c/z.tfrecord")
    reader.load()
    assert listed(reader, since=version) == [("examples", "a", "x.tfrecord"), ("examples", "c", "z.tfrecord")]
    assert listed(reader, kind="profile", since=version) == []
    assert reader.store.sources_changed("examples") > version >= reader.store.sources_changed("profile") > 0
    version = reader.store.version
    (logs / "b/y.pt.trace.json").unlink()
    reader.load()
    assert listed(reader, kind="profile") == []
    assert reader.store.sources_changed("profile") > version
    assert reader.store.sources_changed("nothing") == 0
    version = reader.store.version
    assert reader.load().store.version == version


def test_patterns_on_runs_leave_out_sources(logs: pathlib.Path, read: Read) -> None:
    put(logs / "keep/x.tfrecord")
    put(logs / "old/x.tfrecord")
    assert listed(read(logdir.parse_spec(str(logs), exclude=["old"])).load()) == [("examples", "keep", "x.tfrecord")]
    assert listed(read(logdir.parse_spec(str(logs), include=["old"])).load()) == [("examples", "old", "x.tfrecord")]


def test_sources_are_followed_as_they_come_grow_and_go(logs: pathlib.Path, read: Read) -> None:
    put(logs / "a/x.tfrecord")
    live = read(reload_interval=0.2).start()
    live.until(lambda: listed(live) == [("examples", "a", "x.tfrecord")])
    put(logs / "a/new.pt.trace.json")
    put(logs / "b/plugins/profile/1/host.xplane.pb")
    live.until(lambda: len(listed(live, kind="profile")) == 2)
    put(logs / "a/x.tfrecord", b"so much longer")
    live.until(lambda: live.store.sources("examples")[0].state.size == 14)
    (logs / "a/x.tfrecord").unlink()
    live.until(lambda: listed(live, kind="examples") == [])


def test_the_second_start_knows_the_sources_before_it_lists(logs: pathlib.Path, read: Read) -> None:
    event_files.write(logs / "a" / "x.tfevents", event_files.scalars("loss", [1]))
    put(logs / "a/x.tfrecord")
    put(logs / "gone/y.tfrecord")
    first = read().load()
    (logs / "gone/y.tfrecord").unlink()
    first.load()
    version, rows = first.store.version, first.store.sources()
    first.stop()
    second = read()
    second.follower._open()
    assert second.store.sources() == rows
    second.load()
    assert second.store.sources() == rows
    assert listed(second, since=version) == []
    put(logs / "b/z.tfrecord")
    assert listed(second.load(), since=version) == [("examples", "b", "z.tfrecord")]


def test_sources_below_a_directory_that_does_not_answer_are_kept(read: Read) -> None:
    memory = memory_files.MemoryFiles()
    memory.put("memory://bucket/a/x.tfrecord", b"1")
    reader = read("memory://bucket", systems=logdir.FileSystems({"memory": memory})).load()
    memory.broken["memory://bucket"] = TimeoutError(110, "no answer")
    assert listed(reader.load()) == [("examples", "a", "x.tfrecord")]
    memory.broken.clear()
    memory.remove("memory://bucket/a/x.tfrecord")
    assert listed(reader.load()) == []


def test_a_source_that_is_a_link_out_of_the_logs_is_not_read(
    logs: pathlib.Path, tmp_path: pathlib.Path, read: Read
) -> None:
    put(tmp_path / "secret", b"secret")
    (logs / "x.tfrecord").symlink_to(tmp_path / "secret")
    reader = read().load()
    (found,) = reader.store.sources()
    with pytest.raises(errors.BadInput, match="outside"):
        reader.store.read_source(found)


def test_a_source_that_is_gone_is_said_to_be(logs: pathlib.Path, read: Read) -> None:
    put(logs / "x.tfrecord")
    reader = read().load()
    (logs / "x.tfrecord").unlink()
    with pytest.raises(errors.NotFound, match=r"x\.tfrecord"):
        reader.store.read_source(reader.store.sources()[0])


# ---- a rule with a scan

RULES = (*sources.RULES, sources.Rule("numbers", "plugins/numbers/*.csv", scan="numbers", shown=True))


def numbers(tasks: list[_native.Task], fd: int, base: int, threads: int) -> _native.Batch:
    """A trivial scan: every line of a file is a value of the tag `number`, from the line the task begins at on."""
    translated: list[_native.Task] = []
    sizes = []
    for source, offset, limit, part, known in tasks:
        assert isinstance(source, str)
        text = pathlib.Path(source).read_bytes()
        sizes.append(len(text))
        lines = [(at, line) for at, line in enumerate(text.split(b"\n")) if line]
        fresh = [event_files.scalar_event("number", float(line), at) for at, line in lines if 2 * at >= offset]
        made = b"".join(map(event_files.record, fresh))
        translated.append(((made, len(made), 1, 1), 0, limit, part, known))
    batch = _native.scan(translated, fd, base, threads)
    rows = np.frombuffer(bytearray(batch.files), row_types.FILE)
    for row, size, (source, *_) in zip(rows, sizes, tasks, strict=True):
        status = pathlib.Path(str(source)).stat()
        row["version"] = _native.file_version(status.st_dev, status.st_ino)
        row["size"] = row["offset"] = size
        row["mtime_ns"] = status.st_mtime_ns
        row["tail_crc"] = int.from_bytes(pathlib.Path(str(source)).read_bytes()[-4:], "little")
    return Scanned(batch, rows.tobytes())  # type: ignore[return-value]


class Scanned:
    """A batch with other rows of files."""

    def __init__(self, batch: _native.Batch, files: bytes) -> None:
        self._batch = batch
        self.files = files

    def __getattr__(self, name: str) -> Any:
        return getattr(self._batch, name)


@pytest.fixture
def scanning(logs: pathlib.Path, read: Read) -> Callable[..., Reader]:
    def make(**options: Any) -> Reader:
        return read(rules=RULES, scans={"numbers": numbers}, **options)

    put(logs / "run/plugins/numbers/n.csv", b"5\n6\n7\n")
    event_files.write(logs / "run" / "x.tfevents", event_files.scalars("loss", [1]))
    return make


def test_a_rule_may_name_a_scan_whose_columns_go_into_segments(
    logs: pathlib.Path, scanning: Callable[..., Reader]
) -> None:
    reader = scanning().load()
    assert reader.shown() == {"run": {"loss": [(0, 1)], "number": [(0, 5), (1, 6), (2, 7)]}}
    assert listed(reader, kind="numbers") == [("numbers", "run", "n.csv")]
    with (logs / "run/plugins/numbers/n.csv").open("ab") as file:
        file.write(b"8\n")
    assert reader.load().shown()["run"]["number"] == [(0, 5), (1, 6), (2, 7), (3, 8)]
    put(logs / "run/plugins/numbers/n.csv", b"9\n")
    assert reader.load().shown()["run"]["number"] == [(0, 9)]
    (logs / "run/plugins/numbers/n.csv").unlink()
    assert reader.load().shown() == {"run": {"loss": [(0, 1)]}}


def test_scanned_columns_are_restored_by_the_second_start(logs: pathlib.Path, scanning: Callable[..., Reader]) -> None:
    scanning().load().stop()
    second = scanning()
    second.follower._open()
    assert second.shown()["run"]["number"] == [(0, 5), (1, 6), (2, 7)]
    version = second.store.version
    second.load()
    assert second.store.series_rows(types.Kind.SCALARS, since=version).tolist() == []
    event_files.write(logs / "another" / "x.tfevents", event_files.scalars("loss", [2]))  # in another order
    second.load()
    assert second.shown()["run"]["number"] == [(0, 5), (1, 6), (2, 7)]


def test_a_scanned_file_is_followed(logs: pathlib.Path, scanning: Callable[..., Reader]) -> None:
    live = scanning(reload_interval=0.2).start()
    with (logs / "run/plugins/numbers/n.csv").open("ab") as file:
        file.write(b"8\n")
    live.until(lambda: live.shown()["run"]["number"][-1] == (3, 8))


def test_a_link_out_of_the_logs_is_not_scanned(
    logs: pathlib.Path, tmp_path: pathlib.Path, scanning: Callable[..., Reader]
) -> None:
    put(tmp_path / "secret.csv", b"42\n")
    (logs / "evil/plugins/numbers").mkdir(parents=True)
    (logs / "evil/plugins/numbers/n.csv").symlink_to(tmp_path / "secret.csv")
    assert set(scanning().load().shown()) == {"run"}


def test_the_rules_are_told_apart() -> None:
    """No rule is hidden by one above it, and kinds that are kept have pages."""
    for number, rule in enumerate(sources.RULES):
        example = rule.pattern.replace("*", "x")
        assert sources.rule_of(f"run/{example}") == number
        assert rule.run_of(f"run/{example}") == "run"
        assert rule.key_of("run", f"/logs/run/{example}") == f"run/{example}"
        assert rule.key_of(".", f"/logs/{example}") == example
        assert rule.shown or not rule.keep
