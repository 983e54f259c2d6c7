"""`lightboard export`: scalars as CSV, JSON lines, Arrow or Parquet, every point, to a file or to stdout."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from lightboard import cli, errors
from lightboard.cli import flags, tables

# format → ending of a file's name; what is in them is `query.exports`' business
FORMATS = {"csv": ".csv", "jsonl": ".jsonl", "parquet": ".parquet", "arrow": ".arrows"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    flags.add_logdir(parser)
    group = parser.add_argument_group("which points")
    group.add_argument("--runs", metavar="FILTER", default="", help="run filter; a bare word is a regular expression")
    group.add_argument("--tags", metavar="REGEX", default=None, help="only tags in which this is found")
    group.add_argument("--tag", metavar="TAG", action="append", default=[], help="only this tag (repeatable)")
    group = parser.add_argument_group("where to")
    group.add_argument("--output", "-o", metavar="FILE", default="-", help="default: stdout")
    group.add_argument(
        "--format", choices=tuple(FORMATS), default=None, help="default: what the name of FILE says, else csv"
    )
    flags.add_index(parser)


def run(args: argparse.Namespace) -> int:
    from lightboard import reading
    from lightboard.cli import logdirs
    from lightboard.query import exports

    kind = args.format or _format_of(args.output)
    logdirs.must_exist(args)
    one = logdirs.board_of(args)
    one.load()
    with reading.Logs(one) as logs:
        shown = logs.filter(args.runs) if args.runs else logs
        chosen = shown.select(tags=args.tag or args.tags, kind="scalars")
        if not chosen:
            raise errors.NotFound("no scalars match", hint="`lightboard inspect` shows what there is")
        found = [series for entry in chosen if (series := one.store.series(entry.run, entry.tag)) is not None]
        pieces = exports.write(exports.selection(found, one.options.rewinds), kind)
        with _opened(args.output, kind) as file:
            for piece in pieces:
                file.write(piece)
    if args.output != "-":
        points = tables.plural(sum(entry.points for entry in chosen), "point")
        print(f"wrote {points} of {len(chosen):,} series: {args.output}", file=sys.stderr)
    return cli.OK


def _format_of(output: str) -> str:
    suffix = Path(output).suffix.lower()
    return next((name for name, ending in FORMATS.items() if ending == suffix), "csv")


@contextlib.contextmanager
def _opened(output: str, kind: str) -> Iterator[BinaryIO]:
    """Stdout, or a file that gets its name only when it is whole."""
    if output == "-":
        if kind in ("parquet", "arrow") and sys.stdout.isatty():
            raise errors.BadInput(f"{kind} is not for a terminal", hint="`--output FILE`")
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    path = Path(output)
    part = path.with_name(f".{path.name}.part")
    try:
        with open(part, "wb") as file:
            yield file
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
