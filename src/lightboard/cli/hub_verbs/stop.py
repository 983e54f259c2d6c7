"""`lightboard hub stop BOARD…`: stops boards; definition, index and notes are kept."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from lightboard.cli import stopping
from lightboard.cli.hub_verbs import connecting, showing

if TYPE_CHECKING:
    from lightboard import client


def add_arguments(parser: argparse.ArgumentParser) -> None:
    connecting.add_boards(parser)
    connecting.add_wait(parser, default=True)
    connecting.add_hub(parser)


def run(args: argparse.Namespace, stops: stopping.Stops) -> int:
    done: list[client.Board] = []

    def act(board: client.Board) -> None:
        board.stop()
        if args.wait:
            board.wait(args.timeout)
        done.append(board)

    code = connecting.on_each(args, act)
    showing.outcome(done, as_json=args.json)
    return code
