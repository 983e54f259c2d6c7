"""Regular expressions from users, URLs or logs, matched in time linear in the text.

RE2 does the matching: it does not backtrack, so no pattern takes exponential time, and releases the GIL. Features that
RE2 lacks (look-around, back references) are rejected with an error, and so is a pattern that is too large. A large
pattern on very many names is still slow: a `Budget` ends that. docs/design/0012-linear-patterns.md has the reasons,
docs/reference/filters.md the syntax; web/src/base/pattern.ts matches the same way in the page.
"""

from __future__ import annotations

import functools
import re
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import re2
from numpy.typing import NDArray

from lightboard import errors

MAX_PATTERN = 2_000
MAX_SUBJECT = 1_000
# CPU seconds, without waiting: a busy machine accepts the same patterns as an idle one. Ordinary patterns need 0.2 to 6
# µs per name.
FREE_SECS = 0.2
SECS_PER_NAME = 20e-6
MAX_SECS = 2.0
# Instructions of RE2's program; `.` has 8, `\pL` 300. 5,000 take at most 12 ms for a name of 1,000 characters.
MAX_PROGRAM = 5_000
# The memory limit for RE2's automaton; when it is full, RE2 drops its states and builds them again.
MAX_MEMORY_BYTES = 1 << 20

# The number of characters matched between two checks of the clock: 0.1 s at worst.
_BATCH_CHARACTERS = 8_000
_ESCAPE_HINT = "put a `\\` before . * + ? ( ) [ ] { } | to mean the character"


class Budget:
    """CPU time that one request may spend on matching: `FREE_SECS`, more for each name, at most `MAX_SECS` in total.

    State: `_allowed_secs` and `_spent_secs` only grow. Only one thread uses it.
    """

    def __init__(self) -> None:
        self._allowed_secs = FREE_SECS
        self._spent_secs = 0.0

    def allow(self, names: int) -> None:
        self._allowed_secs = min(MAX_SECS, self._allowed_secs + SECS_PER_NAME * names)

    def spend(self, secs: float, position: int = 0) -> None:
        self._spent_secs += secs
        if self._spent_secs > self._allowed_secs:
            raise errors.BadFilter(
                "the pattern takes too long", position=position, hint="make it simpler", code="pattern.too_slow"
            )


class Pattern:
    """A compiled pattern. `position` is its offset in the user's input, for error messages."""

    def __init__(self, text: str, *, case: bool, position: int) -> None:
        self.text = text
        self.position = position
        self._case = case
        self._tester = self._compile(_translated(text), capture=False)

    @functools.cached_property
    def _catcher(self) -> Any:
        return self._compile(_translated(self.text), capture=True)

    @property
    def groups(self) -> int:
        count: int = self._catcher.groups
        return count

    def found_in(
        self,
        names: Sequence[str] | NDArray[Any],
        *,
        from_start: bool = False,
        longest: int = MAX_SUBJECT,
        budget: Budget | None = None,
    ) -> NDArray[np.bool_]:
        """Return which names contain the pattern, or begin with it. Only the first `longest` characters of each are
        searched."""
        lines = self._line_tester(from_start)
        look = self._tester.match if from_start else self._tester.search
        found = np.zeros(len(names), np.bool_)
        for start, batch in self._batches(names, longest, Budget() if budget is None else budget):
            several = "\n".join(batch)
            if lines is not None and several.count("\n") == len(batch) - 1:
                found[start + _lines_with(lines, _encoded(several))] = True
            else:
                found[start : start + len(batch)] = [look(_encoded(name)) is not None for name in batch]
        return found

    def caught_in(self, names: Sequence[str]) -> list[tuple[str | None, ...] | None]:
        """Return the texts of the capture groups for each name; None if it does not match."""
        look = self._catcher.search
        return [
            None if (match := look(_encoded(name))) is None else _decoded(match.groups())
            for _, batch in self._batches(names, MAX_SUBJECT, Budget())
            for name in batch
        ]

    def finder(self, budget: Budget) -> Callable[[str], bool]:
        """Return a function like `found_in` for single values."""

        def finds(value: str) -> bool:
            budget.allow(1)
            before = time.thread_time()
            found = self.finds(value)
            budget.spend(time.thread_time() - before, self.position)
            return found

        return finds

    def finds(self, name: str) -> bool:
        return self._tester.search(_encoded(name[:MAX_SUBJECT])) is not None

    def spans(self, text: str, budget: Budget) -> Iterator[tuple[int, int]]:
        """Yield start and end of each match that is not empty."""
        before = time.thread_time()
        for match in self._tester.finditer(_plain(text)):
            budget.spend(time.thread_time() - before, self.position)
            if match.end() > match.start():
                yield match.span()
            before = time.thread_time()
        budget.spend(time.thread_time() - before, self.position)

    def _batches(
        self, names: Sequence[str] | NDArray[Any], longest: int, budget: Budget
    ) -> Iterator[tuple[int, list[str]]]:
        """Yield a few names at a time, truncated to `longest`; their matching time is subtracted from the budget."""
        budget.allow(len(names))
        size = max(1, _BATCH_CHARACTERS // (1 + min(longest, max(map(len, names), default=0))))
        before = time.thread_time()
        for start in range(0, len(names), size):
            yield start, [name[:longest] for name in names[start : start + size]]
            now = time.thread_time()
            budget.spend(now - before, self.position)
            before = now

    def _line_tester(self, from_start: bool) -> Any:
        """Return a pattern that searches several names at once, one per line, and matches to the line's end. One call
        for many names takes a tenth of the time. None if the result could differ from searching each name alone."""
        if _KNOWS_LINES.search(self.text):
            return None
        anchor = "^" if from_start else ""
        return self._compile(f"(?m){anchor}(?:{_translated(self.text)}).*", capture=False, lines=True)

    def _compile(self, text: str, *, capture: bool, lines: bool = False) -> Any:
        options = re2.Options()
        options.max_mem = MAX_MEMORY_BYTES
        options.case_sensitive = self._case
        options.never_capture = not capture
        options.never_nl = lines
        options.log_errors = False
        try:
            return re2.compile(_encoded(text), options)
        finally:
            re2.purge()  # the package would keep 128 patterns until the process ends


def compile_pattern(text: str, position: int = 0, *, case: bool = False) -> Pattern:
    """Compile a pattern; raises BadFilter if it is invalid. `case`: upper and lower case differ."""
    if len(text) > MAX_PATTERN:
        raise errors.BadFilter(
            f"the pattern is longer than {MAX_PATTERN:,} characters",
            position=position,
            code="pattern.too_long",
            limit=MAX_PATTERN,
        )
    try:
        found = Pattern(text, case=case, position=position)
    except re2.error as problem:
        raise _explained(problem, text, position) from None
    if found._tester.programsize > MAX_PROGRAM:
        raise _too_large(position)
    return found


# Ends of the text, a byte, an unclosed quotation, removed flags: these match differently in a line of a longer text.
_KNOWS_LINES = re.compile(r"\\[AzZCQ]|\(\?\w*-")


def _lines_with(lines: Any, content: bytes) -> NDArray[np.int64]:
    """Return the indices of the lines that contain a match."""
    starts = [match.start() for match in lines.finditer(content)]
    ends = np.flatnonzero(np.frombuffer(content, np.uint8) == ord("\n"))
    return np.searchsorted(ends, np.array(starts, np.int64))


# ---- differences in spelling

# An escaped character, or a code point in the notation of JavaScript and Python.
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|(.))", re.DOTALL)


