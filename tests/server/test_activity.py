"""`/api/activity`: who counts as looking at a board and as using it. Clocks are handed in."""

from __future__ import annotations

import dataclasses

from lightboard import activity
from lightboard.server import activity as routes


@dataclasses.dataclass
class Clock:
    now: float = 1000.0

    def __call__(self) -> float:
        return self.now


def made() -> tuple[activity.Activity, Clock]:
    clock = Clock()
    return activity.Activity(clock, clock), clock


def test_a_board_that_was_just_started_was_looked_at() -> None:
    one, clock = made()
    clock.now += 30
    assert one.unseen_secs() == 30
    assert one.last() == activity.Last(1000.0, 1000.0, "start")


def test_a_visible_page_is_a_look_and_a_touched_one_a_use() -> None:
    one, clock = made()
    clock.now = 5000.0
    one.visible(20.0)
    assert (one.unseen_secs(), one.last()) == (0.0, activity.Last(5000.0, 4980.0, "page"))
    clock.now = 9000.0
    one.visible(4020.0)
    assert one.last() == activity.Last(9000.0, 4980.0, "page")


def test_an_old_touch_does_not_undo_a_newer_use() -> None:
    one, clock = made()
    clock.now = 5000.0
    one.requested()
    one.visible(600.0)
    assert one.last().used == 5000.0


def test_somebody_who_looks_after_a_pause_wakes_the_follower_once() -> None:
    one, clock = made()
    calls: list[float] = []
    one.when_looked(lambda: calls.append(clock.now))
    clock.now += 30
    one.requested()
    clock.now += 100
    one.visible(0.0)
    one.visible(0.0)
    assert calls == [1130.0]


def test_programs_look_and_browsers_report_themselves() -> None:
    def looks(path: str, headers: dict[bytes, bytes] | None = None, query: bytes = b"") -> bool:
        return routes.is_program(path, headers or {}, query)

    assert looks("/api/runs")
    assert looks("/data/plugin/scalars/tags")
    assert not looks("/api/runs", {b"sec-fetch-site": b"same-origin"})
    assert not looks("/api/runs", query=b"a=1&activity=0")
    assert not looks("/api/activity")
    assert not looks("/")
