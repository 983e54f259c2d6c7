"""Text: each step holds strings of any shape, shown as Markdown: one block, a column, or a table.

A text may be a whole log file: a response has only its first part, and a search stops after a time limit and says
how far it got.
"""

from __future__ import annotations

import dataclasses
import functools
import html as escaping
import itertools
import math
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Literal

from lightboard import errors, types
from lightboard.formats import markup
from lightboard.query import patterns, series

Form = Literal["markdown", "plain", "source"]

# The limit of table cells that a page shows.
MAX_CELLS = 2_000
# The limit of characters of all texts in one response; the first text is always included, however long.
MAX_ANSWER = 1_000_000
MAX_SEARCH_SECS = 0.5
# The limit of matches counted in one step.
MAX_FINDS = 1_000
# The limit of characters of a line that are searched for a pattern.
MAX_LINE = 20_000
_EXCERPT = 60

_SLICED = (
    "**Warning:** This text summary contained data of dimensionality {}, but only   2d tables are supported. "
    "Showing a 2d slice of the data instead."
)


@dataclasses.dataclass(frozen=True)
class Text:
    """The strings of one step, row-major; bytes that are not UTF-8 were replaced by U+FFFD."""

    step: int
    wall_time: float
    shape: tuple[int, ...]
    strings: tuple[str, ...]


def html(text: Text, *, markdown: bool = True) -> str:
    """Return HTML that is safe to put into a page. Of more than two dimensions the last two are shown, at index 0 of
    the others."""
    show = markup.render_all if markdown else markup.clean_all
    if not text.shape:
        return show(text.strings[:1], "".join)
    warning = markup.render(_SLICED.format(len(text.shape))) if len(text.shape) > 2 else ""
    return warning + show(text.strings[: math.prod(text.shape[-2:])], functools.partial(_table, text.shape))


def written(text: Text) -> str:
    """The same with all markup escaped: TensorBoard's plain form lets some markup through."""
    escaped = [escaping.escape(each, quote=False) for each in text.strings]
    if not text.shape:
        return escaped[0]
    warning = markup.render(_SLICED.format(len(text.shape))) if len(text.shape) > 2 else ""
    return warning + _table(text.shape, escaped[: math.prod(text.shape[-2:])])


def source(text: Text) -> str:
    """Return the strings as they were written: one row per line, cells separated by tabs."""
    if len(text.shape) < 2:
        return "\n".join(text.strings)
    columns = text.shape[-1]
    cells = text.strings[: math.prod(text.shape[-2:])]
    rows = (cells[at : at + columns] for at in range(0, len(cells), columns or 1))
    return "\n".join("\t".join(row) for row in rows)


