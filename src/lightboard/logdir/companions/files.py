"""Reading files that a companion names.

A companion may come from anybody, so its paths are followed, links and all, and have to end inside the directory in
which it was found. The path they end at is then opened without following a link: see `no_links`.
"""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator

from lightboard import errors, no_links, types

ASSETS = "plugins/org_tensorflow_tensorboard_projector"
# As long as Linux allows. Names are taken apart before they are used, which takes long for very long ones.
MAX_NAME = 4096
_SHOWN_NAME = 200


class FilesBeside:
    """The `store.FilesBeside` of a board."""

    def state(self, companion: types.Companion, name: str, *, in_run: bool = False) -> types.FileState:
        with _opened(companion, name, in_run=in_run) as (_, status):
            return types.FileState(status.st_size, status.st_mtime_ns, status.st_ino)

    def read(
        self, companion: types.Companion, name: str, offset: int = 0, length: int = -1, *, in_run: bool = False
    ) -> bytes:
        """`length` bytes or as many as there are; -1: all."""
        with _opened(companion, name, in_run=in_run) as (descriptor, status):
            there = max(0, status.st_size - offset)
            return read(descriptor, offset, there if length < 0 else min(length, there))

    def names(self, companion: types.Companion, directory: str, *, in_run: bool = False) -> list[str]:
        """Of files in a directory; none where there is no such directory."""
        path = resolve(companion, directory, in_run=in_run)
        try:
            held = no_links.open_directory("/", path)
            try:
                with os.scandir(held) as entries:
                    return sorted(entry.name for entry in entries if entry.is_file())
            finally:
                os.close(held)
        except (OSError, ValueError):
            return []


def resolve(companion: types.Companion, name: str, *, in_run: bool = False) -> str:
    """Where the path leads, or BadInput where that is outside of the companion's directory (or run)."""
    if not companion.directory:
        raise errors.NotFound(f"the file that names it was not read: {shown(name)}")
    if len(name) > MAX_NAME or "\0" in name:
        raise errors.NotFound(f"no file can have this name: {shown(name)}")
    home = companion.path.rpartition("/")[0] or "/"
    allowed = companion.directory.removesuffix(f"/{ASSETS}") if in_run else companion.directory
    try:
        path = os.path.realpath(os.path.join(home, name))  # noqa: PTH118
    except (OSError, ValueError) as error:
        raise _missing(name, error) from error
    if path != allowed and not path.startswith(allowed.rstrip("/") + "/"):
        raise errors.BadInput(
            f'Asset path "{shown(name)}" resolves outside the config directory',
            hint="put the file beside projector_config.pbtxt or below it, and name it by a path relative to that",
        )
    return path


def read(descriptor: int, offset: int, length: int) -> bytes:
    pieces: list[bytes] = []
    while length > 0:
        piece = os.pread(descriptor, min(length, 1 << 30), offset)
        if not piece:
            break
        pieces.append(piece)
        offset += len(piece)
        length -= len(piece)
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def shown(name: str) -> str:
    return name if len(name) <= _SHOWN_NAME else name[:_SHOWN_NAME] + "…"


@contextlib.contextmanager
def _opened(companion: types.Companion, name: str, *, in_run: bool) -> Iterator[tuple[int, os.stat_result]]:
    path = resolve(companion, name, in_run=in_run)
    descriptor = -1
    try:
        descriptor, status = no_links.open_regular("/", path)
        yield descriptor, status
    except (OSError, ValueError) as error:
        raise _missing(name, error) from error
    finally:
        if descriptor >= 0:
            os.close(descriptor)


def _missing(name: str, error: Exception) -> errors.LightboardError:
    number = getattr(error, "errno", None)
    if number in (errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG):
        return errors.NotFound(
            f"the file is not there: {shown(name)}", hint="projector_config.pbtxt names it; is it written?"
        )
    if number == errno.EINVAL:
        return errors.NotFound(f"this is no file: {shown(name)}")
    reason = getattr(error, "strerror", None) or str(error)
    return errors.Unreadable(f"the file cannot be read ({reason}): {shown(name)}")
