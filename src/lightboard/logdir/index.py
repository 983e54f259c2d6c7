"""The index: everything that was read, saved in the user's cache directory so that the next start parses nothing.

    <cache>/lightboard/index/<key of the roots>/
        lock                held by the writer; its time says when the index was last used, its text for which logdir
        catalog             all tables (see `catalog`), replaced atomically
        synced              names the catalog whose columns have reached the disk
        segment-*.bin       columns (see `segments`); the catalog has checksums of their blocks

Only the process that holds the lock writes. Others read the catalog and save nothing. A segment is used only if a
committed catalog names it, so a killed writer leaves only files that the next writer removes. If anything is wrong
with an index, the logs are read again; deleting it at any moment is harmless.

The whole catalog is checked when it is read. A segment may have gigabytes, so each block is checked when points in it
are first requested (`sound`); event files with points in a damaged block are read again (`damage`).
"""

from __future__ import annotations

import dataclasses
import logging
import os
import stat
import time

import numpy as np
from numpy.typing import NDArray

from lightboard import _native, head_start, store, types
from lightboard.logdir import catalog, filesystems, segments
from lightboard.logdir import spec as spec_
from lightboard.store import snapshot

log = logging.getLogger("lightboard")

MAX_BYTES = 20 << 30
UNUSED_SECS = 90 * 86400.0


@dataclasses.dataclass(frozen=True)
class Restored:
    """A segment that a catalog named, mapped. The view keeps the mapping alive."""

    view: memoryview
    segment: catalog.SegmentName
    checks: _native.BlockChecks


@dataclasses.dataclass(frozen=True)
class Damage:
    """Damaged blocks of a segment, and the rows of the files that have points in them."""

    path: str
    offset: int  # of the first such block
    files: list[int]


def default_directory() -> str:
    return head_start.index_directory()


