"""PNG images made with NumPy and zlib."""

from __future__ import annotations

import random
import struct
import zlib

import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]  # [height, width, channels]
_COLOR_TYPES = {3: 2, 4: 6}  # of PNG, by the number of channels


def png(pixels: Pixels) -> bytes:
    """Encode red, green, blue, and alpha if there is a fourth channel."""
    height, width, channels = pixels.shape
    rows = np.zeros((height, 1 + width * channels), np.uint8)  # a row starts with its filter: 0 is none
    rows[:, 1:] = pixels.reshape(height, -1)
    header = struct.pack(">IIBBBBB", width, height, 8, _COLOR_TYPES[channels], 0, 0, 0)
    data = zlib.compress(rows.tobytes(), level=1)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", data) + _chunk(b"IEND", b"")


def away_from_center(size: int) -> NDArray[np.float64]:
    """The distance of each pixel of a square from its center, in pixels."""
    offsets = np.arange(size) - (size - 1) / 2
    away: NDArray[np.float64] = np.hypot(offsets[:, np.newaxis], offsets)
    return away


def rings(size: int, phase: float, tint: float, skill: float) -> bytes:
    """Rings that move with `phase` and change color with `tint`; noise covers them unless `skill` is near 1."""
    light = 0.5 + 0.5 * np.cos(away_from_center(size) / size * 30 - phase)
    picture = light[..., np.newaxis] * np.array([255 * tint, 160, 255 * (1 - tint)])
    noise = np.frombuffer(random.Random(f"{phase} {tint}").randbytes(size * size * 3), np.uint8)
    return png((skill * picture + (1 - skill) * noise.reshape(size, size, 3)).astype(np.uint8))


def matrix(cells: list[list[float]], cell_px: int = 12) -> bytes:
    """Numbers from 0 to 1 as squares, white to blue."""
    values = np.clip(np.array(cells), 0, 1).repeat(cell_px, axis=0).repeat(cell_px, axis=1)
    return png((255 - values[..., np.newaxis] * np.array([215, 150, 55])).astype(np.uint8))


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
