"""Numeric kernels over whole series: NumPy arrays in and out; native code does the work without the GIL.

Arguments are checked here, once; wrong ones raise `ValueError`. Values may be float32 or float64 and are not
copied; other number types are converted. x is int64 (steps) or float64 (times). The smoothers are explained
in docs/explanation/smoothing.md, thinning and the compact frame in docs/explanation/thinning.md.
"""

from __future__ import annotations

import dataclasses
import math
import struct
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lightboard import _native

F64 = NDArray[np.float64]

MAX_COLUMNS = 65_536
"""More pixel columns than any screen has; limits the size of a request."""

RESOLUTION = 1360.0
"""Codes per unit of asinh in the compact frame: a quarter pixel of error on 600 px (docs/explanation/thinning.md)."""

END_LEVELS = 8
"""Number of levels between a column's min and max in which the compact frame encodes its first and last value."""

_I64 = np.iinfo(np.int64)


# ---- smoothing ------------------------------------------------------------------------------------------------------


def ema(values: NDArray[Any], weight: float) -> F64:
    """TensorBoard's debiased exponential moving average, by point index."""
    return _native.ema(_values(values), _weight(weight))


def time_ema(x: NDArray[Any], values: NDArray[Any], weight: float, *, unit: float | None = None) -> F64:
    """The same average, weighted by distance on x: a point that is `unit` further away has `weight` times the weight.

    Without `unit`, it is the typical gap of the series (the median of the positive gaps between successive points).
    """
    x, values = _pair(x, values)
    if unit is None:
        unit = _native.typical_gap(x)
    return _native.time_ema(x, values, _weight(weight), _positive("unit", unit))


def gaussian(values: NDArray[Any], sigma: float, *, x: NDArray[Any] | None = None) -> F64:
    """Gaussian average cut at 4 sigma; sigma is in points, or in units of `x` if that is given."""
    if x is None:
        return _native.gaussian(_values(values), _positive("sigma", sigma))
    x, values = _pair(x, values)
    return _native.gaussian_x(x, values, _positive("sigma", sigma))


def running_mean(values: NDArray[Any], window: int, *, trailing: bool = False) -> F64:
    """Mean of `window` points around each point, or of the last `window` up to it."""
    return _native.running_mean(_values(values), *_reach(window, trailing))


def running_median(values: NDArray[Any], window: int, *, trailing: bool = False) -> F64:
    """Median of `window` points around each point, or of the last `window` up to it."""
    return _native.running_median(_values(values), *_reach(window, trailing))


# ---- thinning -------------------------------------------------------------------------------------------------------


NAN, PLUS, MINUS = 1, 2, 4  # flags of non-finite values in a column


@dataclasses.dataclass(frozen=True, kw_only=True)
class Columns:
    """One entry per pixel column; where `count` is 0 the values are NaN.

    `before` and `after` are the indices of the nearest points outside the range, -1 if there is none: the line
    continues to them.
    """

    first: F64
    min: F64
    max: F64
    last: F64
    count: NDArray[np.uint32]
    nonfinite: NDArray[np.uint32]  # bit set of NAN, PLUS, MINUS: non-finite values in the column
    before: int
    after: int


def m4_indices(
    x: NDArray[Any], y: NDArray[Any], *, columns: int, lo: float | None = None, hi: float | None = None
) -> NDArray[np.int64]:
    """Ascending indices of the points that draw the same pixels as all points on `columns` columns over [lo, hi].

    The default range is that of x. x may be in any order. Returns at most 32 indices per column.
    """
    x, y = _pair(x, y)
    return _native.m4_indices(x, y, *_range(x, lo, hi), _columns(columns))


def m4_columns(
    x: NDArray[Any], y: NDArray[Any], *, columns: int, lo: float | None = None, hi: float | None = None
) -> Columns:
    """First, min, max and last value of each of `columns` columns over [lo, hi]. x must not decrease."""
    x, y = _pair(x, y)
    found = _native.m4_columns(x, y, *_range(x, lo, hi), _columns(columns))
    first, low, high, last, count, nonfinite, before, after = found
    return Columns(
        first=first, min=low, max=high, last=last, count=count, nonfinite=nonfinite, before=before, after=after
    )


