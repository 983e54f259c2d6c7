"""Rows and texts of CSV files, which users open in spreadsheets."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Iterable, Sequence

_STARTS = ("=", "+", "-", "@", "\t", "\r")
# Replaces NUL while the csv module of Python 3.10 writes. Decoding bytes never yields this character.
_STAND_IN = "\udc00"


def lines(rows: Iterable[Sequence[object]]) -> str:
    """Return rows as CSV, the same on every Python: before 3.11 the csv module rejects texts that contain NUL."""
    text = io.StringIO()
    writer = csv.writer(text)
    if sys.version_info >= (3, 11):
        writer.writerows(rows)
        return text.getvalue()
    for row in rows:
        writer.writerow([cell.replace("\0", _STAND_IN) if isinstance(cell, str) else cell for cell in row])
    return text.getvalue().replace(_STAND_IN, "\0")


def no_formula(text: str) -> str:
    """Add an apostrophe before a text that a spreadsheet would run as a formula. Numbers are not changed."""
    return f"'{text}" if text.startswith(_STARTS) and not _is_number(text) else text


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
