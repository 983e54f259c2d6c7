"""What is wrong with no file in particular is told too. Faults of files are asked for in tests/server."""

from __future__ import annotations

from lightboard import errors, types
from lightboard.query import health
from lightboard.store import Builder


def test_notices_of_the_store_are_told_with_short_paths() -> None:
    store = Builder().build()
    store.set_notices([types.Fault("/logs/a/closed", 0, "unreadable", "it is left out")])
    found = health.health(store, roots=["/logs"], notices=[errors.Explanation("a flag has no effect")])
    assert [each.message for each in found.notices] == ["a flag has no effect", "it is left out: a/closed"]
