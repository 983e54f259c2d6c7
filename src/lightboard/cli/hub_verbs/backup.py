"""`lightboard hub backup FILE`: a copy of the database of one moment. The hub may run meanwhile."""

from __future__ import annotations

import argparse
import os
import sys

from lightboard import cli, errors
from lightboard.cli import formatting, stopping
from lightboard.cli.hub_verbs import database


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="PATH", help="new file; a directory gets one that is named after the time")
    database.add_arguments(parser)


def run(args: argparse.Namespace, stops: stopping.Stops) -> int:
    import time
    from pathlib import Path

    source, key = database.places(database.settings(args))
    from lightboard.hub.db import backups, transactions

    if not source.is_file():
        raise errors.NotFound(f"no hub has a database here: {source}", hint="`--dir` names the directory of the hub")
    target = Path(args.file)
    if target.is_dir():
        target /= time.strftime("hub-%Y%m%d-%H%M%S.sqlite3", time.gmtime())
    if not target.parent.is_dir():
        raise errors.NotFound(f"the directory does not exist: {target.parent}")
    stops.remove(str(target.with_name(f".{target.name}.partial").absolute()))
    opened = transactions.Transactions(str(source))
    try:
        backups.back_up(opened, target)
    finally:
        opened.close()
    version = backups.check(target)
    print(target)
    size = formatting.size(target.stat().st_size)
    print(f"notice: backed up {source} ({size}, tables {version})", file=sys.stderr)
    if os.environ.get("LIGHTBOARD_HUB_KEY"):
        print("notice: secrets of stores need LIGHTBOARD_HUB_KEY, which is not in it", file=sys.stderr)
    else:
        print(f"notice: secrets of stores need the key, which is not in it; back it up, too: {key}", file=sys.stderr)
    return cli.OK
