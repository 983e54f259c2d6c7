"""Natural order of names: `run2` before `run10`, components of a path before longer names.

Digits compare as numbers; `/` ends a component; `_ - .` and blanks are weaker separators. A name becomes one string
whose plain order is the natural one, so that 100,000 names sort in a tenth of a second.
"""

from __future__ import annotations

import re
import weakref

import numpy as np
from numpy.typing import NDArray

from lightboard.store import tables

_DIGITS = re.compile(r"[0-9]+")
_SEPARATORS = str.maketrans({"/": "\x01", "_": "\x02", "-": "\x02", ".": "\x02", " ": "\x02"})


def natural_key(name: str) -> str:
    # "0" keeps numbers before letters; the next character orders them by their number of digits
    return _DIGITS.sub(_number, name.translate(_SEPARATORS)) + "\0" + name


def _number(match: re.Match[str]) -> str:
    digits = match[0].lstrip("0")
    return f"0{chr(0x100 + min(len(digits), 0xFFFF))}{digits}"


class _Keys:
    """Keys of a table of names, made once for each: names are only ever appended."""

    def __init__(self) -> None:
        self.keys: list[str] = []
        self.ranks = np.zeros(0, np.int64)

    def upto_date(self, names: tables.Strings) -> NDArray[np.int64]:
        """The rank of each name among all."""
        count = len(names)
        if len(self.ranks) < count:
            self.keys += [natural_key(names[row]) for row in range(len(self.keys), count)]
            order = sorted(range(count), key=self.keys.__getitem__)
            ranks = np.empty(count, np.int64)
            ranks[order] = np.arange(count)
            self.ranks = ranks
        return self.ranks


_cache: weakref.WeakKeyDictionary[tables.Strings, _Keys] = weakref.WeakKeyDictionary()


def ranks(names: tables.Strings, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where the names of some rows stand in natural order; to be compared only within one answer."""
    keys = _cache.setdefault(names, _Keys())
    return keys.upto_date(names)[rows]
