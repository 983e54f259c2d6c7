"""Where columns are kept: files that only grow, memory-mapped so that a series is a view and takes no memory of ours.

A segment file starts with HEAD bytes that name it; then come the columns as the native core appends them. The file is
made larger than it is filled (the rest is a hole that takes no disk), so that one mapping serves many batches; a fuller
file gets another, longer mapping, and views of the old one stay good. So they do when the file is unlinked. When
somebody cuts it short, what is gone reads as zeros; `cut_short` tells, and the logs have to be read again.

Each block of a file has a checksum. The catalog keeps them, and a later process checks a block before it uses what lies
in it (see `index`).

`Writer` hands out room: in the index's directory while that works, then in an unlinked temporary file, then in memory.
"""

from __future__ import annotations

import dataclasses
import logging
import os
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from lightboard import _native

log = logging.getLogger("lightboard")

Scan = Callable[["list[_native.Task]", int, int, int], _native.Batch]
"""Turns files into columns, as `_native.scan` does: (tasks, descriptor to append to, where, threads) → batch."""

HEAD = 64
# The first mapping: a small logdir never needs a second, and a hole of this size costs nothing.
FIRST_BYTES = 64 << 20
# Then a new file is begun, so that dead space can be given back file by file.
FULL_BYTES = 4 << 30


class Segment:
    """One file and its newest mapping. `name` is "" for a temporary file, which the index cannot keep."""

    def __init__(self, fd: int, name: str, identity: bytes, end: int = 0) -> None:
        self.fd = fd
        self.name = name
        self.identity = identity  # 16 random bytes in its head; a catalog rejects a file with others
        self.end = end
        self.view = memoryview(b"")
        self._capacity = 0
        self._cut = False
        self._sums = bytearray()  # checksums of the blocks that are full

    def close(self) -> None:
        """No more writing; views stay good."""
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1

    def cut_short(self) -> bool:
        """Whether somebody else made the file shorter."""
        self._cut |= self.fd >= 0 and os.fstat(self.fd).st_size < self._capacity
        return self._cut

    def scan(self, tasks: list[_native.Task], threads: int, scan: Scan) -> _native.Batch:
        """Append what the tasks bring. OSError: whatever was appended is never read."""
        batch = scan(tasks, self.fd, self.end, threads)
        self.advance(batch.end)
        return batch

    def append(self, columns: Sequence[Sequence[memoryview]]) -> list[int]:
        """Append columns, each of several pieces; where each begins (at a multiple of 8)."""
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
            self.cut_short()  # growing the file would hide it
            # Twice what is there: a file that grows by little each time is mapped a handful of times only.
            capacity = max(FIRST_BYTES, 2 * end)
            os.ftruncate(self.fd, capacity)
            self.view = _native.map_file(self.fd, capacity).data
            self._capacity = capacity
        self.end = max(end, self.end)
        # Now, while the operating system still has it in memory.
        summed, full = self._summed, self.end // _native.SUM_BLOCK_BYTES * _native.SUM_BLOCK_BYTES
        if full > summed:
            self._sums += _native.sum_blocks(self.view[summed:full])

    @property
    def _summed(self) -> int:
        return len(self._sums) // 4 * _native.SUM_BLOCK_BYTES

    def sums(self) -> bytes:
        """The checksums of all blocks up to `end`."""
        return bytes(self._sums) + _native.sum_blocks(self.view[self._summed : self.end])


def create(directory: str, name: str) -> Segment:
    """A new segment file; with name "" a temporary one that is unlinked at once."""
    path = f"{directory}/{name or f'.lightboard-{os.getpid()}-{os.urandom(8).hex()}'}"
    fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        if not name:
            os.unlink(path)  # noqa: PTH108
        identity = os.urandom(16)
        os.pwrite(fd, (b"LBCOLS01" + identity).ljust(HEAD, b"\0"), 0)
        segment = Segment(fd, name, identity, HEAD)
        segment.advance(HEAD)
    except BaseException:
        os.close(fd)
        raise
    return segment


def map_existing(path: str, identity: bytes, end: int) -> memoryview:
    """The columns of a segment that a catalog speaks of. ValueError or OSError when it is not that file."""
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        size = os.fstat(fd).st_size
        if size < end or os.pread(fd, HEAD, 0) != (b"LBCOLS01" + identity).ljust(HEAD, b"\0"):
            raise ValueError(f"not the segment the catalog speaks of: {path}")
        return _native.map_file(fd, size).data
    finally:
        os.close(fd)


def any_cut(views: Iterable[memoryview]) -> bool:
    """Whether something was read from a view that is no longer in its file."""
    return any(isinstance(view.obj, np.ndarray) and _native.was_cut(view.obj) for view in views)


@dataclasses.dataclass
class Writer:
    """Room for columns. `directory` is the index's, None when there is no index to write."""

    directory: str | None = None
    threads: int = 0

    def __post_init__(self) -> None:
        self._written: dict[int, tuple[memoryview, Segment]] = {}  # by id of the view, for the catalog
        self.private = self.directory is None  # some columns lie where no catalog can name them
        self._current: Segment | None = None
        self._in_memory = False

    def scan(self, tasks: list[_native.Task], scan: Scan) -> tuple[_native.Batch, memoryview | bytes]:
        """What the tasks bring, and the segment that its positions count in."""
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

    def append(self, columns: Sequence[Sequence[memoryview]]) -> tuple[list[int], memoryview] | None:
        """Columns joined from pieces: where each begins, and the segment. None: no file can be written any more."""
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
        """From now on nothing new goes to the index's directory."""
        self.directory, self.private = None, True
        self._drop_current()

    def close(self) -> None:
        self._drop_current()
        for _, segment in self._written.values():
            segment.close()

    def cut_short(self) -> bool:
        """Whether somebody made a file shorter that this writer has written."""
        return any(segment.cut_short() for _, segment in self._written.values())

    def names(self) -> set[str]:
        """Files of the index that are being written, whether or not a catalog speaks of them yet."""
        mine = [*(segment for _, segment in self._written.values()), *([self._current] if self._current else [])]
        return {segment.name for segment in mine if segment.name}

    def segment_of(self, view: memoryview) -> Segment | None:
        """The file that a view handed out by this writer shows."""
        found = self._written.get(id(view))
        return found[1] if found else None

    def duplicates(self) -> list[int]:
        """Descriptors of the index's files that were written, for somebody to sync and close."""
        mine = {segment.name: segment for _, segment in self._written.values() if segment.name and segment.fd >= 0}
        return [os.dup(segment.fd) for segment in mine.values()]

    def rotate(self) -> None:
        """Begin a new file, so that the present one can be given back when nothing lies in it any more."""
        self._drop_current()

    def release(self, in_use: set[int]) -> None:
        """Forget files of which no view (by id) is in use."""
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
