"""Pictures to log: honest ones of any size, and ones that claim to be what they are not."""

from __future__ import annotations

import io
import json
import struct
import zlib

import numpy as np
from PIL import Image


def png(width: int, height: int) -> bytes:
    """A gradient, so that no two places look alike."""
    across, down = np.meshgrid(np.linspace(0, 255, width), np.linspace(0, 255, height))
    pixels = np.stack([across, down, 255 - across], axis=-1).astype(np.uint8)
    written = io.BytesIO()
    Image.fromarray(pixels).save(written, "PNG")
    return written.getvalue()


def claiming(width: int, height: int) -> bytes:
    """A PNG of a few bytes whose header promises so many pixels."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(bytes(1000))), (b"IEND", b""))
    chunks = [
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body)) for name, body in parts
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def overlays() -> bytes:
    """What the chunk of boxes and masks holds."""
    box = {"box": [1, 2, 3, 4], "label": "a", "score": 0.5, "group": "truth"}
    mask = {"name": "m", "png": "iVBORw0KGgo=", "labels": {"1": "road"}}
    return zlib.compress(json.dumps({"boxes": [box], "masks": [mask]}).encode())
