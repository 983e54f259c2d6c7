"""Configurations logged as texts, as frameworks and people write them."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from lightboard.formats import hparams_texts

CLEAN_RL = """|param|value|
|-|-|
|exp_name|ppo|
|learning_rate|0.00025|
|cuda|True|
|target_kl|None|
|env_id|CartPole-v1|"""

YAML = """# written by hand
lr: 1e-3
optimizer:
  name: adam
  betas: [0.9, 0.999]
  nested:
    deep: yes
layers:
- 64
- 128
name: "a: b"  # quoted
amp: true
nothing: null
empty:
"""

LIGHTNING = """act: relu
hidden: 16
lr: 0.01
model: !!python/object:models.Net
  depth: 3
"""

CASES: list[tuple[str, str, dict[str, Any]]] = [
    ("JSON", '{"lr": 5e-05, "x": {"a": [1, 2]}, "flag": false}', {"lr": 5e-05, "x": {"a": "[1, 2]"}, "flag": False}),
    ("JSON in a fence", '```json\n{"lr": 1}\n```', {"lr": 1}),
    ("JSON in pre", '<pre>{"lr": 1}</pre>', {"lr": 1}),
    ("objects", "Namespace(fn=<function f at 0x7f>, net=Net(3))", {"fn": "<function f at 0x7f>", "net": "Net(3)"}),
    ("Namespace of literals", "Namespace(lr=0.1, bs=32, name='x', deep=Namespace(a=None))",
     {"lr": 0.1, "bs": 32, "name": "x", "deep": {"a": None}}),
    ("Python", "{'lr': 0.1, 'sizes': (1, 2), 'flag': True, 'inf': inf}",
     {"lr": 0.1, "sizes": "[1, 2]", "flag": True, "inf": math.inf}),
    ("CleanRL", CLEAN_RL,
     {"exp_name": "ppo", "learning_rate": 0.00025, "cuda": True, "target_kl": None, "env_id": "CartPole-v1"}),
    ("bold table", "| **name** | **value** |\n|:--|--:|\n| `lr` | **0.1** |", {"lr": 0.1}),
    ("YAML", YAML, {
        "lr": 1e-3,
        "optimizer": {"name": "adam", "betas": "[0.9, 0.999]", "nested": {"deep": "yes"}},
        "layers": "[64, 128]", "name": "a: b", "amp": True, "nothing": None, "empty": None,
    }),
    ("Lightning", LIGHTNING, {"act": "relu", "hidden": 16, "lr": 0.01, "model": {"depth": 3}}),
    ("equal signs", "lr = 0.1\nbatch_size=32\n", {"lr": 0.1, "batch_size": 32}),
    ("list of points", "- lr: 0.1\n- name: x\n", {"lr": 0.1, "name": "x"}),
    ("unicode", "学习率: 0.1\nβ: 0.9\n😀: 1\n", {"学习率": 0.1, "β": 0.9, "😀": 1}),
    ("odd numbers", "a: .nan\nb: -.inf\nc: 1_000\nd: 1.\n", {"a": math.nan, "b": -math.inf, "c": 1000.0, "d": 1.0}),
]  # fmt: skip


@pytest.mark.parametrize(("form", "text", "expected"), CASES, ids=[case[0] for case in CASES])
def test_every_form_is_read(form: str, text: str, expected: dict[str, Any]) -> None:
    found = hparams_texts.maybe_parse_text(text)
    assert repr(found or {}) == repr(expected)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "A sentence about the run: it went well. And then another sentence that goes on.\nMore prose here.\nAnd here.",
        "[1, 2, 3]",
        "{broken",
        "{" * 100_000,
        "Namespace(" * 5_000,
        "\0\0\0",
        "|a|b|",
        "print('hello')",
        '"only a string"',
        "x" * 2_000_000,
    ],
    ids=range(11),
)
def test_what_is_no_configuration_is_none(text: str) -> None:
    assert hparams_texts.maybe_parse_text(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "a" + " " * 240_000 + "b",
        "a: 1" + " " * 240_000 + "x",
        "```\n" + "\n" * 240_000,
        "|" + "-" * 240_000 + "x",
        "|-" * 120_000,
        "<pre>" * 100_000,
        "'" * 240_000,
        "a: " + "'x" * 120_000,
        "{'a': " + "-" * 100_000 + "1}",
        "{'a': " + "1+" * 90_000 + "1}",
        "{" + "'a':{" * 30_000,
        "\n".join(" " * depth + "a:" for depth in range(1000)),
        "- " * 120_000,
        "a: 1\n" * 49_000,
        "a: " + "1" * 240_000 + "x",
        "a: " + "1_" * 120_000 + "x",
        "a: " + "." * 240_000,
        "a: 1" + "e" * 240_000,
        "\n".join("a: " + "1" * 390 + "x" for _ in range(600)),
        "x" * 240_000 + ":",
        '{"a": ' + "1" * 240_000 + "}",
        '{"a": ' + "[" * 900 + "]" * 900 + "}",
        '{"a": ' + "[" * 100_000 + "]" * 100_000 + "}",
        "{'a': 0x" + "f" * 40_000 + "}",
        "f(" + "a=<" * 60_000 + ")",
        "f(a=" + "a." * 20_000 + "a)",
        "f(a=" + "not " * 10_000 + "a)",
        "f(a=" + "(" * 190 + "," + ")" * 190 + ")",
        "{" + "**{" * 10_000,
        "f(" + "lambda:" * 6_000 + "1)",
    ],
    ids=range(30),
)
@pytest.mark.timeout(30)
def test_hostile_texts_end_soon(text: str) -> None:
    """A pattern that goes back and forth would take hours for some of these."""
    hparams_texts.maybe_parse_text(text)
    hparams_texts.maybe_parse([b"a", text.removeprefix("a: ").encode()], (1, 2))


@pytest.mark.timeout(30)
def test_quotes_and_remarks_over_several_lines_end_soon() -> None:
    found = hparams_texts.maybe_parse([b"a", b'"' + b"x" * 10 + b'"y#' * 100_000 + b"\nend"], (1, 2))
    assert found is not None
    assert found["a"].startswith('"xxxxx')


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("{[]: 1}", "{[]: 1}"),
        ("1" * 500, "1" * 500),
        ("9" * 30, 1e30),
        ("'it''s' # remark", "it's"),
        ('"a" b "c"', 'a" b "c'),
        ("{'a': 0x" + "f" * 300 + "}", {"a": "0x" + "f" * 300}),
        ("{'a': 18446744073709551616}", {"a": 2.0**64}),
    ],
)
def test_values_that_are_no_ordinary_literal(value: str, expected: Any) -> None:
    assert hparams_texts.maybe_parse([b"v", value.encode()], (1, 2)) == {"v": expected}
    assert hparams_texts.maybe_parse_text(f"v: {value}") == {"v": expected}


def test_a_table_of_names_and_values() -> None:
    strings = [b"lr", b"0.1", b"name", b"\xff\xfe"]
    assert hparams_texts.maybe_parse(strings, (2, 2)) == {"lr": 0.1, "name": "\ufffd\ufffd"}


def test_deep_nesting_ends() -> None:
    deep: Any = 1
    for _ in range(200):
        deep = {"a": deep}
    found = hparams_texts.maybe_parse_text(json.dumps(deep))
    assert found is not None
    levels = 0
    while isinstance(found, dict):
        found, levels = found["a"], levels + 1
    assert levels == hparams_texts.MAX_DEPTH


@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        ("args", True),
        ("args/text_summary", True),
        ("train/config", True),
        ("Training Args", True),
        ("hyperparameters", True),
        ("notes", False),
        ("config_of_nothing", False),
        ("samples/args/0", False),
    ],
)
def test_tags_that_may_hold_a_configuration(tag: str, expected: bool) -> None:
    assert hparams_texts.is_config_tag(tag) is expected
