"""Trials: sessions from wherever hparams were told, repeats, columns, metrics, and reasons for what is not there."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from made_trials import Sessions

from lightboard import errors, query, types
from lightboard.query.hparams import trial_metrics, trial_tables, trials
from lightboard.query.runs import hparams as hparams_metadata
from lightboard.sdk import hparams_messages

NOW = 1e9  # long before the builder's events: nothing is taken for running


def table(store: query.Store, runs: Any = None, **wanted: Any) -> trial_tables.Table:
    return trial_tables.table(store, runs, trial_tables.Wanted(**wanted), now=NOW + 1e10)


def cells(found: trial_tables.Table) -> dict[str, list[Any]]:
    return {each.column.name: each.texts() for each in found.hparams}


def values(found: trial_tables.Table) -> dict[str, list[float]]:
    return {trial_tables.metric_key(metric): got.value.tolist() for metric, got in found.metrics}


def reasons(found: trial_tables.Table) -> dict[str, list[str]]:
    return {
        trial_tables.metric_key(metric): [trial_metrics.REASONS[number] for number in got.reason.tolist()]
        for metric, got in found.metrics
    }


# ---- where hparams come from


def test_a_session_start_may_come_late_partly_and_with_another_schema() -> None:
    store = (
        Sessions()
        .session("a", {"lr": 0.1, "units": 16}, loss=1.0)
        .session("b", {"lr": 0.2}, loss=2.0)
        .session("c", {"lr": "auto", "dropout": 0.5}, loss=3.0)
        .build()
    )
    found = table(store)
    assert found.names == ["a", "b", "c"]
    assert cells(found) == {
        "dropout": [None, None, 0.5],
        "lr": ["0.1", "0.2", "auto"],
        "units": [16.0, None, None],
    }
    assert values(found) == {"loss": [1.0, 2.0, 3.0]}


def test_texts_are_taken_where_no_session_was_started() -> None:
    made = Sessions().session("told", {"lr": 0.1}, loss=1.0).text("told", "args", '{"lr": 9}')
    made.session("json", loss=2.0).text("json", "args", '{"lr": 0.2, "opt": {"name": "adam"}}')
    made.session("torch", loss=3.0).text("torch", "config/text_summary", "lr: 0.3\n")
    made.session("prose", loss=4.0).text("prose", "config", "nothing to see here, move along")
    made.session("bare", loss=5.0)
    found = table(made.build())
    assert found.names == ["json", "told", "torch"]
    assert cells(found)["lr"] == [0.2, 0.1, 0.3]
    assert cells(found)["opt/name"] == ["adam", None, None]
    assert [trials.SOURCES[number] for number in found.source.tolist()] == ["text", "session", "text"]
    assert [(each.run, each.reason, each.detail) for each in found.sessions.absent] == [
        ("bare", "no_hparams", ""),
        ("prose", "text_unreadable", "config"),
    ]


def test_files_beside_the_logs_are_taken_last() -> None:
    store = Sessions().session("yaml", loss=1.0).session("both", {"lr": 0.1}, loss=2.0).build()
    store.set_companions(
        [
            types.Companion("hparams", run, f"/logs/{run}/hparams.yaml", b"lr: 0.5\nnet:\n  depth: 3\n")
            for run in ("yaml", "both", "gone")
        ]
    )
    found = table(store)
    assert cells(found) == {"lr": [0.1, 0.5], "net/depth": [None, 3.0]}
    store.set_companions([types.Companion("hparams", "yaml", "/logs/yaml/hparams.yaml", b"lr: 0.7\n")])
    assert cells(table(store))["lr"] == [0.1, 0.7], "a file that changes is read again"


def test_broken_sessions_and_lone_ends_are_told() -> None:
    made = Sessions().session("good", {"lr": 1.0}, loss=1.0).session("broken", loss=1.0)
    made.metadata("broken", hparams_metadata.START_TAG, b"\x1a\x7f\x00")
    made.session("ended", status=1, loss=1.0)
    found = table(made.build())
    assert found.names == ["good"]
    assert {each.run: each.reason for each in found.sessions.absent} == {"broken": "unreadable", "ended": "only_end"}


def test_a_session_without_hparams_is_a_trial() -> None:
    assert table(Sessions().session("a", {}, loss=1.0).build()).names == ["a"]


def test_no_hparams_at_all() -> None:
    found = table(Sessions().session("a", loss=1.0).session("b", loss=1.0).build())
    assert (found.names, found.hparams, found.metrics, found.total) == ([], [], [], 0)
    assert [each.run for each in found.sessions.absent] == ["a", "b"]
    header, arrays = trial_tables.frame(found, trial_tables.Wanted())
    assert header.absent_total == 2
    assert all(len(array) == 0 for array in arrays.values())


def test_an_empty_store() -> None:
    assert table(query.Builder().build()).names == []


def test_the_run_above_belongs_to_its_only_session() -> None:
    """PyTorch's add_hparams writes into a run below the one with the curves."""
    made = Sessions().session("net", loss=[3.0, 2.0]).session("net/1700.5", {"lr": 0.1}, accuracy=0.9)
    made.session("net/test", loss=7.0)
    found = table(made.build(), metrics=[("accuracy", "", ""), ("loss", "..", ""), ("loss", "../test", "")])
    assert (found.names, found.sessions.absent) == (["net/1700.5"], [])
    assert values(found) == {"accuracy": [0.9], "..:loss": [2.0], "../test:loss": [7.0]}


