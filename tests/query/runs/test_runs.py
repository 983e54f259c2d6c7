"""Runs: states by age, selection, listings over many runs; the columns filters look at; hparams from metadata;
heartbeats."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from lightboard import errors, query, types
from lightboard.query import tags
from lightboard.query.runs import heartbeats, runs
from lightboard.query.runs import hparams as hparams_metadata
from lightboard.query.runs import records as run_records
from lightboard.query.runs import table as run_table

NOW = 2_000_000_000.0


def field(number: int, value: bytes | float | int) -> bytes:
    """One protobuf field: bytes, a double, or a small integer."""
    if isinstance(value, bytes):
        return bytes([number << 3 | 2, len(value)]) + value
    if isinstance(value, float):
        return bytes([number << 3 | 1]) + struct.pack("<d", value)
    return bytes([number << 3, value])


def session_start(**hparams: float | str | bool) -> types.Metadata:
    entries = b""
    for name, value in hparams.items():
        if isinstance(value, bool):
            told = field(4, int(value))
        elif isinstance(value, float):
            told = field(2, value)
        else:
            told = field(3, str(value).encode())
        entries += field(1, field(1, name.encode()) + field(2, told))
    return types.Metadata("hparams", field(3, entries))


def session_end(status: int) -> types.Metadata:
    return types.Metadata("hparams", field(4, field(1, status)))


def hparams(builder: query.Builder, run: str, tag: str, metadata: types.Metadata) -> None:
    empty = types.Tensor((), strings=(b"",))
    builder.tensors(run, tag, types.Kind.HPARAMS, [empty], metadata=metadata, wall_times=[NOW])


@pytest.mark.parametrize(("age", "state"), [(-50, "running"), (100, "running"), (200, "idle"), (4000, "finished")])
def test_a_state_is_the_age_of_the_last_event(age: float, state: str) -> None:
    store = query.Builder().scalars("a", "loss", [1.0], wall_times=[NOW - age]).build()
    assert runs.listing(store, now=NOW).state == [state]
    assert runs.detail(store, "a", now=NOW).state == state


def test_a_run_without_events_is_empty() -> None:
    store = query.Builder().scalars("a", "loss", []).build()
    found = runs.listing(store, now=NOW)
    assert (found.state, found.start_time, found.duration) == (["empty"], [None], [None])


@pytest.mark.parametrize(("status", "state"), [(0, "running"), (1, "finished"), (2, "finished"), (3, "running")])
def test_a_writer_that_says_it_is_over_is_believed(status: int, state: str) -> None:
    builder = query.Builder().scalars("a", "loss", [1.0], wall_times=[NOW])
    hparams(builder, "a", hparams_metadata.END_TAG, session_end(status))
    assert runs.listing(builder.build(), now=NOW).state == [state]


def test_hparams_are_read_and_inherited() -> None:
    builder = query.Builder().scalars("job/train", "loss", [1.0]).scalars("other", "loss", [1.0])
    hparams(builder, "job", hparams_metadata.START_TAG, session_start(lr=0.5, opt="adam", bn=True))
    store = builder.build()
    found = hparams_metadata.of_runs(store)
    assert {store.run_names[row]: values for row, values in found.items()} == {
        "job": {"lr": 0.5, "opt": "adam", "bn": True},
        "job/train": {"lr": 0.5, "opt": "adam", "bn": True},
    }


@pytest.mark.parametrize("content", [b"", b"\xff", b"\x1a\x05abc", b"\x1a\x02\x0a\x99", b"\x08\x01"])
def test_broken_hparams_are_no_hparams(content: bytes) -> None:
    assert hparams_metadata.parse(content) == {}


def table() -> tuple[query.Store, run_table.RunTable]:
    builder = query.Builder().scalars("a", "loss", [3.0, 1.0], wall_times=[NOW - 10, NOW])
    builder.scalars("b", "loss", [5.0, np.nan], wall_times=[0, 1]).scalars("b", "acc", [1.0], wall_times=[1])
    hparams(builder, "a", hparams_metadata.START_TAG, session_start(lr=0.5))
    store = builder.build()
    return store, run_table.RunTable(store, np.array([1, 0]), now=NOW)


def test_the_table_of_filters_has_columns_in_its_order() -> None:
    _, found = table()
    assert len(found) == 2
    assert found.names().tolist() == ["b", "a"]
    assert found.statuses().tolist() == ["finished", "running"]
    assert found.durations().tolist() == [1, 10]
    assert found.starts().tolist() == [0, NOW - 10]
    assert found.has("acc").tolist() == [True, False]
    assert found.has("none").tolist() == [False, False]
    assert set(found.tag_names()) == {"loss", "acc", hparams_metadata.START_TAG}
    np.testing.assert_array_equal(found.metric("first", "loss"), [5, 3])
    np.testing.assert_array_equal(found.metric("last", "loss"), [np.nan, 1])
    np.testing.assert_array_equal(found.metric("max", "acc"), [1, np.nan])
    np.testing.assert_array_equal(found.metric("max", "none"), [np.nan, np.nan])
    assert found.hparam("lr").tolist() == [None, 0.5]
    assert found.hparam_names() == {"lr"}


@pytest.mark.parametrize(
    ("filter_", "names"),
    [
        ("", ["a", "b"]),
        ("A", ["a"]),
        ('last("loss") < 2', ["a"]),
        ("hparams.lr == 0.5", ["a"]),
        ('"acc" in tags', ["b"]),
        ('status == "finished"', ["b"]),
        ("none of these", []),
    ],
)
def test_filters_choose_runs(filter_: str, names: list[str]) -> None:
    store, _ = table()
    assert runs.listing(store, filter_=filter_, now=NOW).name == names


def test_a_wrong_filter_points_at_the_place() -> None:
    store, _ = table()
    with pytest.raises(errors.BadFilter) as caught:
        runs.listing(store, filter_='last("loss") >')
    assert caught.value.position > 0


def test_selecting_by_name_leaves_unknown_ones_out() -> None:
    store, _ = table()
    assert [store.run_names[row] for row in runs.select(store, ("b", "nobody", "b", "a"), "")] == ["a", "b"]
    assert [store.run_names[row] for row in runs.select(store, ("b", "a"), "a")] == ["a"]


@pytest.mark.parametrize(
    ("sort", "names"),
    [
        ("name", ["run1", "run2", "run10"]),
        ("-name", ["run10", "run2", "run1"]),
        ("start_time", ["run2", "run1", "run10"]),
        ("-start_time", ["run1", "run2", "run10"]),
        ("duration", ["run2", "run1", "run10"]),
    ],
)
def test_sorting_keeps_unknown_values_last(sort: str, names: list[str]) -> None:
    builder = query.Builder().scalars("run10", "loss", []).scalars("run1", "loss", [1.0, 2.0], wall_times=[20, 29])
    store = builder.scalars("run2", "loss", [1.0, 2.0], wall_times=[10, 11]).build()
    assert runs.listing(store, sort=sort).name == names


# ---- heartbeats ----


def beats(builder: query.Builder, run: str, told: list[tuple[float, int]], interval_secs: float = 30.0) -> None:
    metadata = types.Metadata("lightboard_run", b'{"interval_secs": %g}' % interval_secs)
    builder.tensors(
        run,
        heartbeats.TAG,
        types.Kind.TENSORS,
        [types.Tensor((), strings=(b"{}",))] * len(told),
        steps=[int(when) * heartbeats.STATUS_RANGE + status for when, status in told],
        wall_times=[when for when, _ in told],
        metadata=metadata,
    )


@pytest.mark.parametrize(
    ("told", "state"),
    [
        ([(NOW - 20, 0)], "running"),
        ([(NOW - 90, 0)], "running"),
        ([(NOW - 92, 0)], "crashed"),
        ([(NOW - 60, 0), (NOW - 31, heartbeats.SUCCESS)], "finished"),
        ([(NOW - 60, 0), (NOW - 31, heartbeats.FAILURE)], "crashed"),
        ([(NOW - 60, 0), (NOW - 31, heartbeats.SIGNAL + 15)], "crashed"),
        ([(NOW - 60, 0), (NOW - 31, heartbeats.INTERRUPTED)], "finished"),
        ([(NOW - 900, heartbeats.FAILURE), (NOW - 5, 0)], "running"),
    ],
)
def test_heartbeats_tell_a_crashed_run_from_a_finished_one(told: list[tuple[float, int]], state: str) -> None:
    builder = query.Builder().scalars("a", "loss", [1.0], wall_times=[NOW]).scalars("b", "loss", [1.0], wall_times=[0])
    beats(builder, "a", told)
    store = builder.build()
    assert runs.listing(store, now=NOW).state == [state, "finished"]
    assert runs.detail(store, "a", now=NOW).state == state


def test_a_slow_heart_is_not_a_dead_one() -> None:
    builder = query.Builder()
    beats(builder, "slow", [(NOW - 1000, 0)], interval_secs=600)
    beats(builder, "quick", [(NOW - 1000, 0)], interval_secs=1)
    store = builder.build()
    assert runs.listing(store, now=NOW).state == ["crashed", "running"]


def test_a_restarted_run_is_judged_by_its_newest_file() -> None:
    builder = query.Builder()
    beats(builder, "a", [(NOW - 500, 0), (NOW - 400, heartbeats.FAILURE)])
    beats(builder, "a", [(NOW - 60, 0), (NOW - 30, 0)])
    assert runs.listing(builder.build(), now=NOW).state == ["running"]


def test_heartbeats_win_over_a_session_end() -> None:
    builder = query.Builder()
    hparams(builder, "a", hparams_metadata.END_TAG, session_end(2))
    beats(builder, "a", [(NOW - 1, heartbeats.FAILURE)])
    assert runs.listing(builder.build(), now=NOW).state == ["crashed"]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b'{"interval_secs": "often"}',
        b'{"interval_secs": -1}',
        b'{"interval_secs": 1' + b"0" * 400 + b"}",
        b"[" * 100_000,
    ],
)
def test_a_nonsensical_interval_counts_as_the_usual_one(content: bytes) -> None:
    builder = query.Builder().tensors(
        "a",
        heartbeats.TAG,
        types.Kind.TENSORS,
        [types.Tensor((), strings=(b"{}",))],
        steps=[int(NOW) * heartbeats.STATUS_RANGE],
        metadata=types.Metadata("lightboard_run", content),
    )
    store = builder.build()
    assert heartbeats.latest(store).interval_secs.tolist() == [30.0]
    assert runs.listing(store, filter_='status == "crashed"', now=NOW + 91).name == ["a"]


def test_own_tags_are_hidden_unless_asked_for() -> None:
    builder = query.Builder().scalars("a", "loss", [1.0])
    beats(builder, "a", [(NOW, 0)])
    store = builder.build()
    assert tags.listing(store).kinds.keys() == {"scalars"}
    assert tags.listing(store, hidden=True).kinds["tensors"].tag == [heartbeats.TAG]
    assert runs.detail(store, "a").tags == {"scalars": 1}
    assert runs.filter_names(store)["tags"] == ["loss"]
    builder.scalars("a", "_lightboard_/later", [1.0]).scalars("a", "later", [1.0])
    assert tags.listing(store).kinds["scalars"].tag == ["later", "loss"]


@pytest.mark.parametrize(
    ("when", "status", "word", "signal"),
    [
        (NOW - 20, heartbeats.ALIVE, "alive", None),
        (NOW - 120, heartbeats.ALIVE, "late", None),
        (NOW - 120, heartbeats.SUCCESS, "success", None),
        (NOW - 120, heartbeats.FAILURE, "failure", None),
        (NOW - 120, heartbeats.SIGNAL + 9, "signal", 9),
        (NOW + 5, heartbeats.ALIVE, "alive", None),
    ],
)
def test_a_run_tells_of_its_last_heartbeat(when: float, status: int, word: str, signal: int | None) -> None:
    builder = query.Builder().scalars("b", "loss", [1.0])
    beats(builder, "a", [(NOW - 500, 0), (when, status)])
    store = builder.build()
    found = runs.detail(store, "a", now=NOW).heartbeat
    assert found is not None
    assert (found.time, found.age, found.status, found.signal) == (when, max(0.0, NOW - when), word, signal)
    assert runs.detail(store, "b", now=NOW).heartbeat is None


# ---- what a run tells about itself ----


def record(*contents: bytes) -> list[types.Tensor]:
    return [types.Tensor((), strings=(content,)) for content in contents]


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b"null", b"\xff", b"[" * 100_000])
def test_records_that_make_no_sense_say_nothing(content: bytes) -> None:
    builder = query.Builder()
    for tag in (run_records.RUN_TAG, run_records.CONFIG_TAG, run_records.SUMMARY_TAG, heartbeats.TAG):
        builder.tensors("a", tag, types.Kind.TENSORS, record(content))
    found = runs.detail(builder.build(), "a")
    assert (found.config, found.metadata, found.summary, found.about) == ({}, {}, {}, {})


def test_the_newest_record_counts_and_is_read_once() -> None:
    builder = query.Builder()
    builder.tensors(
        "a", run_records.CONFIG_TAG, types.Kind.TENSORS, record(b'{"config": {"lr": 1}}', b'{"config": {"lr": 2}}')
    )
    store = builder.build()
    assert run_records.latest(store, "a", run_records.CONFIG_TAG) == {"config": {"lr": 2}}
    assert run_records.latest(store, "a", run_records.CONFIG_TAG) is run_records.latest(
        store, "a", run_records.CONFIG_TAG
    )
    builder.tensors("a", run_records.CONFIG_TAG, types.Kind.TENSORS, record(b'{"config": {"lr": 3}}'), steps=[7])
    assert run_records.latest(store, "a", run_records.CONFIG_TAG) == {"config": {"lr": 3}}


def test_a_record_whose_file_is_gone_says_nothing_and_is_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    store = query.Builder().tensors("a", run_records.RUN_TAG, types.Kind.TENSORS, record(b'{"host": "h"}')).build()
    load = store._load

    def gone(*_: object) -> types.Tensor:
        raise errors.Gone("the file has changed")

    monkeypatch.setattr(store, "_load", gone)
    assert runs.detail(store, "a").metadata == {}
    monkeypatch.setattr(store, "_load", load)
    assert runs.detail(store, "a").metadata == {"host": "h"}


def test_faults_are_told_with_their_file() -> None:
    store = query.Builder().scalars("a", "loss", [1.0]).build()
    store.faults[0] = [types.Fault("a/loss", 12, "checksum", "the record's checksum is wrong")]
    (file,) = runs.detail(store, "a").files
    assert [(fault.offset, fault.reason) for fault in file.faults] == [(12, "checksum")]
