"""Read the header of an audio file: encoding, sample rate, channels, length. Nothing is decoded.

    WAV    RIFF chunks: `fmt ` has the format, `data` the samples
    FLAC   "fLaC", then STREAMINFO
    OGG    pages; the first packet names the codec, the last page's position is the length
    MP3    frames one after another, each with its own header (ISO 11172-3), perhaps after an ID3 tag

Files come from users: every length is checked against the bytes that exist, and invalid fields are left out.
"""

from __future__ import annotations

import dataclasses
import struct

_PCM, _FLOAT, _EXTENSIBLE = 1, 3, 0xFFFE
_WAV_CODECS = {_PCM: "PCM", _FLOAT: "float", 6: "A-law", 7: "µ-law", 2: "ADPCM", 0x11: "ADPCM", 0x55: "MP3"}
_OPUS_RATE = 48_000  # positions in Opus always use this rate, whatever the rate of the recording
# The largest page of an Ogg file: its last one begins at most this far before the end.
_OGG_PAGE = 65_307
_OGG_HEAD = 100  # bytes of the codec's header in the first packet
_MOST_CHUNKS = 10_000  # chunks of a WAV before its samples
_MP3_RATES = {3: (44_100, 48_000, 32_000), 2: (22_050, 24_000, 16_000), 0: (11_025, 12_000, 8_000)}
_MP3_KBITS_1 = (0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320)
_MP3_KBITS_2 = (0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160)
_MP3_SCANNED = 200_000  # the limit of frames read; more than an hour


@dataclasses.dataclass(frozen=True)
class Sound:
    """None: the file does not say. `whole` is False if the file is truncated."""

    codec: str = ""
    rate_hz: int | None = None
    channels: int | None = None
    bits: int | None = None
    seconds: float | None = None
    whole: bool = True


def read(data: bytes) -> Sound:
    if data[:4] in (b"RIFF", b"RF64") and data[8:12] == b"WAVE":
        return _wav(data)
    if data[:4] == b"fLaC":
        return _flac(data)
    if data[:4] == b"OggS":
        return _ogg(data)
    start = _behind_id3(data)
    return _mp3(data, start) if _mp3_frame(data, start) is not None else Sound()


def _wav(data: bytes) -> Sound:
    codec, rate, channels, bits, block = "", None, None, None, 0
    at = 12
    for _ in range(_MOST_CHUNKS):
        if at + 8 > len(data):
            break
        name, size = data[at : at + 4], int.from_bytes(data[at + 4 : at + 8], "little")
        at += 8
        if name == b"fmt " and size >= 16 and at + 16 <= len(data):
            form, channels, rate, _, block, bits = struct.unpack_from("<HHIIHH", data, at)
            if form == _EXTENSIBLE and size >= 26 and at + 26 <= len(data):
                form = int.from_bytes(data[at + 24 : at + 26], "little")
            codec = _WAV_CODECS.get(form, f"WAV {form:#x}")
        elif name == b"data":
            there = min(size, len(data) - at)
            # Writers that cannot seek leave 0 or the largest number.
            open_ended = size in (0, 0xFFFFFFFF)
            there = len(data) - at if open_ended else there
            counted = codec in ("PCM", "float", "A-law", "µ-law")
            seconds = there / block / rate if block and rate and counted else None
            return Sound(codec, rate or None, channels or None, bits or None, seconds, open_ended or there == size)
        at += size + size % 2
    return Sound(codec, rate or None, channels or None, bits or None, None, whole=False)


def _flac(data: bytes) -> Sound:
    head = data[8:42]
    if len(head) < 34 or data[4] & 0x7F:
        return Sound("FLAC", whole=False)
    packed = int.from_bytes(head[10:18], "big")
    rate, channels, bits = packed >> 44, (packed >> 41 & 7) + 1, (packed >> 36 & 31) + 1
    frames = packed & (1 << 36) - 1
    return Sound("FLAC", rate or None, channels, bits, frames / rate if rate and frames else None)


