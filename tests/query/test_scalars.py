"""Charts of series that are hard to place. The usual ones are asked through HTTP: tests/server/test_scalars.py."""

from __future__ import annotations

from typing import Literal

import pytest

from lightboard import store
from lightboard.query import scalars


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
