"""Images: numbers in any order of dimensions become a PNG.

As in PyTorch's writer: uint8 is used unchanged, everything else is 0 to 1; gray becomes RGB; a batch becomes a grid of
eight columns. Pillow is used if it is installed and needed (labels of boxes, resizing); images need only NumPy.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lightboard import wire
from lightboard.sdk import overlays, png, summary_messages, tensors, trouble

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

_COLUMNS = 8
_RED = (255, 0, 0)
_THICKNESS = 2


def value(tag: str, pixels: Array, *, rescale: float = 1, over: bytes = b"") -> bytes:
    """Summary.Value of one image, uint8 (height, width, channels); `over`: its boxes and masks, packed."""
    height, width, channels = pixels.shape
    if rescale != 1:
        pixels = _resized(pixels, int(height * rescale), int(width * rescale))
    picture = png.encode(pixels, (overlays.CHUNK, over) if over else None)
    return encoded_value(tag, picture, height, width, channels)


def encoded_value(tag: str, picture: bytes, height: int, width: int, channels: int) -> bytes:
    """Summary.Value of an encoded image file: PNG, GIF, JPEG."""
    image = wire.integer(1, height) + wire.integer(2, width) + wire.integer(3, channels) + wire.text(4, picture)
    return summary_messages.value(tag, wire.message(4, image))


def pixels(data: Any, dataformats: str) -> Array:
    """Returns uint8 (height, width, channels). Letters name the dimensions of the data: CHW, HWC, HW, NCHW, NHWC …"""
    if is_pillow(data):
        return _grown(_pillow_array(data))
    array = tensors.array(data)
    letters = dataformats.upper()
    if len(set(letters)) != len(letters):
        raise ValueError(f"dataformats names a dimension twice: {dataformats}")
    if array.ndim != len(letters):
        raise ValueError(f"dataformats {dataformats} is of {len(letters)} dimensions, the picture of {array.shape}")
    array = as_bytes(array)
    if len(letters) == 4:
        return grid(_ordered(array, letters, "NHWC"), _COLUMNS)
    if len(letters) == 3:
        return _grown(_ordered(array, letters, "HWC"))
    return _grown(_ordered(array, letters, "HW")[:, :, None])


def as_bytes(numbers: Array) -> Array:
    """Scales 0 to 1 to 0 to 255; bytes are unchanged."""
    import numpy as np

    if numbers.dtype == np.uint8:
        return numbers
    if numbers.dtype.kind not in "biuf" and str(numbers.dtype) != "bfloat16":
        raise TypeError(f"a picture is made of numbers, not of {numbers.dtype}")
    scaled = numbers.astype(np.float32)
    scaled *= 255
    np.clip(scaled, 0, 255, out=scaled)
    with np.errstate(invalid="ignore"):  # NaN becomes black
        return scaled.astype(np.uint8)


def grid(batch: Array, columns: int) -> Array:
    """Arranges a batch (n, height, width, channels) in one image, black where there is none."""
    import numpy as np

    batch = _grown(batch)
    count, height, width, channels = batch.shape
    if not count:
        raise ValueError("a batch without pictures")
    columns = min(count, columns)
    rows = -(-count // columns)
    canvas = np.zeros((rows * columns, height, width, channels), batch.dtype)
    canvas[:count] = batch
    side_by_side = canvas.reshape(rows, columns, height, width, channels).transpose(0, 2, 1, 3, 4)
    joined: Array = side_by_side.reshape(rows * height, columns * width, channels)
    return joined


def is_pillow(data: Any) -> bool:
    """Returns whether this is a Pillow image, without importing Pillow."""
    module = sys.modules.get("PIL.Image")
    return module is not None and isinstance(data, module.Image)


def _pillow_array(picture: Any) -> Array:
    import numpy as np

    if picture.mode not in ("L", "RGB", "RGBA"):
        picture = picture.convert("RGBA" if "A" in picture.mode or "transparency" in picture.info else "RGB")
    array: Array = np.asarray(picture)
    return array if array.ndim == 3 else array[:, :, None]


def _ordered(array: Array, letters: str, wanted: str) -> Array:
    if sorted(letters) != sorted(wanted):
        raise ValueError(f"dataformats may name {', '.join(wanted)} in any order, not {letters}")
    result: Array = array.transpose([letters.index(each) for each in wanted])
    return result


def _grown(found: Array) -> Array:
    """Converts gray to RGB."""
    import numpy as np

    return np.repeat(found, 3, axis=-1) if found.shape[-1] == 1 else found


def _resized(found: Array, height: int, width: int) -> Array:
    import numpy as np

    try:
        from PIL import Image  # type: ignore[import-not-found,unused-ignore]
    except ImportError:  # use the nearest pixels
        rows = np.arange(height) * found.shape[0] // max(height, 1)
        columns = np.arange(width) * found.shape[1] // max(width, 1)
        result: Array = found[rows][:, columns]
        return result
    return np.asarray(Image.fromarray(found).resize((width, height), Image.Resampling.LANCZOS))


# ---- boxes ----


def with_boxes(found: Array, boxes: Any, labels: Sequence[str] | str | None = None) -> Array:
    """Draws red boxes (left, top, right, bottom) on a copy, with their labels if Pillow is installed."""
    import numpy as np

    places = tensors.numbers(boxes)
    if places.ndim != 2 or places.shape[1] != 4:
        raise ValueError(f"boxes are rows of (left, top, right, bottom), not {places.shape}")
    if isinstance(labels, str):
        labels = [labels]
    if labels is not None and len(labels) != len(places):
        trouble.warn(f"{len(labels)} labels for {len(places)} boxes: labels are left out")
        labels = None
    try:
        from PIL import Image, ImageDraw, ImageFont
    except ImportError:
        if labels is not None:
            trouble.warn("labels of boxes are left out: writing them needs Pillow (`pip install pillow`)")
        drawn = found.copy()
        for left, top, right, bottom in np.rint(places).astype(int).tolist():
            _frame(drawn, left, top, right, bottom)
        result: Array = drawn
        return result
    picture = Image.fromarray(np.ascontiguousarray(found))
    draw, font = ImageDraw.Draw(picture), ImageFont.load_default()
    for at, (left, top, right, bottom) in enumerate(places.tolist()):
        corners = [(left, top), (left, bottom), (right, bottom), (right, top), (left, top)]
        draw.line(corners, width=_THICKNESS, fill=_RED)
        if labels is not None and labels[at]:
            _label(draw, font, labels[at], left, bottom)
    return np.asarray(picture)


def _label(draw: Any, font: Any, text: str, left: float, bottom: float) -> None:
    """Draws black text on red at the lower edge of the box."""
    import math

    x0, y0, x1, y1 = font.getbbox(text)
    width, height = x1 - x0, y1 - y0
    margin = math.ceil(0.05 * height)
    draw.rectangle([(left, bottom - height - 2 * margin), (left + width, bottom)], fill=_RED)
    draw.text((left + margin, bottom - height - margin), text, fill=(0, 0, 0), font=font)


def _frame(canvas: Array, left: int, top: int, right: int, bottom: int) -> None:
    color = [*_RED, 255][: canvas.shape[2]]
    x0, x1, y0, y1 = max(left - 1, 0), max(right + 1, 0), max(top - 1, 0), max(bottom + 1, 0)
    for rows, columns in (
        (slice(y0, max(top + 1, 0)), slice(x0, x1)),
        (slice(max(bottom - 1, 0), y1), slice(x0, x1)),
        (slice(y0, y1), slice(x0, max(left + 1, 0))),
        (slice(y0, y1), slice(max(right - 1, 0), x1)),
    ):
        canvas[rows, columns] = color


# ---- figures ----


def figure_pixels(figure: Any, close: bool) -> Array:
    """A matplotlib figure, or a list of them in a grid, as RGB."""
    import numpy as np

    if isinstance(figure, (list, tuple)):
        return grid(np.stack([figure_pixels(each, close) for each in figure]), _COLUMNS)
    from matplotlib.backends import backend_agg  # type: ignore[import-not-found,unused-ignore]

    canvas = backend_agg.FigureCanvasAgg(figure)
    canvas.draw()
    drawn = np.asarray(canvas.buffer_rgba())[:, :, :3].copy()
    pyplot = sys.modules.get("matplotlib.pyplot")  # only pyplot keeps figures alive; it may not be imported
    if close and pyplot is not None:
        pyplot.close(figure)
    result: Array = drawn
    return result
