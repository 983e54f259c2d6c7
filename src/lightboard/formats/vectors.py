"""Read the numbers of an embedding from a file in pieces, as rows of float32, and limit how many may be requested.

A wrong size in a file costs no memory: the size is checked first, then that the last byte exists, and memory is
allocated as pieces arrive. A hole in a sparse file takes no memory, since its pages are never written to.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightboard import errors

Read = Callable[[int, int], bytes]
"""(offset, length) → that many bytes, fewer at the file's end."""

# A million rows of 128 dimensions: 512 MiB.
MAX_VALUES = 1 << 27
MAX_RANK = 8
PIECE_BYTES = 8 << 20
BFLOAT16 = "bfloat16"
_FARTHEST = 1 << 62


def cost_bytes(values: int) -> int:
    """Return the peak memory of reading this many values: the values, and two pieces during reading."""
    return 4 * min(values, MAX_VALUES) + 2 * PIECE_BYTES


def check(shape: Sequence[int], name: str) -> None:
    """Raises Unreadable if there are more values than the projector accepts."""
    if len(shape) > MAX_RANK:
        raise errors.Unreadable(
            f"`{name}` has {len(shape)} dimensions, an embedding has rows and columns",
            code="embedding.not_table",
            name=name,
        )
    count = math.prod(max(size, 1) for size in shape)  # if one size is 0, the other sizes still count
    if count <= MAX_VALUES:
        return
    sizes = " × ".join(f"{size:,}" for size in shape)
    raise errors.Unreadable(
        f"`{name}` has {sizes} values, the projector takes up to {MAX_VALUES:,}",
        hint=advice(count),
        code="embedding.too_large",
        name=name,
        limit=MAX_VALUES,
    )


def advice(count: int) -> str:
    """Return a hint for the user about this many values."""
    every = -(-count // MAX_VALUES)
    return f"write every {every:,}th row, or fewer dimensions" if every > 2 else "write every second row"


def check_there(read: Read, offset: int, shape: Sequence[int], dtype: str, name: str) -> np.dtype[Any]:
    """Return the dtype of the file; raises Unreadable if the array is too large or its last byte does not exist."""
    check(shape, name)
    stored = np.dtype("<u2" if dtype == BFLOAT16 else dtype)
    size = math.prod(shape) * stored.itemsize
    if not 0 <= offset < _FARTHEST or (size and len(read(offset + size - 1, 1)) != 1):
        raise _short(name)
    return stored


def read(read: Read, offset: int, shape: Sequence[int], dtype: str, name: str) -> NDArray[np.float32]:
    """Read the array at this offset. `dtype` is NumPy's name of a numeric type, or BFLOAT16."""
    stored = check_there(read, offset, shape, dtype, name)
    count = math.prod(shape)
    whole = np.zeros(count, np.float32)
    step = PIECE_BYTES // stored.itemsize
    for first in range(0, count, step):
        wanted = min(step, count - first)
        data = read(offset + first * stored.itemsize, wanted * stored.itemsize)
        if len(data) != wanted * stored.itemsize:
            raise _short(name)
        values: NDArray[Any] = np.frombuffer(data, stored)
        if not np.frombuffer(data, np.uint8).any():
            continue  # the array is already zero
        if dtype == BFLOAT16:
            values = (values.astype(np.uint32) << 16).view(np.float32)
        with np.errstate(over="ignore", invalid="ignore"):  # values beyond the range of float32 become infinite
            whole[first : first + wanted] = values
    return whole.reshape(tuple(shape))


def _short(name: str) -> errors.Unreadable:
    return errors.Unreadable(f"the file ends inside `{name}`; is it still being written?", code="file.ends_early")
