"""Where many series lie: those in one chunk as they are, restarted and scattered ones joined."""

from __future__ import annotations

import numpy as np
import pytest

from lightboard import store, types
from lightboard.store import placement


def points_of(placed: placement.Placement, row: int) -> tuple[list[int], list[float], list[float]]:
    cells = placed.table[row].tolist()
    count = cells[placement.COUNT]
    value_type = np.float64 if cells[placement.DOUBLE] else np.float32
    columns = ((placement.STEPS, np.int64), (placement.WALLS, np.float64), (placement.VALUES, value_type))
    steps, walls, values = (
        np.frombuffer(placed.buffers[cells[at]], kind, count, cells[at + 1]).tolist() for at, kind in columns
    )
    return steps, walls, values


def made() -> store.Store:
    builder = (
        store.Builder().scalars("plain", "loss", [1.0, 2.0]).scalars("single", "loss", np.array([1.5], np.float32))
    )
    builder.scalars("back", "loss", [1.0, 2.0, 3.0], steps=[5, 1, 9])
    builder.scalars("again", "loss", [1.0, 2.0, 3.0], steps=[0, 1, 2], wall_times=[10.0, 11.0, 12.0])
    builder.scalars("again", "loss", [9.0, 8.0], steps=[1, 2], wall_times=[20.0, 21.0])
    return builder.build()


@pytest.mark.parametrize("rewinds", list(types.Rewinds))
def test_every_series_is_found_where_the_table_says(rewinds: types.Rewinds) -> None:
    board = made()
    rows = board.series_rows(types.Kind.SCALARS, tag="loss")
    placed = placement.place(board, rows, rewinds)
    for position, row in enumerate(rows.tolist()):
        points = store.Series(board, row).points(rewinds)
        found = points_of(placed, position)
        assert found == (points.steps.tolist(), points.wall_times.tolist(), points.values.tolist())


def test_only_steps_in_order_are_said_to_be() -> None:
    board = made()
    rows = board.series_rows(types.Kind.SCALARS, tag="loss")
    ordered = placement.place(board, rows).table[:, placement.ORDERED].tolist()
    by_run = {store.Series(board, row).run: mark for row, mark in zip(rows.tolist(), ordered, strict=True)}
    assert (by_run["plain"], by_run["back"]) == (1, 0)


def test_no_series_is_no_row() -> None:
    placed = placement.place(made(), np.zeros(0, np.int64))
    assert placed.table.shape == (0, placement.COLUMNS)
