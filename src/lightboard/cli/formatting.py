"""Text for people: aligned columns, sizes, times."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Sequence
from typing import Any


def aligned(rows: Sequence[Sequence[str]], *, indent: str = "", right: Sequence[int] = ()) -> list[str]:
    """Returns lines with aligned columns; the columns numbered in `right` are aligned right."""
    if not rows:
        return []
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            cell.rjust(width) if column in right else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append((indent + "  ".join(cells)).rstrip())
    return lines


def size(count: float) -> str:
    """1536 → "1.5 KiB"."""
    for unit in ("B", "KiB", "MiB", "GiB"):
        if count < 1024:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1024
    return f"{count:.1f} TiB"


def moment(seconds: float) -> str:
    """Returns local date and time, or "-" if it is not finite."""
    if not math.isfinite(seconds):
        return "-"
    try:
        return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(seconds))
    except (ValueError, OverflowError, OSError):
        return f"{seconds:g}"


def plural(count: int, word: str) -> str:
    return f"{count:,} {word}" if count == 1 else f"{count:,} {word}s"


def printable(text: str) -> str:
    """Escapes names from files: control characters would affect the terminal, invalid bytes would not print."""
    if text.isprintable() and text.isascii():
        return text
    cleaned = "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)
    return cleaned.encode("utf-8", "backslashreplace").decode()


def document(value: Any) -> str:
    """JSON that any program reads: NaN and infinities as strings, as in the HTTP API."""
    return json.dumps(_finite(value), indent=2, ensure_ascii=True)


def line(value: Any) -> str:
    """The same on one line."""
    return json.dumps(_finite(value), separators=(",", ":"))


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, dict):
        return {name: _finite(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(one) for one in value]
    return value
