"""Protobuf's wire format, read and written by hand: for the small messages that the native core does not read or write.

    message = (key value)*      key = varint(field number << 3 | wire type)
    wire type 0 varint · 1 eight bytes · 2 varint length and that many bytes · 5 four bytes

Writing: each function returns the bytes of one field, and a message is fields joined with `b"".join`. Reading: `parse`
returns all fields of a small message, `walk` the position of each field of a large one. A reader checks every length
against the bytes that exist, and raises `errors.Unreadable` and nothing else.

Which field numbers a message has is not known here.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from lightboard import errors

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5  # wire types

_FIXED_BYTES = {FIXED64: 8, FIXED32: 4}
_MASK64 = (1 << 64) - 1
_MAX_VARINT_BYTES = 10


# ---- writing


def varint(number: int) -> bytes:
    """Negative numbers are encoded as 64-bit two's complement."""
    number &= _MASK64
    if number < 0x80:
        return bytes((number,))
    encoded = bytearray()
    while number > 0x7F:
        encoded.append(number & 0x7F | 0x80)
        number >>= 7
    encoded.append(number)
    return bytes(encoded)


def key(field: int, wire_type: int) -> bytes:
    return varint(field << 3 | wire_type)


def integer(field: int, number: int | None) -> bytes:
    """Returns b"" for zero, which is protobuf's default."""
    return varint(field << 3) + varint(number) if number else b""


def present_integer(field: int, number: int) -> bytes:
    """Written even if it is zero, as for members of a `oneof`."""
    return varint(field << 3) + varint(number)


def double(field: int, number: float | None) -> bytes:
    return varint(field << 3 | FIXED64) + struct.pack("<d", number) if number is not None else b""


def single(field: int, number: float | None) -> bytes:
    return varint(field << 3 | FIXED32) + struct.pack("<f", number) if number is not None else b""


def message(field: int, *parts: bytes) -> bytes:
    """A nested message or bytes, written even when empty."""
    body = b"".join(parts)
    return varint(field << 3 | BYTES) + varint(len(body)) + body


def text(field: int, content: str | bytes | None) -> bytes:
    """Returns b"" for an empty text, which is protobuf's default."""
    if not content:
        return b""
    return message(field, content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content)


def packed_doubles(field: int, numbers: Iterable[float]) -> bytes:
    values = list(numbers)
    return message(field, struct.pack(f"<{len(values)}d", *values)) if values else b""


# ---- reading


class Fields(dict[int, list["int | bytes"]]):
    """Field number → its values in order: integers for varints and fixed widths, bytes for everything else.

    If a field occurs several times, protobuf uses the last one.
    """

    __slots__ = ()

    def text(self, number: int) -> str:
        return self.last_bytes(number).decode("utf-8", "replace")

    def last_bytes(self, number: int) -> bytes:
        return next((value for value in reversed(self.get(number, ())) if isinstance(value, bytes)), b"")

    def integer(self, number: int) -> int:
        """A signed integer, 0 if absent."""
        value = self._last_integer(number)
        return 0 if value is None else _signed(value)

    def double(self, number: int) -> float | None:
        value = self._last_integer(number)
        return None if value is None else float(struct.unpack("<d", struct.pack("<Q", value))[0])

    def texts(self, number: int) -> list[str]:
        return [value.decode("utf-8", "replace") for value in self.all_bytes(number)]

    def messages(self, number: int) -> list[Fields]:
        return [parse(value) for value in self.all_bytes(number)]

    def all_bytes(self, number: int) -> Iterator[bytes]:
        return (value for value in self.get(number, ()) if isinstance(value, bytes))

    def integers(self, number: int) -> list[int]:
        """A repeated integer, packed or not."""
        found: list[int] = []
        for value in self.get(number, ()):
            found += [_signed(value)] if isinstance(value, int) else integers(value)
        return found

    def floats(self, number: int) -> list[float]:
        """A repeated float, packed or not."""
        found: list[float] = []
        for value in self.get(number, ()):
            data = struct.pack("<I", value & 0xFFFFFFFF) if isinstance(value, int) else value
            found += struct.unpack(f"<{len(data) // 4}f", data[: len(data) // 4 * 4])
        return found

    def _last_integer(self, number: int) -> int | None:
        return next((value for value in reversed(self.get(number, ())) if isinstance(value, int)), None)


def parse(message: bytes) -> Fields:
    """All fields of a message."""
    fields = Fields()
    position = 0
    while position < len(message):
        key, position = read_varint(message, position)
        value, position = _value(message, position, key & 7)
        fields.setdefault(key >> 3, []).append(value)
    return fields


class FieldSpan(NamedTuple):
    """The position of a field: from `start` to `end`, its content begins at `at`; `number` is the value of a varint."""

    key: int
    start: int
    at: int
    end: int
    number: int


def walk(message: bytes | memoryview) -> Iterator[FieldSpan]:
    """Yields the fields in order, without copying: for messages that are large or are to be changed."""
    position, size = 0, len(message)
    while position < size:
        start = position
        key, position = read_varint(message, position)
        at, number = position, 0
        wire_type = key & 7
        if wire_type == VARINT:
            number, position = read_varint(message, position)
        elif wire_type == BYTES:
            length, at = read_varint(message, position)
            position = at + length
        elif wire_type in _FIXED_BYTES:
            position += _FIXED_BYTES[wire_type]
        else:
            raise errors.Unreadable(f"wire type {wire_type} at byte {position} of a message", code="file.damaged")
        if position > size:
            raise errors.Unreadable(
                f"a field of {position - at} bytes at byte {at} of a message of {size}", code="file.damaged"
            )
        yield FieldSpan(key, start, at, position, number)


def integers(packed: bytes) -> list[int]:
    """The signed integers of a packed field."""
    found: list[int] = []
    position = 0
    while position < len(packed):
        number, position = read_varint(packed, position)
        found.append(_signed(number))
    return found


def read_varint(data: bytes | memoryview, position: int, what: str = "a message") -> tuple[int, int]:
    """Returns an unsigned number of at most 64 bits, and the position after it. `what` names the data in errors."""
    value = 0
    for index, byte in enumerate(data[position : position + _MAX_VARINT_BYTES]):
        value |= (byte & 0x7F) << (7 * index)
        if byte < 0x80:
            return value & _MASK64, position + index + 1
    raise errors.Unreadable(f"the number at byte {position} of {what} does not end", code="file.damaged")


def _value(message: bytes, position: int, wire_type: int) -> tuple[int | bytes, int]:
    if wire_type == VARINT:
        return read_varint(message, position)
    if wire_type == BYTES:
        length, position = read_varint(message, position)
        return _take(message, position, length), position + length
    if wire_type in _FIXED_BYTES:
        length = _FIXED_BYTES[wire_type]
        return int.from_bytes(_take(message, position, length), "little"), position + length
    raise errors.Unreadable(f"wire type {wire_type} at byte {position} of a message", code="file.damaged")


def _take(message: bytes, position: int, length: int) -> bytes:
    if length > len(message) - position:
        raise errors.Unreadable(
            f"{length} bytes promised at byte {position} of a message of {len(message)}", code="file.damaged"
        )
    return message[position : position + length]


def _signed(value: int) -> int:
    return value - (1 << 64) if value >= 1 << 63 else value
