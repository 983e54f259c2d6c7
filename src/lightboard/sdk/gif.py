"""Animated GIF files.

If all frames together have at most 256 colors, every pixel is exact. With more, Pillow chooses the colors if it is
installed; without it they are rounded to a cube of 6 × 7 × 6.
"""

from __future__ import annotations

import io
import struct
from typing import TYPE_CHECKING, Any

from lightboard import _native

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

_LEVELS = (6, 7, 6)


def encode(frames: Array, fps: float) -> bytes:
    """Encodes uint8 of shape (time, height, width, 3) as a GIF that repeats forever."""
    import numpy as np

    delay = max(1, round(100 / fps)) if fps > 0 else 25
    packed = frames[..., 0].astype(np.uint32) << 16 | frames[..., 1].astype(np.uint32) << 8 | frames[..., 2]
    colors, indices = np.unique(packed, return_inverse=True)
    if len(colors) > 256:
        with_pillow = _maybe_by_pillow(frames, delay)
        if with_pillow is not None:
            return with_pillow
        colors, indices = _cube(frames)
    return _assembled(colors, indices.reshape(packed.shape).astype(np.uint8), delay)


def _maybe_by_pillow(frames: Array, delay: int) -> bytes | None:
    try:
        from PIL import Image  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        return None
    pictures = [Image.fromarray(each).quantize(256, method=Image.Quantize.FASTOCTREE) for each in frames]
    file = io.BytesIO()
    pictures[0].save(file, "GIF", save_all=True, append_images=pictures[1:], duration=delay * 10, loop=0)
    return file.getvalue()


def _cube(frames: Array) -> tuple[Array, Array]:
    import numpy as np

    indices = np.zeros(frames.shape[:-1], np.uint16)
    for channel, levels in enumerate(_LEVELS):
        indices = indices * levels + (frames[..., channel].astype(np.uint32) * (levels - 1) + 127) // 255
    steps = [np.rint(np.linspace(0, 255, levels)).astype(np.uint32) for levels in _LEVELS]
    red, green, blue = np.meshgrid(*steps, indexing="ij")
    return (red << 16 | green << 8 | blue).reshape(-1), indices


def _assembled(colors: Array, indices: Array, delay: int) -> bytes:
    import numpy as np

    bits = max(2, int(len(colors) - 1).bit_length())
    table = np.zeros((1 << bits, 3), np.uint8)
    for channel, shift in enumerate((16, 8, 0)):
        table[: len(colors), channel] = colors >> shift & 255
    _, height, width = indices.shape
    parts = [
        b"GIF89a",
        struct.pack("<HHBBB", width, height, 0xF0 | (bits - 1), 0, 0),
        table.tobytes(),
        b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00",  # repeat forever
    ]
    for frame in indices:
        parts.append(struct.pack("<BBBBHBB", 0x21, 0xF9, 4, 4, delay, 0, 0))
        parts.append(struct.pack("<BHHHHB", 0x2C, 0, 0, width, height, 0))
        parts.append(bytes([bits]))
        parts.append(_native.gif_codes(frame.tobytes(), bits))
    parts.append(b"\x3b")
    return b"".join(parts)
