"""Copies what a job prints: to the console file first, then to the caller, unchanged.

A thread per stream, because a caller that reads slowly must slow down its stream only, as without us. Reads are large:
while a job prints fast, the thread waits a moment between two reads, so that a pipe fills up meanwhile and one wakeup
serves thousands of lines.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import threading
import time
from collections.abc import Callable

from lightboard.jobs import spool

READ_BYTES = 1 << 20
PIPE_BYTES = 1 << 20
# Two reads within this time mean that the job prints fast.
FAST_SECS = 0.02
GATHER_SECS = 0.005
# A pseudo-terminal has a small buffer: waiting would stop the job.
TERMINAL_FULL_BYTES = 2048
TERMINAL_GATHER_SECS = 0.0005
_F_SETPIPE_SZ = 1031


def widen(descriptor: int) -> None:
    """A pipe that holds more, so that it is read less often. The system may refuse."""
    for size in (PIPE_BYTES, PIPE_BYTES // 4):
        with contextlib.suppress(OSError):
            fcntl.fcntl(descriptor, _F_SETPIPE_SZ, size)
            return


class Console:
    """The console file. State: its descriptor, how much was written, and whether writing failed."""

    def __init__(self, kept: spool.Spool) -> None:
        self._descriptor = os.open(kept.console, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        self._bytes = os.fstat(self._descriptor).st_size
        self._full = False

    def write(self, data: bytes) -> None:
        """Never raises: a full disk ends the record, not the job."""
        if self._full:
            return
        try:
            if self._bytes + len(data) > spool.MOST_CONSOLE_BYTES:
                raise OSError(errno.EFBIG, "too long")
            write_all(self._descriptor, data)
            self._bytes += len(data)
        except OSError as error:
            self._full = True
            with contextlib.suppress(OSError):
                mark = f"\n[lightboard: the console ends here, the rest was not recorded: {error.strerror}]\n"
                os.write(self._descriptor, mark.encode())

    def close(self) -> None:
        os.close(self._descriptor)


class Relay:
    """One stream. State: its thread; `target` None: the caller left, or there is none."""

    def __init__(
        self, source: int, target: int | None, console: Console, *, terminal: bool, has_caller: Callable[[], bool]
    ) -> None:
        self._source, self._target, self._console, self._terminal = source, target, console, terminal
        self._has_caller = has_caller
        self.seen = 0  # grows with each read
        self.thread = threading.Thread(target=self._run, name=f"relay {source}", daemon=True)

    def _run(self) -> None:
        source, console = self._source, self._console
        full = TERMINAL_FULL_BYTES if self._terminal else READ_BYTES // 2
        gather = TERMINAL_GATHER_SECS if self._terminal else GATHER_SECS
        last = 0.0
        while True:
            try:
                data = os.read(source, READ_BYTES)
            except OSError:  # EIO: nobody has the other end of the pseudo-terminal open
                break
            if not data:
                break
            self.seen += 1
            console.write(data)
            if self._target is not None and not self._give(data):
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
            import select

            select.select([], [descriptor], [])
