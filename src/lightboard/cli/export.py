"""`lightboard export`: scalars as CSV, JSON lines or Parquet, every point, to a file or to stdout."""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from lightboard import cli, errors
from lightboard.cli import flags, tables

if TYPE_CHECKING:
    from lightboard import reading

FORMATS = {"csv": ".csv", "jsonl": ".jsonl", "parquet": ".parquet"}


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

    kind = args.format or _format_of(args.output)
    logdirs.must_exist(args)
    one = logdirs.board_of(args)
    one.load()
    with reading.Logs(one) as logs:
        shown = logs.filter(args.runs) if args.runs else logs
        chosen = shown.select(tags=args.tag or args.tags, kind="scalars")
        if not chosen:
            raise errors.NotFound("no scalars match", hint="`lightboard inspect` shows what there is")
        with _opened(args.output, kind) as file:
            WRITERS[kind](shown, chosen, file)
    if args.output != "-":
        points = sum(entry.points for entry in chosen)
        print(f"wrote {tables.plural(points, 'point')} of {len(chosen):,} series: {args.output}", file=sys.stderr)
    return cli.OK


def _format_of(output: str) -> str:
    suffix = Path(output).suffix.lower()
    return next((name for name, ending in FORMATS.items() if ending == suffix), "csv")


@contextlib.contextmanager
def _opened(output: str, kind: str) -> Iterator[BinaryIO]:
    """Stdout, or a file that gets its name only when it is whole."""
    if output == "-":
        if kind == "parquet" and sys.stdout.isatty():
            raise errors.BadInput("Parquet is not for a terminal", hint="`--output FILE`")
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


def _csv(logs: reading.Logs, chosen: list[reading.Entry], file: BinaryIO) -> None:
    file.write(b"run,tag,step,wall_time,value\n")
    for entry in chosen:
        name = f"{_csv_cell(entry.run)},{_csv_cell(entry.tag)},"
        rows = [f"{name}{step},{wall!r},{value!r}\n" for step, wall, value in logs.scalars(entry.run, entry.tag)]
        file.write("".join(rows).encode("utf-8", "surrogateescape"))


def _csv_cell(text: str) -> str:
    quoted = text.replace('"', '""')
    return f'"{quoted}"' if any(mark in text for mark in ',"\r\n') else text


def _jsonl(logs: reading.Logs, chosen: list[reading.Entry], file: BinaryIO) -> None:
    for entry in chosen:
        name = json.dumps({"run": entry.run, "tag": entry.tag})[:-1]
        rows = [
            f'{name}, "step": {step}, "wall_time": {_json_number(wall)}, "value": {_json_number(value)}}}\n'
            for step, wall, value in logs.scalars(entry.run, entry.tag)
        ]
        file.write("".join(rows).encode())


def _json_number(value: float) -> str:
    """NaN and infinities are strings, as everywhere in our JSON."""
    if math.isfinite(value):
        return repr(value)
    return '"NaN"' if math.isnan(value) else '"Infinity"' if value > 0 else '"-Infinity"'


def _parquet(logs: reading.Logs, chosen: list[reading.Entry], file: BinaryIO) -> None:
    from lightboard.reading import frames

    writer = None
    for group in _groups(chosen):
        table = frames.to_arrow(logs.columns(group))
        if writer is None:
            writer = frames.optional("pyarrow.parquet").ParquetWriter(file, table.schema, compression="zstd")
        writer.write_table(table)
    if writer is not None:
        writer.close()


def _groups(chosen: list[reading.Entry], most: int = 1 << 20) -> Iterator[list[reading.Entry]]:
    """Series that make a row group of about a million points."""
    group: list[reading.Entry] = []
    for entry in chosen:
        group.append(entry)
        if sum(one.points for one in group) >= most:
            yield group
            group = []
    if group:
        yield group


WRITERS: dict[str, Callable[[Any, Any, BinaryIO], None]] = {"csv": _csv, "jsonl": _jsonl, "parquet": _parquet}
