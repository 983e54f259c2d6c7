"""Users' Markdown as safe HTML: text summaries and descriptions of tags.

Rendered as TensorBoard does (Python-Markdown with fenced code and tables), so that a text looks the same in both. What
the user wrote may be anything: the HTML goes through an allow-list, tags that are not on it are shown as written.
"""

from __future__ import annotations

import functools
import html
import re
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import markdown

# fmt: off
ALLOWED_TAGS = {
    "ul", "ol", "li", "p", "pre", "code", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "br", "strong", "em",
    "a", "img", "table", "thead", "tbody", "td", "tr", "th",
}
# fmt: on
ALLOWED_ATTRIBUTES = {"a": {"href", "title"}, "img": {"src", "title", "alt"}, "*": set[str]()}
ALLOWED_SCHEMES = {"http", "https", "mailto"}

# Python-Markdown needs about a second for a megabyte; beyond that the text is shown as it is.
MARKDOWN_LIMIT = 2_000_000
# It looks for the end of a link at each open bracket: a paragraph of 4,000 of them takes 7 seconds, of 500 a tenth.
NESTING_LIMITS = ((b"[", b"]", 500), (b"<", b">", 1000))

# A `<` that does not begin a tag of the list (nor a comment, which is dropped).
_FOREIGN = re.compile(rf"<(?!/?(?:{'|'.join(sorted(ALLOWED_TAGS))})(?=[\s/>]))(?!!--)", re.IGNORECASE)

_PARAGRAPHS = re.compile(r"\n[ \t]*\n")

_thread = threading.local()


def render(source: str | bytes) -> str:
    """Markdown to safe HTML."""
    return render_all([source], lambda parts: parts[0])


def render_all(sources: Sequence[str | bytes], combine: Callable[[Sequence[str]], str]) -> str:
    """Several Markdown texts, combined into one piece of HTML that is cleaned once."""
    decoded = [decode(source) for source in sources]
    nulls = sum(source.count("\0") for source in decoded)
    remark = (
        f"<!-- WARNING: discarded {nulls} null bytes in markdown string after UTF-8 decoding -->\n" if nulls else ""
    )
    return remark + clean(combine([_convert(source.replace("\0", "")) for source in decoded]))


@functools.lru_cache(maxsize=1024)
def description(source: str) -> str:
    """A tag's description; the same few stand on many runs."""
    return render(source) if source else ""


def decode(source: str | bytes) -> str:
    return source.decode("utf-8", "replace") if isinstance(source, bytes) else source


def clean(unsafe: str) -> str:
    """HTML with everything off the allow-list made harmless: foreign tags become text, attributes are dropped."""
    import nh3  # here, because a board that shows no text need not load it

    escaped = _FOREIGN.sub("&lt;", unsafe)
    # The cleaner writes `"` for `&quot;`, which means the same; a stand-in keeps the text as TensorBoard's has it.
    stand_in = next((mark for mark in map(chr, range(0xE000, 0xF900)) if mark not in escaped), "&quot;")
    cleaned = nh3.clean(
        escaped.replace("&quot;", stand_in),
        tags=ALLOWED_TAGS,
        attributes=ALLOWED_ATTRIBUTES,
        url_schemes=ALLOWED_SCHEMES,
        link_rel=None,
    )
    return cleaned.replace(stand_in, "&quot;")


def _convert(source: str) -> str:
    if len(source) > MARKDOWN_LIMIT or any(_slow(block) for block in _PARAGRAPHS.split(source)):
        return _as_written(source)
    try:
        converted: str = _converter().reset().convert(source)
    except RecursionError:  # a list in a list in a list, a few hundred deep
        del _thread.converter  # it stopped half way, and `reset` does not mend that
        return _as_written(source)
    return converted


def _as_written(source: str) -> str:
    return f"<pre>{html.escape(source, quote=False)}</pre>"


def _slow(paragraph: str) -> bool:
    """Whether brackets stand open so deep that rendering would take seconds."""
    for opening, closing, limit in NESTING_LIMITS:
        if paragraph.count(opening.decode()) > limit:
            letters = np.frombuffer(paragraph.encode("utf-8", "replace"), np.uint8)
            depth = np.cumsum((letters == ord(opening)).astype(np.int64) - (letters == ord(closing)))
            if depth.max() > limit:
                return True
    return False


def _converter() -> markdown.Markdown:
    """One per thread: it keeps state while converting, and making one is slow."""
    import markdown

    found: markdown.Markdown | None = getattr(_thread, "converter", None)
    if found is None:
        found = _thread.converter = markdown.Markdown(extensions=["tables", "fenced_code"])
    return found
