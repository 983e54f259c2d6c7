"""`lightboard demo`: shows sample logs of every kind; one run keeps growing meanwhile."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from lightboard import cli, errors
from lightboard.cli import flags, serve, stopping

SECONDS_PER_STEP = 1.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "directory",
        nargs="?",
        metavar="DIR",
        help="where to write the logs (default: a temporary directory, removed at the end)",
    )
    parser.add_argument("--logs_only", action="store_true", help="write the logs, print where they are, and exit")
    serve.add_serving(parser)
    flags.add_index(parser)


def run(args: argparse.Namespace, stops: stopping.Stops) -> int:
    import tempfile

    from lightboard.demo import logs

    with contextlib.ExitStack() as stack:
        if args.directory is not None:
            directory = empty(Path(args.directory))
        elif args.logs_only:
            directory = Path(tempfile.mkdtemp(prefix="lightboard_demo_"))
        else:
            stops.hand_over()  # this thread removes the directory, so that nothing writes to it meanwhile
            directory = stack.enter_context(temporary(Path(tempfile.gettempdir()), stops))
            args.no_index = True
        for _ in logs.writing(directory):
            if stops.came:
                return cli.OK
        if args.logs_only:
            print(directory)
            return cli.OK
        print(f"sample logs: {directory}", file=sys.stderr)
        stack.enter_context(growing(directory))
        return serve.serve(_as_serve(args, directory), [], stops)


@contextlib.contextmanager
def temporary(parent: Path, stops: stopping.Stops) -> Iterator[Path]:
    """A temporary directory. It is registered too, for a signal that ends the process without waiting."""
    import shutil

    directory = parent / f"lightboard_demo_{os.urandom(6).hex()}"
    stops.remove(str(directory))
    directory.mkdir(mode=0o700)
    try:
        yield directory
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def empty(directory: Path) -> Path:
    if directory.exists() and (not directory.is_dir() or any(directory.iterdir())):
        raise errors.BadInput(f"sample logs need a new or empty directory: {directory}")
    directory.mkdir(parents=True, exist_ok=True)
    return directory


def _as_serve(args: argparse.Namespace, directory: Path) -> argparse.Namespace:
    """Returns the same flags in the form that `serve` needs."""
    args.logdir, args.logdir_spec, args.path = str(directory), "", None
    args.include, args.exclude, args.rewinds, args.purge_orphaned_data = [], [], None, None
    args.follow_links = "all"  # the demo has no links
    args.window_title = args.window_title or "Lightboard demo"
    return args


class growing:
    """Adds a step to the run `live` every second while the block runs."""

    def __init__(self, directory: Path) -> None:
        import threading

        self._directory = directory
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._write, name="demo", daemon=True)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *exc: object) -> None:
        self._stop.set()
        self._thread.join()

    def _write(self) -> None:
        from lightboard.demo import logs

        for _ in logs.live(self._directory):
            if self._stop.wait(SECONDS_PER_STEP):
                return
