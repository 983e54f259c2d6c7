"""Boards: every change is one transaction, with its events.

Quota: `create`, and `change` with limits, count and write in one transaction that first locks the rows of the scopes
(workspace, then account; the hub's limit locks a lease row). Nothing else makes an inactive board active, so a limit
holds however many processes ask at once.

Concurrency: a command locks the board's row, then decides. A keeper decides first and stores with `store`, which fails
if the board was written meanwhile (`Board.version`).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

import sqlalchemy as sa

from lightboard import errors
from lightboard.hub import life
from lightboard.hub.db import changes, journal, rows, tables, transactions
from lightboard.hub.life import commands, quota, refusals

BOARDS, KEYS = tables.BOARDS, tables.IDEMPOTENCY_KEYS
HUB_LOCK = "quota:hub"
_ACTIVE = tuple(sorted(each.value for each in life.ACTIVE))
_ANSWERING = (life.State.RUNNING.value, life.State.IDLE.value)

Command = Callable[[life.Board], commands.Change]


@dataclasses.dataclass(frozen=True)
class Key:
    """An Idempotency-Key of a user; `request` is a hash of what was asked for."""

    user: str
    key: str
    request: bytes


@dataclasses.dataclass(frozen=True)
class Created:
    """`again`: the key was used before, and this is the board that it made."""

    board: life.Board
    again: bool = False


@dataclasses.dataclass(frozen=True)
class Used:
    """How many boards are active."""

    account: int
    workspace: int
    hub: int


class Boards:
    def __init__(self, database: transactions.Transactions, news: changes.Changes) -> None:
        self._database = database
        self._news = news

    # -- reading

    def get(self, board: str) -> life.Board:
        """Raises errors.NotFound."""
        with self._database.read() as connection:
            return _get(connection, board)

    def find(self, board: str) -> life.Board | None:
        with self._database.read() as connection:
            return _find(connection, board)

    def by_source(self, workspace: str, source_type: str, source_id: str) -> list[life.Board]:
        """Boards that were created for a thing such as a training job, oldest first."""
        with self._database.read() as connection:
            return _by_source(connection, workspace, source_type, source_id)

    def active(self) -> list[life.Board]:
        with self._database.read() as connection:
            found = connection.execute(sa.select(BOARDS).where(BOARDS.c.state.in_(_ACTIVE)))
            return [rows.board_of(each) for each in found.mappings()]

    def used(self, owner: str, workspace: str) -> Used:
        """Active boards."""
        active = BOARDS.c.state.in_(_ACTIVE)
        count = sa.select(sa.func.count()).select_from(BOARDS)
        with self._database.read() as connection:
            return Used(
                account=connection.execute(count.where(active, BOARDS.c.owner == owner)).scalar_one(),
                workspace=connection.execute(count.where(active, BOARDS.c.workspace == workspace)).scalar_one(),
                hub=connection.execute(count.where(active)).scalar_one(),
            )

    # -- commands

    def create(
        self, change: commands.Change, limits: life.Limits, key: Key | None = None
    ) -> Created | life.LimitExceeded:
        """Stores a board that `commands.created` prepared. Raises refusals.KeyReused, errors.Gone."""
        while True:
            with self._news.write() as (connection, told):
                made = _create(connection, change, limits, key)
                if made is None:  # another transaction used the key at the same moment
                    connection.rollback()
                    continue
                if isinstance(made, Created) and not made.again:
                    told.append(made.board.id)
            return made

    def ensure(
        self,
        change: commands.Change,
        limits: life.Limits,
        start: Command,
        mine: Callable[[life.Board], bool] = lambda _: True,
    ) -> Created | life.LimitExceeded:
        """Returns the board that was created for the same source, after the command `start`, or creates it. Boards
        that are not `mine` do not count."""
        board = change.board
        made: Created | life.LimitExceeded | None
        with self._news.write() as (connection, told):
            _lock_scopes(connection, board.owner, board.workspace, limits)
            found = _by_source(connection, board.workspace, board.source_type, board.source_id)
            known = [each for each in found if mine(each)]
            if known:
                after = _change(connection, known[0].id, start, limits)
                made = after if isinstance(after, life.LimitExceeded) else Created(after, again=True)
            else:
                made = _create(connection, change, limits)
            if isinstance(made, Created):
                told.append(made.board.id)
        assert made is not None  # that needs a key
        return made

    def change(
        self, board: str, command: Command, *, limits: life.Limits | None = None, generation: int | None = None
    ) -> life.Board | life.LimitExceeded:
        """Runs a command of `life.commands` on the board. `limits` are needed by commands that may make it active.

        Raises errors.NotFound, refusals.Changed if `generation` is not the board's, and what the command raises.
        """
        with self._news.write() as (connection, told):
            after = _change(connection, board, command, limits, generation)
            if isinstance(after, life.Board):
                told.append(board)
        return after

    # -- the keeper

    def due(self, now: float, limit: int = 500) -> list[life.Board]:
        """Boards whose time to be looked at has come, longest overdue first."""
        query = sa.select(BOARDS).where(BOARDS.c.look_again_at <= now).order_by(BOARDS.c.look_again_at).limit(limit)
        with self._database.read() as connection:
            return [rows.board_of(each) for each in connection.execute(query).mappings()]

    def next_due(self, without: Collection[str] = ()) -> float | None:
        query = sa.select(sa.func.min(BOARDS.c.look_again_at))
        if without:
            query = query.where(BOARDS.c.id.not_in(sorted(without)))
        with self._database.read() as connection:
            at: float | None = connection.execute(query).scalar()
            return at

    def answering(self) -> set[str]:
        """Ids of boards that are running or idle."""
        query = sa.select(BOARDS.c.id).where(BOARDS.c.state.in_(_ANSWERING))
        with self._database.read() as connection:
            return set(connection.execute(query).scalars())

    def existing(self, boards: Collection[str]) -> set[str]:
        """Which of these ids are boards."""
        query = sa.select(BOARDS.c.id).where(BOARDS.c.id.in_(sorted(boards)))
        with self._database.read() as connection:
            return set(connection.execute(query).scalars())

    def store(self, decisions: Iterable[tuple[life.Board, life.Decision]]) -> list[life.Board | None]:
        """Stores decisions about boards as they were read, all in one transaction. None: the board was written
        meanwhile, decide again. A board that is `gone` is stored as it is: `remove` deletes it after the actions."""
        stored: list[life.Board | None] = []
        with self._news.write() as (connection, told):
            for before, decision in decisions:
                written = _write(connection, decision.board, version=before.version)
                stored.append(dataclasses.replace(decision.board, version=before.version + 1) if written else None)
                if written:
                    journal.add_events(connection, decision.events)
                    if _looks_different(before, decision.board):
                        told.append(before.id)
        return stored

    def remove(self, board: str) -> bool:
        """Deletes a board with its events and shares."""
        with self._news.write() as (connection, told):
            removed = bool(connection.execute(sa.delete(BOARDS).where(BOARDS.c.id == board)).rowcount)
            told.extend([board] if removed else [])
        return removed

    def forget_keys(self, before: float) -> None:
        """Idempotency keys from before a time."""
        with self._database.write() as connection:
            connection.execute(sa.delete(KEYS).where(KEYS.c.created < before))

    def wake(self, boards: Sequence[str], now: float) -> None:
        """Boards that the keeper should look at now, as after a gap."""
        statement = sa.update(BOARDS).where(BOARDS.c.id.in_(boards))
        with self._database.write() as connection:
            connection.execute(statement.values(look_again_at=now, version=BOARDS.c.version + 1))


def _looks_different(before: life.Board, after: life.Board) -> bool:
    """Whether a page that shows the board has to change."""
    names = ("state", "reason", "message", "generation", "observed_generation", "last_activity", "keep_alive_until")
    return any(getattr(before, name) != getattr(after, name) for name in names)


# -- commands inside a transaction


def _create(
    connection: sa.Connection, change: commands.Change, limits: life.Limits, key: Key | None = None
) -> Created | life.LimitExceeded | None:
    """None, only with a key: the caller rolls back and tries again."""
    board = change.board
    _lock_scopes(connection, board.owner, board.workspace, limits)
    if key is not None and (known := _of_key(connection, key)) is not None:
        return Created(known, again=True)
    exceeded = _check(connection, board, limits)
    if exceeded is not None:
        return exceeded
    connection.execute(sa.insert(BOARDS).values(**rows.board_row(board), version=1))
    if key is not None:
        row = {**dataclasses.asdict(key), "board": board.id, "created": board.created}
        if not transactions.insert_new(connection, KEYS, row):
            return None
    journal.add_events(connection, change.events)
    return Created(dataclasses.replace(board, version=1))


def _change(
    connection: sa.Connection,
    board: str,
    command: Command,
    limits: life.Limits | None,
    generation: int | None = None,
) -> life.Board | life.LimitExceeded:
    if limits is not None:
        scope = _get(connection, board)
        _lock_scopes(connection, scope.owner, scope.workspace, limits)
    before = _get(connection, board, lock=True)
    if generation is not None and generation != before.generation:
        message = f"the board has generation {before.generation}, not {generation}"
        raise refusals.Changed(message, hint="read it again, then change it")
    change = command(before)
    if not change.events:
        return before
    if quota.is_active(change.board) and not quota.is_active(before):
        exceeded = _check(connection, before, limits or life.Limits(0))
        if exceeded is not None:
            return exceeded
    _write(connection, change.board)
    journal.add_events(connection, change.events)
    return dataclasses.replace(change.board, version=before.version + 1)


# -- statements


def _find(connection: sa.Connection, board: str, *, lock: bool = False) -> life.Board | None:
    query = sa.select(BOARDS).where(BOARDS.c.id == board)
    if lock:
        query = query.with_for_update(key_share=True)
    row = connection.execute(query).mappings().first()
    return None if row is None else rows.board_of(row)


def _get(connection: sa.Connection, board: str, *, lock: bool = False) -> life.Board:
    found = _find(connection, board, lock=lock)
    if found is None:
        raise errors.NotFound(f"no board {board[:100]}")
    return found


def _by_source(connection: sa.Connection, workspace: str, source_type: str, source_id: str) -> list[life.Board]:
    query = sa.select(BOARDS).where(
        BOARDS.c.workspace == workspace,
        BOARDS.c.source_type == source_type,
        BOARDS.c.source_id == source_id,
        BOARDS.c.state != life.State.DELETING.value,
    )
    found = connection.execute(query.order_by(BOARDS.c.created, BOARDS.c.id)).mappings()
    return [rows.board_of(each) for each in found]


def _of_key(connection: sa.Connection, key: Key) -> life.Board | None:
    query = sa.select(KEYS.c.request, KEYS.c.board).where(KEYS.c.user == key.user, KEYS.c.key == key.key)
    row = connection.execute(query).first()
    if row is None:
        return None
    if row.request != key.request:
        raise refusals.KeyReused("this Idempotency-Key came with another request", hint="make a new key per request")
    board = _find(connection, row.board)
    if board is None:
        raise errors.Gone("the board that this Idempotency-Key made was deleted")
    return board


def _write(connection: sa.Connection, board: life.Board, version: int | None = None) -> bool:
    statement = sa.update(BOARDS).where(BOARDS.c.id == board.id)
    if version is not None:
        statement = statement.where(BOARDS.c.version == version)
    return bool(connection.execute(statement.values(**rows.board_row(board), version=BOARDS.c.version + 1)).rowcount)


def _lock_scopes(connection: sa.Connection, owner: str, workspace: str, limits: life.Limits) -> None:
    """Always in this order, so that two transactions do not wait for each other. SQLite has one writer anyway."""
    if connection.dialect.name == "sqlite":
        return
    if limits.hub is not None:
        transactions.insert_new(connection, tables.LEASES, {"name": HUB_LOCK, "holder": "", "until": 0.0})
        connection.execute(_locked(tables.LEASES.c.name, HUB_LOCK))
    connection.execute(_locked(tables.WORKSPACES.c.id, workspace))
    connection.execute(_locked(tables.USERS.c.id, owner))


def _locked(column: sa.Column[str], value: str) -> sa.Select[Any]:
    return sa.select(column).where(column == value).with_for_update(key_share=True)


def _check(connection: sa.Connection, board: life.Board, limits: life.Limits) -> life.LimitExceeded | None:
    """Counts the other active boards of each limited scope."""
    used = {
        scope: connection.execute(
            sa.select(sa.func.count()).select_from(BOARDS).where(*_others(scope, board.id))
        ).scalar_one()
        for scope, _ in quota.scopes(board.owner, board.workspace, limits)
    }
    full = quota.full_scope(board.owner, board.workspace, limits, used)
    if full is None:
        return None
    scope, limit, count = full
    return life.LimitExceeded(limit, count, scope, _listed(connection, scope, board.id))


def _others(scope: str, board: str) -> list[sa.ColumnElement[bool]]:
    kind, _, name = scope.partition(":")
    conditions: list[sa.ColumnElement[bool]] = [BOARDS.c.state.in_(_ACTIVE), BOARDS.c.id != board]
    if kind != "hub":
        conditions.append((BOARDS.c.owner if kind == "account" else BOARDS.c.workspace) == name)
    return conditions


def _listed(connection: sa.Connection, scope: str, board: str) -> tuple[quota.Active, ...]:
    names = [each.name for each in dataclasses.fields(quota.Active)]
    query = sa.select(*(BOARDS.c[name] for name in names)).where(*_others(scope, board))
    found = connection.execute(query.order_by(BOARDS.c.last_activity, BOARDS.c.id).limit(quota.MOST_LISTED)).mappings()
    return tuple(
        rows.value_of(
            quota.Active, each, state=life.State(each["state"]), visibility=life.Visibility(each["visibility"])
        )
        for each in found
    )
