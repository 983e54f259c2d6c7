"""The binary frame: what is written is read back, byte layout as documented, same bytes as the page's own test."""

from __future__ import annotations

import base64
import pathlib
import re
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from lightboard import kernels
from lightboard.server import frames

ARRAYS: dict[str, NDArray[Any] | bytes] = {
    "step": np.array([0, -5, 2**40 + 1], "<i8"),
    "big": np.array([2**60], "<i8"),
    "value": np.array([1.5, np.nan, -2], "<f4"),
    "wall": np.array([0.1]),
    "bytes": b"abc",
    "count": np.array([4294967295], "<u4"),
}


def test_a_frame_comes_back() -> None:
    header, arrays = frames.decode(frames.encode({"version": 7, "big": 2**60}, ARRAYS))
    assert header["version"] == 7
    assert header["big"] == str(2**60)
    for name, array in ARRAYS.items():
        wanted = np.frombuffer(array, np.uint8) if isinstance(array, bytes) else array
        assert arrays[name].dtype == wanted.dtype
        np.testing.assert_array_equal(arrays[name], wanted)


def test_arrays_are_aligned_and_unsafe_ones_marked() -> None:
    frame = frames.encode({"text": "odd length: é"}, ARRAYS)
    header, _ = frames.decode(frame)
    length = int.from_bytes(frame[4:8], "little")
    assert frame[:4] == b"LBF1"
    assert frame[8:9] == b"{"
    assert all(entry["at"] % 8 == 0 for entry in header["arrays"])
    assert frame[8 + length : 8 + length + -length % 8].strip(b"\0") == b""
    assert len(frame) % 8 == 0
    assert [entry["name"] for entry in header["arrays"] if entry.get("unsafe")] == ["big"]


def test_the_pages_test_decodes_what_we_write() -> None:
    page = pathlib.Path(__file__).parents[2] / "web" / "src" / "base" / "frame.test.ts"
    match = re.search(r'const FRAME =\s+"([^"]+)"', page.read_text())
    assert match is not None
    assert base64.b64decode(match[1]) == frames.encode({"version": 7, "text": "é"}, ARRAYS)


def test_other_bytes_are_refused() -> None:
    with pytest.raises(ValueError, match="not a frame"):
        frames.decode(b"{}")


def test_the_pages_test_of_columns_has_the_bytes_we_read() -> None:
    page = (pathlib.Path(__file__).parents[2] / "web" / "src" / "base" / "columns.test.ts").read_text()
    match = re.search(r'const FRAME =\s+"([^"]+)"', page)
    wanted = re.search(r"found\.max, \[([^\]]+)\]", page)
    assert match is not None
    assert wanted is not None
    told = kernels.decode_columns(base64.b64decode(match[1]))
    values = [float("nan") if text.strip() == "N" else float(text) for text in wanted[1].split(",") if text.strip()]
    np.testing.assert_allclose(told.max.ravel(), values)
    assert told.nonfinite[told.nonfinite > 0].tolist() == [kernels.PLUS | kernels.MINUS, kernels.NAN]