def test_a_text_above_and_a_session_below_are_one() -> None:
    made = Sessions().session("net", loss=2.0).text("net", "args", '{"lr": 9, "depth": 3}')
    found = table(made.session("net/hp", {"lr": 0.1}, accuracy=0.9).build())
    assert (found.names, cells(found)) == (["net/hp"], {"depth": [3.0], "lr": [0.1]})


def test_values_of_every_kind() -> None:
    long = "長い" * 5000
    given = [
        {"n": math.nan, "inf": math.inf, "text": "a", "flag": True, "null": None, "mixed": 1, "long": long},
        {"n": 1.0, "inf": -math.inf, "text": "😀", "flag": False, "null": None, "mixed": True, "long": long + "x"},
    ]
    made = Sessions()
    for number, hparams in enumerate(given):
        made.session(f"r{number}", hparams, loss=1.0)
    found = table(made.build())
    told = {each.column.name: each for each in found.hparams}
    assert {name: each.column.kind for name, each in told.items()} == {
        "n": "number", "inf": "number", "text": "text", "flag": "bool", "null": "text", "mixed": "text", "long": "text",
    }  # fmt: skip
    assert [trials.HPARAM_REASONS[number] for number in told["n"].reasons.tolist()] == ["nan", ""]
    assert [trials.HPARAM_REASONS[number] for number in told["null"].reasons.tolist()] == ["null", "null"]
    assert told["inf"].cells.tolist() == [math.inf, -math.inf]
    assert told["mixed"].texts() == ["1", "true"]
    header, _ = trial_tables.frame(found, trial_tables.Wanted())
    words = next(each.values for each in header.hparams if each.name == "long")
    assert [len(word) for word in words] == [trials.MAX_TEXT + 1] * 2
    assert {each.name for each in header.hparams if not each.differs} == {"null"}


def test_a_thousand_hparams_and_what_is_left_out_is_named() -> None:
    made = Sessions()
    for run in range(3):
        made.session(
            f"r{run}", {f"h{number}": number * (run if number == 700 else 1) for number in range(1500)}, loss=1.0
        )
    store = made.build()
    found = table(store)
    assert found.hparams[0].column.name == "h700", "those that differ come first"
    assert len(found.hparams) == 1500
    few = table(store, hparams=["h3", "nobody", "h1"])
    assert [each.column.name for each in few.hparams] == ["h3", "h1"]
    assert len(few.other_hparams) == 1498


