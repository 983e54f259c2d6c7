"""Rows and columns encoded as JSON or CSV without creating Python objects: a million points take a tenth of a
second."""

from __future__ import annotations

import dataclasses
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from lightboard import store

Item = TypeVar("Item")

_WORDS = ('"NaN"', '"Infinity"', '"-Infinity"')
# Fields of kernels.RowForm: a starting board imports this module, but the kernels only for its first chart.
_ROWS = (("[", ", ", ", "), "]", ", ", *_WORDS)
_POINTS = (('{"wallTime": ', ', "step": ', ', "value": '), "}", ", ", *_WORDS)
_CSV = (("", ",", ","), "\r\n", "", "nan", "inf", "-inf")


@dataclasses.dataclass(frozen=True)
class Column:
    """Numbers of a response that are encoded without becoming Python objects; None if `present` is false."""

    values: NDArray[Any]
    present: NDArray[np.bool_] | None = None

    def tolist(self) -> list[Any]:
        items: list[Any] = self.values.tolist()
        if self.present is not None:
            for position in np.nonzero(~self.present)[0].tolist():
                items[position] = None
        return items

    def json(self) -> bytes:
        from lightboard import kernels

        return kernels.column_text(self.values, self.present)


class JsonCachedList(list[Item]):
    """An immutable list that caches its JSON encoding."""

    text: bytes | None = None


def json_rows(points: store.Points) -> bytes:
    """Return [[wall time, step, value], …]."""
    return b"[" + _text(points, _ROWS) + b"]"


def json_points(points: store.Points) -> bytes:
    """Return [{wallTime, step, value}, …]."""
    return b"[" + _text(points, _POINTS) + b"]"


def csv(points: store.Points) -> bytes:
    return b"Wall time,Step,Value\r\n" + _text(points, _CSV)


def _text(points: store.Points, form: tuple[tuple[str, str, str], str, str, str, str, str]) -> bytes:
    from lightboard import kernels

    return kernels.row_text(points.wall_times, points.steps, points.values, kernels.RowForm(*form))
