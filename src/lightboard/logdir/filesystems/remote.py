"""Logs elsewhere: object stores and web servers, through `storage.Connections`.

    discover     one LIST request per 1,000 keys
    read_many    ranged GETs, several at a time, by the threads of `Readers`
    prefetch     the same, ahead of time: while the native core scans a batch, the next one is fetched

A file's version is a hash of its ETag, or of time and size where there is none. Every answer to a GET says which
version it is of, so an object that was replaced between listing and reading is noticed without another request.
"""

from __future__ import annotations

import fnmatch
import hashlib
import posixpath
import re
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from lightboard import errors, sources, storage, types
from lightboard.logdir import filesystems
from lightboard.logdir.filesystems import objects, readers
from lightboard.storage import connections, faults

# An unchanged root is listed with at most 10 requests a minute.
LIST_SECS = 6.0
# A longer range is fetched in parts of this size, by several connections.
PART_BYTES = 4 << 20
# Ranges of one file with less than this between them are fetched by one request, of at most JOINED_BYTES.
NEAR_BYTES = 256 << 10
JOINED_BYTES = 16 << 20
_MAGIC = re.compile(r"[*?\[]")


class Remote:
    """The `FileSystem` of all addresses that are not paths. State: `_matches`, the objects below a root with a pattern,
    and `_pages`, the requests of the last listing by root, both since `refresh`; `_ahead`, what is being prefetched, by
    address."""

    grows_in_place = False

    def __init__(self, made: storage.Connections | None = None) -> None:
        self.connections = made or storage.Connections()
        self._readers = readers.Readers(self.connections.settings.limits.parallel_reads)
        self._lock = threading.Lock()
        self._matches: dict[str, list[connections.Meta]] = {}
        self._pages: dict[str, int] = {}
        self._ahead: dict[str, list[tuple[filesystems.Range, readers.Pending]]] = {}

    # ---- listing ----

    def refresh(self, root: str) -> None:
        with self._lock:
            self._matches.pop(root, None)

    def expand(self, root: str) -> tuple[list[str], int]:
        place = root.rstrip("/")
        if not _MAGIC.search(storage.parse(place).key):
            return [place], 0
        fixed = _fixed(place)
        depth = place.count("/") + 1
        try:
            found = self._below(place, fixed)
        except OSError:  # the listing of the root reports it
            return [fixed], 0
        base = storage.parse(fixed).place
        places = {"/".join(f"{base}/{each.key}".split("/")[:depth]) for each in found}
        return sorted(each for each in places if fnmatch.fnmatchcase(each, place)), len(fixed) + 1

    def _below(self, root: str, fixed: str) -> list[connections.Meta]:
        """All objects below the fixed part of a pattern; they are listed once for all places that match."""
        with self._lock:
            known = self._matches.get(root)
        if known is None:
            known = list(self._listed(fixed, lambda _: None))
            with self._lock:
                self._matches[root] = known
        return known

    def _listed(self, place: str, progress: Callable[[int], None]) -> Iterable[connections.Meta]:
        connection, prefix = self._connection(place)
        count = pages = 0
        for page in connection.list(prefix):
            yield from page
            count, pages = count + len(page), pages + 1
            progress(count)
        with self._lock:
            self._pages[place] = max(pages, 1)

    def discover(self, place: str, search: filesystems.Search) -> filesystems.Listing:
        try:
            return self._discovered(place, search)
        except faults.StorageError as error:
            return _troubled(place, error, error.explanation)
        except OSError as error:
            return _troubled(place, error, None)
        except errors.LightboardError as error:
            return _troubled(place, OSError(error.message), error.explanation())

    def _discovered(self, place: str, search: filesystems.Search) -> filesystems.Listing:
        found = self._matched(place)
        if found is None:
            found = list(self._listed(place, search.progress))
        prefix = storage.parse(place).key
        cut = len(prefix) + 1 if prefix else 0
        below = [each for each in found if not prefix or each.key.startswith(prefix + "/")]
        if not below and sources.is_event_file(place):
            return self._one_file(place)
        return objects.listing(place, (_object(each, cut) for each in below if each.key[cut:]), search)

    def _matched(self, place: str) -> list[connections.Meta] | None:
        """The objects of the pattern that a place matches, if it is one of a pattern."""
        with self._lock:
            for root, found in self._matches.items():
                if fnmatch.fnmatchcase(place, root):
                    return found
        return None

    def _one_file(self, place: str) -> filesystems.Listing:
        base, _, name = place.rpartition("/")
        state = self.state(place)
        identity = np.array([(state.version, state.size, state.mtime_ns)], filesystems.IDENTITY)
        return filesystems.Listing(base, [name], identity, [], [])

    def watch(self, place: str) -> filesystems.Watch:
        with self._lock:
            pages = self._pages.get(_fixed(place), 1)
        return filesystems.Watch(notified=False, interval_secs=pages * LIST_SECS)

    # ---- single files ----

    def state(self, address: str, *, resolved: bool = False) -> types.FileState:
        connection, key = self._connection(address)
        meta = connection.head(key)
        return types.FileState(meta.size, meta.mtime_ns, _version(meta))

    def names(self, address: str) -> list[str]:
        connection, prefix = self._connection(address)
        below = (each.key[len(prefix) + 1 :] for page in connection.list(prefix) for each in page)
        return sorted(name for name in below if name and "/" not in name)

    def resolve(self, address: str, known: dict[str, str] | None = None) -> str:
        scheme, mark, path = address.partition("://")
        return address if ".." not in path else f"{scheme}{mark}{posixpath.normpath(path)}"

    def path(self, address: str) -> None:
        return None

    def _connection(self, address: str) -> tuple[connections.Connection, str]:
        try:
            location = storage.parse(address)
            return self.connections.of(location), location.key
        except errors.LightboardError as error:
            explanation = error.explanation()
            raise faults.StorageError(0, explanation, passing=False) from error

    # ---- reading ----

    def read(self, address: str, offset: int = 0, length: int = -1) -> bytes:
        connection, key = self._connection(address)
        if length == 0:
            return b""
        found, _ = connection.get(key, offset, None if length < 0 else offset + length)
        return bytes(found)

    def read_many(self, ranges: Sequence[filesystems.Range]) -> list[Any]:
        joined, places = _coalesced(ranges)
        started = [self._take(each) or self._start(each) for each in joined]
        fetched = [_joined(pending.wait(), each) for pending, each in zip(started, joined, strict=True)]
        return [
            found if isinstance(found, OSError) else found[start : start + each.length]
            for each, (found, start) in zip(ranges, ((fetched[at], start) for at, start in places), strict=True)
        ]

    def prefetch(self, ranges: Sequence[filesystems.Range]) -> None:
        ahead: dict[str, list[tuple[filesystems.Range, readers.Pending]]] = {each.address: [] for each in ranges}
        ahead |= self._ahead if ranges else {}
        for each in ranges:
            if all(had != each for had, _ in ahead[each.address]):
                ahead[each.address].append((each, self._start(each)))
        self._ahead = ahead

    def _take(self, wanted: filesystems.Range) -> readers.Pending | None:
        """What was prefetched, if it covers the range: the end of the batch before may be missing at its begin."""
        for had, pending in self._ahead.pop(wanted.address, ()):
            missing = had.offset - wanted.offset
            if had.version == wanted.version and 0 <= missing <= wanted.length <= missing + had.length:
                gap = filesystems.Range(wanted.address, wanted.offset, missing, wanted.version)
                return readers.Chain([self._start(gap), pending]) if missing else pending
        return None

    def _start(self, wanted: filesystems.Range) -> readers.Pending:
        parts = range(wanted.offset, wanted.offset + wanted.length, PART_BYTES) if wanted.length else ()
        end = wanted.offset + wanted.length
        return self._readers.start(
            [
                lambda start=start: self._part(wanted, start, min(start + PART_BYTES, end))  # type: ignore[misc]
                for start in parts
            ]
        )

    def _part(self, wanted: filesystems.Range, start: int, end: int) -> Any:
        connection, key = self._connection(wanted.address)
        found, meta = connection.get(key, start, end)
        if wanted.version and _version(meta) != wanted.version:
            raise faults.changed()
        if len(found) != end - start:
            raise faults.shorter()
        return found


