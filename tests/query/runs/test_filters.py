"""The run-filter language: what is an expression, what a bare word, what each part means, where errors point.

Left out on purpose: how a store fills a RunTable (tests of `query.runs`), and how fast it is.
"""

from __future__ import annotations

import dataclasses
import pathlib
import re
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from lightboard import errors
from lightboard.query import patterns
from lightboard.query.runs import filters

NOW = 1_800_000_000.0
NAN = float("nan")


@dataclasses.dataclass
class Table:
    """A hand-made RunTable."""

    run_names: list[str]
    start: list[float]
    duration: list[float]
    status: list[str]
    tags: list[set[str]]
    metrics: dict[tuple[str, str], list[float]]
    hparams: dict[str, list[Any]]

    def __len__(self) -> int:
        return len(self.run_names)

    def names(self) -> NDArray[Any]:
        return np.array(self.run_names, object)

    def starts(self) -> NDArray[np.float64]:
        return np.array(self.start)

    def durations(self) -> NDArray[np.float64]:
        return np.array(self.duration)

    def statuses(self) -> NDArray[Any]:
        return np.array(self.status, object)

    def has(self, tag: str) -> NDArray[np.bool_]:
        return np.array([tag in tags for tags in self.tags])

    def has_any(self, tags: Collection[str]) -> NDArray[np.bool_]:
        return np.array([not mine.isdisjoint(tags) for mine in self.tags], np.bool_)

    def tag_names(self) -> Sequence[str]:
        return sorted(set().union(*self.tags))

    def metric(self, func: filters.Metric, tag: str) -> NDArray[np.float64]:
        return np.array(self.metrics.get((func, tag), [NAN] * len(self)))

    def hparam(self, name: str) -> NDArray[Any]:
        column = np.empty(len(self), object)
        column[:] = self.hparams[name]
        return column

    def hparam_names(self) -> Collection[str]:
        return list(self.hparams)

    def titles(self) -> NDArray[Any]:
        return np.array(["Baseline 基线", *self.run_names[1:]], object)

    def notes(self) -> NDArray[Any]:
        return np.array(["a leak somewhere", None, None, None], object)

    def archived(self) -> NDArray[np.bool_]:
        return np.array([False, True, False, False])

    def labelled(self, labels: Collection[str]) -> NDArray[np.bool_]:
        return np.array([not {"paper", "论文"}.isdisjoint(labels), "paper" in labels, False, False])

    def label_names(self) -> Sequence[str]:
        return ["paper", "论文"]


TABLE = Table(
    ["Adam/seed_1", "adam/seed_2", "sgd/lr=0.1", "sgd/lr=0.2"],
    [NOW - 3600, NOW - 86400 * 3, NOW - 60, NAN],
    [1800.0, 90000.0, 59.0, NAN],
    ["finished", "finished", "running", "empty"],
    [{"loss", "acc"}, {"loss"}, {"loss", "eval/loss"}, set()],
    {
        ("last", "loss"): [0.1, 0.5, NAN, NAN],
        ("min", "loss"): [0.05, 0.4, 0.3, NAN],
        ("max", "loss"): [2.0, 1.0, 9.0, NAN],
    },
    {
        "lr": [0.001, "0.01", 0.1, None],
        "opt": ["adam", "adam", "sgd", "sgd"],
        "use bn": [True, False, "yes", None],
        "amp": [True, False, None, None],
        "layers": [2, 4, 8.0, None],
    },
)


