"""Histograms with the bins of PyTorch's and tensorboardX's writers, counted natively.

`bins="tensorflow"`: about 1,550 edges around zero that grow by a tenth. Other words and numbers have the meaning of
`numpy.histogram`. Empty bins at both ends are left out; one empty bin is kept at the left for the lowest edge.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lightboard import _native, wire
from lightboard.sdk import summary_messages, tensors

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

_SMALLEST, _LARGEST, _GROWTH = 1e-12, 1e20, 1.1


@functools.cache
def default_edges() -> tuple[float, ...]:
    positive = []
    edge = _SMALLEST
    while edge < _LARGEST:
        positive.append(edge)
        edge *= _GROWTH
    return (*(-each for each in reversed(positive)), 0.0, *positive)


@functools.cache
def _default_bins() -> tuple[_native.Bins, Array]:
    import numpy as np

    edges = np.array(default_edges())
    return _native.Bins(edges), edges


def value(tag: str, data: Any, bins: Any = "tensorflow", max_bins: int | None = None) -> bytes:
    """Summary.Value of the histogram of some numbers."""
    import numpy as np

    numbers = tensors.numbers(data).reshape(-1)
    if numbers.size == 0:
        raise ValueError("there is nothing to make a histogram of")
    if isinstance(bins, str) and bins == "tensorflow":
        native, edges = _default_bins()
    elif isinstance(bins, str) or np.ndim(bins) == 0:
        native, edges = None, None
    else:
        edges = np.asarray(bins, np.float64)
        if edges.ndim != 1 or edges.size < 2 or np.any(edges[1:] < edges[:-1]):
            raise ValueError("edges of bins are at least two numbers that increase")
        native = _native.Bins(np.ascontiguousarray(edges))
    if native is None or edges is None:
        wide = numbers.astype(np.float64)
        counts, edges = np.histogram(wide, bins=bins)
        low, high, total, squares = float(wide.min()), float(wide.max()), float(wide.sum()), float(wide.dot(wide))
    else:
        packed, low, high, total, squares = native.count(_plain(numbers))
        counts = np.frombuffer(packed, np.int64)
    counts, limits = _support(*_coarser(counts, edges, max_bins))
    return raw_value(tag, limits, counts=counts, low=low, high=high, count=numbers.size, total=total, squares=squares)


def raw_value(
    tag: str, limits: Any, *, counts: Any, low: float, high: float, count: float, total: float, squares: float
) -> bytes:
    """Summary.Value of a precomputed histogram: upper limits of the bins, and their counts."""
    summary = (
        _number(1, low) + _number(2, high) + _number(3, count) + _number(4, total) + _number(5, squares)
        + _packed(6, limits) + _packed(7, counts)
    )  # fmt: skip
    return summary_messages.value(tag, wire.message(5, summary))


def _plain(numbers: Array) -> Array:
    """Returns a contiguous array: 16- and 32-bit floats as float32, everything else as float64."""
    import numpy as np

    if numbers.dtype == np.float16 or str(numbers.dtype) == "bfloat16":
        numbers = numbers.astype(np.float32)
    elif numbers.dtype != np.float32 or not numbers.dtype.isnative:
        numbers = numbers.astype(np.float64, copy=False)
    return np.ascontiguousarray(numbers)


def _coarser(counts: Array, edges: Array, max_bins: int | None) -> tuple[Array, Array]:
    """Joins neighboring bins until there are about `max_bins`."""
    import numpy as np

    if max_bins is None or len(counts) <= max_bins:
        return counts, edges
    each = len(counts) // max_bins
    missing = -len(counts) % each
    joined = np.pad(counts, (0, missing)).reshape(-1, each).sum(axis=1)
    return joined, np.append(edges[:-1:each], edges[-1])


def _support(counts: Array, edges: Array) -> tuple[Array, Array]:
    """Removes the empty bins at both ends. Returns (counts, upper limits); the first bin is an empty one."""
    import numpy as np

    filled = np.flatnonzero(counts)
    if filled.size == 0:
        raise ValueError("none of the numbers lies in a bin: are all of them NaN or infinite?")
    first, last = int(filled[0]), int(filled[-1])
    return np.append(0, counts[first : last + 1]), edges[first : last + 2]


def _number(field: int, number: float) -> bytes:
    return wire.double(field, float(number)) if number else b""


def _packed(field: int, numbers: Sequence[float] | Array) -> bytes:
    found = tensors.numbers(numbers).astype("<f8").reshape(-1)
    return wire.message(field, found.tobytes()) if found.size else b""
