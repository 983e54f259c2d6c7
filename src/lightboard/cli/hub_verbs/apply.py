"""`lightboard hub apply -f FILE`: makes boards as manifests describe them; a second time nothing changes."""

from __future__ import annotations

import argparse
import dataclasses
import sys
from typing import TYPE_CHECKING, Any

from lightboard import cli
from lightboard.cli import formatting, stopping
from lightboard.cli.hub_verbs import connecting

if TYPE_CHECKING:
    from lightboard import client


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
    parser.add_argument("--confirm_public", action="store_true", help="allow boards to become public")
    connecting.add_wait(parser, default=False)
    connecting.add_hub(parser)


def run(args: argparse.Namespace, stops: stopping.Stops) -> int:
    files = connecting.texts([name for names in args.files for name in names])
    if args.prune:  # what is in another file must not be deleted
        files = [(", ".join(name for name, _ in files), "\n---\n".join(text for _, text in files))]
    items: list[dict[str, Any]] = []
    code = cli.OK
    with connecting.hub(args) as hub:
        for _, text in files:
            for each in hub.apply(
                text,
                workspace=args.workspace,
                prune=args.prune or None,
                confirm_public=args.confirm_public or None,
            ):
                code = _tell(each) or code
                items.append(dataclasses.asdict(_waited(hub, each, args)))
                if not args.json:
                    print(_line(each), flush=True)
    if args.json:
        print(formatting.document({"items": items}))
    return code


def _tell(applied: client.Applied) -> int:
    """Prints what people should know about one manifest; returns the exit code if it failed."""
    from lightboard.client import hub_errors

    for path in applied.ignored:
        print(f"notice: ignored outside a cluster: {applied.name}: {path}", file=sys.stderr)
    if applied.problem is None:
        return cli.OK
    error = hub_errors.of_problem(int(applied.problem.get("status") or 0), applied.problem)
    print(f"error: {applied.name}: {error.message}", file=sys.stderr)
    if error.hint:
        print(f"hint: {error.hint}", file=sys.stderr)
    return error.exit_code


def _waited(hub: client.Hub, applied: client.Applied, args: argparse.Namespace) -> client.Applied:
    if not args.wait or applied.board is None or applied.board.get("desired") != "Run":
        return applied
    return dataclasses.replace(applied, board=hub.board_of(applied.board).wait(args.timeout).data)


def _line(applied: client.Applied) -> str:
    url = (applied.board or {}).get("url") or ""
    return f"{formatting.printable(applied.name)}  {applied.result}  {url}".rstrip()
