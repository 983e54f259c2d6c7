"""`lightboard hub keepalive BOARD…`: boards stay Running for some hours, however long nobody uses them."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from lightboard.cli import stopping
from lightboard.cli.hub_verbs import connecting, showing

if TYPE_CHECKING:
    from lightboard import client


def add_arguments(parser: argparse.ArgumentParser) -> None:
    connecting.add_boards(parser)
    parser.add_argument("--for", dest="how_long", metavar="DURATION", default="8h", help="how long (default: 8h)")
    connecting.add_hub(parser)


def run(args: argparse.Namespace, stops: stopping.Stops) -> int:
    done: list[client.Board] = []

    def act(board: client.Board) -> None:
        done.append(board.keep_alive(args.how_long))

    code = connecting.on_each(args, act)
    showing.outcome(done, as_json=args.json)
    return code
