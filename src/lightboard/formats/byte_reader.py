"""Reading numbers out of bytes that a user gave: every read is checked against the bytes that exist.

The only thing that goes wrong here is `errors.Unreadable`, so that a decoder built on it needs no list of exceptions.
"""

from __future__ import annotations

from typing import Literal

from lightboard import errors, wire

ByteOrder = Literal["little", "big"]


class ByteReader:
    """A stretch of a file; `what` is its name in messages."""

    def __init__(self, data: bytes | memoryview, what: str, order: ByteOrder = "little") -> None:
        self.data = memoryview(data)
        self.what = what
        self.order = order

    def __len__(self) -> int:
        return len(self.data)

    def view(self, at: int, size: int) -> memoryview:
        """`size` bytes from `at` on, all of them, not copied."""
        found = self.data[at : at + size] if at >= 0 and size >= 0 else self.data[:0]
        if len(found) != size:
            raise errors.Unreadable(
                f"{self.what} ends too early: {size} bytes are expected at byte {at} of {len(self.data)}; "
                "is it still being written?"
            )
        return found

    def take(self, at: int, size: int) -> bytes:
        return bytes(self.view(at, size))

    def number(self, at: int, size: int) -> int:
        """An unsigned number of so many bytes."""
        return int.from_bytes(self.view(at, size), self.order)

    def numbers(self, at: int, size: int, count: int) -> tuple[int, ...]:
        """Several of them, one after another."""
        data = self.view(at, size * count)
        return tuple(int.from_bytes(data[each : each + size], self.order) for each in range(0, size * count, size))

    def varint(self, at: int) -> tuple[int, int]:
        """A number of seven bits a byte, and where it ends."""
        return wire.read_varint(self.data, at, self.what)
