"""A log directory, boards over it, and what they show."""

from __future__ import annotations

import pathlib
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from lightboard import logdir, store, types

Shown = dict[str, dict[str, list[tuple[int, float]]]]


class Reader:
    """A store with its follower, as a board has them."""

    def __init__(
        self, path: pathlib.Path | str | logdir.LogdirSpec, index: pathlib.Path | None, **options: Any
    ) -> None:
        spec = path if isinstance(path, logdir.LogdirSpec) else logdir.parse_spec(str(path), is_spec=False)
        systems = options.setdefault("systems", logdir.FileSystems())
        values = logdir.HeavyValues(systems)
        self.store = store.Store(
            values.load, values.load_tables, logdir.FilesBeside(systems), logdir.SourceFiles(systems, spec).read
        )
        self.index = None if index is None else logdir.Index(str(index))
        self.follower = logdir.Follower(self.store, spec, index=self.index, **options)

    def load(self) -> Reader:
        self.follower.load_once()
        return self

    def start(self) -> Reader:
        self.follower.start()
        self.until(lambda: self.store.progress.done)
        return self

    def stop(self) -> None:
        self.follower.stop()

    def until(self, condition: Callable[[], bool], timeout_secs: float = 20.0) -> None:
        deadline = time.monotonic() + timeout_secs
        while not condition():
            assert time.monotonic() < deadline, f"it did not come true; shown: {self.shown()}"
            time.sleep(0.002)

    def shown(self) -> Shown:
        """{run: {tag: [(step, value), ...]}} of every scalar series, runs without any included."""
        with self.store.lock:  # one moment: a follower may be at work
            found: Shown = {run: {} for run in self.store.runs()}
            for series in self.store.all_series(types.Kind.SCALARS):
                points = series.points(types.Rewinds.ALL)
                found[series.run][series.tag] = list(zip(points.steps.tolist(), points.values.tolist(), strict=True))
            return found

    def faults(self) -> list[tuple[str, str]]:
        """(file name, reason) of all faults and notices."""
        every = [fault for faults in self.store.faults.values() for fault in faults] + list(self.store.notices)
        return sorted((pathlib.Path(fault.path).name, fault.reason) for fault in every)


@pytest.fixture
def logs(tmp_path: pathlib.Path) -> pathlib.Path:
    path = tmp_path / "logs"
    path.mkdir()
    return path


@pytest.fixture
def index_dir(tmp_path: pathlib.Path) -> pathlib.Path:
    return tmp_path / "index"


@pytest.fixture
def read(logs: pathlib.Path, index_dir: pathlib.Path) -> Iterator[Callable[..., Reader]]:
    """Makes readers of `logs` with the index in `index_dir`, and stops them in the end."""
    made: list[Reader] = []

    def make(path: Any = None, *, index: bool | pathlib.Path = True, **options: Any) -> Reader:
        where = index_dir if index is True else index or None
        made.append(Reader(logs if path is None else path, where, **options))
        return made[-1]

    yield make
    for reader in made:
        reader.stop()