def matching(text: str, table: Table = TABLE) -> list[int]:
    return [int(i) for i in np.nonzero(filters.parse(text).mask(table, now=NOW))[0]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", [0, 1, 2, 3]),
        ("   ", [0, 1, 2, 3]),
        # bare words: regexes on the name, case ignored
        ("adam", [0, 1]),
        ("ADAM", [0, 1]),
        ("seed_1|lr=0", [0, 2, 3]),
        ("lr=0.1", [2]),
        ("^sgd/.*2$", [3]),
        ("(?P<kind>sgd)", [2, 3]),
        # the name that people gave a run counts, too
        ("baseline|lr=0.2", [0, 3]),
        ("基线", [0]),
        ('name == "Baseline 基线"', []),
        ('title == "Baseline 基线"', [0]),
        ('matches(title, "seed_2|base")', [0, 1]),
        # what people say about runs
        ("archived", [1]),
        ("not archived", [0, 2, 3]),
        ("archived == False and status == 'finished'", [0]),
        ("archived != True", [0, 2, 3]),
        ('"论文" in labels', [0]),
        ('"paper" not in labels', [2, 3]),
        ('matches(labels, "^PAP")', [0, 1]),
        ('matches(labels, "^nothing")', []),
        ('"leak" in note', [0]),
        ('matches(note, "LEAK")', [0]),
        ("note == None", [1, 2, 3]),
        ("a->b", []),
        ("adam/seed", [0, 1]),
        ("name", []),
        ("True", []),
        ("42", []),
        ("seed-1", []),
        # columns
        ('name == "adam/seed_2"', [1]),
        ('"sgd" in name', [2, 3]),
        ('"sgd" not in name', [0, 1]),
        ('matches(name, "^ADAM")', [0, 1]),
        ('status == "running"', [2]),
        ('status in ("running", "empty")', [2, 3]),
        ('state != "finished"', [2, 3]),
        # metrics: a run without the metric is in no comparison
        ('last("loss") < 0.2', [0]),
        ('last("loss") != 0.1', [1]),
        ('not last("loss") < 0.2', [1, 2, 3]),
        ('0.1 <= min("loss") <= 0.35', [2]),
        ('max("loss") - min("loss") > 1', [0, 2]),
        ('max("loss") / 2 ** 2 == 0.25', [1]),
        ('-last("loss") > -0.2', [0]),
        ('has("acc") or "eval/loss" in tags', [0, 2]),
        ('matches(tags, "^EVAL/")', [2]),
        # hparams
        ("hparams.lr >= 0.01", [1, 2]),
        ("lr >= 0.01", [1, 2]),
        ("lr * 10 == 1", [2]),
        ('hparams["use bn"] == "yes"', [2]),
        ("hparams.amp", [0]),
        ("hparams.amp == False", [1]),
        ("hparams.amp == None", [2, 3]),
        ("hparams.lr != None", [0, 1, 2]),
        ('opt == "adam" and layers in [4, 8]', [1]),
        ("layers in [8, 2]", [0, 2]),
        ('matches(hparams.opt, "S.D")', [2, 3]),
        ('opt > "b"', [2, 3]),
        # times
        ('start > ago("2h")', [0, 2]),
        ("start > now() - days(1)", [0, 2]),
        ("now() - start > hours(2)", [1]),
        ('start < "2027-01-14"', [1]),
        ('start > "2027-01-15T06:59:00Z"', [0, 2]),
        ('duration > "30m"', [1]),
        ('duration >= "0h30m"', [0, 1]),
        ("duration < minutes(1)", [2]),
        ("duration < 60", [2]),
        ("  duration\n < 60", [2]),
    ],
)
def test_filter_matches(text: str, expected: list[int]) -> None:
    assert matching(text) == expected


@pytest.mark.parametrize(
    ("text", "position", "message"),
    [
        ('last("loss" < 0.5', 4, "is not closed"),
        ("hparams.lr >", 12, "not complete"),
        ("  nonsense > 3", 2, "unknown name `nonsense`"),
        ('last("loss") > 1 and lastt("x") < 2', 21, "unknown function `lastt`"),
        ("last(loss) > 1", 5, "text in quotes"),
        ('last("a", "b") > 1', 0, "takes 1 argument"),
        ("name > 3", 0, "cannot compare a text with a number"),
        ("3 in labels", 5, "only a text can be in labels"),
        ('labels == "paper"', 0, "cannot compare labels with a text"),
        ('start > "yesterday"', 8, "not a date"),
        ('duration > "long"', 11, "not a duration"),
        ("hparams.momentum > 0", 0, "no run has an hparam `momentum`"),
        ("not adam", 4, "unknown name `adam`"),
        ('last("loss")', 0, "expected a condition"),
        ('matches(name, "a(")', 15, "not a regular expression"),
        ("[unclosed", 0, "not a regular expression"),
        ("seed_(?!1)", 5, "look-around"),
        ('matches(name, "(a)-\\\\1")', 19, "back reference"),
        ("((((a{0,9}){0,9}){0,9}){0,9}){0,9}b", 5, "too large"),
        ("lr is 3 and lr > 2", 6, "instead of `is`"),
        ('"é" == "é" and zzz > 1', 15, "unknown name `zzz`"),
        ('__import__("os").system("x") == 1', 0, "unknown function"),
        ("[x for x in name] == 1", 0, "cannot be used"),
        ("name.__class__ == 1", 0, "cannot be used"),
        ("(lambda: 1)() == 1", 0, "unknown function"),
        ("1" + "0" * 400 + " > lr", 0, "too large"),
        ("x" * 2001, 2000, "longer than 2000"),
    ],
)
def test_errors_point_at_the_token(text: str, position: int, message: str) -> None:
    with pytest.raises(errors.BadFilter, match=message.replace("(", r"\(")) as caught:
        matching(text)
    assert caught.value.position == position


