"""Natural order of run and tag names."""

from __future__ import annotations

import random

import pytest

from lightboard.query import order


@pytest.mark.parametrize(
    "names",
    [
        ["run1", "run2", "run10", "run100"],
        ["lr=0", "lr=1e-05", "lr=0.001", "lr=0.01", "lr=0.1", "lr=0.5", "lr=1", "lr=10"],
        ["lr=0.001/train", "lr=0.001/validation", "lr=0.01/train", "lr=0.1/train", "lr=1/train"],
        ["v1.2.3", "v1.2.10", "v1.10.1"],
        ["a", "a/b", "a/b/c", "a_b", "ab"],
        ["7", "a"],
        ["x007", "x7", "x08"],
        ["", "日本語"],
        ["9" * 30, "1" + "0" * 30],
    ],
)
def test_names_sort_as_people_expect(names: list[str]) -> None:
    shuffled = names.copy()
    random.Random(1).shuffle(shuffled)
    assert sorted(shuffled, key=order.natural_key) == names
