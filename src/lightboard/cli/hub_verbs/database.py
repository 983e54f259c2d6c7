"""Where a hub on this machine keeps its database, for `backup` and `restore`: the flags of `lightboard hub`."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from lightboard import errors

if TYPE_CHECKING:
    from pathlib import Path

    from lightboard.hub.server import config


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--dir", metavar="DIR", default=None, help="directory of the hub; default: the user's")
    parser.add_argument("--config", metavar="FILE", default="", help="settings of the hub as TOML; flags win over it")
    parser.add_argument("--database", metavar="FILE", default=None, help="SQLite file; default: hub.sqlite3 in --dir")


def settings(args: argparse.Namespace) -> config.Config:
    try:
        from lightboard.hub.server import config
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "lightboard":
            raise
        raise errors.Missing(f"the hub needs `{error.name}`", hint="`pip install 'lightboard[hub]'`") from error
    return config.load(args.config, {name: value for name in ("dir", "database") if (value := getattr(args, name))})


def places(found: config.Config) -> tuple[Path, Path]:
    """The file of the database, and that of the key. Raises errors.BadInput for PostgreSQL."""
    from pathlib import Path

    from lightboard.hub.server import run

    folder = Path(found.dir or run.default_folder())
    dsn = found.database
    if dsn.startswith(("postgresql:", "postgres:")) or ("://" in dsn and not dsn.startswith("sqlite:")):
        raise errors.BadInput("this hub uses PostgreSQL", hint="use `pg_dump` and `pg_restore`")
    path = dsn.removeprefix("sqlite:///") if dsn.startswith("sqlite:///") else dsn
    return Path(path) if path else folder / run.DATABASE, folder / run.KEY
