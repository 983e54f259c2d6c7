"""Reads the blocks of a snapshot as its page does."""

from __future__ import annotations

import base64
import gzip
import json
import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightboard.server import frames


def info(html: bytes) -> dict[str, Any]:
    found = re.search(rb'<script type="application/json" id="snapshot">(.*?)</script>', html, re.DOTALL)
    assert found is not None
    told: dict[str, Any] = json.loads(found[1])
    return told


def block(html: bytes, name: str) -> bytes:
    found = re.search(rb'data-block="' + re.escape(name.encode()) + rb'">([A-Za-z0-9+/=]*)</script>', html)
    assert found is not None, name
    return gzip.decompress(base64.b64decode(found[1]))


def answers(html: bytes) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    header, arrays = frames.decode(block(html, "answers"))
    return header["answers"], arrays


def column(planes: NDArray[Any], count: int, dtype: str) -> NDArray[Any]:
    return np.frombuffer(planes.reshape(-1, count).T.tobytes(), dtype)


def lines(html: bytes, tag: str) -> dict[str, dict[str, NDArray[Any]]]:
    """Run → columns of its points."""
    told, _ = answers(html)
    header, arrays = frames.decode(block(html, f"scalars:{told['scalars'][tag]}"))
    count = sum(header["kept"])
    width = {name: f"<f{len(planes) // count}" for name, planes in arrays.items()}
    columns: dict[str, NDArray[Any]] = {
        "step": np.cumsum(column(arrays["step"], count, "<i8")),
        "wall": np.cumsum(column(arrays["wall"], count, "<i8")) / 1000,
        **{name: column(arrays[name], count, width[name]) for name in ("value", "smoothed") if name in arrays},
    }
    ends = np.cumsum([0, *header["kept"]])
    return {
        run: {name: values[ends[i] : ends[i + 1]] for name, values in columns.items()}
        for i, run in enumerate(header["runs"])
    }
