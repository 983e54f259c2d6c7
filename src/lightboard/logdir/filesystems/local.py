"""Paths of this machine."""

from __future__ import annotations

import dataclasses
import os
import stat
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lightboard import _native, types

IDENTITY = np.dtype([("device", "<u8"), ("inode", "<u8"), ("size", "<u8"), ("mtime_ns", "<i8")])
"""What tells whether a file is still the one that was read. The layout of `_native.walk`."""


@dataclasses.dataclass(frozen=True)
class Listing:
    """What lies below a root, sorted. Paths are relative to `base`, an absolute directory."""

    base: str
    files: list[str]
    identities: NDArray[np.void]  # IDENTITY, parallel to files
    directories: list[str]  # "" is the base itself
    errors: list[tuple[str, str]]  # (relative path, reason); "" is the base itself
    companions: list[str] = dataclasses.field(default_factory=list)  # see `logdir.companions`


Walked = tuple[list[str], bytes, list[str], list[str], list[tuple[str, str]]]
"""What `_native.walk` gives."""


def discover(
    path: str,
    *,
    exclude: Sequence[str] = (),
    threads: int = 0,
    links: types.Links = types.Links.ALL,
    homes: Sequence[str] = (),
    walked: Walked | None = None,
) -> Listing:
    """All event files at or below a path. What cannot be read is in `errors`; nothing is raised.

    `homes` are the real paths of all log directories; links that end there are the ones *inside*. `walked` is the walk
    of this very path, where the caller has done it already.
    """
    if not os.path.isdir(path) and os.path.lexists(path):  # noqa: PTH112
        base, _, name = path.rpartition("/")
        identity, reason = identify(path)
        if identity is None:
            return Listing(base, [], np.zeros(0, IDENTITY), [], [(name, reason)])
        return Listing(base, [name], identity, [], [])
    if walked is None:
        walked = _native.walk(path, links.value, threads, list(exclude), list(homes))
    files, identities, directories, companions, errors = walked
    return Listing(path, files, np.frombuffer(identities, IDENTITY), directories, errors, companions)


def vanished(path: str) -> bool:
    """Whether there is nothing at the path, as opposed to something that cannot be looked at just now."""
    try:
        os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return False


def identify(path: str) -> tuple[NDArray[np.void] | None, str]:
    """One IDENTITY row of a regular file, or None and the reason."""
    try:
        status = os.stat(path)
    except OSError as error:
        return None, error.strerror or str(error)
    if not stat.S_ISREG(status.st_mode):
        return None, "not a regular file"
    row = np.zeros(1, IDENTITY)
    row[0] = (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)
    return row, ""
