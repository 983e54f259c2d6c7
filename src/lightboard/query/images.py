"""Images: each step holds some encoded pictures and the width and height their writer stated."""

from __future__ import annotations

import dataclasses

from lightboard import errors, types
from lightboard.query import series

# A value is the strings [width, height, image, image, ...].
LEADING = series.leading(types.Kind.IMAGES)


@dataclasses.dataclass(frozen=True)
class Images:
    """The pictures of one step. Width and height are what the writer stated; None where that is no number."""

    step: int
    wall_time: float
    width: int | None
    height: int | None
    blobs: tuple[bytes, ...]


def _decode(step: int, wall_time: float, tensor: types.Tensor) -> Images:
    strings = series.strings(tensor, least=LEADING)
    if len(tensor.shape) != 1:
        raise errors.Unreadable(f"expected a list of strings, found a tensor of shape {list(tensor.shape)}")
    return Images(step, wall_time, _number(strings[0]), _number(strings[1]), tuple(strings[LEADING:]))


def _number(text: bytes) -> int | None:
    try:
        return int(text)
    except ValueError:
        return None


read = series.Reader(types.Kind.IMAGES, _decode)
