"""Histograms: each step holds buckets, rows of left edge, right edge and count."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightboard import store, types
from lightboard.query import buckets, series


@dataclasses.dataclass(frozen=True)
class Histogram:
    """`buckets` is [k, 3] float64: left, right, count."""

    step: int
    wall_time: float
    buckets: NDArray[np.float64]


@dataclasses.dataclass(frozen=True)
class HistogramsHeader:
    """Header of a frame of histograms."""

    version: int  # of the store, for the next `since`
    series: list[buckets.BucketSeries]


@dataclasses.dataclass(frozen=True)
class Edges:
    """Histograms whose buckets touch: step i has the counts `count[first[i]:first[i + 1]]` and the edges `edge[first[i]
    + i:first[i + 1] + i + 1]`, one more than buckets."""

    first: NDArray[np.int64]
    edge: NDArray[np.float64]
    count: NDArray[np.float64]


def several(
    source: store.Store, tags: Sequence[str], runs: NDArray[np.int64] | None = None, asked: buckets.Asked | None = None
) -> tuple[HistogramsHeader, dict[str, NDArray[Any]]]:
    """Return header and arrays of many series at chosen steps: `step`, `wall`, and the fields of `Edges` for all of
    them."""
    version = source.version
    headers: list[buckets.BucketSeries] = []
    columns: dict[str, list[NDArray[Any]]] = {
        "step": [np.zeros(0, np.int64)],
        "wall": [np.zeros(0)],
        "first": [],
        "edge": [np.zeros(0)],
        "count": [np.zeros(0)],
    }
    before = 0
    for one in buckets.each(source, tags, runs, asked):
        own = edges(one)
        headers.append(one.header)
        pieces = (one.step, one.wall, own.first[:-1] + before, own.edge, own.count)
        for name, piece in zip(columns, pieces, strict=True):
            columns[name].append(piece)
        before += len(own.count)
    columns["first"].append(np.array([before], np.int64))
    return HistogramsHeader(version, headers), {name: np.concatenate(pieces) for name, pieces in columns.items()}


def edges(found: buckets.Buckets) -> Edges:
    """Return the same histograms in fewer numbers: shared edges are stored once, and adjacent empty buckets are merged.

    A gap between buckets becomes an empty bucket; a bucket that overlaps its neighbor begins where that ends. The only
    edge of a histogram without buckets is NaN.
    """
    left, right, count = found.table.T
    sizes = np.diff(found.ends)
    begins = np.zeros(len(left), np.bool_)
    begins[found.ends[:-1][sizes > 0]] = True
    gap = ~begins
    gap[1:] &= left[1:] > right[:-1]
    if gap.any():
        at = np.nonzero(gap)[0]
        right, count = np.insert(right, at, left[at]), np.insert(count, at, 0.0)
        sizes = sizes + np.bincount(np.searchsorted(found.ends, at, side="right") - 1, minlength=len(sizes))
    ends = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    last = np.zeros(len(right), np.bool_)
    last[ends[1:][sizes > 0] - 1] = True
    empty = count == 0
    kept = np.ones(len(right), np.bool_)
    kept[:-1] = ~(empty[:-1] & empty[1:]) | last[:-1]
    first = np.concatenate([[0], np.cumsum(kept)])[ends]
    lowest = np.full(len(sizes), np.nan)
    lowest[sizes > 0] = left[found.ends[:-1][sizes > 0]]
    return Edges(first, np.insert(right[kept], first[:-1], lowest), count[kept])


def _decode(step: int, wall_time: float, tensor: types.Tensor) -> Histogram:
    return Histogram(step, wall_time, series.table(tensor, columns=3))


read = series.Reader(types.Kind.HISTOGRAMS, _decode)
