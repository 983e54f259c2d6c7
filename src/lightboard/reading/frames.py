"""A selection of scalars as one table: for pandas, Polars and Arrow, each imported when needed.

Long form: run, tag, step, wall_time, value, one row per point. Run and tag are indices into a list of names
(categories), so the name of a run is stored once, not for each point. Wide form: one row per run and step,
one column per tag; if a tag has a step twice, the later point is used.
"""

from __future__ import annotations

import dataclasses
import importlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lightboard import errors, store

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa  # type: ignore[import-untyped]


@dataclasses.dataclass(frozen=True)
class Columns:
    """Parallel columns; `run` and `tag` index `run_names` and `tag_names`."""

    run_names: list[str]
    tag_names: list[str]
    run: NDArray[np.int32]
    tag: NDArray[np.int32]
    step: NDArray[np.int64]
    wall_time: NDArray[np.float64]
    value: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.step)


def columns(found: Sequence[tuple[str, str, store.Points]]) -> Columns:
    """Concatenates (run, tag, points)."""
    runs = {name: number for number, name in enumerate(dict.fromkeys(run for run, _, _ in found))}
    tags = {name: number for number, name in enumerate(dict.fromkeys(tag for _, tag, _ in found))}
    counts = [len(points) for _, _, points in found]
    return Columns(
        [_encodable(name) for name in runs],
        [_encodable(name) for name in tags],
        np.repeat(np.array([runs[run] for run, _, _ in found], np.int32), counts),
        np.repeat(np.array([tags[tag] for _, tag, _ in found], np.int32), counts),
        _joined([points.steps for _, _, points in found], np.int64),
        _joined([points.wall_times for _, _, points in found], np.float64),
        _joined([points.values for _, _, points in found], np.float64),
    )


def to_pandas(table: Columns, *, wide: bool) -> pd.DataFrame:
    pandas = optional("pandas")
    frame: pd.DataFrame = pandas.DataFrame(
        {
            "run": pandas.Categorical.from_codes(table.run, table.run_names),
            "tag": pandas.Categorical.from_codes(table.tag, table.tag_names),
            "step": table.step,
            "wall_time": table.wall_time,
            "value": table.value,
        }
    )
    if wide:
        # not pivot_table: it drops NaN, which is a value here
        frame = frame.drop_duplicates(["run", "step", "tag"], keep="last")
        frame = frame.pivot(index=["run", "step"], columns="tag", values="value").reset_index()
        frame.columns = pandas.Index([str(name) for name in frame.columns])
    return frame


def to_polars(table: Columns, *, wide: bool) -> pl.DataFrame:
    polars = optional("polars")
    frame: pl.DataFrame = polars.DataFrame(
        {
            "run": _polars_names(polars, table.run, table.run_names),
            "tag": _polars_names(polars, table.tag, table.tag_names),
            "step": table.step,
            "wall_time": table.wall_time,
            "value": table.value,
        }
    )
    if wide:
        frame = frame.pivot("tag", index=["run", "step"], values="value", aggregate_function="last")
    return frame


def to_arrow(table: Columns) -> pa.Table:
    arrow = optional("pyarrow")
    return arrow.table(
        {
            "run": arrow.DictionaryArray.from_arrays(table.run, arrow.array(table.run_names, arrow.string())),
            "tag": arrow.DictionaryArray.from_arrays(table.tag, arrow.array(table.tag_names, arrow.string())),
            "step": arrow.array(table.step),
            "wall_time": arrow.array(table.wall_time),
            "value": arrow.array(table.value),
        }
    )


def _polars_names(polars: Any, numbers: NDArray[np.int32], names: list[str]) -> Any:
    if not names:
        return polars.Series([], dtype=polars.String).cast(polars.Categorical)
    return polars.Series(names, dtype=polars.String).cast(polars.Enum(names)).gather(numbers)


def _encodable(name: str) -> str:
    """Escapes the bytes of a name that are not UTF-8 (a directory from another system)."""
    return name.encode("utf-8", "backslashreplace").decode()


def _joined(arrays: Sequence[NDArray[Any]], dtype: Any) -> NDArray[Any]:
    return np.concatenate(arrays, dtype=dtype) if arrays else np.zeros(0, dtype)


def optional(name: str) -> Any:
    """Import an optional package."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        extra = "arrow" if name.startswith("pyarrow") else name
        raise errors.Missing(
            f"`{name}` is not installed; `pip install 'lightboard[{extra}]'` brings it",
            hint=f"pip install 'lightboard[{extra}]'",
        ) from error
