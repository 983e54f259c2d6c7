"""JSON that a user gave, parsed only where it has few enough values: a megabyte of `[[],[],…` is 25 MB of lists."""

from __future__ import annotations

import json
import re
from typing import Any

from lightboard import errors

# A value in a list: its own object and the place that leads to it; objects are larger, and have a key each.
_VALUE_BYTES = 100
_STRING = re.compile(rb'"[^"]*"')


def cost_bytes(data: bytes) -> int:
    """What parsing takes at most: the text and the strings in it, of up to four bytes a letter, and every value."""
    return (2 if data.isascii() else 8) * len(data) + _VALUE_BYTES * values(data)


def values(data: bytes) -> int:
    """An upper bound of the number of values: each but the first follows one of these characters."""
    return 1 + sum(data.count(sign) for sign in (b",", b"[", b"{", b":"))


def _without_strings(data: bytes) -> bytes:
    """Characters in strings do not count. Escaped quotes are removed first, so that the others come in pairs."""
    return _STRING.sub(b"", data.replace(b"\\\\", b"").replace(b'\\"', b""))


def load(data: bytes, *, most_values: int) -> Any:
    """Unreadable that says what is wrong: no JSON, too many values, too deep."""
    count = values(data)
    if count > most_values:
        count = values(_without_strings(data))
    if count > most_values:
        raise errors.Unreadable(f"this JSON has about {count:,} values, up to {most_values:,} are read")
    try:
        return json.loads(data.decode("utf-8", "replace"))
    except ValueError as failure:
        raise errors.Unreadable(f"this is no JSON: {str(failure)[:200]}") from failure
    except RecursionError as failure:
        raise errors.Unreadable("this JSON is nested too deeply") from failure


def maybe_load(data: bytes, *, most_values: int) -> Any:
    """None where it is no JSON, or too much of it."""
    try:
        return load(data, most_values=most_values)
    except errors.Unreadable:
        return None