def column_middles(lo: float, hi: float, columns: int) -> F64:
    """Returns the x position of the middle of each column."""
    middles = np.arange(_columns(columns), dtype=np.float64) + 0.5
    return lo + middles * ((float(hi) - float(lo)) / columns)


# ---- compact frame --------------------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Frame:
    """A decoded compact frame: series × columns tables. Values are NaN where `present` is false.

    `first` and `last` are all NaN if the frame leaves them out (`end_levels` 0).
    """

    first: F64
    min: F64
    max: F64
    last: F64
    present: NDArray[np.bool_]
    nonfinite: NDArray[np.uint8]  # bit sets of NAN, PLUS, MINUS


_HEADER = struct.Struct("<4sIII3d4B4x")


def encode_columns(
    series: Sequence[Columns],
    *,
    centre: float,
    scale: float,
    resolution: float = RESOLUTION,
    end_levels: int = END_LEVELS,
) -> bytes:
    """Encodes series on the same columns as one compact frame. `frame_scale` gives center and scale."""
    if not math.isfinite(centre):
        raise ValueError(f"centre must be a finite number, got {centre}")
    if end_levels != 0 and not 2 <= end_levels <= 16:
        raise ValueError(f"end_levels must be 0 or from 2 to 16, got {end_levels}")
    widths = {len(one.min) for one in series}
    if len(widths) > 1:
        raise ValueError(f"all series must have the same number of columns, got {sorted(widths)}")

    def table(name: str, dtype: type[np.generic]) -> NDArray[Any]:
        return np.concatenate([np.zeros(0, dtype), *(getattr(one, name) for one in series)])

    return _native.encode_columns(
        first=table("first", np.float64),
        min=table("min", np.float64),
        max=table("max", np.float64),
        last=table("last", np.float64),
        count=table("count", np.uint32),
        nonfinite=table("nonfinite", np.uint32),
        series=len(series),
        columns=widths.pop() if widths else 0,
        centre=centre,
        scale=_positive("scale", scale),
        resolution=_positive("resolution", resolution),
        end_levels=end_levels,
    )


def decode_columns(frame: bytes) -> Frame:
    """Decodes a compact frame. A reference for other decoders: written for clarity, not for speed."""
    if len(frame) < _HEADER.size:
        raise ValueError("the frame is shorter than its header")
    magic, series, columns, points, centre, scale, resolution, planes, low_shift, high_shift, levels = (
        _HEADER.unpack_from(frame)
    )
    if magic != b"LBC1":
        raise ValueError("not a column frame")
    bitmap = (series * columns + 7) // 8
    body = np.frombuffer(frame, np.uint8, offset=_HEADER.size)
    flags, body = body[: 2 * bitmap], body[2 * bitmap :]
    if len(flags) != 2 * bitmap:
        raise ValueError("the frame's length does not fit its header")
    present, odd = _bits(flags[:bitmap], series, columns), _bits(flags[bitmap:], series, columns)
    entries = points * (2 * planes + (levels > 0))
    if len(body) != entries + odd.sum():
        raise ValueError("the frame's length does not fit its header")
    body, kinds = body[:entries], body[entries:]
    ends = present.sum(axis=1).cumsum().tolist()
    low_codes = _codes(body[: points * planes].reshape(planes, points), ends, low_shift)
    high_codes = _codes(body[points * planes : 2 * points * planes].reshape(planes, points), ends, high_shift)
    low, high = (centre + scale * np.sinh(codes / resolution) for codes in (low_codes, high_codes))
    first = last = np.full(points, np.nan)
    if levels:
        first_level, last_level = np.divmod(body[2 * points * planes :], levels)
        first, last = (low + (high - low) * level / (levels - 1) for level in (first_level, last_level))

    def spread(values: F64) -> F64:
        table = np.full((series, columns), np.nan)
        table[present] = values
        return table

    nonfinite = np.zeros((series, columns), np.uint8)
    nonfinite[odd] = kinds
    return Frame(spread(first), spread(low), spread(high), spread(last), present, nonfinite)


