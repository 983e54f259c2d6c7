"""Durations as people write them: seconds (90, "90"), "90s", "5m", "1h", "1h30m", "7d", or "never".

`parse` returns seconds, 0 for "never". `text` is the inverse, exact to the second.
"""

from __future__ import annotations

import math
import re

from lightboard.hub.life import refusals

# in this order in a text
UNITS = (("w", 604800), ("d", 86400), ("h", 3600), ("m", 60), ("s", 1))
LONGEST_SECS = 3650 * 86400.0
_PART = re.compile(r"(\d{1,12}(?:\.\d{1,6})?)\s*(weeks?|w|days?|d|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s)\s*")
_HINT = 'write seconds (`3600`) or a number with a unit (`"90s"`, `"1h30m"`, `"7d"`), or `"never"`'


def parse(value: object) -> float:
    """Returns seconds, 0 for never. Raises `refusals.BadDuration`."""
    if isinstance(value, str):
        return _checked(_of_text(value), value)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return _checked(float(value), value)
    raise _bad(value)


def _of_text(value: str) -> float:
    text = value.strip().lower()
    if text in ("never", "none"):
        return 0.0
    if re.fullmatch(r"\d{1,12}(\.\d{1,6})?", text):
        return float(text)
    total, position, last_size = 0.0, 0, math.inf
    while position < len(text):
        part = _PART.match(text, position)
        size = dict(UNITS)[part[2][0]] if part is not None else 0
        if part is None or size >= last_size:  # "30m1h" and "1h1h" are mistakes
            raise _bad(value)
        total, position, last_size = total + float(part[1]) * size, part.end(), size
    if not text:
        raise _bad(value)
    return total


def _checked(secs: float, value: object) -> float:
    if not 0 <= secs <= LONGEST_SECS:
        raise _bad(value)
    return secs


def _bad(value: object) -> refusals.BadDuration:
    return refusals.BadDuration(f"not a duration: {str(value)[:80]!r}", hint=_HINT)


def text(secs: float) -> str:
    """Returns "1h30m" for 5400, "never" for 0."""
    rest = round(secs)
    if rest <= 0:
        return "never" if secs <= 0 else f"{secs:g}s"
    parts = []
    for unit, size in UNITS[1:]:
        count, rest = divmod(rest, size)
        if count:
            parts.append(f"{count}{unit}")
    return "".join(parts)
