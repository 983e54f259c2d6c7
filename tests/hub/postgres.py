"""A PostgreSQL server of Debian's package for tests, in a temporary directory, on loopback and a Unix socket.

PostgreSQL does not run as root: as root it is started as the user `postgres`, whom the package creates.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import pathlib
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from typing import Any

import psycopg

PATIENCE_SECS = 60.0


class Server:
    """State: the process, and a number for the next database."""

    def __init__(self, process: subprocess.Popen[bytes], port: int) -> None:
        self.process = process
        self.port = port
        self._numbers = itertools.count()

    def dsn(self, database: str) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"

    def new_database(self, template: str = "/template0") -> str:
        """Returns the DSN of an empty database, or of a copy of `template`, which nobody uses meanwhile."""
        name = f"test_{next(self._numbers)}"
        with psycopg.connect(self.dsn("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {template.rpartition('/')[2]}".encode())
        return self.dsn(name)

    def drop(self, dsn: str) -> None:
        with psycopg.connect(self.dsn("postgres"), autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {dsn.rpartition('/')[2]} WITH (FORCE)".encode())


def programs() -> pathlib.Path | None:
    """Returns the directory of PostgreSQL's programs; Debian keeps them out of the path."""
    found = shutil.which("initdb")
    if found is not None and not pathlib.Path(found).is_symlink():
        return pathlib.Path(found).parent
    versions = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return versions[-1].parent if versions else None


def why_not() -> str:
    """Why no server can run here, "" if one can."""
    if programs() is None:
        return "no PostgreSQL: `sh tools/install_debian.sh postgres`"
    if os.getuid() == 0 and _postgres() is None:
        return "PostgreSQL does not run as root, and there is no user postgres"
    return ""


@contextlib.contextmanager
def running() -> Iterator[Server]:
    folder = pathlib.Path(tempfile.mkdtemp(prefix="lightboard-postgres-"))
    try:
        if (user := _user()) is not None:
            os.chown(folder, pwd.getpwnam(user).pw_uid, -1)
        _run("initdb", "--no-sync", "--auth=trust", "--username=postgres", "--encoding=UTF8", f"-D{folder}/data")
        with _started(folder) as server:
            yield server
    finally:
        shutil.rmtree(folder)


@contextlib.contextmanager
def _started(folder: pathlib.Path) -> Iterator[Server]:
    port = _free_port()
    settings = {"fsync": "off", "max_connections": "200", "listen_addresses": "127.0.0.1", "port": str(port)}
    words = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            _command("postgres", f"-D{folder}/data", f"-k{folder}", *words), stderr=log, cwd="/", **_identity()
        )
    server = Server(process, port)
    try:
        _wait(server, folder / "log")
        yield server
    finally:
        process.send_signal(signal.SIGINT)  # ends sessions, then itself
        process.wait(timeout=PATIENCE_SECS)


def _wait(server: Server, log: pathlib.Path) -> None:
    deadline = time.monotonic() + PATIENCE_SECS
    while True:
        try:
            psycopg.connect(server.dsn("postgres")).close()
            return
        except psycopg.OperationalError:
            assert server.process.poll() is None and time.monotonic() < deadline, log.read_text()
            time.sleep(0.02)


def _run(program: str, *words: str) -> None:
    subprocess.run(_command(program, *words), check=True, capture_output=True, cwd="/", **_identity())


def _command(program: str, *words: str) -> list[str]:
    folder = programs()
    assert folder is not None
    return [str(folder / program), *words]


def _user() -> str | None:
    """Whom to become: nobody unless this is root."""
    return _postgres() if os.getuid() == 0 else None


def _postgres() -> str | None:
    try:
        return pwd.getpwnam("postgres").pw_name
    except KeyError:
        return None


def _identity() -> dict[str, Any]:
    user = _user()
    if user is None:
        return {}
    return {"user": user, "group": pwd.getpwnam(user).pw_gid, "extra_groups": []}


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port
