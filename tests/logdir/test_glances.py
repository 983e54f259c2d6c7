"""New directories that are found without a walk: while logs are still read, where there are too few watches, after lost
notifications. How long it takes among 100,000 runs is measured by hand (docs/design/0006-following.md)."""

from __future__ import annotations

import os
import pathlib
import time
from collections.abc import Callable
from typing import Any

import event_files
import pytest
from logdir_reader import Reader

from lightboard import errors, logdir
from lightboard.logdir import discovery, follower, glances, loading, notifications

Read = Callable[..., Reader]


def make(path: pathlib.Path, seconds: int = 0) -> None:
    event_files.write(path / "x.tfevents", event_files.scalars("loss", [1]))
    if seconds:
        os.utime(path / "x.tfevents", (seconds, seconds))


def glance(logs: pathlib.Path, began_ns: int = 0) -> glances.Glance:
    found = discovery.discover(logdir.parse_spec(str(logs)), logdir.FileSystems())
    return glances.Glance(found, began_ns or time.time_ns())


def test_directories_of_directories_come_first_then_those_written_last(logs: pathlib.Path) -> None:
    for name, seconds in (("old", 1000), ("group/new", 3000), ("group/deep/run", 2000)):
        make(logs / name, seconds)
    made = glance(logs)
    assert made.parents == {str(logs): "", f"{logs}/group": "group/", f"{logs}/group/deep": "group/deep/"}
    assert [prefix for _, prefix in made.others()] == ["group/new/", "group/deep/run/", "old/"]


def test_new_directories_are_found_once_and_old_ones_not_at_all(logs: pathlib.Path) -> None:
    make(logs / "group/a")
    made = glance(logs)
    assert made.appeared() == {}
    make(logs / "group/b")
    make(logs / "c")
    assert made.appeared() == {f"{logs}/group/b": "group/b/", f"{logs}/c": "c/"}
    assert made.appeared() == {}
    make(logs / "group/a/below")  # `a` had no directory in it: for the next walk
    assert made.appeared() == {}


def test_directories_that_did_not_change_are_not_listed(logs: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(logs / "a")
    made = glance(logs, time.time_ns() + 3600 * 10**9)
    monkeypatch.setattr(os, "scandir", lambda path: pytest.fail(f"listed: {path}"))
    assert made.appeared() == {}


def test_a_run_made_while_the_logs_are_read_is_seen_before_all_are_read(
    logs: pathlib.Path, read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(5):
        make(logs / f"run_{number}")
    monkeypatch.setattr(loading, "ROUND_FILES", 1)
    monkeypatch.setattr(follower, "MEANWHILE_SECS", 0.0)
    reader = read(reload_interval=1000.0)
    real, seen = loading.Loader._round, list[bool]()

    def one_round(loader: loading.Loader, *args: Any) -> Any:
        seen.append("new/run" in reader.store.runs())
        if len(seen) == 1:
            make(logs / "new" / "run")
        return real(loader, *args)

    monkeypatch.setattr(loading.Loader, "_round", one_round)
    reader.start()
    assert seen == [False, *5 * [True]]
    assert set(reader.shown()) == {"new/run", *(f"run_{number}" for number in range(5))}


def test_what_is_made_between_the_walk_and_the_watches_is_seen_among_very_many_runs(
    logs: pathlib.Path, read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(logs / "old")
    real, walks = discovery.discover, list[int]()

    def slow(*args: Any, **options: Any) -> discovery.Found:
        """As expensive as a walk over very many directories; things happen right after the first one."""
        found, until = real(*args, **options), time.process_time() + 0.15
        while time.process_time() < until:
            pass
        walks.append(1)
        if len(walks) == 1:
            make(logs / "new")
            event_files.write(logs / "old" / "y.tfevents", event_files.scalars("late", [1]))
        return found

    monkeypatch.setattr(discovery, "discover", slow)
    reader = read(reload_interval=1000.0).start()
    reader.until(lambda: set(reader.shown()) == {"old", "new"} and "late" in reader.shown()["old"])


def test_new_runs_are_seen_between_walks_where_there_are_too_few_watches(
    logs: pathlib.Path, read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(watcher: notifications.Watcher, path: str, prefix: str) -> bool:
        watcher.complete, watcher.problem = False, errors.Explanation("the limit is reached")
        return False

    monkeypatch.setattr(notifications.Watcher, "_add", refuse)
    monkeypatch.setattr(follower, "SHARE", 1e-12)  # the next walk never comes
    make(logs / "old")
    reader = read(reload_interval=0.1).start()
    reader.until(lambda: reader.faults() == [("logs", "polling")])
    make(logs / "new" / "run")
    reader.until(lambda: set(reader.shown()) == {"old", "new/run"})


def test_with_too_few_watches_directories_of_directories_have_them_and_a_notice_says_so(
    logs: pathlib.Path, read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = notifications.Watcher._add

    def two(watcher: notifications.Watcher, path: str, prefix: str) -> bool:
        if watcher.count < 2:
            return real(watcher, path, prefix)
        watcher.complete, watcher.problem = False, errors.Explanation("the limit is reached")
        return False

    monkeypatch.setattr(notifications.Watcher, "_add", two)
    monkeypatch.setattr(follower, "SHARE", 1e-12)
    make(logs / "group" / "a")
    make(logs / "group" / "b")
    reader = read(reload_interval=1000.0).start()
    reader.until(lambda: reader.faults() == [("logs", "polling")])
    assert "2 directories are watched; the others" in reader.store.notices[0].detail
    make(logs / "group" / "new")
    reader.until(lambda: "group/new" in reader.shown())


def test_new_runs_are_seen_when_the_kernel_lost_notifications(
    logs: pathlib.Path, read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(follower, "SHARE", 1e-12)
    make(logs / "old")
    real = notifications.Watcher.read
    lost = [False]

    def lose(watcher: notifications.Watcher) -> notifications.News:
        news = real(watcher)
        return notifications.News(all=True, lost=True) if lost[0] and news else news

    monkeypatch.setattr(notifications.Watcher, "read", lose)
    reader = read(reload_interval=1000.0).start()
    reader.until(lambda: reader.follower._watcher is not None and reader.follower._watcher.count == 2)
    lost[0] = True
    make(logs / "new")
    reader.until(lambda: set(reader.shown()) == {"old", "new"})
