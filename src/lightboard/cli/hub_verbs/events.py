"""`lightboard hub events BOARD`: what happened to a board, by whom and why; the newest last."""

from __future__ import annotations

import argparse

from lightboard import cli
from lightboard.cli import formatting, stopping
from lightboard.cli.hub_verbs import connecting, showing


def add_arguments(parser: argparse.ArgumentParser) -> None:
    connecting.add_boards(parser, many=False)
    connecting.add_hub(parser)


def run(args: argparse.Namespace, stops: stopping.Stops) -> int:
    with connecting.hub(args) as hub:
        found = hub.boards.find(args.board, workspace=args.workspace).events()
    if args.json:
        items = [
            {
                "time": each.time.isoformat() if each.time else None,
                "kind": each.kind,
                "actor": each.actor,
                "reason": each.reason,
                "message": each.message,
            }
            for each in found
        ]
        print(formatting.document({"items": items}))
        return cli.OK
    now = showing.now()
    lines = [
        [
            showing.ago(each.time, now),
            each.kind,
            formatting.printable(each.actor),
            each.reason or "-",
            formatting.printable(each.message.partition("\n")[0]),
        ]
        for each in found
    ]
    for line in showing.rows(("WHEN", "WHAT", "BY", "REASON", "MESSAGE"), lines):
        print(line)
    return cli.OK
