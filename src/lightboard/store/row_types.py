"""The row layouts shared by the native core, the store and the index on disk, and tables that grow.

The native core fills CHUNK and FILE rows as packed little-endian structs (`native/read/columns.h` has the same layout,
a test compares the sizes); the index writes them to disk as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Consecutive points of one tag from one file. Positions are byte offsets into the chunk's segment.
CHUNK = np.dtype(
    [
        ("series", "<u4"),  # from native: index of the tag in the batch; in the store: series row
        ("file", "<u4"),  # from native: index of the task in the batch; in the store: file row
        ("segment", "<u4"),  # set by the store
        ("metadata", "<i4"),  # from native: index into the batch's metadata or -1; unused in the store
        ("part", "<u4"),  # number of session starts in this file before these points
        ("kind", "u1"),
        ("column", "u1"),
        ("ordered", "u1"),  # steps never decrease within the chunk
        ("dead", "u1"),  # set by the store: the file is gone, or the points are now in a merged chunk
        ("max_count", "<u4"),  # largest number of elements in one referenced value
        ("pad2", "<u4"),
        ("n", "<u8"),
        ("steps", "<u8"),
        ("walls", "<u8"),
        ("values", "<u8"),
        ("first_step", "<i8"),
        ("last_step", "<i8"),
        ("min_step", "<i8"),
        ("max_step", "<i8"),
        ("min_wall", "<f8"),
        ("max_wall", "<f8"),
        ("first", "<f8"),  # values; NaN for references
        ("last", "<f8"),
        ("min", "<f8"),  # over finite values; NaN if there is none
        ("max", "<f8"),
    ]
)

# One event file. Reading continues at `offset`; everything before it is in the columns.
FILE = np.dtype(
    [
        ("run", "<u4"),
        ("part", "<u4"),
        ("version", "<u8"),  # see `logdir.filesystems.IDENTITY`
        ("size", "<u8"),
        ("mtime_ns", "<i8"),
        ("offset", "<u8"),
        ("records", "<u8"),
        ("bad_records", "<u8"),
        ("min_wall", "<f8"),
        ("max_wall", "<f8"),
        ("tail_crc", "<u4"),  # masked CRC of the last record read: distinguishes growth from replacement
        ("alive", "u1"),
        ("scan", "u1"),  # 0: an event file, else the number of its rule in `sources` + 1
        ("pad", "u1", (2,)),
    ]
)

# One file that is not an event file: see `store.sources`.
SOURCE = np.dtype(
    [
        ("kind", "<u4"),
        ("run", "<u4"),
        ("version", "<u8"),  # as in FILE
        ("size", "<u8"),
        ("mtime_ns", "<i8"),
        ("changed", "<u8"),  # the store's version that last changed it
        ("alive", "u1"),
        ("pad", "u1", (7,)),
    ]
)

# The position of a heavy value in its file.
REF = np.dtype([("offset", "<u8"), ("length", "<u4"), ("count", "<u4")])

SERIES = np.dtype(
    [
        ("run", "<u4"),
        ("tag", "<u4"),
        ("metadata", "<i4"),  # row in the store's metadata list, -1: none seen
        ("first_chunk", "<i4"),
        ("kind", "u1"),
        ("pad", "u1", (7,)),
        ("version", "<u8"),  # the store's version that last changed it
    ]
)

RUN = np.dtype(
    [
        ("version", "<u8"),
        ("min_wall", "<f8"),
        ("max_wall", "<f8"),
        ("files", "<u4"),
        ("slot", "<u4"),  # slot of its color + 1; 0: none yet, see `slots`
    ]
)

# A SessionLog START: all points of the run written before it at `step` or later are superseded.
START = np.dtype([("file", "<u4"), ("part", "<u4"), ("step", "<i8"), ("wall", "<f8")])


def distinct(numbers: NDArray[Any]) -> NDArray[Any]:
    """Like np.unique, but without importing numpy.ma, which takes a tenth of the CPU time of a starting board."""
    return np.unique(numbers, return_index=True)[0]


def copied(rows: NDArray[np.void]) -> NDArray[np.void]:
    """Like `rows.copy()`, but not field by field: five times faster."""
    copies: NDArray[np.void] = _whole(rows).copy().view(rows.dtype)
    return copies


def taken(rows: NDArray[np.void], at: NDArray[np.integer[Any]]) -> NDArray[np.void]:
    """Like `rows[at]`, but not field by field."""
    found: NDArray[np.void] = _whole(rows)[at].view(rows.dtype)
    return found


def _whole(rows: NDArray[np.void]) -> NDArray[np.void]:
    """The same rows without fields: numpy copies rows with fields one field at a time."""
    return rows.view(np.dtype((np.void, rows.dtype.itemsize)))


class Table:
    """Rows of one dtype that only grow. `rows` is a view of what is there; cells may be changed in place."""

    def __init__(self, dtype: np.dtype[np.void], rows: NDArray[np.void] | None = None) -> None:
        self._array = np.zeros(0, dtype) if rows is None else rows
        self._count = len(self._array)

    def __len__(self) -> int:
        return self._count

    @property
    def rows(self) -> NDArray[np.void]:
        return self._array[: self._count]

    def append(self, rows: NDArray[np.void]) -> int:
        """Add rows; the index of the first. A restored (memory-mapped) table is copied by its first growth."""
        first, total = self._count, self._count + len(rows)
        if total == first:
            return first  # nothing to write, and the table may be read-only
        assert rows.dtype == self._array.dtype  # `_whole` copies bytes
        if total > len(self._array):
            grown = np.zeros(max(total, 2 * len(self._array), 16), self._array.dtype)
            _whole(grown)[:first] = _whole(self._array)[:first]
            self._array = grown
        _whole(self._array)[first:total] = _whole(rows)
        self._count = total
        return first

    def writable(self) -> NDArray[np.void]:
        """The rows, copied first if they are a read-only view of the index."""
        if not self._array.flags.writeable:
            self._array = copied(self._array)
        return self.rows


class Strings:
    """Maps numbers to names and names to numbers.

    Names restored from the index stay packed in one buffer until they are needed: opening 100,000 runs creates no
    string.
    """

    def __init__(self, packed: memoryview | bytes = b"", ends: NDArray[np.uint64] | None = None) -> None:
        self._packed = memoryview(packed)
        self._ends = np.zeros(0, np.uint64) if ends is None else ends
        self._cache: list[str | None] = [None] * len(self._ends)
        self._numbers: dict[str, int] | None = {} if len(self._ends) == 0 else None
        self._unpacked = False

    def __len__(self) -> int:
        return len(self._cache)

    def __getitem__(self, number: int) -> str:
        name = self._cache[number]
        if name is None:
            start = int(self._ends[number - 1]) if number else 0
            name = bytes(self._packed[start : int(self._ends[number])]).decode("utf-8", "surrogateescape")
            self._cache[number] = name
        return name

    def take(self, numbers: Sequence[int]) -> list[str]:
        """Return many names at once."""
        found = [self._cache[number] for number in numbers]
        return [self[number] for number in numbers] if None in found else found  # type: ignore[return-value]

    def __iter__(self) -> Iterator[str]:
        self._unpack()
        return (self[number] for number in range(len(self)))

    def tail(self, start: int = 0) -> list[str]:
        """Return all names from number `start` on: a million take a fraction of a second."""
        self._unpack()
        found = self._cache[start:]
        return [self[number] for number in range(start, start + len(found))] if None in found else found  # type: ignore[return-value]

    def number(self, name: str) -> int | None:
        return self._by_name().get(name)

    def intern(self, name: str) -> int:
        numbers = self._by_name()
        number = numbers.get(name)
        if number is None:
            number = numbers[name] = len(self._cache)
            self._cache.append(name)
        return number

    def extend(self, names: Iterable[str]) -> None:
        """Add names that are not looked up by name (addresses of files: an address occurs again after a
        replacement)."""
        self._cache.extend(names)

    def intern_all(self, names: Iterable[str]) -> NDArray[np.int64]:
        """Return the number of each name and add new names. No Python call per name: there may be a million."""
        listed = list(names)
        numbers = self._by_name()
        fresh = [name for name in dict.fromkeys(listed) if name not in numbers]
        first, last = len(self), len(self) + len(fresh)
        numbers.update(zip(fresh, range(first, last), strict=True))
        self._cache += fresh
        if len(fresh) == len(listed):  # the first load
            return np.arange(first, last)
        return np.fromiter(map(numbers.__getitem__, listed), np.int64, len(listed))

    def _unpack(self) -> None:
        """Unpack all packed names at once: ten times faster than one by one, if they are plain ASCII."""
        packed = b"" if self._unpacked else bytes(self._packed)
        self._unpacked = True
        if packed and packed.isascii():
            text, ends = packed.decode(), self._ends.tolist()
            starts = [0, *ends[:-1]]
            self._cache[: len(ends)] = [text[start:end] for start, end in zip(starts, ends, strict=True)]

    def _by_name(self) -> dict[str, int]:
        if self._numbers is None:
            self._numbers = dict(zip(self.tail(), range(len(self)), strict=True))
        return self._numbers