class Index:
    """The index of one logdir. Only `Follower` calls the methods, and none of them raises OSError."""

    def __init__(self, directory: str | None = None, *, max_bytes: int | None = None) -> None:
        self.base = filesystems.absolute(directory or default_directory())
        self.max_bytes = MAX_BYTES if max_bytes is None else max_bytes
        self.path = ""  # the directory of this logdir, set by `open`
        self.writable = False
        self._lock = -1
        self._mapped: dict[int, Restored] = {}  # id of the view → segment
        self._saved_identity = ""
        self._saved_names: set[str] = set()  # segments in the catalog on disk

    # ---- opening and closing ----

    def open(self, spec: spec_.LogdirSpec) -> None:
        """Find the directory and try to become its writer."""
        self.path = f"{self.base}/{key(spec)}"
        try:
            os.makedirs(self.path, mode=0o700, exist_ok=True)  # noqa: PTH103
            self._lock = lock(f"{self.path}/lock")
        except OSError as error:
            log.warning("the index cannot be written, going on without it: %s", error)
            return
        self.writable = self._lock >= 0
        if self.writable:
            os.utime(self._lock)
            self._say_whose(spec)

    def _say_whose(self, spec: spec_.LogdirSpec) -> None:
        """Write the roots into a file, for people who look at the cache directory. No decision depends on it."""
        roots = [(f"{root.name}:" if root.name else "") + filesystems.absolute(root.path) for root in spec.roots]
        try:
            os.ftruncate(self._lock, 0)
            os.pwrite(self._lock, "\n".join(roots).encode("utf-8", "surrogateescape"), 0)
        except OSError as error:
            log.info("the index cannot say whose it is: %s", error)

    @property
    def _catalog(self) -> str:
        return f"{self.path}/catalog"

    def close(self) -> None:
        if self._lock >= 0:
            os.close(self._lock)
        self._lock, self.writable = -1, False

    def still_ours(self) -> bool:
        """Whether the directory has neither been deleted nor taken by another writer."""
        try:
            ours, there = os.fstat(self._lock), os.stat(f"{self.path}/lock")
        except OSError:
            return False
        return self.writable and (ours.st_dev, ours.st_ino) == (there.st_dev, there.st_ino)

    # ---- restoring ----

    def restore(self, target: store.Store) -> bool | None:
        """Fill an empty store. None: no valid catalog; else whether every file had been read to its end."""
        for attempt in (1, 2, 3):
            try:
                loaded = catalog.read(self._catalog)
                self._check_synced(loaded)
                views = self._map(loaded)
            except FileNotFoundError:
                if attempt < 3 and os.path.exists(self._catalog):  # noqa: PTH110
                    continue  # the writer has just replaced it
                break
            except (OSError, ValueError) as error:
                log.info("the index is thrown away and the logs are read again: %s", error)
                break
            snapshot.restore(target, dataclasses.replace(loaded.saved, segments=views))
            self._saved_identity = loaded.identity
            self._saved_names = {segment.name for segment in loaded.segments}
            return loaded.complete
        self._mapped, self._saved_names = {}, set()
        return None

    def _map(self, found: catalog.Catalog) -> list[memoryview]:
        """Returns a view for each segment in the catalog; the same view if it names a file several times."""
        views = []
        needed = _needed(found)
        by_name: dict[str, Restored] = {}
        for number, segment in enumerate(found.segments):
            if max(needed.get(number, 0), segments.HEAD) > segment.end:
                raise ValueError("a chunk lies beyond its segment")
            if segment.name not in by_name:
                path = f"{self.path}/{segment.name}"
                view = segments.map_existing(path, bytes.fromhex(segment.identity), segment.end)
                checks = _native.BlockChecks(view[: segment.end], segment.sums)
                by_name[segment.name] = self._mapped[id(view)] = Restored(view, segment, checks)
            views.append(by_name[segment.name].view)
        if len(views) <= max(needed, default=-1):
            raise ValueError("a chunk lies in no segment")
        return views

    def _check_synced(self, found: catalog.Catalog) -> None:
        """After a crash of the machine, the catalog may be on the disk but not the columns."""
        if found.boot and found.boot == boot():
            return
        with open(f"{self.path}/synced") as file:
            if file.read() != found.identity:
                raise ValueError("the machine went down before the columns were on disk")

    # ---- saving ----

    def save(self, source: store.Store, writer: segments.Writer, *, complete: bool = True) -> bool:
        """Write a new catalog. False: that failed, and the last one is unchanged."""
        if not self.still_ours() or writer.private:
            return False
        taken = snapshot.take(source)
        names = [self._name(view, writer) for view in taken.segments]
        known = [name for name in names if name is not None]
        if len(known) < len(names):
            log.warning("the index is given up: some points lie outside of it")
            return False
        identity = os.urandom(16).hex()
        pieces = catalog.pack(catalog.Catalog(taken, known, identity, boot(), complete))
        try:
            _write(self._catalog, pieces)
        except OSError as error:
            log.warning("the index cannot be written, going on without it: %s", error)
            return False
        self._saved_identity = identity
        self._saved_names = {segment.name for segment in known}
        self._remove_leftovers(self._saved_names | writer.names())
        return True

    def sync(self, columns: list[int]) -> None:
        """Make the last saved catalog survive a crash of the machine. Waits for the disk, so call it in a thread.

        `columns` are descriptors of the segments written; they are closed.
        """
        identity = self._saved_identity
        try:
            files = [os.open(path, os.O_RDONLY | os.O_CLOEXEC) for path in (self._catalog, self.path)]
            descriptors = [*columns, *files]
        except OSError:
            descriptors = columns
            identity = ""
        try:
            for fd in descriptors:
                os.fsync(fd)
            if identity and identity == self._saved_identity and self.still_ours():
                _write(f"{self.path}/synced", [identity.encode()])
        except OSError as error:
            log.info("the index is not safe on disk: %s", error)
        finally:
            for fd in descriptors:
                os.close(fd)

    def clean(self) -> None:
        """Remove files that no catalog names: of a killed writer, or ours after we gave up. Mappings stay valid."""
        if self.still_ours():
            self._remove_leftovers(self._saved_names)

    def _name(self, view: memoryview, writer: segments.Writer) -> catalog.SegmentName | None:
        if (restored := self._mapped.get(id(view))) is not None:
            return restored.segment
        segment = writer.segment_of(view)
        if segment is None or not segment.name:
            return None
        return catalog.SegmentName(segment.name, segment.identity.hex(), segment.end, segment.sums())

    def _remove_leftovers(self, needed: set[str]) -> None:
        try:
            for name in os.listdir(self.path):
                if (name.startswith("segment-") and name not in needed) or name.endswith(".new"):
                    os.unlink(f"{self.path}/{name}")  # noqa: PTH108
        except OSError as error:
            log.info("a file of the index cannot be removed: %s", error)

    # ---- the cap ----

    def own_bytes(self) -> int:
        return _size_bytes(self.path)

    def file_of(self, view: memoryview) -> tuple[str, int]:
        """Returns name and used length of a restored segment; ("", 0) for others."""
        restored = self._mapped.get(id(view))
        return (restored.segment.name, restored.segment.end) if restored else ("", 0)

    def cut_short(self) -> bool:
        """Returns whether a restored segment was truncated. A removed one does no harm."""
        every = list(self._mapped.values())  # a copy: readers call this while the follower may release some
        return any(_shorter(f"{self.path}/{restored.segment.name}", len(restored.view)) for restored in every)

    def sound(self, view: memoryview, chunks: NDArray[np.void] | np.void) -> bool:
        """Returns whether the columns of these chunks are undamaged. Segments that this process wrote are not checked,
        because they were not read from a disk. Thread-safe.
        """
        restored = self._mapped.get(id(view))
        return restored is None or restored.checks.complete or restored.checks.check_chunks(chunks.tobytes())

    def damage(self, source: store.Store) -> list[Damage]:
        """Returns which files of the store must be read again. If `sound` has found one damaged block, all others are
        checked, too: damage rarely affects only one.
        """
        if not any(len(restored.checks.damaged()) for restored in self._mapped.values()):
            return []
        damages = []
        for restored in self._mapped.values():
            restored.checks.check_all()
            blocks = restored.checks.damaged()
            if len(blocks) and (files := _files_in(source, restored.view, blocks)):
                offset = int(blocks[0]) * _native.SUM_BLOCK_BYTES
                damages.append(Damage(f"{self.path}/{restored.segment.name}", offset, files))
        return damages

    def release(self, in_use: set[int]) -> None:
        """Release restored segments whose view (by id) is not in use."""
        self._mapped = {key: restored for key, restored in self._mapped.items() if key in in_use}

    def kept_bytes(self) -> int:
        """Returns the size of the restored columns."""
        return sum(restored.segment.end for restored in self._mapped.values())

    def evict(self) -> None:
        """Remove the indexes of other logdirs, least recently used first, until all fit below the cap.

        Indexes that were not used for a long time are always removed.
        """
        try:
            others = sorted(self._others())
        except OSError:
            return
        total = self.own_bytes() + sum(size for _, size, _ in others)
        for used, size, path in others:
            if (total > self.max_bytes or used < time.time() - UNUSED_SECS) and remove(path):
                total -= size

    def _others(self) -> list[tuple[float, int, str]]:
        """Returns (last used, size, path) of each."""
        others = []
        for name in os.listdir(self.base):
            path = f"{self.base}/{name}"
            if not is_key(name) or path == self.path or os.path.islink(path):  # noqa: PTH114
                continue
            try:
                used = os.stat(f"{path}/lock").st_mtime
            except OSError:
                used = 0.0
            others.append((used, _size_bytes(path), path))
        return others


