"""Says what is wrong with a filter that is not an expression, in the terms of the filter language.

Python's parser finds the position of the error; its own texts ("invalid syntax") are not shown to users.
"""

from __future__ import annotations

import re

from lightboard import errors

HINT = 'for example: last("loss") < 0.5 and hparams.lr >= 1e-4'

_QUOTED = re.compile(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'")
_CLOSES = {")": "(", "]": "[", "}": "{"}
# what people write who know other languages, and what it is here
_FOREIGN = re.compile(r"&&|\|\||(?<![=!<>])=(?!=)|<>|!(?!=)")
_INSTEAD = {"&&": "and", "||": "or", "=": "==", "<>": "!=", "!": "not"}
_WORD = re.compile(r"\w+|\S")


def explained(line: str, offset: int | None) -> errors.BadFilter:
    """`offset` is that of Python's SyntaxError: it starts at 1; 0 or None means the end. Positions count from 0."""
    at = min((offset or len(line) + 1) - 1, len(line))
    code = _QUOTED.sub(lambda match: " " * len(match[0]), line)
    return _unclosed_quote(code) or _foreign(code) or _bracket(code) or _unexpected(line, at)


def _unclosed_quote(code: str) -> errors.BadFilter | None:
    found = re.search(r"[\"']", code)
    if found is None:
        return None
    return errors.BadFilter(
        f"the text that starts with {found[0]} has no closing quote", position=found.start(), hint=f"add {found[0]}",
        code="filter.unclosed_quote", quote=found[0],
    )  # fmt: skip


def _foreign(code: str) -> errors.BadFilter | None:
    found = _FOREIGN.search(code)
    if found is None:
        return None
    instead = _INSTEAD[found[0]]
    return errors.BadFilter(
        f"`{found[0]}` cannot be used in a filter", position=found.start(), hint=f"write `{instead}`",
        code="filter.operator", part=found[0], instead=instead,
    )  # fmt: skip


def _bracket(code: str) -> errors.BadFilter | None:
    """The first closing bracket without an opening one, or the last opening bracket without a closing one."""
    opened: list[tuple[str, int]] = []
    for at, letter in enumerate(code):
        if letter in _CLOSES.values():
            opened.append((letter, at))
        elif letter in _CLOSES and (not opened or opened.pop()[0] != _CLOSES[letter]):
            return _surprise(letter, at)
    if not opened:
        return None
    bracket, at = opened[-1]
    return errors.BadFilter(
        f"`{bracket}` is not closed", position=at, hint=HINT, code="filter.unclosed_bracket", bracket=bracket
    )


def _unexpected(line: str, at: int) -> errors.BadFilter:
    word = _WORD.search(line, at)
    if word is None:
        return errors.BadFilter("the filter is not complete", position=at, hint=HINT, code="filter.incomplete")
    return _surprise(word[0], word.start())


def _surprise(part: str, at: int) -> errors.BadFilter:
    return errors.BadFilter(
        f"`{part[:60]}` is not expected here", position=at, hint=HINT, code="filter.unexpected", part=part[:60]
    )
