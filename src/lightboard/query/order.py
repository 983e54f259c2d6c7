"""Natural order of names: `run2` before `run10`, `lr=0.01` before `lr=0.1`, components of a path before longer names.

Numbers compare as numbers, with fraction and exponent (`1e-05`); three or more parts with dots between them are a
version (`1.2.3`), whose parts compare one by one. `/` ends a component; `_ - .` and spaces are weaker separators. A
name becomes one string that sorts in natural order. All names of a table are ranked natively
(`native/kernels/natural.h`), a million in about a second, without the GIL.
"""

from __future__ import annotations

import bisect
import functools
import itertools
import re
from collections.abc import Iterable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from lightboard import store as store_
from lightboard.store import row_types

Sortable = TypeVar("Sortable", bound=Any)

_NUMBER = re.compile(
    r"(?P<version>[0-9]+(?:\.[0-9]+){2,})"
    r"|(?<![0-9A-Za-z])(?P<scientific>[0-9]+(?:\.[0-9]+)?[eE][-+]?[0-9]{1,3})(?![0-9A-Za-z])"
    r"|[0-9]+(?:\.[0-9]+)?"
)
_SEPARATORS = str.maketrans({"/": "\x01", "_": "\x02", "-": "\x02", ".": "\x02", " ": "\x02"})


# Most names have only whole numbers; those keys are computed in a third of the time.
_FRACTION = re.compile(r"[0-9][.eE]")
_WHOLE = re.compile(r"[0-9]+")


def natural_key(name: str) -> str:
    if _FRACTION.search(name):
        return _NUMBER.sub(_number, name).translate(_SEPARATORS) + "\0" + name
    return _WHOLE.sub(lambda match: _sortable(match[0]), name.translate(_SEPARATORS)) + "\0" + name


def _number(match: re.Match[str]) -> str:
    if match.lastgroup is None:
        return _sortable(match[0])
    if match["version"]:
        return "/".join(_sortable(part) for part in match[0].split("."))
    mantissa, exponent = re.split("[eE]", match[0])
    return _sortable(mantissa, int(exponent))


# Names of layers and runs repeat the same few numbers.
@functools.lru_cache(maxsize=1 << 14)
def _sortable(number: str, exponent: int = 0) -> str:
    """Return a text that sorts like the number: "0" to sort before letters, the magnitude as one character, the
    digits."""
    whole, _, fraction = number.partition(".")
    digits = whole + fraction
    significant = digits.lstrip("0")
    magnitude = len(whole) - (len(digits) - len(significant)) + exponent if significant else -0x4000
    return f"0{chr(0x5000 + max(-0x4000, min(magnitude, 0x4000)))}{significant.rstrip('0')}"


SMALL = 10_000


def sorted_in_pieces(items: Iterable[Sortable]) -> list[Sortable]:
    """Like `sorted`, which holds the GIL (a second for a million names), but lets other threads run in between."""
    listed = list(items)
    if len(listed) <= SMALL:
        return sorted(listed)
    # split at values of a sample, then sort each part
    dividers = sorted(listed[::256])[8::16]
    parts: list[list[Sortable]] = [[] for _ in range(len(dividers) + 1)]
    for item in listed:
        parts[bisect.bisect_right(dividers, item)].append(item)
    for part in parts:
        part.sort()
    return list(itertools.chain.from_iterable(parts))


# The ranks of all names of a table. The number of names is the version, because names are only appended.
_RANKS = store_.Share("ranks", 64 << 20, keep_newest=True)


def ranks(store: store_.Store, names: row_types.Strings, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the ranks of these rows in natural order; compare only ranks from the same call."""
    from lightboard import kernels  # imported here: the first answer of a starting board needs no kernel

    count = len(names)
    every = store.cache.get(
        _RANKS,
        names,
        lambda: kernels.natural_ranks(names.tail()[:count]),
        version=count,
        size=lambda found: found.nbytes,
    )
    return every[rows]