def _bits(packed: NDArray[np.uint8], series: int, columns: int) -> NDArray[np.bool_]:
    bits = np.unpackbits(packed, count=series * columns, bitorder="little")
    return bits.astype(np.bool_).reshape(series, columns)


def _codes(planes: NDArray[np.uint8], ends: list[int], shift: int) -> NDArray[np.int64]:
    zigzag = sum(plane.astype(np.int64) << (8 * k) for k, plane in enumerate(planes))
    residuals = ((zigzag >> 1) ^ -(zigzag & 1)).tolist()
    half = (1 << shift) >> 1
    codes: list[int] = []
    start = 0  # first code of the previous series
    for end in ends:
        if len(codes) == end:
            continue
        start += residuals[len(codes)]
        codes.append(start)
        state = start << shift
        while len(codes) < end:
            residual = residuals[len(codes)]
            codes.append(((state + half) >> shift) + residual)
            state += residual
    return np.array(codes, np.int64)


# ---- statistics -----------------------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Range:
    """`low` to `high` leaves out 5 % on both sides; `min` to `max` covers all finite values. NaN: there are none."""

    low: float
    high: float
    min: float
    max: float
    count: int


def robust_range(arrays: Sequence[NDArray[Any]]) -> Range:
    """TensorBoard's range with outliers ignored, over the finite values of all arrays together."""
    return Range(*_native.robust_range([_values(array) for array in arrays]))


def frame_scale(extent: Range) -> tuple[float, float]:
    """Center and scale for a compact frame that is precise both in `extent.low..high` and in `min..max`."""
    if extent.count == 0:
        return 0.0, 1.0
    low, high = (extent.low, extent.high) if extent.low < extent.high else (extent.min, extent.max)
    centre = low / 2 + high / 2
    scale = high / 2 - low / 2 + (high / 2 - low / 2)
    # All values are equal: every scale works, because the value is the center and gets code 0 exactly.
    return centre, scale if 0 < scale < math.inf else max(abs(centre), 1.0)


@dataclasses.dataclass(frozen=True)
class Bands:
    """Statistics over several series, one entry per axis position; `quantiles` has one row per requested quantile."""

    mean: F64
    std: F64
    min: F64
    max: F64
    quantiles: F64
    count: NDArray[np.uint32]


def aggregate(
    series: Sequence[tuple[NDArray[Any], NDArray[Any]]],
    axis: NDArray[Any],
    *,
    quantiles: Sequence[float] = (),
    ddof: int = 0,
) -> Bands:
    """Statistics of (x, y) series at the ascending positions `axis`.

    A series is interpolated linearly between its finite points and absent outside them. `ddof` is numpy's: 1 for the
    standard deviation of a sample. The deviation is NaN if there are `ddof` series or fewer.
    """
    axis = _axis(axis)
    if (axis[1:] < axis[:-1]).any():
        raise ValueError("axis must be ascending")
    xs, ys = _many(series, axis.dtype)
    return _bands(_native.aggregate(xs, ys, axis, _quantiles(quantiles), _ddof(ddof)), len(quantiles))


def aggregate_columns(
    series: Sequence[tuple[NDArray[Any], NDArray[Any]]],
    *,
    columns: int,
    lo: float,
    hi: float,
    quantiles: Sequence[float] = (),
    ddof: int = 0,
) -> Bands:
    """Statistics of (x, y) series per pixel column of [lo, hi].

    Each series counts with the mean of its points in the column, or with its interpolated value at the middle if it has
    none there. min and max are over the points themselves, so no extreme is hidden.
    """
    whole = all(np.asarray(x).dtype.kind in "iu" for x, _ in series)
    dtype = np.dtype(np.int64 if whole else np.float64)
    xs, ys = _many(series, dtype)
    run = _native.aggregate_columns_i64 if whole else _native.aggregate_columns_f64
    bounds = _range(np.zeros(0, dtype), lo, hi)
    return _bands(run(xs, ys, *bounds, _columns(columns), _quantiles(quantiles), _ddof(ddof)), len(quantiles))


