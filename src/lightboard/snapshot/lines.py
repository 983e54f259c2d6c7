"""The points of one scalar tag or metric expression in all runs, thinned, as a compact block.

Frame (see `server/frames.py`) with the header members `tag`, `runs` (names), `points` (of the complete series), `kept`
(in the arrays), `smoothing`, and one array of bytes for each column:

    step       i8, differences to the point before
    wall       i8, milliseconds since 1970, differences to the point before
    value      f4 or f8
    smoothed   f4, if the view has a smoothing; computed from all points before thinning

A column is stored byte plane by byte plane: the first bytes of all its numbers, then all second bytes, and so on. Equal
high bytes are then next to each other, and gzip halves the size. `web/src/api/snapshot/lines.ts` is the decoder.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightboard import store as store_
from lightboard import types
from lightboard.query import derived
from lightboard.query.scalars import scalars, smoothing, thinning
from lightboard.server import frames

# first, lowest, highest and last point of a column
_POINTS_PER_COLUMN = 4


def encode(
    store: store_.Store,
    tag: str,
    runs: NDArray[np.int64],
    *,
    points: int,
    smoother: smoothing.Smoothing,
    rewinds: types.Rewinds,
) -> tuple[bytes, int]:
    """Return the block of a tag, and how many points it has. `points`: of each line at most; 0: all."""
    names: list[str] = []
    totals: list[int] = []
    pieces: list[tuple[store_.Points, NDArray[Any]]] = []
    found: list[store_.Series | derived.Derived] = []
    if derived.is_derived(store, tag):
        found += derived.find(store, tag, runs)
    else:
        found += scalars.find(store, [tag], runs, most=None)
    for series in found:
        whole = series.points(rewinds)
        smooth = smoother.apply(whole.steps, whole.wall_times, whole.values) if smoother.enabled else np.zeros(0)
        keep = _kept(whole, points)
        pieces.append((whole.take(keep), smooth[keep] if smoother.enabled else smooth))
        names.append(series.run)
        totals.append(len(whole))
    kept = [len(one) for one, _ in pieces]
    header = {"tag": tag, "runs": names, "points": totals, "kept": kept, "smoothing": str_of(smoother)}
    return frames.encode(header, _columns(pieces, smooth=smoother.enabled)), sum(kept)


def str_of(smoother: smoothing.Smoothing) -> str:
    return str(smoother) if smoother.enabled else ""


def _kept(whole: store_.Points, points: int) -> NDArray[np.int64]:
    if not points or len(whole) <= points:
        return np.arange(len(whole))
    return thinning.kept(whole, columns=max(1, points // _POINTS_PER_COLUMN))


def _columns(pieces: list[tuple[store_.Points, NDArray[Any]]], *, smooth: bool) -> dict[str, NDArray[Any] | bytes]:
    def joined(arrays: list[NDArray[Any]], dtype: str) -> NDArray[Any]:
        return np.concatenate([np.zeros(0, dtype), *(array.astype(dtype) for array in arrays)])

    values = [one.values for one, _ in pieces]
    single = all(each.dtype == np.float32 for each in values)
    wall = joined([one.wall_times for one, _ in pieces], "<f8")
    millis = np.where(np.isfinite(wall), np.round(wall * 1000), 0).astype("<i8")
    columns: dict[str, NDArray[Any] | bytes] = {
        "step": planes(_differences(joined([one.steps for one, _ in pieces], "<i8"))),
        "wall": planes(_differences(millis)),
        "value": planes(joined(values, "<f4" if single else "<f8")),
    }
    if smooth:
        columns["smoothed"] = planes(joined([each for _, each in pieces], "<f4"))
    return columns


def _differences(numbers: NDArray[Any]) -> NDArray[Any]:
    """Wraps around beyond int64, and so does the sum that undoes it."""
    return np.diff(numbers, prepend=np.zeros(1, numbers.dtype))


def planes(array: NDArray[Any]) -> bytes:
    rows: NDArray[np.uint8] = np.ascontiguousarray(array).view(np.uint8).reshape(len(array), array.itemsize)
    return bytes(rows.T.tobytes())
