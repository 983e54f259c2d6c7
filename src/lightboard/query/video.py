"""Video: each step holds some files, MP4 or WebM. Animated GIFs of TensorBoard's writers are images."""

from __future__ import annotations

import dataclasses

from lightboard import store, types
from lightboard.formats import film_headers, media
from lightboard.query import blobs, series


@dataclasses.dataclass(frozen=True)
class Video:
    """The videos of one step."""

    step: int
    wall_time: float
    films: tuple[bytes, ...]


@dataclasses.dataclass(frozen=True, kw_only=True)
class VideoFacts:
    """What a film is, told by its head. None: it does not say."""

    content_type: str
    bytes: int
    codec: str
    width_px: int | None
    height_px: int | None
    seconds: float | None
    frames: int | None
    times: list[float]  # seconds at which each frame is shown, rising; empty where unknown
    has_sound: bool
    whole: bool  # false: the file ends before it should


def facts(source: store.Store, key: str) -> VideoFacts:
    """Return the facts about the video with this key."""
    data = blobs.read(source, key, (types.Kind.VIDEO,)).data
    found = film_headers.read(data)
    return VideoFacts(
        content_type=media.film(data),
        bytes=len(data),
        codec=found.codec,
        width_px=found.width_px,
        height_px=found.height_px,
        seconds=found.seconds,
        frames=found.frames,
        times=list(found.times),
        has_sound=found.has_sound,
        whole=found.whole and len(data) > 0,
    )


def _decode(step: int, wall_time: float, tensor: types.Tensor) -> Video:
    return Video(step, wall_time, tuple(series.strings(tensor)))


read = series.Reader(types.Kind.VIDEO, _decode)
