"""How much of a curve is defined."""

from __future__ import annotations

import numpy as np
import pytest

from lightboard.query import pr_curves


def curve(true_positives: list[float], false_positives: list[float]) -> pr_curves.PrCurve:
    rest = [[0.0] * len(true_positives)] * 4
    return pr_curves.PrCurve(0, 0.0, np.array([true_positives, false_positives, *rest]))


@pytest.mark.parametrize(
    ("true_positives", "false_positives", "defined"),
    [
        ([5, 3, 1], [4, 0, 0], 3),
        ([5, 3, 0], [4, 0, 0], 2),
        ([5, 0, 0], [4, 0, 1], 3),
        ([0, 0, 0], [0, 0, 0], 1),
        ([], [], 0),
        ([1, np.nan], [0, np.nan], 1),
    ],
)
def test_the_tail_without_positives_is_cut(
    true_positives: list[float], false_positives: list[float], defined: int
) -> None:
    assert curve(true_positives, false_positives).defined == defined


def test_thresholds_are_even_from_zero_to_one() -> None:
    assert curve([1, 1, 1], [0, 0, 0]).thresholds.tolist() == [0.0, 0.5, 1.0]
