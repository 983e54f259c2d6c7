"""Several roots elsewhere: they are listed side by side, and one that does not answer delays no other."""

from __future__ import annotations

import pathlib
import threading
from collections.abc import Callable, Iterator

import event_files
import memory_files
import pytest
from logdir_reader import Reader

from lightboard import logdir
from lightboard.logdir import filesystems, listers, problems

Read = Callable[..., Reader]
FAST, SLOW = "memory://fast/runs", "memory://slow/runs"


class Held(memory_files.MemoryFiles):
    """Listings of places with `slow` in their address wait until they are let go; `together` is how many listings
    ran at the same time."""

    def __init__(self) -> None:
        super().__init__()
        self.let_go = threading.Event()
        self.running = self.together = 0

    def discover(self, place: str, search: filesystems.Search) -> filesystems.Listing:
        with self._lock:
            self.running += 1
            self.together = max(self.together, self.running)
        if "slow" in place:
            self.let_go.wait(30)
        try:
            return super().discover(place, search)
        finally:
            with self._lock:
                self.running -= 1


@pytest.fixture
def store() -> Iterator[Held]:
    made = Held()
    for place in (FAST, SLOW):
        made.put(f"{place}/a/x.tfevents", b"".join(map(event_files.record, event_files.scalars("loss", [1.0]))))
    yield made
    made.let_go.set()


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listers, "PATIENCE_SECS", 0.05)


def reader_of(store: Held, read: Read, spec: str) -> Reader:
    return read(logdir.parse_spec(spec), systems=logdir.FileSystems({"memory": store}), reload_interval=0.1)


def test_roots_are_listed_at_the_same_time(store: Held, read: Read) -> None:
    threading.Timer(0.05, store.let_go.set).start()
    reader = reader_of(store, read, f"x:{SLOW},y:memory://slow/other,z:{FAST}")
    assert set(reader.load().shown()) == {"x/a", "z/a"}
    assert store.together == 3


def test_a_root_that_does_not_answer_delays_no_other(
    store: Held, read: Read, tmp_path: pathlib.Path, impatient: None
) -> None:
    event_files.write(tmp_path / "b" / "1.tfevents", event_files.scalars("loss", [3]))
    reader = reader_of(store, read, f"x:{SLOW},y:{FAST},z:{tmp_path}").start()
    reader.until(lambda: set(reader.shown()) == {"y/a", "z/b"})
    (late,) = (each for each in reader.store.notices if each.path == SLOW)
    assert late.parameters["because"].code == "root.listing"
    assert not problems.problems([late])[0].failed
    store.let_go.set()
    reader.until(lambda: set(reader.shown()) == {"x/a", "y/a", "z/b"})
    reader.until(lambda: not any(each.path == SLOW for each in reader.store.notices))


def test_runs_stay_while_their_root_is_listed_again(store: Held, read: Read, impatient: None) -> None:
    store.let_go.set()
    reader = reader_of(store, read, f"x:{SLOW},y:{FAST}").start()
    reader.until(lambda: set(reader.shown()) == {"x/a", "y/a"})
    store.let_go.clear()
    store.put(f"{FAST}/b/x.tfevents", b"")
    reader.until(lambda: any(each.path == SLOW for each in reader.store.notices))
    assert "x/a" in reader.shown()
    store.let_go.set()
    store.remove(f"{SLOW}/a/x.tfevents")
    reader.until(lambda: "x/a" not in reader.shown())


def test_who_reads_once_waits_for_all(store: Held, read: Read, impatient: None) -> None:
    threading.Timer(0.2, store.let_go.set).start()
    assert set(reader_of(store, read, f"x:{SLOW},y:{FAST}").load().shown()) == {"x/a", "y/a"}


def test_a_board_ends_although_a_root_does_not_answer(store: Held, read: Read, impatient: None) -> None:
    reader = reader_of(store, read, f"x:{SLOW},y:{FAST}").start()
    reader.stop()
    assert set(reader.shown()) == {"y/a"}
