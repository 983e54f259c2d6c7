"""Access to logs: one `FileSystem` for each URI scheme, chosen by the scheme of a root.

    expand      paths that a root matches now          `runs/*/tb` → every match
    discover    files below a path, with identities
    state       one file's identity
    read, read_many    bytes of one range, of many ranges at once
    streams     large ranges, fetched while they are scanned
    watch       whether changes are notified or polled, and how often

An *address* names a file: an absolute path on this machine, a URI elsewhere. Store, index and faults keep addresses
and never parse them; code that needs bytes calls `FileSystems`. To add a file system, write a module beside `local`
and pass it to the board.
"""

from __future__ import annotations

import dataclasses
import os
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from lightboard import errors, sources, types

if TYPE_CHECKING:
    from lightboard import storage
    from lightboard.logdir import refusals

IDENTITY = np.dtype([("version", "<u8"), ("size", "<u8"), ("mtime_ns", "<i8")])
"""Used to detect whether a file is still the one that was read; the layout of `_native.walk`. `version` identifies the
content by one number: from device and inode locally, from an ETag or a generation elsewhere. It is never 0.
"""

Bytes = bytes | memoryview

# Shorter ranges are fetched before they are scanned, many at a time.
STREAMED_BYTES = 256 << 10

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")


class Trouble(NamedTuple):
    """Something below a root that could not be listed; path "" is the root itself."""

    path: str
    reason: str
    vanished: bool  # it no longer exists, as opposed to something that cannot be read at the moment
    because: errors.Explanation | None = None  # the reason with a code, if there is one


Remark = errors.Explanation


class Files(NamedTuple):
    """Sorted relative paths, and their IDENTITY rows."""

    paths: list[str]
    identities: NDArray[np.void]


@dataclasses.dataclass(frozen=True)
class Search:
    """What to list below a place."""

    rules: tuple[sources.Rule, ...] = sources.RULES  # for files other than event files
    exclude: tuple[str, ...] = ()  # shell patterns on relative paths of directories
    links: types.Links = types.Links.ALL  # which are followed, if the system has links
    homes: tuple[str, ...] = ()  # all roots, resolved: links to below them count as *inside*
    threads: int = 0
    progress: Callable[[int], None] = lambda count: None  # called with the number of files found, if a listing is slow


@dataclasses.dataclass(frozen=True)
class Listing:
    """What lies below a root, sorted. Paths are relative to `base`, an address."""

    base: str
    files: list[str]
    identities: NDArray[np.void]  # IDENTITY, parallel to files
    directories: list[str]  # those the kernel can watch, "" is the base itself; none where it cannot
    errors: list[Trouble]
    beside: tuple[Files, ...] = ()  # those of each rule of the search
    _: dataclasses.KW_ONLY
    remark: Remark | None = None  # why nothing was found, where the listing itself succeeded
    late: bool = False  # it is still being listed: what was found before is still there


class Range(NamedTuple):
    """`length` bytes of a file; with a version, only while the file has it."""

    address: str
    offset: int
    length: int
    version: int = 0


@dataclasses.dataclass(frozen=True)
class Watch:
    """How changes below a root are detected."""

    notified: bool  # the kernel notifies of changes in the listed directories; else they are polled by listing
    # for the user: why changes are polled although one might expect notifications
    reason: errors.Explanation | None = None
    interval_secs: float = 0.0  # list unchanged files at most this often; may differ from call to call


class Unfetched(OSError):
    """Why there are no bytes, in words; `because` is the same with a code, if it has one."""

    def __init__(self, error: OSError) -> None:
        super().__init__(reason_of(error))
        because = getattr(error, "explanation", None)
        self.because: errors.Explanation | None = because if isinstance(because, errors.Explanation) else None


class Stream(Protocol):
    """A `_native.Stream`. What could not be fetched ends it early, and `error` says why."""

    error: OSError | None

    def next(self, received: int, /) -> tuple[int | Callable[[memoryview], int], bytes, int, float, float] | None: ...

    def close(self, received: int, /) -> None: ...


