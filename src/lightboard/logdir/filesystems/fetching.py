"""Fetches ranges of files elsewhere into buffers: several requests at a time, some of them ahead of time.

    read_many    ranges of one file that lie close together are fetched by one request
    prefetch     while the native core scans a batch, the next one is fetched

Large files are scanned while they arrive instead: see `streams`.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lightboard.logdir import filesystems
from lightboard.logdir.filesystems import readers
from lightboard.storage import connections, faults

# A longer range is fetched in parts of this size, by several connections.
PART_BYTES = 8 << 20
# Doubles with each try.
RETRY_SECS = 0.1
# Ranges of one file with less than this between them are fetched by one request, of at most JOINED_BYTES.
NEAR_BYTES = 256 << 10
JOINED_BYTES = 16 << 20

Buffer = NDArray[np.uint8]
Connect = Callable[[str], tuple[connections.Connection, str]]
"""The connection and the key of an address."""


class _Started(NamedTuple):
    wanted: filesystems.Range
    buffer: Buffer
    group: readers.Group


class Fetcher:
    """State: `_ahead`, what is being prefetched, by address and offset. Only the follower's thread prefetches; any
    thread may call `read_many`."""

    def __init__(self, connect: Connect, version: Callable[[connections.Meta], int], threads: readers.Readers) -> None:
        self._connect = connect
        self._version = version
        self._readers = threads
        self._ahead: dict[tuple[str, int], _Started] = {}

    def read_many(self, ranges: Sequence[filesystems.Range]) -> list[Any]:
        joined, places = coalesced(ranges)
        started = [self._taken(each) or self._start(each) for each in joined]
        fetched = [_waited(each, wanted) for each, wanted in zip(started, joined, strict=True)]
        return [
            found if isinstance(found, OSError) else found[start : start + each.length]
            for each, (found, start) in zip(ranges, ((fetched[at], start) for at, start in places), strict=True)
        ]

    def prefetch(self, ranges: Sequence[filesystems.Range]) -> None:
        for each in ranges:
            had = self._ahead.get((each.address, each.offset))
            if had is None or not _covers(had, each):
                self._ahead[each.address, each.offset] = self._start(each)

    def end_prefetch(self) -> None:
        self._ahead = {}

    def _taken(self, wanted: filesystems.Range) -> _Started | None:
        """What was prefetched, if it has the range."""
        had = self._ahead.pop((wanted.address, wanted.offset), None)
        return had if had is not None and _covers(had, wanted) else None

    def _start(self, wanted: filesystems.Range) -> _Started:
        buffer = np.empty(wanted.length, np.uint8)
        whole = memoryview(buffer)  # type: ignore[arg-type]
        jobs = [
            functools.partial(self._fill, wanted, start, whole[start : start + PART_BYTES])
            for start in range(0, wanted.length, PART_BYTES)
        ]
        return _Started(wanted, buffer, self._readers.start(jobs))

    def _fill(self, wanted: filesystems.Range, start: int, part: memoryview) -> None:
        """A connection that breaks off is continued where it ended."""
        connection, key = self._connect(wanted.address)
        done, tries = 0, 0
        while done < len(part):
            try:
                meta, count = connection.fill(key, wanted.offset + start + done, part[done:])
                if wanted.version and self._version(meta) != wanted.version:
                    raise faults.changed()
                done += count
                if done < len(part):
                    raise faults.shorter()
            except faults.StorageError as error:
                changed = error.explanation.code == "storage.changed"
                if changed or not error.passing or tries >= connection.limits.retries:
                    raise
                time.sleep(RETRY_SECS * 2**tries)
                tries += 1


def _covers(had: _Started, wanted: filesystems.Range) -> bool:
    return had.wanted.version == wanted.version and had.wanted.length >= wanted.length


def _waited(started: _Started, wanted: filesystems.Range) -> memoryview | OSError:
    error = started.group.wait()
    return error or memoryview(started.buffer)[: wanted.length]  # type: ignore[arg-type]


def coalesced(ranges: Sequence[filesystems.Range]) -> tuple[list[filesystems.Range], list[tuple[int, int]]]:
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