def first_part(text: Text, chars: int) -> Text:
    """Return at most this many characters, and only whole rows of a table; the same object if everything fits."""
    if not text.shape:
        return text if len(text.strings[0]) <= chars else dataclasses.replace(text, strings=(text.strings[0][:chars],))
    columns = text.shape[-1] if len(text.shape) > 1 else 1
    rows = text.shape[-2] if len(text.shape) > 1 else text.shape[0]
    cells = text.strings[: rows * columns]
    if len(cells) <= MAX_CELLS and sum(map(len, cells)) <= chars:
        return text
    kept, left = 0, chars
    while kept < rows and (kept + 1) * columns <= MAX_CELLS:
        left -= sum(map(len, cells[kept * columns : (kept + 1) * columns]))
        if left < 0:
            break
        kept += 1
    if not kept:  # not even one row fits: truncate each of its first cells
        columns = min(columns, MAX_CELLS)
        short = tuple(cell[: max(1, chars // columns)] for cell in cells[:columns])
        return dataclasses.replace(text, strings=short, shape=_cut_shape(text.shape, 1, columns))
    return dataclasses.replace(text, strings=cells[: kept * columns], shape=_cut_shape(text.shape, kept, columns))


def _cut_shape(shape: tuple[int, ...], rows: int, columns: int) -> tuple[int, ...]:
    """Return the shape with the same rank, because the rank decides how a text is shown."""
    return (rows,) if len(shape) == 1 else (*(1 for _ in shape[:-2]), rows, columns)


def _table(shape: tuple[int, ...], cells: Sequence[str]) -> str:
    columns = shape[-1] if len(shape) > 1 else 1
    count = len(cells) // columns if columns else shape[-2]
    rows = (cells[row * columns : (row + 1) * columns] for row in range(count))
    body = "".join("<tr>\n" + "".join(f"<td>{cell}</td>\n" for cell in row) + "</tr>\n" for row in rows)
    return f"<table>\n<tbody>\n{body}</tbody>\n</table>"


def _decode(step: int, wall_time: float, tensor: types.Tensor) -> Text:
    strings = series.strings(tensor)
    if len(strings) != math.prod(tensor.shape):
        raise errors.Unreadable(
            f"{len(strings)} strings do not fill a tensor of shape {list(tensor.shape)}",
            code="value.shape",
            shape=str(list(tensor.shape)),
        )
    return Text(step, wall_time, tensor.shape, tuple(markup.decode(one) for one in strings))


read = series.Reader(types.Kind.TEXT, _decode)


# ---- several steps in one response


@dataclasses.dataclass(frozen=True, kw_only=True)
class TextStep:
    """One step. `problem` says why there is no text; `cut`: there is more of it than this."""

    place: int  # among the points of the series
    step: int
    wall_time: float
    shape: list[int]
    chars: int  # of the whole text
    cut: bool
    text: str  # safe HTML, or what was written where the source was asked for
    problem: errors.Explanation | None


@dataclasses.dataclass(frozen=True)
class Texts:
    """The steps asked for, newest first; fewer where they are long. `points`: how many the series has."""

    points: int
    texts: list[TextStep]


def page(
    steps: series.Steps[Text], places: Sequence[int], *, form: Form = "markdown", chars: int, room: int = MAX_ANSWER
) -> Texts:
    """Return the texts at these indices, in this order, until `room` characters are used."""
    found: list[TextStep] = []
    for place in places:
        if not 0 <= place < len(steps):
            raise errors.NotFound(
                f"no text {place} of {len(steps)}", hint="places count from 0, the oldest", code="point.gone"
            )
        one = _step(steps, place, form, chars)
        found.append(one)
        room -= min(one.chars, chars)
        if room <= 0:
            break
    return Texts(len(steps), found)


def _step(steps: series.Steps[Text], place: int, form: Form, chars: int) -> TextStep:
    step, wall_time = int(steps.steps[place]), float(steps.wall_times[place])
    try:
        whole = steps[place]
    except (errors.Unreadable, errors.Gone) as error:
        return TextStep(
            place=place,
            step=step,
            wall_time=wall_time,
            shape=[],
            chars=0,
            cut=False,
            text="",
            problem=error.explanation(),
        )
    part = first_part(whole, chars)
    shown = {"markdown": html, "plain": written, "source": source}[form](part)
    size = sum(map(len, whole.strings))
    return TextStep(
        place=place,
        step=step,
        wall_time=wall_time,
        shape=list(whole.shape),
        chars=size,
        cut=part is not whole,
        text=shown,
        problem=None,
    )


# ---- searching


@dataclasses.dataclass(frozen=True)
class TextHit:
    """A step whose text has what is looked for: how often, and the first of it with what stands around it."""

    place: int
    step: int
    count: int
    before: str
    found: str
    after: str


@dataclasses.dataclass(frozen=True)
class TextHits:
    """Newest first. `next`: where to go on with `before`; -1 when all was looked at."""

    points: int
    hits: list[TextHit]
    next: int


def search(
    steps: series.Steps[Text],
    words: str,
    *,
    before: int | None = None,
    limit: int = 1000,
    secs: float = MAX_SEARCH_SECS,
) -> TextHits:
    """Search steps before an index for the words, ignoring case, or for `/a pattern/`, line by line."""
    look, deadline = _looker(words), time.monotonic() + secs
    place = len(steps) if before is None else max(0, min(before, len(steps)))
    hits: list[TextHit] = []
    while place > 0 and len(hits) < limit:
        place -= 1
        text = steps.maybe(place)
        spans = [] if text is None else list(itertools.islice(_spans(look, text), MAX_FINDS))
        if spans:
            body, at, end = spans[0]
            around = body[max(0, at - _EXCERPT) : at], body[at:end], body[end : end + _EXCERPT]
            hits.append(TextHit(place, int(steps.steps[place]), len(spans), *around))
        if time.monotonic() > deadline:
            break
    return TextHits(len(steps), hits, place if place > 0 else -1)


# Yields matches in one body: the line, or the whole body, and where in it the match begins and ends.
_Look = Callable[[str], "Iterator[tuple[str, int, int]]"]


def _looker(words: str) -> _Look:
    if len(words) > 2 and words.startswith("/") and words.endswith("/"):
        return functools.partial(_by_line, patterns.compile_pattern(words[1:-1], 1), patterns.Budget())
    return functools.partial(_anywhere, _lowered(words))


def _by_line(pattern: patterns.Pattern, budget: patterns.Budget, body: str) -> Iterator[tuple[str, int, int]]:
    lines = body.split("\n")
    for place in pattern.found_in(lines, longest=MAX_LINE, budget=budget).nonzero()[0].tolist():
        line = lines[place][:MAX_LINE]
        yield from ((line, start, end) for start, end in pattern.spans(line, budget))


def _anywhere(words: str, body: str) -> Iterator[tuple[str, int, int]]:
    lowered, end = _lowered(body), 0
    while words and (start := lowered.find(words, end)) >= 0:
        end = start + len(words)
        yield body, start, end


def _lowered(text: str) -> str:
    """Return lowercase text of the same length; `İ` alone would become two characters."""
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else text.replace("İ", "i").lower()


def _spans(look: _Look, text: Text) -> Iterator[tuple[str, int, int]]:
    return itertools.chain.from_iterable(map(look, text.strings))
