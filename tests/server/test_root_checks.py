"""`places` and `progress` of `/api/board`: what a page needs to know while it has nothing to show."""

from __future__ import annotations

import os
import pathlib
import threading

import asking
import event_files
import numpy as np
import pytest

from lightboard import board, logdir, query, types
from lightboard.server import root_checks

pytestmark = pytest.mark.anyio


async def problems(*roots: pathlib.Path) -> list[str | None]:
    async with asking.board(query.Builder().build(), roots=tuple(map(str, roots))) as client:
        return [place["problem"] for place in (await client.get("/api/board")).json()["places"]]


async def test_each_problem_has_its_own_word(tmp_path: pathlib.Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file.txt").write_text("")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    kinds = ("nowhere", "empty", "file.txt", "loop", "any*", "empt*", "file.txt/below")
    assert await problems(*(tmp_path / kind for kind in kinds)) == [
        "missing",
        "empty",
        "not_directory",
        "unreadable",
        "missing",
        "empty",
        "not_directory",
    ]


async def test_a_directory_one_may_not_read(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # the system's refusal by hand: root, who often runs tests, may read everything
    def refuse(path: str) -> None:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(os, "scandir", refuse)
    assert await problems(tmp_path) == ["permission"]


async def test_files_and_bytes_are_counted_below_each_root(tmp_path: pathlib.Path) -> None:
    for run in ("a/train", "b/x/train", "b/x/eval"):
        event_files.write(tmp_path / run / "events.out.tfevents.1", event_files.scalars("loss", [1.0]))
    spec = logdir.spec_of([logdir.Root("", str(tmp_path / name)) for name in ("a", "b", "b/x", "c")])
    one = board.Board(spec, board.Options(index=False))
    one.load()
    found = root_checks.check(one.store, one.roots, root_checks.Lookups())
    size = (tmp_path / "a/train/events.out.tfevents.1").stat().st_size
    # what lies below two roots is read below each, under two names; the files are told with the inner one
    assert [(place.problem, place.files, place.bytes) for place in found] == [
        (None, 1, size),
        ("empty", 0, 0),
        (None, 4, 4 * size),
        ("missing", 0, 0),
    ]
    one.stop()


async def test_nothing_is_called_empty_before_everything_was_looked_at(tmp_path: pathlib.Path) -> None:
    store = query.Store()
    assert [place.problem for place in root_checks.check(store, [str(tmp_path)], root_checks.Lookups())] == [None]
    store.set_progress(types.Progress(True, 0, 0, 0, 0))
    assert [place.problem for place in root_checks.check(store, [str(tmp_path)], root_checks.Lookups())] == ["empty"]


async def test_runs_are_counted_while_they_are_read() -> None:
    store = asking.small().build()
    store.set_progress(types.Progress(False, 1, 4, 10, 40))
    files = store.files_table.writable()
    files["size"] = 10
    files["offset"] = np.where(files["run"] == store.run_row("run2"), 10, 5)
    async with asking.board(store) as client:
        progress = (await client.get("/api/board")).json()["progress"]
        assert (progress["runs_read"], progress["runs_total"], progress["bytes_read"]) == (1, 3, 10)
        store.set_progress(types.Progress(True, 4, 4, 40, 40))
        progress = (await client.get("/api/board")).json()["progress"]
        assert (progress["runs_read"], progress["runs_total"]) == (3, 3)


async def test_a_mount_that_does_not_answer_holds_nobody(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hang, asked = threading.Event(), []

    def scandir(path: str) -> None:
        asked.append(path)
        hang.wait(30)
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "scandir", scandir)
    monkeypatch.setattr(root_checks, "ANSWER_SECS", 0.01)
    async with asking.board(query.Builder().build(), roots=(str(tmp_path),)) as client:
        for _ in range(2):
            (place,) = (await client.get("/api/board")).json()["places"]
            assert place["problem"] == "unreadable"
    assert asked == [str(tmp_path)]
    hang.set()
