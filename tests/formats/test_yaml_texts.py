"""Configurations in YAML, read by PyYAML if installed: what it adds, where both readers agree, hostile texts."""

from __future__ import annotations

import random
import sys
from typing import Any

import pytest

from lightboard.formats import hparams_texts

yaml = pytest.importorskip("yaml")


def by_lines(text: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any] | None:
    """As it is read where PyYAML is not installed."""
    with monkeypatch.context() as patched:
        patched.setitem(sys.modules, "yaml", None)
        return hparams_texts.maybe_parse_text(text)


BETTER: list[tuple[str, str, dict[str, Any]]] = [
    ("block scalar", "a: |\n  one: 1\n  two\nb: 2\n", {"a": "one: 1\ntwo\n", "b": 2}),
    ("folded scalar", "a: >-\n  one\n  two\nb: 2\n", {"a": "one two", "b": 2}),
    ("list of maps", "layers:\n- kind: conv\n  size: 3\n- kind: dense\nlr: 0.1\n",
     {"layers": '[{"kind": "conv", "size": 3}, {"kind": "dense"}]', "lr": 0.1}),
    ("text over two lines", "a: one\n  two\nb: 2\n", {"a": "one two", "b": 2}),
    ("flow mapping", "opt: {name: adam, lr: 1e-3}\n", {"opt": {"name": "adam", "lr": 1e-3}}),
    ("escapes", 'a: "x\\ty"\n', {"a": "x\ty"}),
    ("alias", "a: &x\n  lr: 0.1\nb: *x\n", {"a": {"lr": 0.1}, "b": {"lr": 0.1}}),
    ("merge", "base: &x\n  lr: 0.1\n  bs: 8\nb:\n  bs: 16\n  <<: *x\n",
     {"base": {"lr": 0.1, "bs": 8}, "b": {"bs": 16, "lr": 0.1}}),
    ("tags of Python", "a: !!python/tuple\n- 1\n- 2\nb: !!python/object:x.Y\n  c: 3\n",
     {"a": "[1, 2]", "b": {"c": 3}}),
    ("name of a number", "1: a\ntrue: b\n", {"1": "a", "true": "b"}),
    ("second document", "a: 1\n---\nb: 2\n", {"a": 1}),
]  # fmt: skip


@pytest.mark.parametrize(("form", "text", "expected"), BETTER, ids=[case[0] for case in BETTER])
def test_what_only_a_yaml_parser_reads(form: str, text: str, expected: dict[str, Any]) -> None:
    assert hparams_texts.maybe_parse_text(text) == expected


def made_config(chance: random.Random, depth: int = 0) -> list[str]:
    """Lines of a configuration in the forms that both readers support."""
    scalars = [
        "1", "-3", "0.5", "1e-3", "1E5", "5.e-4", "1_000", ".5", "true", "False", "null", "~", "none", ".nan", "-.inf",
        "adam", "yes", "on", "a b c", "x/y.pt", "s3://bucket/key", "10:30", "'quoted'", '"quoted: too"', "'it''s'",
        "2024-01-01", "0x1f", "1 # remark", "'x' # remark", "a#b", "-", "v1.2.3", "[]", "[1, 2.5]", "äß学",
    ]  # fmt: skip
    lines = []
    for number in range(chance.randint(1, 5)):
        name = chance.choice(["lr", "name", "deep_er", "x-y", "a.b", "'odd name'", "学习率"]) + "_" * number
        name = name if not name.startswith("'") else f"'odd name{number}'"
        kind = chance.random()
        if kind < 0.2 and depth < 4:
            lines += [f"{name}:", *(f"  {line}" for line in made_config(chance, depth + 1))]
        elif kind < 0.35:
            dash = chance.choice(["- ", "  - "])
            lines += [f"{name}:", *(dash + chance.choice(scalars[:20]) for _ in range(chance.randint(1, 3)))]
        elif kind < 0.4:
            lines.append(f"{name}:")
        else:
            lines.append(f"{name}: {chance.choice(scalars)}")
        if chance.random() < 0.1:
            lines.append(chance.choice(["", "# a remark"]))
    return lines


def test_both_readers_agree_on_ordinary_configurations(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(7)
    for _ in range(500):
        text = "\n".join(made_config(chance)) + "\n"
        assert repr(hparams_texts.maybe_parse_text(text)) == repr(by_lines(text, monkeypatch)), text


def test_what_is_no_yaml_is_read_line_by_line() -> None:
    assert hparams_texts.maybe_parse_text("lr = 0.1\nname: [x\n") == {"lr": 0.1, "name": "[x"}
    assert hparams_texts.maybe_parse_text("a: *nothing\n") == {"a": "*nothing"}


N = 240_000
LAUGHS = "a0: &a0 [x, x]\n" + "".join(f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]\n" for i in range(1, 60))
HOSTILE = {
    "lists in lists": "a: " + "[" * N,
    "maps in maps": "a: " + "{b: " * (N // 4),
    "dashes": "- " * (N // 2),
    "complex names": "? " * (N // 2),
    "a billion laughs": LAUGHS,
    "laughs in maps": LAUGHS.replace("[*", "{y: *").replace(", *", ", z: *").replace("]", "}"),
    "a long text many times": f"a: &a {'x' * 100_000}\nb: [{', '.join(['*a'] * 30_000)}]\n",
    "an anchor in itself": "a: &a [*a]\n",
    "merges": "a: &a {x: 1}\n" + "b:\n" + "  <<: *a\n" * (N // 9),
    "many aliases": "a: &a 1\n" + "b: *a\n" * (N // 6),
    "many anchors": "".join(f"a{i}: &a{i} 1\n" for i in range(N // 16)),
    "indentation": "\n".join(" " * depth + "a:" for depth in range(690)),
    "directives": "".join(f"%TAG !{i}! x\n" for i in range(N // 13)),
    "empty lines": "a: |\n" + "\n" * N,
    "documents": "---\n" * (N // 4),
    "an open quote": "a: '" + "x\n" * (N // 2),
    "flow lists with remarks": "a:\n" + "[ #]\n" * (N // 5),
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
@pytest.mark.timeout(30)
def test_hostile_yaml_ends_soon_and_stays_small(text: str) -> None:
    """What is not bounded takes minutes, or gigabytes."""
    assert len(repr(hparams_texts.maybe_parse_text(text))) < 30 * N


def test_without_libyaml_long_texts_are_read_line_by_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(yaml, "CSafeLoader", raising=False)
    assert hparams_texts.maybe_parse_text("a: >-\n  one\n  two\n") == {"a": "one two"}
    long = "a: 1\n" + "# remark\n" * 15_000
    assert hparams_texts.maybe_parse_text(long) == {"a": 1}
