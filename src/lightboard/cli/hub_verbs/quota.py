"""`lightboard hub quota`: how many boards are active, and how many may be, for the account, a workspace and the hub."""

from __future__ import annotations

import argparse
import dataclasses

from lightboard import cli
from lightboard.cli import formatting, stopping
from lightboard.cli.hub_verbs import connecting, showing


def add_arguments(parser: argparse.ArgumentParser) -> None:
    connecting.add_workspace(parser)
    connecting.add_hub(parser)


def run(args: argparse.Namespace, stops: stopping.Stops) -> int:
    with connecting.hub(args) as hub:
        found = hub.quota(args.workspace)
    if args.json:
        print(formatting.document(dataclasses.asdict(found)))
        return cli.OK
    named = (
        ("account", found.account),
        (f"workspace {found.workspace.id}".rstrip(), found.workspace),
        ("hub", found.hub),
    )
    lines = [
        [name, str(each.used), "no limit" if each.limit is None else str(each.limit), _free(each.limit, each.used)]
        for name, each in named
    ]
    for line in showing.rows(("OF", "ACTIVE", "LIMIT", "FREE"), lines):
        print(line)
    return cli.OK


def _free(limit: int | None, used: int) -> str:
    return "-" if limit is None else str(max(limit - used, 0))
