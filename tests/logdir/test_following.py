"""A board in the background: changes show up by themselves, told by the kernel or found by looking.

Each change is tried both ways. Waiting is for the condition; how long it took is not judged.
"""

from __future__ import annotations

import logging
import os
import pathlib
import shutil
import threading
from collections.abc import Callable

import event_files
import pytest
from logdir_reader import Reader

from lightboard import _native, errors, logdir
from lightboard.logdir import discovery, follower, notifications

Read = Callable[..., Reader]

# Told: no safety walk happens within the test. Looked for: no notifications, a walk ten times a second.
WAYS = {"told": {"reload_interval": 1000.0}, "looked for": {"reload_interval": 0.1, "notify": False}}


@pytest.fixture(params=list(WAYS))
def live(request: pytest.FixtureRequest, logs: pathlib.Path, read: Read) -> Reader:
    """A running board over one run `a`, watching."""
    event_files.write(logs / "a" / "x.tfevents.1", event_files.scalars("loss", [1]))
    reader = read(**WAYS[request.param]).start()
    if request.param == "told":
        reader.until(lambda: bool(reader.follower._watcher and reader.follower._watcher._numbers))
    return reader


def loss(*numbers: float) -> list[tuple[int, float]]:
    return list(enumerate(numbers))


def test_growth_shows(logs: pathlib.Path, live: Reader) -> None:
    for number in (2, 3, 4):
        event_files.append(logs / "a" / "x.tfevents.1", event_files.scalars("loss", [number], first_step=number - 1))
        live.until(lambda number=number: live.shown() == {"a": {"loss": loss(*range(1, number + 1))}})  # type: ignore[misc]


def test_a_second_file_and_a_late_append_to_the_first_show(logs: pathlib.Path, live: Reader) -> None:
    event_files.write(logs / "a" / "x.tfevents.2", event_files.scalars("acc", [7]))
    live.until(lambda: "acc" in live.shown()["a"])
    event_files.append(logs / "a" / "x.tfevents.1", event_files.scalars("loss", [2], first_step=1))
    live.until(lambda: live.shown() == {"a": {"loss": loss(1, 2), "acc": [(0, 7.0)]}})


def test_new_runs_show_however_deep(logs: pathlib.Path, live: Reader) -> None:
    event_files.write(logs / "b" / "c" / "d" / "x.tfevents", event_files.scalars("loss", [5]))
    live.until(lambda: live.shown().get("b/c/d") == {"loss": loss(5)})
    event_files.append(logs / "b" / "c" / "d" / "x.tfevents", event_files.scalars("loss", [6], first_step=1))
    live.until(lambda: live.shown()["b/c/d"] == {"loss": loss(5, 6)})


def test_a_run_moved_in_shows_and_one_moved_out_goes(logs: pathlib.Path, tmp_path: pathlib.Path, live: Reader) -> None:
    event_files.write(tmp_path / "outside" / "sub" / "x.tfevents", event_files.scalars("loss", [5]))
    (tmp_path / "outside").rename(logs / "inside")
    live.until(lambda: live.shown().get("inside/sub") == {"loss": loss(5)})
    (logs / "inside").rename(tmp_path / "outside")
    live.until(lambda: set(live.shown()) == {"a"})


def test_a_renamed_run_is_followed_under_its_new_name(logs: pathlib.Path, live: Reader) -> None:
    (logs / "a").rename(logs / "b")
    live.until(lambda: live.shown() == {"b": {"loss": loss(1)}})
    event_files.append(logs / "b" / "x.tfevents.1", event_files.scalars("loss", [2], first_step=1))
    live.until(lambda: live.shown() == {"b": {"loss": loss(1, 2)}})


def test_a_run_below_a_renamed_directory_is_followed(logs: pathlib.Path, live: Reader) -> None:
    event_files.write(logs / "p" / "q" / "x.tfevents", event_files.scalars("loss", [5]))
    live.until(lambda: "p/q" in live.shown())
    (logs / "p").rename(logs / "r")
    live.until(lambda: set(live.shown()) == {"a", "r/q"})
    event_files.append(logs / "r" / "q" / "x.tfevents", event_files.scalars("loss", [6], first_step=1))
    live.until(lambda: live.shown()["r/q"] == {"loss": loss(5, 6)})


def test_removal_shows(logs: pathlib.Path, live: Reader) -> None:
    event_files.write(logs / "b" / "x.tfevents", event_files.scalars("loss", [5]))
    live.until(lambda: "b" in live.shown())
    (logs / "b" / "x.tfevents").unlink()
    live.until(lambda: set(live.shown()) == {"a"})
    shutil.rmtree(logs / "a")
    live.until(lambda: live.shown() == {})


def test_truncation_and_replacement_show(logs: pathlib.Path, tmp_path: pathlib.Path, live: Reader) -> None:
    path = logs / "a" / "x.tfevents.1"
    event_files.write(path, event_files.scalars("loss", [8]))  # the same inode, emptied and written anew
    live.until(lambda: live.shown() == {"a": {"loss": loss(8)}})
    event_files.write(tmp_path / "fresh", event_files.scalars("loss", [9])).rename(path)
    live.until(lambda: live.shown() == {"a": {"loss": loss(9)}})


