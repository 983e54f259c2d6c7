"""Boxes and masks of an image, stored beside its pixels: the page draws them over it, and can hide them.

They are in the PNG itself, in a chunk that other programs ignore, so that no second series is needed.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterable, Mapping
from typing import Any

from lightboard.sdk import png, tensors

# The same name as in query/images.py. The lowercase first letter says that others may ignore the chunk, the uppercase
# last one that an edited image loses it.
CHUNK = b"lbOV"


def packed(boxes: Any, masks: Any) -> bytes:
    """Returns the content of the chunk; empty if there are neither."""
    if boxes is None and masks is None:
        return b""
    content = {"boxes": _boxes(boxes), "masks": _masks(masks)}
    return zlib.compress(json.dumps(content, allow_nan=False, separators=(",", ":")).encode())


def _boxes(boxes: Any) -> list[dict[str, Any]]:
    """Accepts a list of boxes, or a mapping from group to such lists."""
    if boxes is None:
        return []
    if isinstance(boxes, Mapping):
        return [{**box, "group": str(group)} for group, some in boxes.items() for box in _list(some)]
    return _list(boxes)


def _list(boxes: Iterable[Any]) -> list[dict[str, Any]]:
    return [_box(box) if isinstance(box, Mapping) else _box({"box": box}) for box in boxes]


def _box(box: Mapping[str, Any]) -> dict[str, Any]:
    places = tensors.numbers(box["box"]).ravel()
    if places.shape != (4,):
        raise ValueError(f"a box is (left, top, right, bottom) in pixels, not {box['box']!r}")
    entry: dict[str, Any] = {"box": [float(edge) for edge in places], "label": str(box.get("label", ""))}
    if box.get("score") is not None:
        entry["score"] = float(box["score"])
    return entry


def _masks(masks: Any) -> list[dict[str, Any]]:
    """Accepts, by name, a mask or {"mask": …, "labels": {class: name}}."""
    entries = []
    for name, mask in (masks or {}).items():
        labels: Mapping[Any, Any] = mask.get("labels", {}) if isinstance(mask, Mapping) else {}
        classes = tensors.array(mask["mask"] if isinstance(mask, Mapping) else mask)
        if (
            classes.ndim != 2
            or classes.dtype.kind not in "biu"
            or (classes.size and not 0 <= classes.min() <= classes.max() < 256)
        ):
            raise ValueError(f"the mask {name} is not rows and columns of classes from 0 to 255")
        picture = png.encode(classes.astype("uint8")[:, :, None])
        text = {str(key): str(label) for key, label in labels.items()}
        entries.append({"name": str(name), "png": base64.b64encode(picture).decode(), "labels": text})
    return entries
