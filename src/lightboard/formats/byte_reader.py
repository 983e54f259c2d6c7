"""Read numbers from bytes of a user: every read is checked against the bytes that exist.

Every method raises only `errors.Unreadable`, so that a decoder built on it has one exception to handle.
"""

from __future__ import annotations

from typing import Literal

from lightboard import errors, wire

ByteOrder = Literal["little", "big"]


class ByteReader:
    """A range of bytes of a file; `what` is its name in error messages."""

    def __init__(self, data: bytes | memoryview, what: str, order: ByteOrder = "little") -> None:
        self.data = memoryview(data)
        self.what = what
        self.order = order

    def __len__(self) -> int:
        return len(self.data)

    def view(self, at: int, size: int) -> memoryview:
        """Return exactly `size` bytes from `at` on, not copied."""
        found = self.data[at : at + size] if at >= 0 and size >= 0 else self.data[:0]
        if len(found) != size:
            raise errors.Unreadable(
                f"{self.what} ends too early: {size} bytes are expected at byte {at} of {len(self.data)}; "
                "is it still being written?",
                code="file.ends_early",
            )
        return found

    def take(self, at: int, size: int) -> bytes:
        return bytes(self.view(at, size))

    def number(self, at: int, size: int) -> int:
        """Return an unsigned number of `size` bytes."""
        return int.from_bytes(self.view(at, size), self.order)

    def numbers(self, at: int, size: int, count: int) -> tuple[int, ...]:
        """Return `count` consecutive numbers."""
        data = self.view(at, size * count)
        return tuple(int.from_bytes(data[each : each + size], self.order) for each in range(0, size * count, size))

    def varint(self, at: int) -> tuple[int, int]:
        """Return a number with seven bits per byte, and the offset where it ends."""
        return wire.read_varint(self.data, at, self.what)
