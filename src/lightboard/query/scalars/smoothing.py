"""Smoothing by a short text such as `ema:0.6` or `median:21`, applied to all points of a series.

    none                     the values as they are
    ema:0.6                  TensorBoard's debiased moving average with weight 0.6, by point
    time_ema:0.9             the same, forgetting by wall time; time_ema:0.9:step by step, time_ema:0.9:wall:60 with the
                             weight meant per 60 s instead of per typical gap
    gaussian:5               sigma of 5 points; gaussian:100:step of 100 steps, gaussian:30:wall of 30 s
    mean:21, median:21       window of 21 points around each point; mean:21:trailing the last 21

Formulas: docs/explanation/smoothing.md. Pure functions over arrays; thinning is applied afterwards.
"""

from __future__ import annotations

import dataclasses
import enum
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightboard import errors, kernels


class Kind(enum.Enum):
    NONE = "none"
    EMA = "ema"
    TIME_EMA = "time_ema"
    GAUSSIAN = "gaussian"
    MEAN = "mean"
    MEDIAN = "median"


class Axis(enum.Enum):
    """The unit of distances."""

    POINT = "point"
    STEP = "step"
    WALL = "wall"


MAX_WINDOW = 10_000_000
"""The limit of points in a window; larger numbers are not useful."""

_HINT = "write it like `ema:0.6`, `time_ema:0.9:wall`, `gaussian:5`, `mean:21`, `median:21` or `none`"


@dataclasses.dataclass(frozen=True)
class Smoothing:
    """`parameter` is a weight, a sigma or a window; `unit` (time_ema only) is None for the series' typical gap."""

    kind: Kind = Kind.NONE
    parameter: float = 0.0
    axis: Axis = Axis.POINT
    unit: float | None = None
    trailing: bool = False

    def __str__(self) -> str:
        if self.kind is Kind.NONE:
            return "none"
        parts = [self.kind.value, _number_text(self.parameter)]
        if self.kind is Kind.TIME_EMA or (self.kind is Kind.GAUSSIAN and self.axis is not Axis.POINT):
            parts.append(self.axis.value)
        if self.unit is not None:
            parts.append(_number_text(self.unit))
        if self.trailing:
            parts.append("trailing")
        return ":".join(parts)

    @property
    def enabled(self) -> bool:
        """Whether the result differs from the input: TensorBoard draws no second line for weight 0."""
        if self.kind in (Kind.EMA, Kind.TIME_EMA):
            return self.parameter > 0
        if self.kind in (Kind.MEAN, Kind.MEDIAN):
            return self.parameter > 1
        return self.kind is not Kind.NONE

    def apply(
        self, steps: NDArray[np.int64], wall_times: NDArray[np.float64], values: NDArray[Any]
    ) -> NDArray[np.floating[Any]]:
        """Return the smoothed values, one per point. NaN and ±Inf stay unchanged."""
        x = wall_times if self.axis is Axis.WALL else steps
        if self.kind is Kind.EMA:
            return kernels.ema(values, self.parameter)
        if self.kind is Kind.TIME_EMA:
            return kernels.time_ema(x, values, self.parameter, unit=self.unit)
        if self.kind is Kind.GAUSSIAN:
            return kernels.gaussian(values, self.parameter, x=None if self.axis is Axis.POINT else x)
        if self.kind is Kind.MEAN:
            return kernels.running_mean(values, int(self.parameter), trailing=self.trailing)
        if self.kind is Kind.MEDIAN:
            return kernels.running_median(values, int(self.parameter), trailing=self.trailing)
        return values

    @property
    def kernel(self) -> kernels.Smoother:
        """The same for many series in one call."""
        if not self.enabled:
            return kernels.Smoother()
        kind, axis = list(Kind).index(self.kind), list(Axis).index(self.axis)
        if self.kind in (Kind.MEAN, Kind.MEDIAN):
            return kernels.Smoother(kind, **_reach(int(self.parameter), self.trailing))
        by = axis or 1 if self.kind is Kind.TIME_EMA else axis
        return kernels.Smoother(kind, by, self.parameter, self.unit or 0.0)


def _reach(window: int, trailing: bool) -> dict[str, int]:
    return {"before": window - 1} if trailing else {"before": window // 2, "after": (window - 1) // 2}


def parse(text: str) -> Smoothing:
    """Parse a text such as `ema:0.6`; raises `BadInput` that says what is wrong. A bare number is an EMA weight."""
    word, *rest = text.strip().lower().split(":")
    if word in ("", Kind.NONE.value) and not rest:
        return Smoothing()
    if not rest and _maybe_number(word) is not None:
        word, rest = Kind.EMA.value, [word]
    try:
        kind = Kind(word)
    except ValueError:
        raise errors.BadQuestion(f"unknown smoothing {word!r}", hint=_HINT) from None
    if kind is Kind.NONE or not rest:
        raise errors.BadQuestion(f"smoothing {text!r} has {'too many' if rest else 'too few'} parts", hint=_HINT)
    parameter, options = _maybe_number(rest[0]), rest[1:]
    if parameter is None:
        raise errors.BadQuestion(f"{rest[0]!r} is not a number in smoothing {text!r}", hint=_HINT)
    made = _with_options(Smoothing(kind, parameter), options, text)
    _check(made)
    return made


def _with_options(made: Smoothing, options: list[str], text: str) -> Smoothing:
    if made.kind is Kind.TIME_EMA:
        made = dataclasses.replace(made, axis=Axis.WALL)
    if made.kind in (Kind.TIME_EMA, Kind.GAUSSIAN) and options and options[0] in ("step", "wall"):
        made = dataclasses.replace(made, axis=Axis(options.pop(0)))
    if made.kind is Kind.TIME_EMA and options and (unit := _maybe_number(options[0])) is not None:
        options.pop(0)
        made = dataclasses.replace(made, unit=unit)
    if made.kind in (Kind.MEAN, Kind.MEDIAN) and options == ["trailing"]:
        options.pop(0)
        made = dataclasses.replace(made, trailing=True)
    if options:
        raise errors.BadQuestion(f"cannot use {options[0]!r} in smoothing {text!r}", hint=_HINT)
    return made


def _check(made: Smoothing) -> None:
    value = made.parameter
    if made.kind in (Kind.EMA, Kind.TIME_EMA) and not 0 <= value <= 1:
        raise errors.BadQuestion(f"a smoothing weight is from 0 to 1, got {value:g}")
    if made.kind is Kind.GAUSSIAN and value <= 0:
        raise errors.BadQuestion(f"a smoothing sigma is above 0, got {value:g}")
    if made.kind in (Kind.MEAN, Kind.MEDIAN) and not (value == int(value) and 1 <= value <= MAX_WINDOW):
        raise errors.BadQuestion(f"a smoothing window is a whole number from 1 to {MAX_WINDOW}, got {value:g}")
    if made.unit is not None and made.unit <= 0:
        raise errors.BadQuestion(f"the unit of a smoothing weight is above 0, got {made.unit:g}")


def _maybe_number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _number_text(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(value)
