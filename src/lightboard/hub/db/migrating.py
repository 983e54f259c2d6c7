"""Brings a database to the tables of this release; only forward.

Alembic is imported only if there is something to do: a start with an up-to-date database reads one row. All of it is
one transaction, in which several hubs that start together queue up.
"""

from __future__ import annotations

import pathlib
from typing import TYPE_CHECKING

import sqlalchemy as sa

from lightboard import errors
from lightboard.hub.db import transactions

if TYPE_CHECKING:
    from alembic.config import Config

# The newest file in migrations/versions; a test holds that it is.
NEWEST = "0004"
FOLDER = pathlib.Path(__file__).parent / "migrations"
# any number that nobody else locks
_LOCK = 0x11D607A2


def migrate(database: transactions.Transactions) -> None:
    with database.read() as connection:
        if current(connection) == NEWEST:
            return
    with database.write() as connection:
        if not database.is_sqlite:
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
        found = current(connection)
        if found != NEWEST:
            refuse_newer(found)
            _upgrade(connection)


def current(connection: sa.Connection) -> str | None:
    """Returns the number of the last migration, None for an empty database."""
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()


def config(connection: sa.Connection) -> Config:
    from alembic.config import Config

    made = Config()
    made.set_main_option("script_location", str(FOLDER))
    made.set_main_option("path_separator", "os")
    made.attributes["connection"] = connection
    return made


def _upgrade(connection: sa.Connection) -> None:
    from alembic import command

    command.upgrade(config(connection), NEWEST)


def refuse_newer(found: str | None) -> None:
    known = {each.name.partition("_")[0] for each in (FOLDER / "versions").glob("[0-9]*.py")}
    if found is not None and found not in known:
        raise errors.BadInput(
            f"the database was made by a newer release of Lightboard (tables of version {found}, known up to {NEWEST})",
            hint="install that release, or restore a backup from before the upgrade",
        )
