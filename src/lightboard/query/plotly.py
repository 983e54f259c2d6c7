"""Plotly: each step holds figures as JSON, with `data` and `layout`."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

from lightboard import errors, types
from lightboard.query import series


@dataclasses.dataclass(frozen=True)
class Plotly:
    """The figures of one step, for `plotly.graph_objects.Figure(figure)`."""

    step: int
    wall_time: float
    figures: tuple[dict[str, Any], ...]


def _decode(step: int, wall_time: float, tensor: types.Tensor) -> Plotly:
    return Plotly(step, wall_time, tuple(_figure(each) for each in series.strings(tensor)))


def _figure(data: bytes) -> dict[str, Any]:
    try:
        found = json.loads(data.decode("utf-8", "replace"))
    except (ValueError, RecursionError) as failure:
        raise errors.Unreadable(f"this figure is not JSON: {failure}", code="figure.not_json") from failure
    if not isinstance(found, dict):
        raise errors.Unreadable("this figure is not an object with `data` and `layout`", code="figure.not_figure")
    return found


read = series.Reader(types.Kind.PLOTLY, _decode)
