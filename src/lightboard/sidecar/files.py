"""Files that are replaced atomically, by one process at a time.

Readers see the old file or the new one. The lock is advisory and only taken to write; if a file system has no locks,
writing continues without: a file is never half written, at worst one of two simultaneous changes is lost.

People who write logs may put a link at the path of a sidecar's file, so links are not followed: reading would show
another file, and writing would change it.
"""

from __future__ import annotations

import contextlib
import dataclasses
import errno
import os
import stat
import threading
import time
from collections.abc import Callable, Iterator
from typing import Protocol, TypeVar

from lightboard import errors, no_links

LOCK = "lock"
LOCK_SECS = 10.0

T = TypeVar("T")
Stamp = tuple[int, int, int]  # inode, size, time: changes when the file is replaced
_mine = threading.Lock()  # on some systems flock does not exclude threads of the same process


class AnyFolder(Protocol):
    """A folder of this machine, or one of `objects`."""

    @property
    def path(self) -> str: ...
    @property
    def exists(self) -> bool: ...
    @property
    def writable(self) -> bool: ...
    def path_of(self, file: str) -> str: ...
    def below(self, name: str) -> AnyFolder: ...
    def stamp(self, file: str = "") -> Stamp | None: ...
    def names(self) -> list[str]: ...
    def read(self, file: str, limit: int) -> bytes | None: ...
    def replace(self, file: str, body: bytes) -> None: ...
    def rename(self, file: str, name: str) -> None: ...
    def remove(self, file: str) -> None: ...
    def make(self) -> None: ...
    def change(self, action: Callable[[], T]) -> T: ...


@dataclasses.dataclass(frozen=True)
class Folder:
    """The directory `name` below `base`, or `base` itself. Links in `base` are followed, links below it are not."""

    base: str
    name: str = ""  # relative

    @property
    def path(self) -> str:
        return f"{self.base.rstrip('/')}/{self.name}" if self.name else self.base

    def path_of(self, file: str) -> str:
        return f"{self.path.rstrip('/')}/{file}"

    def below(self, name: str) -> Folder:
        return Folder(self.base, f"{self.name}/{name}" if self.name else name)

    @property
    def exists(self) -> bool:
        return os.path.isdir(self.path)  # noqa: PTH112

    @property
    def writable(self) -> bool:
        """Also if it does not exist yet, but can be made."""
        there = self.path
        while not os.path.lexists(there) and os.path.dirname(there) != there:  # noqa: PTH120
            there = os.path.dirname(there)  # noqa: PTH120
        return os.path.isdir(there) and os.access(there, os.W_OK | os.X_OK)  # noqa: PTH112

    def stamp(self, file: str = "") -> Stamp | None:
        return stamp(self.path_of(file) if file else self.path)

    def names(self) -> list[str]:
        return names(self)

    def read(self, file: str, limit: int) -> bytes | None:
        return read(self, file, limit)

    def replace(self, file: str, body: bytes) -> None:
        replace(self, file, body)

    def rename(self, file: str, name: str) -> None:
        rename(self, file, name)

    def remove(self, file: str) -> None:
        remove(self, file)

    def make(self) -> None:
        make_folder(self)

    def change(self, action: Callable[[], T]) -> T:
        """Calls the action while no other board writes here. Raises errors.Denied if the folder cannot be written."""
        with locked(self):
            return action()


def stamp(path: str) -> Stamp | None:
    """Returns None if there is no such file, or if its status cannot be read."""
    try:
        status = os.lstat(path)
    except OSError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns


def read(folder: Folder, file: str, limit: int) -> bytes | None:
    """Returns the file's bytes, None if there is no file. Raises errors.Unreadable for all other errors."""
    path = folder.path_of(file)
    try:
        descriptor, status = no_links.open_regular(folder.base, f"{folder.name}/{file}")
        with open(descriptor, "rb") as stream:
            body = stream.read(limit) if status.st_size <= limit else None
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as problem:
        raise errors.Unreadable(
            f"cannot be read: {problem.strerror or problem}: {path}",
            code="file.unreadable",
            path=path,
            reason=problem.strerror or str(problem),
        ) from problem
    if body is None:
        raise errors.Unreadable(f"larger than {limit} bytes: {path}", code="file.too_large", path=path, limit=limit)
    return body


def names(folder: Folder) -> list[str]:
    """Returns the names of the files in the folder; none if it cannot be listed."""
    try:
        with _opened(folder) as held:
            return os.listdir(held)
    except OSError:
        return []


