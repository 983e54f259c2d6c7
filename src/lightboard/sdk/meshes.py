"""Meshes and point clouds: up to three tensors (vertices, faces, colors), each a separate value."""

from __future__ import annotations

import json
from typing import Any

from lightboard import wire
from lightboard.sdk import summary_messages, tensors

_PARTS = ((1, "VERTEX"), (2, "FACE"), (3, "COLOR"))  # content types of MeshPluginData
_TENSOR = 2  # data class


def values(tag: str, vertices: Any, colors: Any, faces: Any, config: dict[str, Any] | None) -> list[bytes]:
    """Summary.Values of one mesh, one for each tensor that is given."""
    parts = [(number, name, each) for (number, name), each in zip(_PARTS, (vertices, faces, colors), strict=True)]
    present = [(number, name, tensors.numbers(each)) for number, name, each in parts if each is not None]
    components = sum(1 << number for number, _, _ in present)
    settings = "{}" if config is None else json.dumps(config, sort_keys=True)
    serialized = []
    for number, name, array in present:
        if array.ndim != 3:
            raise ValueError(f"a mesh's {name.lower()} tensor is batch × count × 3, not {array.shape}")
        content = (
            wire.text(2, tag) + wire.integer(3, number) + wire.text(5, settings)
            + wire.message(6, b"".join(wire.varint(size) for size in array.shape)) + wire.integer(7, components)
        )  # fmt: skip
        tensor = summary_messages.numeric_tensor(1, array.astype("<f4").tobytes(), array.shape)
        metadata = summary_messages.metadata("mesh", content=content, data_class=_TENSOR)
        serialized.append(summary_messages.tensor_value(f"{tag}_{name}", tensor, metadata))
    return serialized
