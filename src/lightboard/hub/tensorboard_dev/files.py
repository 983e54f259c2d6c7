"""The event files into which points of clients are written: one per run, upload and process of the hub.

    <directory of the upload>/<run>/events.out.tfevents.<time>.<token of this process>.tensorboard-dev

A file has one writer, which appends whole records. After a restart of the hub, or when many other uploads were written
since, the next point begins another file: what a killed hub left at the end of a file is never continued.
"""

from __future__ import annotations

import collections
import contextlib
import hashlib
import os
import pathlib
import secrets
import threading
from collections.abc import Callable, Iterable, Iterator

from lightboard import errors
from lightboard.hub.tensorboard_dev import records
from lightboard.hub.uploads import paths, stored

MOST_TAG_BYTES = 4096
# Uploads whose files are remembered, and tags whose metadata is known to be written. One that is forgotten costs a
# file, or metadata that is written again.
MOST_UPLOADS = 200
MOST_TAGS = 100_000
# Requests that are recognized when they come again.
LAST_REQUESTS = 8
# Written at once.
PART_BYTES = 1 << 20

# A tag, and what makes its records: the argument says whether they begin with its metadata.
Tagged = tuple[str, Callable[[bool], Iterable[bytes]]]


class Upload:
    """The files of one upload. The caller holds `lock` while it uses anything else."""

    def __init__(self, token: str) -> None:
        self.lock = threading.Lock()
        self._token = token
        self._paths: dict[str, str] = {}  # by run
        self._renewed = 0  # files that followed one in the bucket
        self._described: dict[str, set[str]] = {}  # by run: tags whose metadata is in its file
        self._last: collections.deque[bytes] = collections.deque(maxlen=LAST_REQUESTS)

    def is_repeated(self, request: bytes) -> bool:
        """Whether this request was written already: a client that got no answer sends it again."""
        return _digest(request) in self._last

    def note_written(self, request: bytes) -> None:
        self._last.append(_digest(request))

    def new_files(self, runs: Iterable[str]) -> int:
        """How many files these runs need that are not there yet."""
        return len(set(runs).difference(self._paths))

    def append(self, directory: pathlib.Path, run: str, tagged: Iterable[Tagged], now: float) -> None:
        """Raises errors.LightboardError; then nothing of the run was written."""
        with _writing(directory) as top:
            self._append(directory, top, run, tagged, now)

    def _append(self, directory: pathlib.Path, top: int, run: str, tagged: Iterable[Tagged], now: float) -> None:
        path = self._paths.get(run, "")
        if (
            path and stored.size_of(directory / path) <= 0
        ):  # it is in the bucket now: the next points begin another file
            del self._paths[run]
            self._described.pop(run, None)
            self._renewed += 1
            path = ""
        path = path or self._new_path(run, now)
        known, described = self._described.get(run, set()), set()

        def pieces() -> Iterator[bytes]:
            if run not in self._paths:
                yield records.first(now)
            for tag, make in tagged:
                yield from make(tag not in known and tag not in described)
                described.add(tag)

        _append(top, path, pieces())
        self._paths[run] = path
        if sum(map(len, self._described.values())) > MOST_TAGS:
            self._described.clear()
        self._described.setdefault(run, set()).update(described)

    def _new_path(self, run: str, now: float) -> str:
        number = f".{self._renewed}" if self._renewed else ""
        name = f"events.out.tfevents.{int(now):010d}.{self._token}{number}.tensorboard-dev"
        return paths.checked(name if run in ("", ".") else f"{run}/{name}")


class Files:
    """State: the uploads written last, under the lock."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._token = secrets.token_hex(4)
        self._uploads: collections.OrderedDict[str, Upload] = collections.OrderedDict()
        self._begun = 0

    def of(self, upload: str) -> Upload:
        with self._lock:
            found = self._uploads.get(upload)
            if found is None:
                self._begun += 1
                found = self._uploads[upload] = Upload(f"{self._token}.{self._begun}")
            self._uploads.move_to_end(upload)
            if len(self._uploads) > MOST_UPLOADS:
                self._uploads.popitem(last=False)
            return found

    def forget(self, upload: str) -> None:
        with self._lock:
            self._uploads.pop(upload, None)


def check_tag(tag: str) -> None:
    if len(tag.encode("utf-8", "replace")) > MOST_TAG_BYTES:
        raise errors.BadInput(f"a tag is longer than {MOST_TAG_BYTES:,} bytes: {tag[:100]!r}")


def _digest(request: bytes) -> bytes:
    return hashlib.blake2b(request, digest_size=16).digest()


@contextlib.contextmanager
def _writing(directory: pathlib.Path) -> Iterator[int]:
    """The directory of an upload, in which no file is removed meanwhile."""
    try:
        top = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except FileNotFoundError as error:
        raise errors.NotFound("not found: the files of this experiment") from error
    try:
        stored.share(top)
        yield top
    finally:
        os.close(top)


def _append(top: int, path: str, pieces: Iterable[bytes]) -> None:
    """All of them or nothing: a record that is cut would hide those after it."""
    with contextlib.ExitStack() as stack:
        descriptor = stored.open_below(top, path, replace=False)
        stack.callback(os.close, descriptor)
        before = at = os.fstat(descriptor).st_size
        try:
            for part in _joined(pieces):
                stored.write_at(descriptor, part, at, path)
                at += len(part)
        except BaseException:
            os.ftruncate(descriptor, before)
            raise


def _joined(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Records have the name of their tag: many small points of a long one become large."""
    held: list[bytes] = []
    size = 0
    for piece in pieces:
        held.append(piece)
        size += len(piece)
        if size >= PART_BYTES:
            yield b"".join(held)
            held, size = [], 0
    yield b"".join(held)
