"""Batches of images and audio clips, with TensorFlow's shapes, encoded as in its summaries."""

from __future__ import annotations

import io
import wave
from typing import TYPE_CHECKING, Any

from lightboard.sdk import png, tensors

if TYPE_CHECKING:
    import numpy as np


def images(data: Any, max_outputs: int) -> list[bytes]:
    """[width, height, png, png, …] of an array [k, h, w, c]."""
    pixels = to_uint8(tensors.numbers(data))
    if pixels.ndim != 4 or not 1 <= pixels.shape[3] <= 4:
        raise ValueError(f"images are [k, height, width, channels] with 1 to 4 channels, these are {pixels.shape}")
    _, height, width, _ = pixels.shape
    return [str(width).encode(), str(height).encode(), *(png.encode(each) for each in pixels[: _at_most(max_outputs)])]


def to_uint8(pixels: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Converts floats in [0, 1] and integers of any width to bytes, clipped; as `tf.image.convert_image_dtype`."""
    import numpy as np

    kind, dtype = pixels.dtype.kind, pixels.dtype
    scaled: np.ndarray[Any, Any]
    if dtype == np.uint8:
        return pixels
    if kind == "b":
        scaled = pixels.astype(np.uint8) * np.uint8(255)
    elif kind in "iu" and np.iinfo(dtype).max > 255:
        scaled = np.clip(pixels // ((int(np.iinfo(dtype).max) + 1) // 256), 0, 255).astype(np.uint8)
    elif kind in "iu":  # int8
        scaled = np.clip(pixels, 0, 127).astype(np.uint8) * np.uint8(2)
    else:
        # 255.5, because the cast truncates: 1.0 becomes 255. NaN becomes black.
        scaled = np.nan_to_num(np.clip(pixels.astype(np.float32, copy=False) * 255.5, 0, 255)).astype(np.uint8)
    return scaled


def clips(data: Any, sample_rate: int, max_outputs: int) -> list[bytes]:
    """WAV files of an array [k, frames, channels] of numbers in [-1, 1]."""
    samples = tensors.numbers(data)
    if samples.ndim != 3:
        raise ValueError(f"audio is [k, frames, channels], this is {samples.shape}")
    if sample_rate <= 0:
        raise ValueError(f"a sample rate is more than 0: {sample_rate}")
    return [wav(each, sample_rate) for each in samples[: _at_most(max_outputs)]]


def wav(samples: np.ndarray[Any, Any], sample_rate: int) -> bytes:
    """One clip [frames, channels] as 16-bit WAV."""
    import numpy as np

    loud = np.nan_to_num(samples.astype(np.float64, copy=False)) * 32768.0
    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setnchannels(max(1, samples.shape[1]))
        out.setsampwidth(2)
        out.setframerate(sample_rate)
        out.writeframes(np.clip(np.round(loud), -32768, 32767).astype("<i2").tobytes())
    return file.getvalue()


def _at_most(max_outputs: int) -> int:
    if max_outputs < 0:
        raise ValueError(f"max_outputs is not negative: {max_outputs}")
    return int(max_outputs)