# ---- repeats


def repeated() -> Sessions:
    made = Sessions()
    for seed, loss in enumerate([1.0, 2.0, 9.0]):
        made.session(f"a{seed}", {"lr": 0.1, "seed": seed}, group="first", loss=loss)
    made.session("b", {"lr": 0.2, "seed": 0}, loss=5.0)
    return made.session("c", {"lr": 0.1, "seed": 7}, loss=8.0)


def test_repeats_by_group_by_hparams_or_not_at_all() -> None:
    store = repeated().build()
    assert (table(store).names, table(store).counts.tolist()) == (["first", "b", "c"], [3, 1, 1])
    same = table(store, repeats="same")
    assert (same.names, same.runs) == (["a0", "b"], ["a0", "a1", "a2", "c", "b"])
    assert table(store, repeats="none").names == ["a0", "a1", "a2", "b", "c"]


@pytest.mark.parametrize(("spread", "loss"), [("mean", 4.0), ("median", 2.0), ("min", 1.0), ("max", 9.0)])
def test_one_value_of_several_repeats(spread: trial_metrics.Spread, loss: float) -> None:
    found = table(repeated().build(), spread=spread)
    ((_, got),) = found.metrics
    assert got.value.tolist() == [loss, 5.0, 8.0]
    assert got.count is not None and got.count.tolist() == [3, 1, 1]
    assert got.deviation is not None
    assert got.deviation[0] == pytest.approx(np.std([1.0, 2.0, 9.0], ddof=1))
    assert np.isnan(got.deviation[1:]).all()


def test_a_median_of_an_even_number_and_repeats_without_a_value() -> None:
    made = Sessions()
    for number, loss in enumerate([4.0, math.nan, 1.0, 3.0, 2.0]):
        made.session(f"r{number}", {"lr": 0.1}, group="g", loss=loss)
    made.session("r9", {"lr": 0.1}, group="g")
    ((_, got),) = table(made.build(), spread="median").metrics
    assert got.value.tolist() == [2.5]
    assert got.count is not None and got.count.tolist() == [4]


def test_repeats_that_differ_are_marked_and_the_first_is_told() -> None:
    found = table(repeated().build())
    seed = next(each for each in found.hparams if each.column.name == "seed")
    assert (seed.cells.tolist(), seed.reasons.tolist()) == ([0.0, 0.0, 7.0], [trials.VARIES, 0, 0])


def test_two_sessions_with_the_same_hparams_stay_two() -> None:
    store = Sessions().session("a", {"lr": 0.1}, loss=1.0).session("b", {"lr": 0.1}, loss=2.0).build()
    assert table(store).names == ["a", "b"]
    assert table(store, repeats="same").names == ["a"]


@pytest.mark.parametrize(
    ("name", "own"),
    [
        ("seed", True), ("train/seed", True), ("random_state", True), ("data_seed", True), ("dataseed", True),
        ("output_dir", True), ("logging_dir", True), ("run_name", True), ("trainer/exp_name", True), ("version", True),
        ("model_version", False), ("batch_size_per_device", False), ("opt/name", False), ("lr", False),
        ("seeds_per_epoch", False), ("warmup_date", False), ("data_dir", False),
    ],
)  # fmt: skip
def test_what_may_differ_between_repeats(name: str, own: bool) -> None:
    made = Sessions().session("a", {"lr": 1, name: 1}, loss=1.0).session("b", {"lr": 1, name: 2}, loss=1.0)
    assert len(table(made.build(), repeats="same").names) == (1 if own else 2)


def test_a_group_is_not_taken_for_a_run_of_its_name() -> None:
    store = Sessions().session("a", {"lr": 0.1}, loss=1.0).session("b", {"lr": 0.2}, group="a", loss=2.0).build()
    assert (table(store).counts.tolist(), table(store).names) == ([1, 1], ["a", "a (2)"])


