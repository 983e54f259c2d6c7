"""`lightboard hub get [BOARD…] -o yaml`: boards as a table, as JSON, or as manifests that `apply` takes."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from lightboard import cli
from lightboard.cli import formatting, stopping
from lightboard.cli.hub_verbs import connecting, showing

if TYPE_CHECKING:
    from lightboard import client


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("boards", metavar="BOARD", nargs="*", help="id, name or link of a board; default: all")
    connecting.add_workspace(parser)
    parser.add_argument(
        "-o", "--output", choices=("table", "wide", "yaml", "json", "name"), default="table", help="default: table"
    )
    connecting.add_hub(parser)


def run(args: argparse.Namespace, stops: stopping.Stops) -> int:
    output = "json" if args.json else args.output
    boards: list[client.Board] = []
    with connecting.hub(args) as hub:
        code = connecting.on_each(args, boards.append)
        if not args.boards:
            boards = hub.boards.list(workspace=args.workspace)
        texts = [each.manifest() for each in boards] if output == "yaml" else []
    if output == "yaml":
        print("---\n".join(text if text.endswith("\n") else f"{text}\n" for text in texts), end="")
    elif output == "json":
        one = len(args.boards) == 1 and len(boards) == 1
        print(formatting.document(boards[0].data if one else {"items": [each.data for each in boards]}))
    elif output == "name":
        for each in boards:
            print(formatting.printable(each.name))
    elif boards:
        for line in showing.table(boards, showing.now(), wide=output == "wide"):
            print(line)
    return code or cli.OK
