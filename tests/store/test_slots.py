"""Slots of runs, which decide their colors: who gets which, and that nobody else's changes."""

from __future__ import annotations

import random

import numpy as np
import pytest

from lightboard import colors, store
from lightboard.store import row_types, snapshot


def add(target: store.Store, *runs: str, created: int = 1_700_000_000) -> None:
    rows = np.zeros(len(runs), row_types.FILE)
    rows["run"], rows["alive"] = target.add_runs(runs), 1
    target.add_files(rows, [f"/logs/{run}/events.out.tfevents.{created}.host" for run in runs])


def filled(*runs: str) -> store.Store:
    made = store.Store()
    for place, run in enumerate(runs):
        add(made, run, created=1_700_000_000 + place)
    return made


NAMES = [f"run_{number}" for number in range(100)]  # twice as many as there are colors


def test_a_new_run_changes_no_other_slot() -> None:
    made = store.Store()
    for count, name in enumerate(NAMES, 1):
        before = made.slots()
        add(made, name)
        after = made.slots()
        assert {run: after[run] for run in before} == before
        assert len(set(after.values())) == count


def test_a_ring_is_full_before_the_next_one_begins() -> None:
    made = filled(*NAMES)
    assert sorted(made.slots().values())[:24] == list(range(24))


def test_runs_listed_together_get_slots_by_the_time_in_the_names_of_their_files() -> None:
    shuffled = list(enumerate(NAMES))
    random.Random(1).shuffle(shuffled)
    made = store.Store()
    rows = np.zeros(len(shuffled), row_types.FILE)
    rows["run"], rows["alive"] = made.add_runs([name for _, name in shuffled]), 1
    made.add_files(rows, [f"/{name}/events.out.tfevents.{1_700_000_000 + at}.host" for at, name in shuffled])
    assert made.slots() == filled(*NAMES).slots()


def test_a_second_file_keeps_the_slot() -> None:
    made = filled("a", "b")
    before = made.slots()
    add(made, "a", created=1)
    assert made.slots() == before


def test_a_run_that_comes_back_has_its_slot() -> None:
    made = filled("a", "b")
    before = made.slots()
    made.retire_files([0])
    assert made.slots() == {"b": before["b"]}
    add(made, "c")
    add(made, "a")
    assert made.slots()["a"] == before["a"]
    assert made.slots()["c"] not in before.values()


def test_a_lone_run_gets_its_wish_whatever_else_the_board_shows() -> None:
    wishes = {name: filled(name).slots()[name] for name in NAMES}
    assert len(set(wishes.values())) > 6
    assert all(0 <= wish < colors.RING for wish in wishes.values())


def test_slots_are_restored_and_those_of_removed_runs_are_free_again() -> None:
    made = filled(*NAMES[:12])
    before = made.slots()
    made.retire_files([3])
    again = store.Store()
    snapshot.restore(again, snapshot.take(made))
    assert again.slots() == {run: slot for run, slot in before.items() if run != NAMES[3]}
    add(again, "new")
    assert again.slots()["new"] == before[NAMES[3]]


def test_kept_slots_come_first() -> None:
    made = store.Store()
    made.keep_slots({"a": 5, "b": 30, "gone": 7})
    add(made, "c", "b", "a")
    slots = made.slots()
    assert (slots["a"], slots["b"]) == (5, 30)
    assert slots["c"] != 5
    assert slots["c"] < 12


def test_slots_that_are_kept_later_move_only_who_is_in_the_way() -> None:
    made = filled(*NAMES[:12])
    before = made.slots()
    first, second, third = NAMES[:3]
    heard: list[int] = []
    made.subscribe(heard.append)
    made.keep_slots({first: before[second], third: before[third]})
    after = made.slots()
    assert after[first] == before[second]
    assert after[second] == before[first]  # the only free one
    assert {run: after[run] for run in NAMES[2:12]} == {run: before[run] for run in NAMES[2:12]}
    assert len(heard) == 1
    made.keep_slots(after)
    assert len(heard) == 1


@pytest.mark.parametrize("name", ["", ".", "实验 1", "a\udce9b", "x" * 5000])
def test_every_name_gets_a_slot(name: str) -> None:
    assert filled(name).slots()[name] < 12


def test_a_hundred_thousand_runs_have_slots_and_each_color_as_often() -> None:
    made = store.Store()
    add(made, *(f"run{number}" for number in range(100_000)))
    used = np.bincount(np.fromiter(made.slots().values(), np.int64) % colors.COUNT)
    assert used.max() - used.min() <= 1
