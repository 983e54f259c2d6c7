"""Decode the pictures the SDK writes, without Pillow: PNG of 8 bits with filters 0 to 2, GIF with one palette."""

from __future__ import annotations

import struct
import zlib

import numpy as np
from numpy.typing import NDArray


def png(data: bytes) -> NDArray[np.uint8]:
    """(height, width, channels). AssertionError if a checksum or a length is wrong."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, chunks = 8, {}
    while at < len(data):
        (size,) = struct.unpack(">I", data[at : at + 4])
        name, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + size]
        assert struct.unpack(">I", data[at + 8 + size : at + 12 + size])[0] == zlib.crc32(name + body)
        chunks[name] = body
        at += 12 + size
    assert list(chunks) == [b"IHDR", b"IDAT", b"IEND"]
    width, height, depth, colour, *rest = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    assert depth == 8 and rest == [0, 0, 0]
    channels = {0: 1, 4: 2, 2: 3, 6: 4}[colour]
    rows = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8).reshape(height, width * channels + 1)
    out = np.zeros((height, width, channels), np.uint8)
    for y, row in enumerate(rows):
        values = row[1:].reshape(width, channels)
        if row[0] == 1:
            out[y] = np.cumsum(values, axis=0, dtype=np.uint8)
        elif row[0] == 2:
            out[y] = values + (out[y - 1] if y else 0)
        else:
            assert row[0] == 0
            out[y] = values
    return out


def gif(data: bytes) -> tuple[NDArray[np.uint8], list[int]]:
    """Frames (time, height, width, 3) and their delays in hundredths of a second."""
    assert data[:6] == b"GIF89a"
    width, height, flags = struct.unpack("<HHB", data[6:11])
    colours = 2 << (flags & 7)
    palette = np.frombuffer(data[13 : 13 + 3 * colours], np.uint8).reshape(-1, 3)
    at = 13 + 3 * colours
    frames: list[NDArray[np.uint8]] = []
    delays: list[int] = []
    while data[at] != 0x3B:
        if data[at] == 0x21:
            if data[at + 1] == 0xF9:
                delays.append(struct.unpack("<H", data[at + 4 : at + 6])[0])
            at += 2
        else:
            assert data[at] == 0x2C and struct.unpack("<HHHH", data[at + 1 : at + 9]) == (0, 0, width, height)
            bits = data[at + 10]
            at += 11
        body = b""
        while data[at]:
            body += data[at + 1 : at + 1 + data[at]]
            at += 1 + data[at]
        at += 1
        if len(frames) < len(delays) and not body.startswith(b"NETSCAPE") and len(body) != 4:
            frames.append(palette[np.frombuffer(lzw(body, bits), np.uint8)].reshape(height, width, 3))
    assert at == len(data) - 1
    return np.stack(frames), delays


def lzw(body: bytes, bits: int) -> bytes:
    clear, end = 1 << bits, (1 << bits) + 1
    stream, at = int.from_bytes(body, "little"), 0
    out, table, width, before = bytearray(), [b""], bits + 1, b""
    while True:
        code = stream >> at & (1 << width) - 1
        at += width
        if code == clear:
            table = [bytes([each]) for each in range(clear)] + [b"", b""]
            width, before = bits + 1, b""
            continue
        if code == end:
            return bytes(out)
        found = table[code] if code < len(table) else before + before[:1]
        if before and len(table) < 4096:
            table.append(before + found[:1])
        if len(table) == 1 << width and width < 12:
            width += 1
        out += found
        before = found
