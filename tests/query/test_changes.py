"""What changed since a version: runs and tags by name, everything when asked from nowhere, counts of faults."""

from __future__ import annotations

import numpy as np

from lightboard import query, types
from lightboard.query import board, changes, health, tags


def test_only_what_changed_after_the_version_is_named() -> None:
    builder = query.Builder().scalars("a", "loss", [1.0]).scalars("b", "loss", [1.0])
    store = builder.build()
    version = store.version
    assert changes.since(store, version).runs == []
    builder.scalars("b", "acc", [1.0])
    found = changes.since(store, version)
    assert found.runs == ["b"]
    assert found.tags == {"scalars": ["acc"]}
    assert found.version == store.version


def test_from_nowhere_or_from_the_future_everything_changed() -> None:
    store = query.Builder().scalars("a", "loss", [1.0]).build()
    for version in (None, store.version + 1000):
        found = changes.since(store, version)
        assert (found.runs, found.tags) == ("all", {"scalars": "all"})


def test_a_removed_run_changed() -> None:
    store = query.Builder().scalars("a", "loss", [1.0]).scalars("b", "loss", [1.0]).build()
    version = store.version
    store.retire_files([0])
    found = changes.since(store, version)
    assert found.runs == ["a"]
    assert board.summary(store).counts.runs == 1


def test_untyped_values_count_as_tensors() -> None:
    value = types.Tensor((1,), array=np.zeros(1))
    builder = query.Builder().tensors("a", "x", types.Kind.UNTYPED, [value], metadata=types.Metadata())
    store = builder.tensors("a", "y", types.Kind.TENSORS, [value]).build()
    assert board.summary(store).counts.tags == {"tensors": 2}
    assert tags.listing(store).kinds["tensors"].tag == ["x", "y"]


def test_an_empty_store_has_answers() -> None:
    store = query.Builder().build()
    assert tags.listing(store).kinds == {}
    assert board.summary(store).counts == board.Counts(0, 0, 0, 0, {})
    assert changes.since(store, None).tags == {}
    assert health.health(store).files == []


def test_paths_are_told_below_their_root_and_never_in_full() -> None:
    assert health.relative("/logs/a/run/events", ["/logs", "/logs/a"]) == "run/events"
    assert health.relative("/logs/run/events", ["/logs/"]) == "run/events"
    assert health.relative("/home/me/secret/run/events", ["/logs"]) == "run/events"
