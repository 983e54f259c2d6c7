"""The early scan: the files of a first load are scanned while their rows are added to the store.

Checked: its result is used if the tasks are the same, and only then; it equals that of a scan in turn, with damaged,
compressed, missing and replaced files; nothing uses the writer at the same time. Everything else about reading is in
test_follower.
"""

from __future__ import annotations

import os
import pathlib
import threading
from collections.abc import Callable

import event_files
import numpy as np
import pytest
from logdir_reader import Reader
from numpy.typing import NDArray

from lightboard import _native, sources, store
from lightboard.logdir import filesystems, loading, segments
from lightboard.store import row_types

Read = Callable[..., Reader]
FILES = loading.EARLY_FILES + 20


class Writer(segments.Writer):
    """Records its scans; the next one raises `error`."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.scans: list[tuple[str, list[_native.Task]]] = []
        self.error: Exception | None = None

    def scan(self, tasks: list[_native.Task], scan: segments.Scan) -> segments.Scanned:
        self.scans.append((threading.current_thread().name, tasks))
        error, self.error = self.error, None
        if error is not None:
            raise error
        return super().scan(tasks, scan)


@pytest.fixture
def writer() -> Writer:
    return Writer()


@pytest.fixture
def loader(writer: Writer) -> loading.Loader:
    return loading.Loader(store.Store(), writer, filesystems.FileSystems())


def make(logs: pathlib.Path, count: int = FILES) -> list[str]:
    records = {number: event_files.scalars("loss", [number, number + 0.5]) for number in range(count)}
    return [str(event_files.write(logs / f"{at:03d}" / "x.tfevents.1", each)) for at, each in records.items()]


def sizes_of(paths: list[str]) -> NDArray[np.uint64]:
    return np.array([os.stat(path).st_size for path in paths], np.uint64)


def add(target: store.Store, paths: list[str]) -> NDArray[np.int64]:
    rows = np.zeros(len(paths), row_types.FILE)
    rows["run"] = target.add_runs([pathlib.Path(path).parent.name for path in paths])
    rows["alive"], rows["size"] = 1, sizes_of(paths)
    return target.add_files(rows, paths).astype(np.int64)


def read_all(loader: loading.Loader, rows: NDArray[np.int64]) -> None:
    loader.read(rows, each_round=lambda *_: True)


def points_of(target: store.Store) -> dict[str, list[float]]:
    return {series.run: series.points().values.tolist() for series in target.all_series()}


def test_a_round_with_the_same_tasks_uses_the_early_scan(
    logs: pathlib.Path, loader: loading.Loader, writer: Writer
) -> None:
    paths = make(logs)
    with loader.early(paths, sizes_of(paths)):
        read_all(loader, add(loader.target, paths))
    assert [name for name, _ in writer.scans] == ["lightboard-scan"]
    assert points_of(loader.target) == {f"{at:03d}": [at, at + 0.5] for at in range(FILES)}


def test_a_round_with_other_tasks_scans_itself_after_the_early_scan(
    logs: pathlib.Path, loader: loading.Loader, writer: Writer
) -> None:
    paths = make(logs)
    with loader.early(paths, sizes_of(paths)):
        read_all(loader, add(loader.target, paths[1:]))
    assert [len(tasks) for _, tasks in writer.scans] == [FILES, FILES - 1]
    assert points_of(loader.target) == {f"{at:03d}": [at, at + 0.5] for at in range(1, FILES)}


def test_an_early_scan_has_ended_when_the_caller_fails(
    logs: pathlib.Path, loader: loading.Loader, writer: Writer
) -> None:
    paths = make(logs)
    with pytest.raises(ZeroDivisionError), loader.early(paths, sizes_of(paths)):
        raise ZeroDivisionError
    assert "lightboard-scan" not in [thread.name for thread in threading.enumerate()]
    read_all(loader, add(loader.target, paths))
    assert [len(tasks) for _, tasks in writer.scans] == [FILES, FILES]


def test_a_failed_early_scan_is_repeated_in_halves(logs: pathlib.Path, loader: loading.Loader, writer: Writer) -> None:
    paths = make(logs)
    writer.error = RuntimeError("no")
    with loader.early(paths, sizes_of(paths)):
        read_all(loader, add(loader.target, paths))
    assert [len(tasks) for _, tasks in writer.scans] == [FILES, FILES // 2, FILES // 2]
    assert points_of(loader.target) == {f"{at:03d}": [at, at + 0.5] for at in range(FILES)}


def test_few_files_and_a_store_with_series_are_not_scanned_early(
    logs: pathlib.Path, loader: loading.Loader, writer: Writer
) -> None:
    paths = make(logs, 2)
    with loader.early(paths, sizes_of(paths)):
        read_all(loader, add(loader.target, paths))
    more = make(logs / "more")
    with loader.early(more, sizes_of(more)):
        pass
    assert [len(tasks) for _, tasks in writer.scans] == [2]


def damage(paths: list[str]) -> None:
    """Damage, compress, empty, remove and replace one file each, as between a walk and a scan."""
    pathlib.Path(paths[3]).write_bytes(pathlib.Path(paths[3]).read_bytes()[:-5])
    pathlib.Path(paths[5]).write_bytes(b"\x07" * 100)
    pathlib.Path(paths[7]).unlink()
    event_files.write(pathlib.Path(paths[9]), event_files.scalars("loss", [90, 91, 92]))


@pytest.mark.parametrize("rounds", [loading.ROUND_FILES, 7])
def test_the_same_is_shown_with_and_without_an_early_scan(
    logs: pathlib.Path, read: Read, monkeypatch: pytest.MonkeyPatch, rounds: int
) -> None:
    monkeypatch.setattr(loading, "ROUND_FILES", rounds)
    paths = make(logs)
    event_files.write(logs / "packed" / "x.tfevents.1.gz", event_files.scalars("loss", [1]))
    event_files.write(logs / "000" / "x.tfevents.2", event_files.scalars("loss", [7, 8], first_step=2))
    walked = _native.walk(str(logs), sources.patterns())
    damage(paths)
    found = []
    for least in (1, FILES * 2):
        monkeypatch.setattr(loading, "EARLY_FILES", least)
        reader = read(index=None, first_listing=(str(logs), lambda: walked)).load()
        files = reader.store.files_table.rows.tobytes()
        found.append((reader.shown(), reader.faults(), files, list(reader.store.paths)))
        assert reader.load().shown() == read(index=None).load().shown()
    assert found[0] == found[1]