def _bands(parts: tuple[F64, F64, F64, F64, F64, NDArray[np.uint32]], quantiles: int) -> Bands:
    mean, std, low, high, rows, count = parts
    return Bands(mean, std, low, high, rows.reshape(quantiles, len(mean)), count)


# ---- bundles: many series in one call --------------------------------------------------------------------------------

AXES = ("step", "wall", "relative", "own")
SCALES = ("linear", "log", "symlog")
NO_CUTS = np.zeros(0, np.uint32)


class Smoother(NamedTuple):
    """The smoother of a bundle. `kind`: none, ema, time_ema, gaussian, mean, median; `by`: point, step, wall."""

    kind: int = 0
    by: int = 0
    parameter: float = 0.0  # a weight or a sigma
    unit: float = 0.0  # for time_ema; 0: each series' typical gap
    before: int = 0  # points before each point, for mean and median
    after: int = 0


class Form(NamedTuple):
    """How to encode a compact frame, if one is wanted."""

    wanted: bool = False
    resolution: float = RESOLUTION
    end_levels: int = END_LEVELS
    rough: bool = False  # smoothed lines only: low and high of the range are estimated from the columns


@dataclasses.dataclass(frozen=True)
class Window:
    """A range of x, cut into pixel columns that are evenly spaced on the scale; `columns` 0: every point."""

    lo: float
    hi: float
    columns: int = 0
    scale: str = "linear"


@dataclasses.dataclass(frozen=True)
class Survey:
    """Per series: whether x never decreases, whether it has a usable x, its smallest and its largest x."""

    ascending: NDArray[np.uint8]
    any: NDArray[np.uint8]
    first: NDArray[Any]
    last: NDArray[Any]


@dataclasses.dataclass(frozen=True)
class Drawn:
    """Extents of all series in the window; compact frames of the ascending ones, empty if not requested.

    `edges`: the nearest points outside the window, as two entries per ascending series for x, value and smoothed value;
    None if no series has any.
    `values_fit`, `smoothed_fit`: the range that a y axis should show (native/kernels/fit.h); low > high if there is no
    value.
    """

    values: Range
    smoothed: Range
    frame: bytes
    smoothed_frame: bytes
    edges: tuple[F64, F64, F64] | None
    values_fit: tuple[float, float]
    smoothed_fit: tuple[float, float]


@dataclasses.dataclass(frozen=True)
class Kept:
    """Points of several series, concatenated. If `total` is above the limit, only `counts` is filled."""

    counts: NDArray[np.int64]
    total: int
    steps: NDArray[np.int64]
    wall_times: F64
    values: NDArray[Any]
    smoothed: F64
    x: F64


@dataclasses.dataclass(frozen=True)
class Picked:
    """One entry per series and position; `index` is -1 if there is no point."""

    index: NDArray[np.int64]
    steps: NDArray[np.int64]
    wall_times: F64
    relative: F64
    values: F64
    smoothed: F64


