"""The type of bytes by the first of them."""

from __future__ import annotations

import pytest

from lightboard.formats import media


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"\x89PNG\r\n\x1a\n..", "image/png"),
        (b"\xff\xd8\xff\xe0", "image/jpeg"),
        (b"GIF87a", "image/gif"),
        (b"BM\0\0", "image/bmp"),
        (b"RIFF\0\0\0\0WEBP", "image/webp"),
        (b"\0\0\0\x20ftypavif", "image/avif"),
        (b"<svg onload='x'/>", media.UNKNOWN),
        (b"<html>", media.UNKNOWN),
        (b"", media.UNKNOWN),
    ],
)
def test_pictures(data: bytes, kind: str) -> None:
    assert media.picture(data) == kind


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"RIFF\0\0\0\0WAVEfmt ", "audio/wav"),
        (b"RIFF\0\0\0\0WEBP", media.UNKNOWN),
        (b"FORM\0\0\0\0AIFF", "audio/aiff"),
        (b"fLaC\0", "audio/flac"),
        (b"OggS\0", "audio/ogg"),
        (b"ID3\x04", "audio/mpeg"),
        (b"\xff\xfb\x90", "audio/mpeg"),
        (b"\xff\xf3\x90", "audio/mpeg"),
        (b"\xff\xf1\x50", "audio/aac"),
        (b"\0\0\0\x1cftypM4A ", "audio/mp4"),
        (b"\x1a\x45\xdf\xa3", "audio/webm"),
        (b"\xff", media.UNKNOWN),
        (b"<script>", media.UNKNOWN),
        (b"", media.UNKNOWN),
    ],
)
def test_sounds(data: bytes, kind: str) -> None:
    assert media.sound(data) == kind


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"\0\0\0\x18ftypmp42", "video/mp4"),
        (b"\x1a\x45\xdf\xa3", "video/webm"),
        (b"GIF89a", "image/gif"),
        (b"<html>", media.UNKNOWN),
        (b"", media.UNKNOWN),
    ],
)
def test_films(data: bytes, kind: str) -> None:
    assert media.film(data) == kind


@pytest.mark.parametrize(
    "data",
    [
        b"<svg/>",
        b"<svg xmlns='http://www.w3.org/2000/svg'>",
        b"\xef\xbb\xbf\n <svg>",
        b"<?xml version='1.0' encoding='utf-8'?>\n<svg>",
        b'<?xml version="1.0"?>\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN"\n "http://x/svg11.dtd">\n<svg a="b">',
        b"<!-- made by --><!-- a > plot --><svg\nwidth='1'>",
        b"<!DOCTYPE svg [ <!ENTITY a 'b'> ]><svg>",
        b"<!DOCTYPE svg [ <!ENTITY a 'b'>\n]>\n<!-- --><svg>",
    ],
)
def test_svg(data: bytes) -> None:
    assert media.is_svg(data)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"<svgx>",
        b"<!DOCTYPE svg [ <!ENTITY a 'b'> <svg>",
        b"<?xml <svg>",
        b"<html><svg>",
        b"<!DOCTYPE html><svg>",
        b"text <svg>",
        b"<svg",
        b"<!-- <svg> ",
        b"<" * 100_000,
        b"<!--" * 100_000,
        b"<!DOCTYPE svg [" * 50_000,
        b"<!-- -->" * 5000 + b"<svg>",
    ],
)
def test_no_svg(data: bytes) -> None:
    assert not media.is_svg(data)
