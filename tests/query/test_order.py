"""Natural order of run and tag names."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as some

from lightboard import kernels
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


NAMES = some.lists(
    some.text(alphabet="0019.eE-+_/ aZé日\udc80", max_size=12) | some.text(max_size=4), unique=True, max_size=30
)


@given(NAMES)
def test_all_names_of_a_table_are_ranked_in_the_same_order(names: list[str]) -> None:
    found = sorted(zip(kernels.natural_ranks(names).tolist(), names, strict=True))
    assert [name for _, name in found] == sorted(names, key=order.natural_key)


def test_sorting_in_pieces_is_sorting() -> None:
    chance = random.Random(1)
    for count in (0, 1, order.SMALL, order.SMALL + 1, 5 * order.SMALL):
        names = [f"tag {chance.randrange(count // 2 + 1)}" for _ in range(count)]
        assert order.sorted_in_pieces(names) == sorted(names)
