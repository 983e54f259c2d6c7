"""What the kernel tells, word by word. What a board makes of it is in test_following."""

from __future__ import annotations

import pathlib
import sys
import threading
import time
from collections.abc import Iterator

import pytest

from lightboard.logdir import notifications
from lightboard.logdir.filesystems import mounts

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="inotify is Linux's")


@pytest.fixture
def watcher(logs: pathlib.Path) -> Iterator[notifications.Watcher]:
    made = notifications.Watcher()
    (logs / "a").mkdir()
    made.watch([(str(logs), ""), (f"{logs}/a", "a/")], whole=True)
    yield made
    made.close()


def test_a_written_event_file_is_named_by_its_key(logs: pathlib.Path, watcher: notifications.Watcher) -> None:
    (logs / "a" / "x.tfevents").write_bytes(b"x")
    (logs / "y.tfevents").write_bytes(b"x")
    (logs / "a" / "model.ckpt").write_bytes(b"x")
    news = watcher.wait(10)
    assert news.files == {"a/x.tfevents": f"{logs}/a/x.tfevents", "y.tfevents": f"{logs}/y.tfevents"}
    assert (news.directories, news.all) == ({}, False)


def test_new_directories_and_links_are_named(logs: pathlib.Path, watcher: notifications.Watcher) -> None:
    (logs / "a" / "b").mkdir()
    (logs / "link").symlink_to("a")
    assert watcher.wait(10).directories == {f"{logs}/a/b": "a/b/", f"{logs}/link": "link/"}


def test_a_directory_that_goes_means_looking_everywhere(logs: pathlib.Path, watcher: notifications.Watcher) -> None:
    (logs / "a").rmdir()
    assert watcher.wait(10).all


def test_lost_words_mean_looking_everywhere(watcher: notifications.Watcher) -> None:
    news = notifications.News()
    watcher._note(-1, notifications._OVERFLOW, "", news)
    assert news.all


def test_one_directory_under_two_names_is_told_under_both(logs: pathlib.Path, watcher: notifications.Watcher) -> None:
    (logs / "link").symlink_to("a")
    watcher.read()
    watcher.watch([(f"{logs}/link", "link/")], whole=False)
    (logs / "a" / "x.tfevents").write_bytes(b"x")
    assert set(watcher.wait(10).files) == {"a/x.tfevents", "link/x.tfevents"}
    watcher.watch([(str(logs), ""), (f"{logs}/a", "a/")], whole=True)
    (logs / "a" / "y.tfevents").write_bytes(b"x")
    assert set(watcher.wait(10).files) == {"a/y.tfevents"}


def test_a_directory_no_longer_wanted_is_silent(logs: pathlib.Path, watcher: notifications.Watcher) -> None:
    watcher.watch([(str(logs), "")], whole=True)
    watcher.read()
    (logs / "a" / "x.tfevents").write_bytes(b"x")
    assert not watcher.read()


def test_waiting_ends_when_woken(watcher: notifications.Watcher) -> None:
    timer = threading.Timer(0.05, watcher.wake)
    timer.start()
    began = time.monotonic()
    assert not watcher.wait(30)
    assert time.monotonic() - began < 20
    timer.join()


def test_without_notifications_it_only_waits(logs: pathlib.Path) -> None:
    blind = notifications.Watcher(enabled=False)
    blind.watch([(str(logs), "")], whole=True)
    (logs / "x.tfevents").write_bytes(b"x")
    assert not blind.wait(0.01)
    assert not blind.complete
    blind.close()


def test_a_missing_directory_is_no_problem(watcher: notifications.Watcher) -> None:
    watcher.watch([("/nowhere/at/all", "x/")], whole=False)
    assert watcher.complete
    assert watcher.problem is None


def test_network_mounts_are_recognised(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = tmp_path / "mountinfo"
    lines = [
        "1 0 8:1 / / rw - ext4 /dev/vda rw",
        r"2 1 0:1 / /home/my\040data rw shared:1 - nfs4 server:/x rw",
        "3 1 0:2 / /mnt rw - tmpfs t rw",
    ]
    table.write_text("\n".join(lines))
    real = open

    def fake(path: str, *args: object, **options: object) -> object:
        return real(table if path == "/proc/self/mountinfo" else path, *args, **options)  # type: ignore[call-overload]

    monkeypatch.setattr("builtins.open", fake)
    assert mounts.remote("/mnt/runs") == ""
    assert mounts.remote("/home/my data/runs") == "nfs4"
