"""Reads rows of the file table into the store: scans in rounds, commits each.

Rounds keep progress visible and memory constant: each reads a batch of files or a range of a huge one. Nothing is done
per point and little per file, because a logdir may have 100,000 of them.
"""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from lightboard import _native, head_start, store, types
from lightboard.logdir import filesystems, segments
from lightboard.store import row_types

log = logging.getLogger("lightboard")

# Bytes of one round, which two cores read in a fraction of a second, and the limit for one file: the same, because all
# cores read a large file together. Several huge files take turns.
ROUND_BYTES = head_start.FILE_BYTES
FILE_BYTES = ROUND_BYTES
ROUND_FILES = 20_000
# Bytes of small files elsewhere: they are in memory while they are scanned, and the next round is fetched meanwhile.
ROUND_FETCHED = 6 << 20
# Files elsewhere come as fast as the store gives them. The first round is short; each of the next ones has as many
# bytes as come in ROUND_SECS: large files are not kept in memory, but their points are visible after the round.
FIRST_FETCHED = 16 << 20
MOST_FETCHED = 1 << 30
ROUND_SECS = 1.0

# From this many new files on, a scan begins before they are in the store: a thread must be worth its start.
EARLY_FILES = 100

_COMPRESSED = head_start.COMPRESSED


class FirstScan(Protocol):
    """A scan that began before this module was imported; see `head_start.HeadStart`."""

    tasks: list[_native.Task]

    def wait(self) -> None: ...

    def take(self) -> tuple[_native.Batch, int] | None: ...

    def close(self) -> None: ...