def _translated(text: str) -> str:
    """Translate `\\u4e00` and `\\Z`, which RE2 spells differently."""

    def spell(match: re.Match[str]) -> str:
        if match[1]:
            return f"\\x{{{match[1]}}}"
        return "\\z" if match[2] == "Z" else match[0]

    return _ESCAPE.sub(spell, text)


def _encoded(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        return _plain(text).encode()


def _decoded(groups: Sequence[bytes | None]) -> tuple[str | None, ...]:
    return tuple(None if group is None else group.decode(errors="replace") for group in groups)


def _plain(text: str) -> str:
    """Replace lone surrogates (bytes of a name that are not UTF-8) by U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


# ---- error messages; the page has the same in web/src/state/texts/patterns.ts

# what RE2 says → code; each has the parameter `part`
_CODES = {
    "missing ]": "pattern.unclosed_class",
    "missing )": "pattern.unclosed_group",
    "unexpected )": "pattern.unopened_group",
    "no argument for repetition operator": "pattern.nothing_to_repeat",
    "bad repetition operator": "pattern.double_repeat",
    "trailing \\": "pattern.trailing_backslash",
    "invalid escape sequence": "pattern.escape",
    "invalid character class range": "pattern.class_range",
}
_LOOK_AROUND = ("(?=", "(?!", "(?<=", "(?<!")


def _explained(problem: Exception, text: str, position: int) -> errors.BadFilter:
    said = problem.args[0].decode(errors="replace")
    reason, _, part = said.partition(": ")
    at = position + max(0, text.find(part))
    if reason == "invalid perl operator" and part in _LOOK_AROUND:
        return errors.BadFilter(
            "the pattern has a look-around such as `(?=` or `(?!`, which is not supported",
            position=at,
            hint='in a run filter, write two conditions: matches(name, "a") and not matches(name, "b")',
            code="pattern.look_around",
        )
    if (reason == "invalid escape sequence" and (part[1:].isdigit() or part == "\\k")) or (
        part == "(?P" and "(?P=" in text
    ):
        return errors.BadFilter(
            "the pattern has a back reference such as `\\1`, which is not supported",
            position=at,
            hint="write out what may stand there, for example `(a-a|b-b)`",
            code="pattern.back_reference",
        )
    if reason in ("pattern too large - compile failed", "invalid repetition size", "expression nests too deeply"):
        return _too_large(at)
    return errors.BadFilter(
        f"not a regular expression: {said}",
        position=at,
        hint=_ESCAPE_HINT,
        code=_CODES.get(reason, "pattern.invalid"),
        part=part,
    )


def _too_large(position: int) -> errors.BadFilter:
    return errors.BadFilter(
        "the pattern is too large",
        position=position,
        hint="use fewer or smaller repeats such as `{0,9}`",
        code="pattern.too_large",
    )
