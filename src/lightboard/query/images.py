"""Images: each step holds some encoded pictures and the width and height their writer stated."""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

from lightboard import errors, store, types
from lightboard.query import blobs, series

# A value is the strings [width, height, image, image, ...].
_LEADING = 2

_MAGIC = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"BM", "image/bmp"),
)


@dataclasses.dataclass(frozen=True)
class Images:
    """The pictures of one step. Width and height are what the writer stated; None where that is no number."""

    step: int
    wall_time: float
    width: int | None
    height: int | None
    blobs: tuple[bytes, ...]


class Listed(NamedTuple):
    """One picture that exists, without its bytes."""

    step: int
    wall_time: float
    key: str


def read(
    source: store.Store,
    run: str,
    tag: str,
    *,
    limit: int | None = None,
    rewinds: types.Rewinds = types.Rewinds.LATEST,
) -> series.Steps[Images]:
    found = series.find(source, types.Kind.IMAGES, run, tag)
    return series.Steps(found, series.shown(found, limit=limit, rewinds=rewinds), _decode)


def samples(source: store.Store, entry: series.Entry) -> int:
    """How many pictures one step has at most."""
    return max(series.max_count(source, entry) - _LEADING, 0)


def listed(steps: series.Steps[Images], sample: int) -> list[Listed]:
    """Where the sample-th picture of each step is; steps with fewer pictures are left out. Reads no picture."""
    points, element = steps.points, sample + _LEADING
    counts, walls, numbers = points.values["count"].tolist(), points.wall_times.tolist(), points.steps.tolist()
    return [
        Listed(numbers[position], walls[position], blobs.key(steps.series, points, position, element))
        for position in range(len(points))
        if sample >= 0 and counts[position] > element
    ]


def content_type(data: bytes) -> str:
    """By the first bytes, as no summary says it. Forms a page could run as a script (SVG) stay mere bytes."""
    for magic, name in _MAGIC:
        if data.startswith(magic):
            return name
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    if data[4:12] in (b"ftypavif", b"ftypavis"):
        return "image/avif"
    return "application/octet-stream"


def _decode(step: int, wall_time: float, tensor: types.Tensor) -> Images:
    strings = series.strings(tensor, least=_LEADING)
    if len(tensor.shape) != 1:
        raise errors.Unreadable(f"expected a list of strings, found a tensor of shape {list(tensor.shape)}")
    return Images(step, wall_time, _number(strings[0]), _number(strings[1]), tuple(strings[_LEADING:]))


def _number(text: bytes) -> int | None:
    try:
        return int(text)
    except ValueError:
        return None
