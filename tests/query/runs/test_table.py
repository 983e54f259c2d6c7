"""Filters over a real store: each column of the table the filter language sees. The language: test_filters.py."""

from __future__ import annotations

import numpy as np
import pytest

from lightboard import store, types
from lightboard.query.runs import filters, runs
from lightboard.query.runs import table as run_table

NOW = 2_000_000.0


def built() -> store.Store:
    builder = store.Builder()
    builder.scalars("a", "loss", values=[3.0, 1.0, 2.0], wall_times=[NOW - 7200, NOW - 7000, NOW - 3600])
    builder.scalars("b", "loss", values=[5.0, 4.0], wall_times=[NOW - 100, NOW - 10])
    builder.scalars("b", "eval/acc", values=[0.5, 0.9], wall_times=[NOW - 100, NOW - 10])
    builder.scalars("c", "eval/f1", values=[0.1], wall_times=[NOW - 1_000_000])
    return builder.build()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ["a", "b", "c"]),
        ("^[ab]$", ["a", "b"]),
        ('last("loss") > 1', ["a", "b"]),
        ('min("loss") == 1 and max("loss") == 3 and first("loss") == 3', ["a"]),
        ('has("eval/acc")', ["b"]),
        ('matches(tags, "^eval/")', ["b", "c"]),
        ('matches(tags, "^nothing")', []),
        ('"loss" in tags and "eval/acc" not in tags', ["a"]),
        ('duration >= "1h"', ["a"]),
        ('start > ago("1d")', ["a", "b"]),
        ('status == "running"', ["b"]),
    ],
)
def test_filter_over_a_store(text: str, expected: list[str]) -> None:
    source = built()
    rows = np.arange(3, dtype=np.int64)
    table = run_table.RunTable(source, rows, now=NOW)
    mask = filters.parse(text).mask(table, now=NOW)
    assert [source.run_names[row] for row in rows[mask].tolist()] == expected


def test_rows_keep_the_order_they_are_given_in() -> None:
    table = run_table.RunTable(built(), np.array([2, 0], np.int64), now=NOW)
    assert table.names().tolist() == ["c", "a"]
    assert table.has_any(["loss"]).tolist() == [False, True]


def test_what_people_say_is_asked_of_the_store() -> None:
    source = built()
    source.set_annotations(
        {
            "b": types.Annotation(name="Beste", note="gut", tags=("paper", "论文")),
            "c": types.Annotation(archived=True, tags=("old",)),
            "gone": types.Annotation(name="a", archived=True, tags=("paper",)),
        }
    )

    def found(text: str) -> list[str]:
        table = run_table.RunTable(source, np.array([2, 0, 1], np.int64), now=NOW)
        return [
            name for name, kept in zip("cab", filters.parse(text).mask(table, now=NOW).tolist(), strict=True) if kept
        ]

    assert found("beste") == ["b"]
    assert found('title == "a"') == ["a"]
    assert found("not archived") == ["a", "b"]
    assert found('"论文" in labels or "old" in labels') == ["c", "b"]
    assert found('matches(note, "^g")') == ["b"]
    assert runs.filter_names(source)["labels"] == ["old", "paper", "论文"]
