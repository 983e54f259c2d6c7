"""Every test of this room runs on SQLite, and on PostgreSQL where there is one.

The tables are made once; a test gets a copy.
"""

from __future__ import annotations

import pathlib
import shutil
from collections.abc import Iterator

import pytest

from lightboard.hub import db


@pytest.fixture(scope="session", params=["sqlite", "postgresql"])
def template(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The DSN of a database with tables and without rows."""
    if request.param == "sqlite":
        dsn = str(tmp_path_factory.mktemp("template") / "hub.sqlite3")
    else:
        dsn = request.getfixturevalue("postgres_server").new_database()
    db.Database(dsn).close()
    return dsn


@pytest.fixture
def dsn(template: str, request: pytest.FixtureRequest, tmp_path: pathlib.Path) -> Iterator[str]:
    if "://" not in template:
        yield shutil.copy(template, str(tmp_path / "hub.sqlite3"))
        return
    server = request.getfixturevalue("postgres_server")
    made = server.new_database(template)
    yield made
    server.drop(made)


@pytest.fixture
def empty_dsn(template: str, request: pytest.FixtureRequest, tmp_path: pathlib.Path) -> Iterator[str]:
    if "://" not in template:
        yield str(tmp_path / "hub.sqlite3")
        return
    server = request.getfixturevalue("postgres_server")
    made = server.new_database()
    yield made
    server.drop(made)


@pytest.fixture
def database(dsn: str) -> Iterator[db.Database]:
    made = db.Database(dsn)
    yield made
    made.close()
