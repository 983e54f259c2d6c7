"""What signed requests leave behind: nonces that were used, and training jobs that were registered.

Nonces are in the database and not in the memory of a process: hubs that share a database refuse each other's, and a
restart forgets none. A nonce is kept as long as the time of its request is accepted, and a key has a bounded number.
"""

from __future__ import annotations

import sqlalchemy as sa

from lightboard.hub.db import rows, tables, transactions
from lightboard.hub.life import accounts

NONCES, JOBS = tables.NONCES, tables.JOBS
MOST_NONCES = 50_000  # of one key, in half an hour
MOST_JOBS = 1000  # of one user; the oldest are forgotten


class Signing:
    def __init__(self, database: transactions.Transactions) -> None:
        self._database = database

    def use_nonce(self, key: str, nonce: str, now: float, expires: float) -> bool:
        """Whether the nonce is new for this key. False as well if the key is gone, or has used too many."""
        with self._database.write() as connection:
            connection.execute(sa.delete(NONCES).where(NONCES.c.expires <= now))
            # also waits for a removal of the key, whose nonces would go with it
            owner = sa.select(tables.ACCESS_KEYS.c.id).where(tables.ACCESS_KEYS.c.id == key)
            if connection.execute(owner.with_for_update(read=True, key_share=True)).first() is None:
                return False
            used = sa.select(sa.func.count()).select_from(NONCES).where(NONCES.c.key == key)
            if connection.execute(used).scalar_one() >= MOST_NONCES:
                return False
            return transactions.insert_new(connection, NONCES, {"key": key, "nonce": nonce, "expires": expires})

    def add_job(self, job: accounts.Job) -> None:
        with self._database.write() as connection:
            connection.execute(sa.insert(JOBS).values(**rows.row_of(job)))
            mine = JOBS.c.user == job.user
            newest = sa.select(JOBS.c.id).where(mine).order_by(JOBS.c.created.desc(), JOBS.c.id).limit(MOST_JOBS)
            connection.execute(sa.delete(JOBS).where(mine, JOBS.c.id.not_in(newest)))

    def job(self, job: str) -> accounts.Job | None:
        with self._database.read() as connection:
            row = connection.execute(sa.select(JOBS).where(JOBS.c.id == job)).mappings().first()
            return None if row is None else rows.value_of(accounts.Job, row)
