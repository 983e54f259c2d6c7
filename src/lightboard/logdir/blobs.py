"""Heavy values, read back from their event file when somebody looks at them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lightboard import _native, errors, types


def load_value(path: str, column: types.Column, offset: int, length: int) -> types.Tensor:
    """The `store.Loader` of a board. The store passes only paths of its own files."""
    try:
        dtype, shape, data, content_type = _native.read_value(path, offset, length, column is types.Column.RAW_REF)
    except ValueError as error:  # its record is whole, what stands in it makes no sense (a shape that lies)
        raise errors.Unreadable(f"the value at byte {offset} makes no sense ({error}): {path}") from error
    except OSError as error:
        raise _gone(path, error) from error
    if dtype == "raw":
        return types.Tensor((), strings=(bytes(data),))
    if dtype == "string":
        return types.Tensor(tuple(shape), strings=tuple(data), content_type=content_type)
    array = np.frombuffer(data, np.dtype(dtype)).reshape(shape)
    return types.Tensor(tuple(shape), array=array, content_type=content_type)


def load_tables(path: str, refs: NDArray[np.void]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The `store.TablesLoader` of a board."""
    try:
        shapes, cells = _native.read_tables(path, refs.tobytes())
    except OSError as error:
        raise _gone(path, error) from error
    return np.frombuffer(shapes, np.int64).reshape(-1, 2), np.frombuffer(cells, np.float64)


def _gone(path: str, error: OSError) -> errors.Gone:
    return errors.Gone(
        f"the value is not there any more, its file has changed or cannot be read ({error}): {path}",
        hint="reload: what the file holds now is shown as soon as it has been read",
    )
