"""The database of the hub: people, definitions, links, events; never logs.

    database = db.Database("hub.sqlite3")          or "postgresql://…"
    database.boards.create(change, limits)         → Created or LimitExceeded, decided in one transaction

Every method is one transaction and may be called from any thread. Values are those of `hub/life`.

    boards, lists, journal, shares    boards, pages of them, their events with the audit log, links to them
    people, workspaces                users, sessions, tokens; members and secrets
    jobs                              training jobs
    signing                           nonces of signed requests
    uploads                           logs that people sent, and their files
    settings, leases, changes         what admins set; which hub process leads; news of boards
    migrating, backups                tables of older releases; copies
"""

from __future__ import annotations

import pathlib

import sqlalchemy as sa

from lightboard import errors
from lightboard.hub.db import (
    backups,
    boards,
    changes,
    jobs,
    journal,
    leases,
    lists,
    migrating,
    people,
    settings,
    shares,
    signing,
    transactions,
    uploads,
    workspaces,
)

__all__ = ["Database"]

KEYS_KEPT_SECS = 7 * 86400.0


class Database:
    """State: connections, and the thread that listens for changes. `close` ends both."""

    def __init__(self, dsn: str) -> None:
        """Connects, and makes or updates the tables. Raises errors.BadInput, errors.Missing, errors.Unreadable."""
        self._transactions = transactions.Transactions(dsn)
        try:
            migrating.migrate(self._transactions)
        except sa.exc.DBAPIError as error:
            self._transactions.close()
            raise _unusable(error) from error
        except BaseException:
            self._transactions.close()
            raise
        self.changes = changes.Changes(self._transactions)
        self.boards = boards.Boards(self._transactions, self.changes)
        self.jobs = jobs.Jobs(self._transactions, self.changes)
        self.lists = lists.Lists(self._transactions)
        self.journal = journal.Journal(self._transactions)
        self.people = people.People(self._transactions)
        self.workspaces = workspaces.Workspaces(self._transactions)
        self.shares = shares.Shares(self._transactions)
        self.settings = settings.Settings(self._transactions)
        self.signing = signing.Signing(self._transactions)
        self.leases = leases.Leases(self._transactions)
        self.uploads = uploads.Uploads(self._transactions)

    @property
    def is_sqlite(self) -> bool:
        return self._transactions.is_sqlite

    @property
    def writes(self) -> int:
        """Grows with each write of this process; those of others are not seen."""
        return self._transactions.writes

    def check(self) -> None:
        """Raises if the database does not answer; for readiness."""
        self.leases.holder("check", 0.0)

    def prune(self, now: float) -> None:
        """Deletes what has expired; once an hour is enough."""
        self.people.prune(now)
        self.boards.forget_keys(now - KEYS_KEPT_SECS)

    def back_up(self, target: pathlib.Path) -> None:
        backups.back_up(self._transactions, target)

    def close(self) -> None:
        self.changes.close()
        self._transactions.close()


def _unusable(error: sa.exc.DBAPIError) -> errors.Unreadable:
    """What the driver says has no password in it."""
    reason = str(error.orig).strip().partition("\n")[0]
    return errors.Unreadable(f"the hub's database cannot be used: {reason}", hint="check `--database`")