def test_a_group_of_our_own_writer_may_be_a_whole_sweep() -> None:
    made = Sessions()
    for run, (rate, seed) in enumerate([(0.1, 0), (0.1, 1), (0.2, 0)]):
        made.session(f"r{run}", {"lr": rate, "seed": seed}, group="sweep", loss=float(run))
        record = types.Tensor((), strings=(b'{"group": "sweep", "config": {}}',))
        made.builder.tensors(f"r{run}", "_lightboard_/config", types.Kind.TEXT, [record])
    found = table(made.build())
    assert (found.names, found.counts.tolist()) == (["r0", "r2"], [2, 1])


# ---- metrics


def test_metrics_are_those_declared_by_all_experiments() -> None:
    made = Sessions().session("x/1", {"lr": 0.1}, accuracy=0.5, extra=1.0).session("y/1", {"units": 3.0}, f1=0.7)
    info, metric = hparams_messages.hparam_info, hparams_messages.metric_info
    made.experiment(
        "x", [info("lr", display_name="rate", interval=(0.0, 1.0))], [metric("accuracy", display_name="acc")]
    )
    made.experiment("y", [info("units", discrete=[1, 3])], [metric("f1"), metric("never", group="eval")])
    found = table(made.build())
    assert [(metric.tag, metric.group, metric.display) for metric, _ in found.metrics] == [
        ("accuracy", "", "acc"),
        ("f1", "", ""),
        ("never", "eval", ""),
    ]
    assert [metric.tag for metric in found.other_metrics] == ["extra"]
    header, _ = trial_tables.frame(found, trial_tables.Wanted())
    assert [(each.name, each.display, each.domain) for each in header.hparams] == [
        ("lr", "rate", trial_tables.HparamDomain(None, 0.0, 1.0)),
        ("units", "", trial_tables.HparamDomain([1.0, 3.0], None, None)),
    ]


def test_a_metric_that_only_holds_a_place_is_not_shown() -> None:
    """Lightning declares hp_metric and writes -1 to it."""
    made = (
        Sessions()
        .session("a", {"lr": 1}, hp_metric=-1.0, val_loss=0.5)
        .session("b", {"lr": 2}, hp_metric=-1.0, val_loss=0.4)
    )
    made.experiment("a", [], [hparams_messages.metric_info("hp_metric")])
    assert values(table(made.build())) == {"val_loss": [0.5, 0.4]}
    made.session("c", {"lr": 3}, hp_metric=0.9, val_loss=0.3)
    assert list(values(table(made.build()))) == ["hp_metric"]


def test_sessions_without_any_declared_metric_get_one_of_their_own() -> None:
    made = Sessions().session("a", {"lr": 1}, accuracy=0.5, loss=1.0).session("b", {"lr": 2}, accuracy=0.6, loss=2.0)
    made.experiment("a", [], [hparams_messages.metric_info("accuracy")])
    made.session("c", {"lr": 3}, score=7.0).session("d", {"lr": 4}, score=8.0)
    assert list(values(table(made.build()))) == ["accuracy", "score"]


def test_without_a_declaration_the_common_metrics_that_tell_trials_apart() -> None:
    made = Sessions()
    for run in range(4):
        made.session(f"r{run}", {"lr": run}, loss=float(run), constant=1.0, epoch=float(run))
        made.builder.scalars(f"r{run}/validation", "accuracy", [0.1 * run])
    made.builder.scalars("r0", "rare", [1.0])
    found = table(made.build())
    assert list(values(found)) == ["loss", "validation:accuracy", "rare"]


