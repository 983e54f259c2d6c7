"""Links to boards."""

from __future__ import annotations

import sqlalchemy as sa

from lightboard.hub.db import rows, tables, transactions
from lightboard.hub.life import accounts

SHARES = tables.SHARES


class Shares:
    def __init__(self, database: transactions.Transactions) -> None:
        self._database = database

    def add(self, share: accounts.Share) -> None:
        with self._database.write() as connection:
            connection.execute(sa.insert(SHARES).values(**rows.row_of(share)))

    def of_board(self, board: str) -> list[accounts.Share]:
        """Newest first, revoked and expired ones included."""
        query = sa.select(SHARES).where(SHARES.c.board == board).order_by(SHARES.c.created.desc(), SHARES.c.id)
        with self._database.read() as connection:
            return [_share(each) for each in connection.execute(query).mappings()]

    def find(self, digest: bytes, now: float) -> accounts.Share | None:
        """Returns a share that is neither revoked nor expired."""
        with self._database.read() as connection:
            row = connection.execute(sa.select(SHARES).where(SHARES.c.hash == digest)).mappings().first()
        if row is None or row["revoked"] is not None or (row["expires"] is not None and row["expires"] <= now):
            return None
        return _share(row)

    def note_use(self, share: str, now: float) -> None:
        statement = sa.update(SHARES).where(SHARES.c.id == share)
        with self._database.write() as connection:
            connection.execute(statement.values(uses=SHARES.c.uses + 1, last_used=now))

    def revoke(self, board: str, share: str, now: float) -> bool:
        which = (SHARES.c.board == board, SHARES.c.id == share)
        with self._database.write() as connection:
            once = sa.func.coalesce(SHARES.c.revoked, now)
            return bool(connection.execute(sa.update(SHARES).where(*which).values(revoked=once)).rowcount)


def _share(row: sa.RowMapping) -> accounts.Share:
    return rows.value_of(accounts.Share, row, role=accounts.Role(row["role"]))