def _ogg(data: bytes) -> Sound:
    begin = 27 + data[26] if len(data) > 26 else len(data)
    body = data[begin : begin + _OGG_HEAD]
    if body[:7] == b"\x01vorbis" and len(body) >= 16:
        codec, channels, rate = "Vorbis", body[11], int.from_bytes(body[12:16], "little")
        counted, skipped = rate, 0
    elif body[:8] == b"OpusHead" and len(body) >= 16:
        codec, channels, rate = "Opus", body[9], int.from_bytes(body[12:16], "little")
        counted, skipped = _OPUS_RATE, int.from_bytes(body[10:12], "little")
    elif body[1:5] == b"FLAC":
        return dataclasses.replace(_flac(body[9:]), codec="FLAC")
    else:
        return Sound("", whole=False)
    position, ended = _last_position(data)
    seconds = max(position - skipped, 0) / counted if counted and position is not None else None
    return Sound(codec, rate or None, channels or None, None, seconds, ended)


def _last_position(data: bytes) -> tuple[int | None, bool]:
    """Return the position in samples of the last page that has one, and whether that page is marked as the last."""
    tail = data[-2 * _OGG_PAGE :]
    at = len(tail)
    last = True
    while (at := tail.rfind(b"OggS", 0, at)) >= 0:
        if at + 14 > len(tail):
            last = False
            continue
        position = int.from_bytes(tail[at + 6 : at + 14], "little", signed=True)
        if position >= 0:
            return position, last and bool(tail[at + 5] & 4)
        last = False
    return None, False


def _behind_id3(data: bytes) -> int:
    if data[:3] != b"ID3" or len(data) < 10:
        return 0
    size = data[6] << 21 | data[7] << 14 | data[8] << 7 | data[9]
    return 10 + size + (10 if data[5] & 0x10 else 0)


@dataclasses.dataclass(frozen=True)
class _Frame:
    rate: int
    channels: int
    samples: int
    size: int


def _mp3_frame(data: bytes, at: int) -> _Frame | None:
    head = data[at : at + 4]
    if len(head) < 4 or head[0] != 0xFF or head[1] & 0xE0 != 0xE0:
        return None
    version, layer = head[1] >> 3 & 3, head[1] >> 1 & 3
    kbits, rate, padding = head[2] >> 4, head[2] >> 2 & 3, head[2] >> 1 & 1
    if version == 1 or layer != 1 or kbits in (0, 15) or rate == 3:  # the value 1 means layer III
        return None
    hz = _MP3_RATES[version][rate]
    samples = 1152 if version == 3 else 576
    kbit = (_MP3_KBITS_1 if version == 3 else _MP3_KBITS_2)[kbits]
    return _Frame(hz, 1 if head[3] >> 6 == 3 else 2, samples, samples // 8 * kbit * 1000 // hz + padding)


def _mp3(data: bytes, start: int) -> Sound:
    first = _mp3_frame(data, start)
    assert first is not None
    stated = _xing_frames(data, start, first)
    if stated is not None:
        return Sound("MP3", first.rate, first.channels, None, stated * first.samples / first.rate)
    at, frames, whole = start, 0, True
    while (found := _mp3_frame(data, at)) is not None:
        at += found.size
        whole = at <= len(data)
        frames += whole
        if frames >= _MP3_SCANNED:
            return Sound("MP3", first.rate, first.channels, None, None)
    return Sound("MP3", first.rate, first.channels, None, frames * first.samples / first.rate, whole)


def _xing_frames(data: bytes, start: int, first: _Frame) -> int | None:
    """Return the number of frames that the first frame of a file with variable bit rate states."""
    head = data[start : start + min(first.size, 200)]
    at = max(head.find(b"Xing"), head.find(b"Info"))
    if at < 0 or len(head) < at + 12 or not head[at + 7] & 1:
        return None
    return int.from_bytes(head[at + 8 : at + 12], "big")
