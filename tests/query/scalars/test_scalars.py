"""Charts of series that are hard to place. The usual ones are asked through HTTP: tests/server/test_scalars.py."""

from __future__ import annotations

import gc
import itertools
import weakref
from typing import Any, Literal

import numpy as np
import pytest

from lightboard import kernels, store
from lightboard.query.scalars import scalars


@pytest.mark.parametrize("encoding", ["exact", "pixels"])
def test_lone_point_without_a_time_does_not_take_the_chart_down(encoding: Literal["exact", "pixels"]) -> None:
    builder = store.Builder().scalars("lone", "loss", [1.0], wall_times=[float("nan")])
    builder.scalars("good", "loss", [1.0, 2.0], wall_times=[10.0, 20.0])
    asked = scalars.Asked(x="wall", width=100, encoding=encoding)
    header = scalars.chart(builder.build(), ["loss"], None, asked).header
    assert (header.lo, header.hi) == (10.0, 20.0)
    assert sorted(header.runs) == ["good", "lone"]


def test_relative_times_of_a_range_count_from_the_first_point_of_all() -> None:
    builder = store.Builder().scalars("late", "loss", [1.0, 2.0, 3.0, 4.0], wall_times=[100.0, 110.0, 120.0, 130.0])
    builder.scalars("early", "loss", [1.0, 2.0], wall_times=[5.0, 25.5])
    asked = scalars.Asked(x="relative", lo=15, hi=40)
    chart = scalars.chart(builder.build(), ["loss"], None, asked)
    assert (chart.header.runs, chart.header.kept) == (["early", "late"], [2, 3])
    assert list(chart.arrays["x"]) == [0.0, 20.5, 10.0, 20.0, 30.0]


@pytest.mark.parametrize("runs", [5, 60])
def test_lines_of_a_slider_in_motion_are_those_of_all_points(runs: int) -> None:
    values = np.random.default_rng(1).normal(size=(runs, 3000))
    values[1, 1234] = 500.0  # a spike of one point
    values[2, [0, 700, 2999]] = [np.nan, np.inf, -np.inf]
    values[3] = 0.25
    builder = store.Builder()
    for run, each in enumerate(values):
        builder.scalars(f"run{run:02}", "loss", each)
    asked = scalars.Asked(width=100, smoothing="ema:0.6", encoding="pixels", raw=False, draft=True)
    chart = scalars.chart(builder.build(), ["loss"], None, asked)
    frame = bytes(chart.arrays["smoothed_columns"])
    assert frame[43] == (8 if runs == 5 else 0)  # many lines are told without first and last
    told = kernels.decode_columns(frame)
    smoothed = [kernels.ema(each, 0.6) for each in values]
    for run, each in enumerate(smoothed):
        columns = np.split(each, np.searchsorted(np.arange(3000), 2999 / 100 * np.arange(1, 100)))
        for wanted, found in ((np.min, told.min[run]), (np.max, told.max[run])):
            exact = np.array([wanted(column[np.isfinite(column)]) for column in columns])
            # a code is so wide, where the lines are dense and where they are not
            assert np.all(np.abs(found - exact) <= 0.002 * (2.5 + np.abs(exact)))
    odd = {0: kernels.NAN, 23: kernels.PLUS, 99: kernels.MINUS}
    assert {column: kind for column, kind in enumerate(told.nonfinite[2].tolist()) if kind} == odd
    assert chart.header.smoothed is not None and chart.header.smoothed.max == max(map(np.nanmax, smoothed[:2]))


def test_a_question_asked_again_sees_what_has_come_since() -> None:
    builder = store.Builder().scalars("a", "loss", [1.0, 2.0])
    source = builder.build()
    asked = scalars.Asked(width=10, encoding="pixels")
    assert scalars.chart(source, ["loss"], None, asked).header.points == [2]
    assert scalars.chart(source, ["loss"], None, asked).header.points == [2]
    builder.scalars("b", "loss", [3.0] * 5)
    header = scalars.chart(source, ["loss"], None, asked).header
    assert (header.runs, header.points) == (["a", "b"], [2, 5])
    # neither the axis nor the choice of runs is taken from another question
    assert scalars.chart(source, ["loss"], np.array([1]), asked).header.runs == ["b"]
    assert (
        scalars.chart(source, ["loss"], None, scalars.Asked(x="wall", width=10, encoding="pixels")).header.x == "wall"
    )


def test_what_a_moving_slider_does_not_change_is_told_anew_only_with_the_store() -> None:
    builder = store.Builder().scalars("a", "loss", [1.0, 2.0]).scalars("b", "loss", [3.0, 4.0])
    source = builder.build()

    def parts_of(weight: float) -> list[list[Any]]:
        asked = scalars.Asked(width=10, encoding="pixels", smoothing=f"ema:{weight}", raw=False, draft=True)
        header = scalars.chart(source, ["loss"], None, asked).header
        return [header.tags, header.runs, header.tag, header.run, header.points, header.columns]

    first, second = parts_of(0.5), parts_of(0.6)
    assert all(one is other for one, other in zip(first, second, strict=True))
    builder.scalars("a", "loss", [5.0], steps=[2])
    assert parts_of(0.6) == [["loss"], ["a", "b"], [0, 0], [0, 1], [3, 2], [0, 1]]


def test_columns_kept_for_one_window_are_not_taken_for_another() -> None:
    builder = store.Builder()
    for run in range(3):
        builder.scalars(f"run{run}", "loss", np.random.default_rng(run).normal(size=400), steps=range(run, 400 + run))
    source = builder.build()
    windows: list[tuple[str, float, float, int, scalars.Scale]] = [
        ("step", 0, 402, 119, "linear"), ("step", 10, 300, 119, "linear"), ("step", 10, 300, 60, "linear"),
        ("step", 10, 300, 60, "log"), ("step", 10, 300, 60, "symlog"), ("step", 10.5, 300, 60, "linear"),
        ("relative", 10, 300, 60, "linear"), ("step", 0, 402, 40_000, "linear"),
    ]  # fmt: skip
    questions = [
        scalars.Asked(
            x=x,
            lo=lo,
            hi=hi,
            width=width,
            smoothing=f"ema:{weight}",
            encoding="pixels",
            raw=False,
            draft=draft,
            x_scale=scale,
        )
        for draft, weight in itertools.product((True, False), (0.3, 0.9))
        for x, lo, hi, width, scale in windows
    ]
    kept = [scalars.chart(source, ["loss"], None, asked) for asked in questions]
    for asked, chart in zip(questions, kept, strict=True):
        builder.scalars("other", "accuracy", [1.0])  # nothing is kept from before
        again = scalars.chart(source, ["loss"], None, asked)
        np.testing.assert_equal(again.arrays, chart.arrays)


def test_what_is_kept_of_columns_is_bounded() -> None:
    source = store.Builder().scalars("a", "loss", np.arange(500.0)).build()
    for width in (10, 11, 12, 13, scalars._MOST_CUTS, 16384):
        asked = scalars.Asked(width=width, encoding="pixels", smoothing="ema:0.5", raw=False, draft=True)
        scalars.chart(source, ["loss"], None, asked)
    ((_, surveyed),) = source.cache.items(scalars._SURVEYS)
    about = surveyed.cut.cache_info()
    assert (about.currsize, about.misses) == (2, 5)


def test_what_is_kept_for_a_store_does_not_keep_it() -> None:
    source = store.Builder().scalars("a", "loss", [1.0, 2.0]).build()
    scalars.chart(source, ["loss"], None, scalars.Asked(width=10, encoding="pixels"))
    alive = weakref.ref(source)
    del source
    gc.collect()
    assert alive() is None
