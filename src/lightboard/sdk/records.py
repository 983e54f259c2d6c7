"""Any bytes as a TFRecord: length, its checksum, the bytes, their checksum (see native/base/record.h)."""

from __future__ import annotations

import struct

from lightboard import _native


def framed(data: bytes) -> bytes:
    length = struct.pack("<Q", len(data))
    return length + _checksum(length) + data + _checksum(data)


def _checksum(data: bytes) -> bytes:
    crc = _native.crc32c(data)
    return struct.pack("<I", ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF)
