"""Runs grouped by their names or hparams, and one band per group: mean with std, min–max or quantiles.

    by_pattern(names, r"seed_\\d+_(adam|sgd)")      groups "adam" and "sgd"
    by_values({"lr": [...], "bs": [...]})          one group per combination that occurs

Pure functions: indices of runs in, indices of runs out; series as arrays in, bands as arrays out.
"""

from __future__ import annotations

import dataclasses
import decimal
import math
import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from lightboard import errors, kernels
from lightboard.query import patterns

BandKind = Literal["std", "minmax", "quantiles"]

MAX_UNION = 20_000
"""The limit of positions on a union axis; a longer one is divided into this many columns, enough for any screen."""


@dataclasses.dataclass(frozen=True)
class Group:
    """`key` is what the members share; `members` count from 0 in the list that was grouped."""

    key: tuple[object, ...]
    members: tuple[int, ...]

    @property
    def label(self) -> str:
        return ", ".join(text(part) for part in self.key)


def text(part: object) -> str:
    """Format like JavaScript's `String`: groups have the same label, and so the same color, in the page's list."""
    if part is None:
        return "–"
    if isinstance(part, bool):
        return "true" if part else "false"
    if not isinstance(part, float) or not math.isfinite(part):
        return str(part)
    if part != 0 and not 1e-6 <= abs(part) < 1e21:
        return re.sub(r"\.0(?=e)|(?<=e-)0", "", repr(part))
    text = f"{decimal.Decimal(repr(part)):f}"
    return text.removesuffix(".0") if part != 0 else "0"


@dataclasses.dataclass(frozen=True)
class Grouping:
    """Groups in the order of their first member, and the members that belong to no group."""

    groups: tuple[Group, ...]
    ungrouped: tuple[int, ...]


def by_pattern(names: Sequence[str], pattern: str) -> Grouping:
    """Group by the texts of the pattern's capture groups; without capture groups all matches are one group.

    The search ignores case, as in TensorBoard's "color by regex"; names that do not match stay ungrouped.
    """
    compiled = patterns.compile_pattern(pattern)
    keys: Sequence[tuple[object, ...] | None]
    if compiled.groups:
        keys = compiled.caught_in(names)
    else:
        keys = [(pattern,) if found else None for found in compiled.found_in(names).tolist()]
    return _collect(len(names), keys.__getitem__)


def by_values(values: Mapping[str, Sequence[object]]) -> Grouping:
    """Group by equal values, e.g. of hparams; None means absent. A run with none of them stays ungrouped."""
    columns = list(values.values())
    if len({len(column) for column in columns}) > 1:
        raise errors.BadQuestion("the columns to group by differ in length")

    def key(position: int) -> tuple[object, ...] | None:
        row = tuple(column[position] for column in columns)
        return None if all(part is None for part in row) else row

    return _collect(len(columns[0]) if columns else 0, key)


def _collect(count: int, key_of: Callable[[int], tuple[object, ...] | None]) -> Grouping:
    members: dict[tuple[object, ...], list[int]] = {}
    ungrouped: list[int] = []
    for position in range(count):
        key = key_of(position)
        if key is None:
            ungrouped.append(position)
        else:
            # In Python, True, 1 and 1.0 are equal, but not for the user.
            members.setdefault(tuple(_tagged(part) for part in key), []).append(position)
    return Grouping(
        tuple(Group(tuple(_untagged(part) for part in key), tuple(found)) for key, found in members.items()),
        tuple(ungrouped),
    )


def _tagged(part: object) -> tuple[bool, Hashable]:
    # Lists are not hashable, and NaN is not equal to itself: both are compared as text.
    plain = isinstance(part, (str, int, float, bool, type(None))) and part == part
    return isinstance(part, bool), part if plain else str(part)


def _untagged(part: object) -> object:
    assert isinstance(part, tuple)
    return part[1]


@dataclasses.dataclass(frozen=True)
class Band:
    """One line with a band around it: NaN if no series has a value. `count` is the number of series at each
    position."""

    x: NDArray[Any]
    centre: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    count: NDArray[np.uint32]


def band(
    series: Sequence[tuple[NDArray[Any], NDArray[Any]]],
    kind: BandKind = "std",
    *,
    columns: int | None = None,
    lo: float | None = None,
    hi: float | None = None,
    quantiles: tuple[float, float] = (0.25, 0.75),
) -> Band:
    """Return the band of several (x, y) series.

    With `columns`, the range [lo, hi] is divided into this many pixel columns, unless it has fewer positions. In that
    case, and without `columns`, every x in the range is a position.

    Each series is interpolated between its own points and absent outside them. The center line is the mean, or the
    median for quantiles; `std` is the population standard deviation.
    """
    if kind not in ("std", "minmax", "quantiles"):
        raise errors.BadQuestion(f"unknown band {kind!r}", hint="use `std`, `minmax` or `quantiles`")
    places = _union([x for x, _ in series], lo, hi)
    if columns is None and len(places) > MAX_UNION:
        columns = MAX_UNION
    asked = (quantiles[0], 0.5, quantiles[1]) if kind == "quantiles" else ()
    if columns is not None and len(places) < columns:
        # Few points: draw straight lines, not steps, and add one point beyond each end, where the line enters and
        # leaves.
        places, columns = _union([x for x, _ in series], lo, hi, beyond=1), None
    try:
        if columns is None or not len(places):
            return _banded(places, kernels.aggregate(series, places, quantiles=asked), kind)
        low, high = places[0].item() if lo is None else lo, places[-1].item() if hi is None else hi
        stats = kernels.aggregate_columns(series, columns=columns, lo=low, hi=high, quantiles=asked)
        return _banded(kernels.column_middles(low, high, columns), stats, kind)
    except ValueError as problem:
        raise errors.BadInput(str(problem), code="range.too_wide") from problem


def _banded(x: NDArray[Any], stats: kernels.Bands, kind: BandKind) -> Band:
    if kind == "quantiles":
        low, middle, high = stats.quantiles
        return Band(x, middle, low, high, stats.count)
    if kind == "minmax":
        return Band(x, stats.mean, stats.min, stats.max, stats.count)
    return Band(x, stats.mean, stats.mean - stats.std, stats.mean + stats.std, stats.count)


def _union(xs: Sequence[NDArray[Any]], lo: float | None, hi: float | None, *, beyond: int = 0) -> NDArray[Any]:
    if not xs:
        return np.zeros(0, np.int64)
    places = np.unique(np.concatenate(xs))
    if places.dtype.kind == "f":
        places = places[np.isfinite(places)]
    # Comparing Python numbers would convert to doubles; searchsorted in the array's own dtype distinguishes large
    # steps.
    first = 0 if lo is None else int(np.searchsorted(places, lo, "left"))
    past = len(places) if hi is None else int(np.searchsorted(places, hi, "right"))
    return places[max(0, first - beyond) : past + beyond]
