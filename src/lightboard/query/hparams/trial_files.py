"""Export trials as a file: CSV, JSON, LaTeX, Arrow, Parquet; with the requested columns, trials and order."""

from __future__ import annotations

import dataclasses
import datetime as dt
import importlib
import io
import json
import math
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from lightboard import errors
from lightboard.formats import csv_text
from lightboard.query import exports
from lightboard.query.hparams import trial_metrics, trial_tables, trials

Extra = Literal["status", "start", "end", "runs", "step", "deviation"]


@dataclasses.dataclass(frozen=True)
class Field:
    """One column; a cell is None if there is no value. `best` is the index of the best value."""

    title: str
    cells: list[Any]
    kind: Literal["number", "whole", "bool", "text", "time"]
    metric: bool = False
    best: float | None = None
    deviations: list[Any] | None = None


@dataclasses.dataclass(frozen=True)
class Sheet:
    fields: list[Field]
    rows: int


@dataclasses.dataclass(frozen=True)
class Format:
    media_type: str
    suffix: str
    write: Callable[[Sheet], bytes]


def sheet(found: trial_tables.Table, sort: Sequence[str] = (), extra: Sequence[Extra] = ()) -> Sheet:
    """Return the trials in the requested order; the first sort key is the primary one."""
    places = trial_tables.sorting(found, sort)
    order = places.tolist()
    fields = [Field("trial", [exports.encodable(found.names[at]) for at in order], "text")]
    if "runs" in extra:
        runs = found.runs_of()
        fields.append(Field("runs", [exports.encodable(" ".join(runs[at])) for at in order], "text"))
    for hparam in found.hparams:
        cells = hparam.texts()
        title = hparam.info.display or hparam.column.name
        fields.append(Field(title, [cells[at] for at in order], hparam.column.kind))
    for metric, got in found.metrics:
        fields += _metric(metric, got, places, extra)
    if "status" in extra:
        fields.append(Field("status", [trials.STATUSES[number] for number in found.status[places].tolist()], "text"))
    for word, times in (("start", found.start), ("end", found.end)):
        if word in extra:
            fields.append(Field(word, _or_none(times[places]), "time"))
    return Sheet(_with_unique_titles(fields), len(order))


def _metric(
    metric: trial_metrics.Metric, got: trial_metrics.Values, places: NDArray[np.int64], extra: Sequence[Extra]
) -> list[Field]:
    values = got.value[places]
    missing = got.reason[places] != 0
    missing &= got.reason[places] != trial_metrics.NAN
    cells = [None if none else value for value, none in zip(values.tolist(), missing.tolist(), strict=True)]
    title = metric.display or trial_tables.metric_key(metric)
    finite = values[np.isfinite(values)]
    best = None
    if metric.goal and len(finite):
        best = float(finite.min() if metric.goal == "min" else finite.max())
    deviations = None
    if "deviation" in extra and got.deviation is not None:
        deviations = _or_none(got.deviation[places])
    fields = [Field(title, cells, "number", True, best, deviations)]
    if "step" in extra:
        steps = got.step[places].tolist()
        fields.append(Field(f"{title} step", [None if step < 0 else step for step in steps], "whole"))
    if deviations is not None:
        fields.append(Field(f"{title} deviation", deviations, "number"))
    return fields


def _with_unique_titles(fields: list[Field]) -> list[Field]:
    """Make titles unique: an hparam and a metric may have the same name, and data frames need unique columns."""
    seen: set[str] = set()
    named = []
    for field in fields:
        title, number = field.title, 2
        while title in seen:
            title, number = f"{field.title} ({number})", number + 1
        seen.add(title)
        named.append(dataclasses.replace(field, title=title))
    return named


def _or_none(values: NDArray[np.float64]) -> list[Any]:
    return [value if math.isfinite(value) else None for value in values.tolist()]


def write(chosen: Sheet, format_: str) -> bytes:
    if format_ not in FORMATS:
        raise errors.BadQuestion(f"no format is called `{format_}`", hint="one of " + ", ".join(FORMATS))
    return FORMATS[format_].write(chosen)


def _csv(chosen: Sheet) -> bytes:
    titles = [csv_text.no_formula(field.title) for field in chosen.fields]
    columns = [[_csv_cell(cell, field.kind) for cell in field.cells] for field in chosen.fields]
    return csv_text.lines([titles, *zip(*columns, strict=True)]).encode("utf-8", "backslashreplace")


def _csv_cell(cell: Any, kind: str) -> str:
    if cell is None:
        return ""
    if kind == "time":
        return _moment(cell)
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float):
        return _number(cell)
    return csv_text.no_formula(str(cell))


