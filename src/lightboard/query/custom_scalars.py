"""Custom scalars: a run may have a layout of charts for its scalar tags; layouts of several runs are merged.

Layout { version 1, category 2 }      Category { title 1, chart 2, closed 3 }
Chart { title 1, multiline 2 { tag 1 } | margin 3 { series 1 { value 1, lower 2, upper 3 } } }
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Sequence

from lightboard import errors, store, types, wire
from lightboard.query import patterns, series, tags

TAG = "custom_scalars__config__"


@dataclasses.dataclass(frozen=True)
class Band:
    """Three tags: a line and the lower and upper edge of the band around it."""

    value: str
    lower: str
    upper: str


@dataclasses.dataclass(frozen=True)
class Chart:
    """Either lines, as regular expressions that match tags, or bands; an empty chart has neither."""

    title: str
    tags: tuple[str, ...] | None = None
    bands: tuple[Band, ...] | None = None


@dataclasses.dataclass(frozen=True)
class Category:
    title: str
    charts: tuple[Chart, ...]
    closed: bool = False


@dataclasses.dataclass(frozen=True)
class Layout:
    categories: tuple[Category, ...]
    version: int = 0


def parse(message: bytes) -> Layout:
    fields = wire.parse(message)
    return Layout(tuple(_category(one) for one in fields.messages(2)), fields.integer(1))


def layout(source: store.Store) -> Layout | None:
    """Merge the layouts of all runs, in order of run name; categories with the same title are joined. None if there is
    no layout."""
    layouts = [found for _, found in sorted(layouts_by_run(source).items())]
    return merge(layouts) if layouts else None


def layouts_by_run(source: store.Store) -> dict[str, Layout]:
    """Return the last readable layout of each run."""
    found = {}
    for each in source.all_series(types.Kind.CUSTOM_SCALARS, tag=TAG):
        steps = read.steps(each)
        for position in reversed(range(len(steps))):
            last = steps.maybe(position)
            if last is not None:
                found[each.run] = last
                break
    return found


def merge(layouts: list[Layout]) -> Layout:
    merged: dict[str, Category] = {}
    for one in layouts:
        for category in one.categories:
            known = merged.get(category.title)
            if known is None:
                merged[category.title] = category
            else:
                news = tuple(chart for chart in category.charts if chart not in known.charts)
                merged[category.title] = dataclasses.replace(known, charts=known.charts + news)
    return Layout(tuple(merged.values()), layouts[0].version)


def matching(source: store.Store, run: str, pattern: str) -> list[store.Series] | None:
    """Return the scalar series of a run whose tag matches the pattern at its start. None if the pattern is empty or
    invalid."""
    if not pattern:
        return None
    try:
        compiled = patterns.compile_pattern(pattern, case=True)
    except errors.BadFilter:
        return None
    found = list(source.all_series(types.Kind.SCALARS, run=run))
    matching = compiled.found_in([each.tag for each in found], from_start=True)
    return [found[place] for place in matching.nonzero()[0].tolist()]


# ---- for the page

# A chart with more lines is unreadable, and the names make the response large.
MOST_TAGS = 200
MAX_PATTERNS = 2_000


@dataclasses.dataclass(frozen=True)
class TagMatch:
    """Tags of scalars that begin with a pattern; case counts, as in TensorBoard."""

    pattern: str
    tags: list[str]  # in natural order; at most `MOST_TAGS`
    count: int  # of all
    problem: errors.Explanation | None  # why the pattern cannot be used


_EMPTY = errors.Explanation("the pattern is empty", code="pattern.empty")


def match_all(source: store.Store, texts: Iterable[str]) -> list[TagMatch]:
    """Each pattern once, in the order given."""
    wanted = list(dict.fromkeys(texts))
    if len(wanted) > MAX_PATTERNS:
        raise errors.BadQuestion(f"{len(wanted)} patterns in one request", hint=f"ask for at most {MAX_PATTERNS}")
    listed = tags.listing(source).kinds.get(types.Kind.SCALARS.word)
    names = [] if listed is None else listed.tag
    budget = patterns.Budget()
    return [_match(pattern, names, budget) for pattern in wanted]


def _match(pattern: str, names: Sequence[str], budget: patterns.Budget) -> TagMatch:
    if not pattern:
        return TagMatch(pattern, [], 0, _EMPTY)
    try:
        matching = _beginning(pattern, names, budget)
    except errors.BadFilter as problem:
        return TagMatch(pattern, [], 0, problem.explanation())
    return TagMatch(pattern, matching[:MOST_TAGS], len(matching), None)


def _beginning(pattern: str, names: Sequence[str], budget: patterns.Budget) -> list[str]:
    if re.escape(pattern) == pattern:  # most patterns are names of tags
        return [name for name in names if name.startswith(pattern)]
    found = patterns.compile_pattern(pattern, case=True).found_in(names, from_start=True, budget=budget)
    return [names[place] for place in found.nonzero()[0].tolist()]


def patterns_of(found: Layout) -> list[str]:
    return [tag for category in found.categories for chart in category.charts for tag in chart.tags or ()]


def _decode(step: int, wall_time: float, tensor: types.Tensor) -> Layout:
    return parse(series.strings(tensor, least=1)[0])


def _category(fields: wire.Fields) -> Category:
    charts = tuple(_chart(one) for one in fields.messages(2))
    return Category(fields.text(1), charts, bool(fields.integer(3)))


def _chart(fields: wire.Fields) -> Chart:
    title = fields.text(1)
    margins, lines = fields.messages(3), fields.messages(2)
    if margins:
        return Chart(title, bands=tuple(_band(one) for one in margins[-1].messages(1)))
    return Chart(title, tags=tuple(lines[-1].texts(1))) if lines else Chart(title)


def _band(fields: wire.Fields) -> Band:
    return Band(*(fields.text(number) for number in (1, 2, 3)))


read = series.Reader(types.Kind.CUSTOM_SCALARS, _decode)
