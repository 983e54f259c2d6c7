"""Tables: each step holds JSON, `{"columns": [...], "rows": [[...], ...]}`, shown a page of rows at a time.

A table may have 100,000 rows: it is parsed once, cached, and sorted and filtered here. Other formats are
supported: a list of objects, an object of columns, and what pandas writes (`data` for `rows`).
"""

from __future__ import annotations

import dataclasses
import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from lightboard import errors, store, types
from lightboard.formats import bounded_json, csv_text
from lightboard.query import blobs, order, patterns, series

Cell = str | int | float | bool | None
Type = Literal["number", "text", "mixed", "empty"]

# In bytes of JSON. The newest always stays: its next page is requested soon.
_TABLES = store.Share("tables", 64 << 20, keep_newest=True)
# Of JSON, and of cells after short rows are padded: 100,000 rows of 40 columns.
MAX_BYTES = 32 << 20
MAX_CELLS = 4_000_000
MAX_VALUES = 5_000_000  # including lists, objects and keys
# Columns that a table may have, and that are shown.
MOST_COLUMNS = 10_000
MAX_COLUMNS = 500
# Empty cells that pad short rows: so many, and so many more per logged cell. 200 kB of JSON could require a
# billion.
MAX_FILLED = 500_000
MAX_FILLED_EACH = 4
# Characters of a cell on the page; files have all.
MAX_CELL = 2_000
_CELL_BYTES = 32  # references to a cell in rows and columns


@dataclasses.dataclass(frozen=True)
class TableColumn:
    name: str
    type: Type


@dataclasses.dataclass(frozen=True)
class Table:
    """`cells`: one list per column, all of one length. `ragged`: rows that had too many or too few cells."""

    columns: list[TableColumn]
    cells: list[list[Cell]]
    rows: int
    ragged: int


@dataclasses.dataclass(frozen=True, kw_only=True)
class TablePage:
    """Rows from `first` on of those that pass, column by column; `order` has their places in the table as logged."""

    columns: list[TableColumn]
    rows: int
    passing: int
    first: int
    order: list[int]
    cells: list[list[Cell]]
    ragged: int
    left_out: int  # columns beyond those that are shown


@dataclasses.dataclass(frozen=True)
class Tables:
    """The tables of one step."""

    step: int
    wall_time: float
    tables: tuple[Table, ...]


# ---- reading


def parse(data: bytes) -> Table:
    """Raises Unreadable with the reason if it is not a table."""
    if len(data) > MAX_BYTES:
        raise errors.Unreadable(
            f"a table of {len(data) >> 20} MB is too large to show",
            hint="download it",
            code="table.too_large",
            size=len(data) >> 20,
        )
    if not data.strip():
        raise errors.Unreadable("the table is empty: nothing was written", code="table.empty")
    found = bounded_json.load(data, most_values=MAX_VALUES)
    try:
        return _table(found)
    except RecursionError as failure:  # nested cells are written as JSON again
        raise errors.Unreadable("this JSON is nested too deeply", code="json.too_deep") from failure


def _check_cells(columns: int, rows: int, written: int) -> None:
    """Called before padding: one long row would make all short rows long."""
    if rows * columns - written > MAX_FILLED + MAX_FILLED_EACH * written:
        raise errors.Unreadable(
            f"the table would have {rows:,} rows and {columns:,} columns, almost all cells empty",
            code="table.too_many_cells",
            rows=rows,
            columns=columns,
        )
    if columns * rows > MAX_CELLS or columns > MOST_COLUMNS or rows > MAX_CELLS:
        raise errors.Unreadable(
            f"a table of {rows:,} rows and {columns:,} columns is too large to show: up to {MAX_CELLS:,} cells "
            f"and {MOST_COLUMNS:,} columns",
            hint="download it, or log fewer columns",
            code="table.too_many_cells",
            rows=rows,
            columns=columns,
        )


def _table(found: Any) -> Table:
    names, rows = _rows(found)
    width = max([len(names), *map(len, rows)])
    _check_cells(width, len(rows), sum(map(len, rows)))
    ragged = sum(len(row) != len(names) for row in rows)
    if ragged:
        names += [str(number) for number in range(len(names), width)]
        rows = [[*row, *[None] * (width - len(row))] for row in rows]
    cells = [[_cell(each) for each in column] for column in zip(*rows, strict=True)] if rows else [[] for _ in names]
    columns = [TableColumn(name, _type(column)) for name, column in zip(names, cells, strict=True)]
    return Table(columns, cells, len(rows), ragged)


