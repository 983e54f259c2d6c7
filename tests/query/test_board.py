"""Counts of the whole board: what is gone or merged is not counted twice."""

from __future__ import annotations

from lightboard import store, types
from lightboard.query import board
from lightboard.store import sources


def test_removed_files_are_not_counted() -> None:
    built = store.Builder().scalars("a", "loss", [1.0, 2.0]).scalars("b", "loss", [3.0]).build()
    assert board.summary(built).counts == board.Counts(runs=2, files=2, series=2, points=3, tags={"scalars": 1})
    built.retire_files([0])
    assert board.summary(built).counts == board.Counts(runs=1, files=1, series=1, points=1, tags={"scalars": 1})


def test_chunks_merged_into_another_are_not_counted() -> None:
    built = store.Builder().scalars("a", "loss", [1.0, 2.0]).build()
    built.chunks_table.append(built.chunks_table.rows.copy())
    built.chunks_table.writable()["dead"][1] = 1
    assert board.summary(built).counts.points == 2


def test_files_that_no_page_shows_are_counted_by_runs() -> None:
    built = store.Builder().scalars("a", "loss", [1.0]).build()
    state = types.FileState(1, 1, 1)
    kinds = [("profile", "a"), ("profile", "a"), ("profile", "b"), ("hparams", "a"), ("debugger", "c")]
    found = [sources.Found(kind, run, f"{run}/{at}", f"/{at}", state) for at, (kind, run) in enumerate(kinds)]
    built.commit_sources(found)
    assert board.summary(built).unshown == [board.Unshown("profile", 2), board.Unshown("debugger", 1)]
