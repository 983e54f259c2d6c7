"""The content type of bytes, detected from their beginning: most summaries state none, and a stated one is not trusted.

Only formats that cannot contain scripts are detected; SVG can, so it has its own function.
"""

from __future__ import annotations

import re

UNKNOWN = "application/octet-stream"
SVG = "image/svg+xml"

# Beginning and end of what may precede the root element of an SVG.
_SVG_PROLOGUE = ((b"<?xml", b"?>"), (b"<!--", b"-->"), (b"<!doctype svg", b">"))
# The limit for these bytes in a normal file.
_SVG_HEAD_BYTES = 8192
_AFTER_NAME = (b" ", b"\t", b"\r", b"\n", b">", b"/")
_AUDIO = ((b"ID3", "audio/mpeg"), (b"OggS", "audio/ogg"), (b"fLaC", "audio/flac"), (b".snd", "audio/basic"))
_VIDEO = ((b"GIF87a", "image/gif"), (b"GIF89a", "image/gif"), (b"OggS", "video/ogg"))
_AUDIO_TYPE = re.compile(r"audio/[A-Za-z0-9][A-Za-z0-9.+-]{0,63}")
_EBML = b"\x1a\x45\xdf\xa3"  # Matroska; WebM is a subset of it
_PICTURES = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"BM", "image/bmp"),
)


def picture(data: bytes) -> str:
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    if data[4:12] in (b"ftypavif", b"ftypavis"):
        return "image/avif"
    return _by_start(data, _PICTURES)


def is_svg(data: bytes) -> bool:
    head = data[:_SVG_HEAD_BYTES].removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    while (end := next((end for start, end in _SVG_PROLOGUE if head.startswith(start)), None)) is not None:
        before, found, head = head.partition(end)
        if end == b">" and b"[" in before:  # entities, which contain `>` themselves
            _, found, head = (before + found + head).partition(b"]>")
        if not found:
            return False
        head = head.lstrip()
    return head.startswith(b"<svg") and head[4:5] in _AFTER_NAME


def sound(data: bytes) -> str:
    if data[:4] == b"RIFF" and data[8:12] == b"WAVE":
        return "audio/wav"
    if data[:4] == b"FORM" and data[8:12] in (b"AIFF", b"AIFC"):
        return "audio/aiff"
    if data[4:8] == b"ftyp":
        return "audio/mp4"
    if data[:4] == _EBML:
        return "audio/webm"
    if len(data) > 1 and data[0] == 0xFF and data[1] & 0xE0 == 0xE0:
        # A frame of MPEG audio; the layer bits distinguish MP3 from AAC.
        return "audio/mpeg" if data[1] & 0x06 else "audio/aac"
    return _by_start(data, _AUDIO)


def clip(data: bytes, stated: str) -> str:
    """Return the type by the first bytes, else as the writer stated it: audio cannot run scripts."""
    found = sound(data)
    return allowed_sound(stated) if found == UNKNOWN else found


def allowed_sound(stated: str) -> str:
    return stated if _AUDIO_TYPE.fullmatch(stated) else UNKNOWN


def film(data: bytes) -> str:
    if data[4:8] == b"ftyp":
        return "video/mp4"
    return "video/webm" if data[:4] == _EBML else _by_start(data, _VIDEO)


def _by_start(data: bytes, table: tuple[tuple[bytes, str], ...]) -> str:
    return next((name for start, name in table if data.startswith(start)), UNKNOWN)
