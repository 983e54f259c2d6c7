"""The cache of a store: what is dropped when, versions, one computation for many threads, failures, states."""

from __future__ import annotations

import functools
import gc
import random
import threading
import time
import weakref
from collections.abc import Callable
from typing import Any

import pytest

from lightboard import store
from lightboard.store import cache

SMALL = store.Share("small", 10_000)
OTHER = store.Share("other", 10_000)
NEWEST = store.Share("newest", 10_000, keep_newest=True)
VERSIONED = store.Share("versioned", 10_000, one_version=True)
BYTES = 1000 - cache.ENTRY_BYTES  # an entry of this many counts as 1,000


def of_bytes(size: int) -> Callable[[Any], int]:
    return lambda value: size


def fill(kept: store.Cache, share: store.Share, *keys: object, size: int = BYTES) -> None:
    for key in keys:
        kept.get(share, key, functools.partial("value {}".format, key), size=of_bytes(size))


def keys(kept: store.Cache, share: store.Share) -> list[object]:
    return [key for key, _ in kept.items(share)]


def run_all(threads: list[threading.Thread]) -> None:
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()


# ---- what is dropped


def test_a_value_is_computed_once_and_then_found() -> None:
    kept, calls = store.Cache(), list[int]()

    def make() -> str:
        calls.append(1)
        return "value"

    assert [kept.get(SMALL, "key", make, size=len) for _ in range(3)] == ["value"] * 3
    assert len(calls) == 1
    assert kept.peek(SMALL, "key") == "value"
    assert kept.peek(SMALL, "another") is None


def test_the_least_recently_used_entries_are_dropped_when_a_share_is_full() -> None:
    kept = store.Cache()
    fill(kept, SMALL, *range(10))
    assert keys(kept, SMALL) == list(range(10))
    fill(kept, SMALL, 0)  # used again
    assert kept.peek(SMALL, 1) == "value 1"
    fill(kept, SMALL, 10, 11)
    assert keys(kept, SMALL) == [4, 5, 6, 7, 8, 9, 0, 1, 10, 11]
    assert kept.size_bytes == 10_000


def test_a_full_share_drops_nothing_of_another() -> None:
    kept = store.Cache()
    fill(kept, OTHER, "mine")
    fill(kept, SMALL, *range(100))
    assert keys(kept, OTHER) == ["mine"]


def test_a_full_cache_drops_what_was_used_longest_ago_whichever_share_has_it() -> None:
    kept = store.Cache(3000)
    fill(kept, SMALL, "a")
    fill(kept, OTHER, "b")
    fill(kept, SMALL, "c")
    kept.peek(SMALL, "a")
    fill(kept, OTHER, "d")
    assert (keys(kept, SMALL), keys(kept, OTHER)) == (["c", "a"], ["d"])
    assert kept.size_bytes == 3000


def test_a_value_larger_than_its_share_is_returned_and_not_kept() -> None:
    kept = store.Cache()
    fill(kept, SMALL, "small")
    assert kept.get(SMALL, "large", lambda: "value", size=of_bytes(20_000)) == "value"
    assert keys(kept, SMALL) == ["small"]


def test_a_share_may_keep_its_newest_entry_whatever_its_size() -> None:
    kept = store.Cache(15_000)
    fill(kept, NEWEST, "first", "second", size=20_000)
    assert keys(kept, NEWEST) == ["second"]
    fill(kept, SMALL, "another")  # the cache is full: only what may be dropped goes
    assert (keys(kept, NEWEST), keys(kept, SMALL)) == (["second"], [])


def test_a_value_without_a_size_is_not_kept() -> None:
    kept = store.Cache()
    assert kept.get(SMALL, "key", lambda: "value", size=lambda value: None) == "value"
    assert keys(kept, SMALL) == []


def test_values_that_take_no_bytes_are_counted_too() -> None:
    kept = store.Cache()
    fill(kept, SMALL, *range(1000), size=0)
    assert len(keys(kept, SMALL)) == SMALL.limit_bytes // cache.ENTRY_BYTES


# ---- versions


def test_another_version_is_computed_and_replaces_the_one_before() -> None:
    kept = store.Cache()
    assert kept.get(SMALL, "key", lambda: "old", version=1, size=of_bytes(BYTES)) == "old"
    assert kept.get(SMALL, "key", lambda: "new", version=2, size=of_bytes(BYTES)) == "new"
    assert kept.peek(SMALL, "key", 1) is None
    assert kept.peek(SMALL, "key", 2) == "new"
    assert kept.size_bytes == 1000


def test_a_share_of_one_version_forgets_the_others_at_once() -> None:
    kept = store.Cache()
    for key in "abc":
        kept.get(VERSIONED, key, lambda: "old", version=1, size=of_bytes(BYTES))
    kept.get(VERSIONED, "a", lambda: "new", version=2, size=of_bytes(BYTES))
    assert kept.items(VERSIONED) == [("a", "new")]
    assert kept.size_bytes == 1000


def test_a_value_of_a_version_that_passed_meanwhile_is_not_kept() -> None:
    kept = store.Cache()

    def slow() -> str:
        kept.get(VERSIONED, "another", lambda: "new", version=2, size=len)
        return "old"

    assert kept.get(VERSIONED, "key", slow, version=1, size=len) == "old"
    assert kept.items(VERSIONED) == [("another", "new")]


# ---- threads


