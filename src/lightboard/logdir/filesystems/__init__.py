"""Where logs can lie: one `FileSystem` for each scheme, chosen by the scheme of a root.

    expand      which places a root names now          `runs/*/tb` → every match
    discover    what lies below a place, with identities
    state       one file's identity
    read, read_many    bytes of one range, of many ranges at once
    watch       how changes become known there, and what looking for them costs

An *address* names a file: an absolute path on this machine, a URI elsewhere. Store, index and faults keep addresses
and never take them apart; whoever needs bytes asks `FileSystems`. Another file system is a module beside `local`, and
the line that hands it to the board.
"""

from __future__ import annotations

import dataclasses
import os
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from lightboard import errors, sources, types

IDENTITY = np.dtype([("version", "<u8"), ("size", "<u8"), ("mtime_ns", "<i8")])
"""What tells whether a file is still the one that was read; the layout of `_native.walk`. `version` is one number for
what names the content besides: device and inode locally, an ETag or a generation elsewhere. It is never 0."""

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")


class Trouble(NamedTuple):
    """Something below a root that could not be listed; path "" is the root itself."""

    path: str
    reason: str
    vanished: bool  # there is nothing any more, as opposed to something that cannot be looked at just now


class Files(NamedTuple):
    """Sorted relative paths, and their IDENTITY rows."""

    paths: list[str]
    identities: NDArray[np.void]


@dataclasses.dataclass(frozen=True)
class Search:
    """What to list below a place."""

    rules: tuple[sources.Rule, ...] = sources.RULES  # of files that are no event files
    exclude: tuple[str, ...] = ()  # shell patterns on relative paths of directories
    links: types.Links = types.Links.ALL  # which are followed, where there are such things
    homes: tuple[str, ...] = ()  # all roots, resolved: links that end there are the ones *inside*
    threads: int = 0


@dataclasses.dataclass(frozen=True)
class Listing:
    """What lies below a root, sorted. Paths are relative to `base`, an address."""

    base: str
    files: list[str]
    identities: NDArray[np.void]  # IDENTITY, parallel to files
    directories: list[str]  # those the kernel can watch, "" is the base itself; none where it cannot
    errors: list[Trouble]
    beside: tuple[Files, ...] = ()  # those of each rule of the search


class Range(NamedTuple):
    """`length` bytes of a file. With a version, only as long as the file has it."""

    address: str
    offset: int
    length: int
    version: int = 0


@dataclasses.dataclass(frozen=True)
class Watch:
    """How changes below a root become known."""

    told: bool  # the kernel tells of changes in the directories listed; else they are found by listing again
    reason: str = ""  # a few words for people where changes are not told although one might expect it
    interval_secs: float = 0.0  # list no more often than this; it may be another number each time


class FileSystem(Protocol):
    """Addresses in, bytes and identities out. Any thread may call. What cannot be read raises OSError with a reason for
    people; FileNotFoundError means that there is nothing."""

    grows_in_place: bool  # a file that is appended to keeps its version; on object stores it gets another

    def expand(self, root: str) -> tuple[list[str], int]:
        """The places a root names now, and where in them the part that a pattern matched begins (0: no pattern)."""

    def discover(self, place: str, search: Search) -> Listing:
        """All event files at or below a place, and what the rules want. Nothing is raised: what cannot be read is in
        `errors`."""

    def state(self, address: str, *, resolved: bool = False) -> types.FileState:
        """With `resolved`, no link is followed any more. OSError EINVAL: there is something, but no regular file."""

    def names(self, address: str) -> list[str]:
        """Of the files in a resolved directory, sorted."""

    def resolve(self, address: str, known: dict[str, str] | None = None) -> str:
        """The address with `..` and links followed: two that lead to one file are equal then. `known` are directories
        resolved by the same look, for many addresses without `..`."""

    def path(self, address: str) -> str | None:
        """Where the native core can read the file by itself; None where its bytes have to be fetched."""

    def read(self, address: str, offset: int = 0, length: int = -1) -> bytes:
        """So many bytes of a resolved address, or as many as there are; -1: all."""

    def read_many(self, ranges: Sequence[Range]) -> list[bytes | OSError]:
        """All at once, each whole or with the reason why not."""

    def watch(self, place: str) -> Watch: ...


Source = str | OSError | tuple[bytes, int, int, int]
"""What a native task reads: a path, or (bytes, size of the file, version, mtime_ns), or why there are no bytes."""


class FileSystems:
    """This machine's files, and those of other schemes as they were handed in: scheme → file system."""

    def __init__(self, others: Mapping[str, FileSystem] | None = None) -> None:
        from lightboard.logdir.filesystems import local

        self.local = local.Local()
        self._others = dict(others or {})

    def of(self, address: str) -> FileSystem:
        """The file system that a root or file lies on. Raises errors.BadInput for one we cannot read."""
        name = "" if address.startswith("/") else scheme(address)
        if name in ("", "file"):
            return self.local
        if name not in self._others:
            raise errors.BadInput(
                f"`{name}://` is not supported yet, only paths of mounted file systems are: {address}",
                hint="mount the bucket (for instance with rclone or goofys) and give the mount's path",
            )
        return self._others[name]

    @property
    def fetching(self) -> bool:
        """Whether some files may have to be fetched before they can be scanned."""
        return bool(self._others)

    def sources(self, addresses: list[str], files: NDArray[np.void], limit: int) -> Sequence[Source]:
        """What the native scan shall read of files (rows of `tables.FILE`), at most `limit` bytes of each."""
        if not self.fetching:
            return addresses
        sources: list[Source] = list(addresses)
        wanted: dict[int, tuple[FileSystem, list[int]]] = {}
        for position, address in enumerate(addresses):
            system = self.of(address)
            path = system.path(address)
            if path is not None:
                sources[position] = path
            else:
                wanted.setdefault(id(system), (system, []))[1].append(position)
        for system, positions in wanted.values():
            ranges = [_rest(addresses[position], files[position], limit) for position in positions]
            for position, fetched in zip(positions, system.read_many(ranges), strict=True):
                row = files[position]
                sources[position] = (
                    OSError(reason_of(fetched))
                    if isinstance(fetched, OSError)
                    else (fetched, int(row["size"]), int(row["version"]), int(row["mtime_ns"]))
                )
        return sources


def _rest(address: str, row: np.void, limit: int) -> Range:
    offset, size = int(row["offset"]), int(row["size"])
    return Range(address, offset, max(0, min(limit, size - offset)), int(row["version"]))


def scheme(path: str) -> str:
    """`s3` of `s3://bucket/runs`, "" for a plain path."""
    match = _SCHEME.match(path)
    return match.group(1).lower() if match else ""


def absolute(path: str) -> str:
    """A root as an address, patterns and links as the user named them."""
    if scheme(path) not in ("", "file"):
        return path.rstrip("/")
    plain = path[len("file://") :] if scheme(path) else path
    return os.path.abspath(os.path.expanduser(plain))  # noqa: PTH100, PTH111


def reason_of(error: OSError) -> str:
    return error.strerror or str(error)
