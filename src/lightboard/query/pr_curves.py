"""Precision-recall curves: each step holds a table of six rows over n thresholds evenly spaced from 0 to 1.

ROC curves and F1 are derived from the same counts.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lightboard import errors, types
from lightboard import store as store_
from lightboard.query import series

ROWS = ("true_positives", "false_positives", "true_negatives", "false_negatives", "precision", "recall")
DERIVED = ("true_positive_rate", "false_positive_rate", "f1")
# The limit of one request.
MAX_CURVES = 10_000
MAX_POINTS = 5_000_000

Numbers = NDArray[np.float64]


@dataclasses.dataclass(frozen=True)
class PrCurve:
    """`table` is [6, n], rows as in `ROWS`."""

    step: int
    wall_time: float
    table: Numbers

    @property
    def thresholds(self) -> Numbers:
        return np.linspace(0.0, 1.0, self.table.shape[1])

    @property
    def defined(self) -> int:
        """The number of thresholds to show: precision is undefined after the last one with any predicted positive."""
        positives = np.nan_to_num(self.table[0]).astype(np.int64) + np.nan_to_num(self.table[1]).astype(np.int64)
        counted = np.nonzero(positives)[0]
        return int(counted[-1]) + 1 if len(counted) else min(1, self.table.shape[1])

    @property
    def rates(self) -> tuple[Numbers, Numbers]:
        """True and false positive rate at each threshold: a ROC curve. NaN if there are no positives or no
        negatives."""
        hits, alarms, silence, misses = self.table[:4]
        return _share(hits, hits + misses), _share(alarms, alarms + silence)

    @property
    def f1(self) -> Numbers:
        hits, alarms, _, misses = self.table[:4]
        return _share(2 * hits, 2 * hits + alarms + misses)

    @property
    def average_precision(self) -> float | None:
        """Area below the precision-recall curve as a sum of steps; None if there are no positives."""
        shown = slice(self.defined)
        precision, recall = self.table[4, shown], self.table[5, shown]
        usable = np.isfinite(precision) & np.isfinite(recall)
        if not usable.any() or not np.nanmax(self.table[0] + self.table[3], initial=0.0) > 0:
            return None
        order = np.argsort(-recall[usable], kind="stable")
        precision, recall = precision[usable][order], recall[usable][order]
        return float(np.sum(precision * (recall - np.append(recall[1:], 0.0))))

    @property
    def roc_area(self) -> float | None:
        """Area below the ROC curve, whose ends are (0, 0) and (1, 1); None if there are no positives or no
        negatives."""
        hits, alarms = self.rates
        usable = np.isfinite(hits) & np.isfinite(alarms)
        if not usable.any():
            return None
        y, x = np.array([0.0, *hits[usable], 1.0]), np.array([0.0, *alarms[usable], 1.0])
        order = np.lexsort((y, x))
        x, y = x[order], y[order]
        return float(np.sum(np.diff(x) * (y[1:] + y[:-1]) / 2))


def _share(part: Numbers, whole: Numbers) -> Numbers:
    return np.divide(part, whole, out=np.full_like(part, np.nan), where=whole > 0)


def _decode(step: int, wall_time: float, tensor: types.Tensor) -> PrCurve:
    return PrCurve(step, wall_time, series.table(tensor, rows=6))


read = series.Reader(types.Kind.PR_CURVES, _decode)


# ---- several curves for a page


@dataclasses.dataclass(frozen=True, kw_only=True)
class Curve:
    """One step of one series. Its numbers are those from `first` on, one for each threshold, in every array."""

    run: str
    tag: str
    step: int | str | None  # None: there is no such point
    wall_time: float | str | None
    first: int
    thresholds: int
    defined: int  # precision means something up to this one
    average_precision: float | None
    roc_area: float | None
    best_f1: float | None
    best_threshold: float | None  # where F1 is best
    problem: errors.Explanation | None  # why there are no numbers


@dataclasses.dataclass(frozen=True)
class CurvesHeader:
    """Header of a frame of curves."""

    version: int  # of the store
    curves: list[Curve]  # as they were asked for


@dataclasses.dataclass(frozen=True)
class Found:
    """`arrays`: `threshold`, those of `ROWS` and of `DERIVED`, all f8, curve after curve."""

    header: CurvesHeader
    arrays: dict[str, Numbers]


@dataclasses.dataclass(frozen=True)
class PointSelector:
    """Selects a point by step (the last one of that step, or the one with this wall time); step None: the newest."""

    run: str
    tag: str
    step: int | None = None
    wall_time: float | None = None


def curves(
    source: store_.Store, selectors: Sequence[PointSelector], *, rewinds: types.Rewinds = types.Rewinds.LATEST
) -> Found:
    if len(selectors) > MAX_CURVES:
        raise errors.BadQuestion(
            f"{len(selectors)} curves in one request", hint=f"ask for at most {MAX_CURVES} at a time"
        )
    version, described = source.version, []
    columns: list[list[Numbers]] = []
    first = 0
    for selector in selectors:
        found = _one(source, selector, rewinds)
        if isinstance(found, errors.Explanation):
            described.append(
                Curve(
                    run=selector.run,
                    tag=selector.tag,
                    step=None,
                    wall_time=None,
                    first=first,
                    thresholds=0,
                    defined=0,
                    average_precision=None,
                    roc_area=None,
                    best_f1=None,
                    best_threshold=None,
                    problem=found,
                )
            )
            continue
        described.append(_described(selector, found, first))
        first += found.table.shape[1]
        if first > MAX_POINTS:
            raise errors.BadInput(
                f"more than {MAX_POINTS} thresholds in one request",
                hint="ask for fewer curves",
                code="request.too_large",
            )
        columns.append([found.thresholds, *found.table, *found.rates, found.f1])
    names = ("threshold", *ROWS, *DERIVED)
    arrays = {name: np.concatenate([np.zeros(0), *(each[i] for each in columns)]) for i, name in enumerate(names)}
    return Found(CurvesHeader(version, described), arrays)


_NO_STEP = errors.Explanation("there is no such step", code="point.gone")


def _one(source: store_.Store, selector: PointSelector, rewinds: types.Rewinds) -> PrCurve | errors.Explanation:
    """Return the curve, or the reason why there is none."""
    try:
        steps = read(source, selector.run, selector.tag, rewinds=rewinds)
        position = _position(steps, selector)
        return _NO_STEP if position is None else steps[position]
    except errors.LightboardError as problem:
        return problem.explanation()


def _position(steps: series.Steps[PrCurve], selector: PointSelector) -> int | None:
    if selector.step is None:
        return len(steps) - 1 if len(steps) else None
    there = np.nonzero(steps.steps == selector.step)[0]
    if selector.wall_time is not None and len(there) > 1:
        at = steps.wall_times[there]
        there = there[at == selector.wall_time] if (at == selector.wall_time).any() else there
    return int(there[-1]) if len(there) else None


def _described(selector: PointSelector, curve: PrCurve, first: int) -> Curve:
    f1 = curve.f1
    best = int(np.nanargmax(f1)) if np.isfinite(f1).any() else None
    return Curve(
        run=selector.run,
        tag=selector.tag,
        step=curve.step,
        wall_time=curve.wall_time,
        first=first,
        thresholds=curve.table.shape[1],
        defined=curve.defined,
        average_precision=curve.average_precision,
        roc_area=curve.roc_area,
        best_f1=None if best is None else float(f1[best]),
        best_threshold=None if best is None else float(curve.thresholds[best]),
        problem=None,
    )
