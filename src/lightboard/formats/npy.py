"""Arrays as `numpy.save` writes them, read without evaluating their header as Python.

    93 NUMPY, version u8 u8, length u16 (u32 from version 2 on), head, values

The head is a dictionary in Python's notation, `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }`. NumPy
reads it with Python's own parser, which fails in many ways; only this one form is read here.
https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
"""

from __future__ import annotations

import dataclasses
import math
import mmap
import re

import numpy as np

from lightboard import errors
from lightboard.formats import byte_reader, vectors

_MAGIC = b"\x93NUMPY"
_MAX_HEAD = 64 << 10
_DTYPE = re.compile(rb"[\"']descr[\"']\s*:\s*[\"']([<>|=]?[a-zA-Z?]\d{0,4})[\"']")
_FORTRAN = re.compile(rb"[\"']fortran_order[\"']\s*:\s*(True|False)")
_SHAPE = re.compile(rb"[\"']shape[\"']\s*:\s*\(([\dL, ]{0,400})\)")
_DTYPES = frozenset({"f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1", "?"})


@dataclasses.dataclass(frozen=True)
class Head:
    dtype: str
    columns_first: bool  # Fortran order
    shape: tuple[int, ...]
    offset: int  # where the values begin


def is_one(data: bytes | mmap.mmap) -> bool:
    return data[: len(_MAGIC)] == _MAGIC


def head(data: bytes | mmap.mmap) -> Head:
    """Return the header of an array of plain numbers; raises Unreadable if it is another file or not complete."""
    reader = byte_reader.ByteReader(memoryview(data), "the file")
    width = 2 if reader.number(6, 1) == 1 else 4
    size = reader.number(8, width)
    if size > _MAX_HEAD:
        raise errors.Unreadable(f"its head has {size:,} bytes", code="npy.damaged")
    text, offset = reader.take(8 + width, size), 8 + width + size
    dtype, fortran, shape = (pattern.search(text) for pattern in (_DTYPE, _FORTRAN, _SHAPE))
    if dtype is None or fortran is None or shape is None:
        raise errors.Unreadable("its head does not say type and shape of plain numbers", code="npy.not_numbers")
    name = dtype[1].decode()
    if name.lstrip("<>|=") not in _DTYPES:
        raise errors.Unreadable(f"it holds `{name}`, and not plain numbers", code="npy.not_numbers")
    sizes = tuple(_whole(each) for each in shape[1].split(b",") if each.strip())
    vectors.check(sizes, "the array")
    wanted = math.prod(sizes) * np.dtype(name).itemsize
    if offset + wanted > len(data):
        raise errors.Unreadable(
            f"it should have {wanted:,} bytes of values and has {len(data) - offset:,}",
            code="npy.size",
            expected=wanted,
            found=len(data) - offset,
        )
    return Head(name, fortran[1] == b"True", sizes, offset)


def _whole(text: bytes) -> int:
    digits = text.strip().removesuffix(b"L")  # Python 2 wrote this suffix
    if not digits.isdigit() or len(digits) > 19:
        raise errors.Unreadable("its shape is not of whole numbers", code="npy.damaged")
    return int(digits)


def values(data: bytes, head: Head) -> bytes:
    """Return the values as little-endian float32, row by row."""
    count = math.prod(head.shape)
    found = np.frombuffer(data, np.dtype(head.dtype), count, head.offset)
    if head.columns_first:
        found = found.reshape(head.shape, order="F")
    with np.errstate(over="ignore", invalid="ignore"):  # values beyond the range of float32 become infinite
        return found.astype("<f4", order="C", copy=False).tobytes()
