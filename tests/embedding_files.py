"""Projects of the projector, written by hand for tests."""

from __future__ import annotations

import pathlib
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightboard import board, logdir, store

CONFIG = "projector_config.pbtxt"


def entry(name: str = "e", **fields: Any) -> str:
    """One `embeddings { … }`; a list repeats its field, a dict is a message."""
    lines = [f'tensor_name: "{name}"'] if name else []
    for key, value in fields.items():
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, dict):
                inner = " ".join(_field(key_, each) for key_, each in one.items())
                lines.append(f"{key} {{ {inner} }}")
            else:
                lines.append(_field(key, one))
    return "embeddings {\n" + "".join(f"  {line}\n" for line in lines) + "}\n"


def _field(key: str, value: Any) -> str:
    if isinstance(value, tuple):
        return " ".join(_field(key, one) for one in value)
    return f'{key}: "{value}"' if isinstance(value, str) else f"{key}: {value}"


def tsv(rows: Iterable[Sequence[Any]]) -> str:
    return "".join("\t".join(map(str, row)) + "\n" for row in rows)


def write(directory: pathlib.Path, config: str, **files: str | bytes) -> pathlib.Path:
    """A config and files beside it; `__` in a keyword stands for a dot."""
    directory.mkdir(parents=True, exist_ok=True)
    (directory / CONFIG).write_text(config, encoding="utf-8")
    for name, content in files.items():
        path = directory / name.replace("__", ".")
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return directory


def simple(directory: pathlib.Path, values: NDArray[Any], labels: str | None = None, name: str = "e") -> pathlib.Path:
    """One embedding of float32 without a header, with labels."""
    fields: dict[str, Any] = {"tensor_path": f"{name}.bytes", "tensor_shape": [int(size) for size in values.shape]}
    files: dict[str, str | bytes] = {f"{name}__bytes": values.astype("<f4").tobytes()}
    if labels is not None:
        fields["metadata_path"], files[f"{name}_labels__tsv"] = f"{name}_labels.tsv", labels
    return write(directory, entry(name, **fields), **files)


def opened(root: pathlib.Path) -> store.Store:
    made = board.Board(logdir.parse_spec(str(root)), board.Options(index=False, sidecar="none"))
    made.load()
    return made.store


def blobs(rows: int, dims: int, groups: int, *, seed: int = 0) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Points around a few centres, and which of them each belongs to."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, groups, rows)
    centers = rng.normal(scale=4, size=(groups, dims))
    return (centers[labels] + rng.normal(size=(rows, dims))).astype(np.float32), labels
