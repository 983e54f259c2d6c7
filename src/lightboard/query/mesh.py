"""Meshes: vertices, faces and colours of one mesh are tags of their own, joined by the name in their metadata."""

from __future__ import annotations

import dataclasses
import enum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightboard import errors, store, types
from lightboard.query import protobuf, series


class Part(enum.IntEnum):
    """What a tag holds of its mesh; numbers as in the metadata."""

    UNDEFINED = 0
    VERTEX = 1
    FACE = 2
    COLOR = 3


ALL_PARTS = sum(1 << part for part in (Part.VERTEX, Part.FACE, Part.COLOR))
# What a client gets, whatever the writer used.
DTYPES: dict[Part, Any] = {Part.VERTEX: np.dtype("<f4"), Part.FACE: np.dtype("<i4"), Part.COLOR: np.dtype("u1")}


@dataclasses.dataclass(frozen=True)
class Description:
    """MeshPluginData { version 1, name 2, content_type 3, json_config 5, shape 6, components 7 }

    `components` has bit `1 << part` set for each part the mesh has; 0: not said, as if it had all.
    """

    name: str
    part: Part
    config: str
    shape: tuple[int, ...]
    components: int


@dataclasses.dataclass(frozen=True)
class Mesh:
    """One part of a mesh at one step: [batch, n, 3], in the dtype it was written with."""

    step: int
    wall_time: float
    array: NDArray[Any]


def describe(metadata: types.Metadata) -> Description:
    fields = protobuf.parse(metadata.content)
    code = protobuf.integer(fields, 3)
    return Description(
        protobuf.text(fields, 2),
        Part(code) if code in set(Part) else Part.UNDEFINED,
        protobuf.text(fields, 5),
        tuple(protobuf.integers(fields, 6)),
        protobuf.integer(fields, 7),
    )


def maybe_describe(metadata: types.Metadata) -> Description | None:
    try:
        return describe(metadata)
    except errors.Unreadable:
        return None


def parts(source: store.Store, run: str, name: str) -> list[tuple[Description, store.Series]]:
    """The tags of a run that belong to the mesh of this name."""
    found = []
    for each in source.all_series(types.Kind.MESH, run=run):
        described = maybe_describe(each.metadata)
        if described is not None and described.name == name:
            found.append((described, each))
    return sorted(found, key=lambda pair: pair[0].part)


def numbers(found: Mesh, part: Part, sample: int) -> bytes:
    """One of the batch, row-major and little-endian."""
    if not 0 <= sample < len(found.array):
        raise errors.NotFound(f"No sample {sample} in a batch of {len(found.array)}")
    return bytes(found.array[sample].astype(DTYPES[part]).tobytes())


def _decode(step: int, wall_time: float, tensor: types.Tensor) -> Mesh:
    array = tensor.array
    if array is None or array.ndim != 3 or array.dtype.kind not in "fiub":
        raise errors.Unreadable(f"expected [batch, n, 3] numbers, found a tensor of shape {list(tensor.shape)}")
    return Mesh(step, wall_time, array)


# one part by its own tag (`<name>_VERTEX`)
read = series.Reader(types.Kind.MESH, _decode)
