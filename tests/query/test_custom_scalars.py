"""Layouts: merging those of several runs."""

from __future__ import annotations

import pytest

from lightboard import errors, store
from lightboard.query import custom_scalars
from lightboard.query.custom_scalars import Band, Category, Chart, Layout


def test_a_layout_is_read_with_lines_and_bands() -> None:
    band = b"\x0a\x01v\x12\x01l\x1a\x01u"
    charts = b"\x12\x07\x0a\x00\x12\x03\x0a\x01t" + b"\x12\x0f\x0a\x00\x1a\x0b\x0a\x09" + band
    category = b"\x0a\x01C" + charts + b"\x18\x01"
    message = b"\x08\x02\x12" + bytes([len(category)]) + category
    assert custom_scalars.parse(message) == Layout(
        (Category("C", (Chart("", tags=("t",)), Chart("", bands=(Band("v", "l", "u"),))), closed=True),), version=2
    )


def test_equal_charts_are_kept_once_and_the_first_layout_leads() -> None:
    one, two = Chart("one", tags=("a",)), Chart("two", tags=("b",))
    merged = custom_scalars.merge(
        [
            Layout((Category("x", (one,), closed=True),), version=1),
            Layout((Category("y", (two,)), Category("x", (one, two)))),
            Layout((Category("y", (one, two)),)),
        ]
    )
    assert merged == Layout((Category("x", (one, two), closed=True), Category("y", (two, one))), version=1)


def test_bytes_that_are_no_layout_are_named() -> None:
    with pytest.raises(errors.Unreadable):
        custom_scalars.parse(b"\x12\xff")


def test_patterns_match_from_the_start() -> None:
    source = store.Builder().scalars("r", "loss/a", [1.0]).scalars("r", "my/loss", [1.0]).build()
    matched = custom_scalars.matching(source, "r", "loss")
    assert matched is not None
    assert [each.tag for each in matched] == ["loss/a"]
    assert custom_scalars.matching(source, "r", "[") is None


def test_patterns_tell_their_tags_or_what_is_wrong_with_them() -> None:
    builder = store.Builder()
    for tag in ("loss/a10", "loss/a2", "Loss/b", "my/loss", "a+b"):
        builder.scalars("r", tag, [1.0])
    found = custom_scalars.match_all(builder.build(), ["loss", "loss", "a\\+b", "a+b", "[", "", "x(?!y)", "(?i)loss"])
    assert [(each.pattern, each.tags) for each in found] == [
        ("loss", ["loss/a2", "loss/a10"]),
        ("a\\+b", ["a+b"]),
        ("a+b", []),
        ("[", []),
        ("", []),
        ("x(?!y)", []),
        ("(?i)loss", ["Loss/b", "loss/a2", "loss/a10"]),
    ]
    assert [each.pattern for each in found if each.problem] == ["[", "", "x(?!y)"]


def test_of_very_many_tags_the_first_are_listed_and_all_counted() -> None:
    builder = store.Builder()
    for number in range(custom_scalars.MOST_TAGS + 5):
        builder.scalars("r", f"t{number}", [1.0])
    (found,) = custom_scalars.match_all(builder.build(), ["t"])
    assert (len(found.tags), found.count) == (custom_scalars.MOST_TAGS, custom_scalars.MOST_TAGS + 5)
