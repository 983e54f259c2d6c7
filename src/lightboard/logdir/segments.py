"""Files of columns that only grow, memory-mapped so that a series is a view and takes no memory of ours.

A segment file starts with HEAD bytes that identify it; then the native core appends the columns. The file is
made larger than its content (the rest is a hole that takes no disk), so that one mapping serves many batches; a fuller
file gets another, longer mapping, and views of the old one stay valid, also when the file is unlinked. If another
process truncates the file, the lost part reads as zeros; `cut_short` detects it, and the logs must be read again.

Each block of a file has a checksum. The catalog keeps them, and a later process checks a block before it uses its
content (see `index`).

`Writer` allocates space: in the index's directory while that works, then in an unlinked temporary file, then in memory.
"""

from __future__ import annotations

import dataclasses
import logging
import os
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from lightboard import _native, head_start

log = logging.getLogger("lightboard")

Scan = Callable[["list[_native.Task]", int, int, int], _native.Batch]
"""Turns files into columns, as `_native.scan` does: (tasks, descriptor to append to, offset, threads) → batch."""

Scanned = tuple[_native.Batch, "memoryview | bytes"]
"""A batch, and the segment that its offsets refer to."""

HEAD = head_start.SEGMENT_HEAD
# Size of the first mapping: a small logdir needs no second, and a hole of this size costs nothing.
FIRST_BYTES = 64 << 20
# At this size a new file is begun, so that dead space can be freed file by file.
FULL_BYTES = 4 << 30


