"""Long JSON in pieces: the same text, in portions that leave others time."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from lightboard.query import tags
from lightboard.server import data, json_pieces, responses

FORM = json_pieces.Form(json.dumps, ", ", ": ")
VALUES = some.recursive(
    some.none() | some.booleans() | some.integers() | some.text(max_size=5),
    lambda inner: some.lists(inner, max_size=6) | some.dictionaries(some.text(max_size=3), inner, max_size=6),
    max_leaves=40,
)


@given(VALUES, some.integers(1, 20))
def test_pieces_are_the_same_text(value: Any, items: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_pieces, "ITEMS", items)
        assert b"".join(json_pieces.pieces(value, FORM)).decode() == json.dumps(value)


@pytest.mark.parametrize(
    "value",
    [
        [f"name {number}" for number in range(50_000)],
        {f"name {number}": number for number in range(50_000)},
        {"run": {f"tag {number}": {"displayName": "", "description": ""} for number in range(50_000)}},
        {f"run {number}": {"a": {}, "b": {}} for number in range(20_000)},
        [["a" * 1_000_000], ["b" * 1_000_000]],
        [list(range(10_000))] * 3,
    ],
)
def test_long_values_come_in_short_pieces(value: Any) -> None:
    """A million tags were one call of the encoder: everybody else waited 11.8 s."""
    found = list(json_pieces.pieces(value, FORM))
    assert b"".join(found).decode() == json.dumps(value)
    assert max(map(len, found)) < max(400_000, 1_100_000 * isinstance(value[0] if isinstance(value, list) else 0, list))
    assert len(found) > 1


def test_short_answers_are_one_body() -> None:
    assert responses.json_body({"a": [1, 2]}) == b'{"a":[1,2]}'
    assert data.as_json({"a": [1, 2.5]}).body == b'{"a": [1, 2.5]}'


def test_numbers_that_json_does_not_know_are_strings_in_every_piece() -> None:
    values = [1.5] * 5000 + [float("nan"), 2**60, float("-inf")]
    found = json.loads(responses.to_json(values))
    assert found[5000:] == ["NaN", str(2**60), "-Infinity"]
    long: Any = data.as_json(values * 20).body
    assert json.loads(b"".join(long))[5000] == "NaN"


def test_a_long_list_of_tags_is_sent_in_pieces() -> None:
    names = [f"layer {number}/weight" for number in range(100_000)]
    made = tags.Tags(1, {"scalars": tags.TagColumns(names, [1] * len(names), {names[0]: "shown"}, {}, {})})
    body = responses.json_body(made)
    assert not isinstance(body, bytes)
    found = json.loads(b"".join(body))
    assert found["kinds"]["scalars"]["tag"] == names
    assert found["kinds"]["scalars"]["display_name"] == {names[0]: "shown"}