def test_reasons_for_values_that_are_not_there() -> None:
    made = Sessions().session("a", {"lr": 1}, loss=[1.0, math.nan]).session("b", {"lr": 2}).session("c", {"lr": 3})
    made.builder.scalars("b/train", "loss", [1.0])
    made.builder.tensors("c", "loss", types.Kind.TEXT, [types.Tensor((1,), strings=(b"x",))])
    made.session("d", {"lr": 4})
    found = table(made.build(), metrics=[("loss", "", "")])
    assert reasons(found) == {"loss": ["nan", "other_group", "other_kind", "never_logged"]}
    assert np.isnan(found.metrics[0][1].value).all()


def curves() -> Sessions:
    made = Sessions().session("a", {"lr": 0.1}, loss=[5.0, 1.0, math.nan, 3.0], accuracy=[0.1, 0.9, 0.5, 0.7])
    made.session("b", {"lr": 0.2}, loss=[4.0], accuracy=[0.2])
    return made.session("c", {"lr": 0.3}, accuracy=[0.3, 0.4])


@pytest.mark.parametrize(
    ("asked", "loss", "steps"),
    [
        (trial_metrics.Asked("last"), [3.0, 4.0], [3, 0]),
        (trial_metrics.Asked("first"), [5.0, 4.0], [0, 0]),
        (trial_metrics.Asked("min"), [1.0, 4.0], [1, 0]),
        (trial_metrics.Asked("max"), [5.0, 4.0], [0, 0]),
        (trial_metrics.Asked("best"), [1.0, 4.0], [1, 0]),
        (trial_metrics.Asked("mean"), [3.0, 4.0], [3, 0]),
        (trial_metrics.Asked("at", step=1), [1.0, 4.0], [1, 0]),
        (trial_metrics.Asked("max", lo=1), [3.0, math.nan], [3, -1]),
        (trial_metrics.Asked("last", hi=1), [1.0, 4.0], [1, 0]),
        (trial_metrics.Asked("last", by=("accuracy", "")), [1.0, 4.0], [1, 0]),
        (trial_metrics.Asked("last", by=("accuracy", ""), by_goal="min"), [5.0, 4.0], [0, 0]),
    ],
)
def test_which_value_of_a_series(asked: trial_metrics.Asked, loss: list[float], steps: list[int]) -> None:
    ((_, got),) = table(curves().build(), metrics=[("loss", "", "")], values=asked).metrics
    assert str(got.value.tolist()) == str([*loss, math.nan])
    assert got.step.tolist() == [*steps, -1]


def test_values_at_anothers_best_step_that_cannot_be_known() -> None:
    made = curves().session("d", {"lr": 0.4}, loss=[1.0])
    made.builder.scalars("e", "loss", [1.0, 2.0], steps=[5, 6])
    made.session("e", {"lr": 0.5}, accuracy=[0.5])
    found = table(made.build(), metrics=[("loss", "", "")], values=trial_metrics.Asked("last", by=("accuracy", "")))
    assert reasons(found)["loss"] == ["", "", "never_logged", "no_step", "no_point"]


def test_goals_are_guessed_from_names_and_can_be_given() -> None:
    guessed = {tag: trial_metrics.goal(tag) for tag in ("val/loss", "eval/accuracy", "epoch_loss", "hp_metric", "mse")}
    assert guessed == {"val/loss": "min", "eval/accuracy": "max", "epoch_loss": "min", "hp_metric": None, "mse": "min"}
    best = trial_metrics.Asked("best")
    ((_, got),) = table(curves().build(), metrics=[("loss", "", "max")], values=best).metrics
    assert got.value.tolist()[:2] == [5.0, 4.0]


def test_only_series_that_changed_are_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    made = curves()
    store = made.build()
    asked = trial_metrics.Asked("mean")
    wanted = [("loss", "", ""), ("accuracy", "", "")]
    read: list[int] = []
    real = trial_metrics._stats

    def counting(source: Any, rows: Any, *more: Any) -> Any:
        read.append(len(rows))
        return real(source, rows, *more)

    monkeypatch.setattr(trial_metrics, "_stats", counting)
    first = values(table(store, metrics=wanted, values=asked))
    assert read == [2, 3]
    assert str(values(table(store, metrics=wanted, values=asked))) == str(first)
    assert read == [2, 3], "nothing has changed"
    made.builder.scalars("b", "loss", [8.0], steps=[1])
    assert values(table(store, metrics=wanted, values=asked))["loss"][1] == 6.0
    assert read == [2, 3, 1]


