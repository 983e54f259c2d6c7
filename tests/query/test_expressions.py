"""Metric expressions: what they mean, how they are written back, and that no text costs much."""

from __future__ import annotations

import math

import hypothesis
import hypothesis.strategies as some
import numpy as np
import pytest

from lightboard import errors, kernels
from lightboard.query import expressions

TAGS = {"loss", "train/loss", "train", "val/loss", "a b", "lr-group0", "lr"}


def parse(text: str) -> expressions.Expression:
    return expressions.parse(text, TAGS.__contains__, sorted(TAGS))


def curve(values: list[float], steps: list[int] | None = None) -> expressions.Curve:
    at = np.arange(len(values)) if steps is None else np.array(steps, np.int64)
    return expressions.Curve(at, 100.0 + at.astype(np.float64), np.array(values, np.float64))


def values(text: str, **known: expressions.Curve) -> list[float]:
    found = parse(text).curve(lambda run, tag: known[tag if run is None else f"{run}_{tag}"])
    return [float(value) for value in found.values]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("train/loss - val/loss", '= "train/loss" - "val/loss"'),
        ("=train/loss−val/loss", '= "train/loss" - "val/loss"'),
        ("  = loss / train", '= "loss" / "train"'),
        ("train / loss", '= "train" / "loss"'),
        ("a b * 2", '= "a b" * 2'),
        ("lr-group0", '= "lr-group0"'),
        ("lr-2", '= "lr" - 2'),
        ('\'say "x"\' + "it""s"', '= "say ""x""" + "it""s"'),
        ("(loss + 1) * 2 - (loss - (loss - 1))", '= ("loss" + 1) * 2 - ("loss" - ("loss" - 1))'),
        ("-loss ** 2", '= -"loss" ** 2'),
        ("(-loss) ^ -2", '= (-"loss") ** -2'),
        ("loss ** 2 ** 3", '= "loss" ** 2 ** 3'),
        ("ema(loss) / in_run('base run', train/loss)", '= ema("loss") / in_run("base run", "train/loss")'),
        ("max(loss, 1e-3, .5) × 1.5", '= max("loss", 0.001, 0.5) * 1.5'),
    ],
)
def test_texts_are_written_back_with_every_tag_in_quotes(text: str, written: str) -> None:
    found = parse(text)
    assert str(found) == written
    # without knowing any tag, the quoted text means the same
    assert expressions.parse(written) == found


@pytest.mark.parametrize(
    ("text", "position", "message"),
    [
        ("", 0, "not complete"),
        ("loss -", 6, "not complete"),
        ("(loss", 0, "`)` is missing"),
        ("ema(loss", 0, "`)` is missing"),
        ("loss loss", 5, "expected an operator"),
        ("loss + los", 7, "no run has the metric `los`"),
        ("smooth(loss)", 0, "unknown function `smooth`"),
        ("ema(loss, 2)", 0, "from 0 to 1"),
        ("ema(loss, loss)", 0, "from 0 to 1"),
        ("abs(loss, loss)", 0, "takes 1 argument"),
        ("max(loss)", 0, "takes 2 to 10 arguments"),
        ("in_run(base, loss)", 7, "in quotes"),
        ('in_run("base")', 13, "a run and a metric"),
        ('"loss', 0, "not closed"),
        ("1 + 2", 0, "names no metric"),
        ('in_run("base", loss)', 0, "names no metric of the run itself"),
        ("loss @ 2", 5, "expected an operator"),
        (", loss", 0, "found `,`"),
    ],
)
def test_a_mistake_is_named_with_its_position(text: str, position: int, message: str) -> None:
    with pytest.raises(errors.BadFilter, match=message.replace("`)`", r"`\)`")) as caught:
        parse(text)
    assert caught.value.position == position


def test_a_close_name_is_suggested() -> None:
    with pytest.raises(errors.BadFilter) as caught:
        parse("val/los * 2")
    assert "val/loss" in caught.value.hint


