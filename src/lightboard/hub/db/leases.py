"""Leases: of several hub processes, one holds the lease of a name until a time, and renews it before.

The callers' clocks should agree to a second or two. A leader whose lease ran out harms nothing: its writes about boards
fail if another one wrote meanwhile (`Boards.store`).
"""

from __future__ import annotations

import sqlalchemy as sa

from lightboard.hub.db import tables, transactions

LEASES = tables.LEASES


class Leases:
    def __init__(self, database: transactions.Transactions) -> None:
        self._database = database

    def take(self, name: str, holder: str, now: float, secs: float) -> bool:
        """Takes or renews the lease; says whether `holder` has it now."""
        row = {"name": name, "holder": holder, "until": now + secs}
        free = sa.or_(LEASES.c.holder == holder, LEASES.c.until <= now)
        with self._database.write() as connection:
            renewed = sa.update(LEASES).where(LEASES.c.name == name, free).values(row)
            return bool(connection.execute(renewed).rowcount) or transactions.insert_new(connection, LEASES, row)

    def release(self, name: str, holder: str) -> None:
        with self._database.write() as connection:
            connection.execute(sa.delete(LEASES).where(LEASES.c.name == name, LEASES.c.holder == holder))

    def holder(self, name: str, now: float) -> str:
        """Returns who holds it, "" if nobody does."""
        query = sa.select(LEASES.c.holder).where(LEASES.c.name == name, LEASES.c.until > now)
        with self._database.read() as connection:
            return connection.execute(query).scalar() or ""
