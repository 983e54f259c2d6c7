"""Small PNG files of one fixed length: pixels are stored, not compressed, so a batch of them is a byte matrix."""

from __future__ import annotations

import struct
import zlib

import numpy as np

SIDE_PX = 32


def png(generator: np.random.Generator) -> bytes:
    """A noisy color gradient."""
    ramp = np.linspace(0, 160, SIDE_PX)
    slopes = generator.uniform(-1, 1, (2, 3))
    pixels = 96 + ramp[:, None, None] * slopes[0] * 0.5 + ramp[None, :, None] * slopes[1] * 0.5
    noisy = np.clip(pixels + generator.normal(0, 12, pixels.shape), 0, 255).astype(np.uint8)
    rows = np.zeros((SIDE_PX, 1 + SIDE_PX * 3), np.uint8)  # each row starts with filter byte 0
    rows[:, 1:] = noisy.reshape(SIDE_PX, -1)
    header = struct.pack(">IIBBBBB", SIDE_PX, SIDE_PX, 8, 2, 0, 0, 0)
    chunks = _chunk(b"IHDR", header) + _chunk(b"IDAT", _stored(rows.tobytes())) + _chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + chunks


def _stored(data: bytes) -> bytes:
    """Return a zlib stream of one stored block."""
    size = struct.pack("<HH", len(data), len(data) ^ 0xFFFF)
    return b"\x78\x01\x01" + size + data + struct.pack(">I", zlib.adler32(data))


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