def test_arithmetic_and_functions() -> None:
    x = curve([1.0, 4.0, 9.0])
    assert values("loss * 2 - 1", loss=x) == [1.0, 7.0, 17.0]
    assert values("-loss ** 2", loss=x) == [-1.0, -16.0, -81.0]
    assert values("2 ** (loss - loss) / 4", loss=x) == [0.25] * 3
    assert values("sqrt(loss) + abs(-1)", loss=x) == [2.0, 3.0, 4.0]
    assert values("max(loss, 2, 5) - min(loss, 5)", loss=x) == [4.0, 1.0, 4.0]
    assert values("cumsum(loss)", loss=x) == [1.0, 5.0, 14.0]
    assert values("cummin(-loss)", loss=x) == [-1.0, -4.0, -9.0]
    assert values("diff(loss)", loss=x)[1:] == [3.0, 5.0]
    assert values("mean(loss, 2)", loss=x) == [1.0, 2.5, 6.5]
    assert values("ema(loss, 0.9)", loss=x) == kernels.ema(x.values, 0.9).tolist()
    assert values("exp(log(loss)) / log10(10)", loss=x) == pytest.approx([1.0, 4.0, 9.0])


def test_odd_numbers_stay_odd() -> None:
    x = curve([0.0, math.nan, math.inf, -1.0])
    assert values("1 / loss", loss=x)[0] == math.inf
    assert [math.isnan(value) for value in values("loss - loss", loss=x)] == [False, True, True, False]
    assert math.isnan(values("log(loss)", loss=x)[3])
    assert values("cummax(loss)", loss=x)[3] == math.inf


def test_points_are_joined_by_step_on_the_operand_with_fewer_points() -> None:
    train = curve([10.0, 11.0, 12.0, 13.0], [0, 10, 20, 30])
    val = curve([1.0, 2.0, 3.0], [5, 20, 31])
    known = {"train/loss": train, "val/loss": val}
    found = parse("train/loss - val/loss").curve(lambda run, tag: known[tag])
    assert (found.steps.tolist(), found.values.tolist()) == ([5, 20, 31], [9.0, 10.0, 10.0])
    assert found.wall_times.tolist() == [105.0, 120.0, 131.0]
    turned = parse("val/loss - train/loss").curve(lambda run, tag: known[tag])
    assert turned.values.tolist() == [-9.0, -10.0, -10.0]


def test_points_before_the_first_value_of_the_other_are_dropped_and_the_last_of_several_counts() -> None:
    few, many = curve([1.0, 2.0], [3, 12]), curve([5.0, 6.0, 7.0], [10, 12, 12])
    found = parse("loss + train").curve(lambda run, tag: {"loss": few, "train": many}[tag])
    assert (found.steps.tolist(), found.values.tolist()) == ([12], [9.0])


def test_another_run_is_read_inside_in_run_only() -> None:
    known = {"loss": curve([2.0, 6.0]), "base_loss": curve([1.0, 2.0])}
    assert values('loss / in_run("base", loss)', **known) == [2.0, 3.0]
    operands = list(parse('loss / in_run("base", loss + train)').operands())
    assert operands == [(None, "loss"), ("base", "loss"), ("base", "train")]


NODES = some.recursive(
    some.one_of(
        some.floats(0, 1e6).map(expressions.Number),
        some.sampled_from(sorted({*TAGS, 'quo"te', "in_run", "1", "-", "日本"})).map(expressions.Tag),
    ),
    lambda inner: some.one_of(
        inner.map(expressions.Negative),
        some.builds(expressions.Operation, some.sampled_from(sorted(expressions.OPERATORS)), inner, inner),
        some.builds(lambda one: expressions.Call("abs", (one,)), inner),
        some.builds(lambda one, two: expressions.Call("max", (one, two)), inner, inner),
        some.builds(expressions.InRun, some.text(max_size=5), inner),
    ),
    max_leaves=12,
)


@hypothesis.given(NODES)
def test_every_tree_survives_being_written_and_parsed(tree: expressions.Node) -> None:
    whole = expressions.Expression(expressions.Operation("+", expressions.Tag("loss"), tree))
    assert expressions.parse(str(whole)) == whole


@hypothesis.given(some.text(alphabet="loss train/()+-*^\"',.e1=abs", max_size=80))
def test_any_text_is_parsed_or_refused(text: str) -> None:
    position = 0
    try:
        parse(text)
    except errors.BadFilter as refused:
        position = refused.position
    assert 0 <= position <= len(text)


@pytest.mark.parametrize(
    "text", ["(" * 900 + "loss", "-" * 999 + "loss", "loss" + "+loss" * 190, "abs(" * 240 + "loss", "loss " * 200]
)
def test_texts_that_are_nested_or_long_are_refused(text: str) -> None:
    with pytest.raises(errors.BadFilter):
        parse(text)
    with pytest.raises(errors.BadFilter, match="longer"):
        parse(text * 10)