def _coalesced(ranges: Sequence[filesystems.Range]) -> tuple[list[filesystems.Range], list[tuple[int, int]]]:
    """Joins ranges of one file that lie close together. Returns the joined ones, and for each range the number of its
    joined one and its place in it."""
    joined: list[filesystems.Range] = []
    places: list[tuple[int, int]] = [(0, 0)] * len(ranges)
    for at in sorted(range(len(ranges)), key=lambda at: (ranges[at].address, ranges[at].offset)):
        each = ranges[at]
        last = joined[-1] if joined else None
        if last is not None and (last.address, last.version) == (each.address, each.version):
            end = max(last.offset + last.length, each.offset + each.length)
            if each.offset <= last.offset + last.length + NEAR_BYTES and end - last.offset <= JOINED_BYTES:
                joined[-1] = last._replace(length=end - last.offset)
                places[at] = len(joined) - 1, each.offset - last.offset
                continue
        joined.append(each)
        places[at] = len(joined) - 1, 0
    return joined, places


def _joined(parts: list[Any] | OSError, wanted: filesystems.Range) -> Any:
    if isinstance(parts, OSError):
        return parts
    if len(parts) == 1:
        return memoryview(parts[0])[: wanted.length]
    return memoryview(b"".join(parts))[: wanted.length]


def _fixed(place: str) -> str:
    """The part of a pattern before its first special sign, to the last slash."""
    match = _MAGIC.search(place)
    return place[: match.start()].rpartition("/")[0] if match else place


def _object(meta: connections.Meta, cut: int) -> objects.Object:
    return objects.Object(meta.key[cut:], _version(meta), meta.size, meta.mtime_ns)


def _version(meta: connections.Meta) -> int:
    identity = meta.etag or f"{meta.mtime_ns} {meta.size}"
    return int.from_bytes(hashlib.blake2b(identity.encode(), digest_size=8).digest(), "little") or 1


def _troubled(place: str, error: OSError, because: errors.Explanation | None) -> filesystems.Listing:
    trouble = filesystems.Trouble("", filesystems.reason_of(error), vanished=False, because=because)
    return filesystems.Listing(place, [], np.zeros(0, filesystems.IDENTITY), [], [trouble])
