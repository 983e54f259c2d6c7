"""Videos: arrays become an animated GIF among the images, as in PyTorch's writer; MP4 and WebM files are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lightboard.sdk import gif, images, summary_messages, tensors

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

PLUGIN = "lightboard_video"
_BLOB = 3  # data class


def value(tag: str, data: Any, fps: float = 4, dataformats: str = "NTCHW") -> bytes:
    if isinstance(data, (bytes, bytearray, memoryview)):
        return file_value(tag, bytes(data))
    frames = _frames(tensors.array(data), dataformats)
    _, height, width, channels = frames.shape
    shown = frames if channels == 3 else frames[..., :3] if channels > 3 else frames.repeat(3, axis=-1)
    return images.encoded_value(tag, gif.encode(shown, fps), height, width, channels)


def file_value(tag: str, content: bytes) -> bytes:
    """Summary.Value of a complete file. A GIF is written as an image, which every board can play."""
    if content[:4] == b"GIF8":
        width, height = int.from_bytes(content[6:8], "little"), int.from_bytes(content[8:10], "little")
        return images.encoded_value(tag, content, height, width, 3)
    if content[4:8] == b"ftyp":
        kind = b"video/mp4"
    elif content[:4] == b"\x1a\x45\xdf\xa3":
        kind = b"video/webm"
    else:
        raise ValueError("these bytes are neither MP4 nor WebM nor GIF")
    tensor = summary_messages.string_tensor([content], [1])
    return summary_messages.tensor_value(tag, tensor, summary_messages.metadata(PLUGIN, content=kind, data_class=_BLOB))


def _frames(videos: Array, dataformats: str) -> Array:
    """Returns uint8 (time, height, width, channels). Videos of a batch form a grid, filled up to a power of two."""
    import numpy as np

    letters = dataformats.upper()
    if videos.ndim == 4 and len(letters) == 5:  # one video without a batch
        videos = videos[None]
        letters = "N" + letters.replace("N", "")
    if sorted(letters) != sorted("NTCHW") or videos.ndim != 5:
        raise ValueError(f"a video has the dimensions N, T, C, H, W, not {dataformats} of {videos.shape}")
    videos = images.as_bytes(videos.transpose([letters.index(each) for each in "NTCHW"]))
    count, time, channels, height, width = videos.shape
    if not videos.size:
        raise ValueError(f"a video without pixels: {videos.shape}")
    rows = 1 << (count.bit_length() - 1) // 2
    places = 1 << (count - 1).bit_length()
    padded = np.zeros((places, *videos.shape[1:]), np.uint8)
    padded[:count] = videos
    columns = places // rows
    side_by_side = padded.reshape(rows, columns, time, channels, height, width).transpose(2, 0, 4, 1, 5, 3)
    frames: Array = side_by_side.reshape(time, rows * height, columns * width, channels)
    return frames
