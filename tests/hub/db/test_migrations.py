"""Migrations from nothing, DSNs, backup and restore."""

from __future__ import annotations

import pathlib
import re
import sqlite3
import stat
import subprocess
import sys

import pytest
import sqlalchemy as sa
from hub.db.samples import add, add_people

from lightboard import errors
from lightboard.hub import db
from lightboard.hub.db import backups, migrating, tables, transactions


def test_migrations_make_the_tables_of_the_metadata(empty_dsn: str) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    database = db.Database(empty_dsn)
    with database._transactions.read() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, tables.METADATA) == []
        assert migrating.current(connection) == migrating.NEWEST
    database.close()


def test_the_newest_migration_is_named(database: db.Database) -> None:
    from alembic.script import ScriptDirectory

    with database._transactions.read() as connection:
        scripts = ScriptDirectory.from_config(migrating.config(connection))
        assert scripts.get_heads() == [migrating.NEWEST]
    names = [each.name for each in (migrating.FOLDER / "versions").glob("*.py")]
    assert all(re.fullmatch(r"\d{4}_\w+\.py", each) for each in names)


def test_a_second_start_does_not_load_alembic(dsn: str, database: db.Database) -> None:
    program = (
        f"import sys; from lightboard.hub import db; db.Database({dsn!r}).close(); print('alembic' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_data_stays_over_a_second_start(dsn: str, database: db.Database) -> None:
    add_people(database, "ada")
    add(database, "b-1")
    again = db.Database(dsn)
    assert again.boards.get("b-1") == database.boards.get("b-1")
    again.close()


def test_a_database_of_a_newer_release_is_refused_and_not_touched(dsn: str, database: db.Database) -> None:
    with database._transactions.write() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(errors.BadInput, match="newer release"):
        db.Database(dsn)
    with database._transactions.read() as connection:
        assert migrating.current(connection) == "9999"


def test_a_migration_that_fails_leaves_nothing(empty_dsn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made = transactions.Transactions(empty_dsn)
    real = migrating._upgrade

    def fail_late(connection: sa.Connection) -> None:
        real(connection)
        raise RuntimeError("no space")

    with monkeypatch.context() as patched:
        patched.setattr(migrating, "_upgrade", fail_late)
        with pytest.raises(RuntimeError):
            migrating.migrate(made)
    with made.read() as connection:
        assert sa.inspect(connection).get_table_names() == []
    migrating.migrate(made)
    made.close()


@pytest.mark.parametrize("dsn_text", ["mysql://root:hunter2@h/db", "postgresql+asyncpg2://", "sqlite://", "x://y z"])
def test_other_databases_are_refused_without_their_password(dsn_text: str) -> None:
    if dsn_text.startswith("postgresql"):
        assert transactions.parse_dsn(dsn_text).drivername == "postgresql+psycopg"
        return
    with pytest.raises(errors.BadInput) as caught:
        transactions.parse_dsn(dsn_text)
    assert "hunter2" not in caught.value.message and caught.value.hint


def test_sqlite_runs_with_its_safe_settings(tmp_path: pathlib.Path) -> None:
    database = db.Database(str(tmp_path / "hub.sqlite3"))
    with database._transactions.read() as connection:
        mode = connection.exec_driver_sql("PRAGMA journal_mode").scalar()
        keys = connection.exec_driver_sql("PRAGMA foreign_keys").scalar()
    database.close()
    assert (mode, keys) == ("wal", 1)


def test_only_the_owner_reads_the_files_of_sqlite(tmp_path: pathlib.Path) -> None:
    """Also in a directory that others made."""
    tmp_path.chmod(0o755)
    database = db.Database(str(tmp_path / "hub.sqlite3"))
    modes = {each.name: stat.S_IMODE(each.stat().st_mode) for each in tmp_path.glob("hub.sqlite3*")}
    database.close()
    assert set(modes) >= {"hub.sqlite3", "hub.sqlite3-wal"}
    assert set(modes.values()) == {0o600}, modes


def test_a_backup_is_a_copy_of_one_moment(tmp_path: pathlib.Path) -> None:
    database = db.Database(str(tmp_path / "hub.sqlite3"))
    add_people(database, "ada")
    add(database, "b-1")
    copy = tmp_path / "backup.sqlite3"
    database.back_up(copy)
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert backups.check(copy) == migrating.NEWEST
    add(database, "b-2")
    with pytest.raises(errors.BadInput, match="exists"):
        database.back_up(copy)
    database.close()
    backups.restore(copy, tmp_path / "hub.sqlite3")
    restored = db.Database(str(tmp_path / "hub.sqlite3"))
    assert (restored.boards.find("b-1") is not None, restored.boards.find("b-2")) == (True, None)
    restored.close()
    assert [each.name for each in tmp_path.iterdir() if "partial" in each.name] == []


def test_a_backup_goes_on_while_boards_are_created(tmp_path: pathlib.Path) -> None:
    import concurrent.futures

    database = db.Database(str(tmp_path / "hub.sqlite3"))
    add_people(database, "ada")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        writing = pool.submit(lambda: [add(database, f"b-{number}") for number in range(50)])
        for number in range(3):
            database.back_up(tmp_path / f"{number}.sqlite3")
        writing.result()
    for number in range(3):
        assert backups.check(tmp_path / f"{number}.sqlite3") == migrating.NEWEST
    database.close()


def test_a_damaged_or_foreign_file_is_no_backup(tmp_path: pathlib.Path) -> None:
    foreign = tmp_path / "foreign.sqlite3"
    with sqlite3.connect(foreign) as connection:
        connection.execute("CREATE TABLE t (x)")
    connection.close()
    (tmp_path / "text.sqlite3").write_text("no database " * 100)
    for name in ("foreign", "text", "absent"):
        with pytest.raises(errors.Unreadable):
            backups.restore(tmp_path / f"{name}.sqlite3", tmp_path / "hub.sqlite3")
    assert not (tmp_path / "hub.sqlite3").exists()


def test_postgresql_has_tools_for_backups(database: db.Database, tmp_path: pathlib.Path) -> None:
    if database.is_sqlite:
        return
    with pytest.raises(errors.BadInput) as caught:
        database.back_up(tmp_path / "x")
    assert "pg_dump" in caught.value.hint
