"""The log file of a board process: its output, since its last start and some before, of bounded size.

    log     written by the process itself, so that it needs no reader: the hub may be restarted
    log.1   what was cut off from it, or the log of the process before

A process appends to the file it was started with. A log that has grown too large is therefore copied and emptied, not
renamed; a line that is written in this moment can be lost.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

MOST_BYTES = 1 << 20
LINE_CHARACTERS = 2000


def begin(path: Path) -> int:
    """Start an empty log for a new process; returns a descriptor to write to."""
    if path.exists():
        os.replace(path, _older(path))
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_TRUNC, 0o600)


def trim(path: Path, most_bytes: int = MOST_BYTES) -> None:
    """Keep a log that is too large from growing: move its end to the older file."""
    try:
        size = os.stat(path).st_size
        if size <= most_bytes:
            return
        with open(path, "rb") as source, open(_older(path), "wb", opener=_private) as copy:
            source.seek(size - most_bytes)
            shutil.copyfileobj(source, copy)
        os.truncate(path, 0)
    except OSError:
        pass  # a full disk must not stop the hub


def tail(path: Path, lines: int, *, older: bool = False) -> list[str]:
    """Returns the last lines, with `older` also of the process before."""
    found = _lines(path, lines)
    if older and len(found) < lines:
        found = _lines(_older(path), lines - len(found)) + found
    return found


def _lines(path: Path, lines: int) -> list[str]:
    try:
        with open(path, "rb") as file:
            end = file.seek(0, os.SEEK_END)
            start = max(0, end - min(MOST_BYTES, lines * LINE_CHARACTERS))
            file.seek(start)
            data = file.read(end - start)
    except OSError:
        return []
    found = data.decode("utf-8", "replace").splitlines()
    if start and len(found) > 1:
        found = found[1:]  # it was cut
    return [line[:LINE_CHARACTERS] for line in found[-lines:]] if lines > 0 else []


def _older(path: Path) -> Path:
    return path.with_name(f"{path.name}.1")


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
