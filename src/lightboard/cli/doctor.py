"""`lightboard doctor`: checks whether a board can run here, and says how to fix problems."""

from __future__ import annotations

import argparse
import dataclasses
import importlib.util
import os
import platform
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from lightboard import cli, errors
from lightboard.cli import flags, formatting, stopping

OK, NOTE, PROBLEM = "ok", "note", "problem"
# A logdir with more directories than this may be watched is polled instead.
WATCHES_WANTED = 65536


@dataclasses.dataclass(frozen=True)
class Finding:
    check: str
    state: str  # OK, NOTE: works, but could be better, PROBLEM: does not work
    detail: str
    hint: str = ""
    source: str = ""  # the address that was tried


def add_arguments(parser: argparse.ArgumentParser) -> None:
    flags.add_logdir(parser)
    flags.add_json(parser)
    flags.add_index(parser)
    parser.add_argument("--port", metavar="PORT", type=int, default=6006, help="the port to check")


def run(args: argparse.Namespace, stops: stopping.Stops) -> int:
    found = [finding for check in CHECKS for finding in _guarded(check, args)]
    if args.json:
        print(formatting.document([dataclasses.asdict(finding) for finding in found]))
    else:
        print("\n".join(formatting.aligned([[finding.state, finding.check, finding.detail] for finding in found])))
        for finding in found:
            if finding.hint:
                print(f"hint: {finding.hint}", file=sys.stderr)
    return cli.FAILED if any(finding.state == PROBLEM for finding in found) else cli.OK


def _guarded(check: Callable[[argparse.Namespace], Iterator[Finding]], args: argparse.Namespace) -> list[Finding]:
    """A check that fails becomes a finding, and the others continue."""
    try:
        return list(check(args))
    except errors.LightboardError as error:
        return [Finding(check.__name__.strip("_"), PROBLEM, error.message, error.hint)]
    except Exception as error:
        return [Finding(check.__name__.strip("_"), PROBLEM, f"{type(error).__name__}: {error}")]


def _version(args: argparse.Namespace) -> Iterator[Finding]:
    import lightboard

    where = f"Python {platform.python_version()}, {platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    yield Finding("version", OK, f"Lightboard {lightboard.__version__}, {where}")


def _native_core(args: argparse.Namespace) -> Iterator[Finding]:
    hint = "install again from a wheel, or with a C++20 compiler: `pip install --force-reinstall lightboard`"
    try:
        from lightboard import _native

        kind = _native.crc32c_kind()
    except (ImportError, AttributeError) as error:
        yield Finding("native core", PROBLEM, f"it cannot be loaded: {error}", hint)
        return
    slow = "portable" in kind
    remark = " (this processor has no CRC32C instruction: reading is slower)" if slow else ""
    yield Finding("native core", NOTE if slow else OK, f"checksums by {kind}{remark}")


def _page(args: argparse.Namespace) -> Iterator[Finding]:
    from lightboard import board

    found = board.static_dir()
    if found is None:
        yield Finding("page", NOTE, "not built: a plain list is shown instead", "`make web` builds it")
    else:
        yield Finding("page", OK, found)


def _packages(args: argparse.Namespace) -> Iterator[Finding]:
    needed = {"numpy": PROBLEM, "uvicorn": PROBLEM, "httptools": PROBLEM, "uvloop": NOTE}
    missing = {name: state for name, state in needed.items() if importlib.util.find_spec(name) is None}
    for name, state in missing.items():
        yield Finding("packages", state, f"`{name}` is missing", f"pip install {name}")
    if not missing:
        yield Finding("packages", OK, ", ".join(needed))
    extras = [name for name in ("pandas", "polars", "pyarrow") if importlib.util.find_spec(name) is not None]
    yield Finding("optional packages", OK, ", ".join(extras) or "none (pandas, polars, pyarrow are for scripts)")


