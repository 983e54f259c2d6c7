"""Files of the projector: a matrix, labels and images of its rows, and `projector_config.pbtxt` that names them."""

from __future__ import annotations

import math
import os
import pathlib
import re
from collections.abc import Sequence
from typing import Any

from lightboard.sdk import images, png, tensors

CONFIG = "projector_config.pbtxt"
_LARGEST_SPRITE_PX = 8192
_ENTRY = re.compile(r"^embeddings \{\n.*?^\}\n", re.DOTALL | re.MULTILINE)


def write(
    logdir: str,
    matrix: Any,
    metadata: Sequence[Any] | None,
    pictures: Any,
    step: int,
    tag: str,
    header: Sequence[str] | None,
) -> None:
    """Write one embedding's files below `<step>/<tag>/` and add it to the directory's config."""
    points = tensors.numbers(matrix)
    if points.ndim != 2:
        raise ValueError(f"an embedding is points × dimensions, not {points.shape}")
    if metadata is not None and len(metadata) != len(points):
        raise ValueError(f"as many labels as points, not {len(metadata)} and {len(points)}")
    place = f"{str(step).zfill(5)}/{_escaped(tag)}"
    directory = pathlib.Path(logdir, place)
    entry = [f'tensor_name: "{_quoted(f"{tag}:{str(step).zfill(5)}")}"']
    files: dict[str, bytes] = {}
    if metadata is not None:
        files["metadata.tsv"] = _labels(metadata, header)
        entry.append(f'metadata_path: "{_quoted(place)}/metadata.tsv"')
    if pictures is not None:
        batch = tensors.array(pictures)
        if batch.ndim != 4 or len(batch) != len(points):
            raise ValueError(f"pictures are {len(points)} × channels × height × width, not {batch.shape}")
        files["sprite.png"] = _sprite(batch)
        height, width = batch.shape[2:]
        entry.append("sprite {")
        entry.append(f'  image_path: "{_quoted(place)}/sprite.png"')
        entry += [f"  single_image_dim: {width}", f"  single_image_dim: {height}", "}"]
    entry.append(f'tensor_path: "{_quoted(place)}/tensors.tsv"')
    lines = ("\t".join(map(str, row)) for row in points.tolist())
    files["tensors.tsv"] = ("\n".join(lines) + "\n").encode()
    directory.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        _replace(directory / name, content)
    _enter(pathlib.Path(logdir, CONFIG), "embeddings {\n" + "".join(f"  {line}\n" for line in entry) + "}\n")


def _enter(config: pathlib.Path, entry: str) -> None:
    """Adds an entry to the config. Entries of earlier runs are kept; one of the same name is replaced."""
    try:
        existing = config.read_text("utf-8")
    except FileNotFoundError:
        existing = ""
    name = entry.splitlines()[1].strip()
    kept = _ENTRY.sub(lambda each: "" if name in each[0] else each[0], existing)
    _replace(config, (kept + entry).encode("utf-8", "surrogatepass"))


def _labels(metadata: Sequence[Any], header: Sequence[str] | None) -> bytes:
    if header:
        if len(header) != len(metadata[0]):
            raise ValueError(f"the header names {len(header)} columns, the labels have {len(metadata[0])}")
        rows = ["\t".join(str(cell) for cell in row) for row in [header, *metadata]]
    else:
        rows = [str(each) for each in metadata]
    return ("\n".join(rows) + "\n").encode("utf-8", "surrogatepass")


def _sprite(batch: Any) -> bytes:
    """Arranges the images in a square, row by row; the rest is black."""
    import numpy as np

    columns = math.ceil(len(batch) ** 0.5)
    arranged = images.grid(images.as_bytes(batch).transpose(0, 2, 3, 1), columns)
    height, width, channels = arranged.shape
    if width > _LARGEST_SPRITE_PX:
        raise ValueError(f"pictures side by side are {width} px wide, boards show {_LARGEST_SPRITE_PX} at most")
    square = np.zeros((max(width, height), width, channels), np.uint8)
    square[:height] = arranged
    return png.encode(square)


def _escaped(tag: str) -> str:
    for sign in "%/\\":  # the percent sign first, or it would be escaped twice
        tag = tag.replace(sign, f"%{ord(sign):02x}")
    return tag


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _replace(path: pathlib.Path, content: bytes) -> None:
    """Replaces the file atomically: a board may read it at any moment."""
    scratch = path.with_name(f".{path.name}.{os.getpid()}")
    scratch.write_bytes(content)
    os.replace(scratch, path)
