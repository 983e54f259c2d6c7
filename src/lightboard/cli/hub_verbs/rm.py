"""`lightboard hub rm BOARD…`: deletes boards with their index, links and notes. Logs are never deleted."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from lightboard import cli
from lightboard.cli import formatting, stopping
from lightboard.cli.hub_verbs import connecting, showing

if TYPE_CHECKING:
    from lightboard import client


def add_arguments(parser: argparse.ArgumentParser) -> None:
    connecting.add_boards(parser)
    parser.add_argument("--yes", action="store_true", help="do not ask (scripts are never asked)")
    connecting.add_wait(parser, default=True)
    connecting.add_hub(parser)


def run(args: argparse.Namespace, stops: stopping.Stops) -> int:
    count = formatting.plural(len(args.boards), "board")
    if not connecting.confirmed(f"Delete {count} with saved views and notes?", yes=args.yes):
        print("nothing was deleted", file=sys.stderr)
        return cli.OK
    done: list[client.Board] = []

    def act(board: client.Board) -> None:
        board.delete()
        if args.wait:
            board.wait(args.timeout)
        done.append(board)

    code = connecting.on_each(args, act)
    showing.outcome(done, as_json=args.json)
    return code
