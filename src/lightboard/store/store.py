"""All data that has been read. One thread commits batches, many threads read; nothing here uses files or HTTP.

Everything is kept in a few growing tables (see `row_types`), not in objects: 100,000 runs are rows, and a `Series` is
created on request. Columns are views into *segments*, buffers that usually are memory-mapped files of the
index.

Locking: `lock` guards every table. The writer holds it while it commits, readers while they look rows up; views of
columns may be used without it, because segments never change once committed.
"""

from __future__ import annotations

import collections
import dataclasses
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from lightboard import errors, types
from lightboard.store import cache as cache_
from lightboard.store import keys, points, row_types, slots
from lightboard.store import sources as sources_
from lightboard.store.points import Points

# The limit for joined copies of series that have several chunks; series with one chunk need no copy.
JOIN_CACHE_BYTES = 64 << 20
# The number of faults kept per file; further faults are only counted.
FAULTS_PER_FILE = 100
# Columns that do not match their checksums are read again. This is the limit of attempts.
CHECK_TRIES = 3

Check = Callable[[memoryview, "NDArray[np.void] | np.void"], bool]
"""Returns whether a segment still has the columns of these chunks (rows) as they were written. False: the columns were
damaged and the logs have been read again, so look the chunks up once more. Called before columns are used, without the
lock."""

Loader = Callable[[str, types.Column, int, int], types.Tensor]
"""Reads a heavy value: (address, column, offset, length) → tensor. Raises errors.Gone if the file has changed,
errors.Unreadable if the value cannot be decoded."""

TablesLoader = Callable[[str, NDArray[np.void]], tuple[NDArray[np.int64], NDArray[np.float64]]]
"""Reads many heavy values of one file as tables of numbers: (address, refs) → (rows and columns of each, -1 for a value
that cannot be read this way; all cells one after another). Raises errors.Gone."""


SourceReader = Callable[[str, int, int], bytes]
"""Reads a source: (address, offset, length or -1) → bytes. Raises errors.NotFound or errors.Unreadable, and
errors.BadInput for a link that leads out of the logs."""


def still_damaged() -> errors.Gone:
    return errors.Gone(
        "the index is damaged and the logs could not be read again", hint="ask again in a moment", code="index.damaged"
    )


class FilesBeside(Protocol):
    """Files that a companion names by paths relative to its directory. `in_run`: files of the whole run are allowed.

    Raises errors.BadInput for a path outside of that, errors.NotFound for a file that does not exist.
    """

    def state(self, companion: types.Companion, name: str, *, in_run: bool = False) -> types.FileState: ...
    def read(
        self, companion: types.Companion, name: str, offset: int = 0, length: int = -1, *, in_run: bool = False
    ) -> bytes: ...
    def names(self, companion: types.Companion, directory: str, *, in_run: bool = False) -> list[str]: ...


@dataclasses.dataclass(frozen=True)
class NumberTables:
    """Heavy values as tables: `shapes` has rows and columns of each, -1 for a value that is not a table of numbers;
    `cells` has the cells of all tables, one after another, row by row."""

    shapes: NDArray[np.int64]
    cells: NDArray[np.float64]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Batch:
    """The result of one scan; file and tag numbers are local to the batch."""

    tags: Sequence[str]
    metadata: Sequence[types.Metadata]
    files: NDArray[np.uint32]  # for each task, its file row in the store
    file_rows: NDArray[np.void]  # row_types.FILE, one per task; all fields but identity and run are copied
    chunks: NDArray[np.void]  # row_types.CHUNK
    starts: NDArray[np.void]  # row_types.START
    segment: memoryview | bytes
    faults: Sequence[types.FaultRow] = ()


@dataclasses.dataclass(frozen=True, kw_only=True)
class Stats:
    """Summary of a series' shown values. All fields are NaN if it has no number."""

    n: int
    first: float
    last: float
    min: float
    max: float
    last_step: int
    min_wall: float
    max_wall: float


