"""The store between its one writer and many readers: identity, kinds, versions, removal, listeners."""

from __future__ import annotations

import numpy as np

from lightboard import store, types
from lightboard.store import snapshot


def test_series_are_found_by_run_and_tag() -> None:
    built = store.Builder().scalars("a", "loss", [1.0]).scalars("b", "loss", [2.0]).scalars("b", "acc", [3.0]).build()
    assert built.runs() == ["a", "b"]
    assert {(series.run, series.tag) for series in built.all_series(types.Kind.SCALARS)} == {
        ("a", "loss"),
        ("b", "loss"),
        ("b", "acc"),
    }
    assert [series.tag for series in built.all_series(run="b")] == ["loss", "acc"]
    assert built.series("a", "acc") is None
    assert built.series("c", "loss") is None
    assert built.all_series(run="nobody") == []
    assert built.all_series(tag="nothing") == []


def test_removed_files_take_their_points_along() -> None:
    built = store.Builder().scalars("a", "loss", [1.0]).scalars("b", "loss", [2.0]).build()
    before = built.version
    built.retire_files([0])
    assert built.runs() == ["b"]
    assert built.version > before
    assert [series.run for series in built.all_series()] == ["b"]
    assert built.series("a", "loss") is None


def test_changes_can_be_asked_for_by_version() -> None:
    builder = store.Builder().scalars("a", "loss", [1.0])
    built = builder.build()
    version = built.version
    builder.scalars("b", "loss", [1.0])
    changed = built.series_rows(since=version)
    assert [store.Series(built, row).run for row in changed.tolist()] == ["b"]


def test_the_first_kind_wins_and_odd_chunks_are_left_out() -> None:
    text = types.Tensor((), strings=(b"hello",))
    built = store.Builder().scalars("a", "x", [1.0]).tensors("a", "x", types.Kind.TEXT, [text], steps=[5]).build()
    series = built.series("a", "x")
    assert series is not None
    assert series.kind is types.Kind.SCALARS
    assert series.points().steps.tolist() == [0]


def test_a_series_learns_its_kind_from_another_file() -> None:
    number = types.Tensor((), array=np.array(2.5, np.float32))
    builder = store.Builder().tensors(
        "a", "x", types.Kind.UNTYPED, [number], wall_times=[1e9], metadata=types.Metadata()
    )
    assert builder.build().all_series()[0].kind is types.Kind.TENSORS
    series = builder.scalars("a", "x", [3.5], steps=[1], wall_times=[1e9 + 9]).build().series("a", "x")
    assert series is not None
    assert series.kind is types.Kind.SCALARS
    assert series.points().values.tolist() == [2.5, 3.5]
    assert series.metadata.plugin == "scalars"


def test_listeners_hear_of_each_commit_until_they_stop() -> None:
    builder = store.Builder()
    heard: list[int] = []
    stop = builder.build().subscribe(heard.append)
    builder.scalars("a", "x", [1.0])
    count = len(heard)
    assert count > 0
    assert heard[-1] == builder.build().version
    stop()
    builder.scalars("a", "y", [1.0])
    assert len(heard) == count + 1, "the progress told by build() above was the last"


def test_a_snapshot_restores_names_points_and_versions() -> None:
    names = ("a", "日本語 🚀", "bad\udcff", "100%25")
    builder = store.Builder()
    for number, name in enumerate(names):
        builder.scalars(name, f"tag {name}", [float(number)])
    built = builder.build()
    built.retire_files([3])
    restored = store.Store()
    snapshot.restore(restored, snapshot.take(built))
    assert restored.runs() == list(names[:3])
    assert restored.version > built.version
    for number, name in enumerate(names[:3]):
        series = restored.series(name, f"tag {name}")
        assert series is not None
        assert series.points().values.tolist() == [float(number)]
