"""A metric as the x axis: which x a point takes, and what happens where there is none."""

from __future__ import annotations

import json

import numpy as np
import pytest

from lightboard import errors, store
from lightboard.query.scalars import pairing, scalar_tables, scalars
from lightboard.server import responses


def board() -> store.Store:
    builder = store.Builder().scalars("a", "loss", [9.0, 8.0, 7.0, 6.0], steps=[0, 1, 2, 4])
    builder.scalars("a", "tokens", [100.0, 150.0, 90.0], steps=[1, 2, 4])
    builder.scalars("b", "loss", [5.0, 4.0])  # has no tokens
    return builder.build()


def test_a_point_takes_the_x_of_its_step_or_the_last_before_it() -> None:
    found = pairing.paired(np.array([0, 1, 2, 3, 9]), np.array([1, 2, 2, 5]), np.array([10.0, 20.0, 21.0, 50.0]))
    np.testing.assert_array_equal(found, [np.nan, 10.0, 21.0, 21.0, 50.0])


def test_points_before_the_first_x_and_runs_without_it_are_left_out() -> None:
    chart = scalars.chart(board(), ["loss"], None, scalars.Asked(x="metric:tokens", width=100))
    assert (chart.header.runs, chart.header.points) == (["a"], [4])
    assert np.asarray(chart.arrays["x"]).tolist() == [100.0, 150.0, 90.0]
    assert np.asarray(chart.arrays["value"]).tolist() == [8.0, 7.0, 6.0]
    assert (chart.header.lo, chart.header.hi) == (90.0, 150.0)


def test_steps_out_of_order_are_paired_by_step() -> None:
    builder = store.Builder().scalars("a", "loss", [1.0, 2.0, 3.0], steps=[3, 1, 2])
    builder.scalars("a", "epoch", [30.0, 10.0, 20.0], steps=[3, 1, 2])
    chart = scalars.chart(builder.build(), ["loss"], None, scalars.Asked(x="metric:epoch"))
    assert np.asarray(chart.arrays["x"]).tolist() == [30.0, 10.0, 20.0]


def test_an_x_that_only_grows_is_told_in_columns() -> None:
    builder = store.Builder().scalars("a", "loss", np.arange(1000.0)).scalars("a", "epoch", np.arange(1000) / 100)
    asked = scalars.Asked(x="metric:epoch", width=10, encoding="pixels")
    chart = scalars.chart(builder.build(), ["loss"], None, asked)
    assert (chart.header.columns, chart.header.exact) == ([0], [])


def test_an_unknown_metric_gives_no_line() -> None:
    header = scalars.chart(board(), ["loss"], None, scalars.Asked(x="metric:nothing", width=10)).header
    assert (header.runs, header.lo) == ([], None)


def test_the_nearest_point_on_a_metric() -> None:
    found = scalar_tables.nearest(board(), ["loss"], None, [140, 95], scalars.Asked(x="metric:tokens"))
    told = json.loads(responses.to_json(found))
    assert (told["run"], told["step"], told["value"]) == (["a"], [2, 1], [7.0, 8.0])


def test_a_wrong_axis_is_explained() -> None:
    with pytest.raises(errors.BadInput, match="metric:TAG"):
        scalars.chart(board(), ["loss"], None, scalars.Asked(x="tokens"))
