"""Bands between tags of a run."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lightboard import store
from lightboard.query.scalars import margins, scalars

TAGS = ("v", "lo", "up")


def banded(**runs: dict[str, tuple[list[float], list[int]]]) -> store.Builder:
    builder = store.Builder()
    for run, series in runs.items():
        for tag, (values, steps) in series.items():
            builder.scalars(run, tag, values, steps=steps)
    return builder


def whole(steps: list[int]) -> dict[str, tuple[list[float], list[int]]]:
    middle = [float(step) for step in steps]
    return {
        "v": (middle, steps),
        "lo": ([value - 1 for value in middle], steps),
        "up": ([value + 2 for value in middle], steps),
    }


def chart(builder: store.Builder, **asked: Any) -> scalars.Chart:
    return scalars.chart(builder.build(), ["v"], None, scalars.Asked(lower=("lo",), upper=("up",), **asked))


def test_a_band_lies_around_its_line() -> None:
    found = chart(banded(a=whole([0, 5, 9])))
    header = found.header
    assert [header.tags[tag] for tag in header.tag] == ["v"], "edges are no lines"
    assert (header.exact, header.kept, header.points) == ([0], [3], [3])
    (group,) = header.groups
    assert (group.label, group.length, [header.tags[tag] for tag in group.edges or []]) == ("a", 3, ["lo", "up"])
    assert list(found.arrays["band_x"]) == [0, 5, 9]
    assert list(found.arrays["band_low"]) == [-1, 4, 8]
    assert list(found.arrays["band_high"]) == [2, 7, 11]
    assert header.unbanded == []
    assert (header.values.min, header.values.max) == (-1, 11), "the axis has room for the edges"


def test_what_is_missing_is_named_and_runs_without_any_are_not() -> None:
    builder = banded(a={"v": ([1.0], [0]), "up": ([2.0], [0])}, b={"other": ([1.0], [0])}, c=whole([1]))
    found = chart(builder)
    assert found.header.unbanded == [margins.Unbanded("a", "v", "lo", "up", ["lo"], 0)]
    assert [group.label for group in found.header.groups] == ["c"]
    assert sorted(found.header.runs[run] for run in found.header.run) == ["a", "c"], "the line stays"


def test_different_steps_are_told_and_the_shared_ones_drawn() -> None:
    series = whole([0, 5, 9]) | {"up": ([7.0, 8.0], [5, 10])}
    found = chart(banded(a=series))
    assert found.header.unbanded == [margins.Unbanded("a", "v", "lo", "up", [], 1)]
    assert [list(found.arrays[f"band_{name}"]) for name in ("x", "centre", "low", "high")] == [[5], [5], [4], [7]]


def test_edges_are_smoothed_like_the_line() -> None:
    noisy = np.random.default_rng(1).normal(size=50)
    steps = list(range(50))
    series = {"v": (list(noisy), steps), "lo": (list(noisy - 1), steps), "up": (list(noisy + 1), steps)}
    found = chart(banded(a=series), smoothing="ema:0.9")
    assert np.allclose(np.array(found.arrays["band_high"]) - np.array(found.arrays["band_low"]), 2, atol=1e-5)
    assert np.allclose(found.arrays["band_centre"], found.arrays["smoothed"])
    assert np.ptp(np.array(found.arrays["band_low"])) < np.ptp(noisy) / 2


@pytest.mark.parametrize("scale", ["linear", "log", "symlog"])
def test_many_points_become_a_column_each_and_no_peak_is_lost(scale: Any) -> None:
    steps = list(range(1, 20_001))
    values = np.zeros(len(steps))
    values[7_777] = 100.0
    flat = [0.0] * len(steps)
    series = {"v": (flat, steps), "lo": (flat, steps), "up": (values.tolist(), steps)}
    found = chart(banded(a=series), width=300, encoding="pixels", x_scale=scale)
    assert len(found.arrays["band_x"]) <= 302
    assert max(found.arrays["band_high"]) == 100
    assert found.header.columns == [0]


def test_a_zoom_keeps_a_point_beyond_each_end() -> None:
    found = chart(banded(a=whole(list(range(100)))), lo=40, hi=50)
    assert (found.arrays["band_x"][0], found.arrays["band_x"][-1]) == (39, 51)


@pytest.mark.parametrize("x", ["wall", "relative", "metric:epoch"])
def test_every_axis_has_bands(x: str) -> None:
    builder = banded(a=whole([0, 5, 9])).scalars("a", "epoch", [0.0, 1.0, 2.0], steps=[0, 5, 9])
    found = chart(builder, x=x)
    assert (len(found.arrays["band_x"]), found.header.unbanded) == (3, [])


def test_a_restart_that_goes_back_is_no_reason_to_fail() -> None:
    from lightboard import types

    series = {tag: ([1.0, 2.0, 3.0, 4.0], [0, 1, 2, 1]) for tag in TAGS}
    found = chart(banded(a=series), rewinds=types.Rewinds.ALL, width=100, encoding="pixels")
    assert len(found.arrays["band_x"]) >= 3