def _rows(found: Any) -> tuple[list[str], list[Sequence[Any]]]:
    if isinstance(found, list):
        return _records(found)
    if not isinstance(found, Mapping):
        raise _no_table()
    rows = found.get("rows", found.get("data"))
    names = found.get("columns")
    if isinstance(rows, list) and (names is None or isinstance(names, list)):
        if rows and isinstance(rows[0], Mapping):
            return _records(rows, names)
        _check_rows(rows)
        width = max(map(len, rows), default=0)
        _check_cells(width, len(rows), sum(map(len, rows)))
        return [str(each) for each in (range(width) if names is None else names)], rows
    if found and all(isinstance(each, list) for each in found.values()):
        # columns of different lengths are padded
        height = max(map(len, found.values()))
        _check_cells(len(found), height, sum(map(len, found.values())))
        filled = [[*each, *[None] * (height - len(each))] for each in found.values()]
        return [str(name) for name in found], list(zip(*filled, strict=True))
    raise _no_table()


def _records(rows: list[Any], names: list[Any] | None = None) -> tuple[list[str], list[Sequence[Any]]]:
    if rows and all(isinstance(row, Mapping) for row in rows):
        keys = [str(each) for each in names] if names else list(dict.fromkeys(key for row in rows for key in row))
        _check_cells(len(keys), len(rows), sum(map(len, rows)))
        return keys, [[row.get(key) for key in keys] for row in rows]
    _check_rows(rows)
    width = max(map(len, rows), default=0)
    _check_cells(width, len(rows), sum(map(len, rows)))
    return [str(each) for each in range(width)], rows


def _check_rows(rows: list[Any]) -> None:
    if not all(isinstance(row, list) for row in rows):
        raise _no_table()


def _no_table() -> errors.Unreadable:
    return errors.Unreadable(
        'this JSON is no table: {"columns": ["a", "b"], "rows": [[1, 2]]} would be one', code="table.not_table"
    )


def _cell(value: Any) -> Cell:
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    return json.dumps(value, ensure_ascii=False)


def _type(column: Sequence[Cell]) -> Type:
    kinds = {type(each) for each in column} - {type(None)}
    if not kinds:
        return "empty"
    if kinds <= {int, float}:
        return "number"
    return "mixed" if kinds & {int, float} else "text"


# ---- cached


def read(source: store.Store, key: str) -> Table:
    """The table of a blob's key."""
    size_bytes = 0

    def parsed() -> Table:
        nonlocal size_bytes
        data = _bytes(source, key)
        size_bytes = len(data)
        return parse(data)

    return source.cache.get(_TABLES, key, parsed, size=lambda table: size_bytes)


def cost_bytes(source: store.Store, key: str) -> int:
    """Peak memory of `read`; 0 for a table that is cached."""
    if source.cache.peek(_TABLES, key) is not None:
        return 0
    data = _bytes(source, key)
    return bounded_json.cost_bytes(data) + _CELL_BYTES * min(MAX_CELLS, bounded_json.values(data))


def _bytes(source: store.Store, key: str) -> bytes:
    return blobs.read(source, key, {types.Kind.TABLES}).data


# ---- selecting rows


def chosen(table: Table, filters: Mapping[str, str], sort: str = "") -> NDArray[np.int64]:
    """Indices of the rows that pass every filter, sorted by a column: `loss`, or `-loss` for the largest first."""
    keep = np.ones(table.rows, np.bool_)
    for name, text in filters.items():
        if text.strip():
            keep &= _passing(table.cells[_find(table, name)], text.strip(), name)
    rows = np.nonzero(keep)[0]
    if not sort:
        return rows
    down = sort.startswith("-") and not any(column.name == sort for column in table.columns)
    at = _find(table, sort[1:] if down else sort)
    return rows[_order([table.cells[at][row] for row in rows.tolist()], table.columns[at].type, down)]


def _find(table: Table, name: str) -> int:
    for position, column in enumerate(table.columns):
        if column.name == name:
            return position
    raise errors.BadInput(f"the table has no column `{name[:60]}`", code="table.no_column", name=name[:60])


def _order(cells: list[Cell], kind: Type, down: bool) -> NDArray[np.int64]:
    """Stable: numbers before texts, empty cells last in both directions."""
    numbers = np.array([_number(each) for each in cells], np.float64)
    texts = ["" if _is_number(each) else _shown(each) for each in cells]
    ranks = np.zeros(len(cells), np.int64)
    if kind in ("text", "mixed"):
        names = sorted(set(texts), key=order.natural_key)
        place = {name: rank for rank, name in enumerate(names)}
        ranks = np.array([place[each] for each in texts], np.int64)
    missing = np.array([each is None or (isinstance(each, float) and math.isnan(each)) for each in cells], np.bool_)
    written = np.array([not _is_number(each) for each in cells], np.bool_) & ~missing
    sign = -1 if down else 1
    values = np.where(missing | written, 0.0, numbers)
    return np.lexsort((sign * ranks, sign * values, sign * written.astype(np.int64), missing))


def _is_number(cell: Cell) -> bool:
    return isinstance(cell, (int, float)) and not isinstance(cell, bool)


def _number(cell: Cell) -> float:
    if not isinstance(cell, (int, float)):
        return math.nan
    try:
        return float(cell)
    except OverflowError:  # an integer of 400 digits
        return math.inf if cell > 0 else -math.inf


