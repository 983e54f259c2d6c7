"""Finding, listing, thinning, and values that are decoded when looked at."""

from __future__ import annotations

import numpy as np
import pytest
from data_client import strings

from lightboard import errors, store, types
from lightboard.query import histograms, series, text


def test_thinning_keeps_the_last_point_and_the_order() -> None:
    kept = series.sample(1000, 10)
    assert isinstance(kept, np.ndarray)
    assert len(kept) == 10
    assert kept[-1] == 999
    assert (np.diff(kept) > 0).all()


def test_thinning_is_the_same_each_time() -> None:
    np.testing.assert_array_equal(series.sample(500, 20), series.sample(500, 20))


@pytest.mark.parametrize(("count", "limit"), [(5, None), (5, 0), (5, 5), (0, 3)])
def test_all_points_stay_without_a_limit_below(count: int, limit: int | None) -> None:
    assert series.sample(count, limit) == slice(None)


def test_one_point_is_the_last() -> None:
    assert list(np.arange(7)[series.sample(7, 1)]) == [6]


def test_a_listing_names_run_tag_and_metadata() -> None:
    described = types.Metadata("scalars", description="why")
    source = store.Builder().scalars("a", "loss", [1.0], metadata=described).scalars("b", "loss", [2.0]).build()
    entries = series.listing(source, types.Kind.SCALARS)
    assert [(entry.run, entry.tag, entry.metadata.description) for entry in entries] == [
        ("a", "loss", "why"),
        ("b", "loss", ""),
    ]


def test_a_tag_of_another_kind_is_not_found() -> None:
    source = store.Builder().scalars("a", "loss", [1.0]).build()
    with pytest.raises(errors.NotFound):
        series.find(source, types.Kind.IMAGES, "a", "loss")


def test_runs_stand_by_start_then_name_and_unread_ones_last() -> None:
    source = (
        store.Builder()
        .scalars("late", "x", [1.0], wall_times=[30.0])
        .scalars("b", "x", [1.0], wall_times=[10.0])
        .scalars("a", "x", [1.0], wall_times=[10.0])
        .scalars("empty", "x", [])
        .build()
    )
    assert series.runs_by_start(source) == ["a", "b", "late", "empty"]


def test_looping_leaves_out_the_odd_value_and_asking_for_it_says_why() -> None:
    good = types.Tensor((1, 3), array=np.array([[0.0, 1.0, 5.0]]))
    odd = types.Tensor((1, 2), array=np.array([[0.0, 1.0]]))
    source = store.Builder().tensors("r", "h", types.Kind.HISTOGRAMS, [good, odd, good]).build()
    steps = histograms.read(source, "r", "h")
    assert [one.step for one in steps] == [0, 2]
    with pytest.raises(errors.Unreadable, match="3"):
        steps[1]


def test_slices_and_negative_positions_are_those_of_a_sequence() -> None:
    values = [strings(f"{number}".encode()) for number in range(5)]
    source = store.Builder().tensors("r", "t", types.Kind.TEXT, values).build()
    steps = text.read(source, "r", "t")
    assert steps[-1].strings == ("4",)
    assert [one.strings[0] for one in steps[1:3]] == ["1", "2"]
    with pytest.raises(IndexError):
        steps[5]


@pytest.mark.parametrize("few", [0, series.FEW_SERIES])
def test_series_of_some_tags_in_some_runs_are_the_same_looked_up_or_filtered(
    few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(series, "FEW_SERIES", few)
    builder = store.Builder()
    for run in ("a", "b", "c"):
        builder.scalars(run, "loss", [1.0]).scalars(run, "gain", [2.0])
    source = builder.scalars("c", "only", [3.0]).scalars("b", "empty", []).build()

    def found(tags: list[str], runs: list[str], **more: int) -> list[tuple[str, str]]:
        numbers = [source.run_row(run) for run in runs]
        rows = series.rows(source, types.Kind.SCALARS, tags, np.array(numbers, np.int64), **more)
        return [(one.tag, one.run) for one in (store.Series(source, row) for row in rows.tolist())]

    # as asked: by tag first
    assert found(["loss", "gain"], ["c", "a"]) == [("loss", "c"), ("loss", "a"), ("gain", "c"), ("gain", "a")]
    assert found(["only", "only", "absent", "empty"], ["a", "b", "c"]) == [("only", "c")]
    assert found(["loss"], []) == []
    assert found([], ["a"]) == []
    assert found(["loss"], ["a"], since=source.version) == []
    with pytest.raises(errors.BadInput, match="3 series"):
        found(["loss"], ["a", "b", "c"], most=2)
    of_another_kind = series.rows(source, types.Kind.IMAGES, ["loss"], np.array([0], np.int64))
    assert len(of_another_kind) == 0
