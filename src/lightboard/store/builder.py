"""Fill a store by hand: for scripts and for tests that need no files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lightboard import types
from lightboard.store import row_types, store


class Builder:
    """Each call adds one series of one run; `build()` returns the store.

    >>> Builder().scalars("train", "loss", values=[3.0, 2.0, 1.0]).build().runs()
    ['train']
    """

    def __init__(self) -> None:
        self._tensors: list[types.Tensor] = []
        self._store = store.Store(self._load)

    def scalars(
        self,
        run: str,
        tag: str,
        values: ArrayLike,
        *,
        steps: Sequence[int] | None = None,
        wall_times: Sequence[float] | None = None,
        metadata: types.Metadata | None = None,
    ) -> Builder:
        column = np.asarray(values)
        code = types.Column.F32 if column.dtype == np.float32 else types.Column.F64
        column = column.astype("<f4" if code is types.Column.F32 else "<f8")
        meta = metadata or types.Metadata("scalars", data_class=1)
        self._add(
            run,
            tag,
            kind=types.Kind.SCALARS,
            code=code,
            column=column,
            meta=meta,
            steps=steps,
            wall_times=wall_times,
        )
        return self

    def tensors(
        self,
        run: str,
        tag: str,
        kind: types.Kind,
        values: Sequence[types.Tensor],
        *,
        steps: Sequence[int] | None = None,
        wall_times: Sequence[float] | None = None,
        metadata: types.Metadata | None = None,
    ) -> Builder:
        refs = np.zeros(len(values), row_types.REF)
        refs["offset"] = np.arange(len(self._tensors), len(self._tensors) + len(values))
        refs["count"] = [value.shape[0] if value.shape else 1 for value in values]
        self._tensors.extend(values)
        meta = metadata or types.Metadata(kind.word)
        self._add(
            run,
            tag,
            kind=kind,
            code=types.Column.VALUE_REF,
            column=refs,
            meta=meta,
            steps=steps,
            wall_times=wall_times,
        )
        return self

    def build(self) -> store.Store:
        self._store.set_progress(types.Progress(True, 0, 0, 0, 0))
        return self._store

    def _load(self, path: str, column: types.Column, offset: int, length: int) -> types.Tensor:
        return self._tensors[offset]

    def _add(
        self,
        run: str,
        tag: str,
        *,
        kind: types.Kind,
        code: types.Column,
        column: NDArray[Any],
        meta: types.Metadata,
        steps: Sequence[int] | None,
        wall_times: Sequence[float] | None,
    ) -> None:
        n = len(column)
        step = np.arange(n, dtype="<i8") if steps is None else np.asarray(steps, "<i8")
        wall = 1.7e9 + np.arange(n, dtype="<f8") if wall_times is None else np.asarray(wall_times, "<f8")
        file_row = np.zeros(1, row_types.FILE)
        file_row["run"], file_row["alive"], file_row["records"] = self._store.add_run(run), 1, n
        file_row["min_wall"], file_row["max_wall"] = (wall.min(), wall.max()) if n else (np.nan, np.nan)
        files = self._store.add_files(file_row, [f"{run}/{tag}"])
        chunk = np.zeros(1, row_types.CHUNK)
        chunk["kind"], chunk["column"], chunk["n"] = kind, code, n
        chunk["walls"], chunk["values"] = 8 * n, 16 * n
        if n:
            chunk["first_step"], chunk["last_step"] = step[0], step[-1]
            chunk["min_step"], chunk["max_step"] = step.min(), step.max()
            chunk["min_wall"], chunk["max_wall"] = wall.min(), wall.max()
            chunk["ordered"] = bool((np.diff(step) >= 0).all())
        for name in ("first", "last", "min", "max"):
            chunk[name] = np.nan
        if code in (types.Column.F32, types.Column.F64) and n:
            finite = column[np.isfinite(column)]
            chunk["first"], chunk["last"] = column[0], column[-1]
            if len(finite):
                chunk["min"], chunk["max"] = finite.min(), finite.max()
        else:
            chunk["max_count"] = column["count"].max() if n else 0
        segment = step.tobytes() + wall.tobytes() + column.tobytes()
        self._store.commit(
            store.Batch(
                tags=[tag],
                metadata=[meta],
                files=files,
                file_rows=file_row,
                chunks=chunk if n else chunk[:0],
                starts=np.zeros(0, row_types.START),
                segment=segment,
            )
        )
