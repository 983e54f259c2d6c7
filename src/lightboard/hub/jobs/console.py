"""What jobs printed, as the hub keeps it.

A console is a stream of bytes with offsets from 0. It lies in files of `PIECE_BYTES` that are named by the offset of
their first byte. Of a long console the beginning and the end are kept: when there are too many pieces, one from the
middle is deleted, and a reader who comes there gets a line that says how much is missing.

    <folder>/<job>/000000000000
    <folder>/<job>/000004194304

Appending is done by offset, so a runner may send bytes twice: what is there already is skipped.
"""

from __future__ import annotations

import contextlib
import dataclasses
import fcntl
import os
import pathlib
import re
import shutil
from collections.abc import Iterator

PIECE_BYTES = 4 << 20
MOST_PIECES = 16
FIRST_PIECES = MOST_PIECES // 2  # of the beginning; the others are of the end
MOST_READ_BYTES = 1 << 20
_JOB = re.compile(r"[a-z]+-[a-z0-9]{1,40}")


@dataclasses.dataclass(frozen=True)
class Part:
    """Bytes of a console. `next` is the offset to read from next: after a gap it is further than the bytes are long."""

    data: bytes
    offset: int
    next: int
    size: int  # offset of its end, as far as the hub has it
    cut_bytes: int  # that are missing in the middle


@dataclasses.dataclass(frozen=True)
class _Piece:
    start: int
    length: int

    @property
    def end(self) -> int:
        return self.start + self.length


class Consoles:
    """State: files. Every method may be called from any thread, and by several hubs that share the folder."""

    def __init__(self, folder: pathlib.Path) -> None:
        self._folder = folder

    def append(self, job: str, offset: int, data: bytes) -> int:
        """Returns the offset of the end. If it is before `offset`, nothing was written: bytes between are missing."""
        folder = self._of(job)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _locked(folder):
            pieces = _pieces(folder)
            end = pieces[-1].end if pieces else 0
            if offset > end or offset + len(data) <= end:
                return end
            fresh = memoryview(data)[end - offset :]
            while fresh:
                at = end % PIECE_BYTES
                taken = fresh[: PIECE_BYTES - at]
                with open(folder / _name(end - at), "ab") as file:
                    file.write(taken)
                end += len(taken)
                fresh = fresh[len(taken) :]
            for piece in _pieces(folder)[FIRST_PIECES : -(MOST_PIECES - FIRST_PIECES)]:
                (folder / _name(piece.start)).unlink()
        return end

    def read(self, job: str, offset: int, limit: int = MOST_READ_BYTES) -> Part:
        """A negative offset counts from the end."""
        folder = self._of(job)
        pieces = _pieces(folder)
        size = pieces[-1].end if pieces else 0
        offset = max(0, size + offset) if offset < 0 else min(offset, size)
        cut = size - sum(each.length for each in pieces)
        limit = max(1, min(limit, MOST_READ_BYTES))
        for piece in pieces:
            if piece.end <= offset:
                continue
            if piece.start > offset:  # in the gap
                mark = f"\n[… {piece.start - offset:,} bytes of this console were not kept …]\n".encode()
                return Part(mark, offset, piece.start, size, cut)
            data = _read(folder / _name(piece.start), offset - piece.start, limit)
            return Part(data, offset, offset + len(data), size, cut)
        return Part(b"", offset, offset, size, cut)

    def size(self, job: str) -> int:
        pieces = _pieces(self._of(job))
        return pieces[-1].end if pieces else 0

    def remove(self, job: str) -> None:
        with contextlib.suppress(FileNotFoundError):
            shutil.rmtree(self._of(job))

    def jobs(self) -> list[str]:
        """Ids of jobs that have a console."""
        try:
            return sorted(each for each in os.listdir(self._folder) if _JOB.fullmatch(each))
        except FileNotFoundError:
            return []

    def _of(self, job: str) -> pathlib.Path:
        assert _JOB.fullmatch(job), job  # an id from the database
        return self._folder / job


def _name(start: int) -> str:
    return f"{start:012d}"


def _pieces(folder: pathlib.Path) -> list[_Piece]:
    try:
        with os.scandir(folder) as entries:
            found = [_Piece(int(each.name), each.stat().st_size) for each in entries if each.name.isdigit()]
    except FileNotFoundError:
        return []
    return sorted(found, key=lambda each: each.start)


def _read(path: pathlib.Path, offset: int, limit: int) -> bytes:
    try:
        with open(path, "rb") as file:
            file.seek(offset)
            return file.read(limit)
    except FileNotFoundError:  # deleted since it was listed; the next read finds the gap
        return b""


@contextlib.contextmanager
def _locked(folder: pathlib.Path) -> Iterator[None]:
    descriptor = os.open(folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