def _index(args: argparse.Namespace) -> Iterator[Finding]:
    if args.no_index:
        yield Finding("index", NOTE, "disabled: every start reads all logs again")
        return
    from lightboard.cli import index

    directory = index.directory(args)
    existing = next(path for path in (directory, *directory.parents) if path.exists())
    if not existing.is_dir() or not os.access(existing, os.W_OK):
        yield Finding("index", PROBLEM, f"cannot be written: {existing}", "`--index_dir DIR` puts it elsewhere")
        return
    size = sum(entry.size_bytes for entry in index.entries(directory))
    yield Finding("index", OK, f"{formatting.size(size)} in {directory}")


def _notifications(args: argparse.Namespace) -> Iterator[Finding]:
    limit = Path("/proc/sys/fs/inotify/max_user_watches")
    if not limit.exists():
        yield Finding("notifications", NOTE, "this system has no inotify: changes are found by polling")
        return
    watches = int(limit.read_text())
    if watches < WATCHES_WANTED:
        hint = f"sudo sysctl fs.inotify.max_user_watches={WATCHES_WANTED * 8}"
        yield Finding("notifications", NOTE, f"inotify watches {watches:,} directories, the rest is polled", hint)
    else:
        yield Finding("notifications", OK, f"inotify, {watches:,} directories")


def _logdir(args: argparse.Namespace) -> Iterator[Finding]:
    if not (args.logdir or args.path or args.logdir_spec):
        return
    from lightboard.cli import logdirs

    if any(_is_elsewhere(root) for root in _roots(args)):
        return  # a bucket may be large: `_sources` reads a few bytes of it
    logdirs.must_exist(args)
    one = logdirs.board_of(args)
    one.load()
    try:
        runs, faults = one.store.runs(), [fault for each in one.store.faults.values() for fault in each]
        size = int(one.store.files_table.rows["size"].sum())
        files = formatting.plural(int(one.store.files_table.rows["alive"].sum()), "event file")
    finally:
        one.stop()
    detail = f"{formatting.plural(len(runs), 'run')}, {files}, {formatting.size(size)}"
    hint = "" if runs else "event files have `tfevents` in their name; is this the right directory?"
    yield Finding("logdir", OK if runs else NOTE, detail, hint)
    for fault in faults[:20]:
        place = f"at byte {fault.offset} of {formatting.printable(fault.path)}"
        yield Finding("fault", NOTE, f"{fault.detail}, {place}")


def _sources(args: argparse.Namespace) -> Iterator[Finding]:
    """Object stores, claims and web servers, step by step."""
    roots = _roots(args) if args.logdir or args.path or args.logdir_spec else []
    if not any(map(_is_elsewhere, roots)):
        return
    from lightboard.cli import logdirs
    from lightboard.logdir import checkup

    settings = logdirs.storage_settings(args)
    for root in roots:
        if not _is_elsewhere(root):
            there = Path(root).expanduser().exists()
            yield Finding("directory", OK if there else NOTE, root if there else f"no such directory yet: {root}")
            continue
        for step in checkup.steps(root, settings):
            state = PROBLEM if not step.works else NOTE if step.remark else OK
            yield Finding(step.name, state, formatting.printable(step.detail), step.hint, root)


def _roots(args: argparse.Namespace) -> list[str]:
    """Paths and addresses as they were written."""
    from lightboard import logdir

    one = flags.one_logdir(args)
    return [root.path.strip() for root in logdir.parse_spec(one or args.logdir_spec, is_spec=not one).roots]


def _is_elsewhere(root: str) -> bool:
    from lightboard.storage import uris

    return uris.is_elsewhere(root)


def _port(args: argparse.Namespace) -> Iterator[Finding]:
    from lightboard.cli import sockets

    try:
        sockets.listen(None, args.port).close()
    except sockets.CannotListen as error:
        yield Finding("port", NOTE, f"{error.message}: a board started without `--port` takes the next free one")
        return
    yield Finding("port", OK, f"{args.port} is free")


CHECKS = (_version, _native_core, _page, _packages, _index, _notifications, _sources, _logdir, _port)
