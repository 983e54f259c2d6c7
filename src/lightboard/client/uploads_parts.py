"""The body of a request that sends bytes of files, as it is read from disk.

    0          1       2                4                    8        12         16       24
    encoding   flags   length of path   length on the wire   length   checksum   offset   path   data      little endian

`Squeeze` decides whether a part is compressed: if that makes the line faster. On loopback it does not.
"""

from __future__ import annotations

import dataclasses
import os
import struct
import threading
import time
import zlib
from collections.abc import Callable, Iterator

HEAD = struct.Struct("<BBHIIIQ")
PART_BYTES = 1 << 18  # larger ones fall out of the processor's cache: a third slower
PLAIN, ZLIB = 0, 1
REPLACE = 1
LEVEL = 1
_SAMPLE_BYTES = 1 << 15
_SAMPLE_EVERY = 16
_SLOW_LINE = 20e6  # bytes per second; of a line that was not measured yet


@dataclasses.dataclass
class Stretch:
    """Bytes of one file to send: from `start`, whose checksum is `checksum`, to `end`. `start` moves on as they are
    sent; `done`: nothing more is sent in this turn."""

    path: str
    file: str
    start: int
    end: int
    checksum: int
    replace: bool = False
    done: bool = False


class Squeeze:
    """State, under `_lock`: how fast the line is, how fast zlib is, and how much it saves; each a running mean."""

    def __init__(self, *, fast_line: bool) -> None:
        self._lock = threading.Lock()
        self._line = 1e12 if fast_line else _SLOW_LINE
        self._speed, self._ratio = 100e6, 1.0
        self._parts = 0

    def sent(self, size: int, secs: float) -> None:
        """One request took so long for so many bytes on the wire."""
        if size < 1 << 16:
            return
        with self._lock:
            measured = size / max(secs, 1e-6)
            self._line = measured if self._line in (1e12, _SLOW_LINE) else 0.7 * self._line + 0.3 * measured

    def packed(self, data: bytes) -> tuple[int, bytes]:
        if len(data) < 256:
            return PLAIN, data
        with self._lock:
            sample = self._parts % _SAMPLE_EVERY == 0
            self._parts += 1
        if sample:
            self._measure(data[:_SAMPLE_BYTES])
        with self._lock:
            plain, squeezed = 1 / self._line, 1 / self._speed + self._ratio / self._line
        if squeezed > 0.9 * plain:
            return PLAIN, data
        smaller = zlib.compress(data, LEVEL)
        return (ZLIB, smaller) if len(smaller) < len(data) else (PLAIN, data)

    def _measure(self, data: bytes) -> None:
        begun = time.perf_counter()
        size = len(zlib.compress(data, LEVEL))
        secs = max(time.perf_counter() - begun, 1e-6)
        with self._lock:
            self._speed = 0.5 * self._speed + 0.5 * len(data) / secs
            self._ratio = 0.5 * self._ratio + 0.5 * size / len(data)


class Body:
    """Stretches as the body of a request: iterating reads the files, and may be repeated. `wire_bytes` is what the last
    iteration gave, `ends` how far it came in each file, with checksums: a file may become shorter while it is read."""

    def __init__(self, pieces: list[tuple[Stretch, int]], squeeze: Squeeze, wait: Callable[[int], None]) -> None:
        """Each stretch from its start to an offset, which may be before its end."""
        self._pieces, self._squeeze, self._wait = pieces, squeeze, wait
        self.wire_bytes = 0
        self.ends: dict[str, tuple[int, int]] = {}

    def __iter__(self) -> Iterator[bytes]:
        self.wire_bytes, self.ends = 0, {}
        for stretch, end in self._pieces:
            yield from self._parts(stretch, end)

    def _parts(self, stretch: Stretch, end: int) -> Iterator[bytes]:
        path = stretch.path.encode()
        offset, checksum, flags = stretch.start, stretch.checksum, REPLACE if stretch.replace else 0
        try:
            descriptor = os.open(stretch.file, os.O_RDONLY)
        except OSError:  # removed meanwhile
            return
        try:
            while True:
                data = os.pread(descriptor, min(PART_BYTES, end - offset), offset)
                if not data and not flags and offset > 0:
                    return
                checksum = zlib.crc32(data, checksum)
                encoding, wire = self._squeeze.packed(data)
                head = HEAD.pack(encoding, flags, len(path), len(wire), len(data), checksum, offset) + path
                self._wait(len(head) + len(wire))
                # a part may be cut anywhere; small ones go in one piece
                if len(wire) < 1 << 16:
                    yield head + wire
                else:
                    yield head
                    yield wire
                offset, flags = offset + len(data), 0
                self.wire_bytes += len(head) + len(wire)
                self.ends[stretch.path] = (offset, checksum)
                if offset >= end or not data:
                    return
        finally:
            os.close(descriptor)


class Bandwidth:
    """State, under `_lock`: when the next byte may be sent. 0: no limit."""

    def __init__(self, bytes_per_sec: float = 0.0) -> None:
        self._rate = bytes_per_sec
        self._lock = threading.Lock()
        self._free_at = 0.0

    def wait(self, size: int) -> None:
        if not self._rate:
            return
        with self._lock:
            now = time.monotonic()
            start = max(self._free_at, now)
            self._free_at = start + size / self._rate
        if start > now:
            time.sleep(start - now)
