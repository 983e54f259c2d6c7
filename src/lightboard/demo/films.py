"""MP4 videos made without an encoder: H.264 frames with uncompressed blocks (I_PCM), all of them key frames.

The files are large, but every player supports them, and a frame has exactly the given pixels.
"""

from __future__ import annotations

import math
import random
import re
import struct
from collections.abc import Sequence

import numpy as np

_BLOCK = 16
_TICKS = 1000  # per second


class _Bits:
    """Bits written one after another; numbers as Exp-Golomb codes."""

    def __init__(self) -> None:
        self._text: list[str] = []

    def fixed(self, value: int, width: int) -> _Bits:
        self._text.append(f"{value:0{width}b}")
        return self

    def golomb(self, *values: int) -> _Bits:
        for value in values:
            code = f"{value + 1:b}"
            self._text.append("0" * (len(code) - 1) + code)
        return self

    def align(self) -> _Bits:
        length = sum(map(len, self._text))
        return self.fixed(0, -length % 8) if length % 8 else self

    def bytes(self) -> bytes:
        text = "".join(self._text)
        return int(text, 2).to_bytes(len(text) // 8, "big")


def _unit(kind: int, payload: bytes) -> bytes:
    """A NAL unit: a 3 is inserted into byte sequences that would look like the start of the next unit."""
    return bytes([kind]) + re.sub(rb"\0\0(?=[\0-\3])", b"\0\0\3", payload)


def _ended(bits: _Bits) -> bytes:
    return bits.fixed(1, 1).align().bytes()


def _sequence(columns: int, rows: int) -> bytes:
    """Baseline profile, level 1.1; one picture buffer, no reordering, no cropping."""
    bits = _Bits().fixed(66, 8).fixed(0xC0, 8).fixed(11, 8).golomb(0, 0, 2, 0).fixed(0, 1)
    return _unit(0x67, _ended(bits.golomb(columns - 1, rows - 1).fixed(1, 1).fixed(1, 1).fixed(0, 1).fixed(0, 1)))


def _picture() -> bytes:
    bits = _Bits().golomb(0, 0).fixed(0, 2).golomb(0, 0, 0).fixed(0, 3).golomb(0, 0, 0).fixed(1, 1).fixed(0, 2)
    return _unit(0x68, _ended(bits))


def _frame(number: int, luma: Sequence[int], width: int) -> bytes:
    """A key frame of gray pixels, row after row, from 1 to 255."""
    bits = _Bits().golomb(0, 7, 0).fixed(0, 4).golomb(number & 1).fixed(0, 2).golomb(0, 1)
    parts = []
    blocks = len(luma) // _BLOCK**2
    columns = width // _BLOCK
    gray = bytes([128]) * (_BLOCK**2 // 2)
    for block in range(blocks):
        bits.golomb(25)  # I_PCM
        parts.append(bits.align().bytes())
        top, left = block // columns * _BLOCK, block % columns * _BLOCK
        starts = (row * width + left for row in range(top, top + _BLOCK))
        parts.extend(bytes(luma[start : start + _BLOCK]) for start in starts)
        parts.append(gray)
        bits = _Bits()
    parts.append(_ended(bits))
    return _unit(0x65, b"".join(parts))


def _box(name: bytes, *parts: bytes) -> bytes:
    body = b"".join(parts)
    return struct.pack(">I", 8 + len(body)) + name + body


def mp4(frames: Sequence[Sequence[int]], width: int, height: int, fps: float = 10) -> bytes:
    """Gray frames, each `width` × `height` numbers from 1 to 255; sizes are multiples of 16."""
    sequence, picture = _sequence(width // _BLOCK, height // _BLOCK), _picture()
    units = [_frame(number, luma, width) for number, luma in enumerate(frames)]
    samples = [struct.pack(">I", len(unit)) + unit for unit in units]
    each = round(_TICKS / fps)
    length = each * len(samples)
    matrix = struct.pack(">9I", 0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)
    start = _box(b"ftyp", b"isom", struct.pack(">I", 512), b"isomiso2avc1mp41")
    config = bytes([1]) + sequence[1:4] + bytes([0xFF, 0xE1]) + struct.pack(">H", len(sequence)) + sequence
    config += bytes([1]) + struct.pack(">H", len(picture)) + picture
    entry = _box(
        b"avc1",
        bytes(6) + struct.pack(">H", 1) + bytes(16),
        struct.pack(">HHIII", width, height, 0x480000, 0x480000, 0) + struct.pack(">H", 1),
        bytes(32) + struct.pack(">Hh", 24, -1),
        _box(b"avcC", config),
    )

    def table(offset: int) -> bytes:
        return _box(
            b"stbl",
            _box(b"stsd", struct.pack(">II", 0, 1), entry),
            _box(b"stts", struct.pack(">IIII", 0, 1, len(samples), each)),
            _box(b"stsc", struct.pack(">IIIII", 0, 1, 1, len(samples), 1)),
            _box(b"stsz", struct.pack(">III", 0, 0, len(samples)), *(struct.pack(">I", len(one)) for one in samples)),
            _box(b"stco", struct.pack(">III", 0, 1, offset)),
        )

    def movie(offset: int) -> bytes:
        media = _box(
            b"minf",
            _box(b"vmhd", struct.pack(">IQ", 1, 0)),
            _box(b"dinf", _box(b"dref", struct.pack(">II", 0, 1), _box(b"url ", struct.pack(">I", 1)))),
            table(offset),
        )
        track = _box(
            b"trak",
            _box(
                b"tkhd",
                struct.pack(">IIIIIIQQ", 3, 0, 0, 1, 0, length, 0, 0) + matrix,
                struct.pack(">II", width << 16, height << 16),
            ),
            _box(
                b"mdia",
                _box(b"mdhd", struct.pack(">IIIIIHH", 0, 0, 0, _TICKS, length, 0x55C4, 0)),
                _box(b"hdlr", struct.pack(">II4s", 0, 0, b"vide") + bytes(12) + b"video\0"),
                media,
            ),
        )
        head = struct.pack(">IIIIIIH", 0, 0, 0, _TICKS, length, 0x10000, 0x100) + bytes(10) + matrix + bytes(24)
        return _box(b"moov", _box(b"mvhd", head, struct.pack(">I", 2)), track)

    offset = len(start) + len(movie(0)) + 8
    return start + movie(offset) + _box(b"mdat", *samples)


def pendulum(swing: float, frames: int = 20, size: int = 64, jitter: float = 0) -> bytes:
    """A bright bob on a dark background that swings up to `swing` radians; one full period.

    It is up to `jitter` radians off its path, by chance.
    """
    chance = random.Random(f"{swing} {jitter}")
    rows, columns = np.mgrid[:size, :size]
    found = []
    for number in range(frames):
        angle = swing * math.cos(2 * math.pi * number / frames) + jitter * chance.uniform(-1, 1)
        x, y = size / 2 + 0.42 * size * math.sin(angle), 0.15 * size + 0.6 * size * math.cos(angle)
        near = np.hypot(columns - x, rows - y)
        edge = np.where(abs(near - size / 12) < 1.2, 120, 30 + rows // 4)
        found.append(np.where(near < size / 12, 235, edge).astype(np.uint8).tobytes())
    return mp4(found, size, size)
