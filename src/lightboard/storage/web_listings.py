"""What a web server says about a directory: HTML pages of listings, JSON, and index files.

    of_page     the answer to `GET directory/`: a page of nginx, Apache, Python, Caddy, lighttpd …, or JSON of nginx and
                Caddy. None: it is some other page
    of_index    `index.json` or `index.txt`, which people write: paths below the directory

Names are decoded. A link that leaves the directory, sorts it or goes up is ignored. Work is linear in the length of a
page: it is cut at every `<`, and only the pieces that begin a link go through `html.parser`, which needs quadratic time
for some damaged pages.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import email.utils
import html.parser
import json
import math
import re
import urllib.parse
from collections.abc import Iterable, Iterator
from typing import Any

PAGE_BYTES = 16 << 20
INDEX_BYTES = 64 << 20
ENTRIES = 1_000_000
INDEXES = ("index.json", "index.txt")
_TAG_CHARACTERS = 16_384
_ROW_CHARACTERS = 1000

_LINK = re.compile(r"a[\s/]", re.IGNORECASE)
_PLAIN = re.compile(r"(?:\./)?([^/?#:\\&]+)(/?)")
_SKIPPED = re.compile(r"(script|style|template)[\s>/]", re.IGNORECASE)
_LISTING = re.compile(r"\b(?:index of|directory listing|listing of)\b", re.IGNORECASE)
_TIME = re.compile(r"\d[T ]+\d{1,2}:\d\d|datetime=")


@dataclasses.dataclass(frozen=True)
class Entry:
    """One line of a listing. `row` is all that it says about the file. While that is the same, so is the file, up to
    the minute that a `timed` row shows."""

    path: str  # relative to the directory; below it only in an index
    directory: bool
    row: str
    timed: bool = False
    size: int = -1  # -1: unknown, or rounded
    mtime: int = -1  # seconds since 1970

    @property
    def exact(self) -> bool:
        return self.size >= 0 and self.mtime >= 0


def of_page(body: bytes | bytearray, url: str) -> list[Entry] | None:
    """`url` is that of the directory, after redirects, with its slash."""
    text = _decoded(body)
    if text.lstrip()[:1] in ("[", "{"):
        return _of_json(text)
    return _of_html(text, urllib.parse.urlsplit(url))


def of_index(name: str, body: bytes | bytearray) -> list[Entry] | None:
    """None: it is not an index."""
    text = _decoded(body)
    if name.endswith(".json"):
        return _of_json(text)
    if text.lstrip()[:1] == "<":  # a page that is sent for every address
        return None
    lines = (line.strip("\r") for line in text.split("\n"))
    return _entries((line, line.endswith("/"), {}) for line in lines if line.strip())


def _decoded(body: bytes | bytearray) -> str:
    return body.decode("utf-8", "surrogateescape").removeprefix("\ufeff")


def is_name(name: str) -> bool:
    """Whether it can be one part of a path."""
    return name not in ("", ".", "..") and "/" not in name and not any(ord(letter) < 32 for letter in name)


def _clean(path: str) -> str:
    """ "" if the path is not one below the directory."""
    path = path.removeprefix("./").removesuffix("/")
    return path if all(map(is_name, path.split("/"))) else ""


# ---- HTML


class _Link(html.parser.HTMLParser):
    """Remembers the target of the link that it is fed."""

    href: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "a":
            self.href = dict(attrs).get("href")


def _of_html(text: str, base: urllib.parse.SplitResult) -> list[Entry] | None:
    rows: dict[tuple[str, bool], list[str]] = {}
    row: list[str] | None = None
    goes_up = False
    for piece, href in _pieces(text):
        if href is not None:
            name = _name(href, base)
            goes_up = goes_up or href.strip() in ("..", "../")
            row = None if name is None else rows.setdefault(name, [])
            if len(rows) > ENTRIES:
                break
        if row is not None:
            row.append(piece[-_ROW_CHARACTERS:] if href is not None else piece)
    if not rows and not goes_up and not _LISTING.search(text, 0, 1 << 16):
        return None
    return [_of_row(path, directory, "<".join(pieces)) for (path, directory), pieces in rows.items()]


def _of_row(path: str, directory: bool, row: str) -> Entry:
    row = row.partition(">")[2][-_ROW_CHARACTERS:]
    beside = re.split("</a", row, flags=re.IGNORECASE)[-1]  # a name may look like a time
    return Entry(path, directory, row, _TIME.search(beside) is not None)


def _pieces(text: str) -> Iterator[tuple[str, str | None]]:
    """Yields the text cut at every `<`, without comments and scripts, and the target of the links in it."""
    parser = _Link()
    until = ""
    for piece in text.split("<"):
        if until:
            if not (piece.lower().startswith(until) if until != "-->" else until in piece):
                continue
            until = ""
        elif piece.startswith("!--"):
            until = "" if "-->" in piece else "-->"
        elif skipped := _SKIPPED.match(piece):
            until = f"/{skipped[1].lower()}"
        elif _LINK.match(piece) and len(piece) <= _TAG_CHARACTERS:
            parser.reset()
            parser.href = None
            parser.feed(f"<{piece}")
            yield piece, parser.href
        else:
            yield piece, None


def _name(href: str, base: urllib.parse.SplitResult) -> tuple[str, bool] | None:
    """The name that a link leads to, and whether it is a directory; None if it is not one in this directory."""
    href = href.strip()
    if match := _PLAIN.fullmatch(href):
        name = _unquoted(match[1])
        return (name, bool(match[2])) if is_name(name) else None
    try:
        found = urllib.parse.urlsplit(urllib.parse.urljoin(base.geturl(), href))
    except ValueError:
        return None
    if found.query or found.fragment or href.endswith(("?", "#")) or found[:2] != base[:2]:
        return None
    path, above = _unquoted(found.path), _unquoted(base.path)
    if not path.startswith(above):
        return None
    name = path[len(above) :]
    return (name.removesuffix("/"), name.endswith("/")) if is_name(name.removesuffix("/")) else None


def _unquoted(path: str) -> str:
    return urllib.parse.unquote_to_bytes(path.encode("utf-8", "surrogateescape")).decode("utf-8", "surrogateescape")


# ---- JSON and text


def _of_json(text: str) -> list[Entry] | None:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(document, dict):
        document = document.get("files")
    if not isinstance(document, list) or (
        document and not any(isinstance(each, str | dict) for each in document[:100])
    ):
        return None
    return _entries(_listed(each) for each in document)


def _listed(each: Any) -> tuple[str, bool, dict[str, Any]]:
    if isinstance(each, str):
        return each, each.endswith("/"), {}
    if not isinstance(each, dict):
        return "", False, {}
    path = each.get("path", each.get("name"))
    if not isinstance(path, str):
        return "", False, {}
    return path, path.endswith("/") or each.get("type") == "directory" or each.get("is_dir") is True, each


def _entries(found: Iterable[tuple[str, bool, dict[str, Any]]]) -> list[Entry]:
    entries: dict[str, Entry] = {}
    for path, directory, members in found:
        path = _clean(path)
        if not path:
            continue
        size, mtime = members.get("size"), _seconds(_time(members))
        known = not directory and isinstance(size, int) and not isinstance(size, bool) and 0 <= size < 1 << 62
        row = json.dumps(members, default=str, sort_keys=True)[-_ROW_CHARACTERS:] if members else ""
        entries[path] = Entry(path, directory, row, mtime >= 0, size if known else -1, mtime)  # type: ignore[arg-type]
        if len(entries) >= ENTRIES:
            break
    return list(entries.values())


def _time(members: dict[str, Any]) -> Any:
    return next((members[name] for name in ("mtime", "mod_time", "last_modified", "modified") if name in members), None)


def _seconds(value: Any) -> int:
    """A time as number, HTTP date or ISO 8601; -1 if it is none."""
    if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
        return int(value) if 0 <= value < 1 << 40 else -1
    return -1 if not isinstance(value, str) else seconds_of(value)


def seconds_of(text: str) -> int:
    for parse in (email.utils.parsedate_to_datetime, _iso):
        try:
            found = parse(text)
            return max(int((found if found.tzinfo else found.replace(tzinfo=dt.timezone.utc)).timestamp()), -1)
        except (ValueError, TypeError, IndexError, OverflowError):
            continue
    return -1


def _iso(text: str) -> dt.datetime:
    # Python 3.10 wants three or six digits after the point, and no Z
    return dt.datetime.fromisoformat(re.sub(r"\.\d+", "", text).replace("Z", "+00:00"))
