"""Sounds in the forms people log, made by hand. Films: lightboard.demo.films; what takes an encoder: data/media."""

from __future__ import annotations

import math
import pathlib
import struct

MEDIA = pathlib.Path(__file__).parent / "data" / "media"
RATE = 8000


def wave(seconds: float = 0.5, pitch_hz: float = 440, rate_hz: int = RATE) -> list[float]:
    return [0.5 * math.sin(2 * math.pi * pitch_hz * i / rate_hz) for i in range(round(seconds * rate_hz))]


def wav(samples: list[float], *, bits: int = 16, real: bool = False, channels: int = 1, rate_hz: int = RATE) -> bytes:
    """PCM of 8, 16, 24 or 32 bits, or floats of 32 or 64; every channel the same."""
    data = b"".join(_sample(each, bits, real) * channels for each in samples)
    block = bits // 8 * channels
    form = struct.pack("<HHIIHH", 3 if real else 1, channels, rate_hz, rate_hz * block, block, bits)
    body = b"WAVEfmt " + struct.pack("<I", len(form)) + form + b"data" + struct.pack("<I", len(data)) + data
    return b"RIFF" + struct.pack("<I", len(body)) + body


def _sample(value: float, bits: int, real: bool) -> bytes:
    if real:
        return struct.pack("<f" if bits == 32 else "<d", value)
    if bits == 8:
        return bytes([round(127 * value) + 128])
    return round(((1 << bits - 1) - 1) * value).to_bytes(bits // 8, "little", signed=True)


def flac(samples: list[float], rate_hz: int = RATE) -> bytes:
    """16 bits, one channel, nothing packed: frames with one verbatim subframe."""
    size = 4096
    numbers = [round(32767 * each) for each in samples]
    numbers += [0] * (-len(numbers) % size)
    packed = rate_hz << 44 | 0 << 41 | 15 << 36 | len(samples)
    info = struct.pack(">HH", size, size) + bytes(6) + packed.to_bytes(8, "big") + bytes(16)
    found = b"fLaC" + b"\x80" + len(info).to_bytes(3, "big") + info
    for at in range(0, len(numbers), size):
        # 4096 samples (12), rate (0) and bits (0) as STREAMINFO says, one channel; the number of the first sample is
        # written as UTF-8 writes letters
        head = b"\xff\xf9\xc0\x00" + chr(at).encode("utf-8", "surrogatepass")
        head += bytes([_crc(head, 8, 0x07)])
        frame = head + b"\x02" + b"".join(struct.pack(">h", each) for each in numbers[at : at + size])
        found += frame + _crc(frame, 16, 0x8005).to_bytes(2, "big")
    return found


def _crc(data: bytes, width: int, polynomial: int) -> int:
    found, top = 0, 1 << width - 1
    for byte in data:
        found ^= byte << width - 8
        for _ in range(8):
            found = (found << 1 ^ polynomial if found & top else found << 1) & (1 << width) - 1
    return found


def mp3(frames: int = 40) -> bytes:
    """Silence: MPEG 1 layer III at 44.1 kHz, 128 kbit/s, one channel; a frame lasts 26 ms."""
    return (b"\xff\xfb\x90\xc0" + bytes(413)) * frames


def ogg() -> bytes:
    """0.6 seconds of Opus."""
    return (MEDIA / "tone.ogg").read_bytes()
