"""Users' Markdown as safe HTML: text summaries and descriptions of tags.

CommonMark with tables, parsed and sanitized by two Rust libraries in linear time and without the GIL, so that no
text blocks other requests. Input is not trusted: HTML tags that are not on the allow-list are shown as text, and a
text that is too long or nested too deeply is shown as it was written, with a sentence that says why.
"""

from __future__ import annotations

import functools
import html
import itertools
import re
from collections.abc import Callable, Sequence
from urllib import parse

# fmt: off
ALLOWED_TAGS = {
    "ul", "ol", "li", "p", "pre", "code", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "br", "strong", "em",
    "a", "img", "table", "thead", "tbody", "td", "tr", "th",
}
# fmt: on
ALLOWED_ATTRIBUTES = {"a": {"href", "title"}, "img": {"src", "title", "alt"}, "*": set[str]()}
ALLOWED_SCHEMES = {"http", "https", "mailto"}

# A megabyte of prose takes a fifth of a second; a longer text is a log file.
MAX_CHARS = 1_000_000
MAX_CELLS = 10_000
# A table of 400 kB may become 400,000 tags, more than a page can show.
MAX_TAGS = 100_000
# The limit for the description of a tag; a listing has many.
MAX_DESCRIPTION = 20_000
# The limit for nested quotes and lists on one line, and for nested HTML elements. HTML parsers search all open elements
# at each tag; browsers stop nesting at 512.
MAX_DEPTH = 100
# An HTML parser repeats a tag that was not closed (`<a href=…>`) in each following paragraph.
MAX_REPEATED = 10_000_000

_DEEP_LINE = re.compile(rf"^(?:[ \t]*(?:>|(?:[-+*]|[0-9]{{1,9}}[.)])(?=[ \t]))){{{MAX_DEPTH},}}", re.MULTILINE)
# Neither `<` nor `>` may occur within a tag, so that the search for its end stops at the next one.
_KNOWN = (
    r"/?(?:a|b(?:lockquote|r)|code|em|h[1-6r]|img|li|ol|p(?:re)?|strong|t(?:able|body|d|h(?:ead)?|r)|ul)"
    r"""(?:>|(?:\s+[^\s"'<>/=]+(?:\s*=\s*(?:"[^"<>]*"|'[^'<>]*'|[^\s"'<>=`]+))?){0,20}\s*/?>)"""
)
_FOREIGN = re.compile(rf"<(?!{_KNOWN})", re.IGNORECASE)
# The same in Markdown, where `<` may also begin a link target or a comment.
_NO_TARGET = r"(?<!\]\()(?<!\]: )"
_FOREIGN_SOURCE = re.compile(rf"{_NO_TARGET}<(?!{_KNOWN}|!--|[^\s<>:@]{{1,100}}[:@][^\s<>]*>)", re.IGNORECASE)
_INLINE_SOURCE = re.compile(rf"{_NO_TARGET}(?=</?(?:a|br|code|em|img|strong)[\s/>])", re.IGNORECASE)
_NAME = re.compile("[a-z0-9]+", re.IGNORECASE)
_VOID = {"br", "hr", "img"}
_CELLS = {"td", "th"}
_HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6"}
# Elements whose end tag is optional, and the tags that end them.
_ENDED_BY = {
    "p": ALLOWED_TAGS - {"a", "br", "code", "em", "img", "strong"},
    "li": {"li"},
    **dict.fromkeys(_CELLS, _CELLS | {"tr", "tbody"}),
    "tr": {"tr", "tbody"},
}


class _TooMuch(Exception):
    """The reason why a text is shown as it was written."""


def render(source: str | bytes) -> str:
    """Convert Markdown to safe HTML."""
    return render_all([source], "".join)


def render_all(sources: Sequence[str | bytes], combine: Callable[[Sequence[str]], str]) -> str:
    """Convert several Markdown texts and combine them into one piece of HTML, which is sanitized once."""
    decoded = [decode(source) for source in sources]
    nulls = sum(source.count("\0") for source in decoded)
    remark = (
        f"<!-- WARNING: discarded {nulls} null bytes in markdown string after UTF-8 decoding -->\n" if nulls else ""
    )
    bare = [source.replace("\0", "") for source in decoded]
    try:
        return remark + _cleaned(combine(_converted(bare)))
    except _TooMuch as reason:
        return remark + _as_written(bare, combine, str(reason))


@functools.lru_cache(maxsize=1024)
def description(source: str) -> str:
    """Render a tag's description; cached, because many runs share the same few."""
    if len(source) > MAX_DESCRIPTION:
        return _as_written([source], "".join, f"it has more than {MAX_DESCRIPTION:,} characters")
    return render(source) if source else ""


def decode(source: str | bytes) -> str:
    return source.decode("utf-8", "replace") if isinstance(source, bytes) else source


