"""Values of `life` as rows of tables, and back."""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Mapping
from typing import Any, TypeVar

import sqlalchemy as sa

from lightboard.hub import life

_T = TypeVar("_T")
_POLICY = tuple(each.name for each in dataclasses.fields(life.Policy))
_PLAIN = tuple(
    each.name for each in dataclasses.fields(life.Board) if each.name not in ("sources", "policy", "labels", "version")
)
# `search` is as long as this at most: a board with a thousand sources is found by its first ones
LONGEST_SEARCH = 4000


def board_row(board: life.Board) -> dict[str, Any]:
    """Without `version`, which only statements change."""
    row = {name: plain(getattr(board, name)) for name in _PLAIN}
    row |= {name: getattr(board.policy, name) for name in _POLICY}
    row["sources"] = [dataclasses.asdict(each) for each in board.sources]
    row["labels"] = dict(board.labels)
    row["name_key"] = board.name.casefold()
    row["search"] = search_text(board)
    return row


def search_text(board: life.Board) -> str:
    parts = [board.name, board.id, *(each.uri for each in board.sources)]
    parts += [f"{name}={value}" for name, value in board.labels.items()]
    return "\n".join(parts).casefold()[:LONGEST_SEARCH]


def board_of(row: sa.RowMapping | Mapping[str, Any]) -> life.Board:
    values = {name: row[name] for name in _PLAIN}
    reason = row["stop_reason"]
    values |= {
        "sources": tuple(life.Source(**each) for each in row["sources"]),
        "policy": life.Policy(*(row[name] for name in _POLICY)),
        "labels": row["labels"],
        "visibility": life.Visibility(row["visibility"]),
        "desired": life.Desired(row["desired"]),
        "stop_reason": None if reason is None else life.StopReason(reason),
        "state": life.State(row["state"]),
        "version": row["version"],
    }
    return life.Board(**values)


def row_of(value: Any) -> dict[str, Any]:
    """The row of a dataclass whose members are columns."""
    return {each.name: plain(getattr(value, each.name)) for each in dataclasses.fields(value)}


def value_of(kind: type[_T], row: sa.RowMapping, **converted: Any) -> _T:
    """The dataclass of a row; `converted` replaces members that are no plain columns."""
    names = {each.name for each in dataclasses.fields(kind)}  # type: ignore[arg-type]
    return kind(**{name: row[name] for name in names} | converted)


def plain(value: Any) -> Any:
    if isinstance(value, enum.Enum):
        return value.value
    return list(value) if isinstance(value, tuple) else dict(value) if isinstance(value, Mapping) else value
