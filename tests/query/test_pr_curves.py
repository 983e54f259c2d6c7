"""How much of a curve is defined."""

from __future__ import annotations

import numpy as np
import pytest

from lightboard import store, types
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


# ---- what is derived


def counted(hits: list[float], alarms: list[float], positives: float, negatives: float) -> pr_curves.PrCurve:
    tp, fp = np.array(hits, float), np.array(alarms, float)
    precision = np.divide(tp, tp + fp, out=np.zeros_like(tp), where=tp + fp > 0)
    recall = tp / positives if positives else np.zeros_like(tp)
    return pr_curves.PrCurve(7, 1.5, np.stack([tp, fp, negatives - fp, positives - tp, precision, recall]))


def test_a_perfect_classifier_has_areas_of_one() -> None:
    perfect = counted([10, 10, 10], [30, 0, 0], 10, 30)
    assert perfect.roc_area == 1.0
    assert perfect.average_precision == 1.0
    assert perfect.f1.tolist() == [0.4, 1.0, 1.0]


def test_chance_has_half_the_roc_area() -> None:
    chance = counted([10, 5, 0], [20, 10, 0], 10, 20)
    assert chance.roc_area == pytest.approx(0.5)
    assert chance.average_precision == pytest.approx(1 / 3)


def test_average_precision_is_a_sum_of_steps() -> None:
    # recall 1, 0.5; precision 0.5, 1: half the recall at each
    assert counted([2, 1, 0], [2, 0, 0], 2, 2).average_precision == pytest.approx(0.5 * 0.5 + 0.5 * 1.0)


def test_without_positives_or_negatives_nothing_is_claimed() -> None:
    none = counted([0, 0], [5, 0], 0, 5)
    assert none.average_precision is None
    assert none.roc_area is None
    assert counted([5, 0], [0, 0], 5, 0).roc_area is None
    odd = pr_curves.PrCurve(0, 0.0, np.full((6, 3), np.nan))
    assert (odd.average_precision, odd.roc_area) == (None, None)
    assert np.isnan(odd.f1).all()
    assert pr_curves.PrCurve(0, 0.0, np.zeros((6, 0))).average_precision is None


# ---- several at once


def made() -> store.Store:
    tables = [counted([n, 1, 0], [1, 0, 0], 4, 4).table.astype(np.float32) for n in (2, 3, 4)]
    tensors = [types.Tensor((6, 3), array=table) for table in tables]
    odd = types.Tensor((2, 3), array=np.zeros((2, 3), np.float32))
    builder = store.Builder().tensors("a", "pr", types.Kind.PR_CURVES, tensors, steps=[0, 10, 20])
    builder.tensors("b", "pr", types.Kind.PR_CURVES, [tensors[0], odd], steps=[5, 6])
    return builder.scalars("a", "loss", [1.0]).build()


def test_curves_come_as_asked_newest_where_no_step_is_named() -> None:
    selectors = [
        pr_curves.PointSelector("b", "pr", 5),
        pr_curves.PointSelector("a", "pr"),
        pr_curves.PointSelector("a", "pr", 10),
    ]
    found = pr_curves.curves(made(), selectors)
    assert [(each.run, each.step, each.first) for each in found.header.curves] == [
        ("b", 5, 0),
        ("a", 20, 3),
        ("a", 10, 6),
    ]
    assert found.arrays["true_positives"].tolist() == [2, 1, 0, 4, 1, 0, 3, 1, 0]
    assert found.arrays["threshold"].tolist() == [0, 0.5, 1] * 3
    assert {len(array) for array in found.arrays.values()} == {9}


def test_what_cannot_be_shown_says_why() -> None:
    selectors = [
        pr_curves.PointSelector("a", "pr", 11),
        pr_curves.PointSelector("gone", "pr"),
        pr_curves.PointSelector("a", "loss"),
        pr_curves.PointSelector("b", "pr", 6),
    ]
    found = pr_curves.curves(made(), selectors)
    assert [each.step for each in found.header.curves] == [None] * 4
    assert all(each.problem for each in found.header.curves)
    assert "6 by n" in str(found.header.curves[3].problem)


def test_of_two_points_at_one_step_the_time_decides() -> None:
    tables = [types.Tensor((6, 1), array=np.full((6, 1), value, np.float32)) for value in (1, 2)]
    source = (
        store.Builder().tensors("a", "pr", types.Kind.PR_CURVES, tables, steps=[3, 3], wall_times=[1.0, 2.0]).build()
    )
    read = {
        wall: pr_curves.curves(source, [pr_curves.PointSelector("a", "pr", 3, wall)], rewinds=types.Rewinds.ALL)
        for wall in (1.0, 2.0, None)
    }
    assert {wall: found.arrays["recall"].tolist() for wall, found in read.items()} == {1.0: [1], 2.0: [2], None: [2]}
