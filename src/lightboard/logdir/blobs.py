"""Heavy values, fetched from their event file on demand, and unpacked.

Unpacking is native and works on bytes. If the native core can open the file, it also fetches the bytes, without a copy
and without the GIL.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightboard import _native, errors, types
from lightboard.logdir import filesystems


class HeavyValues:
    """`load` is the `store.Loader` of a board, `load_tables` its `store.TablesLoader`. The store passes only addresses
    of its own files."""

    def __init__(self, systems: filesystems.FileSystems) -> None:
        self.systems = systems

    def load(self, address: str, column: types.Column, offset: int, length: int) -> types.Tensor:
        raw = column is types.Column.RAW_REF
        try:
            dtype, shape, data, content_type = self._unpacked(address, offset, length, raw=raw)
        except ValueError as error:  # the record is complete, but its content is invalid (such as a wrong shape)
            raise errors.Unreadable(
                f"the value at byte {offset} makes no sense ({error}): {address}",
                code="value.unreadable",
                path=address,
                offset=offset,
            ) from error
        except OSError as error:
            raise _gone(address, error) from error
        if dtype == "raw":
            return types.Tensor((), strings=(bytes(data),))
        if dtype == "string":
            return types.Tensor(tuple(shape), strings=tuple(data), content_type=content_type)
        array = np.frombuffer(data, np.dtype(dtype)).reshape(shape)
        return types.Tensor(tuple(shape), array=array, content_type=content_type)

    def load_tables(self, address: str, refs: NDArray[np.void]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        path = self.systems.of(address).path(address)
        try:
            if path is not None:
                shapes, cells = _native.read_tables(path, refs.tobytes())
            else:
                shapes, cells = _native.unpack_tables(self._fetch(address, refs[["offset", "length"]].tolist()))
        except OSError as error:
            raise _gone(address, error) from error
        return np.frombuffer(shapes, np.int64).reshape(-1, 2), np.frombuffer(cells, np.float64)

    def _unpacked(self, address: str, offset: int, length: int, *, raw: bool) -> tuple[str, tuple[int, ...], Any, str]:
        path = self.systems.of(address).path(address)
        if path is not None:
            return _native.read_value(path, offset, length, raw)
        (fetched,) = self._fetch(address, [(offset, length)])
        return ("raw", (), fetched, "") if raw else _native.unpack_value(fetched)

    def _fetch(self, address: str, places: list[tuple[int, int]]) -> list[filesystems.Bytes]:
        ranges = [filesystems.Range(address, offset, length) for offset, length in places]
        fetched = []
        for each in self.systems.of(address).read_many(ranges):
            if isinstance(each, OSError):
                raise each
            fetched.append(each)
        return fetched


def _gone(address: str, error: OSError) -> errors.Gone:
    return errors.Gone(
        f"the value is not there any more, its file has changed or cannot be read ({error}): {address}",
        hint="reload: what the file holds now is shown as soon as it has been read",
        code="value.gone",
        path=address,
    )
