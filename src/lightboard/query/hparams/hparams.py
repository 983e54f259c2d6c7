"""Hparams of runs as columns, for the table of runs."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from lightboard import store as store_
from lightboard.query import order
from lightboard.query.runs import hparams as hparams_metadata

Cell = str | float | bool | None


@dataclasses.dataclass(frozen=True)
class Hparams:
    """Columns parallel to `run`; None where a run does not have it."""

    version: int
    total: int  # names before `limit`
    names: list[str]  # in natural order
    differs: list[bool]  # per name: whether these runs have different values, or some have none
    kinds: list[Literal["number", "bool", "text"]]  # per name; `text` where values are of several kinds
    run: list[str]
    columns: dict[str, list[Cell]]  # by name


def table(
    store: store_.Store,
    runs: NDArray[np.int64] | None = None,
    *,
    names: Sequence[str] | None = None,
    limit: int | None = None,
) -> Hparams:
    """`runs`: rows of the run table, in this order; None: all, in natural order. `names`: only these hparams."""
    with store.lock:
        version = store.version
        if runs is None:
            rows = np.nonzero(store.runs_table.rows["files"])[0]
            runs = rows[np.argsort(order.ranks(store, store.run_names, rows))]
        run_names = [store.run_names[row] for row in runs.tolist()]
    known = hparams_metadata.of_runs(store)
    nothing: dict[str, Cell] = {}
    hparams_by_run = [known.get(row, nothing) for row in runs.tolist()]
    found = sorted(set().union(*hparams_by_run), key=order.natural_key)
    if names is not None:
        there = set(found)
        found = [name for name in dict.fromkeys(names) if name in there]
    total = len(found)
    found = found[:limit]
    columns: dict[str, list[Cell]] = {name: [one.get(name) for one in hparams_by_run] for name in found}
    return Hparams(
        version,
        total,
        found,
        [_differs(column) for column in columns.values()],
        [_kind(column) for column in columns.values()],
        run_names,
        columns,
    )


def _differs(column: list[Cell]) -> bool:
    # In Python, 1, 1.0 and True are equal, and NaN is not equal to itself.
    first = column[0] if column else None
    kind = type(first)
    return any(type(value) is not kind or (value != first and (value == value or first == first)) for value in column)


def _kind(column: list[Cell]) -> Literal["number", "bool", "text"]:
    kinds = set(map(type, column)) - {type(None)}
    if kinds == {bool}:
        return "bool"
    return "number" if kinds and kinds <= {int, float} else "text"
