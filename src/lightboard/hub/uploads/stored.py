"""The directory of an upload on disk: opening files for writing, reading, flushing, removing.

    <store>/<id>/files/<path>     as they were sent
    <store>/.trash/<id>/          being removed
    <store>/.bucket               the address of the bucket that has the files, if there is one

Only the hub writes here, so there are no links; `O_NOFOLLOW` holds it to that. Directories have mode 0700. Files are
opened below a descriptor of the directory: an upload that is deleted meanwhile takes the file with it.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import pathlib
import shutil
from collections.abc import Iterable, Iterator

from lightboard import errors
from lightboard.hub.life import refusals

FILES = "files"
TRASH = ".trash"
BUCKET = ".bucket"
MOST_LEFT = 20  # paths that a refused removal names


class FileBusy(refusals.Refusal):
    status = 409
    rest_code = "FileBusy"


class PathConflict(refusals.Refusal):
    status = 409
    rest_code = "PathConflict"


class StorageFull(refusals.Refusal):
    status = 507
    rest_code = "StorageFull"


def open_below(top: int, path: str, *, replace: bool) -> int:
    """Opens a file for writing and locks it, without waiting; makes its directories. `replace`: as a new file.

    A reader that has the old file keeps it. Raises FileBusy, PathConflict, StorageFull.
    """
    with explained(path):
        while True:
            descriptor = _opened(top, path)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                os.close(descriptor)
                raise FileBusy(f"another request writes this file: {path}", hint="try again") from error
            if not _is_current(descriptor, top, path):  # replaced between open and lock
                os.close(descriptor)
                continue
            if not replace or not os.fstat(descriptor).st_size:
                return descriptor
            try:
                return _renewed(top, path)
            finally:
                os.close(descriptor)


def _opened(top: int, path: str) -> int:
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        return os.open(path, flags, 0o600, dir_fd=top)
    except FileNotFoundError:
        parts = path.split("/")[:-1]
        for count in range(1, len(parts) + 1):
            with contextlib.suppress(FileExistsError):
                os.mkdir("/".join(parts[:count]), 0o700, dir_fd=top)
        return os.open(path, flags, 0o600, dir_fd=top)


def _renewed(top: int, path: str) -> int:
    """A new, locked file in place of the old one, whose lock the caller has."""
    folder, _, name = path.rpartition("/")
    partial = f"{folder}/.new" if folder else ".new"  # no file of an upload has this name
    partial = f"{partial}-{os.getpid()}-{abs(hash(name)):x}"
    descriptor = os.open(partial, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600, dir_fd=top)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    os.rename(partial, path, src_dir_fd=top, dst_dir_fd=top)
    return descriptor


def _is_current(descriptor: int, top: int, path: str) -> bool:
    try:
        found = os.stat(path, dir_fd=top, follow_symlinks=False)
    except FileNotFoundError:
        return False
    own = os.fstat(descriptor)
    return (found.st_dev, found.st_ino) == (own.st_dev, own.st_ino)


def write_at(descriptor: int, data: bytes, offset: int, path: str) -> None:
    with explained(path), memoryview(data) as view:
        done = 0
        while done < len(view):
            done += os.pwrite(descriptor, view[done:], offset + done)


@contextlib.contextmanager
def explained(path: str) -> Iterator[None]:
    """What the system refuses, in words."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOTDIR, errno.EISDIR, errno.EEXIST, errno.ELOOP):
            message = f"a file and a directory would have the same path: {path}"
            raise PathConflict(message, hint="rename one of them, or use another upload") from error
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            hint = "tell the admin of the hub; what was sent stays, and the upload can be continued"
            raise StorageFull("the hub's disk is full", hint=hint) from error
        raise


def flush(top: pathlib.Path, paths: Iterable[str]) -> None:
    """Waits until these files are on disk. One that is gone is not an error."""
    for path in paths:
        with contextlib.suppress(FileNotFoundError):
            descriptor = os.open(top / path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
            try:
                os.fdatasync(descriptor)
            finally:
                os.close(descriptor)


def sizes(top: pathlib.Path) -> dict[str, int]:
    """The files below a directory, by path."""
    found: dict[str, int] = {}
    for folder, _, names in os.walk(top):
        for name in names:
            if not name.startswith(".new"):
                full = os.path.join(folder, name)  # noqa: PTH118 (of a walk)
                with contextlib.suppress(FileNotFoundError):
                    found[os.path.relpath(full, top)] = os.lstat(full).st_size
    return found


def size_of(path: pathlib.Path) -> int:
    """-1: it is not there."""
    try:
        return os.lstat(path).st_size
    except OSError:
        return -1


def newest(top: pathlib.Path) -> float:
    """When something below a directory was written last."""
    times = [0.0]
    for path in sizes(top):
        with contextlib.suppress(FileNotFoundError):
            times.append(os.lstat(top / path).st_mtime)
    return max(times)


def share(top: int) -> None:
    """Locks the directory of an upload for a writer; there may be many. While one is there, no copy is removed."""
    fcntl.flock(top, fcntl.LOCK_SH)


def clear(top: pathlib.Path) -> None:
    """Removes everything below a directory. The caller has its lock."""
    for each in top.iterdir():
        if each.is_dir() and not each.is_symlink():
            shutil.rmtree(each)
        else:
            each.unlink()


def remove(store: pathlib.Path, upload: str) -> list[str]:
    """Removes everything of an upload; returns what could not be removed, with the reason."""
    trash = store / TRASH / upload
    trash.parent.mkdir(mode=0o700, exist_ok=True)
    with contextlib.suppress(FileNotFoundError):
        (store / upload).rename(trash)
    left: list[str] = []

    def failed(_: object, path: str, reason: object) -> None:
        error = reason[1] if isinstance(reason, tuple) else reason
        if isinstance(error, OSError) and error.errno not in (errno.ENOENT, errno.ENOTEMPTY):
            left.append(f"{os.path.relpath(path, trash)}: {error.strerror}")

    shutil.rmtree(trash, onerror=failed)
    if trash.exists() and not left:
        left.append("a file was written meanwhile")
    return left[:MOST_LEFT]


def unreadable(store: pathlib.Path, error: OSError) -> errors.LightboardError:
    return errors.Unreadable(f"the directory of uploads cannot be used, {error.strerror}: {store}")
