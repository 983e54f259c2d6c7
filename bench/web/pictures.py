"""Analyzes a screencast: colored lines and changes inside areas of the page, frame by frame.

A frame is a JPEG of the whole viewport with its time. Areas are in CSS pixels; the picture may be smaller than the
viewport. This module is independent of the boards: a curve is many saturated pixels, a change is many pixels that
differ from the previous frame.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PIL import Image

Pixels = npt.NDArray[np.uint8]

SATURATED = 60  # difference of the strongest and the weakest channel; axes and text in gray are far below
CURVES_SHARE = 0.001  # share of an area's pixels that are saturated if it shows curves; two thin lines are more
DIFFERENT = 24  # a channel differs by this much; JPEG noise is zero in an unchanged area, and small near a changed one
CHANGED_SHARE = 0.0005  # share of an area's pixels that differ if it has changed


@dataclass(frozen=True)
class Area:
    """A rectangle of the page in CSS pixels, relative to the viewport."""

    x: float
    y: float
    width: float
    height: float

    def of(self, picture: Pixels, scale: float) -> Pixels:
        """Return the part of a picture, one pixel less on each side."""
        top, left = max(0, round(self.y * scale) + 1), max(0, round(self.x * scale) + 1)
        bottom, right = round((self.y + self.height) * scale) - 1, round((self.x + self.width) * scale) - 1
        return picture[top:bottom, left:right]


@dataclass(frozen=True)
class Frame:
    """One picture of the screen; `at` is seconds since 1970."""

    at: float
    jpeg: str  # base64, as received

    def pixels(self) -> Pixels:
        return np.asarray(Image.open(io.BytesIO(base64.b64decode(self.jpeg))).convert("RGB"))


@dataclass(frozen=True)
class Seen:
    """For each frame and area: the share of saturated pixels, and whether it differs from the previous frame."""

    at: npt.NDArray[np.float64]
    coloured: npt.NDArray[np.float64]
    changed: npt.NDArray[np.bool_]

    def first_curves(self) -> float | None:
        """Return when curves first appeared in any area."""
        return _first(self.at, np.any(self.coloured >= CURVES_SHARE, axis=1))

    def all_curves(self) -> float | None:
        """Return since when every area has had curves and no area has changed; None without curves."""
        if not len(self.at) or not (self.coloured[-1] >= CURVES_SHARE).all():
            return None
        return self.last_change()

    def first_change(self, after: float = 0.0) -> float | None:
        return _first(self.at, self.changed.any(axis=1) & (self.at >= after))

    def all_changed(self, after: float = 0.0) -> float | None:
        """Return when the last area changed for the first time; None if one never did."""
        firsts = [_first(self.at, column & (self.at >= after)) for column in self.changed.T]
        return max((at for at in firsts if at is not None), default=None) if None not in firsts else None

    def last_change(self, after: float = 0.0) -> float | None:
        when = self.at[self.changed.any(axis=1) & (self.at >= after)]
        return float(when[-1]) if len(when) else None

    def rates(self, begin: float, end: float) -> list[float]:
        """Return how often per second each area changed in this time."""
        inside = (self.at >= begin) & (self.at < end)
        return [float(count) / (end - begin) for count in self.changed[inside].sum(axis=0)]


def see(frames: Iterable[Frame], areas: Sequence[Area], *, viewport_width: int) -> Seen:
    """Analyze every frame once."""
    at: list[float] = []
    coloured: list[list[float]] = []
    changed: list[list[bool]] = []
    before: list[Pixels] = []
    for frame in frames:
        picture = frame.pixels()
        now = [area.of(picture, picture.shape[1] / viewport_width) for area in areas]
        at.append(frame.at)
        coloured.append([coloured_share(part) for part in now])
        changed.append([differ(*pair) for pair in zip(before, now, strict=True)] if before else [False] * len(now))
        before = now
    shape = (len(at), len(areas))
    return Seen(
        np.array(at, np.float64),
        np.array(coloured, np.float64).reshape(shape),
        np.array(changed, np.bool_).reshape(shape),
    )


def coloured_share(part: Pixels) -> float:
    """Return the share of pixels that are far from gray."""
    if not part.size:
        return 0.0
    return float(((part.max(axis=2).astype(np.int16) - part.min(axis=2)) > SATURATED).mean())


def differ(one: Pixels, other: Pixels) -> bool:
    """Return whether two pictures of an area differ."""
    if one.shape != other.shape:
        return True
    if not one.size:
        return False
    distance = np.abs(one.astype(np.int16) - other)
    return bool((distance.max(axis=2) > DIFFERENT).mean() >= CHANGED_SHARE)


def _first(at: npt.NDArray[np.float64], where: npt.NDArray[np.bool_] | np.bool_) -> float | None:
    found = at[where]
    return float(found[0]) if len(found) else None
