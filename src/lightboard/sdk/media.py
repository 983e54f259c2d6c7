"""Values for `lightboard.log` that are more than a number: a wrapper says how to show them.

lightboard.log({"loss": 0.3, "sample": lightboard.Image(pixels), "weights": lightboard.Histogram(array)})
"""

from __future__ import annotations

import dataclasses
import os
from typing import Any

from lightboard import errors
from lightboard.sdk import optional


class Media:
    """A value with a method that writes it."""

    def write(self, writer: Any, tag: str, step: int) -> None:
        raise NotImplementedError


@dataclasses.dataclass(frozen=True)
class Image(Media):
    """Pixels (height × width, with or without channels; torch has channels first), a PIL image, a figure, or a path.

    Floats are from 0 to 1, integers from 0 to 255. The page draws boxes and masks over the pixels:

    boxes   [{"box": (left, top, right, bottom), "label": "cat", "score": 0.9}, …] in pixels, or such lists by group
    masks   {"prediction": array}, rows and columns of classes (0: nothing), or {"mask": array, "labels": {1: "road"}}
    """

    data: Any
    caption: str | None = None
    dataformats: str | None = None
    boxes: Any = None
    masks: Any = None

    def write(self, writer: Any, tag: str, step: int) -> None:
        data = self.data
        if isinstance(data, (str, os.PathLike)):
            data = _opened(data)
        if hasattr(data, "savefig"):
            writer.add_figure(tag, data, step, close=False)
            return
        if not hasattr(data, "shape"):
            import numpy as np

            data = np.asarray(data)
        layout = self.dataformats or _layout(data)
        writer.add_image(tag, data, step, dataformats=layout, boxes=self.boxes, masks=self.masks)
        if self.caption:
            writer.add_text(f"{tag}/caption", self.caption, step)


@dataclasses.dataclass(frozen=True)
class Audio(Media):
    """Sound from -1 to 1: samples, or samples × channels. Or a WAV, FLAC, MP3 or Ogg file: its bytes, or its path."""

    data: Any
    sample_rate: int = 44100

    def write(self, writer: Any, tag: str, step: int) -> None:
        writer.add_audio(tag, _content(self.data), step, sample_rate=self.sample_rate)


@dataclasses.dataclass(frozen=True)
class Histogram(Media):
    """The distribution of some numbers."""

    data: Any
    bins: str = "tensorflow"

    def write(self, writer: Any, tag: str, step: int) -> None:
        writer.add_histogram(tag, self.data, step, bins=self.bins)


@dataclasses.dataclass(frozen=True)
class Video(Media):
    """Batch × time × channels × height × width, or without the batch. Or an MP4, WebM or GIF file: bytes, or a path."""

    data: Any
    fps: int = 4

    def write(self, writer: Any, tag: str, step: int) -> None:
        data = _content(self.data)
        writer.add_video(tag, data[None] if getattr(data, "ndim", 5) == 4 else data, step, fps=self.fps)


@dataclasses.dataclass(frozen=True)
class Text(Media):
    """Markdown."""

    data: str

    def write(self, writer: Any, tag: str, step: int) -> None:
        writer.add_text(tag, str(self.data), step)


def _layout(data: Any) -> str:
    """Returns the order of dimensions: NumPy and PIL have channels last, torch first."""
    if len(data.shape) == 2:
        return "HW"
    if len(data.shape) != 3:
        raise errors.BadInput(f"an image has two or three dimensions, not shape {list(data.shape)}")
    first, last = data.shape[0] in (1, 3, 4), data.shape[-1] in (1, 3, 4)
    return "CHW" if first and (hasattr(data, "detach") or not last) else "HWC"


def _content(data: Any) -> Any:
    """Returns the content of the file at a path; anything else unchanged."""
    if not isinstance(data, (str, os.PathLike)):
        return data
    with open(data, "rb") as file:
        return file.read()


def _opened(path: str | os.PathLike[str]) -> Any:
    import numpy as np

    pictures: Any = optional.load("PIL.Image", "pip install pillow", "reading a picture file")
    with pictures.open(path) as picture:
        return np.asarray(picture)
