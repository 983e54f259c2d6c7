"""Histograms as TensorFlow 2 writes them: rows of (left edge, right edge, count), all equally wide."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lightboard.sdk import tensors

if TYPE_CHECKING:
    import numpy as np

DEFAULT_COUNT = 30


def rows(data: Any, count: int | None = None) -> np.ndarray[Any, Any]:
    """An array of shape [count, 3].

    Without data it is all zeros; if all data are equal, every edge is that number and the last row counts them.
    Non-finite numbers are left out.
    """
    import numpy as np

    count = DEFAULT_COUNT if count is None else max(0, int(count))
    values = tensors.numbers(data).reshape(-1).astype(np.float64, copy=False)
    buckets = np.zeros((count, 3))
    if count == 0 or values.size == 0:
        return buckets
    lowest, highest = values.min(), values.max()
    if not np.isfinite(lowest) or not np.isfinite(highest):
        values = values[np.isfinite(values)]
        if values.size == 0:
            return buckets
        lowest, highest = values.min(), values.max()
    if lowest == highest:
        buckets[:, :2] = lowest
        buckets[-1, 2] = values.size
        return buckets
    # The difference of the largest doubles overflows: halve them first.
    scale = 0.5 if highest / 2 - lowest / 2 > np.finfo(np.float64).max / 2 else 1.0
    width = (highest * scale - lowest * scale) / count
    places = np.minimum(((values * scale - lowest * scale) / width).astype(np.int64), count - 1) if width > 0 else None
    edges = np.linspace(lowest * scale, highest * scale, count + 1) / scale
    edges[-1] = highest
    buckets[:, 0] = edges[:-1]
    buckets[:, 1] = edges[1:]
    if places is None:  # the width of a bucket underflows to 0
        buckets[-1, 2] = values.size
    else:
        buckets[:, 2] = np.bincount(places, minlength=count)
    return buckets
