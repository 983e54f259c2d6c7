"""Keys for single blobs (an image, a clip, a page), and the bytes behind them.

A key is opaque to clients and contains everything needed to find the blob again:

    base64url(JSON [run, tag, step, wall time, offset of the value in its file, element])

The element is the index of a string in the value; if strings are in rows (a clip and its label), the index of a row.

A key only names a point: reading looks that point up in the store, so a forged key cannot reach any other byte of a
file, and a key from before a restart of the board still works.
"""

from __future__ import annotations

import base64
import binascii
import dataclasses
import json
import math
from collections.abc import Collection
from typing import Any, NamedTuple

import numpy as np

from lightboard import errors, store, types
from lightboard.query import kinds as kinds_
from lightboard.query import series as series_

# The limit for keys: run and tag may each be a few thousand characters.
KEY_LIMIT = 64_000


@dataclasses.dataclass(frozen=True)
class Blob:
    """`stated_type` is the content type that the writer stated, often empty; `beside` is the rest of its row: a
    label."""

    kind: types.Kind
    data: bytes
    stated_type: str = ""
    beside: tuple[bytes, ...] = ()

    @property
    def content_type(self) -> str:
        """Detect the type by the kind and the first bytes; the stated type is used for audio only."""
        return kinds_.BY_KIND[self.kind].content_type(self.data, self.stated_type)

    @property
    def is_text(self) -> bool:
        return kinds_.BY_KIND[self.kind].is_text


def key(series: store.Series, points: store.Points, position: int, element: int) -> str:
    offset = int(points.values[position]["offset"])
    named = [series.run, series.tag, int(points.steps[position]), float(points.wall_times[position]), offset, element]
    return base64.urlsafe_b64encode(json.dumps(named, separators=(",", ":")).encode()).rstrip(b"=").decode()


class Listed(NamedTuple):
    """One blob that exists, without its bytes."""

    step: int
    wall_time: float
    key: str


def listed(steps: series_.Steps[Any], sample: int) -> list[Listed]:
    """Return the sample-th element of each step; steps with fewer elements are left out. Reads no value."""
    points, element = steps.points, sample + series_.leading(steps.series.kind)
    counts, walls, numbers = points.values["count"].tolist(), points.wall_times.tolist(), points.steps.tolist()
    return [
        Listed(numbers[position], walls[position], key(steps.series, points, position, element))
        for position in range(len(points))
        if sample >= 0 and counts[position] > element
    ]


def read(source: store.Store, blob_key: str, kinds: Collection[types.Kind] = kinds_.BLOB_KINDS) -> Blob:
    """Raises BadInput if the key is invalid, NotFound if the point does not exist (any more)."""
    run, tag, step, wall_time, offset, element = _parse(blob_key)
    series = source.series(run, tag)
    if series is None or series.kind not in kinds:
        raise errors.NotFound(f"No blob for run={run!r}, tag={tag!r}", code="tag.unknown", run=run, tag=tag)
    points = series.points(types.Rewinds.ALL)
    same = (points.steps == step) & (points.values["offset"] == offset)
    same &= (points.wall_times == wall_time) | (np.isnan(points.wall_times) & np.isnan(wall_time))
    found = np.nonzero(same)[0]
    if not len(found):
        raise errors.NotFound(f"No such blob any more at step {step} of run={run!r}, tag={tag!r}", code="point.gone")
    try:
        tensor = series.tensor(int(found[0]), points)
    except errors.Unreadable as error:
        raise errors.NotFound(error.message, code="point.unreadable", because=error) from error
    row = max(1, math.prod(tensor.shape[1:])) if series.kind in kinds_.LISTED_KINDS else 1
    if tensor.strings is None or not 0 <= element * row < len(tensor.strings):
        raise errors.NotFound(f"No element {element} at step {step} of run={run!r}, tag={tag!r}", code="point.gone")
    first, *beside = tensor.strings[element * row : (element + 1) * row]
    return Blob(series.kind, first, tensor.content_type, tuple(beside))


def _parse(blob_key: str) -> tuple[str, str, int, float, int, int]:
    try:
        if len(blob_key) > KEY_LIMIT:
            raise ValueError("too long")
        raw = base64.b64decode(blob_key.encode("ascii") + b"=" * (-len(blob_key) % 4), altchars=b"-_", validate=True)
        run, tag, step, wall_time, offset, element = json.loads(raw)
    except (ValueError, TypeError, RecursionError, binascii.Error) as error:
        raise errors.BadQuestion("Malformed blob key") from error
    texts = isinstance(run, str) and isinstance(tag, str)
    # In Python, bool is a subclass of int; it is not accepted here.
    whole = all(type(number) is int and abs(number) < 1 << 63 for number in (step, offset, element))
    if not texts or not whole or type(wall_time) not in (int, float) or offset < 0:
        raise errors.BadQuestion("Malformed blob key")
    return run, tag, step, wall_time, offset, element
