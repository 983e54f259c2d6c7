"""The numeric kernels against slow, obvious NumPy versions.

Covered: every smoother with NaN, ±Inf, nothing, one point, equal values, repeated and descending x; columns of steps
beyond 2^53 against exact integer arithmetic; the pixels a thinned line paints; the compact frame there and back, its
error in pixels and its size; group statistics. Left out on purpose: speed (bench/) and threads.
"""

from __future__ import annotations

import gzip
import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from lightboard import kernels

I64 = np.iinfo(np.int64)
NUMBERS = st.floats(-1e6, 1e6, width=32)
ODD_NUMBERS = st.one_of(NUMBERS, st.sampled_from([math.nan, math.inf, -math.inf]))
SERIES = st.lists(ODD_NUMBERS, max_size=60)
STEPS = st.one_of(st.integers(-50, 50), st.integers(I64.min, I64.max))


def doubles(values: list[float]) -> NDArray[np.float64]:
    return np.array(values, np.float64)


def passed_through(values: NDArray[Any], out: NDArray[Any]) -> None:
    odd = ~np.isfinite(values)
    np.testing.assert_array_equal(out[odd], values[odd])
    assert np.isfinite(out[~odd]).all()


# ---- smoothing ------------------------------------------------------------------------------------------------------


def slow_ema(values: list[float], weight: float) -> list[float]:
    if all(value == values[0] for value in values):
        return list(values)
    last, n, out = 0.0, 0, []
    for value in values:
        if not math.isfinite(value):
            out.append(value)
            continue
        last = last * weight + (1 - weight) * value
        n += 1
        debias = 1.0 if weight == 1 else 1.0 - weight**n
        out.append(last / debias)
    return out


@given(SERIES, st.one_of(st.sampled_from([0.0, 0.6, 0.99, 0.999, 1.0]), st.floats(0, 1)))
def test_ema_equals_the_formula_bit_for_bit(values: list[float], weight: float) -> None:
    out = kernels.ema(doubles(values), weight)
    assert out.tobytes() == doubles(slow_ema(values, weight)).tobytes()


def test_ema_stays_equal_where_the_debias_term_vanishes() -> None:
    values = np.random.default_rng(1).normal(size=3000)
    for weight in (0.5, 0.9, 0.99):
        assert kernels.ema(values, weight).tolist() == slow_ema(values.tolist(), weight)


def test_ema_of_known_values() -> None:
    out = kernels.ema(np.array([1.0, 2.0, np.nan, 4.0], np.float32), 0.5)
    np.testing.assert_allclose(out, [1.0, 5 / 3, np.nan, 3.0])


def test_ema_returns_an_all_equal_series_unchanged() -> None:
    assert kernels.ema(doubles([0.1] * 5), 0.7).tolist() == [0.1] * 5


@given(SERIES, st.floats(0, 1))
def test_time_ema_on_even_steps_equals_ema(values: list[float], weight: float) -> None:
    if weight == 1:  # TensorBoard's formula gives zeros there; ours the mean so far
        return
    y = doubles(values)
    if not np.isfinite(y).all():
        return
    out = kernels.time_ema(np.arange(len(y)) * 7, y, weight)
    np.testing.assert_allclose(out, kernels.ema(y, weight), rtol=1e-6, atol=1e-6 * (1 + np.abs(y).max(initial=0)))


@given(st.lists(st.tuples(st.integers(-(2**62), 2**62), ODD_NUMBERS), max_size=30), st.floats(0.01, 0.99))
def test_time_ema_weighs_by_distance(points: list[tuple[int, float]], weight: float) -> None:
    points.sort(key=lambda point: point[0])
    steps = [step for step, _ in points]
    y = doubles([value for _, value in points])
    out = kernels.time_ema(np.array(steps, np.int64), y, weight, unit=1e17)
    passed_through(y, out)
    for i in np.nonzero(np.isfinite(y))[0]:
        seen = [j for j in range(i + 1) if np.isfinite(y[j])]
        weights = np.array([weight ** ((steps[i] - steps[j]) / 1e17) for j in seen])
        if len(set(y.tolist())) > 1:
            np.testing.assert_allclose(out[i], np.average(y[seen], weights=weights), rtol=1e-6, atol=1e-3)


