"""Opening files without following a symbolic link.

The path is walked component by component, each opened relative to its parent, so that nobody can insert a link
between a check and its use. Links in `base` are followed, links below it are not.
"""

from __future__ import annotations

import errno
import os
import stat

# O_PATH: also works for a directory that may be entered but not listed
_ENTER = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_CLOEXEC
_LIST = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC


def open_regular(base: str, name: str) -> tuple[int, os.stat_result]:
    """Returns a descriptor for reading the regular file `name` below the directory `base`, and its status.

    Raises OSError: ELOOP for a link, EINVAL for a directory, a pipe or a device. It opens none of these.
    """
    directory, _, last = name.rpartition("/")
    held = open_directory(base, directory, _ENTER)
    try:
        _check_regular(os.stat(last, dir_fd=held, follow_symlinks=False))
        descriptor = _open(last, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, held)
    finally:
        os.close(held)
    try:
        return descriptor, _check_regular(os.fstat(descriptor))  # the file may have been replaced after the first check
    except OSError:
        os.close(descriptor)
        raise


def open_directory(base: str, name: str = "", flags: int = _LIST) -> int:
    """Returns a descriptor of the directory `name` below `base`; "" is the base. Raises OSError, ELOOP for a link."""
    parts = [part for part in name.split("/") if part and part != "."]
    held = os.open(base, _ENTER if parts else flags)
    for at, part in enumerate(parts, 1):
        above = held
        try:
            held = open_directory_at(above, part, flags if at == len(parts) else _ENTER)
        finally:
            os.close(above)
    return held


def open_directory_at(directory: int, name: str, flags: int = _LIST) -> int:
    """Returns a descriptor of an entry of an open directory."""
    return _open(name, flags | os.O_NOFOLLOW, directory)


def _check_regular(status: os.stat_result) -> os.stat_result:
    if stat.S_ISLNK(status.st_mode):
        raise _linked()
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "not a regular file")
    return status


def _open(name: str, flags: int, directory: int) -> int:
    if name == "..":
        raise OSError(errno.EINVAL, "a path that leads up")
    try:
        return os.open(name, flags, dir_fd=directory)
    except OSError as error:
        # the error number for a link depends on the system
        if error.errno in (errno.ENOTDIR, errno.EMLINK, errno.ELOOP) and is_link(name, directory):
            raise _linked() from error
        raise


def is_link(name: str, directory: int) -> bool:
    """Returns whether an entry of an open directory is a symbolic link."""
    try:
        return stat.S_ISLNK(os.stat(name, dir_fd=directory, follow_symlinks=False).st_mode)
    except OSError:
        return False


def _linked() -> OSError:
    return OSError(errno.ELOOP, "a symbolic link, which is not followed")
