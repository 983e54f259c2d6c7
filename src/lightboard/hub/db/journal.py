"""Events of boards (the last 100 of each) and the audit log of the hub (all, until `prune`)."""

from __future__ import annotations

from collections.abc import Iterable

import sqlalchemy as sa

from lightboard.hub import life
from lightboard.hub.db import rows, tables, transactions
from lightboard.hub.life import accounts

EVENTS, AUDIT = tables.EVENTS, tables.AUDIT
EVENTS_KEPT = 100
MOST_ROWS = 1000


class Journal:
    def __init__(self, database: transactions.Transactions) -> None:
        self._database = database

    def events(self, board: str) -> list[life.Event]:
        """Newest first."""
        query = sa.select(EVENTS).where(EVENTS.c.board == board).order_by(EVENTS.c.id.desc()).limit(EVENTS_KEPT)
        with self._database.read() as connection:
            return [rows.value_of(life.Event, each) for each in connection.execute(query).mappings()]

    def record(self, *entries: accounts.AuditEntry) -> None:
        with self._database.write() as connection:
            for entry in entries:
                row = rows.row_of(entry)
                del row["id"]
                connection.execute(sa.insert(AUDIT).values(**row))

    def audit(
        self, *, actor: str = "", thing: str = "", workspace: str = "", before: int = 0, limit: int = 100
    ) -> list[accounts.AuditEntry]:
        """Newest first; the next page is `before` the last id."""
        query = sa.select(AUDIT).order_by(AUDIT.c.id.desc()).limit(max(1, min(limit, MOST_ROWS)))
        for name, value in (("actor", actor), ("thing", thing), ("workspace", workspace)):
            if value:
                query = query.where(AUDIT.c[name] == value)
        if before:
            query = query.where(AUDIT.c.id < before)
        with self._database.read() as connection:
            return [rows.value_of(accounts.AuditEntry, each) for each in connection.execute(query).mappings()]

    def prune(self, before: float) -> int:
        """Deletes audit entries from before a time; returns how many."""
        with self._database.write() as connection:
            return connection.execute(sa.delete(AUDIT).where(AUDIT.c.time < before)).rowcount


def add_events(connection: sa.Connection, events: Iterable[life.Event]) -> None:
    for event in events:
        connection.execute(sa.insert(EVENTS).values(**rows.row_of(event)))
        of_board = EVENTS.c.board == event.board
        oldest = sa.select(EVENTS.c.id).where(of_board).order_by(EVENTS.c.id.desc()).offset(EVENTS_KEPT - 1).limit(1)
        connection.execute(sa.delete(EVENTS).where(of_board, EVENTS.c.id < oldest.scalar_subquery()))