class Segment:
    """One file and its newest mapping. `name` is "" for a temporary file, which cannot be in the index."""

    def __init__(self, fd: int, name: str, identity: bytes, end: int = 0) -> None:
        self.fd = fd
        self.name = name
        self.identity = identity  # 16 random bytes in its head; a catalog rejects a file with others
        self.end = end
        self.view = memoryview(b"")
        self._capacity = 0
        self._cut = False
        self._sums = bytearray()  # checksums of the full blocks

    def close(self) -> None:
        """Stop writing; views stay valid."""
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1

    def cut_short(self) -> bool:
        """Returns whether another process truncated the file."""
        self._cut |= self.fd >= 0 and os.fstat(self.fd).st_size < self._capacity
        return self._cut

    def scan(self, tasks: list[_native.Task], threads: int, scan: Scan) -> _native.Batch:
        """Append the results of the tasks. After an OSError, appended bytes are never read."""
        batch = scan(tasks, self.fd, self.end, threads)
        self.advance(batch.end)
        return batch

    def append(self, columns: Sequence[Sequence[memoryview]]) -> list[int]:
        """Append columns, each of several pieces. Returns their offsets (multiples of 8)."""
        positions, at = [], self.end
        for pieces in columns:
            at = -(-at // 8) * 8
            positions.append(at)
            for piece in pieces:
                left = piece.cast("B")
                while len(left):
                    written = os.pwrite(self.fd, left, at)
                    left, at = left[written:], at + written
        self.advance(at)
        return positions

    def advance(self, end: int) -> None:
        if end > self._capacity:
            self.cut_short()  # check now: growing the file would hide a truncation
            # Twice the used size, so that a file that grows in small steps is mapped only a few times.
            capacity = max(FIRST_BYTES, 2 * end)
            os.ftruncate(self.fd, capacity)
            self.view = _native.map_file(self.fd, capacity).data
            self._capacity = capacity
        self.end = max(end, self.end)
        # Compute checksums now, while the data is still in the page cache.
        summed, full = self._summed, self.end // _native.SUM_BLOCK_BYTES * _native.SUM_BLOCK_BYTES
        if full > summed:
            self._sums += _native.sum_blocks(self.view[summed:full])

    @property
    def _summed(self) -> int:
        return len(self._sums) // 4 * _native.SUM_BLOCK_BYTES

    def sums(self) -> bytes:
        """Returns the checksums of all blocks up to `end`."""
        return bytes(self._sums) + _native.sum_blocks(self.view[self._summed : self.end])


def create(directory: str, name: str) -> Segment:
    """Create a segment file; with name "" a temporary one that is unlinked at once."""
    path = f"{directory}/{name or f'.lightboard-{os.getpid()}-{os.urandom(8).hex()}'}"
    fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        if not name:
            os.unlink(path)  # noqa: PTH108
        return _begun(fd, name)
    except BaseException:
        os.close(fd)
        raise


def _begun(fd: int, name: str) -> Segment:
    identity = os.urandom(16)
    os.pwrite(fd, (b"LBCOLS01" + identity).ljust(HEAD, b"\0"), 0)
    segment = Segment(fd, name, identity, HEAD)
    segment.advance(HEAD)
    return segment


def map_existing(path: str, identity: bytes, end: int) -> memoryview:
    """Map the columns of a segment of a catalog. Raises ValueError or OSError if it is another file."""
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        size = os.fstat(fd).st_size
        if size < end or os.pread(fd, HEAD, 0) != (b"LBCOLS01" + identity).ljust(HEAD, b"\0"):
            raise ValueError(f"not the segment the catalog speaks of: {path}")
        return _native.map_file(fd, size).data
    finally:
        os.close(fd)


def any_cut(views: Iterable[memoryview]) -> bool:
    """Returns whether a part of a view was read that is no longer in its file."""
    return any(isinstance(view.obj, np.ndarray) and _native.was_cut(view.obj) for view in views)


@dataclasses.dataclass
class Writer:
    """Allocates space for columns. `directory` is the index's, None if no index is written."""

    directory: str | None = None
    threads: int = 0

    def __post_init__(self) -> None:
        self._written: dict[int, tuple[memoryview, Segment]] = {}  # id of the view → view and segment, for the catalog
        self.private = self.directory is None  # some columns are in no file of the index
        self._current: Segment | None = None
        self._in_memory = False

    def scan(self, tasks: list[_native.Task], scan: Scan) -> Scanned:
        """Returns the batch of the tasks, and the segment that its offsets refer to."""
        while not self._in_memory:
            try:
                segment = self._room()
                batch = segment.scan(tasks, self.threads, scan)
            except OSError as error:
                self._step_down(error)
                continue
            self._written[id(segment.view)] = segment.view, segment
            return batch, segment.view
        batch = scan(tasks, -1, 0, self.threads)
        return batch, batch.memory

    def adopt(self, batch: _native.Batch, fd: int) -> Scanned | None:
        """Take over a file without a name, to which a scan wrote its columns from HEAD on; it is written further. None:
        it cannot be in the index, and is closed."""
        name = f"segment-{os.urandom(8).hex()}.bin" if self.directory is not None else ""
        try:
            if name:
                # with a descriptor Python calls linkat, which follows the link in /proc
                os.link(f"/proc/self/fd/{fd}", f"{self.directory}/{name}", src_dir_fd=fd)
            segment = _begun(fd, name)
            segment.advance(batch.end)
        except OSError as error:
            log.info("the first scan is repeated: %s", error)
            os.close(fd)
            return None
        self._drop_current()
        self._current = segment
        self._written[id(segment.view)] = segment.view, segment
        return batch, segment.view

    def append(self, columns: Sequence[Sequence[memoryview]]) -> tuple[list[int], memoryview] | None:
        """Append columns joined from pieces. Returns their offsets and the segment. None: writing is impossible."""
        while not self._in_memory:
            try:
                segment = self._room()
                positions = segment.append(columns)
            except OSError as error:
                self._step_down(error)
                continue
            self._written[id(segment.view)] = segment.view, segment
            return positions, segment.view
        return None

    def abandon_index(self) -> None:
        """Stop writing to the index's directory."""
        self.directory, self.private = None, True
        self._drop_current()

    def close(self) -> None:
        self._drop_current()
        for _, segment in self._written.values():
            segment.close()

    def cut_short(self) -> bool:
        """Returns whether another process truncated a file of this writer."""
        return any(segment.cut_short() for _, segment in self._written.values())

    def names(self) -> set[str]:
        """Returns the index's files that are being written, also if no catalog names them yet."""
        mine = [*(segment for _, segment in self._written.values()), *([self._current] if self._current else [])]
        return {segment.name for segment in mine if segment.name}

    def segment_of(self, view: memoryview) -> Segment | None:
        """Returns the file of a view from this writer."""
        found = self._written.get(id(view))
        return found[1] if found else None

    def duplicates(self) -> list[int]:
        """Returns descriptors of the index's files that were written. The caller syncs and closes them."""
        mine = {segment.name: segment for _, segment in self._written.values() if segment.name and segment.fd >= 0}
        return [os.dup(segment.fd) for segment in mine.values()]

    def rotate(self) -> None:
        """Begin a new file, so that the current one can be deleted when it has no live data."""
        self._drop_current()

    def release(self, in_use: set[int]) -> None:
        """Close files whose views (by id) are not in use."""
        keep = {id(segment) for key, (_, segment) in self._written.items() if key in in_use}
        keep.add(id(self._current))
        for key, (_, segment) in list(self._written.items()):
            if id(segment) not in keep:
                segment.close()
                del self._written[key]

    def bytes_written(self) -> int:
        return sum(segment.end for segment in {id(each): each for _, each in self._written.values()}.values())

    def use(self, directory: str) -> None:
        """Write to the index's directory from now on."""
        self.directory, self.private = directory, False

    def _room(self) -> Segment:
        if self._current is not None and self._current.end > FULL_BYTES:
            self._drop_current()
        if self._current is None:
            self._current = self._create()
        return self._current

    def _create(self) -> Segment:
        if self.directory is not None:
            return create(self.directory, f"segment-{os.urandom(8).hex()}.bin")
        import tempfile

        return create(tempfile.gettempdir(), "")

    def _step_down(self, error: OSError) -> None:
        self._drop_current()
        if self.directory is not None:
            log.warning("the index cannot be written, going on without it: %s", error)
            self.abandon_index()
        else:
            log.warning("there is no room for temporary files, points are kept in memory: %s", error)
            self._in_memory = True

    def _drop_current(self) -> None:
        if self._current is not None and not self._current.name:
            self._current.close()
        self._current = None
