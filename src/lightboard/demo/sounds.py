"""WAV clips: 16 bit, one channel."""

from __future__ import annotations

import math
import struct


def wav(samples: list[float], rate_hz: int) -> bytes:
    """Encodes samples from -1 to 1."""
    data = struct.pack(f"<{len(samples)}h", *(int(32767 * max(-1.0, min(1.0, sample))) for sample in samples))
    form = struct.pack("<HHIIHH", 1, 1, rate_hz, rate_hz * 2, 2, 16)
    body = b"WAVEfmt " + struct.pack("<I", len(form)) + form + b"data" + struct.pack("<I", len(data)) + data
    return b"RIFF" + struct.pack("<I", len(body)) + body


def tone(pitch_hz: float, seconds: float = 0.4, rate_hz: int = 8000) -> bytes:
    """A note that fades out."""
    count = int(seconds * rate_hz)
    return wav([0.6 * (1 - i / count) * math.sin(2 * math.pi * pitch_hz * i / rate_hz) for i in range(count)], rate_hz)
