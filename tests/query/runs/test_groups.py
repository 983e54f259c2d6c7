"""Grouping runs and the band of a group. The statistics themselves: tests/test_kernels.py."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lightboard import errors
from lightboard.query.runs import groups

NAMES = ["adam/seed_1", "SGD/seed_1", "adam/seed_2", "eval", "sgd/seed_2"]


def keys(grouping: groups.Grouping) -> dict[tuple[object, ...], tuple[int, ...]]:
    return {group.key: group.members for group in grouping.groups}


def test_capture_groups_make_the_key() -> None:
    grouping = groups.by_pattern(NAMES, r"(\w+)/seed_(\d)")
    assert keys(grouping) == {("adam", "1"): (0,), ("SGD", "1"): (1,), ("adam", "2"): (2,), ("sgd", "2"): (4,)}
    assert grouping.ungrouped == (3,)
    assert grouping.groups[0].label == "adam, 1"


def test_without_capture_groups_all_matches_are_one_group() -> None:
    grouping = groups.by_pattern(NAMES, "sgd")
    assert keys(grouping) == {("sgd",): (1, 4)}
    assert grouping.ungrouped == (0, 2, 3)


def test_capture_group_that_took_no_part_is_a_key_of_its_own() -> None:
    assert keys(groups.by_pattern(["a1", "a"], r"a(\d)?")) == {("1",): (0,), (None,): (1,)}


def test_bad_patterns_are_refused() -> None:
    with pytest.raises(errors.BadFilter):
        groups.by_pattern(NAMES, "(")


def test_values_group_by_combination() -> None:
    values: dict[str, list[object]] = {"lr": [0.1, 0.1, 1, True, None], "opt": ["a", "a", None, None, None]}
    grouping = groups.by_values(values)
    assert [(group.key, group.members) for group in grouping.groups] == [
        ((0.1, "a"), (0, 1)),
        ((1, None), (2,)),
        ((True, None), (3,)),
    ]
    assert grouping.ungrouped == (4,)


def test_labels_are_written_as_the_page_writes_them() -> None:
    values: list[object] = [32.0, 0.1, -0.0, 1e-5, 1e-7, 2.5e-7, 1e16, 1e21, 1.5e300, True, None, 7, "a"]
    grouping = groups.by_values({"x": values, "y": ["-"] * len(values)})
    labels = [group.label.removesuffix(", -") for group in grouping.groups]
    assert labels == [
        "32", "0.1", "0", "0.00001", "1e-7", "2.5e-7", "10000000000000000", "1e+21", "1.5e+300", "true", "–", "7", "a",
    ]  # fmt: skip


def test_values_that_equal_nothing_still_group() -> None:
    grouping = groups.by_values({"x": [float("nan"), float("nan"), [1, 2], [1, 2]]})
    assert [group.members for group in grouping.groups] == [(0, 1), (2, 3)]


def test_columns_of_different_length_are_refused() -> None:
    with pytest.raises(errors.BadInput):
        groups.by_values({"a": [1], "b": [1, 2]})


SERIES = [
    (np.array([0, 10], np.int64), np.array([0.0, 10.0])),
    (np.array([0, 5, 10], np.int64), np.array([2.0, 7.0, 12.0])),
]


def test_band_on_the_union_of_steps() -> None:
    std = groups.band(SERIES)
    assert std.x.tolist() == [0, 5, 10]
    assert std.centre.tolist() == [1.0, 6.0, 11.0]
    assert std.low.tolist() == [0.0, 5.0, 10.0]
    assert std.count.tolist() == [2, 2, 2]
    assert groups.band(SERIES, "minmax").high.tolist() == [2.0, 7.0, 12.0]
    quantiles = groups.band(SERIES, "quantiles")
    assert (quantiles.low[0], quantiles.centre[0], quantiles.high[0]) == (0.5, 1.0, 1.5)
    assert groups.band(SERIES, lo=1, hi=9).x.tolist() == [5]


def test_band_on_pixel_columns() -> None:
    rng = np.random.default_rng(0)
    series = [(np.arange(1000), rng.normal(size=1000)) for _ in range(4)]
    band = groups.band(series, "minmax", columns=50)
    assert len(band.x) == 50
    assert band.high.max() == max(y.max() for _, y in series)
    assert (band.x[0], band.x[-1]) == pytest.approx((9.99, 989.01))


def test_long_unions_are_cut_into_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(groups, "MAX_UNION", 10)
    assert len(groups.band([(np.arange(100), np.zeros(100))]).x) == 10


def test_band_of_nothing_is_empty() -> None:
    assert len(groups.band([]).x) == 0
    assert len(groups.band([(np.zeros(0, np.int64), np.zeros(0))], columns=5).x) == 0


def test_unknown_bands_are_refused() -> None:
    wrong: Any = "iqr"
    with pytest.raises(errors.BadInput):
        groups.band(SERIES, wrong)


def test_few_points_are_joined_by_straight_lines_not_by_stairs() -> None:
    x = np.arange(0, 100, 10)
    found = groups.band([(x, x * 1.0), (x, x * 3.0)], columns=400, lo=15, hi=42)
    assert found.x.tolist() == [10, 20, 30, 40, 50]  # one beyond each end of the range
    assert found.centre.tolist() == [20, 40, 60, 80, 100]
    assert len(groups.band([(x, x * 1.0)], columns=5).x) == 5
