"""A small reader of protobuf's wire format, for the few bytes that tags carry as metadata (mesh, audio, layouts …).

Events themselves are read by the native core. Every length is checked against the bytes that exist.

    message = (key value)*      key = varint(number << 3 | wire type)
    wire type 0 varint · 1 eight bytes · 2 varint length and that many bytes · 5 four bytes
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from lightboard import errors

# What stands in each field, in order: integers as read for varints and fixed widths, bytes for the rest.
Fields = Mapping[int, Sequence[int | bytes]]

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5


def parse(message: bytes) -> Fields:
    """All fields of a message. Raises Unreadable where it is malformed."""
    found: dict[int, list[int | bytes]] = {}
    position = 0
    while position < len(message):
        key, position = _varint(message, position)
        value, position = _value(message, position, key & 7)
        found.setdefault(key >> 3, []).append(value)
    return found


def text(fields: Fields, number: int) -> str:
    return _last_bytes(fields, number).decode("utf-8", "replace")


def integer(fields: Fields, number: int) -> int:
    """A signed integer, 0 where absent."""
    value = _last_integer(fields, number)
    return 0 if value is None else _signed(value)


def double(fields: Fields, number: int) -> float | None:
    value = _last_integer(fields, number)
    return None if value is None else float(struct.unpack("<d", struct.pack("<Q", value))[0])


def texts(fields: Fields, number: int) -> list[str]:
    return [value.decode("utf-8", "replace") for value in fields.get(number, ()) if isinstance(value, bytes)]


def messages(fields: Fields, number: int) -> list[Fields]:
    return [parse(value) for value in fields.get(number, ()) if isinstance(value, bytes)]


def integers(fields: Fields, number: int) -> list[int]:
    """A repeated integer, packed or not."""
    found: list[int] = []
    for value in fields.get(number, ()):
        if isinstance(value, int):
            found.append(_signed(value))
            continue
        position = 0
        while position < len(value):
            one, position = _varint(value, position)
            found.append(_signed(one))
    return found


def _last_bytes(fields: Fields, number: int) -> bytes:
    """The last of several stands, as protobuf has it."""
    return next((value for value in reversed(fields.get(number, ())) if isinstance(value, bytes)), b"")


def _last_integer(fields: Fields, number: int) -> int | None:
    return next((value for value in reversed(fields.get(number, ())) if isinstance(value, int)), None)


def _value(message: bytes, position: int, wire_type: int) -> tuple[int | bytes, int]:
    if wire_type == _VARINT:
        return _varint(message, position)
    if wire_type == _BYTES:
        length, position = _varint(message, position)
        return _take(message, position, length), position + length
    if wire_type in (_FIXED64, _FIXED32):
        length = 8 if wire_type == _FIXED64 else 4
        return int.from_bytes(_take(message, position, length), "little"), position + length
    raise errors.Unreadable(f"wire type {wire_type} at byte {position} of a message")


def _varint(message: bytes | memoryview, position: int) -> tuple[int, int]:
    value = 0
    for index, byte in enumerate(message[position : position + 10]):
        value |= (byte & 0x7F) << (7 * index)
        if byte < 0x80:
            return value & 0xFFFFFFFFFFFFFFFF, position + index + 1
    raise errors.Unreadable(f"a number does not end at byte {position} of a message")


def _take(message: bytes, position: int, length: int) -> bytes:
    if length > len(message) - position:
        raise errors.Unreadable(f"{length} bytes promised at byte {position} of a message of {len(message)}")
    return message[position : position + length]


def _signed(value: int) -> int:
    return value - (1 << 64) if value >= 1 << 63 else value


class Place(NamedTuple):
    """Where a field stands: all of it from `start` to `end`, its content from `at` on; `number` is that of a varint."""

    key: int
    start: int
    at: int
    end: int
    number: int


def walk(message: bytes | memoryview) -> Iterator[Place]:
    """The fields in the order they stand, nothing copied: for messages that are large or are to be changed."""
    position, size = 0, len(message)
    while position < size:
        start = position
        key, position = _varint(message, position)
        at, number = position, 0
        wire_type = key & 7
        if wire_type == _VARINT:
            number, position = _varint(message, position)
        elif wire_type == _BYTES:
            length, at = _varint(message, position)
            position = at + length
        elif wire_type in (_FIXED64, _FIXED32):
            position += 8 if wire_type == _FIXED64 else 4
        else:
            raise errors.Unreadable(f"wire type {wire_type} at byte {position} of a message")
        if position > size:
            raise errors.Unreadable(f"a field of {position - at} bytes at byte {at} of a message of {size}")
        yield Place(key, start, at, position, number)
