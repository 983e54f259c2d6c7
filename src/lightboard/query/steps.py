"""What the points of heavy series are, without a value: steps, times, how many elements, where they lie in the file.

A page makes its step sliders of this, and with run, tag, step, wall time and offset the keys of blobs (see `blobs`).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from lightboard import errors, types
from lightboard import store as store_
from lightboard.query import series
from lightboard.store import tables

Word = Literal[
    "images",
    "audio",
    "video",
    "text",
    "html",
    "tables",
    "plotly",
    "histograms",
    "distributions",
    "pr_curves",
    "mesh",
    "custom_scalars",
    "graphs",
    "tensors",
]
_KINDS = {word: types.Kind[word.upper()] for word in get_args(Word) if word != "distributions"}
# distributions are another look at histograms
_KINDS["distributions"] = types.Kind.HISTOGRAMS
MAX_POINTS = 20_000_000


@dataclasses.dataclass(frozen=True)
class SeriesSteps:
    """Its points are those from `first` on, so many, in every array."""

    run: str
    tag: str
    first: int
    points: int
    samples: int  # elements a value has at most


@dataclasses.dataclass(frozen=True)
class StepsHeader:
    """Header of a frame of steps."""

    version: int  # of the store, for the next `since`
    kind: str
    series: list[SeriesSteps]


@dataclasses.dataclass(frozen=True)
class Found:
    """`arrays`: step i8, wall f8, count i4 (elements of the value), bytes i8 (its length) and offset i8 in its file."""

    header: StepsHeader
    arrays: dict[str, NDArray[Any]]


def kind_of(word: str) -> types.Kind:
    kind = _KINDS.get(word)
    if kind is None:
        raise errors.BadInput(f"no kind `{word[:60]}` has steps to list", hint=f"one of {', '.join(sorted(_KINDS))}")
    return kind


def listing(
    source: store_.Store,
    word: str,
    tags: Sequence[str],
    runs: NDArray[np.int64] | None = None,
    *,
    rewinds: types.Rewinds = types.Rewinds.LATEST,
    since: int = -1,
) -> Found:
    """Every point of the tags in the runs (rows of the run table, None: all), by tag, then by run."""
    kind, version = kind_of(word), source.version
    found = [store_.Series(source, row) for row in series.rows(source, kind, tags, runs, since=since).tolist()]
    pieces = [each.points(rewinds) for each in found]
    counts = [len(each) for each in pieces]
    if sum(counts) > MAX_POINTS:
        raise errors.BadInput(f"{sum(counts)} points in one request", hint="ask for fewer tags or runs at a time")
    firsts = np.cumsum([0, *counts]).tolist()
    listed = [
        SeriesSteps(each.run, each.tag, first, count, series.samples(source, each.row))
        for each, first, count in zip(found, firsts, counts, strict=False)
    ]
    refs = np.concatenate([np.zeros(0, tables.REF), *(each.values for each in pieces)])
    elements = np.clip(refs["count"].astype(np.int64) - series.leading(kind), 0, np.iinfo(np.int32).max)
    return Found(
        StepsHeader(version, word, listed),
        {
            "step": np.concatenate([np.zeros(0, np.int64), *(each.steps for each in pieces)]),
            "wall": np.concatenate([np.zeros(0, np.float64), *(each.wall_times for each in pieces)]),
            "count": elements.astype(np.int32),
            "bytes": refs["length"].astype(np.int64),
            "offset": refs["offset"].astype(np.int64),
        },
    )