@dataclasses.dataclass(frozen=True)
class Bundle:
    """Many series, not copied. `store.placement` describes the table. `axis` is one of AXES."""

    buffers: Sequence[NDArray[np.uint8]]
    table: NDArray[np.int64]
    axis: str = "step"

    def survey(self, *, positive: bool = False) -> Survey:
        """`positive`: ignore x that are not above 0."""
        return Survey(*_native.bundle_survey(self.buffers, self.table, self._axis, positive))

    def cut(self, ascending: NDArray[np.uint8], window: Window) -> NDArray[np.uint32]:
        """Returns where the window's columns begin and end in the points of each ascending series, for `draw`."""
        return _native.bundle_cut(self.buffers, self.table, self._axis, ascending, self._window(window))

    def draw(
        self,
        ascending: NDArray[np.uint8],
        window: Window | None,
        smoother: Smoother,
        raw: Form,
        smoothed: Form,
        cuts: NDArray[np.uint32] = NO_CUTS,
    ) -> Drawn:
        """`cuts`: the result of `cut` for the same window, if it is cached."""
        values, smooth, frame, smoothed_frame, edges, *fits = _native.bundle_draw(
            self.buffers,
            self.table,
            axis=self._axis,
            ascending=ascending,
            window=self._window(window),
            smoothing=smoother,
            raw=raw,
            smooth=smoothed,
            cuts=cuts,
        )
        return Drawn(Range(*values), Range(*smooth), frame, smoothed_frame, edges, *fits)

    def exact(self, window: Window | None, smoother: Smoother, *, limit: int) -> Kept:
        return Kept(*_native.bundle_exact(self.buffers, self.table, self._axis, self._window(window), smoother, limit))

    def nearest(self, positions: Sequence[float], smoother: Smoother) -> Picked:
        """Returns the points nearest to the positions; the last one if several have the same x."""
        whole = np.zeros(len(positions), np.int64)
        part = np.array(positions, np.float64)
        if self.axis == "step":
            floors = [math.floor(position) for position in positions]
            whole[:] = [_whole(floor) for floor in floors]
            part[:] = [float(position - floor) for position, floor in zip(positions, floors, strict=True)]
        return Picked(*_native.bundle_nearest(self.buffers, self.table, self._axis, whole, part, smoother))

    def stats(self, window: Window | None) -> dict[str, NDArray[Any]]:
        """n, first, last, min, max and mean of the points in the window, and the steps of first, last, min and max."""
        return _native.bundle_stats(self.buffers, self.table, self._axis, self._window(window))

    @property
    def _axis(self) -> int:
        return AXES.index(self.axis)

    def _window(self, window: Window | None) -> tuple[float, float, float, float, int, int] | None:
        """On the axis of steps, rounds outwards for the columns and inwards for the points that count as inside."""
        if window is None:
            return None
        kind = np.zeros(0, np.int64 if self.axis == "step" else np.float64)
        lo, hi = _range(kind, window.lo, window.hi)
        inner_lo, inner_hi = lo, hi
        if self.axis == "step":
            inner_lo, inner_hi = _whole(math.ceil(window.lo)), _whole(math.floor(window.hi))
        columns = _columns(window.columns) if window.columns else 0
        return lo, hi, inner_lo, inner_hi, columns, SCALES.index(window.scale)


# ---- text -----------------------------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class RowForm:
    """The text of a point: the strings before its wall time, step and value, the one after it, and the separator."""

    before: tuple[str, str, str]
    after: str
    between: str
    nan: str
    infinity: str
    minus_infinity: str


def row_text(wall_times: NDArray[Any], steps: NDArray[Any], values: NDArray[Any], form: RowForm) -> bytes:
    """Returns all points as text, with doubles formatted as in Python."""
    words = (*form.before, form.after, form.between, form.nan, form.infinity, form.minus_infinity)
    wall_times, steps = np.ascontiguousarray(wall_times, np.float64), np.ascontiguousarray(steps, np.int64)
    return _native.row_text(wall_times, steps, _values(values), words)


def column_text(values: NDArray[Any], present: NDArray[np.bool_] | None = None) -> bytes:
    """One column of numbers as a JSON list, null where `present` is false; NaN, infinities and whole numbers beyond
    ±(2^53 - 1) as strings."""
    whole = values.dtype.kind in "iu"
    marks = np.zeros(0, np.uint8) if present is None else np.ascontiguousarray(present).view(np.uint8)
    return _native.column_text(_flat(np.asarray(values), _WHOLE if whole else _DOUBLE), marks)


# ---- arguments ------------------------------------------------------------------------------------------------------


def _flat(array: NDArray[Any], dtype: np.dtype[Any]) -> NDArray[Any]:
    if array.ndim != 1:
        raise ValueError(f"expected a one-dimensional array, got shape {array.shape}")
    if array.dtype == dtype and array.flags.c_contiguous and array.flags.aligned:
        return array
    return np.require(array, dtype, ["C", "A"])


_SINGLE, _DOUBLE, _WHOLE = np.dtype(np.float32), np.dtype(np.float64), np.dtype(np.int64)


def _values(values: NDArray[Any]) -> NDArray[Any]:
    array = np.asarray(values)
    if array.dtype.kind not in "fiub":
        raise ValueError(f"expected numbers, got an array of {array.dtype}")
    return _flat(array, _SINGLE if array.dtype == _SINGLE or array.dtype == np.float16 else _DOUBLE)