class FileSystem(Protocol):
    """Addresses in, bytes and identities out. Any thread may call. Unreadable files raise OSError with a reason for
    the user; FileNotFoundError means that nothing exists there."""

    grows_in_place: bool  # a file keeps its version when it is appended to; on object stores it gets another

    def expand(self, root: str) -> tuple[list[str], int]:
        """The paths a root matches now, and the index in them where the matched part begins (0: no pattern)."""

    def refresh(self, root: str) -> None:
        """A new look at a root begins: results of earlier listings must not be used again."""

    def discover(self, place: str, search: Search) -> Listing:
        """All event files at or below a path, and the files of the rules. Never raises: `errors` lists what cannot be
        read."""

    def state(self, address: str, *, resolved: bool = False) -> types.FileState:
        """With `resolved`, links are not followed. OSError EINVAL: it exists, but is not a regular file."""

    def names(self, address: str) -> list[str]:
        """Sorted file names of a resolved directory."""

    def resolve(self, address: str, known: dict[str, str] | None = None) -> str:
        """The address with `..` and links followed, so that each file has only one. `known` caches directories that are
        resolved already, for many addresses without `..`."""

    def path(self, address: str) -> str | None:
        """The path at which the native core can read the file; None if its bytes must be fetched."""

    def read(self, address: str, offset: int = 0, length: int = -1) -> bytes:
        """At most `length` bytes of a resolved address; -1: all."""

    def read_many(self, ranges: Sequence[Range]) -> list[Bytes | OSError]:
        """All at once: each range's bytes, or the error."""

    def prefetch(self, ranges: Sequence[Range]) -> None:
        """Start to fetch ranges that will be read soon."""

    def end_prefetch(self) -> None:
        """Forget what was prefetched and not read."""

    def streams(self, ranges: Sequence[Range]) -> Sequence[Stream]:
        """Large ranges that one scan will read in this order. They begin to arrive when it reads the first one."""

    def watch(self, place: str) -> Watch: ...


Source = str | OSError | tuple[Bytes, int, int, int] | tuple[Stream, int, int, int, int]
"""Input of a native task: see `_native.Source`."""


