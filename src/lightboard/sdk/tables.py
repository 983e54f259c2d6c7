"""Tables and Plotly figures, as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from lightboard.sdk import summary_messages

PLUGIN = "lightboard_table"
PLOTLY_PLUGIN = "lightboard_plotly"
_BLOB = 3  # data class


def value(tag: str, rows: Any, columns: Sequence[str] | None = None) -> bytes:
    """Summary.Value of a table: a DataFrame, a list of dicts, a dict of columns, or rows with the names of columns."""
    names, cells = _cells(rows, columns)
    return _json_value(PLUGIN, tag, json.dumps({"columns": names, "rows": cells}, default=plain, ensure_ascii=False))


def plotly_value(tag: str, figure: Any) -> bytes:
    """Summary.Value of a Plotly figure, or of a dict (or JSON) with `data` and `layout`."""
    to_json = getattr(figure, "to_json", None)
    if callable(to_json):
        content = str(to_json())
    elif isinstance(figure, (str, bytes)):
        content = figure.decode() if isinstance(figure, bytes) else figure
        json.loads(content)
    else:
        content = json.dumps(figure, default=plain, ensure_ascii=False)
    return _json_value(PLOTLY_PLUGIN, tag, content)


def plain(found: Any) -> Any:
    """Converts values that JSON does not support: arrays and numbers of other libraries, dates, paths."""
    if getattr(found, "detach", None) is not None:
        found = found.detach().cpu()
    for name in ("tolist", "isoformat"):
        method = getattr(found, name, None)
        if callable(method):
            return method()
    return str(found)


def _cells(rows: Any, columns: Sequence[str] | None) -> tuple[list[str], list[list[Any]]]:
    if hasattr(rows, "columns") and hasattr(rows, "to_dict"):  # pandas and polars
        names = [str(each) for each in rows.columns]
        if hasattr(rows, "rows"):
            return names, [list(each) for each in rows.rows()]
        return names, [list(each) for each in rows.itertuples(index=False, name=None)]
    if isinstance(rows, Mapping):
        names = [str(each) for each in (columns or rows)]
        by_column = [list(rows[each]) for each in names]
        return names, [list(each) for each in zip(*by_column, strict=True)]
    listed = list(rows)
    if listed and isinstance(listed[0], Mapping):
        names = [str(each) for each in (columns or dict.fromkeys(key for row in listed for key in row))]
        return names, [[row.get(name) for name in names] for row in listed]
    cells = [list(plain(row) if hasattr(row, "tolist") else row) for row in listed]
    width = max((len(row) for row in cells), default=0)
    names = [str(each) for each in columns] if columns is not None else [str(each) for each in range(width)]
    if any(len(row) != len(names) for row in cells):
        raise ValueError(f"every row of the table needs {len(names)} cells")
    return names, cells


def _json_value(plugin: str, tag: str, content: str) -> bytes:
    tensor = summary_messages.string_tensor([content.encode("utf-8", "surrogatepass")], [1])
    return summary_messages.tensor_value(tag, tensor, summary_messages.metadata(plugin, data_class=_BLOB))
