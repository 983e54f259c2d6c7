"""Session groups as TensorBoard has them: filters, order, aggregation, inferred experiments, odd requests."""

from __future__ import annotations

import math
from typing import Any

import pytest
from made_trials import Sessions

from lightboard import errors, query
from lightboard.query.hparams import groups as hparams_groups
from lightboard.sdk import hparams_messages

ALL = frozenset(range(4))
Column = hparams_groups.Column


def ask(store: query.Store, **asked: Any) -> hparams_groups.Groups:
    return hparams_groups.groups(store, hparams_groups.Asked(**{"statuses": ALL, "size": 100, **asked}))


def names(store: query.Store, *columns: Column, **asked: Any) -> list[str]:
    return [each.name for each in ask(store, columns=columns, **asked).groups]


def logs() -> query.Store:
    made = Sessions().session("a", {"lr": 0.1, "opt": "adam", "flag": True}, status=1, loss=[5.0, 3.0])
    made.session("b", {"lr": 0.2, "opt": "sgd"}, status=2, loss=1.0)
    made.session("c", {"lr": 0.3, "opt": "adamw", "odd": math.nan}, loss=2.0)
    return made.session("d", {"opt": "lion"}, status=3).build()


def test_filters_of_every_kind() -> None:
    store = logs()
    assert names(store, Column(hparam="opt", regexp="^adam")) == ["a", "c"]
    assert names(store, Column(hparam="lr", interval=hparams_groups.Interval(0.15, 0.3))) == ["b", "c", "d"]
    assert names(store, Column(hparam="lr", exclude_missing=True)) == ["a", "b", "c"]
    assert names(store, Column(hparam="opt", discrete=("sgd", "lion"))) == ["b", "d"]
    assert names(store, Column(hparam="flag", discrete=(True,), exclude_missing=True)) == ["a"]
    assert names(store, Column(metric=("", "loss"), interval=hparams_groups.Interval(-math.inf, 2.0))) == [
        "b",
        "c",
        "d",
    ]
    assert names(store, statuses=frozenset({1, 3})) == ["a", "d"]
    assert names(store, statuses=frozenset()) == []


def test_filters_that_do_not_fit_are_refused() -> None:
    store = logs()
    for column in (
        Column(hparam="lr", regexp="x"),
        Column(hparam="opt", interval=hparams_groups.Interval(0, 1)),
        Column(hparam="opt", regexp="(("),
        Column(),
    ):
        with pytest.raises(errors.BadInput):
            names(store, column)


def test_order_by_several_columns_with_missing_values_where_asked() -> None:
    store = logs()
    assert names(store, Column(metric=("", "loss"), order="asc")) == ["b", "c", "a", "d"]
    assert names(store, Column(metric=("", "loss"), order="desc")) == ["a", "c", "b", "d"]
    assert names(store, Column(metric=("", "loss"), order="asc", missing_first=True)) == ["d", "b", "c", "a"]
    assert names(store, Column(hparam="opt", order="desc")) == ["b", "d", "c", "a"]


def test_words_and_numbers_in_one_column_have_an_order() -> None:
    made = Sessions().session("a", {"x": "text"}).session("b", {"x": 2.0}).session("c", {"x": True}).session("d", {})
    assert names(made.build(), Column(hparam="x", order="asc")) == ["c", "b", "a", "d"]


def test_slices_and_chosen_hparams() -> None:
    store = logs()
    found = ask(store, start=1, size=2)
    assert ([each.name for each in found.groups], found.total) == (["b", "c"], 4)
    assert ask(store, size=0).groups == []
    only = ask(store, columns=(Column(hparam="lr", include=True), Column(hparam="opt", include=False)))
    assert [each.hparams for each in only.groups] == [{"lr": 0.1}, {"lr": 0.2}, {"lr": 0.3}, {}]
    assert "odd" not in ask(store).groups[2].hparams, "JSON has no NaN"


def test_metrics_may_be_left_out() -> None:
    assert all(each.metrics == [] for each in ask(logs(), metrics=False).groups)


@pytest.mark.parametrize(
    ("how", "loss", "score"), [("avg", 3.0, 20.0), ("min", 1.0, 30.0), ("max", 6.0, 10.0), ("median", 2.0, 20.0)]
)
def test_repeats_are_one_group(how: hparams_groups.Aggregation, loss: float, score: float) -> None:
    made = Sessions()
    for number, (one, other) in enumerate([(6.0, 10.0), (2.0, 20.0), (1.0, 30.0)]):
        made.session(f"r{number}", {"lr": number}, group="g", loss=one, score=other)
    (group,) = ask(made.build(), aggregation=how, aggregation_metric=("", "loss")).groups
    assert {each.tag: each.value for each in group.metrics} == {"loss": loss, "score": score}
    assert [each.name for each in group.sessions] == ["r0", "r1", "r2"]


def test_an_experiment_is_inferred_from_its_sessions() -> None:
    made = Sessions().session("a", {"lr": 0.1, "opt": "x", "mixed": 1.0, "flag": True, "same": 2.0, "none": None})
    made.session("b", {"lr": 0.5, "opt": "y", "mixed": "m", "flag": True, "same": 2.0, "none": None}, loss=1.0)
    made.builder.scalars("b/eval", "loss", [1.0])
    made.builder.scalars("stray", "loss", [1.0])
    found = hparams_groups.experiment(made.build())
    assert [(each.info.name, each.info.type, each.differs) for each in found.hparams] == [
        ("lr", "float64", True),
        ("mixed", "string", True),
        ("opt", "string", True),
        ("flag", "bool", False),
        ("same", "float64", False),
    ]
    assert found.hparams[0].info.interval == (0.1, 0.5)
    assert found.hparams[1].info.values == ("1.0", "m")
    assert [(each.tag, each.group) for each in found.experiment.metrics] == [("loss", ""), ("loss", "eval")]
    assert len(hparams_groups.experiment(made.build(), limit=2).hparams) == 2
    assert hparams_groups.experiment(made.build(), metrics=False).experiment.metrics == ()


def test_the_newest_of_several_experiments_counts() -> None:
    info, metric = hparams_messages.hparam_info, hparams_messages.metric_info
    made = Sessions().session("a", {"lr": 1.0}, old=1.0, new=2.0).experiment("x", [info("lr")], [metric("old")])
    store = made.experiment("y", [info("units")], [metric("new")]).build()
    rows = store.chunks_table.writable()
    rows["max_wall"][-1] += 100.0
    (group,) = ask(store).groups
    assert [each.tag for each in group.metrics] == ["new"]
    assert [each.info.name for each in hparams_groups.experiment(store).hparams] == ["units"]


def test_broken_sessions_are_left_out() -> None:
    made = Sessions().session("good", {"lr": 1.0})
    made.metadata("bad", "_hparams_/session_start_info", b"\xff\xff\xff")
    made.metadata("bad", "_hparams_/experiment", b"\x12\x7f")
    made.metadata("good", "_hparams_/session_end_info", b"\x22\x63")
    assert names(made.build()) == ["good"]