def replace(folder: Folder, file: str, body: bytes) -> None:
    """Raises OSError; the old file then still exists. The permissions of the file are kept."""
    fresh = f"{file}.{os.getpid()}.{threading.get_ident()}.new"
    with _opened(folder) as held:
        _refuse_link(file, held)
        try:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(fresh, dir_fd=held)
            made = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666, dir_fd=held)
            with open(made, "wb") as stream:
                stream.write(body)
                stream.flush()
                os.fsync(made)
                with contextlib.suppress(OSError):
                    os.fchmod(made, stat.S_IMODE(os.stat(file, dir_fd=held, follow_symlinks=False).st_mode))
            os.replace(fresh, file, src_dir_fd=held, dst_dir_fd=held)
        except OSError:
            with contextlib.suppress(OSError):
                os.unlink(fresh, dir_fd=held)
            raise


def rename(folder: Folder, file: str, name: str) -> None:
    with _opened(folder) as held:
        os.rename(file, name, src_dir_fd=held, dst_dir_fd=held)


def remove(folder: Folder, file: str) -> None:
    with _opened(folder) as held:
        os.unlink(file, dir_fd=held)


def make_folder(folder: Folder) -> None:
    """Creates the folder and those above it. In a shared directory it gets the permissions of that directory."""
    if not os.path.isdir(folder.base):  # noqa: PTH112
        _make_base(folder.base)
    held = no_links.open_directory(folder.base)
    for part in filter(None, folder.name.split("/")):
        above = held
        try:
            made = _make(part, above)
            held = no_links.open_directory_at(above, part)
            if made:
                _share(held, above)
        finally:
            os.close(above)
    os.close(held)


def _make(name: str, directory: int) -> bool:
    try:
        os.mkdir(name, dir_fd=directory)
    except FileExistsError:
        return False
    return True


def _make_base(base: str) -> None:
    parent = os.path.dirname(base)  # noqa: PTH120
    shared = os.path.isdir(parent)  # noqa: PTH112
    os.makedirs(base, exist_ok=True)  # noqa: PTH103
    if shared:
        with contextlib.suppress(OSError):
            os.chmod(base, stat.S_IMODE(os.stat(parent).st_mode) & 0o3777)  # noqa: PTH101


def _share(made: int, parent: int) -> None:
    with contextlib.suppress(OSError):
        os.fchmod(made, stat.S_IMODE(os.fstat(parent).st_mode) & 0o3777)


@contextlib.contextmanager
def _opened(folder: Folder) -> Iterator[int]:
    held = no_links.open_directory(folder.base, folder.name)
    try:
        yield held
    finally:
        os.close(held)


def _refuse_link(file: str, directory: int) -> None:
    if no_links.is_link(file, directory):
        raise OSError(errno.ELOOP, f"`{file}` is a symbolic link, which is not written through")


@contextlib.contextmanager
def locked(folder: Folder) -> Iterator[None]:
    """Hold the folder's lock; the folder is created if missing. Raises errors.Denied if it cannot be written."""
    try:
        make_folder(folder)
    except OSError as problem:
        raise denied(folder.path, problem) from problem
    with _mine:
        held = _take(folder)
        try:
            yield
        except OSError as problem:
            raise denied(folder.path, problem) from problem
        finally:
            if held >= 0:
                os.close(held)


def denied(folder: str, problem: OSError) -> errors.Denied:
    return errors.Denied(
        f"cannot be written: {problem.strerror or problem}: {folder}",
        hint="start the board with `--sidecar DIR` to keep remarks and views elsewhere",
        code="folder.not_writable",
        path=str(folder),
        reason=problem.strerror or str(problem),
    )


def _take(folder: Folder) -> int:
    """Returns a descriptor that holds the lock; -1 if locking is impossible."""
    try:
        import fcntl
    except ImportError:
        return -1
    held = -1
    try:
        held = _open_lock(folder)
        until = time.monotonic() + LOCK_SECS
        while True:
            try:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return held
            except BlockingIOError:
                if time.monotonic() > until:  # its holder hangs, perhaps on a dead mount
                    break
                time.sleep(0.01)
    except OSError:
        pass
    if held >= 0:
        os.close(held)
    return -1


def _open_lock(folder: Folder) -> int:
    plain = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    with _opened(folder) as directory:
        try:
            return os.open(LOCK, os.O_RDWR | os.O_CREAT | plain, 0o666, dir_fd=directory)
        except PermissionError:  # another user created it; reading is enough to lock it
            return os.open(LOCK, os.O_RDONLY | plain, dir_fd=directory)
