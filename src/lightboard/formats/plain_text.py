"""Bytes that may be text: UTF-8 that people can read, or not."""

from __future__ import annotations


def maybe_text(data: bytes, *, whole: bool = True) -> str | None:
    """None where the bytes are no text people could read. A text that was cut may end within a letter."""
    for back in range(1 if whole else 4):
        try:
            text = data[: len(data) - back].decode()
        except UnicodeDecodeError:
            continue
        odd = any((ord(letter) < 32 and letter not in "\t\n\r\f") or letter == "\x7f" for letter in text)
        return None if odd else text
    return None