def _shown(cell: Cell) -> str:
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return "" if cell is None else str(cell)


_COMPARISON = re.compile(r"(<=|>=|!=|==|=|<|>)\s*(.*)", re.DOTALL)
_COMPARE: dict[str, Callable[[float, float], bool]] = {
    "<": lambda one, other: one < other,
    "<=": lambda one, other: one <= other,
    ">": lambda one, other: one > other,
    ">=": lambda one, other: one >= other,
}


def _passing(cells: Sequence[Cell], text: str, name: str) -> NDArray[np.bool_]:
    if len(text) > 2 and text.startswith("/") and text.endswith("/"):
        return patterns.compile_pattern(text[1:-1], 1).found_in([_shown(cell) for cell in cells])
    return np.fromiter(map(_passes(text, name), cells), np.bool_, len(cells))


def _passes(text: str, name: str) -> Callable[[Cell], bool]:
    """`> 3`, `1..5`, `= word`, `!= word`, `!word`, or a word that the cell contains."""
    if (found := _COMPARISON.fullmatch(text)) is not None:
        sign, wanted = found[1], found[2].strip()
        if sign in ("=", "==", "!="):
            same = _same_as(wanted)
            return same if sign != "!=" else lambda cell: not same(cell)
        edge, compare = _edge(wanted, name), _COMPARE[sign]
        return lambda cell: _is_number(cell) and compare(_number(cell), edge)
    first, _, last = text.partition("..")
    if (lo := _maybe(first)) is not None and (hi := _maybe(last)) is not None:
        return lambda cell: _is_number(cell) and lo <= _number(cell) <= hi
    if len(text) > 1 and text.startswith("!"):
        unwanted = text[1:].strip().casefold()
        return lambda cell: unwanted not in _shown(cell).casefold()
    wanted = text.casefold()
    return lambda cell: wanted in _shown(cell).casefold()


def _same_as(wanted: str) -> Callable[[Cell], bool]:
    number, text = _maybe(wanted), wanted.casefold()
    if number is not None:
        return lambda cell: _number(cell) == number if _is_number(cell) else _shown(cell).casefold() == text
    return lambda cell: _shown(cell).casefold() == text


def _maybe(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return None if math.isnan(value) else value


def _edge(text: str, name: str) -> float:
    value = _maybe(text)
    if value is None:
        raise errors.BadInput(
            f"`{text[:60]}` is no number to compare column `{name[:60]}` with",
            hint="write `> 0.5`, `1..5`, `= word`, `!= word`, `/pattern/`, or a word to look for",
            code="table.not_number",
            text=text[:60],
            column=name[:60],
        )
    return value


# ---- responses


def page(table: Table, rows: NDArray[np.int64], first: int, count: int) -> TablePage:
    shown = rows[first : first + count].tolist()
    columns = table.columns[:MAX_COLUMNS]
    cells = [[_short(column[row]) for row in shown] for column in table.cells[:MAX_COLUMNS]]
    left_out = len(table.columns) - len(columns)
    return TablePage(
        columns=columns,
        rows=table.rows,
        passing=len(rows),
        first=first,
        order=shown,
        cells=cells,
        ragged=table.ragged,
        left_out=left_out,
    )


def _short(cell: Cell) -> Cell:
    return cell[:MAX_CELL] + "…" if isinstance(cell, str) and len(cell) > MAX_CELL else cell


def write(table: Table, rows: NDArray[np.int64], form: Literal["csv", "json"]) -> Iterator[bytes]:
    """A file, in chunks of a thousand rows."""
    places = rows.tolist()
    names = [column.name for column in table.columns]
    pieces = [places[at : at + 1000] for at in range(0, len(places), 1000)]
    if form == "csv":
        yield _csv([[csv_text.no_formula(name) for name in names]])
        for piece in pieces:
            yield _csv([[_plain(column[row]) for column in table.cells] for row in piece])
        return
    yield b'{"columns":' + json.dumps(names, ensure_ascii=False).encode("utf-8", "replace") + b',"rows":['
    for number, piece in enumerate(pieces):
        body = json.dumps([[_finite(column[row]) for column in table.cells] for row in piece], ensure_ascii=False)
        yield (b"," if number else b"") + body[1:-1].encode("utf-8", "replace")
    yield b"]}\n"


def _csv(rows: list[list[Any]]) -> bytes:
    return csv_text.lines(rows).encode("utf-8", "replace")


def _plain(cell: Cell) -> Cell:
    if isinstance(cell, str):
        return csv_text.no_formula(cell)
    return _shown(cell) if isinstance(cell, bool) else cell


def _finite(cell: Cell) -> Cell:
    return None if isinstance(cell, float) and not math.isfinite(cell) else cell


def _decode(step: int, wall_time: float, tensor: types.Tensor) -> Tables:
    return Tables(step, wall_time, tuple(parse(each) for each in series.strings(tensor)))


reader = series.Reader(types.Kind.TABLES, _decode)
