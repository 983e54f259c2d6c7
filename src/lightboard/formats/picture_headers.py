"""Read the header of a picture: width, height, and the memory that decoding would take. Nothing is decoded.

    PNG    IHDR: width u32, height u32, bits u8, colors u8            at byte 16, big-endian
    GIF    width u16, height u16                                      at byte 6
    BMP    size of the head u32; width, height (u16 in the oldest)    at byte 14
    WebP   RIFF; the first chunk is VP8X (24 bits each, less one), VP8L (14 bits each) or VP8
    JPEG   segments FF, kind u8, length u16; the frame (C0 … CF) has height, width and components
    AVIF   boxes; each `ispe` has width and height of one part

Pillow uses one byte per pixel of gray or of a palette, two for 16-bit gray, and four for everything else.
"""

from __future__ import annotations

import dataclasses
import re

from lightboard import errors
from lightboard.formats import byte_reader

# The highest compression ratio of deflate; a PNG that claims more pixels is truncated or invalid.
_DEFLATE = 1032
_MOST_SEGMENTS = 10_000
_HEAD_BYTES = 64 << 10
_NO_FRAMES = (0xC4, 0xC8, 0xCC)  # tables and extensions among C0 … CF, not frames
_PROGRESSIVE = (0xC2, 0xC6, 0xCA, 0xCE)
# Peak memory of Pillow 13 per pixel, measured with `VmHWM`: 16.1 and 12.0, plus a margin for ten-bit pictures.
_WEBP_BYTES, _AVIF_BYTES = 17, 16


@dataclasses.dataclass(frozen=True)
class Head:
    width: int
    height: int
    pixel_bytes: int  # memory per pixel while decoding
    fixed_bytes: int = 0  # memory per pixel of the full size that a smaller decoded size does not reduce
    scales: bool = False  # can be decoded at a half, quarter or eighth of its size
    believable: bool = True  # False: the file is too short for this many pixels

    @property
    def pixels(self) -> int:
        return self.width * self.height


def maybe_read(data: bytes, media_type: str) -> Head | None:
    """Return None if the header is truncated or invalid, or the format is not supported here."""
    read = _READERS.get(media_type)
    try:
        found = read(data) if read is not None else None
    except errors.Unreadable:
        return None
    return found if found is not None and found.width > 0 and found.height > 0 else None


def _png(data: bytes) -> Head:
    reader = byte_reader.ByteReader(data, "the picture", "big")
    width, height, bits, colours = (
        reader.number(16, 4),
        reader.number(20, 4),
        reader.number(24, 1),
        reader.number(25, 1),
    )
    single = colours in (0, 3)
    packed = width * height * bits * (1 if single else 2) // 8
    return Head(width, height, (2 if bits > 8 else 1) if single else 4, believable=packed <= _DEFLATE * len(data))


def _gif(data: bytes) -> Head:
    reader = byte_reader.ByteReader(data, "the picture")
    return Head(reader.number(6, 2), reader.number(8, 2), 1)


def _bmp(data: bytes) -> Head:
    reader = byte_reader.ByteReader(data, "the picture")
    if reader.number(14, 4) == 12:
        return Head(reader.number(18, 2), reader.number(20, 2), 4)
    height = reader.number(22, 4)
    return Head(reader.number(18, 4), min(height, (1 << 32) - height), 4)  # a negative height: the first row is the top


def _webp(data: bytes) -> Head:
    reader = byte_reader.ByteReader(data, "the picture")
    kind = reader.take(12, 4)
    if kind == b"VP8X":
        width, height = reader.number(24, 3) + 1, reader.number(27, 3) + 1
    elif kind == b"VP8L":
        packed = reader.number(21, 4)
        width, height = (packed & 0x3FFF) + 1, (packed >> 14 & 0x3FFF) + 1
    else:
        width, height = reader.number(26, 2) & 0x3FFF, reader.number(28, 2) & 0x3FFF
    return Head(width, height, _WEBP_BYTES)


def _jpeg(data: bytes) -> Head | None:
    reader = byte_reader.ByteReader(data, "the picture", "big")
    at = 2
    for _ in range(_MOST_SEGMENTS):
        at = data.find(b"\xff", at)
        if at < 0:
            return None
        kind = reader.number(at + 1, 1)
        if kind in (0, 0xFF) or 0xD0 <= kind <= 0xD8 or kind == 1:
            at += 1 if kind == 0xFF else 2
            continue
        if 0xC0 <= kind <= 0xCF and kind not in _NO_FRAMES:
            height, width, parts = reader.number(at + 5, 2), reader.number(at + 7, 2), reader.number(at + 9, 1)
            sampled = reader.numbers(at + 10, 3, parts)  # each component: id, samples across and down, table
            kept = _coefficient_bytes([each >> 8 & 255 for each in sampled]) if kind in _PROGRESSIVE else 0
            return Head(width, height, 1 if parts == 1 else 4, kept, scales=True)
        at += 2 + reader.number(at + 2, 2)
    return None


def _coefficient_bytes(samples: list[int]) -> int:
    """Return bytes per pixel: two for each sample of each component, which a progressive JPEG keeps until the last
    pass."""
    across, down = [each >> 4 or 1 for each in samples], [each & 15 or 1 for each in samples]
    all_samples = sum(one * other for one, other in zip(across, down, strict=True))
    return -(-2 * all_samples // (max(across, default=1) * max(down, default=1)))


def _avif(data: bytes) -> Head | None:
    reader = byte_reader.ByteReader(data, "the picture", "big")
    places = [found.end() + 4 for found in re.finditer(b"ispe", data[:_HEAD_BYTES])]
    sizes = [(reader.number(at, 4), reader.number(at + 4, 4)) for at in places[:1000]]
    largest = max(sizes, key=lambda size: size[0] * size[1], default=None)
    return None if largest is None else Head(*largest, _AVIF_BYTES)


_READERS = {
    "image/png": _png,
    "image/gif": _gif,
    "image/bmp": _bmp,
    "image/webp": _webp,
    "image/jpeg": _jpeg,
    "image/avif": _avif,
}
