"""`lightboard hub check URI…`: what the hub finds at addresses of logs. Exit code 1 if one cannot be read."""

from __future__ import annotations

import argparse
import dataclasses
import sys
from typing import TYPE_CHECKING

from lightboard import cli
from lightboard.cli import formatting, stopping
from lightboard.cli.hub_verbs import connecting, create, showing

if TYPE_CHECKING:
    from lightboard import client


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("uris", metavar="URI", nargs="+", help="where the logs are, as in `create`")
    connecting.add_workspace(parser)
    parser.add_argument("--secret", metavar="NAME", action="append", default=[], help="secret of the workspace")
    connecting.add_hub(parser)


def run(args: argparse.Namespace, stops: stopping.Stops) -> int:
    with connecting.hub(args) as hub:
        found = hub.boards.check(create.sources_of(args.uris, args.secret), workspace=args.workspace)
    code = cli.OK if all(each.ok for each in found) else cli.FAILED
    if args.json:
        print(formatting.document({"items": [_shown(each) for each in found]}))
        return code
    for each in found:
        print(f"{each.uri}: {_line(each)}", file=sys.stdout if each.ok else sys.stderr)
        if each.hint:
            print(f"hint: {each.hint}", file=sys.stderr)
    return code


def _line(found: client.Found) -> str:
    if not found.ok:
        return f"{found.message} ({found.code})" if found.code else found.message
    parts = []
    for count, word in ((found.runs, "run"), (found.files, "file")):
        if count is not None:
            parts.append(f"{formatting.plural(count, word)}{' or more' if found.more else ''}")
    if found.bytes:
        parts.append(formatting.size(found.bytes))
    if found.newest is not None:
        parts.append(f"newest {showing.ago(found.newest, showing.now())}")
    if found.names:
        parts.append(f"such as {', '.join(formatting.printable(name) for name in found.names[:3])}")
    return ", ".join(parts) or found.message or "can be read"


def _shown(found: client.Found) -> dict[str, object]:
    shown = dataclasses.asdict(found)
    shown["newest"] = found.newest.isoformat() if found.newest else None
    return shown
