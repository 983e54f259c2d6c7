"""Times as people say them, and tables."""

from __future__ import annotations

import datetime as dt

import pytest

from lightboard import client
from lightboard.cli.hub_verbs import showing
from lightboard.client import requests

NOW = dt.datetime(2026, 11, 18, 12, 0, tzinfo=dt.timezone.utc)


@pytest.mark.parametrize(
    ("secs", "text"),
    [
        (-5, "0 s"),
        (0, "0 s"),
        (59.9, "59 s"),
        (60, "1 min"),
        (61, "1 min 1 s"),
        (11520, "3 h 12 min"),
        (3605, "1 h"),
        (86400 * 2 + 300, "2 d"),
        (86400 * 2 + 3600 * 4, "2 d 4 h"),
    ],
)
def test_durations(secs: float, text: str) -> None:
    assert showing.duration(secs) == text


@pytest.mark.parametrize(
    ("secs", "text"), [(1, "just now"), (40, "40 s ago"), (60, "1 min ago"), (10800, "3 h ago"), (200000, "2 d ago")]
)
def test_ago(secs: float, text: str) -> None:
    assert showing.ago(NOW - dt.timedelta(seconds=secs), NOW) == text
    assert showing.ago(None, NOW) == "-"


def board(**members: object) -> client.Board:
    return client.Board(requests.Requests(None), {"id": "b-1", "state": "Running", **members})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("members", "text"),
    [
        ({"reclaim_at": "2026-11-18T15:12:00.000Z"}, "in 3 h 12 min"),
        ({"reclaim_at": "2026-11-18T15:12:00.000Z", "runtime_ends_at": "2026-11-18T12:05:00.000Z"}, "in 5 min"),
        ({"reclaim_at": None}, "never"),
        ({"state": "Stopped", "reclaim_at": "2026-11-18T15:12:00.000Z"}, "-"),
    ],
)
def test_pauses(members: dict[str, object], text: str) -> None:
    assert showing.pauses(board(**members), NOW) == text


def test_wide_characters_are_counted() -> None:
    columns = [showing.Column("NAME", ("训练", "ab"), least=3), showing.Column("URL", ("x", "y"))]
    assert showing.fitted(columns, 0) == ["NAME  URL", "训练  x", "ab    y"]
    assert showing.fitted(columns, 8) == ["NA…  URL", "训…  x", "ab   y"]


def test_columns_of_less_interest_are_dropped_first() -> None:
    columns = [
        showing.Column("NAME", ("a",)),
        showing.Column("OWNER", ("ann",), rank=2),
        showing.Column("AGE", ("3 h",), rank=1),
        showing.Column("URL", ("http://x/",)),
    ]
    assert showing.fitted(columns, 30)[0].split() == ["NAME", "OWNER", "AGE", "URL"]
    assert showing.fitted(columns, 22)[0].split() == ["NAME", "AGE", "URL"]
    assert showing.fitted(columns, 5)[0].split() == ["NAME", "URL"]


def test_names_cannot_change_the_terminal() -> None:
    (_, row) = showing.table([board(name="a\x1b[31m\nb", url="http://x/")], NOW)
    assert "\x1b" not in row
    assert "\n" not in row
