"""`lightboard hub restore FILE`: replaces the database of a stopped hub; the old one is kept beside it."""

from __future__ import annotations

import argparse
import sys

from lightboard import cli, errors
from lightboard.cli import stopping
from lightboard.cli.hub_verbs import database


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="PATH", help="what `lightboard hub backup` wrote")
    parser.add_argument("--no_copy", action="store_true", help="do not keep the database that is replaced")
    database.add_arguments(parser)


def run(args: argparse.Namespace, stops: stopping.Stops) -> int:
    import time
    from pathlib import Path

    settings = database.settings(args)
    target, key = database.places(settings)
    from lightboard.hub.db import backups, transactions
    from lightboard.hub.server import run as hub

    backup = Path(args.file)
    if not backup.is_file():
        raise errors.NotFound(f"the file does not exist: {backup}")
    with hub.used_folder(settings):  # refused while a hub runs
        backups.check(backup)
        if target.is_file() and not args.no_copy:
            copy = target.with_name(f"{target.stem}-before-{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}.sqlite3")
            opened = transactions.Transactions(str(target))
            try:
                backups.back_up(opened, copy)
            finally:
                opened.close()
            print(f"notice: the database that was replaced is kept: {copy}", file=sys.stderr)
        backups.restore(backup, target)
    if not key.is_file():
        print(f"notice: put the key of the hub here before it starts, or secrets are lost: {key}", file=sys.stderr)
    print(target)
    return cli.OK