def slow_window(values: NDArray[Any], before: int, after: int, reduce: Any) -> NDArray[Any]:
    out: NDArray[Any] = values.copy()
    for i in np.nonzero(np.isfinite(values))[0]:
        window = values[max(0, i - before) : i + after + 1]
        out[i] = reduce(window[np.isfinite(window)])
    return out


@given(SERIES, st.integers(1, 70), st.booleans())
def test_running_mean_and_median_equal_the_slow_ones(values: list[float], window: int, trailing: bool) -> None:
    y = doubles(values)
    before, after = (window - 1, 0) if trailing else (window // 2, (window - 1) // 2)
    for kernel, reduce in ((kernels.running_mean, np.mean), (kernels.running_median, np.median)):
        out = kernel(y, window, trailing=trailing)
        np.testing.assert_allclose(out, slow_window(y, before, after, reduce), rtol=1e-9, atol=1e-6)


@pytest.mark.parametrize("window", [511, 512, 513, 4001, 10**9])
def test_wide_medians_equal_the_slow_ones(window: int) -> None:
    rng = np.random.default_rng(2)
    y: NDArray[Any] = rng.choice(doubles([1.0, 2.0, 2.5, np.nan, -7.0, np.inf]), 3000) * rng.integers(1, 4, 3000)
    out = kernels.running_median(y, window)
    np.testing.assert_allclose(out, slow_window(y, window // 2, (window - 1) // 2, np.median))


def test_running_mean_forgets_an_enormous_value() -> None:
    y = np.ones(1000)
    y[100], y[500] = 1e30, 2.0
    assert kernels.running_mean(y, 5)[110] == 1.0


def slow_gaussian(x: list[int], y: NDArray[Any], sigma: float) -> NDArray[Any]:
    out: NDArray[Any] = y.copy()
    for i in np.nonzero(np.isfinite(y))[0]:
        away = np.array([float(x[j] - x[i]) for j in range(len(x))]) / sigma
        weights = np.where((np.abs(away) <= 4) & np.isfinite(y), np.exp(-0.5 * away**2), 0)
        out[i] = np.average(np.where(np.isfinite(y), y, 0), weights=weights)
    return out


@given(SERIES, st.sampled_from([0.1, 0.7, 1.0, 3.3, 20.0]))
def test_gaussian_equals_the_slow_one(values: list[float], sigma: float) -> None:
    y = doubles(values)
    np.testing.assert_allclose(
        kernels.gaussian(y, sigma), slow_gaussian(list(range(len(y))), y, sigma), rtol=1e-9, atol=1e-6
    )


@given(st.lists(st.tuples(st.integers(-60, 60), ODD_NUMBERS), max_size=40), st.sampled_from([0.4, 2.0, 30.5]))
def test_gaussian_over_x_in_any_order_equals_the_slow_one(points: list[tuple[int, float]], sigma: float) -> None:
    steps, y = [step for step, _ in points], doubles([value for _, value in points])
    for x in (np.array(steps, np.int64) + 2**60, np.array(steps, np.float64)):
        np.testing.assert_allclose(
            kernels.gaussian(y, sigma, x=x), slow_gaussian(steps, y, sigma), rtol=1e-9, atol=1e-6
        )


def test_crowded_gaussian_is_close_to_the_slow_one() -> None:
    rng = np.random.default_rng(3)
    x = np.sort(rng.integers(0, 8_000, 1500))
    y = np.sin(x / 900.0) + rng.normal(0, 0.3, 1500)
    y[17] = np.nan
    out = kernels.gaussian(y, 700.0, x=x)
    np.testing.assert_allclose(out, slow_gaussian(x.tolist(), y, 700.0), atol=2e-3)
    np.testing.assert_allclose(kernels.gaussian(y, 300.0), slow_gaussian(list(range(1500)), y, 300.0), atol=2e-3)


# ---- thinning -------------------------------------------------------------------------------------------------------


def column_of(x: int, lo: int, hi: int, columns: int) -> int:
    return columns - 1 if x == hi else int(Fraction((x - lo) * columns, hi - lo))


@given(st.lists(st.tuples(STEPS, ODD_NUMBERS), max_size=60), st.integers(1, 12), STEPS, STEPS)
def test_columns_equal_exact_integer_arithmetic(
    points: list[tuple[int, float]], columns: int, lo: int, hi: int
) -> None:
    lo, hi = min(lo, hi), max(lo, hi)
    points.sort(key=lambda point: point[0])
    x = np.array([step for step, _ in points], np.int64)
    y = doubles([value for _, value in points])
    out = kernels.m4_columns(x, y, columns=columns, lo=lo, hi=hi)
    inside = [(column_of(step, lo, hi, columns), value) for step, value in points if lo <= step <= hi]
    for column in range(columns):
        mine = [value for where, value in inside if where == column]
        finite = [value for value in mine if math.isfinite(value)]
        assert out.count[column] == len(finite)
        kinds = {
            kernels.NAN if math.isnan(v) else kernels.PLUS if v > 0 else kernels.MINUS for v in {*mine} - {*finite}
        }
        assert out.nonfinite[column] == sum(kinds)
        row = (out.first[column], out.min[column], out.max[column], out.last[column])
        expected = (finite[0], min(finite), max(finite), finite[-1]) if finite else (math.nan,) * 4
        np.testing.assert_array_equal(row, expected)
    left, right = [i for i, s in enumerate(x) if s < lo], [i for i, s in enumerate(x) if s > hi]
    assert out.before == (left[-1] if left else -1)
    assert out.after == (right[0] if right else -1)


def rasterise(x: NDArray[Any], y: NDArray[Any], *, lo: float, hi: float, columns: int, rows: int) -> NDArray[np.bool_]:
    """The canvas cells a polyline touches, for finite stretches; y from 0 to 1.

    Each segment is cut at the column borders, and between two cuts fills the rows it spans: what a line drawn one pixel
    wide covers, without any rule for ties that could hide a difference.
    """
    canvas = np.zeros((columns, rows), np.bool_)
    place = (np.asarray(x, np.float64) - lo) / (hi - lo) * columns
    level = np.asarray(y, np.float64) * rows

    def fill(column: float, a: float, b: float) -> None:
        if 0 <= column < columns:
            low, high = sorted((min(max(a, 0), rows - 1e-9), min(max(b, 0), rows - 1e-9)))
            canvas[int(column), int(low) : int(high) + 1] = True

    def column_at(where: float) -> float:
        return columns - 1 if where == columns else math.floor(where)

    for i in range(len(place)):
        if not math.isfinite(level[i]):
            continue
        fill(column_at(place[i]), level[i], level[i])
        if i + 1 == len(place) or not math.isfinite(level[i + 1]):
            continue
        (x0, y0), (x1, y1) = sorted(((place[i], level[i]), (place[i + 1], level[i + 1])))
        cuts = [x0, *range(max(math.floor(x0) + 1, 0), min(math.ceil(x1), columns + 1)), x1]
        for left, right in itertools.pairwise(cuts):
            if x0 == x1:
                fill(column_at(x0), y0, y1)
                continue
            a, b = (y0 + (y1 - y0) * (cut - x0) / (x1 - x0) for cut in (left, right))
            fill(column_at((left + right) / 2), a, b)
    return canvas


def paints_the_same(x: NDArray[Any], y: NDArray[Any], *, lo: int, hi: int, columns: int) -> NDArray[np.int64]:
    kept = kernels.m4_indices(x, y, columns=columns, lo=lo, hi=hi)
    assert (np.diff(kept) > 0).all()
    full = rasterise(x, y, lo=lo, hi=hi, columns=columns, rows=23)
    thin = rasterise(x[kept], y[kept], lo=lo, hi=hi, columns=columns, rows=23)
    np.testing.assert_array_equal(full, thin)
    return kept


UNIT = st.one_of(st.floats(0, 1, width=32), st.sampled_from([math.nan, math.inf]))


@settings(max_examples=50)
@given(st.lists(UNIT, min_size=1, max_size=300), st.integers(1, 16), st.integers(0, 150), st.integers(1, 200))
def test_thinned_line_paints_the_same_pixels(values: list[float], columns: int, lo: int, width: int) -> None:
    x = np.arange(len(values), dtype=np.int64)
    paints_the_same(x, np.array(values, np.float32), lo=lo, hi=lo + width, columns=columns)


@settings(max_examples=50)
@given(st.lists(st.tuples(st.integers(0, 40), UNIT), min_size=1, max_size=120), st.integers(0, 20), st.integers(1, 30))
def test_thinned_wandering_line_paints_the_same_pixels(points: list[tuple[int, float]], lo: int, width: int) -> None:
    # Few enough points that the limit per column is not reached.
    x = np.array([step for step, _ in points], np.int64)
    paints_the_same(x, doubles([value for _, value in points]), lo=lo, hi=lo + width, columns=8)


def test_thinned_descending_line_paints_the_same_pixels() -> None:
    x = np.arange(5000, dtype=np.int64)[::-1].copy()
    y = np.random.default_rng(4).random(5000)
    kept = paints_the_same(x, y, lo=100, hi=4100, columns=20)
    assert len(kept) <= 4 * 20 + 2


def test_thinning_keeps_one_neighbour_on_each_side() -> None:
    x = np.arange(100, dtype=np.int64)
    kept = kernels.m4_indices(x, x.astype(np.float64), columns=3, lo=40, hi=60)
    assert kept[0] == 39
    assert kept[-1] == 61


def test_thinning_keeps_marks_of_every_nonfinite_kind() -> None:
    y = np.zeros(1000)
    y[300:320] = np.nan
    y[305] = np.inf
    y[311] = -np.inf
    kept = kernels.m4_indices(np.arange(1000), y, columns=1)
    assert {300, 305, 311, 319, 299, 320} <= set(kept.tolist())


def test_thinning_of_two_interleaved_writers_stays_bounded_and_keeps_extremes() -> None:
    rng = np.random.default_rng(5)
    x = np.empty(200_000, np.int64)
    x[0::2], x[1::2] = np.arange(100_000), np.arange(100_000) + 50_000
    y = rng.normal(size=200_000)
    y[77_777] = np.nan
    kept = kernels.m4_indices(x, y, columns=50)
    assert len(kept) <= 9 * 52
    assert {int(np.nanargmin(y)), int(np.nanargmax(y)), 77_777} <= set(kept.tolist())


def test_steps_beyond_doubles_fall_into_their_own_columns() -> None:
    base = 2**62
    x = np.arange(base, base + 8, dtype=np.int64)
    out = kernels.m4_columns(x, np.arange(8.0), columns=7)
    assert out.count.tolist() == [1, 1, 1, 1, 1, 1, 2]


def test_points_without_a_place_on_x_are_left_out() -> None:
    x = doubles([0.0, math.nan, 1.0, math.inf, 2.0])
    kept = kernels.m4_indices(x, np.arange(5.0), columns=4, lo=0, hi=2)
    assert 1 not in kept.tolist()
    assert {0, 2, 4} <= set(kept.tolist())


def test_nothing_and_one_point_thin_to_themselves() -> None:
    none = np.zeros(0, np.int64)
    assert kernels.m4_indices(none, np.zeros(0), columns=5).tolist() == []
    assert kernels.m4_columns(none, np.zeros(0), columns=5).count.sum() == 0
    one = np.array([7])
    assert kernels.m4_indices(one, np.ones(1), columns=5).tolist() == [0]
    assert kernels.m4_columns(one, np.ones(1), columns=5).count.sum() == 1


def test_columns_refuse_descending_x() -> None:
    with pytest.raises(ValueError, match="ascending"):
        kernels.m4_columns(np.array([2, 1]), np.zeros(2), columns=2)


# ---- compact frame --------------------------------------------------------------------------------------------------


def losses(series: int, points: int, seed: int = 0) -> tuple[NDArray[np.int64], list[NDArray[np.float32]]]:
    """Noisy decaying losses, as a hundred runs of one experiment have."""
    rng = np.random.default_rng(seed)
    step = np.arange(points)
    return step, [
        (
            0.3
            + 2.2 * np.exp(-step / rng.uniform(0.16 * points, 0.24 * points))
            + rng.normal(0, 0.08, points) * (0.3 + np.exp(-step / (0.3 * points)))
        ).astype(np.float32)
        for _ in range(series)
    ]


def framed(tables: list[kernels.Columns], extent: kernels.Range, **options: Any) -> bytes:
    centre, scale = kernels.frame_scale(extent)
    return kernels.encode_columns(tables, centre=centre, scale=scale, **options)


@pytest.mark.parametrize("outlier", [None, 3.0, 50.0, 1e6])
def test_frame_is_within_a_quarter_pixel_in_both_views(outlier: float | None) -> None:
    step, runs = losses(10, 5000)
    spread = float(np.percentile(np.concatenate(runs), 95) - np.percentile(np.concatenate(runs), 5))
    if outlier is not None:
        runs[3][1234] = outlier * spread
        runs[4][4000] = -outlier * spread / 2
    tables = [kernels.m4_columns(step, run, columns=800) for run in runs]
    extent = kernels.robust_range(runs)
    out = kernels.decode_columns(framed(tables, extent))
    for low, high in ((extent.low, extent.high), (extent.min, extent.max)):
        px = 600 / (high - low)
        for exact, decoded in (("min", out.min), ("max", out.max)):
            value = np.stack([getattr(table, exact) for table in tables])
            shown = (value >= low) & (value <= high)
            assert np.abs(decoded - value)[shown].max() * px < 0.25


def test_frame_of_a_hundred_noisy_losses_is_small() -> None:
    step, runs = losses(100, 5000)
    frame = framed([kernels.m4_columns(step, run, columns=800) for run in runs], kernels.robust_range(runs))
    assert len(gzip.compress(frame, 6)) < 205_000


@given(
    st.lists(st.lists(ODD_NUMBERS, min_size=1, max_size=30), max_size=5),
    st.integers(1, 9),
    st.sampled_from([0, 2, 8, 16]),
)
def test_frame_there_and_back(runs: list[list[float]], columns: int, end_levels: int) -> None:
    arrays = [doubles(run) for run in runs]
    tables = [kernels.m4_columns(np.arange(len(y)), y, columns=columns) for y in arrays]
    extent = kernels.robust_range(arrays)
    centre, scale = kernels.frame_scale(extent)
    out = kernels.decode_columns(kernels.encode_columns(tables, centre=centre, scale=scale, end_levels=end_levels))
    assert out.min.shape == (len(runs), columns if runs else 0)
    for row, table in enumerate(tables):
        np.testing.assert_array_equal(out.present[row], table.count > 0)
        np.testing.assert_array_equal(out.nonfinite[row], table.nonfinite)
        for name in ("min", "max"):
            exact, decoded = getattr(table, name), getattr(out, name)[row]
            allowed = np.sqrt(scale**2 + (exact - centre) ** 2) * 0.51 / kernels.RESOLUTION
            assert (np.isnan(exact) == np.isnan(decoded)).all()
            assert (np.abs(exact - decoded)[table.count > 0] <= allowed[table.count > 0]).all()
        if end_levels:
            step = (table.max - table.min) / (end_levels - 1) * 0.51 + allowed
            for name in ("first", "last"):
                off = np.abs(getattr(table, name) - getattr(out, name)[row])
                assert (off[table.count > 0] <= step[table.count > 0]).all()


def test_frame_carries_the_whole_range_of_doubles() -> None:
    y = doubles([-1.7e308, 1.7e308, 0.0, 1e-300, 1.0, 2.0, 3.0])
    table = kernels.m4_columns(np.arange(7), y, columns=7)
    out = kernels.decode_columns(kernels.encode_columns([table], centre=1.0, scale=1.0))
    np.testing.assert_allclose(out.min[0, [0, 1]], y[[0, 1]], rtol=1e-3)
    np.testing.assert_allclose(out.min[0, 2:6], y[2:6], atol=1e-3)


@pytest.mark.parametrize("cut", [0, 10, 47, 60, -1])
def test_cut_frames_are_refused(cut: int) -> None:
    frame = framed(
        [kernels.m4_columns(np.arange(9), np.arange(9.0), columns=4)], kernels.robust_range([np.arange(9.0)])
    )
    with pytest.raises(ValueError, match="frame"):
        kernels.decode_columns(frame[:cut])


# ---- statistics -----------------------------------------------------------------------------------------------------


@given(st.lists(SERIES, max_size=4))
def test_robust_range_equals_sorting(runs: list[list[float]]) -> None:
    out = kernels.robust_range([np.array(run, np.float32 if i % 2 else np.float64) for i, run in enumerate(runs)])
    values = sorted(value for run in runs for value in run if math.isfinite(value))
    n = len(values)
    assert out.count == n
    if n > 2:
        assert out.low == values[math.ceil(0.05 * (n - 1))]
        assert out.high == values[math.floor(0.95 * (n - 1))]
    elif n:
        assert (out.low, out.high) == (values[0], values[-1])
    else:
        assert math.isnan(out.low)
    if n:
        assert (out.min, out.max) == (values[0], values[-1])


POINTS = st.lists(st.tuples(st.integers(-30, 30), ODD_NUMBERS), max_size=20)


@given(st.lists(POINTS, max_size=6), st.lists(st.integers(-35, 35), max_size=12), st.sampled_from([0, 1]))
def test_aggregate_equals_the_slow_one(groups: list[list[tuple[int, float]]], places: list[int], ddof: int) -> None:
    axis = np.array(sorted(places), np.int64)
    series = [(np.array([p[0] for p in g], np.int64), doubles([p[1] for p in g])) for g in groups]
    out = kernels.aggregate(series, axis, quantiles=(0.25, 0.5), ddof=ddof)
    for i, place in enumerate(axis):
        row = []
        for group in groups:
            last = {step: value for step, value in group if math.isfinite(value)}
            steps = sorted(last)
            if steps and steps[0] <= place <= steps[-1]:
                row.append(np.interp(place, steps, [last[step] for step in steps]))
        assert out.count[i] == len(row)
        if not row:
            assert np.isnan([out.mean[i], out.std[i], out.min[i], out.max[i], *out.quantiles[:, i]]).all()
            continue
        np.testing.assert_allclose(out.mean[i], np.mean(row), rtol=1e-9, atol=1e-6)
        if len(row) > ddof:
            np.testing.assert_allclose(out.std[i], np.std(row, ddof=ddof), rtol=1e-6, atol=1e-4)
        np.testing.assert_allclose([out.min[i], out.max[i]], [min(row), max(row)], rtol=1e-9, atol=1e-6)
        np.testing.assert_allclose(out.quantiles[:, i], np.quantile(row, (0.25, 0.5)), rtol=1e-9, atol=1e-6)


def test_aggregate_of_enormous_steps_interpolates_exactly() -> None:
    base = 2**62
    series = [
        (np.array([base, base + 4]), doubles([0.0, 4.0])),
        (np.array([base + 1, base + 3]), doubles([10.0, 30.0])),
    ]
    out = kernels.aggregate(series, np.arange(base, base + 5))
    assert out.mean.tolist() == [0.0, 5.5, 11.0, 16.5, 4.0]
    assert out.count.tolist() == [1, 2, 2, 2, 1]


def test_aggregate_columns_show_every_extreme() -> None:
    rng = np.random.default_rng(6)
    series = [(np.arange(1000), rng.normal(size=1000)) for _ in range(5)]
    series[2][1][503] = 99.0
    out = kernels.aggregate_columns(series, columns=20, lo=0, hi=999, quantiles=(0.5,))
    assert out.max.max() == 99.0
    assert out.count.tolist() == [5] * 20
    column = [np.mean([y[:50].mean() for _, y in series]), min(y[:50].min() for _, y in series)]
    np.testing.assert_allclose([out.mean[0], out.min[0]], column)


def test_aggregate_columns_interpolate_sparse_series() -> None:
    sparse = (doubles([0.0, 10.0]), doubles([0.0, 10.0]))
    out = kernels.aggregate_columns([sparse], columns=10, lo=0, hi=20)
    np.testing.assert_allclose(out.mean[:6], [0.0, 3.0, 5.0, 7.0, 9.0, 10.0])
    assert out.count.tolist() == [1] * 6 + [0] * 4


# ---- arguments ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda y: kernels.ema(y, 1.5), "weight"),
        (lambda y: kernels.ema(y, math.nan), "weight"),
        (lambda y: kernels.ema(np.zeros((2, 2)), 0.5), "one-dimensional"),
        (lambda y: kernels.ema(np.array(["a"]), 0.5), "numbers"),
        (lambda y: kernels.gaussian(y, 0), "sigma"),
        (lambda y: kernels.running_mean(y, 0), "window"),
        (lambda y: kernels.time_ema(np.arange(2), y, 0.5), "length"),
        (lambda y: kernels.time_ema(np.arange(3), y, 0.5, unit=-1), "unit"),
        (lambda y: kernels.m4_indices(np.arange(3), y, columns=0), "columns"),
        (lambda y: kernels.m4_indices(np.arange(3), y, columns=10**9), "columns"),
        (lambda y: kernels.m4_indices(np.arange(3), y, columns=5, lo=2, hi=1), "lo"),
        (lambda y: kernels.m4_indices(np.arange(3.0), y, columns=5, lo=-1.7e308, hi=1.7e308), "wider"),
        (lambda y: kernels.m4_indices(np.array([2**63, 1, 2], np.uint64), y, columns=5), "int64"),
        (lambda y: kernels.aggregate([], np.array([2, 1])), "ascending"),
        (lambda y: kernels.aggregate([], np.array([1, 2]), quantiles=[2.0]), "quantiles"),
        (lambda y: kernels.encode_columns([], centre=math.inf, scale=1), "centre"),
        (lambda y: kernels.encode_columns([], centre=0, scale=0), "scale"),
        (lambda y: kernels.encode_columns([], centre=0, scale=1, end_levels=17), "end_levels"),
    ],
)
def test_wrong_arguments_are_named(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call(np.zeros(3))


def test_unaligned_read_only_and_strided_arrays_are_fine() -> None:
    packed = np.zeros(20, np.dtype([("pad", "u1"), ("y", "<f8")]))
    packed["y"] = np.arange(20)
    packed.flags.writeable = False
    np.testing.assert_array_equal(kernels.ema(packed["y"], 0.5), kernels.ema(np.arange(20.0), 0.5))
    np.testing.assert_array_equal(kernels.ema(np.arange(40)[::2], 0.0), np.arange(40.0)[::2])
