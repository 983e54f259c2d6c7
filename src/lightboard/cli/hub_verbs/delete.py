"""`lightboard hub delete -f FILE`: deletes the boards that manifests describe."""

from __future__ import annotations

import argparse
import dataclasses
import sys

from lightboard import cli
from lightboard.cli import formatting, stopping
from lightboard.cli.hub_verbs import connecting


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-f",
        "--file",
        dest="files",
        metavar="FILE",
        action="append",
        nargs="+",
        required=True,
        help="manifests, as `apply` takes them; a directory; - is stdin",
    )
    connecting.add_workspace(parser)
    parser.add_argument("--yes", action="store_true", help="do not ask (scripts are never asked)")
    connecting.add_hub(parser)


def run(args: argparse.Namespace, stops: stopping.Stops) -> int:
    files = [name for names in args.files for name in names]
    texts = connecting.texts(files)
    if "-" not in files and not connecting.confirmed(f"Delete the boards of {', '.join(files)}?", yes=args.yes):
        print("nothing was deleted", file=sys.stderr)
        return cli.OK
    with connecting.hub(args) as hub:
        found = [each for _, text in texts for each in hub.delete_manifests(text, workspace=args.workspace)]
    if args.json:
        print(formatting.document({"items": [dataclasses.asdict(each) for each in found]}))
        return cli.OK
    for each in found:
        print(f"{formatting.printable(each.name)}  {each.result}")
    return cli.OK
