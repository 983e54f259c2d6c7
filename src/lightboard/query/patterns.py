"""Regular expressions that users write, made as safe to run as Python's `re` allows.

`re` backtracks and cannot be interrupted, so a pattern such as `(a+)+$` may run for years on one name. What is refused:
more than 500 characters, more than 6 unlimited repeats, and a repeat inside a repeat. What is cut: names after 1,000
characters. What is watched: the time for all names together. docs/reference/filters.md tells the user.
"""

from __future__ import annotations

import functools
import re
import sys
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightboard import errors

if sys.version_info >= (3, 11):
    from re import _constants as _words  # type: ignore[attr-defined]
    from re import _parser
else:
    import sre_constants as _words
    import sre_parse as _parser

MAX_PATTERN = 500
MAX_REPEATS = 6
MAX_SUBJECT = 1_000
MAX_SECS = 2.0

# A repeat of at most this many is as harmless as writing the thing out.
_FEW = 10


@functools.lru_cache(maxsize=256)
def compile_pattern(text: str, position: int = 0, flags: int = re.IGNORECASE) -> re.Pattern[str]:
    """A pattern (case-insensitive), or BadFilter. `position` is where the pattern stands in what the user typed."""
    if len(text) > MAX_PATTERN:
        raise errors.BadFilter(f"the pattern is longer than {MAX_PATTERN} characters", position=position)
    try:
        tree = _parser.parse(text, flags)
        found = re.compile(text, flags)
    except re.error as problem:
        where = position + (problem.pos or 0)
        raise errors.BadFilter(
            f"not a regular expression: {problem.msg}",
            position=where,
            hint="put a `\\` before . * + ? ( ) [ ] { } | to mean the character",
        ) from problem
    except (RecursionError, OverflowError) as problem:
        raise errors.BadFilter("the pattern is nested too deeply", position=position) from problem
    repeats = _unlimited_repeats(tree, inside=False, position=position)
    if repeats > MAX_REPEATS:
        raise errors.BadFilter(
            f"the pattern has {repeats} unlimited repeats, {MAX_REPEATS} are allowed",
            position=position,
            hint="use fewer `*` and `+`",
        )
    return found


def search(
    pattern: re.Pattern[str], names: Sequence[str] | NDArray[Any], *, position: int = 0, from_start: bool = False
) -> NDArray[np.bool_]:
    """Which names the pattern is found in, or begin with it."""
    found = np.zeros(len(names), np.bool_)
    deadline = time.monotonic() + MAX_SECS
    look = pattern.match if from_start else pattern.search
    for start in range(0, len(names), 256):
        for offset, name in enumerate(names[start : start + 256]):
            if look(name if len(name) <= MAX_SUBJECT else name[:MAX_SUBJECT]) is not None:
                found[start + offset] = True
        if time.monotonic() > deadline:
            raise errors.BadFilter(
                f"the pattern took longer than {MAX_SECS:g} s", position=position, hint="make it simpler"
            )
    return found


def _unlimited_repeats(tree: Any, *, inside: bool, position: int) -> int:
    """Counts the unlimited repeats of a parsed pattern and refuses those within others. `inside`: within a repeat."""
    count = 0
    for word, details in tree:
        if word in _REPEATS:
            low, high, body = details
            unlimited = high - low >= _FEW
            if unlimited and inside:
                raise errors.BadFilter(
                    "the pattern has a repeat inside a repeat, which may never finish",
                    position=position,
                    hint="`(a+)+` finds the same names as `a+`",
                )
            count += unlimited
            count += _unlimited_repeats(body, inside=inside or high >= _FEW, position=position)
        elif word is _words.BRANCH:
            branches = details[1]
            if inside and _overlap(branches):
                raise errors.BadFilter(
                    "the pattern repeats alternatives that begin alike, which may never finish", position=position
                )
            count += sum(_unlimited_repeats(branch, inside=inside, position=position) for branch in branches)
        else:
            for part in details if isinstance(details, tuple) else (details,):
                if isinstance(part, _parser.SubPattern):
                    count += _unlimited_repeats(part, inside=inside, position=position)
    return count


_REPEATS = {
    getattr(_words, name) for name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT") if hasattr(_words, name)
}


def _overlap(branches: Sequence[Any]) -> bool:
    """Whether two alternatives may begin with the same character; anything but plain letters counts as alike."""
    firsts = []
    for branch in branches:
        if not len(branch) or branch[0][0] is not _words.LITERAL:
            return True
        firsts.append(chr(branch[0][1]).lower())
    return len(set(firsts)) < len(firsts)
