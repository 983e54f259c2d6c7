"""The metadata file of an embedding: columns of text for its rows, used for labels, colors and search.

One line per row, cells separated by tabs. Usually there is a header only if there are several columns; files that do
otherwise are common, so the number of rows decides if possible: a table of 11 lines for 10 rows has a header.
"""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lightboard import errors, store
from lightboard.query import patterns
from lightboard.query.projector import sources as projector_sources

# TensorBoard's name for the only column of a file without a header.
LABEL = "label"
MAX_BYTES = 1 << 30
_TABLES = store.Share("metadata of embeddings", 512 << 20, keep_newest=True)
# Wider tables are measurements, not labels; further columns are left out, and a note says so.
MAX_COLUMNS = 1_000
# The limit of rows in one request.
MAX_ROWS = 20_000


@dataclasses.dataclass(frozen=True)
class Column:
    """`codes` has for each row the index into `values`; `numbers` is set if all values that are not empty are
    numbers."""

    name: str
    codes: NDArray[np.int32]
    values: list[str]
    counts: NDArray[np.uint32]
    numbers: NDArray[np.float64] | None  # parallel to `values`; NaN for an empty one


class Table:
    """State: `_columns` grows as columns are asked for, under the lock."""

    def __init__(self, lines: list[str], columns: list[str], notes: list[tuple[str, int]]) -> None:
        self.columns = columns
        self.notes = notes
        self._lines = lines
        self._columns: dict[int, Column] = {}
        self._lock = threading.Lock()
        self.size_bytes = sum(map(len, lines)) + 60 * len(lines)

    def __len__(self) -> int:
        return len(self._lines)

    def row(self, number: int) -> list[str]:
        cells = self._lines[number].split("\t", len(self.columns))[: len(self.columns)]
        return cells + [""] * (len(self.columns) - len(cells))

    def column(self, name: str) -> Column:
        if name not in self.columns:
            known = ", ".join(f"`{each}`" for each in self.columns[:10])
            raise errors.NotFound(
                f"the metadata has no column `{name}`",
                hint=f"there are {known}",
                code="metadata.no_column",
                name=name,
                known=known,
            )
        place = self.columns.index(name)
        with self._lock:
            if place not in self._columns:
                self._columns[place] = _column(name, self._cells(place))
            return self._columns[place]

    def _cells(self, place: int) -> list[str]:
        if len(self.columns) == 1:
            return self._lines
        if place == 0:
            return [line.partition("\t")[0] for line in self._lines]
        return [cells[place] if len(cells := line.split("\t", place + 1)) > place else "" for line in self._lines]


def _column(name: str, cells: Sequence[str]) -> Column:
    places: dict[str, int] = {}
    codes = np.fromiter((places.setdefault(cell, len(places)) for cell in cells), np.int32, len(cells))
    values = list(places)
    return Column(name, codes, values, np.bincount(codes, minlength=len(values)).astype(np.uint32), _numbers(values))


def _numbers(values: list[str]) -> NDArray[np.float64] | None:
    if not values or not any(value.strip() for value in values):
        return None
    found = np.full(len(values), np.nan)
    try:
        for place, value in enumerate(values):
            # Only Python reads an underscore as a digit separator.
            if value.strip():
                found[place] = float(value) if "_" not in value else _refuse()
    except ValueError:
        return None
    return found


def _refuse() -> float:
    raise ValueError


# ---- reading


def quick_columns(entry: projector_sources.Entry) -> tuple[list[str], int]:
    """Return the names of the columns and the likely number of rows, from the first line and the number of lines."""
    path = entry.config.metadata_path
    head, count, at, last = b"", 0, 0, b"\n"
    while piece := entry.files.read(entry.companion, path, at, projector_sources.PIECE_BYTES):
        head = head or piece[: 1 << 16]
        count += piece.count(b"\n")
        last = piece[-1:]
        at += len(piece)
    count += last != b"\n"
    first = head.removeprefix(b"\xef\xbb\xbf").partition(b"\n")[0].rstrip(b"\r").decode("utf-8", "replace")
    names = first.split("\t")
    return (_distinct(names), max(count - 1, 0)) if len(names) > 1 else ([LABEL], count)


