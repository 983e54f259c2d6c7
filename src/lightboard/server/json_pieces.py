"""Long JSON in pieces. The encoder holds the GIL while it writes one value, and a response may have a million names.
So it is cut into pieces of a few thousand items, each of which takes about a millisecond.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

ITEMS = 4096  # per piece, approximately
LETTERS = 64  # characters of a long string that count as one item
LOT_BYTES = 256 << 10  # pieces are joined up to this size


class Form(NamedTuple):
    dumps: Callable[[Any], str]
    comma: str
    colon: str


def pieces(value: Any, form: Form) -> Iterator[bytes]:
    """Yields the text that `form.dumps` would return for the value. Lists and dictionaries are cut, at any depth."""
    if size(value) <= ITEMS:
        yield form.dumps(value).encode()
    elif type(value) is dict:
        yield from _cut(value.items(), form, "{}", dict)
    elif type(value) in (list, tuple):
        yield from _cut(value, form, "[]", list)
    else:
        yield form.dumps(value).encode()


def size(value: Any, most: int = ITEMS) -> int:
    """Returns the number of items in the value; counting stops above `most`."""
    kind = type(value)
    if kind is str:
        return 1 + len(value) // LETTERS
    if kind not in (dict, list, tuple):
        return 1
    total = len(value)
    if total > most:
        return total
    for item in value.values() if kind is dict else value:
        if type(item) in (str, dict, list, tuple):
            total += size(item, most - total)
            if total > most:
                break
    return total


def _cut(members: Iterable[Any], form: Form, ends: str, make: Callable[[list[Any]], Any]) -> Iterator[bytes]:
    waiting: list[Any] = []
    count, between = 0, ""
    yield ends[0].encode()
    for member in members:
        inner = member[1] if make is dict else member
        inner_size = size(inner)
        if count + inner_size > ITEMS and waiting:
            yield (between + form.dumps(make(waiting))[1:-1]).encode()
            waiting, count, between = [], 0, form.comma
        if inner_size > ITEMS:
            name = form.dumps({member[0]: 0})[1:-2] if make is dict else ""
            yield (between + name).encode()
            yield from pieces(inner, form)
            between = form.comma
        else:
            waiting.append(member)
            count += inner_size
    if waiting:
        yield (between + form.dumps(make(waiting))[1:-1]).encode()
    yield ends[1].encode()


def body(found: Iterator[bytes]) -> bytes | Iterator[bytes]:
    """Returns a short text as bytes, a long one as an iterator of batches."""
    collected = lots(found)
    first = next(collected, b"")
    second = next(collected, None)
    return first if second is None else itertools.chain((first, second), collected)


def lots(found: Iterator[bytes]) -> Iterator[bytes]:
    waiting: list[bytes] = []
    length = 0
    for piece in found:
        waiting.append(piece)
        length += len(piece)
        if length >= LOT_BYTES:
            yield b"".join(waiting)
            waiting, length = [], 0
    if waiting:
        yield b"".join(waiting)
