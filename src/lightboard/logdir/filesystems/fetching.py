"""Fetches ranges of files elsewhere into buffers: several requests at a time, some of them ahead of time.

    read_many    ranges of one file that lie close together are fetched by one request
    prefetch     while the native core scans a batch, the next one is fetched
    done         the caller has used a buffer: the next range is fetched into it, without new memory

Where the next batch of a large file begins is known only when the scan has found its last whole record, a little before
the prefetched range. So the end of each batch is kept, and buffers have room for it before their first byte.
"""

from __future__ import annotations

import functools
import threading
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
# Ranges from this length on have room for the end of the batch before, and their buffers are used again.
LARGE_BYTES = 1 << 20
ROOM_BYTES = 1 << 20
SPARE_BUFFERS = 2

Buffer = NDArray[np.uint8]
Connect = Callable[[str], tuple[connections.Connection, str]]
"""The connection and the key of an address."""


class _Started(NamedTuple):
    wanted: filesystems.Range
    buffer: Buffer
    room: int  # free bytes before those of the range
    group: readers.Group


class Fetcher:
    """State: `_ahead`, what is being prefetched, by address; `_ends`, the last bytes of used buffers and where they
    ended; `_spare` buffers. Only the follower's thread prefetches; any thread may call `read_many`."""

    def __init__(self, connect: Connect, version: Callable[[connections.Meta], int], parallel: int) -> None:
        self._connect = connect
        self._version = version
        self._readers = readers.Readers(parallel)
        self._lock = threading.Lock()
        self._ahead: dict[str, list[_Started]] = {}
        self._ends: dict[str, tuple[int, bytes]] = {}
        self._spare: list[Buffer] = []

    def read_many(self, ranges: Sequence[filesystems.Range]) -> list[Any]:
        joined, places = coalesced(ranges)
        started = [self._taken(each) or self._start(each) for each in joined]
        fetched = [_waited(each, wanted) for each, wanted in zip(started, joined, strict=True)]
        return [
            found if isinstance(found, OSError) else found[start : start + each.length]
            for each, (found, start) in zip(ranges, ((fetched[at], start) for at, start in places), strict=True)
        ]

    def prefetch(self, ranges: Sequence[filesystems.Range]) -> None:
        if not ranges:
            self._ahead, self._ends, self._spare = {}, {}, []
        for each in ranges:
            ahead = self._ahead.setdefault(each.address, [])
            if not any(self._covers(had, each) for had in ahead):
                ahead.append(self._start(each))

    def done(self, wanted: filesystems.Range, found: memoryview) -> None:
        buffer = found.obj
        if len(found) < LARGE_BYTES or not isinstance(buffer, np.ndarray):
            return
        if self._ahead.get(wanted.address):  # its next part is being fetched
            self._ends[wanted.address] = wanted.offset + len(found), bytes(found[-ROOM_BYTES:])
        with self._lock:
            if len(self._spare) < SPARE_BUFFERS:
                self._spare.append(buffer)

    def _taken(self, wanted: filesystems.Range) -> _Started | None:
        """What was prefetched, if it has the range; its beginning may be the kept end of the batch before."""
        ahead = self._ahead.pop(wanted.address, [])
        for at, had in enumerate(ahead):
            if self._covers(had, wanted):
                self._ahead[wanted.address] = ahead[at + 1 :]  # the next part of a large file
                missing = had.wanted.offset - wanted.offset
                _, kept = self._ends.pop(wanted.address, (-1, b""))
                if missing:
                    had.buffer[had.room - missing : had.room] = np.frombuffer(kept, np.uint8)[-missing:]
                return had._replace(room=had.room - missing)
        return None

    def _covers(self, had: _Started, wanted: filesystems.Range) -> bool:
        """Whether a started range has all of another one, together with the kept end of the batch before."""
        missing = had.wanted.offset - wanted.offset
        if had.wanted.version != wanted.version or not 0 <= missing <= had.room:
            return False
        end, kept = self._ends.get(wanted.address, (-1, b""))
        known = not missing or (end == had.wanted.offset and len(kept) >= missing)
        return known and missing + had.wanted.length >= wanted.length

    def _start(self, wanted: filesystems.Range) -> _Started:
        room = ROOM_BYTES if wanted.length >= LARGE_BYTES else 0
        buffer = self._buffer(room + wanted.length)
        whole = memoryview(buffer)[room : room + wanted.length]  # type: ignore[arg-type]
        jobs = [
            functools.partial(self._fill, wanted, start, whole[start : start + PART_BYTES])
            for start in range(0, wanted.length, PART_BYTES)
        ]
        return _Started(wanted, buffer, room, self._readers.start(jobs))

    def _buffer(self, length: int) -> Buffer:
        with self._lock:
            for at, spare in enumerate(self._spare):
                if length >= LARGE_BYTES and len(spare) >= length:
                    return self._spare.pop(at)
        return np.empty(length, np.uint8)

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


def _waited(started: _Started, wanted: filesystems.Range) -> memoryview | OSError:
    error = started.group.wait()
    return error or memoryview(started.buffer)[started.room : started.room + wanted.length]  # type: ignore[arg-type]


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
