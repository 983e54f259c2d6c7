"""Backup and restore of a SQLite database, while the hub runs. A PostgreSQL database has its own tools (`pg_dump`)."""

from __future__ import annotations

import contextlib
import os
import pathlib
import sqlite3
from collections.abc import Iterator

from lightboard import errors
from lightboard.hub.db import migrating, transactions

# pages that are copied at once: writers go on between
_PAGES = 1000


def back_up(database: transactions.Transactions, target: pathlib.Path) -> None:
    """Writes a copy of one moment to `target`, which must not exist; no partial file is left behind."""
    if not database.is_sqlite or database.url.database is None:
        raise errors.BadInput("this backup is for SQLite", hint="use `pg_dump` for PostgreSQL")
    partial = target.with_name(f".{target.name}.partial")
    if target.exists():
        raise errors.BadInput(f"the file exists: {target}", hint="name a new file")
    partial.unlink(missing_ok=True)
    os.close(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))  # hashes and ciphertexts are in it
    try:
        with _opened(pathlib.Path(database.url.database)) as source, _opened(partial) as copy:
            source.backup(copy, pages=_PAGES)
            copy.execute("PRAGMA journal_mode = DELETE").close()
        os.replace(partial, target)
    finally:
        partial.unlink(missing_ok=True)


def check(file: pathlib.Path) -> str:
    """Returns the version of the tables in a backup; raises errors.Unreadable for a damaged or foreign file."""
    try:
        with _opened(file) as connection:
            sound = connection.execute("PRAGMA integrity_check").fetchone()[0]
            row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.DatabaseError as error:
        raise errors.Unreadable(f"not a backup of a hub ({error}): {file}") from error
    if sound != "ok" or row is None:
        raise errors.Unreadable(f"the backup is damaged ({sound}): {file}", hint="use an older one")
    return str(row[0])


def restore(backup: pathlib.Path, target: pathlib.Path) -> None:
    """Replaces the database file of a hub that does not run."""
    migrating.refuse_newer(check(backup))
    partial = target.with_name(f".{target.name}.partial")
    partial.unlink(missing_ok=True)
    os.close(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    with _opened(backup) as source, _opened(partial) as copy:
        source.backup(copy)
    for suffix in ("-wal", "-shm"):  # of the database that is replaced
        pathlib.Path(f"{target}{suffix}").unlink(missing_ok=True)
    os.replace(partial, target)


@contextlib.contextmanager
def _opened(file: pathlib.Path) -> Iterator[sqlite3.Connection]:
    if not file.exists():
        raise errors.Unreadable(f"no such file: {file}")
    connection = sqlite3.connect(file, timeout=transactions.BUSY_SECS)
    try:
        yield connection
    finally:
        connection.close()
