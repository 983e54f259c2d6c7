"""How the chunks of a series become one sequence: restarts, parallel writers, session starts, growth."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lightboard import store, types


def two_files(first: Sequence[int], second: Sequence[int], *, later_by: float) -> store.Series:
    """A series written by two files, the second beginning `later_by` seconds after the first began."""
    builder = store.Builder()
    for steps, offset in ((first, 0.0), (second, later_by)):
        walls = [1e9 + offset + i for i in range(len(steps))]
        builder.scalars("run", "loss", [float(step) for step in steps], steps=steps, wall_times=walls)
    series = builder.build().series("run", "loss")
    assert series is not None
    return series


def test_a_later_file_supersedes_the_steps_it_writes_again() -> None:
    series = two_files(range(30), range(20, 50), later_by=1000)
    assert series.points().steps.tolist() == list(range(50))
    everything = series.points(types.Rewinds.ALL)
    assert len(everything) == 60
    assert everything.superseded is not None
    assert everything.superseded.sum() == 10


def test_three_restarts_leave_only_the_last_branch() -> None:
    builder = store.Builder()
    for number, steps in enumerate((range(10), range(5, 15), range(2, 30))):
        walls = [1e9 + 100 * number + i for i in range(len(steps))]
        builder.scalars("run", "loss", [1.0 * number] * len(steps), steps=list(steps), wall_times=walls)
    series = builder.build().series("run", "loss")
    assert series is not None
    assert series.points().steps.tolist() == list(range(30))
    assert series.points().values.tolist() == [0.0] * 2 + [2.0] * 28


def test_two_writers_at_the_same_time_are_merged_by_step() -> None:
    series = two_files([0, 2, 4, 6], [1, 3, 5, 7], later_by=1)
    assert series.points().steps.tolist() == list(range(8))
    assert series.points().superseded is None


def test_a_file_written_earlier_but_named_later_comes_first() -> None:
    series = two_files([5, 6, 7], [0, 1, 2], later_by=-500)
    assert series.points().steps.tolist() == [0, 1, 2, 5, 6, 7]


def test_shuffled_steps_of_one_writer_stay_as_written() -> None:
    built = store.Builder().scalars("run", "loss", [1.0, 2.0, 3.0], steps=[5, 1, 3]).build()
    series = built.series("run", "loss")
    assert series is not None
    assert series.points().steps.tolist() == [5, 1, 3]


def test_one_chunk_is_not_copied() -> None:
    series = two_files(range(5), [], later_by=0)
    first, second = series.points(), series.points()
    assert np.shares_memory(first.values, second.values)
    assert not first.values.flags.writeable


def test_stats_follow_what_is_shown() -> None:
    series = two_files([0, 1, 2, 3], [2, 3], later_by=100)
    stats = series.stats()
    assert (stats.n, stats.first, stats.last, stats.max, stats.last_step) == (4, 0.0, 3.0, 3.0, 3)


def test_doubles_among_floats_keep_their_precision() -> None:
    builder = store.Builder().scalars("run", "loss", np.array([0.5], np.float32), steps=[0], wall_times=[1e9])
    series = builder.scalars("run", "loss", [0.1], steps=[1], wall_times=[1e9 + 1]).build().series("run", "loss")
    assert series is not None
    assert series.points().values.tolist() == [0.5, 0.1]