class FileSystems:
    """This machine's files, and everything else: object stores and web servers, with the settings of `storage.toml`.
    `others` replaces file systems by scheme, for tests. State: `_remote`, made by the first address elsewhere;
    `_failed`, why streams ended early, by address, until `sources` returns it."""

    def __init__(
        self, others: Mapping[str, FileSystem] | None = None, *, settings: storage.Settings | None = None
    ) -> None:
        from lightboard.logdir.filesystems import local

        self.local = local.Local()
        self.settings = settings
        self.refusals: refusals.Refusals | None = None  # of the files that `sources` fetches
        self._others = dict(others or {})
        self._remote: FileSystem | None = None
        self._failed: dict[str, OSError] = {}

    def of(self, address: str) -> FileSystem:
        """The file system of a root or file. Raises errors.BadInput if its scheme is not supported."""
        name = "" if address.startswith("/") else scheme(address)
        if name in ("", "file"):
            return self.local
        if name in self._others:
            return self._others[name]
        if self._remote is None:
            from lightboard import storage
            from lightboard.logdir import refusals
            from lightboard.logdir.filesystems import remote

            storage.parse(address)
            self.refusals = refusals.Refusals()
            self._remote = remote.Remote(storage.Connections(self.settings))
        return self._remote

    @property
    def fetching(self) -> bool:
        """Whether some files may have to be fetched before they can be scanned."""
        return bool(self._others) or self._remote is not None

    def prefetch(self, addresses: list[str], files: NDArray[np.void], limit: int) -> None:
        """Begin to fetch what `sources` with the same arguments will need before the scan."""
        for system, positions in self._to_fetch(addresses):
            ranges = [_rest(addresses[position], files[position], limit) for position in positions]
            system.prefetch([each for each in ranges if each.length < STREAMED_BYTES])

    def ended_early(self, addresses: list[str], used: Sequence[Source]) -> list[bool]:
        """After a scan: whether a source of it was a stream that failed. The next `sources` returns its error."""
        early = [False] * len(used)
        if not self.fetching:
            return early
        for position, (address, source) in enumerate(zip(addresses, used, strict=True)):
            if not isinstance(source, tuple) or len(source) != 5:
                continue
            error = source[0].error
            if error is not None:
                self._failed[address] = error
                early[position] = True
            elif self.refusals is not None:
                self.refusals.note(address, b"")
        return early

    def end_prefetch(self) -> None:
        self._failed.clear()
        for system in (*self._others.values(), *filter(None, [self._remote])):
            system.end_prefetch()

    def _to_fetch(self, addresses: list[str]) -> list[tuple[FileSystem, list[int]]]:
        """The files that the native core cannot open, by file system."""
        wanted: dict[int, tuple[FileSystem, list[int]]] = {}
        for position, address in enumerate(addresses):
            system = self.of(address)
            if system.path(address) is None:
                wanted.setdefault(id(system), (system, []))[1].append(position)
        return list(wanted.values())

    def sources(
        self, addresses: list[str], files: NDArray[np.void], limit: int, *, streamed: bool = True
    ) -> Sequence[Source]:
        """Inputs of a scan for files (rows of `row_types.FILE`), at most `limit` bytes of each. `streamed`: large ones
        as streams, which the native scan can read."""
        if not self.fetching:
            return addresses
        sources: list[Source] = list(addresses)
        for system, positions in self._to_fetch(addresses):
            wanted = {position: _rest(addresses[position], files[position], limit) for position in positions}
            failed = {position: self._failed.pop(addresses[position], None) for position in positions}
            large = [at for at in positions if streamed and wanted[at].length >= STREAMED_BYTES and not failed[at]]
            small = [at for at in positions if at not in set(large) and not failed[at]]
            found: dict[int, Bytes | OSError | Stream | None] = {**failed}
            found.update(zip(small, system.read_many([wanted[at] for at in small]), strict=True))
            found.update(zip(large, system.streams([wanted[at] for at in large]), strict=True))
            for position, fetched in found.items():
                sources[position] = self._source(wanted[position], files[position], fetched)
        return sources

    def _source(self, wanted: Range, row: np.void, fetched: Bytes | OSError | Stream | None) -> Source:
        identity = int(row["size"]), int(row["version"]), int(row["mtime_ns"])
        if isinstance(fetched, (bytes, memoryview, OSError)) and self.refusals is not None:
            self.refusals.note(wanted.address, fetched)
        if isinstance(fetched, OSError):
            return Unfetched(fetched)
        if isinstance(fetched, (bytes, memoryview)):
            return fetched, *identity
        assert fetched is not None
        return fetched, wanted.length, *identity


def _rest(address: str, row: np.void, limit: int) -> Range:
    offset, size = int(row["offset"]), int(row["size"])
    return Range(address, offset, max(0, min(limit, size - offset)), int(row["version"]))


def scheme(path: str) -> str:
    """`s3` of `s3://bucket/runs`, "" for a plain path."""
    match = _SCHEME.match(path)
    return match.group(1).lower() if match else ""


def absolute(path: str) -> str:
    """A root as an address; patterns and links are kept as written."""
    if scheme(path) not in ("", "file"):
        return path.rstrip("/")
    plain = path[len("file://") :] if scheme(path) else path
    return os.path.abspath(os.path.expanduser(plain))  # noqa: PTH100, PTH111


def root_of(text: str, settings: storage.Settings | None = None) -> str:
    """What a user wrote, as the path or address of a root: claims become their directories. Raises errors.BadInput."""
    if ":" not in text:  # most starts need not import the room
        return text
    from lightboard import storage

    location = storage.parse(text)
    if location.service is storage.Service.FILE:
        return location.key
    if location.service is storage.Service.CLAIM:
        directory = (settings or storage.Settings()).directory(location.bucket)
        return os.path.join(directory, location.key) if location.key else directory  # noqa: PTH118
    if location.secret:
        (settings or storage.Settings()).secret(location.secret)
    return location.address


def reason_of(error: OSError) -> str:
    return error.strerror or str(error)
