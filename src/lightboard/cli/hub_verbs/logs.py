"""`lightboard hub logs BOARD`: the last lines of the board's log."""

from __future__ import annotations

import argparse
import time

from lightboard import cli
from lightboard.cli import formatting, stopping
from lightboard.cli.hub_verbs import connecting

FOLLOW_SECS = 1.0
MOST_LINES = 1000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    connecting.add_boards(parser, many=False)
    parser.add_argument("--lines", metavar="N", type=int, default=200, help="how many (default: 200)")
    parser.add_argument("--follow", action="store_true", help="print new lines until Ctrl-C")
    connecting.add_hub(parser)


def run(args: argparse.Namespace, stops: stopping.Stops) -> int:
    with connecting.hub(args) as hub:
        board = hub.boards.find(args.board, workspace=args.workspace)
        lines = board.logs(args.lines)
        if args.json:
            print(formatting.document({"lines": lines}))
            return cli.OK
        _print(lines)
        while args.follow:
            time.sleep(FOLLOW_SECS)
            now = board.logs(MOST_LINES)
            _print(new_lines(lines, now))
            lines = now
    return cli.OK


def new_lines(before: list[str], now: list[str]) -> list[str]:
    """Returns the lines that come after those that were printed: `before` ends somewhere in `now`, or is not in it."""
    for count in range(min(len(before), len(now)), 0, -1):
        if before[-count:] == now[:count]:
            return now[count:]
    if before:
        for start in range(len(now) - len(before), -1, -1):
            if now[start : start + len(before)] == before:
                return now[start + len(before) :]
    return now


def _print(lines: list[str]) -> None:
    for line in lines:
        print(formatting.printable(line), flush=True)
