"""WAV clips: 16 bit, one channel."""

from __future__ import annotations

import random
import struct

import numpy as np
from numpy.typing import NDArray


def wav(samples: NDArray[np.float64], rate_hz: int) -> bytes:
    """Encodes samples from -1 to 1."""
    data = (32767 * np.clip(samples, -1, 1)).astype("<i2").tobytes()
    form = struct.pack("<HHIIHH", 1, 1, rate_hz, rate_hz * 2, 2, 16)
    body = b"WAVEfmt " + struct.pack("<I", len(form)) + form + b"data" + struct.pack("<I", len(data)) + data
    return b"RIFF" + struct.pack("<I", len(body)) + body


def tone(pitch_hz: float, skill: float = 1, seconds: float = 0.4, rate_hz: int = 8000) -> bytes:
    """A note that fades out; noise covers it unless `skill` is near 1."""
    count = int(seconds * rate_hz)
    times = np.arange(count)
    noise = np.frombuffer(random.Random(f"{pitch_hz}").randbytes(count), np.uint8) / 127.5 - 1
    note = np.sin(2 * np.pi * pitch_hz * times / rate_hz)
    return wav(0.6 * (1 - times / count) * (skill * note + (1 - skill) * noise), rate_hz)
