"""Copies what a job prints: to the console file first, then to the caller, unchanged.

Bytes go from a pipe to the file inside the kernel (`splice`) and are read from there: a guard that is killed in between
has lost none of them.

A thread per stream, because a caller that reads slowly must slow down its stream only, as without us. Reads are large:
while a job prints fast, the thread waits a moment between two reads, so that a pipe fills up meanwhile and one wakeup
serves thousands of lines.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import select
import threading
import time
from collections.abc import Callable

from lightboard.jobs import spool

READ_BYTES = 1 << 20
PIPE_BYTES = 1 << 20
# Two reads within this time mean that the job prints fast.
FAST_SECS = 0.02
GATHER_SECS = 0.002
# A pseudo-terminal has a small buffer: waiting would stop the job.
TERMINAL_FULL_BYTES = 2048
TERMINAL_GATHER_SECS = 0.001
_F_SETPIPE_SZ = 1031
_SPLICE_F_NONBLOCK = 2


def widen(descriptor: int) -> None:
    """A pipe that holds more, so that it is read less often. The system may refuse."""
    for size in (PIPE_BYTES, PIPE_BYTES // 4):
        with contextlib.suppress(OSError):
            fcntl.fcntl(descriptor, _F_SETPIPE_SZ, size)
            return


class Console:
    """The console file. State, under `_lock`: its end, and whether writing failed."""

    def __init__(self, kept: spool.Spool) -> None:
        self._descriptor = os.open(kept.console, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        self._lock = threading.Lock()
        self._end = os.fstat(self._descriptor).st_size
        self._full = False
        self._splices = hasattr(os, "splice")

    def take(self, source: int) -> bytes:
        """Waits for bytes of a stream, and writes them down; empty at its end. Raises OSError as `read` does."""
        if self._splices and not self._full:
            select.select([source], [], [])
            with self._lock:
                at = self._end
                try:
                    number = os.splice(source, self._descriptor, READ_BYTES, offset_dst=at, flags=_SPLICE_F_NONBLOCK)
                    self._end += number
                except OSError:  # a terminal, or no space left: then `write` says so
                    number = -1
            if number >= 0:
                if self._end > spool.MOST_CONSOLE_BYTES:
                    self._stop("it is too long")
                return os.pread(self._descriptor, number, at)
        data = os.read(source, READ_BYTES)
        self._write(data)
        return data

    def _write(self, data: bytes) -> None:
        """Never raises: a full disk ends the record, not the job."""
        if self._full or not data:
            return
        with self._lock:
            at, self._end = self._end, self._end + len(data)
        try:
            written = 0
            while written < len(data):
                written += os.pwrite(self._descriptor, data[written:], at + written)
        except OSError as error:
            self._stop(str(error.strerror))

    def _stop(self, why: str) -> None:
        self._full = True
        mark = f"\n[lightboard: the console ends here, the rest was not recorded: {why}]\n".encode()
        with contextlib.suppress(OSError):
            os.pwrite(self._descriptor, mark, self._end)

    def close(self) -> None:
        os.close(self._descriptor)


class Relay:
    """One stream. State: its thread; `target` None: the caller left, or there is none."""

    def __init__(
        self,
        source: int,
        target: int | None,
        console: Console,
        *,
        terminal: bool,
        has_caller: Callable[[], bool],
        closed: Callable[[int], None],
    ) -> None:
        """`closed` is told that our end is closed: the command has a copy of it, and must close that, too."""
        self._source, self._target, self._console, self._terminal = source, target, console, terminal
        self._has_caller, self._closed = has_caller, closed
        self.seen = 0  # grows with each read
        self.thread = threading.Thread(target=self._run, name=f"relay {source}", daemon=True)

    def _run(self) -> None:
        source, console = self._source, self._console
        full = TERMINAL_FULL_BYTES if self._terminal else READ_BYTES // 2
        gather = TERMINAL_GATHER_SECS if self._terminal else GATHER_SECS
        last = 0.0
        while True:
            try:
                data = console.take(source)
            except OSError:  # EIO: nobody has the other end of the pseudo-terminal open
                break
            if not data:
                break
            self.seen += 1
            if self._target is not None and not self._give(data):
                self._closed(source)
                break
            now = time.monotonic()
            if now - last < FAST_SECS and len(data) < full:
                time.sleep(gather)
            last = now
        os.close(source)

    def _give(self, data: bytes) -> bool:
        """False: the caller closed the pipe, as `… | head` does; the job should notice it as without us."""
        assert self._target is not None
        try:
            write_all(self._target, data)
        except OSError as error:
            if error.errno == errno.EPIPE and self._has_caller():
                return False
            self._target = None  # the terminal is gone, or the command was killed: record on
        return True


def write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        try:
            view = view[os.write(descriptor, view) :]
        except BlockingIOError:  # somebody made the caller's descriptor non-blocking
            select.select([], [descriptor], [])