def test_threads_that_ask_at_once_compute_once() -> None:
    kept, calls, answers = store.Cache(), list[int](), list[object]()
    begun, go_on = threading.Event(), threading.Event()

    def make() -> object:
        calls.append(1)
        begun.set()
        assert go_on.wait(60)
        return object()

    def ask() -> None:
        answers.append(kept.get(SMALL, "key", make, size=of_bytes(1)))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    assert begun.wait(60)
    fill(kept, SMALL, "another")  # the lock is not held meanwhile
    go_on.set()
    for thread in threads:
        thread.join(60)
    assert len(calls) == 1
    assert len(answers) == 8 and len(set(answers)) == 1


def test_a_value_too_large_to_be_kept_is_still_computed_once_for_those_who_wait() -> None:
    kept, calls = store.Cache(), list[int]()
    begun, go_on = threading.Event(), threading.Event()

    def make() -> str:
        calls.append(1)
        begun.set()
        assert go_on.wait(60)
        return "value"

    waits = threading.Event()
    large = of_bytes(20_000)
    first = threading.Thread(target=lambda: kept.get(SMALL, "key", make, size=large))
    second = threading.Thread(target=lambda: kept.get(SMALL, "key", make, while_waiting=waits.set, size=large))
    first.start()
    assert begun.wait(60)
    second.start()
    assert waits.wait(60)
    go_on.set()
    first.join(60)
    second.join(60)
    assert len(calls) == 1


def test_what_fails_is_not_kept_and_those_who_waited_try_for_themselves() -> None:
    kept, calls, answers = store.Cache(), list[int](), list[str]()
    begun, waits = threading.Event(), threading.Event()

    def make() -> str:
        calls.append(1)
        if len(calls) == 1:
            begun.set()
            assert waits.wait(60)
            raise ValueError("the file is gone")
        return "value"

    def fail() -> None:
        with pytest.raises(ValueError, match="the file is gone"):
            kept.get(SMALL, "key", make, size=len)
        answers.append("failed")

    def wait() -> None:
        answers.append(kept.get(SMALL, "key", make, size=len, while_waiting=waits.set))

    first, second = threading.Thread(target=fail), threading.Thread(target=wait)
    first.start()
    assert begun.wait(60)
    second.start()
    first.join(60)
    second.join(60)
    assert sorted(answers) == ["failed", "value"]
    assert len(calls) == 2
    assert kept.peek(SMALL, "key") == "value"


def test_a_thread_that_waits_may_give_up() -> None:
    kept = store.Cache()
    begun, go_on = threading.Event(), threading.Event()

    def make() -> str:
        begun.set()
        assert go_on.wait(60)
        return "value"

    def give_up() -> None:
        raise TimeoutError

    thread = threading.Thread(target=lambda: kept.get(SMALL, "key", make, size=len))
    thread.start()
    assert begun.wait(60)
    with pytest.raises(TimeoutError):
        kept.get(SMALL, "key", make, size=len, while_waiting=give_up)
    go_on.set()
    thread.join(60)
    assert kept.peek(SMALL, "key") == "value"


def test_a_value_that_asks_for_itself_is_an_error_and_no_deadlock() -> None:
    kept = store.Cache()

    def make() -> str:
        return kept.get(SMALL, "key", make, size=len)

    with pytest.raises(RuntimeError, match="small"):
        kept.get(SMALL, "key", make, size=len)
    assert kept.get(SMALL, "key", lambda: "value", size=len) == "value"


def test_many_threads_with_many_keys_get_what_they_ask_for() -> None:
    kept, wrong = store.Cache(20_000), list[object]()

    def ask(seed: int) -> None:
        chance = random.Random(seed)
        for _ in range(2000):
            share, key, version = chance.choice((SMALL, OTHER, NEWEST)), chance.randrange(30), chance.randrange(3)
            expected = (share.name, key, version)
            size = chance.choice((100, 2000, 15_000))
            found = kept.get(share, key, functools.partial(tuple, expected), version=version, size=of_bytes(size))
            if found != expected:
                wrong.append((found, expected))

    run_all([threading.Thread(target=ask, args=(seed,)) for seed in range(8)])
    assert wrong == []
    everything = sum(entry.size_bytes for shelf in kept._shelves.values() for entry in shelf.entries.values())
    assert kept.size_bytes == everything
    assert kept._computing == {}


# ---- states


class Counter:
    made = 0

    def __init__(self) -> None:
        time.sleep(0.01)
        Counter.made += 1


class AnotherCounter(Counter):
    pass


def test_a_state_is_made_once_for_each_cache_and_class() -> None:
    kept, found = store.Cache(), list[Counter]()
    Counter.made = 0
    run_all([threading.Thread(target=lambda: found.append(kept.state(Counter))) for _ in range(8)])
    assert len(set(map(id, found))) == 1 and Counter.made == 1
    assert kept.state(AnotherCounter) is not found[0]
    assert store.Cache().state(Counter) is not found[0]


def test_everything_goes_with_the_store() -> None:
    class Large:
        pass

    gc.disable()
    try:
        one = store.Store()
        value = one.cache.get(SMALL, "key", Large, size=of_bytes(1))
        state = one.cache.state(Large)
        gone = [weakref.ref(each) for each in (one, one.cache, value, state)]
        del one, value, state
        assert [each() for each in gone] == [None] * 4
    finally:
        gc.enable()
