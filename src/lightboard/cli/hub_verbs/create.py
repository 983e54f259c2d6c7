"""`lightboard hub create URI…`: creates a board, waits until it answers, and prints its link on stdout."""

from __future__ import annotations

import argparse
import re
import sys

from lightboard import cli, errors
from lightboard.cli import browsers, formatting, stopping
from lightboard.cli.hub_verbs import connecting

# `train=s3://logs/a`: a prefix has neither a slash nor a colon, which every address has before its first equals sign
_PREFIXED = re.compile(r"([^=/\\:]+)=(.+)", re.DOTALL)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "uris",
        metavar="[PREFIX=]URI",
        nargs="+",
        help="where the logs are: s3://, oss://, gs://, az://, https://, pvc://, t9k:// or a path on the hub's "
        "machine; a prefix stands before the names of runs",
    )
    parser.add_argument("--name", metavar="NAME", default=None, help="default: the last part of the address")
    connecting.add_workspace(parser)
    parser.add_argument(
        "--secret",
        metavar="[PREFIX=]NAME",
        action="append",
        default=[],
        help="secret of the workspace for all sources, or for the one with this prefix (repeatable)",
    )
    parser.add_argument(
        "--visibility", choices=("private", "workspace"), default=None, help="who sees it (default: private)"
    )
    for name, text in (
        ("idle_after", "idle if nobody uses it for this time, such as 1h, or never"),
        ("reclaim_after", "stopped if it is idle for this time"),
        ("max_runtime", "stopped after this time, used or not"),
    ):
        parser.add_argument(f"--{name}", metavar="DURATION", default=None, help=text)
    parser.add_argument(
        "--label", metavar="KEY=VALUE", action="append", default=[], help="label of the board (repeatable)"
    )
    parser.add_argument(
        "--source_type", metavar="WORD", default=None, help="what the board is for, such as TrainingJob"
    )
    parser.add_argument("--source_id", metavar="ID", default=None, help="the id of that job")
    parser.add_argument(
        "--ensure",
        action="store_true",
        help="use the board of --source_type and --source_id if there is one, and start it",
    )
    parser.add_argument(
        "--idempotency_key", metavar="KEY", default=None, help="a second create with the same key makes no second board"
    )
    parser.add_argument("--open", action="store_true", help="open the link in the browser")
    connecting.add_wait(parser, default=True)
    connecting.add_hub(parser)


def run(args: argparse.Namespace, stops: stopping.Stops) -> int:
    sources = sources_of(args.uris, args.secret)
    with connecting.hub(args) as hub:
        if args.ensure:
            if not args.source_type or not args.source_id:
                raise errors.BadInput("--ensure needs --source_type and --source_id")
            board = hub.boards.ensure(
                sources,
                source_type=args.source_type,
                source_id=args.source_id,
                name=args.name,
                workspace=args.workspace,
                wait=False,
            )
        else:
            board = hub.boards.create(
                sources,
                name=args.name,
                workspace=args.workspace,
                visibility=args.visibility,
                idle_after=args.idle_after,
                reclaim_after=args.reclaim_after,
                max_runtime=args.max_runtime,
                labels=_labels(args.label),
                source_type=args.source_type,
                source_id=args.source_id,
                wait=False,
                idempotency_key=args.idempotency_key,
            )
        if args.wait:
            print(f"{formatting.printable(board.name)} ({board.id}) is {board.state}", file=sys.stderr)
            board.wait(args.timeout)
    for problem in board.problems:
        print(f"notice: {problem.get('message')}: {problem.get('uri')}", file=sys.stderr)
    print(formatting.document(board.data) if args.json else board.url)
    if args.open:
        browsers.show(board.url)
    return cli.OK


def sources_of(uris: list[str], secrets: list[str]) -> list[dict[str, str]]:
    pairs = [_split(each) for each in uris]
    named = dict(_split(each) for each in secrets)
    unknown = sorted(named.keys() - {prefix for prefix, _ in pairs} - {""})
    if unknown:
        raise errors.BadInput(f"no source has the prefix `{unknown[0]}` of --secret", hint="write --secret PREFIX=NAME")
    return [
        {"uri": _absolute(uri), "prefix": prefix, "secret": named.get(prefix, named.get("", ""))}
        for prefix, uri in pairs
    ]


def _split(text: str) -> tuple[str, str]:
    match = _PREFIXED.fullmatch(text)
    return (match[1], match[2]) if match else ("", text)


def _absolute(uri: str) -> str:
    """Paths of this machine are made absolute: the hub does not know our working directory."""
    import os

    if "://" in uri or os.path.isabs(uri):  # noqa: PTH117
        return uri
    return os.path.abspath(os.path.expanduser(uri))  # noqa: PTH100, PTH111


def _labels(pairs: list[str]) -> dict[str, str] | None:
    wrong = next((each for each in pairs if "=" not in each), None)
    if wrong is not None:
        raise errors.BadInput(f"`--label {wrong}` is not KEY=VALUE")
    return dict(each.split("=", 1) for each in pairs) if pairs else None
