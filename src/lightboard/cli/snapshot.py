"""`lightboard snapshot`: a board as one HTML file that opens without a server."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from lightboard import cli, errors
from lightboard.cli import flags, formatting, outputs, stopping

if TYPE_CHECKING:
    from lightboard import snapshot

# Plural of what a part counts.
VALUES = {"scalars": "points", "images": "images", "histograms": "histograms", "text": "texts"}
KINDS = ("scalars", "images", "histograms", "distributions", "text", "hparams")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    flags.add_logdir(parser)
    group = parser.add_argument_group("content")
    group.add_argument("--runs", metavar="FILTER", default="", help="run filter; a bare word is a regular expression")
    group.add_argument("--tags", metavar="REGEX", default=None, help="only tags that match this regular expression")
    group.add_argument("--tag", metavar="TAG", action="append", default=[], help="only this tag (repeatable)")
    group.add_argument(
        "--kind", choices=KINDS, action="append", default=[], help="only this kind (repeatable); default: all of them"
    )
    group.add_argument(
        "--view",
        metavar="ADDRESS",
        default="",
        help="what the page shows when it is opened: an address copied from the page, or its part after #",
    )
    group.add_argument(
        "--points",
        metavar="N",
        type=count,
        default=400,
        help="at most N points of each line, or `all`; default: 400. First, lowest, highest and last point of "
        "each of N/4 columns stay, so no spike is lost",
    )
    group.add_argument(
        "--image_steps",
        metavar="N",
        type=count,
        default=1,
        help="the newest N steps of each series of images, or `all`; default: 1",
    )
    group.add_argument(
        "--image_bytes", metavar="SIZE", type=flags.size, default=16 << 20, help="images up to this size; default: 16M"
    )
    group.add_argument("--title", metavar="TEXT", default="", help="name of the board; default: that of the logdir")
    group = parser.add_argument_group("output")
    group.add_argument("--output", "-o", metavar="FILE", required=True, help="such as board.html; `-` is stdout")
    group.add_argument("--force", action="store_true", help="replace FILE if it exists")
    group.add_argument(
        "--max_size", metavar="SIZE", type=flags.size, default=50 << 20, help="refuse to write more; default: 50M"
    )
    flags.add_json(parser)
    flags.add_index(parser)


def count(text: str) -> int:
    """Parses a number, or `all` as 0."""
    if text == "all":
        return 0
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"`{text}` is neither a number above 0 nor `all`")
    return int(text)


def run(args: argparse.Namespace, stops: stopping.Stops) -> int:
    from lightboard.cli import logdirs

    _check(args)
    logdirs.must_exist(args)
    one = logdirs.board_of(args)
    one.load()
    try:
        code = logdirs.report(one)
        if code != cli.OK and not one.store.runs():
            return code
        taken = one.snapshot(_choice(args))
    finally:
        one.stop()
    if not args.json:
        print("\n".join(_summary(taken)), file=sys.stderr)
    if taken.size_bytes > args.max_size:
        raise errors.Denied(
            f"the snapshot has {formatting.size(taken.size_bytes)}, the limit is {formatting.size(args.max_size)}",
            hint="choose fewer `--points`, `--runs` or `--tags`, or raise `--max_size`",
        )
    with outputs.opened(args.output, stops) as file:
        for piece in taken.pieces:
            file.write(piece)
        _check_free(args)
    if args.json:
        print(formatting.document(_as_json(args, taken)))
    elif args.output != "-":
        print(f"wrote {args.output}", file=sys.stderr)
    return code


def _check(args: argparse.Namespace) -> None:
    if args.json and args.output == "-":
        raise errors.BadInput("`--json` and `--output -` both write to stdout", hint="`--output FILE`")
    if args.output == "-" and sys.stdout.isatty():
        raise errors.BadInput("a snapshot is not for a terminal", hint="`--output FILE`")
    if args.output != "-":
        outputs.check(Path(args.output))
    _check_free(args)


def _check_free(args: argparse.Namespace) -> None:
    if args.output != "-" and not args.force and Path(args.output).exists():
        raise errors.Denied(f"there is a file already: {args.output}", hint="`--force` replaces it")


def _choice(args: argparse.Namespace) -> snapshot.Choice:
    from lightboard import snapshot

    return snapshot.Choice(
        runs=args.runs,
        tags=args.tags,
        tag=args.tag,
        kinds=args.kind or snapshot.KINDS,
        points=args.points,
        image_steps=args.image_steps,
        image_bytes=args.image_bytes,
        view=snapshot.view_of(args.view),
        title=args.title,
    )


def _summary(taken: snapshot.Snapshot) -> list[str]:
    rows = [
        [
            part.kind,
            formatting.plural(part.tags, "tag"),
            f"{part.values:,} of {part.of:,} {VALUES[part.kind]}",
            formatting.size(part.bytes) if part.bytes else "",
        ]
        for part in taken.parts
    ]
    rows.append(["page", "", "", formatting.size(taken.page_bytes)])
    title = f"snapshot of {formatting.plural(taken.runs, 'run')}: {formatting.size(taken.size_bytes)}"
    return [title, *formatting.aligned(rows, indent="  ", right=(1, 2, 3))]


def _as_json(args: argparse.Namespace, taken: snapshot.Snapshot) -> dict[str, object]:
    return {
        "file": args.output,
        "size_bytes": taken.size_bytes,
        "page_bytes": taken.page_bytes,
        "runs": taken.runs,
        "kinds": {
            part.kind: {"tags": part.tags, "values": part.values, "of": part.of, "bytes": part.bytes}
            for part in taken.parts
        },
    }
