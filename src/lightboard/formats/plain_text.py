"""Detect whether bytes are readable UTF-8 text."""

from __future__ import annotations


def maybe_text(data: bytes, *, whole: bool = True) -> str | None:
    """Return None if the bytes are not readable text. With `whole=False` the last character may be cut."""
    for back in range(1 if whole else 4):
        try:
            text = data[: len(data) - back].decode()
        except UnicodeDecodeError:
            continue
        odd = any((ord(letter) < 32 and letter not in "\t\n\r\f") or letter == "\x7f" for letter in text)
        return None if odd else text
    return None