class Store:
    def __init__(
        self,
        load: Loader | None = None,
        load_tables: TablesLoader | None = None,
        beside: FilesBeside | None = None,
        read: SourceReader | None = None,
        cache: cache_.Cache | None = None,
    ) -> None:
        self.cache = cache or cache_.Cache()  # results of queries
        self.lock = threading.RLock()
        self.version = 0
        self.progress = types.Progress(False, 0, 0, 0, 0)
        self.run_names = row_types.Strings()
        self.tag_names = row_types.Strings()
        self.paths = row_types.Strings()  # addresses of files, by file row; only the loaders interpret them
        self.metadata: list[types.Metadata] = []
        self.runs_table = row_types.Table(row_types.RUN)
        self.files_table = row_types.Table(row_types.FILE)
        self.series_table = row_types.Table(row_types.SERIES)
        self.chunks_table = row_types.Table(row_types.CHUNK)
        self.starts_table = row_types.Table(row_types.START)
        self.segments: list[memoryview] = []
        self.faults: dict[int, list[types.Fault]] = {}
        self.notices: tuple[types.Fault, ...] = ()  # faults of a root or a directory, not of a file
        self.annotations: Mapping[str, types.Annotation] = {}  # by run name; replaced as a whole, never modified
        self.annotations_version = 0  # the version that set them
        self.companions: tuple[types.Companion, ...] = ()  # by run and path; replaced as a whole, never modified
        self.companions_version = 0  # the version that set them
        self.companions_versions: dict[str, int] = {}  # by kind, the version that last changed companions of it
        self.files_beside = sources_.Sources()  # all files that are not event files
        self.views_version = 0  # the version that last changed saved views; the views themselves are not here
        self.slots_version = 0  # the version that last gave slots to runs
        self.check: Check | None = None  # set when columns are restored from disk
        self._slots = slots.Slots()
        self._load = load
        self._load_tables = load_tables
        self._beside = beside
        self._read = read
        self._more_chunks: dict[int, list[int]] | None = {}
        self._series_rows: keys.Keys | None = keys.Keys()
        self._metadata_rows: dict[types.Metadata, int] = {}
        self._joined: collections.OrderedDict[tuple[int, int], points.Points] = collections.OrderedDict()
        self._joined_bytes = 0
        self._listeners: list[Callable[[int], None]] = []

    # ---- writing: one thread only ----

    def add_run(self, name: str) -> int:
        return int(self.add_runs([name])[0])

    def add_runs(self, names: Iterable[str]) -> NDArray[np.int64]:
        """Return the row of each run; new runs are added."""
        with self.lock:
            runs = self.run_names.intern_all(names)
            rows = np.zeros(len(self.run_names) - len(self.runs_table), row_types.RUN)
            rows["min_wall"], rows["max_wall"] = np.nan, np.nan
            self.runs_table.append(rows)
            return runs

    def add_files(self, rows: NDArray[np.void], paths: Sequence[str]) -> NDArray[np.uint32]:
        """Add new files that are not read yet and return their rows. Their runs must have been added before."""
        with self.lock:
            first = self.files_table.append(rows)
            self.paths.extend(paths)
            np.add.at(self.runs_table.writable()["files"], rows["run"], 1)
            self._touch_runs(row_types.distinct(rows["run"]))
            if self._slots.give(self.runs_table, self.run_names, rows["run"], paths):
                self.slots_version = self.version
            return np.arange(first, first + len(rows), dtype=np.uint32)

    def retire_files(self, files: Iterable[int]) -> None:
        """Hide the points of files that are gone or were replaced."""
        with self.lock:
            rows = self.files_table.writable()
            dead = [file for file in files if rows["alive"][file]]
            if not dead:
                return
            rows["alive"][dead] = 0
            runs = row_types.distinct(rows["run"][dead])
            np.subtract.at(self.runs_table.writable()["files"], rows["run"][dead], 1)
            for file in dead:
                self.faults.pop(file, None)
            self._refresh_walls(runs)
            self._touch_runs(runs)
            self._unlink(np.isin(self.chunks_table.rows["file"], dead))
        self._tell()

    def set_identities(self, files: NDArray[np.int64], rows: NDArray[np.void]) -> None:
        """Update version, size or time of files whose content is still the same (touched, mounted again)."""
        with self.lock:
            table = self.files_table.writable()
            for name in ("version", "size", "mtime_ns"):
                table[name][files] = rows[name]

    def commit(self, batch: Batch) -> None:
        """Add a batch. Readers see all of it or nothing."""
        with self.lock:
            self.version += 1
            segment = self._segment_row(batch.segment)
            self._commit_files(batch)
            self._commit_starts(batch)
            self._commit_chunks(batch, segment)
            self._commit_faults(batch)
        self._tell()

    def replace_chunks(self, merged: Sequence[tuple[Sequence[int], np.void]], segment: memoryview) -> None:
        """Replace several consecutive chunks of the same series, file and part by one chunk.

        The points are the same, so versions do not change and no listener is called.
        """
        with self.lock:
            number, table = self._segment_row(segment), self.chunks_table.writable()
            series = []
            for rows, chunk in merged:
                if table["dead"][list(rows)].any():
                    continue  # the file was removed in the meantime
                table[rows[0]] = chunk
                table["segment"][rows[0]] = number
                table["dead"][list(rows[1:])] = 1
                series.append(int(chunk["series"]))
            self._relink(series)
            for key in [key for key in self._joined if key[0] in series]:
                self._joined_bytes -= _size_bytes(self._joined.pop(key))

    def tidy(self) -> None:
        """Free the memory of merged chunks and removed files: table rows if most are dead, and segments without chunks.

        Existing views stay valid.
        """
        with self.lock:
            dead = self.chunks_table.rows["dead"] == 1
            if dead.sum() > max(len(dead) // 2, 1024):
                self._drop_chunk_rows(dead)
                dead = np.zeros(len(self.chunks_table), np.bool_)
            used = np.zeros(len(self.segments), np.bool_)
            used[self.chunks_table.rows["segment"][~dead]] = True
            for row in np.nonzero(~used)[0].tolist():
                self.segments[row] = memoryview(b"")

    def adopt_metadata(self, metadata: Sequence[types.Metadata]) -> None:
        """Use a restored list; lookups by row and by series are built when first needed."""
        with self.lock:
            self.metadata = list(metadata)
            self._metadata_rows = {each: row for row, each in enumerate(self.metadata)}
            self._series_rows = self._more_chunks = None
            self._joined.clear()
            self._joined_bytes = 0

    def set_notices(self, notices: Iterable[types.Fault]) -> None:
        notices = tuple(notices)
        if notices != self.notices:
            with self.lock:
                self.version += 1
                self.notices = notices
            self._tell()

    def set_annotations(self, annotations: Mapping[str, types.Annotation]) -> None:
        """Replace all annotations; they may be about runs that are not in the store. Any thread may call this."""
        with self.lock:
            self.version += 1
            self.annotations = annotations
            self.annotations_version = self.version
        self._tell()

    def keep_slots(self, kept: Mapping[str, int]) -> None:
        """Use these slots for the runs of these names, now and when they appear. Any thread may call this."""
        with self.lock:
            changed = self._slots.keep(self.runs_table, self.run_names, kept)
            if not len(changed):
                return
            self._touch_runs(changed)
            self.slots_version = self.version
        self._tell()

    def set_companions(self, companions: Iterable[types.Companion]) -> None:
        ordered = tuple(sorted(companions, key=lambda each: (each.run, each.path)))
        if ordered == self.companions:
            return
        with self.lock:
            self.version += 1
            changed = set(ordered).symmetric_difference(self.companions)
            self.companions_versions |= {each.kind: self.version for each in changed}
            self.companions = ordered
            self.companions_version = self.version
        self._tell()

    def commit_sources(
        self,
        new: Sequence[sources_.Found],
        changed: Sequence[tuple[int, types.FileState]] = (),
        gone: Sequence[int] = (),
        *,
        tell: bool = True,
    ) -> list[int]:
        """Add, change and remove files that are not event files, and return the rows of the new ones. `changed` and
        `gone` are given by row. If `tell` is False, listeners are called only with the next change."""
        with self.lock:
            self.version += 1
            rows = self.files_beside.add(new, self.version)
            if changed:
                self.files_beside.change([row for row, _ in changed], [state for _, state in changed], self.version)
            if gone:
                self.files_beside.retire(gone, self.version)
        if tell:
            self._tell()
        return rows

    def touch_views(self) -> None:
        """Record that saved views have changed. Any thread may call this."""
        with self.lock:
            self.version += 1
            self.views_version = self.version
        self._tell()

    def set_progress(self, progress: types.Progress) -> None:
        with self.lock:
            self.progress = progress
        self._tell()

    def subscribe(self, listener: Callable[[int], None]) -> Callable[[], None]:
        """Call `listener(version)` after each change, in the writer's thread. Returns a function that ends the
        subscription."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener) if listener in self._listeners else None

    # ---- reading ----

    def runs(self) -> list[str]:
        """Return the names of the runs that have a file, in the order they were found."""
        with self.lock:
            alive = np.nonzero(self.runs_table.rows["files"])[0]
            return [self.run_names[run] for run in alive.tolist()]

    def slots(self) -> dict[str, int]:
        """Return the slot of each run that has a file."""
        with self.lock:
            alive = np.nonzero(self.runs_table.rows["files"])[0]
            return dict(zip(self.run_names.take(alive.tolist()), self.slots_of(alive).tolist(), strict=True))

    def slots_of(self, runs: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the slots of these rows of the run table."""
        return np.maximum(self.runs_table.rows["slot"][runs].astype(np.int64) - 1, 0)

    def run_row(self, run: str) -> int | None:
        number = self.run_names.number(run)
        if number is None or not self.runs_table.rows["files"][number]:
            return None
        return number

    def series(self, run: str, tag: str) -> Series | None:
        with self.lock:
            run_row, tag_row = self.run_row(run), self.tag_names.number(tag)
            if run_row is None or tag_row is None:
                return None
            row = self._rows_by_key().row(run_row << 32 | tag_row)
            return None if row is None or not self._alive(row) else Series(self, row)

    def all_series(
        self, kind: types.Kind | None = None, *, run: str | None = None, tag: str | None = None
    ) -> list[Series]:
        """Return every series with points; `kind`, `run` and `tag` are optional filters."""
        return [Series(self, row) for row in self.series_rows(kind, run=run, tag=tag).tolist()]

    def series_rows(
        self, kind: types.Kind | None = None, *, run: str | None = None, tag: str | None = None, since: int = -1
    ) -> NDArray[np.int64]:
        """Return rows of the series table, for queries over very many series. `since`: only those changed after that
        version."""
        with self.lock:
            rows = self.series_table.rows
            mask = rows["first_chunk"] >= 0
            if kind is not None:
                mask &= rows["kind"] == kind
            if run is not None:
                mask &= rows["run"] == _or_none(self.run_row(run))
            if tag is not None:
                mask &= rows["tag"] == _or_none(self.tag_names.number(tag))
            if since >= 0:
                mask &= rows["version"] > since
            return np.nonzero(mask)[0]

    def series_rows_of(self, runs: NDArray[np.int64], tags: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the rows of the series of these tags in these runs, sorted by tag. The cost depends only on the
        request."""
        with self.lock:
            wanted = runs[np.newaxis, :] << 32 | tags[:, np.newaxis]
            rows = self._rows_by_key().rows(wanted.ravel())
            rows = rows[rows >= 0]
            return rows[self.series_table.rows["first_chunk"][rows] >= 0]

    def stats(self, rows: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
        """Return first, last, min, max, last_step, n of many series at once (columns parallel to `rows`)."""
        names = ("first", "last", "min", "max", "last_step", "n")
        with self.lock:
            first, chunks = self.series_table.rows["first_chunk"][rows], self.chunks_table.rows
            # Column by column: whole rows of 100,000 chunks are 15 MB, and most columns are not needed.
            columns: dict[str, NDArray[Any]] = {name: chunks[name][first] for name in names}
            more = self._chunks_beyond_first()
            several = np.isin(rows, np.fromiter(more, np.int64, len(more))) if more else np.zeros(0, np.bool_)
        # Without the lock: reading points of a damaged index again needs the follower, and the follower needs the lock.
        for position in np.nonzero(several)[0].tolist():
            stats = Series(self, int(rows[position])).stats()
            for name in names:
                columns[name][position] = getattr(stats, name)
        return columns

    def load(self, file: int, column: types.Column, offset: int, length: int) -> types.Tensor:
        if self._load is None:
            raise errors.NotFound("this store holds no heavy values", code="value.not_here")
        return self._load(self.paths[file], column, offset, length)

    def load_tables(self, file: int, refs: NDArray[np.void]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return -1 as every shape if this store can only read values one by one."""
        if self._load_tables is None:
            return np.full((len(refs), 2), -1, np.int64), np.zeros(0)
        return self._load_tables(self.paths[file], refs)

    def sources(self, kind: str | None = None, *, run: str | None = None, since: int = -1) -> list[types.Source]:
        """Return files that are not event files; `kind` and `run` are optional filters. `since`: changed after that
        version."""
        with self.lock:
            return self.files_beside.find(kind, run, since)

    def count_source_runs(self) -> dict[str, int]:
        """Return the number of runs that have such files, by kind; see `sources`."""
        with self.lock:
            return self.files_beside.count_runs()

    def sources_changed(self, kind: str) -> int:
        """Return the version at which a file of this kind was last added, changed or removed; 0: never."""
        with self.lock:
            return self.files_beside.changed(kind)

    def read_source(self, source: types.Source, offset: int = 0, length: int = -1) -> bytes:
        """Return `length` bytes, fewer at the end of the file; -1: all. Raises the same errors as `SourceReader`."""
        if self._read is None:
            raise errors.NotFound("this store holds no files beside the events", code="value.not_here")
        return self._read(source.address, offset, length)

    @property
    def beside(self) -> FilesBeside:
        if self._beside is None:
            raise errors.NotFound("this store holds no files beside the events", code="value.not_here")
        return self._beside

    # ---- below: internals of the writer and the readers; the caller holds the lock ----

    def chunk_rows(self, series: int) -> list[int]:
        """Return the rows of the series' chunks whose files exist, in the order they were read."""
        first = int(self.series_table.rows["first_chunk"][series])
        return [first, *self._chunks_beyond_first().get(series, ())] if first >= 0 else []

    def joined(self, series: int) -> points.Points:
        """Return all points of a series, superseded ones marked."""
        for _ in range(CHECK_TRIES):
            with self.lock:
                key = (series, int(self.series_table.rows["version"][series]))
                if (cached := self._joined.get(key)) is not None:
                    self._joined.move_to_end(key)
                    return cached
                rows = self.chunk_rows(series)
                scalar = self.series_table.rows["kind"][series] == types.Kind.SCALARS
                if not rows:
                    return points.EMPTY_SCALARS if scalar else points.EMPTY_REFS
                table = self.chunks_table.rows
                chunks = [(table[row].copy(), self.segments[int(table["segment"][row])]) for row in rows]
                starts = self._starts_of(int(self.series_table.rows["run"][series]))
            if self.check is None or all(self.check(segment, row) for row, segment in chunks):
                break
        else:
            raise still_damaged()
        views = [
            (row, points.view(row, segment, scalar=bool(scalar), resolve=self._resolve)) for row, segment in chunks
        ]
        if len(views) == 1 and not len(starts):
            return views[0][1]
        result = points.join(views, starts)
        self._remember(key, result)
        return result

    def _remember(self, key: tuple[int, int], result: points.Points) -> None:
        size = _size_bytes(result)
        with self.lock:
            self._joined[key] = result
            self._joined_bytes += size
            while self._joined_bytes > JOIN_CACHE_BYTES and len(self._joined) > 1:
                _, dropped = self._joined.popitem(last=False)
                self._joined_bytes -= _size_bytes(dropped)

    def _resolve(self, file: int, column: types.Column, refs: NDArray[np.void]) -> NDArray[np.float64]:
        values = np.full(len(refs), np.nan)
        for position, (offset, length, _) in enumerate(refs.tolist()):
            tensor = self.load(file, column, offset, length)
            if tensor.array is not None and tensor.array.size == 1:
                values[position] = float(tensor.array.reshape(-1)[0])
        return values

    def _starts_of(self, run: int) -> NDArray[np.void]:
        starts = self.starts_table.rows
        if not len(starts):
            return starts
        files = self.files_table.rows
        mask = (files["run"][starts["file"]] == run) & (files["alive"][starts["file"]] == 1)
        found: NDArray[np.void] = starts[mask]
        return found

    def _alive(self, series: int) -> bool:
        return bool(self.series_table.rows["first_chunk"][series] >= 0)

    def _rows_by_key(self) -> keys.Keys:
        if self._series_rows is None:
            rows = self.series_table.rows
            self._series_rows = keys.Keys((rows["run"].astype(np.int64) << 32) | rows["tag"])
        return self._series_rows

    def _chunks_beyond_first(self) -> dict[int, list[int]]:
        if self._more_chunks is None:
            series, first = self.chunks_table.rows["series"], self.series_table.rows["first_chunk"]
            beyond = self.chunks_table.rows["dead"] == 0
            beyond[first[first >= 0]] = False
            more: dict[int, list[int]] = {}
            for row in np.nonzero(beyond)[0].tolist():
                more.setdefault(int(series[row]), []).append(row)
            self._more_chunks = more
        return self._more_chunks

    def _segment_row(self, segment: memoryview | bytes) -> int:
        """Return the number of a segment. A growing segment is passed again with each batch, so search the last
        ones."""
        for row in range(len(self.segments) - 1, max(-1, len(self.segments) - 5), -1):
            if self.segments[row] is segment:
                return row
        self.segments.append(segment if isinstance(segment, memoryview) else memoryview(segment))
        return len(self.segments) - 1

    def _unlink(self, chunks: NDArray[np.bool_]) -> None:
        """Remove chunks from their series. An empty series loses its kind, because the next writer may use another."""
        if not chunks.any():
            return
        series = row_types.distinct(self.chunks_table.rows["series"][chunks])
        self.chunks_table.writable()["dead"][chunks] = 1
        table = self.series_table.writable()
        table["version"][series] = self.version
        self._relink(series.tolist())
        empty = series[table["first_chunk"][series] < 0]
        table["kind"][empty] = types.Kind.UNTYPED
        table["metadata"][empty] = -1

    def _drop_chunk_rows(self, dead: NDArray[np.bool_]) -> None:
        numbers = np.cumsum(~dead) - 1
        self.chunks_table = row_types.Table(row_types.CHUNK, self.chunks_table.rows[~dead])
        first = self.series_table.writable()["first_chunk"]
        first[first >= 0] = numbers[first[first >= 0]]
        self._more_chunks = None

    def _relink(self, series: Iterable[int]) -> None:
        table, more = self.series_table.writable(), self._chunks_beyond_first()
        dead = self.chunks_table.rows["dead"]
        for row in series:
            found = [chunk for chunk in self.chunk_rows(row) if not dead[chunk]]
            table["first_chunk"][row] = found[0] if found else -1
            if found[1:]:
                more[row] = found[1:]
            else:
                more.pop(row, None)

    def _commit_files(self, batch: Batch) -> None:
        files, news = self.files_table.writable(), batch.file_rows
        for name in ("part", "offset", "tail_crc", "size", "mtime_ns"):
            files[name][batch.files] = news[name]
        for name in ("records", "bad_records"):
            files[name][batch.files] += news[name]
        for name, pick in (("min_wall", np.fmin), ("max_wall", np.fmax)):
            files[name][batch.files] = pick(files[name][batch.files], news[name])
        runs = self.runs_table.writable()
        run_rows = files["run"][batch.files]
        np.fmin.at(runs["min_wall"], run_rows, files["min_wall"][batch.files])
        np.fmax.at(runs["max_wall"], run_rows, files["max_wall"][batch.files])
        read = (news["records"] > 0) | (news["bad_records"] > 0)
        runs["version"][run_rows[read]] = self.version

    def _commit_starts(self, batch: Batch) -> None:
        if len(batch.starts):
            starts = batch.starts.copy()
            starts["file"] = batch.files[starts["file"]]
            self.starts_table.append(starts)

    def _commit_chunks(self, batch: Batch, segment: int) -> None:
        if not len(batch.chunks):
            return
        tags = self.tag_names.intern_all(batch.tags)
        metadata = [self._intern_metadata(each) for each in batch.metadata]
        chunks, files = batch.chunks, batch.files[batch.chunks["file"]]
        runs = self.files_table.rows["run"][files]
        own_keys = (runs.astype(np.int64) << 32) | tags[chunks["series"]]
        numbers = np.array([*metadata, -1], np.int64)  # the last item is for chunks without metadata
        series, kept = self._place(own_keys, chunks, numbers[chunks["metadata"]])
        if not kept.all():
            chunks, files, series = chunks[kept], files[kept], series[kept]
        self._chunks_beyond_first()  # built from the existing rows, so call it before new ones are added
        first = self.chunks_table.append(chunks)
        added = self.chunks_table.rows[first:]
        added["series"], added["file"], added["segment"], added["metadata"] = series, files, segment, -1
        self._link(added["series"], first)

    def _place(
        self, own_keys: NDArray[np.int64], chunks: NDArray[np.void], metadata: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Return the series row of each chunk and add new rows. A chunk whose kind differs from its series is not
        kept."""
        distinct, first, inverse = _distinct(own_keys)
        known = self._rows_by_key()
        rows = known.rows(distinct)
        fresh = np.nonzero(rows < 0)[0]
        fresh = fresh[np.argsort(first[fresh])]  # in the order they were read
        if len(fresh):
            table = np.zeros(len(fresh), row_types.SERIES)
            table["run"], table["tag"] = distinct[fresh] >> 32, distinct[fresh] & 0xFFFFFFFF
            table["metadata"], table["kind"] = metadata[first[fresh]], chunks["kind"][first[fresh]]
            table["first_chunk"] = -1
            rows[fresh] = self.series_table.append(table) + np.arange(len(fresh))
            known.add(distinct[fresh])
        series = rows[inverse]
        own = self.series_table.rows
        learns = (own["kind"][series] == types.Kind.UNTYPED) & (chunks["kind"] != types.Kind.UNTYPED)
        learns |= (own["metadata"][series] < 0) & (metadata >= 0)
        if learns.any():
            columns = (series[learns].tolist(), metadata[learns].tolist(), chunks["kind"][learns].tolist())
            self._learn_kinds(zip(*columns, strict=True))
        kinds = self.series_table.rows["kind"][series]
        return series, (kinds == chunks["kind"]) | (chunks["kind"] == types.Kind.UNTYPED)

    def _learn_kinds(self, typed: Iterable[tuple[int, int, int]]) -> None:
        """Give a series without metadata the first kind and metadata that are found."""
        table = self.series_table.writable()
        for row, meta, kind in typed:
            if table["kind"][row] == types.Kind.UNTYPED and kind != types.Kind.UNTYPED:
                table["kind"][row] = kind
            if table["metadata"][row] < 0 and table["kind"][row] == kind:
                table["metadata"][row] = meta

    def _link(self, series: NDArray[np.uint32], first: int) -> None:
        table = self.series_table.writable()
        table["version"][series] = self.version
        distinct, position, _ = _distinct(series)
        empty = table["first_chunk"][distinct] < 0
        table["first_chunk"][distinct[empty]] = first + position[empty]
        more = self._chunks_beyond_first()
        beyond = np.ones(len(series), np.bool_)
        beyond[position[empty]] = False
        for offset in np.nonzero(beyond)[0].tolist():
            more.setdefault(int(series[offset]), []).append(first + offset)

    def _commit_faults(self, batch: Batch) -> None:
        for task, offset, reason, detail, code, parameters in batch.faults:
            file = int(batch.files[task])
            faults = self.faults.setdefault(file, [])
            fault = types.Fault(self.paths[file], offset, reason, detail, code, parameters)
            # Every scan finds damage at the end of a growing file again.
            if len(faults) < FAULTS_PER_FILE and fault not in faults:
                faults.append(fault)

    def _intern_metadata(self, metadata: types.Metadata) -> int:
        row = self._metadata_rows.get(metadata)
        if row is None:
            row = self._metadata_rows[metadata] = len(self.metadata)
            self.metadata.append(metadata)
        return row

    def _touch_runs(self, runs: NDArray[np.uint32]) -> None:
        self.version += 1
        self.runs_table.writable()["version"][runs] = self.version

    def _refresh_walls(self, changed: NDArray[np.uint32]) -> None:
        files, runs = self.files_table.rows, self.runs_table.writable()
        for name, pick in (("min_wall", np.fmin), ("max_wall", np.fmax)):
            runs[name][changed] = np.nan
            mine = files[np.isin(files["run"], changed) & (files["alive"] == 1)]
            pick.at(runs[name], mine["run"], mine[name])

    def _tell(self) -> None:
        for listener in list(self._listeners):
            listener(self.version)


def _distinct(numbers: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64], NDArray[np.int64]]:
    """Return the sorted distinct numbers, where each is first, and where each number is among them. The first load of
    many runs has each number once, in order, and needs no sorting."""
    if bool((numbers[1:] > numbers[:-1]).all()):
        places = np.arange(len(numbers))
        return numbers, places, places
    return np.unique(numbers, return_index=True, return_inverse=True)


class Series:
    """One tag of one run: a handle that reads from the store on each call."""

    __slots__ = ("_store", "row")

    def __init__(self, store: Store, row: int) -> None:
        self._store = store
        self.row = row

    def _cell(self, name: str) -> int:
        return int(self._store.series_table.rows[name][self.row])

    @property
    def run(self) -> str:
        return self._store.run_names[self._cell("run")]

    @property
    def tag(self) -> str:
        return self._store.tag_names[self._cell("tag")]

    @property
    def kind(self) -> types.Kind:
        kind = types.Kind(self._cell("kind"))
        return types.Kind.TENSORS if kind is types.Kind.UNTYPED else kind

    @property
    def metadata(self) -> types.Metadata:
        row = self._cell("metadata")
        found = self._store.metadata[row] if row >= 0 else types.Metadata()
        if found.plugin or self.kind is types.Kind.TENSORS:
            return found
        return dataclasses.replace(found, plugin=self.kind.word)  # old summary formats name no plugin

    @property
    def version(self) -> int:
        return self._cell("version")

    @property
    def max_count(self) -> int:
        """The largest number of elements in one value (images: the strings for width and height count too)."""
        with self._store.lock:
            rows = self._store.chunk_rows(self.row)
            return int(self._store.chunks_table.rows["max_count"][rows].max(initial=0))

    def points(self, rewinds: types.Rewinds = types.Rewinds.LATEST) -> Points:
        joined = self._store.joined(self.row)
        return joined if rewinds is types.Rewinds.ALL else points.latest(joined)

    def stats(self) -> Stats:
        """The summary of the points shown by default."""
        chunk = self.only_chunk()
        if chunk is None:
            return stats_of(self.points())
        names = ("n", "first", "last", "min", "max", "last_step", "min_wall", "max_wall")
        return Stats(**{name: chunk[name].item() for name in names})

    def only_chunk(self) -> np.void | None:
        """Return the row of the chunk table that has all points; None: there are several, or a restart may hide some
        points."""
        with self._store.lock:
            rows = self._store.chunk_rows(self.row)
            if len(rows) != 1 or len(self._store._starts_of(self._cell("run"))):
                return None
            found: np.void = self._store.chunks_table.rows[rows[0]]
            return found

    def tensor(self, point: int, shown: Points | None = None) -> types.Tensor:
        """Return the heavy value at an index of `shown` (or of `points()`)."""
        found = self.points() if shown is None else shown
        if found.files is None:
            raise errors.BadQuestion(f"`{self.tag}` holds plain numbers, not {self.kind.word}")
        offset, length, _ = found.values[point].item()
        chunk_column = self._column()
        return self._store.load(int(found.files[point]), chunk_column, offset, length)

    def tensors(self, shown: Points | None = None) -> Iterator[types.Tensor]:
        found = self.points() if shown is None else shown
        return (self.tensor(point, found) for point in range(len(found)))

    def messages(self, most: int) -> Iterator[bytes]:
        """Yield the last `most` values as they were written, including superseded ones, each a Summary.Value. Values
        that are gone are left out."""
        found = self.points(types.Rewinds.ALL)
        if found.files is None or self._column() is not types.Column.VALUE_REF:
            return
        for point in range(max(0, len(found) - most), len(found)):
            offset, length, _ = found.values[point].item()
            try:
                tensor = self._store.load(int(found.files[point]), types.Column.RAW_REF, offset, length)
            except (errors.LightboardError, OSError):
                continue
            yield from (tensor.strings or ())[:1]

    def tables(self, shown: Points | None = None) -> NumberTables:
        """Return all these values as tables of numbers, many times faster than one by one."""
        found = self.points() if shown is None else shown
        if found.files is None or self._column() is not types.Column.VALUE_REF:
            return NumberTables(np.full((len(found), 2), -1, np.int64), np.zeros(0))
        shapes: list[NDArray[np.int64]] = [np.zeros((0, 2), np.int64)]
        cells: list[NDArray[np.float64]] = [np.zeros(0)]
        ends = [*(np.nonzero(np.diff(found.files))[0] + 1).tolist(), len(found)] if len(found) else []
        first = 0
        for end in ends:
            own, numbers = self._tables_of_file(found, first, end)
            shapes.append(own)
            cells.append(numbers)
            first = end
        return NumberTables(np.concatenate(shapes), np.concatenate(cells))

    def _tables_of_file(self, found: Points, first: int, end: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        assert found.files is not None
        try:
            shapes, cells = self._store.load_tables(int(found.files[first]), found.values[first:end])
        except errors.Gone:  # some of the values may still exist
            shapes, cells = np.full((end - first, 2), -1, np.int64), np.zeros(0)
        odd = np.nonzero(shapes[:, 0] < 0)[0]
        if not len(odd):
            return shapes, cells
        shapes = shapes.copy()
        pieces = np.split(cells, np.cumsum(np.maximum(shapes, 0).prod(axis=1))[:-1])
        for position in odd.tolist():
            table = self._maybe_table(first + position, found)
            if table is not None:
                shapes[position], pieces[position] = table.shape, table.ravel()
        return shapes, np.concatenate(pieces)

    def _maybe_table(self, point: int, found: Points) -> NDArray[np.float64] | None:
        try:
            array = self.tensor(point, found).array
        except (errors.Gone, errors.Unreadable):
            return None
        if array is None or array.ndim != 2 or array.dtype.kind not in "fiub":
            return None
        return array.astype(np.float64)

    def _column(self) -> types.Column:
        with self._store.lock:
            row = self._store.chunk_rows(self.row)[0]
            return types.Column(int(self._store.chunks_table.rows["column"][row]))


def _size_bytes(found: points.Points) -> int:
    return int(found.steps.nbytes + found.wall_times.nbytes + found.values.nbytes)


def _or_none(row: int | None) -> int:
    """Replace None by a row number that no table has, so that a comparison matches nothing."""
    return 0xFFFFFFFF if row is None else row


def stats_of(found: Points) -> Stats:
    """Return the summary of these points."""
    n = len(found)
    nan = float("nan")
    if n == 0:
        return Stats(n=0, first=nan, last=nan, min=nan, max=nan, last_step=0, min_wall=nan, max_wall=nan)
    walls = found.wall_times
    first = last = low = high = nan
    if found.files is None:
        first, last = float(found.values[0]), float(found.values[-1])
        finite = found.values[np.isfinite(found.values)]
        low, high = (float(finite.min()), float(finite.max())) if len(finite) else (nan, nan)
    return Stats(
        n=n,
        first=first,
        last=last,
        min=low,
        max=high,
        last_step=int(found.steps[-1]),
        min_wall=float(np.fmin.reduce(walls)),
        max_wall=float(np.fmax.reduce(walls)),
    )
