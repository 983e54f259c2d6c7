"""HTML: each step holds some pages, as they were written. They are shown in a sandbox, never as part of the board."""

from __future__ import annotations

import dataclasses

from lightboard import types
from lightboard.query import series


@dataclasses.dataclass(frozen=True)
class Html:
    """The pages of one step; bytes that are not UTF-8 were replaced by U+FFFD."""

    step: int
    wall_time: float
    pages: tuple[str, ...]


def _decode(step: int, wall_time: float, tensor: types.Tensor) -> Html:
    return Html(step, wall_time, tuple(page.decode("utf-8", "replace") for page in series.strings(tensor)))


read = series.Reader(types.Kind.HTML, _decode)
