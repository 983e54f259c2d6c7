"""The body of a request that sends bytes of files: parts, one after the other, of several files.

    0          1       2                4                    8        12         16       24
    encoding   flags   length of path   length on the wire   length   checksum   offset   path   data
    u8         u8      u16              u32                  u32      u32        u64                     little endian

encoding   0: as it is, 1: zlib
flags      1: the file starts again, with this part at offset 0
length     of the data when decoded, at most MOST_LENGTH
checksum   CRC-32 of the file from its first byte to the end of this part
"""

from __future__ import annotations

import dataclasses
import struct
import zlib
from collections.abc import Iterator

from lightboard.hub.life import refusals

HEAD = struct.Struct("<BBHIIIQ")
PLAIN, ZLIB = 0, 1
REPLACE = 1
MOST_LENGTH = 1 << 20
# zlib adds a little to what it cannot compress
MOST_WIRE = MOST_LENGTH + (MOST_LENGTH >> 8) + 64
MOST_PATH = 1024
LARGEST_FILE = 1 << 46


class BadPart(refusals.Refusal):
    status = 400
    rest_code = "InvalidPart"


@dataclasses.dataclass(frozen=True)
class Part:
    path: str
    offset: int
    length: int
    checksum: int
    replace: bool
    encoding: int
    wire: bytes = dataclasses.field(repr=False)

    def data(self) -> bytes:
        """The decoded bytes. Never more than `length`, whatever the data unpack to."""
        if self.encoding == PLAIN:
            return self.wire
        decoder = zlib.decompressobj()
        try:
            data = decoder.decompress(self.wire, self.length + 1)
        except zlib.error as error:
            raise _bad(f"the data are not zlib's: {error}") from error
        if len(data) != self.length or not decoder.eof or decoder.unused_data or decoder.unconsumed_tail:
            raise _bad(f"the data do not unpack to {self.length} bytes")
        return data


class Parser:
    """State: bytes of a part that is not complete. At most one part and one piece are in memory."""

    def __init__(self) -> None:
        self._rest = bytearray()

    @property
    def is_complete(self) -> bool:
        """Whether the body may end here."""
        return not self._rest

    def feed(self, piece: bytes) -> Iterator[Part]:
        self._rest += piece
        while (found := self._next()) is not None:
            yield found

    def _next(self) -> Part | None:
        rest = self._rest
        if len(rest) < HEAD.size:
            return None
        encoding, flags, path_size, wire_size, length, checksum, offset = HEAD.unpack_from(rest)
        _check(encoding, flags, path_size, wire_size, length, offset)
        start = HEAD.size + path_size
        end = start + wire_size
        if len(rest) < end:
            return None
        with memoryview(rest) as view:
            raw_path, wire = bytes(view[HEAD.size : start]), bytes(view[start:end])
        del rest[:end]
        try:
            path = raw_path.decode()
        except UnicodeDecodeError as error:
            raise _bad("the path of a part is not UTF-8") from error
        return Part(path, offset, length, checksum, bool(flags & REPLACE), encoding, wire)


def packed(path: bytes, offset: int, wire: bytes, length: int, checksum: int, encoding: int, flags: int) -> bytes:
    """The head and the path of a part; its data follow. For tests: `client/uploads` has its own."""
    return HEAD.pack(encoding, flags, len(path), len(wire), length, checksum, offset) + path


def _check(encoding: int, flags: int, path_size: int, wire_size: int, length: int, offset: int) -> None:
    if encoding not in (PLAIN, ZLIB) or flags & ~REPLACE:
        raise _bad("the head of a part has an unknown encoding or flag")
    if not 0 < path_size <= MOST_PATH:
        raise _bad("the path of a part is empty or too long")
    if length > MOST_LENGTH or wire_size > MOST_WIRE or (encoding == PLAIN and wire_size != length):
        raise _bad(f"a part has at most {MOST_LENGTH:,} bytes, and its lengths agree")
    if offset > LARGEST_FILE or (flags & REPLACE and offset):
        raise _bad("the offset of a part is not possible")


def _bad(message: str) -> BadPart:
    return BadPart(message, hint="use a client of this release")