def key(spec: spec_.LogdirSpec) -> str:
    """Returns the same key for the same runs under the same names."""
    roots = [(root.name, filesystems.absolute(root.path)) for root in spec.roots]
    return head_start.index_key(roots, include=spec.include, exclude=spec.exclude, links=spec.links.value)


def is_key(name: str) -> bool:
    return len(name) == 32 and not name.strip("0123456789abcdef")


def lock(path: str) -> int:
    """Returns a descriptor that holds the lock, -1 if another process has it. Raises OSError if locking fails."""
    import fcntl

    while True:
        fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(fd)
            return -1
        except OSError:
            os.close(fd)
            raise
        try:
            # An eviction may have removed the file between opening and locking it: then this lock guards nothing.
            if os.stat(path).st_ino == os.fstat(fd).st_ino:
                return fd
        except FileNotFoundError:
            pass
        os.close(fd)
        if not os.path.isdir(os.path.dirname(path)):  # noqa: PTH112, PTH120
            return -1


def whose(path: str) -> list[str]:
    """Returns the roots of an index, as `path` or `name:path`; empty if unknown."""
    try:
        with open(f"{path}/lock", encoding="utf-8", errors="surrogateescape") as file:
            return file.read(1 << 20).splitlines()
    except OSError:
        return []