def test_errors_suggest_what_was_meant() -> None:
    with pytest.raises(errors.BadFilter) as caught:
        matching("statsu == 'running'")
    assert "`status`" in caught.value.hint
    with pytest.raises(errors.BadFilter) as caught:
        matching("hparams.layer > 1")
    assert "`layers`" in caught.value.hint


def test_endless_filters_are_refused() -> None:
    for text in ("x" * 3000, "not " * 499 + "lr > 1", "(" * 900 + "lr > 1" + ")" * 900, " and ".join(["lr > 1"] * 140)):
        with pytest.raises(errors.BadFilter):
            matching(text)


def test_arithmetic_cannot_blow_up() -> None:
    assert matching("9 ** 9 ** 9 ** 9 > lr") == [0, 1, 2]
    assert matching("lr / 0 > 1") == [0, 1, 2]


@given(st.text(max_size=60))
def test_any_text_filters_or_is_refused(text: str) -> None:
    refused_at = 0
    mask = np.zeros(4, np.bool_)
    try:
        mask = filters.parse(text).mask(TABLE, now=NOW)
    except errors.BadFilter as problem:
        refused_at = problem.position
    assert 0 <= refused_at <= len(text)
    assert mask.dtype == np.bool_
    assert mask.shape == (4,)


WORDS = [
    "name",
    "lr",
    "hparams",
    ".",
    "last",
    "(",
    ")",
    '"loss"',
    "<",
    "==",
    "and",
    "not",
    "in",
    "tags",
    "1",
    "-",
    "start",
]
WORDS += ['"1h"', "[", "]", ",", "matches", "None", "ago", "duration", "has", "hours"]


@given(st.lists(st.sampled_from(WORDS), max_size=12))
def test_any_words_of_the_language_filter_or_are_refused(words: list[str]) -> None:
    try:
        assert filters.parse(" ".join(words)).mask(TABLE, now=NOW).shape == (4,)
    except errors.BadFilter:
        pass


def test_no_runs_give_an_empty_mask() -> None:
    empty = Table([], [], [], [], [], {}, {"lr": []})
    for text in ("", "adam", "lr > 1", 'last("loss") < 1 and has("x")', 'lr in [1, "a"]'):
        assert filters.parse(text).mask(empty).tolist() == []


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("90s", 90.0),
        ("1h30m", 5400.0),
        ("2 d", 172800.0),
        ("1.5h", 5400.0),
        ("1w", 604800.0),
        ("h", None),
        ("1x", None),
        ("1" * 2000, None),
        ("", None),
    ],
)
def test_durations(text: str, seconds: float | None) -> None:
    assert filters.maybe_duration(text) == seconds


def test_completion() -> None:
    names = {"tags": ["loss", "eval/loss", "acc"], "hparams": ["lr", "layers", "opt"]}

    def offered(text: str) -> list[str]:
        return filters.complete(text, len(text), names)

    assert offered("hparams.l") == ["lr", "layers"]
    assert offered('hparams["o') == ["opt"]
    assert offered('last("lo') == ["loss", "eval/loss"]
    assert offered("sta")[:2] == ["status", "start"]
    assert 'last("' in offered("la")
    assert "hparams." in offered("lr > 1 and ")


def test_labels_are_completed_where_they_may_stand() -> None:
    names = {"tags": ["loss"], "labels": ["long runs", "论文"], "hparams": []}

    def offered(text: str) -> list[str]:
        return filters.complete(text, len(text), names)

    assert offered('"lo') == ["loss", "long runs"]
    assert offered('last("lo') == ["loss"]
    assert offered('matches(labels, "') == ["long runs", "论文"]
    assert offered("la")[0] == "labels"
    assert "archived" in offered("not a")


def test_every_column_and_function_is_in_the_reference() -> None:
    page = (pathlib.Path(__file__).parents[3] / "docs" / "reference" / "filters.md").read_text(encoding="utf-8")
    for word in (*filters.COLUMNS, *filters.FUNCTIONS):
        assert re.search(rf"`{word}\b", page), word
    for limit in (
        filters.MAX_LENGTH,
        filters.MAX_NODES,
        patterns.MAX_PATTERN,
        patterns.MAX_SUBJECT,
    ):
        assert f"{limit:,}" in page
