"""Text: each step holds strings of any shape, shown as Markdown: one block, a column, or a table."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

from lightboard import errors, types
from lightboard.query import markup, series

_SLICED = (
    "**Warning:** This text summary contained data of dimensionality {}, but only   2d tables are supported. "
    "Showing a 2d slice of the data instead."
)


@dataclasses.dataclass(frozen=True)
class Text:
    """The strings of one step, row-major; bytes that are no UTF-8 became replacement characters."""

    step: int
    wall_time: float
    shape: tuple[int, ...]
    strings: tuple[str, ...]


def html(text: Text, *, markdown: bool = True) -> str:
    """Safe to put into a page. Of more than two dimensions the last two are shown, at index 0 of the others."""
    if not text.shape:
        return markup.render(text.strings[0]) if markdown else markup.clean(text.strings[0])
    warning = markup.render(_SLICED.format(len(text.shape))) if len(text.shape) > 2 else ""
    columns = text.shape[-1] if len(text.shape) > 1 else 1
    cells = text.strings[: math.prod(text.shape[-2:])]

    def table(parts: Sequence[str]) -> str:
        rows = len(parts) // columns if columns else text.shape[-2]
        return _table([parts[row * columns : (row + 1) * columns] for row in range(rows)])

    return warning + (markup.render_all(cells, table) if markdown else markup.clean(table(cells)))


def _table(rows: Sequence[Sequence[str]]) -> str:
    body = "".join("<tr>\n" + "".join(f"<td>{cell}</td>\n" for cell in row) + "</tr>\n" for row in rows)
    return f"<table>\n<tbody>\n{body}</tbody>\n</table>"


def _decode(step: int, wall_time: float, tensor: types.Tensor) -> Text:
    strings = series.strings(tensor)
    if len(strings) != math.prod(tensor.shape):
        raise errors.Unreadable(f"{len(strings)} strings do not fill a tensor of shape {list(tensor.shape)}")
    return Text(step, wall_time, tensor.shape, tuple(markup.decode(one) for one in strings))


read = series.Reader(types.Kind.TEXT, _decode)
