"""Trials for scripts: one row each, with hparams, metrics, status and times; see `query.hparams.trials`."""

from __future__ import annotations

import pathlib
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, get_args

import numpy as np
from numpy.typing import NDArray

from lightboard import errors, store, types
from lightboard.query.hparams import trial_files, trial_metrics, trial_tables
from lightboard.query.hparams import trials as trials_
from lightboard.reading import frames

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa  # type: ignore[import-untyped]

EXTRA: tuple[trial_files.Extra, ...] = ("runs", "status", "start", "end", "deviation")


class Trials:
    """A row per trial. Iteration yields dictionaries; `columns` are their keys, None means that there is no value."""

    def __init__(self, found: trial_tables.Table, sort: Iterable[str] = ()) -> None:
        extra = EXTRA if found.repeated else tuple(each for each in EXTRA if each != "deviation")
        self._sheet = trial_files.sheet(found, tuple(sort), extra)
        self.absent = found.sessions.absent

    @property
    def columns(self) -> list[str]:
        return [field.title for field in self._sheet.fields]

    def __len__(self) -> int:
        return self._sheet.rows

    def __iter__(self) -> Iterator[dict[str, Any]]:
        names = self.columns
        for row in zip(*(field.cells for field in self._sheet.fields), strict=True):
            yield dict(zip(names, row, strict=True))

    def __repr__(self) -> str:
        return f"<{len(self)} trials: {', '.join(self.columns[:8])}{' …' if len(self.columns) > 8 else ''}>"

    def to_pandas(self) -> pd.DataFrame:
        pandas = frames.optional("pandas")
        found: pd.DataFrame = pandas.DataFrame({field.title: field.cells for field in self._sheet.fields})
        return found

    def to_polars(self) -> pl.DataFrame:
        polars = frames.optional("polars")
        found: pl.DataFrame = polars.from_arrow(self.to_arrow())
        return found

    def to_arrow(self) -> pa.Table:
        return trial_files.arrow_table(self._sheet)

    def save(self, path: str | pathlib.Path) -> None:
        """Save as `.csv`, `.json`, `.tex`, `.parquet` or `.arrows`, by the suffix of the name."""
        target = pathlib.Path(path)
        endings = {format_.suffix: name for name, format_ in trial_files.FORMATS.items()}
        if target.suffix not in endings:
            raise errors.BadInput(f"no format ends in `{target.suffix}`", hint="one of " + ", ".join(endings))
        target.write_bytes(self.written(endings[target.suffix]))

    def written(self, format_: str) -> bytes:
        """Returns the table as csv, json, latex, parquet or arrow."""
        return trial_files.write(self._sheet, format_)


def read(
    source: store.Store,
    runs: NDArray[np.int64] | None,
    *,
    metrics: Iterable[str] | None,
    value: str,
    step: int | None,
    by: str | None,
    repeats: str,
    spread: str,
    sort: Iterable[str],
    rewinds: types.Rewinds,
) -> Trials:
    """`metrics` and `by`: tags, in whichever run of a session they lie; `validation:loss` means that one alone."""
    for name, word, known in (
        ("value", value, trial_metrics.Aggregate),
        ("repeats", repeats, trials_.Repeats),
        ("spread", spread, trial_metrics.Spread),
    ):
        if word not in get_args(known):
            raise errors.BadInput(f"`{name}` is one of {', '.join(get_args(known))}, not `{word}`")
    if value == "at" and step is None:
        raise errors.BadInput('`value="at"` needs a `step`')
    named = metrics is not None or by is not None
    listed = trial_metrics.available(source, trials_.sessions(source)) if named else []
    best = None if by is None else _chosen(listed, [by])[0][:2]
    wanted = trial_tables.Wanted(
        metrics=None if metrics is None else _chosen(listed, list(metrics)),
        repeats=repeats,  # type: ignore[arg-type]  # looked at above
        spread=spread,  # type: ignore[arg-type]
        values=trial_metrics.Asked(value, step=step, by=best, rewinds=rewinds),  # type: ignore[arg-type]
    )
    return Trials(trial_tables.table(source, runs, wanted), sort)


def _chosen(listed: list[trial_metrics.Metric], names: list[str]) -> list[tuple[str, str, str]]:
    found: list[tuple[str, str, str]] = []
    for name in names:
        mine = [each for each in listed if name in (each.tag, trial_tables.metric_key(each))]
        if not mine:
            raise errors.NotFound(f"no trial has a metric `{name}`", hint="`Logs.tags` lists tags")
        found += [(each.tag, each.group, "") for each in mine]
    return list(dict.fromkeys(found))
