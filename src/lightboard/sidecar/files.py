"""Files that are replaced as a whole, by one process at a time.

Readers see the old file or the new one. The lock is advisory and only taken to write; where a file system has none,
writing goes on without it: a file is never torn, at worst one of two changes made in the same instant is lost.
"""

from __future__ import annotations

import contextlib
import os
import stat
import threading
import time
from collections.abc import Iterator

from lightboard import errors

LOCK = "lock"
LOCK_SECS = 10.0

Stamp = tuple[int, int, int]  # inode, size, time: another file has another one
_mine = threading.Lock()  # flock does not tell threads of one process apart on every system


def stamp(path: str) -> Stamp | None:
    """None: there is no such file, or it cannot be looked at."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns


def read(path: str, limit: int) -> bytes | None:
    """The file's bytes, None where there is none. Raises errors.Unreadable for everything else."""
    try:
        with open(path, "rb") as stream:
            if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
                raise errors.Unreadable(f"not a regular file: {path}")
            body = stream.read(limit + 1)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as problem:
        raise errors.Unreadable(f"cannot be read: {problem.strerror or problem}: {path}") from problem
    if len(body) > limit:
        raise errors.Unreadable(f"larger than {limit} bytes: {path}")
    return body


def replace(path: str, body: bytes) -> None:
    """Raises OSError; the old file is then still there. A link stays one, and who may read the file still may."""
    path = os.path.realpath(path)
    fresh = f"{path}.{os.getpid()}.{threading.get_ident()}.new"
    try:
        with open(fresh, "wb") as stream:
            stream.write(body)
            stream.flush()
            os.fsync(stream.fileno())
        with contextlib.suppress(OSError):
            os.chmod(fresh, stat.S_IMODE(os.stat(path).st_mode))  # noqa: PTH101
        os.replace(fresh, path)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(fresh)  # noqa: PTH108
        raise


def make_folder(folder: str) -> None:
    """The folder and those above it. Inside a shared directory it is as open to others as that directory is."""
    if os.path.isdir(folder):  # noqa: PTH112
        return
    parent = os.path.dirname(folder)  # noqa: PTH120
    shared = os.path.isdir(parent)  # noqa: PTH112
    os.makedirs(folder, exist_ok=True)  # noqa: PTH103
    if shared:
        with contextlib.suppress(OSError):
            os.chmod(folder, stat.S_IMODE(os.stat(parent).st_mode) & 0o3777)  # noqa: PTH101


@contextlib.contextmanager
def locked(folder: str) -> Iterator[None]:
    """Hold the folder's lock; made if it is not there. Raises errors.Denied where that cannot be written."""
    try:
        make_folder(folder)
    except OSError as problem:
        raise denied(folder, problem) from problem
    with _mine:
        held = _take(f"{folder}/{LOCK}")
        try:
            yield
        except OSError as problem:
            raise denied(folder, problem) from problem
        finally:
            if held >= 0:
                os.close(held)


def denied(folder: str, problem: OSError) -> errors.Denied:
    return errors.Denied(
        f"cannot be written: {problem.strerror or problem}: {folder}",
        hint="start the board with `--sidecar DIR` to keep remarks and views elsewhere",
    )


def _take(path: str) -> int:
    """A descriptor that holds the lock; -1 where locks cannot be had."""
    try:
        import fcntl
    except ImportError:
        return -1
    held = -1
    try:
        try:
            held = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except PermissionError:  # somebody else made it; to hold it, reading will do
            held = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        until = time.monotonic() + LOCK_SECS
        while True:
            try:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return held
            except BlockingIOError:
                if time.monotonic() > until:  # its holder hangs, on a dead mount perhaps
                    break
                time.sleep(0.01)
    except OSError:
        pass
    if held >= 0:
        os.close(held)
    return -1
