"""`lightboard index`: shows where the index is and how large, and deletes it. Deleting is always safe."""

from __future__ import annotations

import argparse
import dataclasses
import sys
from pathlib import Path

from lightboard import cli
from lightboard.cli import flags, formatting, stopping


@dataclasses.dataclass(frozen=True)
class Entry:
    """The index of one logdir (or of several shown together)."""

    path: str
    roots: list[str]  # the directories it was made of, as `path` or `name:path`
    size_bytes: int
    last_used: float


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", nargs="?", choices=("list", "clear"), default="list", help="default: list")
    parser.add_argument("--index_dir", metavar="DIR", default="", help="default: the user's cache")
    flags.add_json(parser)


def run(args: argparse.Namespace, stops: stopping.Stops) -> int:
    home = directory(args)
    found = entries(home)
    if args.what == "clear":
        found = _clear(found)
    if args.json:
        print(formatting.document({"directory": str(home), "entries": [dataclasses.asdict(entry) for entry in found]}))
        return cli.OK
    rows = [[formatting.size(one.size_bytes), formatting.moment(one.last_used), _named(one)] for one in found]
    total = formatting.size(sum(entry.size_bytes for entry in found))
    done = "removed" if args.what == "clear" else "kept"
    for line in [
        *formatting.aligned(rows, right=[0]),
        f"{done}: {formatting.plural(len(found), 'logdir')}, {total}, in {home}",
    ]:
        print(line)
    return cli.OK


def directory(args: argparse.Namespace) -> Path:
    from lightboard import logdir

    return Path(logdir.Index(args.index_dir or None).base)


def entries(home: Path) -> list[Entry]:
    """Returns only entries of the index: other files in the user's directory must not be counted or removed."""
    from lightboard.logdir import index

    found = []
    for path in sorted(home.iterdir()) if home.is_dir() else ():
        if index.is_key(path.name) and path.is_dir():
            # disk blocks, not lengths: segments have holes
            status = {one.name: one.stat() for one in path.iterdir() if one.is_file()}
            used = status["lock"].st_mtime if "lock" in status else path.stat().st_mtime
            found.append(
                Entry(str(path), index.whose(str(path)), sum(one.st_blocks * 512 for one in status.values()), used)
            )
    return found


def _named(entry: Entry) -> str:
    return formatting.printable(", ".join(entry.roots) or entry.path)


def _clear(found: list[Entry]) -> list[Entry]:
    """Remove all entries that no running board writes; returns those that were removed."""
    from lightboard.logdir import index

    removed = [entry for entry in found if index.remove(entry.path)]
    for entry in found:
        if entry not in removed:
            print(f"notice: a running board uses it, kept: {_named(entry)}", file=sys.stderr)
    return removed
