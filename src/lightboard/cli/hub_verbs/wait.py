"""`lightboard hub wait BOARD…`: waits until boards run, are stopped or are deleted. Exit codes 6 and 7 say why not."""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING

from lightboard.cli import stopping
from lightboard.cli.hub_verbs import connecting, showing

if TYPE_CHECKING:
    from lightboard import client

_STATES = {"running": "Running", "stopped": "Stopped", "deleted": "Deleted"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    connecting.add_boards(parser)
    parser.add_argument(
        "--for",
        dest="wanted",
        choices=tuple(_STATES),
        default=None,
        help="default: what the last command asked for",
    )
    connecting.add_timeout(parser)
    connecting.add_hub(parser)


def run(args: argparse.Namespace, stops: stopping.Stops) -> int:
    until = time.monotonic() + args.timeout
    done: list[client.Board] = []

    def act(board: client.Board) -> None:
        left = max(until - time.monotonic(), 0.0)
        if args.wanted is None:
            board.wait(left)
        else:
            board.wait_until(_STATES[args.wanted], left)
        done.append(board)

    code = connecting.on_each(args, act, may_be_gone=args.wanted == "deleted")
    showing.outcome(done, as_json=args.json)
    return code
