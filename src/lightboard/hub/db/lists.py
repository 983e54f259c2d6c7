"""Lists of boards: filters, sorting, pages.

A page starts after the last row of the page before (keyset), so that page 200 costs what page 1 costs, and a board that
is created meanwhile shifts nothing.
"""

from __future__ import annotations

import base64
import dataclasses
import json
import sys
from collections.abc import Collection, Mapping
from typing import NamedTuple

import sqlalchemy as sa

from lightboard import errors
from lightboard.hub import life
from lightboard.hub.db import rows, tables, transactions
from lightboard.hub.life import accounts

BOARDS = tables.BOARDS
SORTS = {
    "created": BOARDS.c.created,
    "last_activity": BOARDS.c.last_activity,
    "name": BOARDS.c.name_key,
    "state": BOARDS.c.state,
    "owner": tables.USERS.c.name,
    "workspace": BOARDS.c.workspace,
}
MOST_ROWS = 1000


@dataclasses.dataclass(frozen=True)
class Visible:
    """Only boards that this user may see, as `people.may` decides it for one board."""

    user: str
    roles: Mapping[str, accounts.Role]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Query:
    """None or empty: any. `text` has words that all occur in name, id, sources or labels."""

    states: tuple[life.State, ...] = ()
    owner: str = ""
    workspace: str = ""
    source_type: str = ""
    source_id: str = ""
    text: str = ""
    visible: Visible | None = None
    workspaces: frozenset[str] | None = None  # only boards of these
    sort: str = "created"
    descending: bool = True


class Outline(NamedTuple):
    """What decides who may see a board. Small, because a hub keeps one of each board in memory."""

    workspace: str
    owner: str
    visibility: str


@dataclasses.dataclass(frozen=True)
class Page:
    """`next_page` is the token of the next page, empty at the end."""

    boards: tuple[life.Board, ...]
    next_page: str


class Lists:
    def __init__(self, database: transactions.Transactions) -> None:
        self._database = database

    def page(self, query: Query, limit: int = 50, after: str = "") -> Page:
        """Raises errors.BadInput for an unknown sort or a token of another list."""
        if query.sort not in SORTS:
            raise errors.BadInput(f"cannot sort by `{query.sort[:40]}`", hint=f"one of {', '.join(SORTS)}")
        limit = max(1, min(limit, MOST_ROWS))
        with self._database.read() as connection:
            found = connection.execute(_selected(query, limit + 1, after)).mappings().all()
        boards = tuple(rows.board_of(each) for each in found[:limit])
        token = _token(query, found[limit - 1]) if len(found) > limit else ""
        return Page(boards, token)

    def some(self, boards: Collection[str]) -> dict[str, life.Board]:
        """Those of these boards that exist, by id."""
        statement = sa.select(BOARDS).where(BOARDS.c.id.in_(sorted(boards)))
        with self._database.read() as connection:
            return {each["id"]: rows.board_of(each) for each in connection.execute(statement).mappings()}

    def outlines(self) -> dict[str, Outline]:
        """Who may see a board, for all boards."""
        columns = (BOARDS.c.id, BOARDS.c.workspace, BOARDS.c.owner, BOARDS.c.visibility)
        with self._database.read() as connection:
            found = connection.execute(sa.select(*columns)).all()
        return {each[0]: Outline(*map(sys.intern, each[1:])) for each in found}

    def count(self, query: Query) -> int:
        statement = sa.select(sa.func.count()).select_from(BOARDS).where(*_conditions(query))
        with self._database.read() as connection:
            return connection.execute(statement).scalar_one()

    def active_by_owner(self, owners: Collection[str]) -> dict[str, int]:
        """How many active boards these users have; users without one are not there."""
        active = BOARDS.c.state.in_(sorted(each.value for each in life.ACTIVE))
        query = sa.select(BOARDS.c.owner, sa.func.count().label("number")).where(
            active, BOARDS.c.owner.in_(sorted(owners))
        )
        with self._database.read() as connection:
            return {each.owner: each.number for each in connection.execute(query.group_by(BOARDS.c.owner))}

    def count_by_state(self) -> dict[life.State, int]:
        """For metrics: states without a board are there, with 0."""
        with self._database.read() as connection:
            found = connection.execute(sa.select(BOARDS.c.state, sa.func.count()).group_by(BOARDS.c.state)).all()
        counts = {life.State(state): number for state, number in found}
        return {state: counts.get(state, 0) for state in life.State}


def _selected(query: Query, limit: int, after: str) -> sa.Select[tuple[object, ...]]:
    column, conditions = SORTS[query.sort], _conditions(query)
    if query.sort == "owner":  # people know names, and not ids
        conditions.append(tables.USERS.c.id == BOARDS.c.owner)
    if after:
        last = sa.tuple_(*map(sa.literal, _parsed(query, after)))
        place = sa.tuple_(column, BOARDS.c.id)
        conditions.append(place < last if query.descending else place > last)
    order = (column.desc(), BOARDS.c.id.desc()) if query.descending else (column, BOARDS.c.id)
    return sa.select(BOARDS, column.label("sorted_by")).where(*conditions).order_by(*order).limit(limit)


def _conditions(query: Query) -> list[sa.ColumnElement[bool]]:
    conditions: list[sa.ColumnElement[bool]] = []
    if query.states:
        conditions.append(BOARDS.c.state.in_(sorted(each.value for each in query.states)))
    exact = {name: getattr(query, name) for name in ("owner", "workspace", "source_type", "source_id")}
    conditions += [BOARDS.c[name] == value for name, value in exact.items() if value]
    conditions += [BOARDS.c.search.contains(word, autoescape=True) for word in query.text.casefold().split()[:10]]
    if query.workspaces is not None:
        conditions.append(BOARDS.c.workspace.in_(sorted(query.workspaces)))
    if query.visible is not None:
        conditions.append(_visible(query.visible))
    return conditions


def _visible(who: Visible) -> sa.ColumnElement[bool]:
    managed = sorted(name for name, role in who.roles.items() if role.rank >= accounts.Role.ADMIN.rank)
    board, member = BOARDS.c, sorted(who.roles)
    return sa.or_(
        sa.and_(board.owner == who.user, board.workspace.in_(member)),
        board.visibility == life.Visibility.PUBLIC.value,
        board.workspace.in_(managed),
        sa.and_(board.visibility == life.Visibility.WORKSPACE.value, board.workspace.in_(member)),
    )


def _token(query: Query, row: sa.RowMapping) -> str:
    place = [query.sort, query.descending, row["sorted_by"], row["id"]]
    return base64.urlsafe_b64encode(json.dumps(place).encode()).decode()


def _parsed(query: Query, token: str) -> tuple[float | str, str]:
    try:
        sort, descending, value, board = json.loads(base64.urlsafe_b64decode(token.encode()))
    except (ValueError, TypeError, RecursionError) as error:
        raise _bad_token() from error
    numeric = query.sort in ("created", "last_activity")
    fits = isinstance(value, float if numeric else str) and isinstance(board, str)
    if (sort, descending) != (query.sort, query.descending) or not fits or "\0" in f"{value}{board}":
        raise _bad_token()
    return value, board


def _bad_token() -> errors.BadInput:
    return errors.BadInput("this page token belongs to another list", hint="start again without a page token")
