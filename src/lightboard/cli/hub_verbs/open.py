"""`lightboard hub open BOARD`: prints the link and opens it; a stopped board is started by being opened."""

from __future__ import annotations

import argparse

from lightboard import cli
from lightboard.cli import browsers, formatting, stopping
from lightboard.cli.hub_verbs import connecting


def add_arguments(parser: argparse.ArgumentParser) -> None:
    connecting.add_boards(parser, many=False)
    parser.add_argument("--no_browser", action="store_true", help="only print the link")
    connecting.add_hub(parser)


def run(args: argparse.Namespace, stops: stopping.Stops) -> int:
    with connecting.hub(args) as hub:
        board = hub.boards.find(args.board, workspace=args.workspace)
    print(formatting.document({"id": board.id, "url": board.url}) if args.json else board.url, flush=True)
    if not args.no_browser:
        browsers.show(board.url)
    return cli.OK