def test_a_new_run_shows_and_a_session_told_late_too() -> None:
    made = Sessions().session("a", {"lr": 0.1}, loss=1.0).session("b", loss=2.0)
    store = made.build()
    assert table(store).names == ["a"]
    made.session("b", {"lr": 0.2})
    assert table(store).names == ["a", "b"]
    made.session("c", {"lr": 0.3}, loss=3.0)
    assert (table(store).names, values(table(store))) == (["a", "b", "c"], {"loss": [1.0, 2.0, 3.0]})


# ---- which trials, status, order


def test_runs_that_belong_to_a_session_choose_its_trial() -> None:
    made = Sessions().session("a", {"lr": 0.1}).session("b", {"lr": 0.2}, loss=2.0)
    made.builder.scalars("a/train", "loss", [1.0])
    store = made.build()
    row = store.run_row("a/train")
    assert row is not None
    found = table(store, np.array([row]))
    assert (found.names, found.total) == (["a"], 2)
    assert table(store, np.zeros(0, np.int64)).names == []


def test_a_part_of_the_repeats() -> None:
    store = repeated().build()
    rows = [store.run_row(name) for name in ("a1", "a2", "b")]
    found = table(store, np.array(rows))
    assert (found.names, found.runs) == (["first", "b"], ["a1", "a2", "b"])
    assert values(found) == {"loss": [5.5, 5.0]}


def test_statuses_of_sessions_and_repeats() -> None:
    made = Sessions()
    for run, status in (("a", 1), ("b", 2), ("c", None)):
        made.session(run, {"lr": 1.0}, status=status, loss=1.0)
        made.session(f"with-{run}", {"lr": 1.0}, status=status, group="g", loss=1.0)
    store = made.build()
    found = table(store)
    told = {name: trials.STATUSES[number] for name, number in zip(found.names, found.status.tolist(), strict=True)}
    assert told == {"a": "success", "b": "failure", "c": "unknown", "g": "failure"}
    lately = trial_tables.table(store, None, trial_tables.Wanted(), now=1.7e9 + 10)
    assert trials.STATUSES[lately.status[found.names.index("c")]] == "running"
    assert found.start.tolist() == [100.0] * 4
    assert found.end[0] == 200.0


def test_order_by_several_keys_with_missing_values_last() -> None:
    made = Sessions().session("a", {"lr": 0.2, "opt": "sgd"}, loss=1.0).session("b", {"lr": 0.1}, loss=3.0)
    made.session("c", {"lr": 0.2, "opt": "adam"}).session("d", {"opt": "adam"}, loss=2.0)
    found = table(made.build())

    def names(*sort: str) -> list[str]:
        return [found.names[place] for place in trial_tables.sorting(found, sort)]

    assert names("-metric:loss") == ["b", "d", "a", "c"]
    assert names("metric:loss") == ["a", "d", "b", "c"]
    assert names("-hparam:lr", "hparam:opt") == ["c", "a", "b", "d"]
    assert names("hparam:opt", "-name") == ["d", "c", "a", "b"]
    for odd in ("nothing", "hparam:nobody", "metric:", ""):
        with pytest.raises(errors.BadInput):
            names(odd)


def test_nothing_is_told_of_what_has_not_changed() -> None:
    made = Sessions().session("a", {"lr": 0.1}, loss=1.0)
    store = made.build()
    assert not trial_tables.is_unchanged(store, -1)
    assert trial_tables.is_unchanged(store, store.version)
    before = store.version
    made.builder.scalars("a", "loss", [2.0], steps=[1])
    assert not trial_tables.is_unchanged(store, before)
