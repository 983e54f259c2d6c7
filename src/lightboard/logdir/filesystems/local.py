"""Paths of this machine, which includes NFS, FUSE mounts and the like."""

from __future__ import annotations

import contextlib
import errno
import glob
import os
import re
import stat
from collections.abc import Iterator, Sequence

import numpy as np

from lightboard import _native, errors, no_links, sources, types
from lightboard.logdir import filesystems
from lightboard.logdir.filesystems import mounts

Walked = tuple[list[tuple[list[str], bytes]], list[str], list[tuple[str, str, int]]]
"""The result of `_native.walk`."""


class Local:
    """The `FileSystem` of absolute paths."""

    grows_in_place = True

    def expand(self, root: str) -> tuple[list[str], int]:
        path = filesystems.absolute(root)
        if not glob.has_magic(path) or os.path.lexists(path):
            return [path], 0
        fixed = path[: re.search(r"[*?\[]", path).start()].rpartition(os.sep)[0]  # type: ignore[union-attr]
        return sorted(glob.glob(path, recursive=True)), len(fixed) + 1

    def refresh(self, root: str) -> None:
        pass

    def discover(self, place: str, search: filesystems.Search) -> filesystems.Listing:
        if not os.path.isdir(place) and os.path.lexists(place):  # noqa: PTH112
            return self._one_file(place)
        wanted = sources.patterns(search.rules)
        return listed(
            place, _native.walk(place, wanted, search.links.value, search.threads, search.exclude, search.homes)
        )

    def _one_file(self, place: str) -> filesystems.Listing:
        base, _, name = place.rpartition("/")
        try:
            state = self.state(place)
        except OSError as error:
            trouble = filesystems.Trouble(name, filesystems.reason_of(error), vanished(place))
            return filesystems.Listing(base, [], np.zeros(0, filesystems.IDENTITY), [], [trouble])
        identity = np.array([(state.version, state.size, state.mtime_ns)], filesystems.IDENTITY)
        return filesystems.Listing(base, [name], identity, [], [])

    def state(self, address: str, *, resolved: bool = False) -> types.FileState:
        if resolved:
            with _opened(address) as (_, status):
                return _state(status)
        status = os.stat(address)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "not a regular file")
        return _state(status)

    def names(self, address: str) -> list[str]:
        held = no_links.open_directory("/", address)
        try:
            with os.scandir(held) as entries:
                return sorted(entry.name for entry in entries if entry.is_file())
        finally:
            os.close(held)

    def resolve(self, address: str, known: dict[str, str] | None = None) -> str:
        if known is None or address == "/":
            return os.path.realpath(address)
        above, _, name = address.rpartition("/")
        above = above or "/"
        if above not in known:
            known[above] = self.resolve(above, known)
        place = f"{known[above].rstrip('/')}/{name}"
        return os.path.realpath(place) if os.path.islink(place) else place  # noqa: PTH114

    def path(self, address: str) -> str:
        return address

    def read(self, address: str, offset: int = 0, length: int = -1) -> bytes:
        with _opened(address) as (descriptor, status):
            there = max(0, status.st_size - offset)
            return _read(descriptor, offset, there if length < 0 else min(length, there))

    def read_many(self, ranges: Sequence[filesystems.Range]) -> list[filesystems.Bytes | OSError]:
        return [self._maybe_read(each) for each in ranges]

    def prefetch(self, ranges: Sequence[filesystems.Range]) -> None:
        pass

    def end_prefetch(self) -> None:
        pass

    def streams(self, ranges: Sequence[filesystems.Range]) -> Sequence[filesystems.Stream]:
        if ranges:
            raise ValueError("the native core reads local files by their paths")
        return []

    def _maybe_read(self, wanted: filesystems.Range) -> bytes | OSError:
        try:
            if wanted.version and self.state(wanted.address).version != wanted.version:
                return OSError("it has become another file")
            # opening a named pipe would block
            descriptor = os.open(wanted.address, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
            try:
                found = _read(descriptor, wanted.offset, wanted.length)
            finally:
                os.close(descriptor)
        except OSError as error:
            return error
        return found if len(found) == wanted.length else OSError("it is shorter than it was")

    def watch(self, place: str) -> filesystems.Watch:
        kind = mounts.remote(place)
        reason = _network_mount(kind) if kind else None
        return filesystems.Watch(notified=not kind, reason=reason)


def _network_mount(kind: str) -> errors.Explanation:
    message = f"a network mount ({kind}) does not report what other machines write"
    return errors.Explanation(message, code="polling.network", parameters={"kind": kind})


def listed(place: str, walked: Walked) -> filesystems.Listing:
    """Turns a walk by `sources.patterns` into a listing. Broken links are reported only for event files."""
    found, directories, unread = walked
    events, *beside = (
        filesystems.Files(paths, np.frombuffer(identities, filesystems.IDENTITY)) for paths, identities in found
    )
    troubles = [
        filesystems.Trouble(path, reason, vanished(f"{place}/{path}")) for path, reason, rule in unread if rule <= 0
    ]
    return filesystems.Listing(place, *events, directories, troubles, tuple(beside))


def vanished(path: str) -> bool:
    """Returns whether nothing exists at the path. False if something exists but cannot be read now."""
    try:
        os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return False


@contextlib.contextmanager
def _opened(real: str) -> Iterator[tuple[int, os.stat_result]]:
    """Opens a regular file without following a link that was created after its path was resolved."""
    descriptor, status = no_links.open_regular("/", real)
    try:
        yield descriptor, status
    finally:
        os.close(descriptor)


def _state(status: os.stat_result) -> types.FileState:
    version = _native.file_version(status.st_dev, status.st_ino)
    return types.FileState(status.st_size, status.st_mtime_ns, version)


def _read(descriptor: int, offset: int, length: int) -> bytes:
    pieces: list[bytes] = []
    while length > 0:
        piece = os.pread(descriptor, min(length, 1 << 30), offset)
        if not piece:
            break
        pieces.append(piece)
        offset += len(piece)
        length -= len(piece)
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)
