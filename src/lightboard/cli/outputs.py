"""Files that verbs write: complete or not at all."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from lightboard import errors
from lightboard.cli import stopping


@contextlib.contextmanager
def opened(output: str, stops: stopping.Stops) -> Iterator[BinaryIO]:
    """Opens stdout, or a file that gets its name only when it is complete."""
    if output == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    path = Path(output)
    check(path)
    part = path.with_name(f".{path.name}.part")
    stops.remove(str(part.absolute()))
    try:
        with open(part, "wb") as file:
            yield file
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def check(path: Path) -> None:
    """Raises if no file can have this name."""
    if path.is_dir():
        raise errors.BadInput(f"this is a directory, not a file: {path}")
    if not path.parent.is_dir():
        raise errors.NotFound(f"no such directory: {path.parent}")
