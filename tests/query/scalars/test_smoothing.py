"""Smoothing as text: there and back, what is refused, which kernel a word runs. The kernels: tests/test_kernels.py."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from lightboard import errors, kernels
from lightboard.query.scalars import smoothing

STEPS = np.array([0, 1, 2, 10, 11, 12], np.int64)
TIMES = np.array([0.0, 60.0, 120.0, 180.0, 240.0, 1000.0])
VALUES = np.array([1.0, 2.0, np.nan, 4.0, -1.0, 7.0], np.float32)


@pytest.mark.parametrize(
    "text",
    [
        "none",
        "ema:0.6",
        "time_ema:0.9:wall",
        "time_ema:0.9:step",
        "time_ema:0.9:wall:60",
        "gaussian:2.5",
        "gaussian:100:step",
        "gaussian:30:wall",
        "mean:21",
        "mean:21:trailing",
        "median:5",
    ],
)
def test_text_there_and_back(text: str) -> None:
    assert str(smoothing.parse(text)) == text


def test_short_forms() -> None:
    assert smoothing.parse("") == smoothing.Smoothing()
    assert str(smoothing.parse(" EMA:0.60 ")) == "ema:0.6"
    assert str(smoothing.parse("0.6")) == "ema:0.6"
    assert str(smoothing.parse("time_ema:0.9")) == "time_ema:0.9:wall"
    assert str(smoothing.parse("time_ema:0.9:60")) == "time_ema:0.9:wall:60"


@pytest.mark.parametrize(
    "text",
    ["ema", "ema:1.5", "ema:x", "ema:nan", "ema:0.5:wall", "gaussian:0", "gaussian:inf", "mean:2.5", "mean:0",
     "median:1e9", "mean:3:centred", "time_ema:0.5:wall:0", "none:1", "savgol:3", "ema:0.5:0.5"],
)  # fmt: skip
def test_wrong_texts_are_refused(text: str) -> None:
    with pytest.raises(errors.BadInput):
        smoothing.parse(text)


def test_each_word_runs_its_kernel() -> None:
    expected: dict[str, NDArray[Any]] = {
        "none": VALUES,
        "ema:0.6": kernels.ema(VALUES, 0.6),
        "time_ema:0.9": kernels.time_ema(TIMES, VALUES, 0.9),
        "time_ema:0.9:step": kernels.time_ema(STEPS, VALUES, 0.9),
        "time_ema:0.9:wall:10": kernels.time_ema(TIMES, VALUES, 0.9, unit=10),
        "gaussian:2": kernels.gaussian(VALUES, 2),
        "gaussian:2:step": kernels.gaussian(VALUES, 2, x=STEPS),
        "gaussian:90:wall": kernels.gaussian(VALUES, 90, x=TIMES),
        "mean:3": kernels.running_mean(VALUES, 3),
        "mean:3:trailing": kernels.running_mean(VALUES, 3, trailing=True),
        "median:3": kernels.running_median(VALUES, 3),
    }
    for text, values in expected.items():
        np.testing.assert_array_equal(smoothing.parse(text).apply(STEPS, TIMES, VALUES), values, text)
    assert len({values.tobytes() for values in expected.values()}) == len(expected)


def test_smoothing_that_changes_nothing_is_not_enabled() -> None:
    for text in ("none", "ema:0", "time_ema:0", "mean:1", "median:1"):
        assert not smoothing.parse(text).enabled
    for text in ("ema:0.1", "gaussian:0.1", "mean:2"):
        assert smoothing.parse(text).enabled
