"""Makes a board from `--logdir` and similar flags, for every verb that reads logs."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from lightboard import cli, errors, types
from lightboard.cli import flags

if TYPE_CHECKING:
    from lightboard import board, head_start, logdir, storage
    from lightboard.logdir import problems


def board_of(args: argparse.Namespace, *, ahead: head_start.HeadStart | None = None) -> board.Board:
    """Returns a board for these flags; it reads nothing yet."""
    from lightboard import board, logdir

    _log_to_stderr()
    systems = logdir.FileSystems(settings=storage_settings(args))
    return board.Board(spec(args), options(args), ahead=ahead, systems=systems)


def spec(args: argparse.Namespace) -> logdir.LogdirSpec:
    from lightboard import logdir

    links, settings = types.Links(args.follow_links), storage_settings(args)
    event_file = getattr(args, "event_file", "")
    if event_file:
        return logdir.spec_of([logdir.Root("", _file(args, event_file))], links=links)
    one = flags.one_logdir(args)
    parsed = logdir.parse_spec(
        one or args.logdir_spec, is_spec=not one, include=args.include, exclude=args.exclude, links=links
    )
    roots = [logdir.Root(root.name, logdir.root_of(root.path, settings)) for root in parsed.roots]
    return logdir.spec_of(roots, parsed.include, parsed.exclude, links)


def storage_settings(args: argparse.Namespace) -> storage.Settings | None:
    """The content of `--storage`; None if no file is named, so that most starts need not import the room."""
    file = getattr(args, "storage", "") or os.environ.get("LIGHTBOARD_STORAGE", "")
    if not file:
        return None
    from lightboard.storage import settings

    return settings.load(file)


def options(args: argparse.Namespace) -> board.Options:
    from lightboard import board

    return board.Options(
        rewinds=types.Rewinds(flags.rewinds(args)),
        index=not args.no_index,
        index_dir=args.index_dir,
        index_max_bytes=args.index_max_bytes,
        reload_interval_secs=getattr(args, "reload_interval", 5.0),
        sidecar=getattr(args, "sidecar", ""),
    )


def must_exist(args: argparse.Namespace) -> None:
    """For verbs that read once: a missing logdir is an error (`serve` waits for it)."""
    one = flags.one_logdir(args) if not getattr(args, "event_file", "") else ""
    if not one:
        return
    path = spec(args).roots[0].path
    if "://" not in path and not any(mark in path for mark in "*?[") and not Path(path).exists():
        raise errors.NotFound(f"no such logdir: {path}")


def report(one: board.Board) -> int:
    """Prints the sources that could not be read, with the remedy; returns the exit code that says so."""
    found = logdir_problems(one)
    for each in found:
        kind = "error" if each.failed else "notice"
        print(f"{kind}: {each.message}", file=sys.stderr)
        if each.hint:
            print(f"hint: {each.hint}", file=sys.stderr)
    return cli.FAILED if any(each.failed for each in found) else cli.OK


def logdir_problems(one: board.Board) -> list[problems.Problem]:
    from lightboard.logdir import problems

    return problems.problems(one.store.notices)


def _log_to_stderr() -> None:
    """Print log messages of the other rooms (the index cannot be written …) in the format of our notices."""
    import logging

    class Formatter(logging.Formatter):
        def format(self, record: logging.LogRecord) -> str:
            return f"{record.levelname.lower()}: {super().format(record)}"

    logger = logging.getLogger("lightboard")
    if not logger.handlers:
        handler = logging.StreamHandler()
        handler.setFormatter(Formatter())
        logger.addHandler(handler)
        logger.propagate = False


def _file(args: argparse.Namespace, event_file: str) -> str:
    path = Path(event_file).expanduser()
    if args.logdir or args.logdir_spec or args.path:
        raise errors.BadInput("--event_file and --logdir cannot be combined")
    if not path.is_file():
        raise errors.NotFound(f"no such event file: {path}")
    return str(path)