def table(source: store.Store, entry: projector_sources.Entry, rows: int | None = None) -> Table:
    """`rows`: the number of rows of the tensor, if known."""
    path = entry.config.metadata_path
    if not path:
        raise errors.NotFound(
            f"the embedding {entry.name!r} has no metadata",
            hint="name a TSV file as metadata_path in its config",
            code="embedding.no_metadata",
            name=entry.name,
        )
    state = entry.files.state(entry.companion, path)
    if state.size > MAX_BYTES:
        raise errors.Unreadable(
            f"the metadata has more than {MAX_BYTES} bytes: {path}", code="file.too_large", path=path, limit=MAX_BYTES
        )
    return source.cache.get(
        _TABLES,
        (entry.companion.path, path, rows),
        lambda: parse(entry.files.read(entry.companion, path), rows),
        version=state,
        size=lambda table: table.size_bytes,
    )


def parse(content: bytes, rows: int | None = None) -> Table:
    text = content.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    lines = text.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    if "\r" in text:
        lines = [line.removesuffix("\r") for line in lines]
    if not lines:
        return Table([], [LABEL], [("empty", 0)])
    header = _has_header(lines, rows)
    filled = [line for line in lines if line.strip()]
    if rows is not None and len(lines) - header != rows and len(filled) < len(lines):
        # Blank lines are empty labels if the number of rows matches; otherwise they are ignored.
        again = _has_header(filled, rows) if filled else False
        if len(filled) - again == rows:
            lines, header = filled, again
    names = _distinct(lines[0].split("\t")) if header else _numbered(lines)
    return _padded(lines, names, header, rows)


def _has_header(lines: list[str], rows: int | None) -> bool:
    several = "\t" in lines[0]
    if rows is not None and len(lines) in (rows, rows + 1):
        return len(lines) == rows + 1
    return several


def _numbered(lines: list[str]) -> list[str]:
    count = lines[0].count("\t") + 1
    return [LABEL] if count == 1 else [f"{LABEL} {place + 1}" for place in range(min(count, MAX_COLUMNS))]


def _distinct(names: list[str]) -> list[str]:
    """The first `MAX_COLUMNS` names; a second `loss` becomes `loss (2)`."""
    found: dict[str, int] = {}  # name → how often it was given
    for place, label in enumerate(names[:MAX_COLUMNS]):
        name = label = label.strip() or f"{LABEL} {place + 1}"
        while name in found:
            found[label] += 1
            name = f"{label} ({found[label]})"
        found[name] = 1
    return list(found)


def _padded(lines: list[str], names: list[str], header: bool, rows: int | None) -> Table:
    tabs = lines[0].count("\t")
    lines = lines[1:] if header else lines
    notes: list[tuple[str, int]] = []
    if tabs >= MAX_COLUMNS:
        notes.append(("many_columns", tabs + 1))
    if len(names) > 1 and not header:
        notes.append(("no_header", 0))
    if len(names) == 1 and header:
        notes.append(("header_of_one", 0))
    odd = sum(1 for line in lines if line.count("\t") != tabs)
    if odd:
        notes.append(("odd_lines", odd))
    if rows is not None and len(lines) != rows:
        notes.append(("other_rows", len(lines)))
        lines = lines[:rows] + [""] * (rows - len(lines))
    return Table(lines, names, notes)


# ---- queries


def search(found: Table, column: str, text: str, *, regex: bool = False) -> NDArray[np.int64]:
    """Return the rows whose value contains the text, ignoring case; or matches the pattern."""
    return matching(found.column(column), text, regex=regex)


def matching(column: Column, text: str, *, regex: bool = False) -> NDArray[np.int64]:
    if regex:
        hits = patterns.compile_pattern(text).found_in(column.values)
    else:
        needle = text.casefold()
        hits = np.fromiter((needle in value.casefold() for value in column.values), np.bool_, len(column.values))
    return np.nonzero(hits[column.codes])[0]