@dataclasses.dataclass
class Loader:
    """Reads files of the store's table, each from the offset where reading stopped."""

    target: store.Store
    writer: segments.Writer
    systems: filesystems.FileSystems
    scans: Mapping[int, segments.Scan] = dataclasses.field(default_factory=dict)  # by `scan` of the file's row
    first_scan: FirstScan | None = None  # None after the first look has used it

    def __post_init__(self) -> None:
        self.unreadable: set[int] = set()  # rows that could not be opened; retried later
        self.swapped: set[int] = set()  # rows whose file was replaced while it was read: read again
        self.unfinished = False  # some file is known to have unread data
        self._early: EarlyScan | HeadScan | None = None  # used by the next round, or not at all

    @contextlib.contextmanager
    def early(self, addresses: list[str], sizes: NDArray[np.uint64]) -> Iterator[None]:
        """Scan the first round of new event files while the caller adds their rows to an empty store and reads them.

        A scan depends only on its tasks: if the first round has the same ones, it takes this result; else it scans.
        """
        first, self.first_scan = self.first_scan, None
        early = self._begin_early(addresses, sizes, first)
        if early is None:
            yield
            return
        self._early = early
        try:
            yield
        finally:
            self._early = None
            early.close()  # the writer has one user at a time

    def _begin_early(
        self, addresses: list[str], sizes: NDArray[np.uint64], first: FirstScan | None
    ) -> EarlyScan | HeadScan | None:
        new = len(addresses) >= EARLY_FILES and not len(self.target.series_table) and not self.systems.fetching
        kept = [at for at, address in enumerate(addresses) if not address.endswith(_COMPRESSED)] if new else []
        if first is not None:
            begun = len(first.tasks)
            if begun and [task[0] for task in first.tasks] == [addresses[at] for at in kept[:begun]]:
                return HeadScan(first, self.writer)
            first.close()
        if not kept:
            return None
        count, known = _count(np.minimum(sizes[kept], np.uint64(FILE_BYTES)), ROUND_BYTES), dict[str, int]()
        return EarlyScan([(addresses[at], 0, FILE_BYTES, 0, known) for at in kept[:count]], self.writer)

    def read(self, rows: NDArray[np.int64], *, each_round: Callable[[int, int], bool]) -> None:
        """Read until nothing is left. `each_round(files, bytes)` is called with the progress; False stops early."""
        try:
            self._read(rows, each_round)
        finally:
            self.systems.end_prefetch()

    def _read(self, rows: NDArray[np.int64], each_round: Callable[[int, int], bool]) -> None:
        pending = self._without_compressed(rows)
        each = FIRST_FETCHED if self.systems.fetching else FILE_BYTES
        limit = each
        while len(pending):
            files = row_types.taken(self.target.files_table.rows, pending)
            remaining = np.minimum(files["size"] - np.minimum(files["offset"], files["size"]), np.uint64(limit))
            count = _count(remaining, limit)
            if self._early is not None:
                count = min(count, len(self._early.tasks))
            if self.systems.fetching:
                count = self._fetch_ahead(pending, files, remaining, count, limit)
            began = time.monotonic()
            more, stuck = self._careful_round(pending[:count], files[:count], limit)
            if self.systems.fetching:
                each = _next_limit(int(remaining[:count].sum()), time.monotonic() - began)
            limit = 4 * limit if stuck else each
            done = count - len(more)
            pending = np.concatenate([pending[count:], more])
            self.unfinished = bool(len(pending))
            if not each_round(done, int(remaining[:count].sum())):
                return

    def _fetch_ahead(
        self, pending: NDArray[np.int64], files: NDArray[np.void], remaining: NDArray[np.uint64], count: int, limit: int
    ) -> int:
        """Begin to fetch the small files of this round, unless the last one did, and those of the round after it.
        Returns how many files the round has: their bytes are in memory."""
        small = np.where(remaining < filesystems.STREAMED_BYTES, remaining, np.uint64(0))
        count = min(count, _count(small, ROUND_FETCHED))
        after = count + _count(small[count:], ROUND_FETCHED)
        for part in (slice(count), slice(count, after)):
            self.systems.prefetch(self.target.paths.take(pending[part].tolist()), files[part], limit)
        return count

    def _careful_round(
        self, rows: NDArray[np.int64], before: NDArray[np.void], limit: int
    ) -> tuple[NDArray[np.int64], bool]:
        """A round that finds and skips a file on which the scan fails, and reads all others."""
        try:
            return self._round(rows, before, limit)
        except Exception as error:
            if len(rows) == 1:
                log.exception("reading an event file failed, it is left alone: %s", self.target.paths[int(rows[0])])
                self._leave_alone(rows, "failed", f"reading it failed: {error!r}", "fault.failed")
                return rows[:0], False
        half = len(rows) // 2
        first, stuck = self._careful_round(rows[:half], before[:half], limit)
        second, stuck_too = self._careful_round(rows[half:], before[half:], limit)
        return np.concatenate([first, second]), stuck or stuck_too

    def _round(self, rows: NDArray[np.int64], before: NDArray[np.void], limit: int) -> tuple[NDArray[np.int64], bool]:
        """Scan and commit. Returns the rows with more to read, and whether one of them made no progress."""
        if not before["scan"].any():
            return self._round_of(_native.scan, rows, before, limit)
        parts = []
        for number in row_types.distinct(before["scan"]).tolist():
            mine = before["scan"] == number
            scan = self.scans[number] if number else _native.scan
            parts.append(self._round_of(scan, rows[mine], before[mine], limit))
        return np.concatenate([more for more, _ in parts]), any(stuck for _, stuck in parts)

    def _round_of(
        self, scan: segments.Scan, rows: NDArray[np.int64], before: NDArray[np.void], limit: int
    ) -> tuple[NDArray[np.int64], bool]:
        addresses = self.target.paths.take(rows.tolist())
        sources = self.systems.sources(addresses, before, limit, streamed=scan is _native.scan)
        scanned, segment = self._scan(self._tasks(before, sources, limit), scan)
        failed = np.array(self.systems.ended_early(addresses, sources), bool)
        after = np.frombuffer(bytearray(scanned.files), row_types.FILE)
        chunks = np.frombuffer(scanned.chunks, row_types.CHUNK)
        starts = np.frombuffer(scanned.starts, row_types.START)
        faults = [_explained(fault, sources[fault[0]]) for fault in scanned.faults]
        good = self._sort_out(rows, before, after)
        if not good.all():
            chunks, starts = chunks[good[chunks["file"]]], starts[good[starts["file"]]]
            faults = [fault for fault in faults if good[fault[0]] or rows[fault[0]] not in self.swapped]
        self.target.commit(
            store.Batch(
                tags=scanned.tags,
                metadata=[types.Metadata(*each) for each in scanned.metadata],
                files=rows.astype(np.uint32),
                file_rows=after,
                chunks=chunks,
                starts=starts,
                segment=segment,
                faults=faults,
            )
        )
        cut = good & ((before["offset"] + np.uint64(limit) < after["size"]) | failed)
        return rows[cut], bool((cut & ~failed & (after["offset"] == before["offset"])).any())

    def _scan(self, tasks: list[_native.Task], scan: segments.Scan) -> segments.Scanned:
        early, self._early = self._early, None
        if early is not None:
            early.wait()
            if scan is _native.scan and tasks == early.tasks:
                return early.result()
        return self.writer.scan(tasks, scan)

    def _tasks(self, before: NDArray[np.void], sources: Sequence[filesystems.Source], limit: int) -> list[_native.Task]:
        kinds = known_kinds(self.target, before["run"])
        known = map(kinds.get, before["run"].tolist(), itertools.repeat(dict[str, int]()))
        limits = [limit] * len(sources)
        return list(zip(sources, before["offset"].tolist(), limits, before["part"].tolist(), known, strict=True))

    def _sort_out(
        self, rows: NDArray[np.int64], before: NDArray[np.void], after: NDArray[np.void]
    ) -> NDArray[np.bool_]:
        """Returns which files were read. The rows of the others stay unchanged."""
        opened = after["version"] != 0
        other = opened & (after["version"] != before["version"])
        # Replaced between walk and scan: fine if reading began at offset 0, otherwise points of two files mix.
        swapped = other & (before["offset"] > 0)
        taken = np.nonzero(other & ~swapped)[0]
        if len(taken):
            self.target.set_identities(rows[taken], after[taken])
        for row, offset in zip(rows[~opened].tolist(), before["offset"][~opened].tolist(), strict=True):
            (self.swapped if offset == 0 and self._was_replaced(row) else self.unreadable).add(row)
        self.unreadable.difference_update(rows[opened].tolist() if self.unreadable else ())
        self.swapped.update(rows[swapped].tolist())
        kept: NDArray[np.bool_] = opened & ~swapped
        for name in ("size", "mtime_ns", "offset", "tail_crc", "part"):
            after[name][~kept] = before[name][~kept]
        for name in ("records", "bad_records"):
            after[name][~kept] = 0
        still = kept & (after["offset"] == before["offset"])
        after["tail_crc"][still] = before["tail_crc"][still]
        return kept

    def _was_replaced(self, row: int) -> bool:
        """Whether an object was replaced between listing and reading."""
        refusals = self.systems.refusals
        return refusals is not None and refusals.was_replaced(self.target.paths[row])

    def _without_compressed(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Compressed event files cannot be read; they are reported once and skipped."""
        numbered = rows.tolist()
        paths, scans = self.target.paths.take(numbered), self.target.files_table.rows["scan"]
        named = [row for row, path in zip(numbered, paths, strict=True) if path.endswith(_COMPRESSED)]
        packed = [row for row in named if not scans[row]]
        if not packed:
            return rows
        numbers = np.array(packed, np.int64)
        detail = "compressed event files are not read; unpack it in the same directory"
        self._leave_alone(numbers, "compressed", detail, "fault.compressed")
        return rows[~np.isin(rows, numbers)]

    def restore_unreadable(self) -> None:
        """Find in a restored store the files that could not be opened: they are tried again."""
        faults = self.target.faults.items()
        self.unreadable = {row for row, of_file in faults if any(fault.reason == "open" for fault in of_file)}

    def postpone(self, reasons: Mapping[int, OSError]) -> None:
        """Say of files why they cannot be read at the moment; the next pass tries again."""
        rows = np.array(sorted(reasons), np.int64)
        files = self.target.files_table.rows[rows].copy()
        faults = []
        for task, row in enumerate(rows.tolist()):
            reason = filesystems.Unfetched(reasons[row])
            self.target.faults.pop(row, None)
            if self.systems.refusals is not None:
                self.systems.refusals.note(self.target.paths[row], reasons[row])
            offset, text = int(files["offset"][task]), str(reason)
            faults.append(_explained((task, offset, "open", text, "fault.open", {"reason": text}), reason))
        self._commit_faults(rows, files, faults)
        self.unreadable.update(reasons)

    def _leave_alone(self, rows: NDArray[np.int64], reason: str, detail: str, code: str) -> None:
        """Mark files as completely read, with a fault that says why they were not."""
        files = self.target.files_table.rows[rows].copy()
        files["offset"], files["tail_crc"] = files["size"], 0
        faults = [(task, 0, reason, detail, code, dict[str, str]()) for task in range(len(rows))]
        self._commit_faults(rows, files, faults)

    def _commit_faults(
        self,
        rows: NDArray[np.int64],
        files: NDArray[np.void],
        faults: Sequence[types.FaultRow],
    ) -> None:
        files["records"], files["bad_records"] = 0, 0
        self.target.commit(
            store.Batch(
                tags=[],
                metadata=[],
                files=rows.astype(np.uint32),
                file_rows=files,
                chunks=np.zeros(0, row_types.CHUNK),
                starts=np.zeros(0, row_types.START),
                segment=b"",
                faults=faults,
            )
        )


class EarlyScan:
    """A scan in a separate thread. `tasks` never change; nobody else may use the writer before `wait` returns."""

    def __init__(self, tasks: list[_native.Task], writer: segments.Writer) -> None:
        self.tasks = tasks
        self._writer = writer
        self._outcome: segments.Scanned | Exception | None = None
        self._thread = threading.Thread(target=self._run, name="lightboard-scan", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._outcome = self._writer.scan(self.tasks, _native.scan)
        except Exception as error:  # raised where the result is used
            self._outcome = error

    def wait(self) -> None:
        self._thread.join()

    close = wait

    def result(self) -> segments.Scanned:
        """Call it after `wait`. Raises what the scan raised."""
        outcome, self._outcome = self._outcome, None
        if isinstance(outcome, Exception):
            raise outcome
        assert outcome is not None
        return outcome


class HeadScan:
    """A first scan, used like an `EarlyScan`: the writer takes over its file of columns."""

    def __init__(self, first: FirstScan, writer: segments.Writer) -> None:
        self.tasks = first.tasks
        self._first = first
        self._writer = writer
        self.wait, self.close = first.wait, first.close

    def result(self) -> segments.Scanned:
        """Scans again if the first scan failed, or if its columns cannot be in the index."""
        taken = self._first.take()
        adopted = self._writer.adopt(*taken) if taken is not None else None
        return adopted or self._writer.scan(self.tasks, _native.scan)


def _count(sizes: NDArray[np.uint64], most: int) -> int:
    """Returns how many files are read in a round of `most` bytes."""
    count = int(np.searchsorted(np.cumsum(sizes), most, "right"))
    return min(max(count, 1), ROUND_FILES)


def _explained(fault: types.FaultRow, source: object) -> types.FaultRow:
    """A fault of a file that could not be fetched, with the store's reason, which the page can say in its language."""
    because = source.because if isinstance(source, filesystems.Unfetched) else None
    if because is None:
        return fault
    # plain, as it is restored from the index
    return (*fault[:4], "fault.store", {"because": dataclasses.asdict(because)})


def _next_limit(read_bytes: int, took_secs: float) -> int:
    """How many bytes come in ROUND_SECS, as fast as those of the last round came."""
    return int(min(max(read_bytes / max(took_secs, 0.001) * ROUND_SECS, FIRST_FETCHED), MOST_FETCHED))


def known_kinds(known: store.Store, runs: NDArray[np.uint32]) -> dict[int, dict[str, int]]:
    """Returns the known kinds of tags per run: the rest of a file does not repeat them."""
    with known.lock:
        series = known.series_table.rows
        if not len(series):
            return {}
        rows = np.nonzero(np.isin(series["run"], runs) if len(runs) > 1 else series["run"] == runs[0])[0]
        found = series[rows]
        names = known.tag_names
        kinds: dict[int, dict[str, int]] = {}
        for run, tag, kind in zip(found["run"].tolist(), found["tag"].tolist(), found["kind"].tolist(), strict=True):
            if kind != types.Kind.UNTYPED:
                kinds.setdefault(run, {})[names[tag]] = kind
        return kinds
