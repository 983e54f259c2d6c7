"""Texts in CSV files, which people open in spreadsheets."""

from __future__ import annotations

_STARTS = ("=", "+", "-", "@", "\t", "\r")


def no_formula(text: str) -> str:
    """A spreadsheet runs a text that begins like a formula: an apostrophe makes it a text. Numbers stay numbers."""
    return f"'{text}" if text.startswith(_STARTS) and not _is_number(text) else text


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
