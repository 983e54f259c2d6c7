"""Reading files that a companion names.

A companion may come from anybody, so its paths are followed, links and all, and have to end inside its own directory.
"""

from __future__ import annotations

import os
import stat

from lightboard import errors, types

ASSETS = "plugins/org_tensorflow_tensorboard_projector"


class FilesBeside:
    """The `store.FilesBeside` of a board."""

    def state(self, companion: types.Companion, name: str, *, in_run: bool = False) -> types.FileState:
        path = resolve(companion, name, in_run=in_run)
        try:
            status = os.stat(path)
        except (OSError, ValueError) as error:
            raise _missing(name, error) from error
        if not stat.S_ISREG(status.st_mode):
            raise errors.NotFound(f"this is no file: {name}")
        return types.FileState(status.st_size, status.st_mtime_ns, status.st_ino)

    def read(
        self, companion: types.Companion, name: str, offset: int = 0, length: int = -1, *, in_run: bool = False
    ) -> bytes:
        """`length` bytes or as many as there are; -1: all."""
        self.state(companion, name, in_run=in_run)  # a pipe would be waited for
        try:
            with open(resolve(companion, name, in_run=in_run), "rb", buffering=0) as file:
                file.seek(offset)
                return _read(file.fileno(), length)
        except (OSError, ValueError) as error:
            raise _missing(name, error) from error

    def names(self, companion: types.Companion, directory: str, *, in_run: bool = False) -> list[str]:
        """Of files in a directory; none where there is no such directory."""
        try:
            with os.scandir(resolve(companion, directory, in_run=in_run)) as entries:
                return sorted(entry.name for entry in entries if entry.is_file())
        except (OSError, ValueError):
            return []


def resolve(companion: types.Companion, name: str, *, in_run: bool = False) -> str:
    """Where the path leads, or BadInput where that is outside of the companion's directory (or run)."""
    home = companion.path.rpartition("/")[0] or "/"
    inside = home.removesuffix(f"/{ASSETS}") if in_run else home
    try:
        allowed, path = os.path.realpath(inside), os.path.realpath(os.path.join(home, name))  # noqa: PTH118
    except (OSError, ValueError) as error:  # a NUL in the name, a loop of links
        raise _missing(name, error) from error
    if path != allowed and not path.startswith(allowed.rstrip("/") + "/"):
        raise errors.BadInput(
            f'Asset path "{name}" resolves outside the config directory',
            hint="put the file beside projector_config.pbtxt or below it, and name it by a path relative to that",
        )
    return path


def _read(descriptor: int, length: int) -> bytes:
    pieces: list[bytes] = []
    left = length if length >= 0 else os.fstat(descriptor).st_size
    while left > 0:
        piece = os.read(descriptor, min(left, 1 << 30))
        if not piece:
            break
        pieces.append(piece)
        left -= len(piece)
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def _missing(name: str, error: Exception) -> errors.LightboardError:
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return errors.NotFound(f"the file is not there: {name}", hint="projector_config.pbtxt names it; is it written?")
    reason = getattr(error, "strerror", None) or str(error)
    return errors.Unreadable(f"the file cannot be read ({reason}): {name}")
