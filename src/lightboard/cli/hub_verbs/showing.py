"""Boards as text: tables that fit the terminal, times as people say them.

Every function that needs the time gets it as `now`.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import sys
import unicodedata
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from lightboard.cli import formatting

if TYPE_CHECKING:
    from lightboard import client

_UNITS = (("d", 86400), ("h", 3600), ("min", 60), ("s", 1))


@dataclasses.dataclass(frozen=True)
class Column:
    """`least`: to how many cells it may be shortened, 0: never. Columns with a larger `rank` are dropped first."""

    head: str
    cells: tuple[str, ...]
    least: int = 0
    rank: int = 0


def now() -> dt.datetime:
    return dt.datetime.now(dt.timezone.utc)


def duration(secs: float) -> str:
    """Returns "3 h 12 min", "2 d 4 h", "40 s": at most two units."""
    left = max(int(secs), 0)
    place = next((place for place, (_, size) in enumerate(_UNITS) if left >= size), len(_UNITS) - 1)
    shown: list[str] = []
    for unit, size in _UNITS[place : place + 2]:
        count, left = divmod(left, size)
        if count or not shown:
            shown.append(f"{count} {unit}")
    return " ".join(shown)


def ago(moment: dt.datetime | None, now: dt.datetime) -> str:
    """Returns "3 h ago": one unit."""
    if moment is None:
        return "-"
    secs = (now - moment).total_seconds()
    if secs < 5:
        return "just now"
    unit, size = next((unit, size) for unit, size in _UNITS if secs >= size)
    return f"{int(secs // size)} {unit} ago"


def pauses(board: client.Board, now: dt.datetime) -> str:
    """Returns when the board is stopped if nobody uses it: "in 3 h 12 min"; "-" if it does not run."""
    if not board.running:
        return "-"
    ends = [each for each in (board.reclaim_at, board.runtime_ends_at) if each is not None]
    return f"in {duration((min(ends) - now).total_seconds())}" if ends else "never"


def state(board: client.Board) -> str:
    return f"{board.state} ({board.reason})" if board.reason else board.state


def table(boards: Sequence[client.Board], now: dt.datetime, *, wide: bool = False) -> list[str]:
    def texts(member: Callable[[client.Board], str]) -> tuple[str, ...]:
        return tuple(formatting.printable(member(each)) for each in boards)

    columns = [
        Column("NAME", texts(lambda board: board.name), least=8),
        Column("STATE", texts(state), least=7),
        Column("CREATED", texts(lambda board: ago(board.created, now)), rank=2),
        Column("LAST USED", texts(lambda board: ago(board.last_activity, now)), rank=4),
        Column("PAUSES", texts(lambda board: pauses(board, now)), rank=1),
        Column("WORKSPACE", texts(lambda board: board.workspace), least=6, rank=5),
        Column("OWNER", texts(lambda board: board.owner), least=6, rank=6),
    ]
    if wide:
        columns += [
            Column("TYPE", texts(lambda board: board.type)),
            Column("VISIBILITY", texts(lambda board: board.visibility)),
            Column("SOURCES", texts(sources)),
        ]
    columns.append(Column("URL", texts(lambda board: board.url)))
    return fitted(columns, 0 if wide else terminal_width())


def sources(board: client.Board) -> str:
    return ", ".join(
        f"{each['prefix']}={each['uri']}" if each.get("prefix") else str(each["uri"]) for each in board.sources
    )


def rows(heads: Sequence[str], lines: Sequence[Sequence[str]], *, least: int = 10) -> list[str]:
    """A table whose last column may be shortened."""
    columns = [
        Column(head, tuple(line[place] for line in lines), least=least if place == len(heads) - 1 else 0)
        for place, head in enumerate(heads)
    ]
    return fitted(columns, terminal_width())


def fitted(columns: Sequence[Column], width: int) -> list[str]:
    """Lines of a table that is at most `width` cells wide, if that is possible; 0: any width."""
    kept = list(columns)
    while width and _needs(kept, shortened=True) > width and any(each.rank for each in kept):
        kept.remove(max(kept, key=lambda each: each.rank))
    widths = [_width(each) for each in kept]
    over = sum(widths) + 2 * (len(kept) - 1) - width if width else 0
    for place in sorted(range(len(kept)), key=lambda place: -widths[place]):
        if over > 0 and kept[place].least:
            shrunk = max(widths[place] - over, min(kept[place].least, widths[place]))
            over -= widths[place] - shrunk
            widths[place] = shrunk
    lines = [[each.head for each in kept], *zip(*(each.cells for each in kept), strict=True)]
    return ["  ".join(_padded(cell, size) for cell, size in zip(line, widths, strict=True)).rstrip() for line in lines]


def terminal_width() -> int:
    """0 if the output is not a terminal: a program gets everything."""
    import shutil

    return shutil.get_terminal_size((100, 24)).columns if sys.stdout.isatty() else 0


def _needs(columns: Sequence[Column], *, shortened: bool) -> int:
    widths = [min(each.least, _width(each)) if shortened and each.least else _width(each) for each in columns]
    return sum(widths) + 2 * (len(columns) - 1)


def _width(column: Column) -> int:
    return max(cells(text) for text in (column.head, *column.cells))


def cells(text: str) -> int:
    """How wide a text is on a terminal: Chinese characters take two cells."""
    return sum(0 if unicodedata.combining(each) else 1 + (unicodedata.east_asian_width(each) in "WF") for each in text)


def _padded(text: str, width: int) -> str:
    if cells(text) > width:
        kept = ""
        for each in text:
            if cells(kept + each) > width - 1:
                break
            kept += each
        text = kept + "…"
    return text + " " * (width - cells(text))


def outcome(boards: Sequence[client.Board], *, as_json: bool) -> None:
    """What became of the boards that a command was for."""
    if as_json:
        print(formatting.document({"items": [each.data for each in boards]}))
        return
    for each in boards:
        print(f"{formatting.printable(each.name)}  {state(each)}")