def remove(path: str) -> bool:
    """Remove an index, unless a process writes it."""
    try:
        fd = lock(f"{path}/lock")
    except OSError:
        return False
    if fd < 0:
        return False
    try:
        # The lock is removed last: a process that finds the directory without a catalog writes a new one.
        for name in sorted(os.listdir(path), key=lambda name: name == "lock"):
            os.unlink(f"{path}/{name}")  # noqa: PTH108
        os.rmdir(path)  # noqa: PTH106
    except OSError:
        return False
    finally:
        os.close(fd)
    return True


def boot() -> str:
    """Returns an id of the machine's current boot; "" if unknown."""
    try:
        with open("/proc/sys/kernel/random/boot_id") as file:
            return file.read().strip()
    except OSError:
        return ""


def _needed(found: catalog.Catalog) -> dict[int, int]:
    """Returns the minimum length of each segment, by number."""
    chunks = found.saved.chunks
    if not len(chunks):
        return {}
    ends = np.max([column_ends for _, column_ends in _columns(chunks)], axis=0)
    needed = np.zeros(int(chunks["segment"].max()) + 1, np.uint64)
    np.maximum.at(needed, chunks["segment"], ends)
    return dict(enumerate(needed.tolist()))


def _columns(chunks: NDArray[np.void]) -> list[tuple[NDArray[np.uint64], NDArray[np.uint64]]]:
    """Returns the start and end offsets of steps, wall times and values of each chunk."""
    widths = np.array([4, 8, 16, 16], np.uint64)[np.minimum(chunks["column"], types.Column.RAW_REF)]
    eight = np.full(len(chunks), 8, np.uint64)
    columns = (("steps", eight), ("walls", eight), ("values", widths))
    return [(chunks[name], chunks[name] + chunks["n"] * width) for name, width in columns]


def _files_in(source: store.Store, view: memoryview, blocks: NDArray[np.uint64]) -> list[int]:
    """Returns rows of files that have a column in one of these blocks of a segment."""
    with source.lock:
        numbers = [row for row, segment in enumerate(source.segments) if segment is view]
        chunks = source.chunks_table.rows
        chunks = chunks[(chunks["dead"] == 0) & np.isin(chunks["segment"], numbers)]
    touched = np.zeros(len(chunks), np.bool_)
    size = np.uint64(_native.SUM_BLOCK_BYTES)
    for starts, ends in _columns(chunks):
        first, after = np.searchsorted(blocks, starts // size), np.searchsorted(blocks, (ends + size - 1) // size)
        touched |= first < after
    files: list[int] = np.unique(chunks["file"][touched]).tolist()
    return files


def _shorter(path: str, size: int) -> bool:
    try:
        return os.stat(path).st_size < size
    except OSError:
        return False


def _write(path: str, pieces: list[bytes | memoryview]) -> None:
    """Replace a file atomically: readers see the old one or the new one."""
    fresh = f"{path}.{os.getpid()}.new"
    fd = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    try:
        for piece in pieces:
            left = memoryview(piece)
            while len(left):
                left = left[os.write(fd, left) :]
        os.replace(fresh, path)
    except OSError:
        try:
            os.unlink(fresh)  # noqa: PTH108
        except OSError:
            pass
        raise
    finally:
        os.close(fd)


def _size_bytes(path: str) -> int:
    """Returns the disk space of the files of a directory (holes do not count)."""
    total = 0
    try:
        names = os.listdir(path)
    except OSError:
        return 0
    for name in names:
        try:
            status = os.stat(f"{path}/{name}", follow_symlinks=False)
        except OSError:
            continue  # it was just replaced or removed
        if stat.S_ISREG(status.st_mode):
            total += status.st_blocks * 512
    return total
