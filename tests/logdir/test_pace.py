"""How often a root elsewhere is listed. Times are handed in; nothing waits."""

from __future__ import annotations

import math

import pytest

from lightboard.logdir import pace


def due_in(one: pace.Pace, now: float, *, least: float = 5.0, quiet: float = 6.0, unseen: float = 0.0) -> float:
    return one.due_at(now, least_secs=least, quiet_secs=quiet, unseen_secs=unseen) - now


def listed(now: float, *, changed: bool = False, failed: bool = False, unseen: float = 0.0) -> pace.Pace:
    one = pace.Pace()
    again(one, now, changed=changed, failed=failed, unseen=unseen)
    return one


def again(one: pace.Pace, now: float, *, changed: bool = False, failed: bool = False, unseen: float = 0.0) -> None:
    one.listed(now, 0.01, changed=changed, failed=failed, unseen_secs=unseen)


def test_a_new_root_is_due_at_once() -> None:
    assert due_in(pace.Pace(), 100.0) == -math.inf


def test_an_unchanged_root_is_listed_with_at_most_ten_requests_a_minute() -> None:
    assert due_in(listed(100.0, changed=True), 100.0, quiet=60.0) == 60.0


def test_a_root_that_changes_is_listed_every_interval_for_a_minute() -> None:
    one = listed(100.0)
    again(one, 160.0, changed=True)
    assert due_in(one, 160.0, quiet=60.0) == 5.0
    again(one, 215.0)
    assert due_in(one, 221.0, quiet=60.0) == 54.0


def test_listing_takes_a_tenth_of_the_time_at_most() -> None:
    one = pace.Pace()
    one.listed(100.0, 3.0, changed=False, failed=False, unseen_secs=0.0)
    assert due_in(one, 100.0) == pytest.approx(30.0)


def test_nobody_looks_so_the_interval_doubles_and_then_listing_ends() -> None:
    one = listed(100.0)
    again(one, 160.0, unseen=60.0)
    assert due_in(one, 160.0, unseen=60.0) == 12.0
    again(one, 172.0, unseen=72.0)
    assert due_in(one, 172.0, unseen=72.0) == 24.0
    assert due_in(one, 230.0, unseen=120.0) == math.inf
    assert due_in(one, 1000.0) < 0  # somebody looks again


def test_failures_back_off_up_to_a_minute() -> None:
    one = pace.Pace()
    waits = []
    for _ in range(6):
        again(one, 100.0, failed=True)
        waits.append(due_in(one, 100.0))
    assert waits == [5.0, 10.0, 20.0, 40.0, 60.0, 60.0]
    again(one, 100.0)
    assert due_in(one, 100.0) == 6.0