def clean(unsafe: str) -> str:
    """Sanitize HTML by the allow-list: other tags become text, other attributes are removed."""
    return clean_all([unsafe], "".join)


def clean_all(sources: Sequence[str], combine: Callable[[Sequence[str]], str]) -> str:
    """Combine several pieces of HTML into one, which is sanitized once."""
    try:
        return _cleaned(combine(sources))
    except _TooMuch as reason:
        return _as_written(sources, combine, str(reason))


def _converted(sources: Sequence[str]) -> list[str]:
    if sum(map(len, sources)) > MAX_CHARS:
        raise _TooMuch(f"it has more than {MAX_CHARS:,} characters")
    if len(sources) > MAX_CELLS:
        raise _TooMuch(f"it has more than {MAX_CELLS:,} cells")
    if sum(source.count("<") for source in sources) > MAX_TAGS:
        raise _TooMuch(f"it has more than {MAX_TAGS:,} HTML tags")
    if any(map(_DEEP_LINE.search, sources)):
        raise _TooMuch(f"its quotes and lists are nested more than {MAX_DEPTH} deep")
    return [_parsed(source) for source in sources]


def _parsed(source: str) -> str:
    """Parse Markdown. CommonMark treats a line that begins with a tag as HTML up to the next blank line. But `<think>`
    is shown as text and `<br>` is part of a line: both are replaced while parsing by characters that the text does not
    contain."""
    import pyromark  # imported here, because a board that shows no text does not need it

    less, before = _unused_letters(source) if "<" in source else ("", "")
    if less:
        source = _INLINE_SOURCE.sub(before, _FOREIGN_SOURCE.sub(less, source))
    parsed = pyromark.html(source, options=pyromark.Options.ENABLE_TABLES).rstrip("\n")
    if less:
        # URLs of links are percent-encoded.
        parsed = parsed.replace(less, "&lt;").replace(parse.quote(less), "%3C")
        parsed = parsed.replace(before, "").replace(parse.quote(before), "")
    return parsed


def _unused_letters(source: str) -> tuple[str, str]:
    """Return two private-use characters that the text does not contain; empty if it contains all of them."""
    unused = (letter for letter in map(chr, range(0xE000, 0xF900)) if letter not in source)
    found = [*itertools.islice((each for each in unused if parse.quote(each) not in source), 2), "", ""]
    return found[0], found[1]


def _cleaned(unsafe: str) -> str:
    import nh3

    return nh3.clean(
        _only_known_tags(_without_comments(unsafe)),
        tags=ALLOWED_TAGS,
        attributes=ALLOWED_ATTRIBUTES,
        url_schemes=ALLOWED_SCHEMES,
        link_rel=None,
    )


def _as_written(sources: Sequence[str], combine: Callable[[Sequence[str]], str], reason: str) -> str:
    written = combine([f"<pre>{html.escape(source, quote=False)}</pre>" for source in sources])
    return f"<p><em>This text is shown as written: {reason}.</em></p>\n{written}"


def _without_comments(unsafe: str) -> str:
    first, *others = unsafe.split("<!--")
    # `<!-->` is a complete comment.
    return first + "".join(f"--{part}".partition("-->")[2] for part in others)


def _only_known_tags(unsafe: str) -> str:
    """Escape each `<` that begins no tag of the allow-list. Check that the rest can be parsed quickly."""
    if unsafe.count("<") > MAX_TAGS:
        raise _TooMuch(f"it becomes more than {MAX_TAGS:,} HTML tags")
    known = _FOREIGN.sub("&lt;", unsafe)
    _check_nesting(known)
    return known


def _check_nesting(known: str) -> None:
    """Track the elements that may be open after each tag: at least as many as in a browser's parser."""
    tags = [part.partition(">")[0] for part in known.split("<")[1:]]
    opened: list[str] = []
    kept = 0  # this many of them are never removed: an end tag closed one of them before its inner elements
    longest = 0
    for tag in tags:
        closing = tag.startswith("/")
        name = tag[1:] if closing else tag
        if name not in ALLOWED_TAGS:  # uppercase letters, attributes or spaces
            name = _NAME.match(name)[0].lower()  # type: ignore[index]
        if closing:
            if len(opened) > kept and opened[-1] == name:
                opened.pop()
            elif name in opened or (name in _HEADINGS and not _HEADINGS.isdisjoint(opened)):
                kept = len(opened)
        elif name not in _VOID:
            while len(opened) > kept and name in _ENDED_BY.get(opened[-1], ()):
                opened.pop()
            opened.append(name)
            longest = max(longest, len(tag))
            if len(opened) > MAX_DEPTH:
                raise _TooMuch(f"its HTML is nested more than {MAX_DEPTH} deep")
    if len(tags) * len(opened) * longest > MAX_REPEATED:
        raise _TooMuch("its HTML has tags that are not closed")
