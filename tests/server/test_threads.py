"""Work of one request on several cores: each part done once, in order, whoever does it."""

from __future__ import annotations

import itertools
import threading

import pytest

from lightboard.server import threads


@pytest.mark.parametrize("count", [0, 1, 2, 50])
def test_parts_are_each_done_once_and_come_in_order(count: int) -> None:
    done = itertools.count()

    def work(item: int) -> int:
        next(done)
        return item * item

    assert list(threads.side_by_side(work, range(count))) == [item * item for item in range(count)]
    assert next(done) == count


def test_parts_are_done_by_several_threads_at_once() -> None:
    together = threading.Barrier(2)

    def work(item: int) -> int:
        if item < 2:
            together.wait(30)  # breaks, and fails the test, where both are left to one thread
        return item

    assert list(threads.side_by_side(work, range(4))) == [0, 1, 2, 3]


def test_whoever_waits_for_a_part_does_others_meanwhile() -> None:
    """One is held up until all others are done: by nobody but those who would otherwise wait for it."""
    others = threading.Semaphore(0)

    def work(item: int) -> int:
        if item == 1:
            assert all(others.acquire(timeout=30) for _ in range(18))
        else:
            others.release()
        return item

    assert list(threads.side_by_side(work, range(19))) == list(range(19))


def test_a_part_that_fails_fails_the_whole() -> None:
    def work(item: int) -> int:
        if item == 3:
            raise ValueError("three")
        return item

    with pytest.raises(ValueError, match="three"):
        list(threads.side_by_side(work, range(9)))


def test_parts_that_nobody_waits_for_are_not_begun() -> None:
    begun: set[int] = set()
    hold = threading.Event()

    def work(item: int) -> int:
        begun.add(item)
        if item:
            assert hold.wait(30)
        return item

    parts = threads.side_by_side(work, range(1000))
    assert next(parts) == 0
    parts.close()
    hold.set()
    assert list(threads.side_by_side(lambda item: item, range(40))) == list(range(40))
    assert len(begun) < 1000
