"""Shared by all kinds: finding series, listing tags, optional sampling, and lazy decoding of values.

Scalars are returned as columns; every other kind is a `Steps` sequence: steps and wall times are arrays, a value is
read from its event file on access. Each kind defines one `Reader`.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Generic, NamedTuple, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from lightboard import errors, store, types
from lightboard.query import kinds, order
from lightboard.store import row_types

Value = TypeVar("Value")
Decode = Callable[[int, float, types.Tensor], Value]
"""(step, wall time, tensor) → the value of a kind; raises errors.Unreadable if the tensor does not have the kind's
format."""

# The limit of one request.
MAX_SERIES = 100_000
# Up to this number, series are looked up one by one; above it, one pass over the whole table is faster.
FEW_SERIES = 1_000


class Entry(NamedTuple):
    """One tag of one run in a listing."""

    run: str
    tag: str
    metadata: types.Metadata
    row: int


class Listing:
    """Series of one kind, run by run, in the order found. Entries are made when looked at: there may be a million."""

    def __init__(self, source: store.Store, kind: types.Kind) -> None:
        with source.lock:
            rows = source.series_rows(kind)
            cells = source.series_table.rows[rows]
            self._runs, self._tags, self._metadata = source.run_names, source.tag_names, source.metadata
        _, firsts, runs = np.unique(cells["run"], return_index=True, return_inverse=True)
        order = np.argsort(firsts[runs], kind="stable")
        self._rows, self._cells = rows[order], cells[order]

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[Entry]:
        none = types.Metadata()
        for start in range(0, len(self), 4096):
            cells = self._cells[start : start + 4096]
            columns = (cells[name].tolist() for name in ("run", "tag", "metadata"))
            for run, tag, meta, row in zip(*columns, self._rows[start : start + 4096].tolist(), strict=True):
                yield Entry(self._runs[run], self._tags[tag], self._metadata[meta] if meta >= 0 else none, row)


def listing(source: store.Store, kind: types.Kind) -> Listing:
    return Listing(source, kind)


def leading(kind: types.Kind) -> int:
    """Return the number of strings before the first element of a value."""
    return kinds.BY_KIND[kind].leading


def samples(source: store.Store, row: int) -> int:
    """Return the largest number of elements (pictures, clips) in one value of the series."""
    found = store.Series(source, row)
    return max(found.max_count - leading(found.kind), 0)


def maybe_find(source: store.Store, kind: types.Kind, run: str, tag: str) -> store.Series | None:
    found = source.series(run, tag)
    return found if found is not None and found.kind is kind else None


def find(source: store.Store, kind: types.Kind, run: str, tag: str) -> store.Series:
    found = maybe_find(source, kind, run, tag)
    if found is None:
        raise errors.NotFound(
            f"No {kind.word.removesuffix('s')} data for run={run!r}, tag={tag!r}", code="tag.unknown", run=run, tag=tag
        )
    return found


def rows(
    source: store.Store,
    kind: types.Kind,
    tags: Sequence[str] | None,
    runs: NDArray[np.int64] | None = None,
    *,
    since: int = -1,
    most: int | None = MAX_SERIES,
) -> NDArray[np.int64]:
    """Return rows of the series table: those of the tags (None: all) in the runs (rows of the run table, None: all).

    They are in the order of the given tags and runs, or else in natural order; by tag first. `since`: changed after
    that version.
    """
    with source.lock:
        found = _found(source, kind, tags, runs, since)
        if most is not None and len(found) > most:
            raise errors.BadInput(
                f"{len(found)} series in one request",
                hint="ask for fewer tags or runs at a time",
                code="request.too_large",
            )
        return found


def _found(
    source: store.Store, kind: types.Kind, tags: Sequence[str] | None, runs: NDArray[np.int64] | None, since: int
) -> NDArray[np.int64]:
    if tags is not None and runs is not None and len(tags) * len(runs) <= FEW_SERIES:
        found = source.series_rows_of(runs, _numbers(source, tags))
        return found[_are(source, found, kind, since)]
    found = _candidates(source, kind, tags, since)
    table = source.series_table.rows
    by_run = _places(source, source.run_names, table["run"][found], runs)
    keep = by_run >= 0
    found, by_run = found[keep], by_run[keep]
    by_tag = _places(source, source.tag_names, table["tag"][found], None if tags is None else _numbers(source, tags))
    keep = by_tag >= 0
    found, by_run, by_tag = found[keep], by_run[keep], by_tag[keep]
    return found[np.lexsort((by_run, by_tag))]


def _candidates(source: store.Store, kind: types.Kind, tags: Sequence[str] | None, since: int) -> NDArray[np.int64]:
    few = [None] if tags is None or len(tags) > 8 else list(dict.fromkeys(tags))
    found = [source.series_rows(one, tag=tag, since=since) for one in _kinds(kind) for tag in few]
    return np.concatenate([np.zeros(0, np.int64), *found])


def _are(source: store.Store, rows: NDArray[np.int64], kind: types.Kind, since: int) -> NDArray[np.bool_]:
    table = source.series_table.rows
    return np.isin(table["kind"][rows], _kinds(kind)) & (table["version"][rows].astype(np.int64) > since)


def _kinds(kind: types.Kind) -> tuple[types.Kind, ...]:
    # A series without a kind (yet) is shown among the tensors.
    return (kind, types.Kind.UNTYPED) if kind is types.Kind.TENSORS else (kind,)


def _numbers(source: store.Store, tags: Sequence[str]) -> NDArray[np.int64]:
    found = [source.tag_names.number(tag) for tag in dict.fromkeys(tags)]
    return np.array([number for number in found if number is not None], np.int64)


def _places(
    source: store.Store, names: row_types.Strings, numbers: NDArray[np.uint32], wanted: NDArray[np.int64] | None
) -> NDArray[np.int64]:
    """Return for each number of a name its index among the wanted ones, -1 if it is not wanted; if all are, its natural
    rank."""
    if wanted is None:
        return order.ranks(source, names, numbers.astype(np.int64))
    places = np.full(len(names), -1, np.int64)
    places[wanted] = np.arange(len(wanted))
    return places[numbers]


def runs_by_start(source: store.Store) -> list[str]:
    """Return the names of all runs, earliest first; those without a readable time last, then by name."""
    with source.lock:
        rows = source.runs_table.rows
        alive = np.nonzero(rows["files"])[0]
        starts = np.nan_to_num(rows["min_wall"][alive], nan=np.inf).tolist()
        names = [source.run_names[run] for run in alive.tolist()]
    return [name for _, name in order.sorted_in_pieces(zip(starts, names, strict=True))]


def sample(count: int, limit: int | None) -> NDArray[np.int64] | slice:
    """Return which of `count` points to keep: always the last, the others random but the same each time, in order.

    No limit, or 0, keeps all. TensorBoard samples the same way: two tags of equal length stay aligned.
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
    """The points of one heavy series: `steps` and `wall_times` are arrays, values are read on access.

    Iteration skips values that do not have the kind's format (a table of two columns in a histogram tag), because one
    invalid value must not hide the others; access by index raises `errors.Unreadable` for such a value.
    """

    def __init__(self, series: store.Series, points: store.Points, decode: Decode[Value]):
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
        """Return the value, or None if it is invalid."""
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


