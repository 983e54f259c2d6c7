"""What the kinds share: finding a series, listing tags, thinning for a client that asks, values decoded when looked at.

Scalars answer with columns; every other kind is a `Steps` sequence: steps and wall times are arrays at once, a value is
read from its event file when somebody looks at it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Generic, NamedTuple, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from lightboard import errors, store, types

Value = TypeVar("Value")


class Entry(NamedTuple):
    """One tag of one run in a listing."""

    run: str
    tag: str
    metadata: types.Metadata
    row: int


def listing(source: store.Store, kind: types.Kind) -> list[Entry]:
    """Every series of a kind, in the order found. Made from the tables: a logdir may have 100,000 of them."""
    with source.lock:
        rows = source.series_rows(kind)
        cells = source.series_table.rows[rows]
        runs, tags, metas = (cells[name].tolist() for name in ("run", "tag", "metadata"))
        none = types.Metadata()
        return [
            Entry(source.run_names[run], source.tag_names[tag], source.metadata[meta] if meta >= 0 else none, row)
            for run, tag, meta, row in zip(runs, tags, metas, rows.tolist(), strict=True)
        ]


def max_count(source: store.Store, entry: Entry) -> int:
    """The largest number of elements one value of the series has."""
    return store.Series(source, entry.row).max_count


def maybe_find(source: store.Store, kind: types.Kind, run: str, tag: str) -> store.Series | None:
    found = source.series(run, tag)
    return found if found is not None and found.kind is kind else None


def find(source: store.Store, kind: types.Kind, run: str, tag: str) -> store.Series:
    found = maybe_find(source, kind, run, tag)
    if found is None:
        raise errors.NotFound(f"No {kind.word.removesuffix('s')} data for run={run!r}, tag={tag!r}")
    return found


def runs_by_start(source: store.Store) -> list[str]:
    """Names of all runs, earliest first; those without a readable time last, then by name."""
    with source.lock:
        rows = source.runs_table.rows
        alive = np.nonzero(rows["files"])[0]
        starts = np.nan_to_num(rows["min_wall"][alive], nan=np.inf).tolist()
        names = [source.run_names[run] for run in alive.tolist()]
    return [name for _, name in sorted(zip(starts, names, strict=True))]


def sample(count: int, limit: int | None) -> NDArray[np.int64] | slice:
    """Which of `count` points to keep: the last always, the others by chance but the same each time, in order.

    No limit, or 0, keeps all. This is how TensorBoard thins, so that two tags of equal length stay aligned.
    """
    if not limit or count <= limit:
        return slice(None)
    kept = sorted(random.Random(0).sample(range(count - 1), limit - 1))
    return np.array([*kept, count - 1], np.int64)


def shown(
    series: store.Series, *, limit: int | None = None, rewinds: types.Rewinds = types.Rewinds.LATEST
) -> store.Points:
    points = series.points(rewinds)
    return points.take(sample(len(points), limit)) if limit else points


class Steps(Generic[Value]):
    """The points of one heavy series: `steps` and `wall_times` are arrays, values are read when looked at.

    Looping leaves out values that are not of the kind's form (a table of two columns in a histogram tag), as one odd
    value must not hide the others; asking for such a value by its index raises `errors.Unreadable`.
    """

    def __init__(self, series: store.Series, points: store.Points, decode: Callable[[int, float, types.Tensor], Value]):
        self.series = series
        self.points = points
        self._decode = decode

    @property
    def run(self) -> str:
        return self.series.run

    @property
    def tag(self) -> str:
        return self.series.tag

    @property
    def steps(self) -> NDArray[np.int64]:
        return self.points.steps

    @property
    def wall_times(self) -> NDArray[np.float64]:
        return self.points.wall_times

    def __len__(self) -> int:
        return len(self.points)

    @overload
    def __getitem__(self, index: int) -> Value: ...
    @overload
    def __getitem__(self, index: slice) -> Steps[Value]: ...
    def __getitem__(self, index: int | slice) -> Value | Steps[Value]:
        if isinstance(index, slice):
            return Steps(self.series, self.points.take(index), self._decode)
        position = range(len(self))[index]
        tensor = self.series.tensor(position, self.points)
        return self._decode(int(self.points.steps[position]), float(self.points.wall_times[position]), tensor)

    def maybe(self, index: int) -> Value | None:
        """The value, or None where it makes no sense."""
        try:
            return self[index]
        except errors.Unreadable:
            return None

    def __iter__(self) -> Iterator[Value]:
        for position in range(len(self)):
            found = self.maybe(position)
            if found is not None:
                yield found

    def __repr__(self) -> str:
        return f"<{len(self)} {self.series.kind.word} of {self.tag!r} in run {self.run!r}>"


def strings(tensor: types.Tensor, *, least: int = 0) -> Sequence[bytes]:
    """The tensor's strings, at least so many, or Unreadable."""
    if tensor.strings is None or len(tensor.strings) < least:
        raise errors.Unreadable(f"expected {least or 'some'} strings, found a tensor of shape {list(tensor.shape)}")
    return tensor.strings


def table(tensor: types.Tensor, *, rows: int | None = None, columns: int | None = None) -> NDArray[np.float64]:
    """The tensor as a table of numbers with so many rows or columns, or Unreadable."""
    array = tensor.array
    if array is None or len(tensor.shape) != 2 or array.dtype.kind not in "fiub":
        raise errors.Unreadable(f"expected a table of numbers, found a tensor of shape {list(tensor.shape)}")
    if (rows is not None and array.shape[0] != rows) or (columns is not None and array.shape[1] != columns):
        raise errors.Unreadable(f"expected a table of {rows or 'n'} by {columns or 'n'}, found {list(tensor.shape)}")
    return array.astype(np.float64)
