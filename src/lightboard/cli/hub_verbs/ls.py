"""`lightboard hub ls`: the boards that this user may see, as a table or as JSON."""

from __future__ import annotations

import argparse
import sys

from lightboard import cli
from lightboard.cli import formatting, stopping
from lightboard.cli.hub_verbs import connecting, showing

SORTS = ("created", "last_activity", "name", "state", "owner", "workspace")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "words", metavar="TEXT", nargs="?", default=None, help="only boards whose name or logs have this"
    )
    parser.add_argument("--state", metavar="STATES", default=None, help="only these, as Running,Idle")
    parser.add_argument("--owner", metavar="USER", default=None, help="only boards of this user")
    connecting.add_workspace(parser)
    parser.add_argument(
        "--sort",
        metavar="COLUMN",
        choices=[*SORTS, *(f"-{each}" for each in SORTS)],
        default=None,
        help="with - before it: descending (default: the newest first)",
    )
    parser.add_argument("--limit", metavar="N", type=int, default=None, help="at most this many")
    parser.add_argument("--wide", action="store_true", help="more columns, and nothing is shortened")
    connecting.add_hub(parser)


def run(args: argparse.Namespace, stops: stopping.Stops) -> int:
    with connecting.hub(args) as hub:
        boards = hub.boards.list(
            state=args.state,
            owner=args.owner,
            workspace=args.workspace,
            q=args.words,
            sort=args.sort,
            limit=args.limit,
        )
    if args.json:
        print(formatting.document({"items": [each.data for each in boards]}))
        return cli.OK
    if not boards:
        print("no boards", file=sys.stderr)
        return cli.OK
    for line in showing.table(boards, showing.now(), wide=args.wide):
        print(line)
    return cli.OK
