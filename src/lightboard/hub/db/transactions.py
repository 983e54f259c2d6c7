"""Connections and transactions, of SQLite and of PostgreSQL.

A write of SQLite takes the write lock at its begin (BEGIN IMMEDIATE), so that what it reads is still so when it writes;
writers of this process queue up before, since SQLite lets others poll for the lock. In PostgreSQL a write locks the
rows that it decides on (`FOR NO KEY UPDATE`).
"""

from __future__ import annotations

import contextlib
import pathlib
import sqlite3
import threading
import urllib.parse
from collections.abc import Callable, Iterator
from typing import Any

import sqlalchemy as sa

from lightboard import errors

# How long a writer waits for the writer of another process.
BUSY_SECS = 30.0
POOL_SIZE = 10
MOST_CONNECTIONS = 20
SCHEMES = ("postgresql", "postgres", "sqlite")


class Transactions:
    """State: the engine with its pool, the queue of writers (SQLite), and `writes`, which grows with each write of this
    process, so that whoever keeps an answer can tell whether it is still true."""

    def __init__(self, dsn: str) -> None:
        self.url = parse_dsn(dsn)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        self.engine = _sqlite(self.url) if self.is_sqlite else _postgresql(self.url)
        self._writers: contextlib.AbstractContextManager[Any] = (
            threading.Lock() if self.is_sqlite else contextlib.nullcontext()
        )
        self._writing = self.engine.execution_options(lightboard_write=True)
        self.writes = 0

    @contextlib.contextmanager
    def read(self) -> Iterator[sa.Connection]:
        with self.engine.connect() as connection, connection.begin():
            yield connection

    @contextlib.contextmanager
    def write(self) -> Iterator[sa.Connection]:
        """Commits at the end, unless an exception leaves the block."""
        with self._writers, self._writing.connect() as connection:
            try:
                with connection.begin():
                    yield connection
            finally:
                self.writes += 1

    def close(self) -> None:
        self.engine.dispose()


def parse_dsn(dsn: str) -> sa.URL:
    """`dsn` is the path of a SQLite file, sqlite:///…, or postgresql://user@host/name."""
    scheme, separator, _ = dsn.partition("://")
    if not separator:
        return sa.URL.create("sqlite", database=str(pathlib.Path(dsn).absolute()))
    try:
        url = sa.make_url(dsn)
    except (sa.exc.ArgumentError, ValueError) as error:
        raise _bad_dsn(dsn) from error
    if scheme.partition("+")[0] not in SCHEMES or (scheme.startswith("sqlite") and not url.database):
        raise _bad_dsn(dsn)
    return url.set(drivername="sqlite" if scheme.startswith("sqlite") else "postgresql+psycopg")


def _bad_dsn(dsn: str) -> errors.BadInput:
    """A DSN has a password, so only its scheme is shown."""
    scheme = urllib.parse.quote(dsn.partition(":")[0][:40])
    hint = "use the path of a SQLite file, or `postgresql://user@host/name`"
    return errors.BadInput(f"not the DSN of a database that the hub can use: `{scheme}:…`", hint=hint)


def _sqlite(url: sa.URL) -> sa.Engine:
    if url.database and url.database != ":memory:":
        # hashes and ciphertexts are in it; SQLite gives the files beside it the same mode
        with contextlib.suppress(OSError):  # SQLite says more about a file that cannot be made
            pathlib.Path(url.database).touch(mode=0o600)
    # isolation_level None: the driver begins no transactions of its own
    engine = sa.create_engine(
        url,
        connect_args={"timeout": BUSY_SECS, "isolation_level": None, "check_same_thread": False},
        poolclass=sa.QueuePool,
        pool_size=POOL_SIZE,
        max_overflow=MOST_CONNECTIONS - POOL_SIZE,
        pool_timeout=BUSY_SECS,
    )
    sa.event.listen(engine, "connect", _prepare_sqlite)
    sa.event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: sqlite3.Connection, record: Any) -> None:
    for pragma in ("journal_mode = WAL", "synchronous = NORMAL", "foreign_keys = ON", "cache_size = -4000"):
        connection.execute(f"PRAGMA {pragma}").close()


def _begin_sqlite(connection: sa.Connection) -> None:
    writes = connection.get_execution_options().get("lightboard_write")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _postgresql(url: sa.URL) -> sa.Engine:
    try:
        import psycopg  # noqa: F401
    except ImportError as error:
        raise errors.Missing("PostgreSQL needs `psycopg`", hint="`pip install 'lightboard[hub]'`") from error
    return sa.create_engine(
        url,
        pool_size=POOL_SIZE,
        max_overflow=MOST_CONNECTIONS - POOL_SIZE,
        pool_timeout=BUSY_SECS,
        pool_pre_ping=True,  # a restart of the server is not seen by users
        connect_args={"connect_timeout": 10, "application_name": "lightboard hub"},
    )


def insert_new(connection: sa.Connection, table: sa.Table, row: dict[str, Any]) -> bool:
    """Inserts a row unless its key exists; says whether it did. Waits for a transaction that inserts the same key."""
    insert: Callable[..., Any]
    if connection.dialect.name == "sqlite":
        from sqlalchemy.dialects.sqlite import insert
    else:
        from sqlalchemy.dialects.postgresql import insert
    statement = insert(table).values(row).on_conflict_do_nothing()
    return connection.execute(statement, execution_options={"preserve_rowcount": True}).rowcount == 1


def upsert(connection: sa.Connection, table: sa.Table, row: dict[str, Any]) -> None:
    """Inserts a row, or replaces the one with the same primary key."""
    insert: Callable[..., Any]
    if connection.dialect.name == "sqlite":
        from sqlalchemy.dialects.sqlite import insert
    else:
        from sqlalchemy.dialects.postgresql import insert
    keys = [column.name for column in table.primary_key]
    values = {name: value for name, value in row.items() if name not in keys}
    connection.execute(insert(table).values(row).on_conflict_do_update(index_elements=keys, set_=values))
