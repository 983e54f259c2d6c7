"""`lightboard export`: every point of a selection, from the event files.

Scalars become a table (CSV, JSON lines, Arrow, Parquet); images, audio clips, videos and HTML pages become files in a
directory, with a list beside them; every other kind becomes JSON lines, one per point. `trials` are no kind of data:
they become a table with a row for each trial, with its hparams and metrics.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lightboard import cli, errors, types
from lightboard.cli import flags, formatting, outputs, stopping

if TYPE_CHECKING:
    from lightboard import reading

# format → suffix of a file's name; `query.exports` writes them
FORMATS = {
    "csv": ".csv", "json": ".json", "jsonl": ".jsonl", "parquet": ".parquet", "arrow": ".arrows", "latex": ".tex",
}  # fmt: skip
TRIALS = "trials"
KINDS = tuple(dict.fromkeys(kind.word for kind in types.Kind if kind is not types.Kind.UNTYPED))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    flags.add_logdir(parser)
    group = parser.add_argument_group("which points")
    group.add_argument("--kind", choices=(*KINDS, TRIALS), default="scalars", help="default: scalars")
    group.add_argument("--runs", metavar="FILTER", default="", help="run filter; a bare word is a regular expression")
    group.add_argument("--tags", metavar="REGEX", default=None, help="only tags that match this regular expression")
    group.add_argument(
        "--tag",
        metavar="TAG",
        action="append",
        default=[],
        help="only this tag, or an expression such as `= train/loss - val/loss` (repeatable)",
    )
    group = parser.add_argument_group("trials", "of `--kind trials`; `--tag` names metrics")
    group.add_argument(
        "--value",
        choices=("last", "first", "min", "max", "best", "mean", "at"),
        default="last",
        help="which value of a metric; default: last",
    )
    group.add_argument("--step", type=int, default=None, help="with `--value at`: the last value up to this step")
    group.add_argument(
        "--by", metavar="TAG", default=None, help="all values at the step where this metric is best, by its name"
    )
    group.add_argument(
        "--repeats",
        choices=("group", "same", "none"),
        default="group",
        help="which runs are one trial: of one group (default), with the same hparams but for seeds, or none",
    )
    group.add_argument(
        "--spread",
        choices=("mean", "median", "min", "max"),
        default="mean",
        help="which value of repeats; default: mean",
    )
    group.add_argument(
        "--sort",
        metavar="KEY",
        action="append",
        default=[],
        help="such as `-metric:accuracy` or `hparam:lr` (repeatable)",
    )
    group = parser.add_argument_group("where to")
    group.add_argument(
        "--output",
        "-o",
        metavar="FILE",
        default="-",
        help="default: stdout; a directory for pictures, clips, videos and pages",
    )
    group.add_argument(
        "--format",
        choices=tuple(FORMATS),
        default=None,
        help="default: from the name of FILE, else csv; jsonl for everything but scalars and trials",
    )
    flags.add_index(parser)


def run(args: argparse.Namespace, stops: stopping.Stops) -> int:
    from lightboard import reading
    from lightboard.cli import logdirs

    _check(args)
    logdirs.must_exist(args)
    one = logdirs.board_of(args)
    one.load()
    with reading.Logs(one) as logs:
        code = logdirs.report(one)
        if code != cli.OK and not logs.runs:
            return code
        shown = logs.filter(args.runs) if args.runs else logs
        if args.kind == TRIALS:
            return _write_trials(args, shown, stops) or code
        chosen = shown.select(tags=args.tag or args.tags, kind=args.kind)
        if not chosen:
            raise errors.NotFound(f"no {args.kind} match", hint="`lightboard inspect` shows what there is")
        if _is_files(args.kind):
            count = _write_files(shown, chosen, Path(args.output), stops)
            what = formatting.plural(count, "file")
        else:
            _write(args, _pieces(args, one.store, shown, chosen), stops)
            what = formatting.plural(sum(entry.points for entry in chosen), "point")
    if args.output != "-":
        print(f"wrote {what} of {len(chosen):,} series: {args.output}", file=sys.stderr)
    return code


def _is_files(kind: str) -> bool:
    """Returns whether values of this kind are written to separate files."""
    from lightboard.query import kinds

    return kind in kinds.FILE_WORDS


def _check(args: argparse.Namespace) -> None:
    args.format = args.format or _format_of(args)
    if _is_files(args.kind) and args.output == "-":
        raise errors.BadInput(f"{args.kind} are files: they need a directory", hint="`--output DIR`")
    if args.kind == TRIALS:
        if args.format == "jsonl":
            raise errors.BadInput(
                "trials cannot be written as JSON lines", hint="`--format json`, csv, latex, arrow or parquet"
            )
        if args.value == "at" and args.step is None:
            raise errors.BadInput("`--value at` needs a step", hint="`--step 1000`")
    elif args.format == "latex":
        raise errors.BadInput(f"{args.kind} cannot be written as latex", hint="`--kind trials` can")
    elif args.kind != "scalars" and args.format != "jsonl":
        raise errors.BadInput(
            f"{args.kind} are not tables: they cannot be written as {args.format}", hint="`--format jsonl`"
        )
    if args.format in ("parquet", "arrow") and args.output == "-" and sys.stdout.isatty():
        raise errors.BadInput(f"{args.format} is not for a terminal", hint="`--output FILE`")


def _format_of(args: argparse.Namespace) -> str:
    suffix = Path(args.output).suffix.lower() if not _is_files(args.kind) else ""
    usual = "csv" if args.kind in ("scalars", TRIALS) else "jsonl"
    return next((name for name, ending in FORMATS.items() if ending == suffix), usual)


def _write_trials(args: argparse.Namespace, logs: reading.Logs, stops: stopping.Stops) -> int:
    from lightboard.query import patterns

    metrics = args.tag or None
    if args.tags is not None:
        wanted = patterns.compile_pattern(args.tags, case=True)
        metrics = [tag for tag in logs.tags("scalars") if wanted.finds(tag)]
    found = logs.trials(
        metrics,
        value=args.value,
        step=args.step,
        by=args.by,
        repeats=args.repeats,
        spread=args.spread,
        sort=args.sort,
    )
    if not len(found):
        raise errors.NotFound(
            "there are no trials", hint="no run has hparams: `hparams`, `add_hparams`, or a text `args`"
        )
    _write(args, [found.written(args.format)], stops)
    if args.output != "-":
        print(f"wrote {formatting.plural(len(found), 'trial')}: {args.output}", file=sys.stderr)
    return cli.OK


def _pieces(args: argparse.Namespace, store: Any, logs: reading.Logs, chosen: list[reading.Entry]) -> Iterable[bytes]:
    """Yields the output piece by piece."""
    from lightboard.query import derived, exports
    from lightboard.reading import records

    if args.kind == "scalars":
        found = [one for entry in chosen if (one := derived.maybe_one(store, entry.run, entry.tag)) is not None]
        return exports.write(exports.selection(found, types.Rewinds(flags.rewinds(args))), args.format)
    if args.kind == "hparams":
        return map(_line, records.hparams(logs, chosen))
    return (_line(record) for entry in chosen for record in records.records(logs, entry))


def _line(record: dict[str, Any]) -> bytes:
    return formatting.line(record).encode("utf-8", "backslashreplace") + b"\n"


def _write(args: argparse.Namespace, pieces: Iterable[bytes], stops: stopping.Stops) -> None:
    with outputs.opened(args.output, stops) as file:
        for piece in pieces:
            file.write(piece)


def _write_files(logs: reading.Logs, chosen: list[reading.Entry], directory: Path, stops: stopping.Stops) -> int:
    """Writes DIR/run/tag/000012_0.png, numbered in the order of points, and DIR/index.jsonl that describes them."""
    from lightboard.reading import records

    if directory.exists() and (not directory.is_dir() or any(directory.iterdir())):
        raise errors.BadInput(f"files need a new or empty directory: {directory}")
    directory.mkdir(parents=True, exist_ok=True)
    count = 0
    taken: set[str] = set()
    with outputs.opened(str(directory / "index.jsonl"), stops) as listing:
        for entry in chosen:
            below = _safe_names(entry.run, entry.tag, taken)
            (directory / below).mkdir(parents=True)
            for number, file in enumerate(records.files(logs, entry)):
                name = f"{below}/{number:06d}{file.ending}"
                (directory / name).write_bytes(file.data)
                listing.write(_line({"file": name, **file.record}))
                count += 1
    return count


def _safe_names(run: str, tag: str, taken: set[str]) -> str:
    """Returns two directory names without separators that are not dots and are unique on any file system."""
    parts = [re.sub(r"[^\w=+,.-]+", "_", name).strip(".")[:100] or "_" for name in (run, tag)]
    wanted = name = "/".join(parts)
    number = 1
    while name.lower() in taken:
        number += 1
        name = f"{wanted}~{number}"
    taken.add(name.lower())
    return name
