"""Parse JSON from users only if it has few enough values: a megabyte of `[[],[],…` becomes 25 MB of lists."""

from __future__ import annotations

import json
import re
from typing import Any

from lightboard import errors

# The bytes of a value in a list: its object and the pointer to it. JSON objects are larger and have keys.
_VALUE_BYTES = 100
_STRING = re.compile(rb'"[^"]*"')


def cost_bytes(data: bytes) -> int:
    """Return an upper bound of the memory for parsing: the text, its strings at up to four bytes a character, and all
    values."""
    return (2 if data.isascii() else 8) * len(data) + _VALUE_BYTES * values(data)


def values(data: bytes) -> int:
    """Return an upper bound of the number of values: each but the first follows one of these characters."""
    return 1 + sum(data.count(sign) for sign in (b",", b"[", b"{", b":"))


def _without_strings(data: bytes) -> bytes:
    """Remove strings, whose characters do not count. Escaped quotes are removed first, so that the others come in
    pairs."""
    return _STRING.sub(b"", data.replace(b"\\\\", b"").replace(b'\\"', b""))


def load(data: bytes, *, most_values: int) -> Any:
    """Raises Unreadable that states the reason: not JSON, too many values, nested too deeply."""
    count = values(data)
    if count > most_values:
        count = values(_without_strings(data))
    if count > most_values:
        raise errors.Unreadable(
            f"this JSON has about {count:,} values, up to {most_values:,} are read",
            code="json.too_many_values",
            count=count,
            limit=most_values,
        )
    try:
        return json.loads(data.decode("utf-8", "replace"))
    except ValueError as failure:
        raise errors.Unreadable(f"this is not JSON: {str(failure)[:200]}", code="json.invalid") from failure
    except RecursionError as failure:
        raise errors.Unreadable("this JSON is nested too deeply", code="json.too_deep") from failure


def maybe_load(data: bytes, *, most_values: int) -> Any:
    """Return None if the data is not JSON or has too many values."""
    try:
        return load(data, most_values=most_values)
    except errors.Unreadable:
        return None
