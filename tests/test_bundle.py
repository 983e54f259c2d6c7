"""Many series in one call against the same kernels one by one, and against slow versions written out here.

Covered: every axis, smoothing and mix of types; ranges without outliers; nearest points; scales; tables that lie.
Left out: what the kernels themselves compute (tests/test_kernels.py).
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from lightboard import kernels
from lightboard.query.scalars import smoothing
from lightboard.store import placement

SMOOTHINGS = [
    "none", "ema:0.6", "ema:0.999", "ema:1", "time_ema:0.9", "time_ema:0.9:step:7", "gaussian:3", "gaussian:9:step",
    "gaussian:2:wall", "mean:5", "mean:6:trailing", "median:4",
]  # fmt: skip


def series(count: int, *, seed: int = 0) -> list[tuple[NDArray[np.int64], NDArray[np.float64], NDArray[Any]]]:
    """Odd ones among them: empty, constant, with gaps, of one point, of other lengths, in doubles."""
    chance = np.random.default_rng(seed)
    found = []
    for i in range(count):
        n = [700, 700, 699, 0, 1, 130, 700][i % 7]
        values = (np.cumsum(chance.normal(0, 1, n)) + i).astype(np.float64 if i % 5 == 2 else np.float32)
        if i % 6 == 1 and n:
            values[:] = 0.1
        if i % 4 == 3 and n > 10:
            values[[0, 5, n - 1]] = np.nan, np.inf, -np.inf
        steps = np.cumsum(chance.integers(0, 4, n)).astype(np.int64)
        found.append((steps, 1e9 + np.cumsum(chance.random(n)), values))
    return found


def bundle(lines: list[tuple[Any, Any, Any]], axis: str = "step", own: list[Any] | None = None) -> kernels.Bundle:
    table = np.zeros((len(lines), placement.COLUMNS), np.int64)
    table[:, placement.OWN_X] = -1
    buffers: list[NDArray[np.uint8]] = []
    for row, (steps, walls, values) in enumerate(lines):
        for column, array in ((placement.STEPS, steps), (placement.WALLS, walls), (placement.VALUES, values)):
            table[row, column] = len(buffers)
            buffers.append(placement.as_bytes(array))
        if own is not None:
            table[row, placement.OWN_X] = len(buffers)
            buffers.append(placement.as_bytes(own[row]))
        table[row, placement.COUNT] = len(steps)
        table[row, placement.DOUBLE] = values.dtype == np.float64
    return kernels.Bundle(buffers, table, axis)


def x_of(line: tuple[Any, Any, Any], axis: str) -> NDArray[Any]:
    steps, walls, _ = line
    return np.asarray({"step": steps, "wall": walls, "relative": walls - (walls[0] if len(walls) else 0)}[axis])


def slow_range(arrays: list[NDArray[Any]]) -> tuple[float, float, float, float, int]:
    everything = np.concatenate([np.zeros(0), *(array.astype(np.float64) for array in arrays)])
    found = np.sort(everything[np.isfinite(everything)])
    n = len(found)
    if n == 0:
        return math.nan, math.nan, math.nan, math.nan, 0
    low, high = (0, n - 1) if n <= 2 else (math.ceil(0.05 * (n - 1)), math.floor(0.95 * (n - 1)))
    return found[low], found[high], found[0], found[-1], n


def same_range(found: kernels.Range, arrays: list[NDArray[Any]]) -> None:
    got = (found.low, found.high, found.min, found.max, found.count)
    np.testing.assert_array_equal(got, slow_range(arrays))


@pytest.mark.parametrize("axis", ["step", "wall", "relative"])
@pytest.mark.parametrize("text", SMOOTHINGS)
def test_drawing_many_equals_drawing_each(text: str, axis: str) -> None:
    lines, how = series(23), smoothing.parse(text)
    xs = [x_of(line, axis) for line in lines]
    lo, hi = (100, 900) if axis == "step" else (float(xs[0][50]), float(xs[0][400]))
    found = bundle(lines, axis)
    survey = found.survey()
    assert survey.ascending.all()
    drawn = found.draw(
        survey.ascending,
        kernels.Window(lo, hi, 60),
        how.kernel,
        kernels.Form(True, 340.0, 0),
        kernels.Form(how.enabled),
    )
    inside = [(x >= lo) & (x <= hi) for x in xs]
    same_range(drawn.values, [line[2][keep] for line, keep in zip(lines, inside, strict=True)])
    cells = [kernels.m4_columns(x, line[2], columns=60, lo=lo, hi=hi) for x, line in zip(xs, lines, strict=True)]
    centre, scale = kernels.frame_scale(drawn.values)
    assert drawn.frame == kernels.encode_columns(cells, centre=centre, scale=scale, resolution=340.0, end_levels=0)
    if not how.enabled:
        assert drawn.smoothed_frame == b""
        return
    smooth = [how.apply(*line) for line in lines]
    same_range(drawn.smoothed, [values[keep] for values, keep in zip(smooth, inside, strict=True)])
    cells = [kernels.m4_columns(x, values, columns=60, lo=lo, hi=hi) for x, values in zip(xs, smooth, strict=True)]
    centre, scale = kernels.frame_scale(drawn.smoothed)
    assert drawn.smoothed_frame == kernels.encode_columns(cells, centre=centre, scale=scale)
    assert drawn.edges is not None
    for i, (x, cell) in enumerate(zip(xs, cells, strict=True)):
        for side, at in enumerate((cell.before, cell.after)):
            wanted = (math.nan,) * 3 if at < 0 else (float(x[at]), float(lines[i][2][at]), float(smooth[i][at]))
            np.testing.assert_array_equal([edge[2 * i + side] for edge in drawn.edges], wanted)


@pytest.mark.parametrize("text", ["none", "ema:0.9", "median:9"])
@pytest.mark.parametrize("width", [0, 40])
def test_exact_points_of_many_equal_those_of_each(text: str, width: int) -> None:
    lines, how = series(16, seed=1), smoothing.parse(text)
    kept = bundle(lines).exact(kernels.Window(150.5, 800.5, width), how.kernel, limit=10**6)
    steps, values = [], []
    for line in lines:
        smooth = how.apply(*line)
        if width:
            keep = kernels.m4_indices(line[0], line[2], columns=width, lo=150.5, hi=800.5)
            if how.enabled:
                keep = np.union1d(keep, kernels.m4_indices(line[0], smooth, columns=width, lo=150.5, hi=800.5))
        else:
            first, past = np.searchsorted(line[0], 151), np.searchsorted(line[0], 800, "right")
            keep = np.arange(max(first - 1, 0), min(past + 1, len(line[0])))
        steps.append(line[0][keep])
        values.append(line[2][keep])
    assert kept.counts.tolist() == [len(each) for each in steps]
    np.testing.assert_array_equal(kept.steps, np.concatenate(steps))
    np.testing.assert_array_equal(kept.values, np.concatenate(values))


def test_more_points_than_the_limit_are_only_counted() -> None:
    kept = bundle(series(2)).exact(None, kernels.Smoother(), limit=1399)
    assert (kept.total, kept.counts.tolist(), len(kept.steps)) == (1400, [700, 700], 0)


@pytest.mark.parametrize("size", [0, 1, 2, 3, 63, 64, 65, 16_383, 16_384, 100_001])
def test_the_range_is_exact_for_any_number_of_values(size: int) -> None:
    chance = np.random.default_rng(size)
    arrays: list[NDArray[Any]] = [chance.normal(0, 1, size), (10.0 ** chance.uniform(-30, 30, size)).astype(np.float32)]
    same_range(kernels.robust_range(arrays), arrays)


def test_the_range_is_exact_when_a_sample_misleads() -> None:
    """Every hundredth value is far away, just where a sample with an even stride looks."""
    misleading = np.zeros(409_600)
    misleading[::100] = 1000.0 + np.arange(4096)
    sorted_up = np.arange(200_000, dtype=np.float64)
    equal = np.full(100_000, 7.0)
    half = np.where(np.arange(300_000) % 2, np.nan, np.arange(300_000.0))
    for array in (misleading, misleading[::-1].copy(), sorted_up, equal, half, -half):
        same_range(kernels.robust_range([array]), [array])


def test_the_range_of_very_many_short_arrays_is_exact() -> None:
    arrays = [np.array([i, 2.0 * i, -i]) for i in range(20_000)]
    same_range(kernels.robust_range(arrays), arrays)


@pytest.mark.parametrize("scale", ["log", "symlog"])
def test_every_pixel_of_a_bent_axis_keeps_its_extremes(scale: str) -> None:
    steps = np.arange(100_000)
    values = np.random.default_rng(3).normal(0, 1, len(steps)).astype(np.float32)
    line = (steps, steps.astype(np.float64), values)
    lo, width = (1 if scale == "log" else 0), 200
    kept = bundle([line]).exact(kernels.Window(lo, 99_999, width, scale), kernels.Smoother(), limit=10**6)
    bend = np.log if scale == "log" else np.log1p
    pixel = np.minimum(((bend(steps[lo:]) - bend(lo)) / (bend(99_999) - bend(lo)) * width).astype(int), width - 1)
    shown = dict(zip(kept.steps.tolist(), kept.values.tolist(), strict=True))
    assert (kept.steps >= lo).all()
    for column in np.unique(pixel).tolist():
        members = steps[lo:][pixel == column]
        # a step that lies on an edge may round into the neighbour
        near = [shown[step] for step in range(members[0] - 1, members[-1] + 2) if step in shown]
        inner = values[members[1:-1]]
        if len(inner):
            assert min(near) <= inner.min()
            assert max(near) >= inner.max()


def test_columns_of_a_logarithmic_axis_hold_every_point() -> None:
    steps = np.arange(5000)
    line = (steps, steps.astype(np.float64), steps.astype(np.float32))
    found = bundle([line])
    drawn = found.draw(
        np.ones(1, np.uint8), kernels.Window(1, 4999, 50, "log"), kernels.Smoother(), kernels.Form(True), kernels.Form()
    )
    told = kernels.decode_columns(drawn.frame)
    lows, highs = told.min[0][told.present[0]], told.max[0][told.present[0]]
    assert (np.diff(lows) >= 0).all()
    assert lows[0] == pytest.approx(1, abs=2)
    assert highs[-1] == pytest.approx(4999, abs=3)
    assert len(lows) > 40  # evenly: the first ones hold one step each
    assert drawn.edges is None  # step 0 has no place on the axis, not even outside the range


def test_the_nearest_point_is_the_last_of_the_closest() -> None:
    lines = series(20, seed=4)
    at = [0, 10, 10.5, 333.25, 10**6, -5]
    picked = bundle(lines).nearest(at, smoothing.parse("ema:0.5").kernel)
    for row, line in enumerate(lines):
        smooth = kernels.ema(line[2], 0.5)
        for column, position in enumerate(at):
            index = picked.index[row * len(at) + column]
            if not len(line[0]):
                assert index == -1
                continue
            closest = min(abs(int(step) - position) for step in line[0])
            candidates = [i for i, step in enumerate(line[0].tolist()) if abs(step - position) == closest]
            first = line[0][candidates[0]]  # of two equally far the earlier
            assert index == max(i for i in candidates if line[0][i] == first)
            assert picked.steps[row * len(at) + column] == line[0][index]
            np.testing.assert_array_equal(picked.smoothed[row * len(at) + column], smooth[index])


def test_steps_at_the_ends_of_int64_stay_apart() -> None:
    steps = np.array([-(2**63), -5, 2**62, 2**63 - 1])
    line = (steps, np.arange(4.0), np.arange(4.0))
    picked = bundle([line]).nearest([-(2**63), 2, 2**62 + 2**61 - 1, 2**62 + 2**61 + 1, 2**63 - 1], kernels.Smoother())
    assert picked.index.tolist() == [0, 1, 2, 3, 3]


def test_statistics_over_a_range() -> None:
    lines = [
        (np.array([0, 10, 20, 30]), np.arange(4.0), np.array([5.0, np.nan, 1.0, 7.0])),
        (np.array([9, 3, 15]), np.arange(3.0), np.array([2.0, 4.0, 6.0], np.float32)),
        (np.array([100]), np.zeros(1), np.zeros(1)),
    ]
    stats = bundle(lines).stats(kernels.Window(9.5, 30))
    assert stats["n"].tolist() == [3, 1, 0]
    assert stats["first_step"][:2].tolist() == [10, 15]
    assert stats["last"][:2].tolist() == [7.0, 6.0]
    assert (stats["min"][0], stats["min_step"][0], stats["max_step"][0], stats["mean"][0]) == (1.0, 20, 30, 4.0)
    assert math.isnan(stats["mean"][2])


def test_x_of_its_own_may_go_back_and_be_absent() -> None:
    line = (np.arange(5), np.arange(5.0), np.arange(5.0))
    found = bundle([line], "own", [np.array([np.nan, 3.0, 1.0, 2.0, np.nan])])
    survey = found.survey()
    assert (survey.ascending.tolist(), survey.first.tolist(), survey.last.tolist()) == ([0], [1.0], [3.0])
    kept = found.exact(None, smoothing.parse("ema:0.5").kernel, limit=100)
    assert (kept.x.tolist(), kept.steps.tolist()) == ([3.0, 1.0, 2.0], [1, 2, 3])
    np.testing.assert_array_equal(kept.smoothed, kernels.ema(line[2], 0.5)[1:4])  # smoothed on all points


@pytest.mark.parametrize(
    ("column", "value"),
    [(placement.STEPS, 99), (placement.STEPS, -1), (placement.STEPS + 1, -8), (placement.STEPS + 1, 1 << 62),
     (placement.STEPS + 1, 4), (placement.COUNT, 6), (placement.COUNT, -1), (placement.COUNT, 1 << 61),
     (placement.COUNT, 1 << 32), (placement.VALUES + 1, 8)],
)  # fmt: skip
def test_a_table_that_lies_is_refused(column: int, value: int) -> None:
    found = bundle([(np.arange(5), np.arange(5.0), np.arange(5.0))])
    found.table[0, column] = value
    with pytest.raises(ValueError, match="series"):
        found.survey()


def test_many_points_are_shared_among_threads() -> None:
    lines = [(np.arange(300_000), np.arange(300_000.0), np.random.default_rng(i).random(300_000)) for i in range(9)]
    found, how = bundle(lines), smoothing.parse("ema:0.99")
    drawn = found.draw(
        np.ones(9, np.uint8), kernels.Window(0, 299_999, 30), how.kernel, kernels.Form(True), kernels.Form(True)
    )
    smooth = [kernels.ema(line[2], 0.99) for line in lines]
    same_range(drawn.smoothed, smooth)
    same_range(drawn.values, [line[2] for line in lines])


def test_a_draft_has_the_lines_and_the_ends_of_the_real_one() -> None:
    """Only how much of the values lies outside the middle 90 % is estimated; that decides how finely lines are told."""
    lines, how = series(23), smoothing.parse("ema:0.9")
    found = bundle(lines, "step")
    ascending = found.survey().ascending

    def drawn(rough: bool) -> kernels.Drawn:
        form = kernels.Form(True, rough=rough)
        return found.draw(ascending, kernels.Window(100, 900, 60), how.kernel, kernels.Form(), form)

    real, draft = drawn(False), drawn(True)
    assert (draft.smoothed.min, draft.smoothed.max) == (real.smoothed.min, real.smoothed.max)
    span = real.smoothed.high - real.smoothed.low
    assert draft.smoothed.low == pytest.approx(real.smoothed.low, abs=span / 4)
    assert draft.smoothed.high == pytest.approx(real.smoothed.high, abs=span / 4)
    told, exact = kernels.decode_columns(draft.smoothed_frame), kernels.decode_columns(real.smoothed_frame)
    np.testing.assert_allclose(told.min, exact.min, atol=span / 100)
    np.testing.assert_allclose(told.max, exact.max, atol=span / 100)


@pytest.mark.parametrize("weight", [0.3, 0.9, 0.999, 1])
@pytest.mark.parametrize("axis", ["step", "wall", "relative"])
@pytest.mark.parametrize("scale", ["linear", "log", "symlog"])
def test_a_draft_without_raw_lines_tells_the_same_columns(axis: str, scale: str, weight: float) -> None:
    """Alone, smoothed lines are averaged and told in one go; beside raw ones, the one after the other."""
    lines, how = series(37), smoothing.parse(f"ema:{weight}")
    found = bundle(lines, axis)
    ascending = found.survey().ascending
    assert ascending.all()
    first, last = (1e9, 1e9 + 400) if axis == "wall" else (0, 1500)
    for lo, hi in ((first, last), (first + 10, last - 90), (last + 5000, last + 6000), (first + 20.5, first + 20.5)):
        for width in (1, 60, 1300):
            for levels in (0, 8):
                window = kernels.Window(max(lo, 0.5), max(hi, 0.5), width, scale)
                form = kernels.Form(True, end_levels=levels, rough=True)
                alone = found.draw(ascending, window, how.kernel, kernels.Form(), form)
                beside = found.draw(ascending, window, how.kernel, kernels.Form(True), form)
                known = found.draw(ascending, window, how.kernel, kernels.Form(), form, found.cut(ascending, window))
                np.testing.assert_equal(dataclasses.astuple(known), dataclasses.astuple(alone))
                assert alone.smoothed_frame == beside.smoothed_frame
                np.testing.assert_array_equal(dataclasses.astuple(alone.smoothed), dataclasses.astuple(beside.smoothed))
                assert (alone.edges is None) == (beside.edges is None)
                for mine, its in zip(alone.edges or (), beside.edges or (), strict=True):
                    np.testing.assert_array_equal(mine, its)


@pytest.mark.parametrize("axis", ["step", "wall", "relative", "own"])
def test_cuts_that_are_known_draw_what_is_drawn_without_them(axis: str) -> None:
    lines, how = series(23), smoothing.parse("ema:0.9")
    backwards = [np.arange(float(len(line[0])))[:: -1 if i == 5 else 1] for i, line in enumerate(lines)]
    found = bundle(lines, axis, backwards if axis == "own" else None)
    ascending = found.survey().ascending
    for lo, hi, width in ((0, 1500, 119), (40.5, 300, 7), (1e9, 1e9 + 200, 300)):
        window = kernels.Window(lo, hi, width)
        cuts = found.cut(ascending, window)
        for raw in (True, False):
            forms = kernels.Form(raw), kernels.Form(True)
            known = found.draw(ascending, window, how.kernel, *forms, cuts)
            unknown = found.draw(ascending, window, how.kernel, *forms)
            np.testing.assert_equal(dataclasses.astuple(known), dataclasses.astuple(unknown))


def test_cuts_lie_where_x_reaches_the_edges() -> None:
    steps = np.array([0, 1, 2, 5, 5, 9, 10, 11])
    found = bundle([(steps, np.arange(8.0), np.arange(8.0)), (steps[::-1].copy(), np.arange(8.0), np.arange(8.0))])
    cuts = found.cut(found.survey().ascending, kernels.Window(1, 10, 3))  # edges at 4 and 7
    assert cuts.tolist() == [1, 3, 5, 7, 0, 0, 0, 0]


@pytest.mark.parametrize("wrong", [[0, 2, 5], [0, 2, 5, 5, 5], [0, 3, 2, 5], [0, 2, 5, 6], [0, 2, 5, 2**32 - 1]])
def test_cuts_that_lie_are_refused(wrong: list[int]) -> None:
    found = bundle([(np.arange(5), np.arange(5.0), np.arange(5.0))])
    window, form = kernels.Window(0, 4, 3), kernels.Form(True)
    with pytest.raises(ValueError, match="cuts"):
        found.draw(np.ones(1, np.uint8), window, kernels.Smoother(), form, form, np.array(wrong, np.uint32))
    with pytest.raises(ValueError, match="columns"):
        found.cut(np.ones(1, np.uint8), kernels.Window(0, 4))


# ---- the range for the y axis


def fit_of(*lines: NDArray[Any] | list[float], smoothed: str = "none") -> tuple[float, float]:
    """Of one chart with these series."""
    made = [np.asarray(line, np.float32 if i % 2 else np.float64) for i, line in enumerate(lines)]
    found = bundle([(np.arange(len(line)), np.arange(len(line)) * 1.0, line) for line in made])
    how = smoothing.parse(smoothed)
    drawn = found.draw(found.survey().ascending, None, how.kernel, kernels.Form(True), kernels.Form(how.enabled))
    return drawn.smoothed_fit if how.enabled else drawn.values_fit


def test_a_short_series_is_fitted_entirely() -> None:
    assert fit_of([0.0, 1e9]) == (0, 1e9)
    assert fit_of([*np.linspace(0, 1, 48), -1e6]) == (-1e6, 1)
    assert fit_of([7.0]) == (7, 7)


def test_a_cosine_schedule_is_fitted_from_its_first_to_its_last_point() -> None:
    schedule = (1 + np.cos(np.linspace(0, np.pi, 10_000))) / 2
    assert fit_of(schedule) == (schedule.min(), 1)
    warm = np.concatenate([np.linspace(0, 1, 100), schedule])
    assert fit_of(warm) == (0, 1)


def test_a_few_spikes_in_a_long_series_are_not_fitted() -> None:
    rng = np.random.default_rng(0)
    noise = rng.normal(0, 1, 10_000)
    spiked = noise.copy()
    spiked[rng.choice(np.arange(1, 9_999), 60, replace=False)] = 1e6
    low, high = fit_of(spiked)
    assert low == spiked.min()
    assert high < 10
    assert np.mean((spiked < low) | (spiked > high)) <= 0.02
    assert fit_of(noise) == (noise.min(), noise.max())
    assert fit_of([*np.sin(np.arange(60)), 1e6, *np.sin(np.arange(10))])[1] < 2


def test_the_first_and_the_last_point_are_always_fitted() -> None:
    noise = np.random.default_rng(1).normal(0, 1, 5_000)
    noise[0], noise[-1], noise[2_000] = 500, -300, 1e9
    low, high = fit_of(noise)
    assert low == -300
    assert high == 500


def test_more_than_two_percent_of_a_series_are_never_hidden() -> None:
    rng = np.random.default_rng(2)
    for far in (5, 90, 110, 300, 1500):
        values = rng.normal(0, 1, 5_000)
        values[rng.choice(np.arange(1, 4_999), far, replace=False)] *= rng.choice([1e3, -1e6], far)
        low, high = fit_of(values)
        assert np.sum((values < low) | (values > high)) <= 0.02 * 5_000
    diverged = np.full(1_000, 50.0)
    quiet = [rng.normal(0, 1, 1_000) for _ in range(60)]
    assert fit_of(diverged, *quiet)[1] == 50


def test_rare_events_of_a_constant_series_are_fitted() -> None:
    flags = np.zeros(10_000)
    flags[[300, 5_000]] = 1
    assert fit_of(flags) == (0, 1)


def test_values_that_are_not_finite_do_not_count() -> None:
    odd = np.random.default_rng(3).normal(0, 1, 2_000)
    odd[[0, 5, 700, 1_999]] = [math.nan, math.inf, -math.inf, math.nan]
    finite = odd[np.isfinite(odd)]
    assert fit_of(odd) == (finite.min(), finite.max())
    low, high = fit_of([math.nan, math.inf])
    assert low > high


def test_smoothed_lines_are_fitted_by_the_same_rule() -> None:
    values = np.random.default_rng(4).normal(0, 1, 4_000)
    smooth = smoothing.parse("ema:0.9").apply(np.arange(4_000), np.linspace(0, 3_999, 4_000), values)
    low, high = fit_of(values, smoothed="ema:0.9")
    assert (low, high) == (smooth.min(), smooth.max())
