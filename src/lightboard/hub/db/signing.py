"""Nonces of signed requests.

They are in the database and not in the memory of a process: hubs that share a database refuse each other's, and a
restart forgets none. A nonce is kept as long as the time of its request is accepted, and a key has a bounded number.
"""

from __future__ import annotations

import sqlalchemy as sa

from lightboard.hub.db import tables, transactions

NONCES = tables.NONCES
MOST_NONCES = 50_000  # of one key, in half an hour


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