def _axis(x: NDArray[Any]) -> NDArray[Any]:
    array = np.asarray(x)
    if array.dtype.kind == "u" and array.dtype.itemsize == 8 and array.size and int(array.max()) > _I64.max:
        raise ValueError("steps beyond the range of int64")
    if array.dtype.kind not in "fiu":
        raise ValueError(f"x must be whole numbers or real ones, got an array of {array.dtype}")
    return _flat(array, _DOUBLE if array.dtype.kind == "f" else _WHOLE)


def _pair(x: NDArray[Any], values: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    x, values = _axis(x), _values(values)
    if len(x) != len(values):
        raise ValueError(f"x and values differ in length: {len(x)} and {len(values)}")
    return x, values


def _many(
    series: Sequence[tuple[NDArray[Any], NDArray[Any]]], dtype: np.dtype[Any]
) -> tuple[list[NDArray[Any]], list[NDArray[Any]]]:
    pairs = [_pair(x, y) for x, y in series]
    return [_flat(x, dtype) for x, _ in pairs], [_flat(y, _DOUBLE) for _, y in pairs]


def _range(x: NDArray[Any], lo: float | None, hi: float | None) -> tuple[float, float]:
    """Returns the requested range, or that of x; integers (rounded outwards) for an integer axis."""
    if lo is None or hi is None:
        usable = x[np.isfinite(x)] if x.dtype.kind == "f" else x
        lo = (usable.min().item() if usable.size else 0) if lo is None else lo
        hi = (usable.max().item() if usable.size else lo) if hi is None else hi
        hi = max(lo, hi)
    if not lo <= hi or math.isinf(lo) or math.isinf(hi):
        raise ValueError(f"lo must not be above hi, and both finite; got {lo} and {hi}")
    if x.dtype.kind == "i":
        return _whole(math.floor(lo)), _whole(math.ceil(hi))
    lo, hi = float(lo), float(hi)
    if math.isinf(hi - lo):
        raise ValueError(f"the range from {lo} to {hi} is wider than a double can tell")
    return lo, hi


def _whole(bound: int) -> int:
    return min(max(bound, int(_I64.min)), int(_I64.max))


def _columns(columns: int) -> int:
    if not 1 <= columns <= MAX_COLUMNS:
        raise ValueError(f"columns must be from 1 to {MAX_COLUMNS}, got {columns}")
    return int(columns)


def _weight(weight: float) -> float:
    if not 0 <= weight <= 1:
        raise ValueError(f"weight must be from 0 to 1, got {weight}")
    return float(weight)


def _positive(name: str, value: float) -> float:
    if not 0 < value < math.inf:
        raise ValueError(f"{name} must be above 0, got {value}")
    return float(value)


def _reach(window: int, trailing: bool) -> tuple[int, int]:
    """Returns the number of points before and after; an even centered window has the extra one before."""
    if window != int(window) or window < 1:
        raise ValueError(f"window must be a whole number from 1 on, got {window}")
    window = min(int(window), int(_I64.max))
    return (window - 1, 0) if trailing else (window // 2, (window - 1) // 2)


def _quantiles(quantiles: Sequence[float]) -> F64:
    array = np.array(quantiles, np.float64)
    if not ((array >= 0) & (array <= 1)).all():
        raise ValueError(f"quantiles must be from 0 to 1, got {list(quantiles)}")
    return array


def _ddof(ddof: int) -> int:
    if ddof not in (0, 1):
        raise ValueError(f"ddof must be 0 or 1, got {ddof}")
    return ddof


# ---- names ----------------------------------------------------------------------------------------------------------


def natural_ranks(names: Sequence[str]) -> NDArray[np.int64]:
    """The rank of each name in natural order (`query/order.py`)."""
    encoded = [name.encode("utf-8", "surrogatepass") for name in names]
    ends = np.cumsum(np.fromiter(map(len, encoded), np.uint64, len(encoded)), dtype=np.uint64)
    return _native.natural_ranks(b"".join(encoded), ends)
