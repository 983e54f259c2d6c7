"""Files of a log directory that an upload sends: event files, and companions by the rules of `lightboard.sources`.

A file is *the same* while its inode stays and it only grows. Other files than event files are written again as a whole
by their programs, so their beginning is compared before more of them is sent.
"""

from __future__ import annotations

import dataclasses
import os
import zlib
from collections.abc import Collection

from lightboard import errors, sources

_READ_BYTES = 1 << 20


@dataclasses.dataclass(frozen=True)
class Local:
    """A file as it was seen. `path` is below the log directory, with slashes."""

    path: str
    size: int
    modified_ns: int
    inode: tuple[int, int]

    @property
    def is_events(self) -> bool:
        return sources.is_event_file(self.path)


@dataclasses.dataclass(frozen=True)
class Found:
    """`unsendable` are files whose names no hub accepts."""

    files: dict[str, Local]
    unsendable: tuple[str, ...] = ()


def scan(logdir: str, plugins: Collection[str] = ()) -> Found:
    """Raises errors.NotFound if the directory does not exist. Links are followed, each directory once."""
    if not os.path.isdir(logdir):  # noqa: PTH112 (pathlib is slow to import)
        raise errors.NotFound(f"the log directory does not exist: {logdir}")
    found: dict[str, Local] = {}
    unsendable: list[str] = []
    seen: set[tuple[int, int]] = set()
    waiting = [""]
    while waiting:
        below = waiting.pop()
        try:
            entries = list(os.scandir(os.path.join(logdir, below)))  # noqa: PTH118
        except OSError:  # removed meanwhile, or not readable: the next scan tries again
            continue
        for entry in entries:
            path = f"{below}/{entry.name}" if below else entry.name
            try:
                if entry.is_dir():
                    state = entry.stat()
                    if (state.st_dev, state.st_ino) not in seen:
                        seen.add((state.st_dev, state.st_ino))
                        waiting.append(path)
                elif wanted(path, plugins) and entry.is_file():
                    state = entry.stat()
                    inode = (state.st_dev, state.st_ino)
                    if is_sendable(path):
                        found[path] = Local(path, state.st_size, state.st_mtime_ns, inode)
                    else:
                        unsendable.append(path)
            except OSError:
                continue
    return Found(dict(sorted(found.items())), tuple(sorted(unsendable)))


def wanted(path: str, plugins: Collection[str] = ()) -> bool:
    """Whether a file belongs to logs, and to one of these plugins. Event files have values of many plugins: every name
    that is not of a companion means them."""
    if sources.is_event_file(path):
        return not plugins or bool(set(plugins) - companions())
    rule = sources.rule_of(path)
    return rule >= 0 and (not plugins or sources.RULES[rule].kind in plugins)


def companions() -> set[str]:
    """Plugins whose files are not event files. Values of `hparams` are in both."""
    return {rule.kind for rule in sources.RULES} - {"hparams"}


def is_sendable(path: str) -> bool:
    try:
        size = len(path.encode())
    except UnicodeError:
        return False
    return size <= 1024 and "\\" not in path and path.isprintable() and path.count("/") < 40


def checksum(file: str, end: int, start: int = 0, before: int = 0) -> int | None:
    """The CRC-32 of the first `end` bytes; `before` is that of the first `start`. None if the file is shorter."""
    try:
        descriptor = os.open(file, os.O_RDONLY)
    except OSError:
        return None
    try:
        while start < end:
            piece = os.pread(descriptor, min(_READ_BYTES, end - start), start)
            if not piece:
                return None
            before = zlib.crc32(piece, before)
            start += len(piece)
        return before
    finally:
        os.close(descriptor)
