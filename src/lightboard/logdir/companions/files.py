"""Reading files that a companion names.

A companion may come from anybody, so its paths are resolved, including links, and must end inside the directory in
which it was found. The resolved path is then opened without following a link: see `no_links`.
"""

from __future__ import annotations

import errno
import posixpath
from collections.abc import Callable
from typing import TypeVar

from lightboard import errors, sources, types
from lightboard.logdir import filesystems, spec

# The limit of Linux. Names are parsed before they are used, which is slow for very long ones.
MAX_NAME = 4096
_SHOWN_NAME = 200

T = TypeVar("T")


class FilesBeside:
    """The `store.FilesBeside` of a board."""

    def __init__(self, systems: filesystems.FileSystems) -> None:
        self.systems = systems

    def state(self, companion: types.Companion, name: str, *, in_run: bool = False) -> types.FileState:
        address = self._resolve(companion, name, in_run=in_run)
        return _asked(name, lambda: self.systems.of(address).state(address, resolved=True))

    def read(
        self, companion: types.Companion, name: str, offset: int = 0, length: int = -1, *, in_run: bool = False
    ) -> bytes:
        """Reads `length` bytes or as many as there are; -1: all."""
        address = self._resolve(companion, name, in_run=in_run)
        return _asked(name, lambda: self.systems.of(address).read(address, offset, length))

    def names(self, companion: types.Companion, directory: str, *, in_run: bool = False) -> list[str]:
        """Returns the names of files in a directory; none if there is no such directory."""
        address = self._resolve(companion, directory, in_run=in_run)
        try:
            return self.systems.of(address).names(address)
        except (OSError, ValueError):
            return []

    def _resolve(self, companion: types.Companion, name: str, *, in_run: bool) -> str:
        """Returns the resolved path. Raises BadInput if it is outside of the companion's directory (or run)."""
        if not companion.directory:
            raise errors.NotFound(
                f"the file that names it was not read: {shown(name)}", code="beside.not_read", name=shown(name)
            )
        if len(name) > MAX_NAME or "\0" in name:
            raise errors.NotFound(f"no file can have this name: {shown(name)}", code="file.bad_name", name=shown(name))
        home = companion.path.rpartition("/")[0] or "/"
        allowed = companion.directory.removesuffix(f"/{sources.PROJECTOR_ASSETS}") if in_run else companion.directory
        system = self.systems.of(companion.path)
        address = _asked(name, lambda: system.resolve(posixpath.join(home, name)))
        if address != allowed and not address.startswith(allowed.rstrip("/") + "/"):
            raise errors.BadInput(
                f'Asset path "{shown(name)}" resolves outside the config directory',
                hint="put the file beside projector_config.pbtxt or below it, and name it by a path relative to that",
                code="beside.outside_config",
                name=shown(name),
            )
        return address


class SourceFiles:
    """`read` is the `store.SourceReader` of a board. A link that ends outside the log directories is not followed."""

    def __init__(self, systems: filesystems.FileSystems, wanted: spec.LogdirSpec) -> None:
        self.systems = systems
        self.wanted = wanted

    def read(self, address: str, offset: int, length: int) -> bytes:
        system = self.systems.of(address)
        real = _asked(address, lambda: system.resolve(address))
        if not spec.inside(self.wanted, real, self.systems):
            raise errors.BadInput(
                f"it lies outside the log directories, where only event files are read: {address}",
                code="beside.outside",
                path=address,
            )
        return _asked(address, lambda: system.read(real, offset, length))


def shown(name: str) -> str:
    return name if len(name) <= _SHOWN_NAME else name[:_SHOWN_NAME] + "…"


def _asked(name: str, question: Callable[[], T]) -> T:
    try:
        return question()
    except (OSError, ValueError) as error:
        raise _missing(name, error) from error


def _missing(name: str, error: Exception) -> errors.LightboardError:
    number = getattr(error, "errno", None)
    if number in (errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG):
        return errors.NotFound(
            f"the file is not there: {shown(name)}",
            hint="projector_config.pbtxt names it; is it written?",
            code="beside.missing",
            name=shown(name),
        )
    if number == errno.EINVAL:
        return errors.NotFound(f"this is no file: {shown(name)}", code="file.not_a_file", name=shown(name))
    reason = getattr(error, "strerror", None) or str(error)
    return errors.Unreadable(
        f"the file cannot be read ({reason}): {shown(name)}", code="file.unreadable", path=shown(name), reason=reason
    )