def _number(value: float) -> str:
    """Return the shortest decimal text that parses to the same double; whole numbers have no fraction."""
    if not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def _moment(seconds: float) -> str:
    try:
        return dt.datetime.fromtimestamp(seconds, dt.timezone.utc).isoformat(timespec="seconds").replace("+00:00", "Z")
    except (ValueError, OverflowError, OSError):
        return ""


def _json(chosen: Sheet) -> bytes:
    """Return a list of objects; NaN and infinities are strings, as in all JSON of Lightboard."""
    columns = [[_json_cell(cell) for cell in field.cells] for field in chosen.fields]
    titles = [field.title for field in chosen.fields]
    rows = [dict(zip(titles, row, strict=True)) for row in zip(*columns, strict=True)]
    lines = ",\n".join(json.dumps(row, ensure_ascii=False, allow_nan=False) for row in rows)
    return f"[{lines}]\n".encode("utf-8", "backslashreplace")


def _json_cell(cell: Any) -> Any:
    if isinstance(cell, float):
        if not math.isfinite(cell):
            return _number(cell)
        return int(cell) if cell.is_integer() and abs(cell) < 1e15 else cell
    return cell


# ---- LaTeX

_SPECIAL = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\n": " ", "\r": " ", "\t": " ",
}  # fmt: skip


def _latex(chosen: Sheet) -> bytes:
    """Return a table with a line below its header; the best value of a metric that has a goal is bold."""
    fields = [field for field in chosen.fields if not field.title.endswith(" deviation") or field.metric]
    kinds = "".join("r" if field.kind in ("number", "whole") else "l" for field in fields)
    head = " & ".join(_escaped(field.title) for field in fields)
    columns = [_latex_cells(field) for field in fields]
    rows = "".join(" & ".join(row) + " \\\\\n" for row in zip(*columns, strict=True))
    top = f"\\begin{{table}}[tbp]\n\\centering\n\\begin{{tabular}}{{{kinds}}}\n\\hline\n{head} \\\\ \\hline\n"
    return f"{top}{rows}\\hline\n\\end{{tabular}}\n\\end{{table}}\n".encode("utf-8", "backslashreplace")


def _latex_cells(field: Field) -> list[str]:
    deviations = field.deviations or [None] * len(field.cells)
    return [_latex_cell(cell, field, apart) for cell, apart in zip(field.cells, deviations, strict=True)]


def _latex_cell(cell: Any, field: Field, apart: float | None) -> str:
    if cell is None:
        return "--"
    if field.kind == "time":
        return _moment(cell)
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if not isinstance(cell, (int, float)):
        return _escaped(str(cell))
    text = _scientific(float(cell))
    if apart is not None:
        text += rf" \pm {_scientific(apart)}"
    return f"$\\mathbf{{{text}}}$" if field.best is not None and cell == field.best else f"${text}$"


def _scientific(value: float) -> str:
    if not math.isfinite(value):
        return r"\mathrm{NaN}" if math.isnan(value) else (r"+\infty" if value > 0 else r"-\infty")
    mantissa, _, exponent = f"{value:.4g}".partition("e")
    return rf"{mantissa} \cdot 10^{{{int(exponent)}}}" if exponent else mantissa


def _escaped(text: str) -> str:
    return "".join(_SPECIAL.get(mark, mark) for mark in text)


# ---- Arrow and Parquet


def arrow_table(chosen: Sheet) -> Any:
    arrow = exports.arrow_package()
    kinds = {
        "number": arrow.float64(), "whole": arrow.int64(), "bool": arrow.bool_(), "text": arrow.string(),
        "time": arrow.timestamp("us", tz="UTC"),
    }  # fmt: skip
    columns = {}
    for field in chosen.fields:
        cells = field.cells
        if field.kind == "time":
            cells = [None if cell is None else round(cell * 1e6) for cell in cells]
        elif field.kind == "text":
            cells = [None if cell is None else exports.encodable(str(cell)) for cell in cells]
        columns[exports.encodable(field.title)] = arrow.array(cells, kinds[field.kind], from_pandas=False)
    return arrow.table(columns)


def _arrow(chosen: Sheet) -> bytes:
    table = arrow_table(chosen)
    ipc = importlib.import_module("pyarrow.ipc")
    sink = io.BytesIO()
    with ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue()


def _parquet(chosen: Sheet) -> bytes:
    table = arrow_table(chosen)
    parquet = importlib.import_module("pyarrow.parquet")
    sink = io.BytesIO()
    parquet.write_table(table, sink, compression="zstd")
    return sink.getvalue()


FORMATS = {
    "csv": Format("text/csv; charset=utf-8", ".csv", _csv),
    "json": Format("application/json", ".json", _json),
    "latex": Format("application/x-latex", ".tex", _latex),
    "arrow": Format(exports.FORMATS["arrow"].media_type, ".arrows", _arrow),
    "parquet": Format(exports.FORMATS["parquet"].media_type, ".parquet", _parquet),
}
