"""PNG images made with zlib only."""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Callable

Pixel = tuple[int, int, int]


def png(width: int, height: int, pixel: Callable[[int, int], Pixel]) -> bytes:
    """An RGB image; `pixel(x, y)` returns red, green, blue from 0 to 255."""
    rows = b"".join(b"\0" + bytes(part for x in range(width) for part in pixel(x, y)) for y in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(rows)) + _chunk(b"IEND", b"")


def ripple(size: int, phase: float, tint: float) -> bytes:
    """Rings that move with `phase` and change color with `tint` (0 to 1)."""

    def pixel(x: int, y: int) -> Pixel:
        distance = math.hypot(x - size / 2, y - size / 2) / size
        light = 0.5 + 0.5 * math.cos(distance * 30 - phase)
        return int(255 * light * tint), int(160 * light), int(255 * light * (1 - tint))

    return png(size, size, pixel)


def matrix(cells: list[list[float]], cell_px: int = 12) -> bytes:
    """Numbers from 0 to 1 as squares, white to blue."""
    size = len(cells) * cell_px

    def pixel(x: int, y: int) -> Pixel:
        value = min(1.0, max(0.0, cells[y // cell_px][x // cell_px]))
        return int(255 - 215 * value), int(255 - 150 * value), 255 - int(55 * value)

    return png(size, size, pixel)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