def test_a_linked_run_shows_and_grows(logs: pathlib.Path, tmp_path: pathlib.Path, live: Reader) -> None:
    event_files.write(tmp_path / "far" / "x.tfevents", event_files.scalars("loss", [5]))
    (logs / "link").symlink_to(tmp_path / "far")
    live.until(lambda: live.shown().get("link") == {"loss": loss(5)})
    event_files.append(tmp_path / "far" / "x.tfevents", event_files.scalars("loss", [6], first_step=1))
    live.until(lambda: live.shown()["link"] == {"loss": loss(5, 6)})
    (logs / "link").unlink()
    live.until(lambda: set(live.shown()) == {"a"})


def test_many_runs_at_once_all_show(logs: pathlib.Path, live: Reader) -> None:
    for number in range(200):
        event_files.write(logs / f"group{number % 7}" / f"run{number}" / "x.tfevents", event_files.scalars("loss", [5]))
    live.until(lambda: sum(1 for tags in live.shown().values() if tags) == 201)


def test_a_root_that_appears_later_is_followed(tmp_path: pathlib.Path, read: Read) -> None:
    reader = read(tmp_path / "later", reload_interval=0.1).start()
    assert reader.faults() == [("later", "missing")]
    event_files.write(tmp_path / "later" / "a" / "x.tfevents", event_files.scalars("loss", [5]))
    reader.until(lambda: reader.shown() == {"a": {"loss": loss(5)}})
    reader.until(lambda: reader.faults() == [])


def test_without_an_interval_logs_are_read_once(logs: pathlib.Path, read: Read) -> None:
    event_files.write(logs / "a" / "x.tfevents", event_files.scalars("loss", [1]))
    reader = read(reload_interval=0.0).start()
    thread = reader.follower._thread
    assert thread is not None
    thread.join(20)
    assert not thread.is_alive()
    assert reader.shown() == {"a": {"loss": loss(1)}}


def test_too_few_watches_mean_polling_and_a_notice(
    logs: pathlib.Path, read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(watcher: notifications.Watcher, path: str, prefix: str) -> bool:
        watcher.complete, watcher.problem = False, errors.Explanation("the limit is reached")
        return False

    monkeypatch.setattr(notifications.Watcher, "_add", refuse)
    event_files.write(logs / "a" / "x.tfevents", event_files.scalars("loss", [1]))
    reader = read(reload_interval=0.1).start()
    event_files.append(logs / "a" / "x.tfevents", event_files.scalars("loss", [2], first_step=1))
    reader.until(lambda: reader.shown() == {"a": {"loss": loss(1, 2)}})
    reader.until(lambda: reader.faults() == [("logs", "polling")])


def test_one_bad_moment_does_not_end_the_following(
    logs: pathlib.Path, read: Read, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    event_files.write(logs / "a" / "x.tfevents", event_files.scalars("loss", [1]))
    reader = read(reload_interval=0.1, notify=False).start()
    real, failed = discovery.discover, threading.Event()

    def once(*args: object, **options: object) -> object:
        if not failed.is_set():
            failed.set()
            raise RuntimeError("a bad moment")
        return real(*args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(discovery, "discover", once)
    assert failed.wait(20)
    event_files.append(logs / "a" / "x.tfevents", event_files.scalars("loss", [2], first_step=1))
    reader.until(lambda: reader.shown() == {"a": {"loss": loss(1, 2)}})
    assert [record.levelno for record in caplog.records] == [logging.ERROR]


def test_the_walk_is_slower_where_it_costs_more(logs: pathlib.Path, read: Read) -> None:
    reader = read(reload_interval=5.0)
    reader.follower._walk_secs = 0.01
    assert reader.follower._interval() == 5.0
    reader.follower._walk_secs = 2.0
    assert reader.follower._interval() == pytest.approx(2.0 / follower.SHARE)


def test_unrelated_files_are_not_looked_at(logs: pathlib.Path, live: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    real = _native.scan

    def scan(tasks: list[_native.Task], *rest: int) -> _native.Batch:
        seen.extend(os.path.basename(str(task[0])) for task in tasks)  # noqa: PTH119
        return real(tasks, *rest)

    monkeypatch.setattr(_native, "scan", scan)
    (logs / "a" / "model.ckpt").write_bytes(b"x" * 100_000)
    event_files.append(logs / "a" / "x.tfevents.1", event_files.scalars("loss", [2], first_step=1))
    live.until(lambda: live.shown() == {"a": {"loss": loss(1, 2)}})
    assert set(seen) == {"x.tfevents.1"}


def test_stopping_twice_or_before_starting_is_fine(logs: pathlib.Path, read: Read) -> None:
    reader = read()
    reader.stop()
    reader.start()
    reader.stop()
    reader.stop()


def test_a_spec_we_cannot_read_is_refused_at_once() -> None:
    from lightboard import errors, store

    with pytest.raises(errors.BadInput):
        logdir.Follower(store.Store(), logdir.LogdirSpec((logdir.Root("", "hdfs://host/runs"),)))
