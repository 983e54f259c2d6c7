"""`lightboard hub apply -f FILE`: makes boards as manifests describe them; a second time nothing changes."""

from __future__ import annotations

import argparse
import sys
from typing import Any

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
        help="manifests (Board, TensorStack's TensorBoard, Kubeflow's Tensorboard), several in a file are possible; "
        "a directory; - is stdin",
    )
    connecting.add_workspace(parser)
    parser.add_argument(
        "--prune",
        action="store_true",
        help="delete boards that were applied before and are in no FILE",
    )
    connecting.add_wait(parser, default=False)
    connecting.add_hub(parser)


def run(args: argparse.Namespace, stops: stopping.Stops) -> int:
    files = connecting.texts([name for names in args.files for name in names])
    if args.prune:  # what is in another file must not be deleted
        files = [(", ".join(name for name, _ in files), "\n---\n".join(text for _, text in files))]
    items: list[dict[str, Any]] = []
    with connecting.hub(args) as hub:
        for _, text in files:
            for each in hub.apply(text, workspace=args.workspace, prune=args.prune or None):
                for path in each.ignored:
                    print(f"notice: ignored outside a cluster: {path}", file=sys.stderr)
                board = hub.board_of(each.board)
                if args.wait and board.data.get("desired") == "Run":
                    board.wait(args.timeout)
                items.append({"board": board.data, "result": each.result, "ignored": list(each.ignored)})
                if not args.json:
                    print(f"{formatting.printable(board.name)}  {each.result}  {board.url}", flush=True)
    if args.json:
        print(formatting.document({"items": items}))
    return cli.OK