@dataclasses.dataclass(frozen=True)
class Reader(Generic[Value]):
    """Reads the values of one kind. Each kind defines one at the end of its module:

        read = series.Reader(types.Kind.HISTOGRAMS, _decode)

    and then `read(source, run, tag)` is a `Steps`. If the format depends on the tag's metadata, give
    `decoder`, which returns the decoding function for a series.
    """

    kind: types.Kind
    function: Decode[Value] | None = None
    decoder: Callable[[store.Series], Decode[Value]] | None = dataclasses.field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        if (self.function is None) == (self.decoder is None):
            raise ValueError("one of a decoding function and `decoder`")

    def __call__(
        self,
        source: store.Store,
        run: str,
        tag: str,
        *,
        limit: int | None = None,
        rewinds: types.Rewinds = types.Rewinds.LATEST,
    ) -> Steps[Value]:
        """Raises NotFound if the run has no tag of this kind with that name."""
        return self.steps(find(source, self.kind, run, tag), limit=limit, rewinds=rewinds)

    def steps(
        self, found: store.Series, *, limit: int | None = None, rewinds: types.Rewinds = types.Rewinds.LATEST
    ) -> Steps[Value]:
        """The same for a series that was already found."""
        return Steps(found, shown(found, limit=limit, rewinds=rewinds), self.decode(found))

    def decode(self, found: store.Series) -> Decode[Value]:
        if self.decoder is not None:
            return self.decoder(found)
        assert self.function is not None
        return self.function


def strings(tensor: types.Tensor, *, least: int = 0) -> Sequence[bytes]:
    """Return the tensor's strings; raises Unreadable if there are fewer than `least`."""
    if tensor.strings is None or len(tensor.strings) < least:
        raise errors.Unreadable(
            f"expected {least or 'some'} strings, found a tensor of shape {list(tensor.shape)}",
            code="value.shape",
            shape=str(list(tensor.shape)),
        )
    return tensor.strings


def table(tensor: types.Tensor, *, rows: int | None = None, columns: int | None = None) -> NDArray[np.float64]:
    """Return the tensor as a table of numbers; raises Unreadable if it does not have this many rows or columns."""
    array = tensor.array
    if array is None or len(tensor.shape) != 2 or array.dtype.kind not in "fiub":
        raise errors.Unreadable(
            f"expected a table of numbers, found a tensor of shape {list(tensor.shape)}",
            code="value.shape",
            shape=str(list(tensor.shape)),
        )
    if (rows is not None and array.shape[0] != rows) or (columns is not None and array.shape[1] != columns):
        raise errors.Unreadable(
            f"expected a table of {rows or 'n'} by {columns or 'n'}, found {list(tensor.shape)}",
            code="value.shape",
            shape=str(list(tensor.shape)),
        )
    return array.astype(np.float64)
