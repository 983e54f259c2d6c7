"""Writes to one log directory: used by every `add_*`.

A recorder owns one event file at a time. It opens another one if

- the process has forked: the child must not write into the parent's file;
- the file was deleted: a new one gets what is logged from then on;
- it was closed and something is logged again.

Files of one directory never collide: their name contains time, host, process and a counter, and they are created
exclusively.
"""

from __future__ import annotations

import atexit
import itertools
import os
import pathlib
import socket
import sys
import threading
import time
import weakref
from typing import Any

from lightboard import _native, wire
from lightboard.sdk import trouble

SIMPLE, TENSOR, DOUBLE = 0, 1, 2  # encode::ScalarStyle
SUMMARY, GRAPH, SESSION_LOG, TAGGED_RUN_METADATA = 5, 4, 7, 8  # payload fields of Event
_SESSION_START = wire.integer(1, 1)
# A live board should show a point within about a second, even if the flush interval is longer.
SOON_SECS = 1.0
# Approximate bytes per record: converts a queue length to a buffer size.
_RECORD_BYTES = 64
_numbers = itertools.count()
_open_recorders: weakref.WeakSet[Recorder] = weakref.WeakSet()


class Recorder:
    """State: `_writer` is None before the first record, after `close()`, and in a forked child until it logs."""

    def __init__(
        self,
        logdir: str | os.PathLike[str],
        *,
        filename_suffix: str = "",
        flush_secs: float = 120.0,
        max_queue: int = 10,
        purge_step: int | None = None,
        strict: bool = False,
    ) -> None:
        self.logdir = os.fspath(logdir)
        self.strict = strict or trouble.strict_by_environment()
        self._suffix = filename_suffix
        self._flush_secs = max(0.01, min(float(flush_secs), SOON_SECS))
        self._queue_bytes = max(1 << 16, int(max_queue) * _RECORD_BYTES)
        self._purge_step = purge_step
        self._writer: _native.EventWriter | None = None
        self._opening = threading.Lock()
        self._check_at = 0.0
        self._complained: set[str] = set()
        _open_recorders.add(self)

    # ---- logging ----

    def scalar(self, tag: str, number: float, step: int, wall_time: float, style: int = SIMPLE) -> None:
        self._file(wall_time).add_scalar(tag, number, step, wall_time, style)

    def row(self, numbers: dict[str, float], step: int, wall_time: float, style: int = SIMPLE) -> None:
        """Write several scalars of one step in one record."""
        self._file(wall_time).add_row(numbers, step, wall_time, style)

    def value(self, value: bytes, step: int, wall_time: float) -> None:
        """Write a serialized Summary.Value (see `wire`)."""
        self._file(wall_time).add(wall_time, step, SUMMARY, wire.message(1, value))

    def event(self, field: int, payload: bytes, step: int, wall_time: float) -> None:
        """Write any other Event: a graph, a session log."""
        self._file(wall_time).add(wall_time, step, field, payload)

    def open(self) -> None:
        """Create the file now rather than with the first record."""
        if self._writer is None:
            self._open()

    def flush(self, *, sync: bool = False) -> None:
        """Return when everything logged so far is in the file (`sync`: on the disk)."""
        if self._writer is not None and not self._writer.flush(sync):
            self._complain()

    def close(self) -> None:
        """Flush and close the file. Logging again opens the next one."""
        with self._opening:
            writer, self._writer = self._writer, None
        if writer is not None and not writer.close():
            self._tell_loss(writer)

    def __del__(self) -> None:
        """A recorder that was never closed reports lost records, too."""
        if getattr(self, "_writer", None) is not None:
            self.close()

    @property
    def path(self) -> str | None:
        """The path of the current file."""
        return None if self._writer is None else self._writer.path

    # ---- the file ----

    def _file(self, now: float) -> _native.EventWriter:
        writer = self._writer
        if writer is None:
            writer = self._open()
        elif now >= self._check_at or now < self._check_at - 10:
            # At most once a second: a check for every record would cost as much as writing it.
            self._check_at = now + 1.0
            writer = self._checked(writer)
        return writer

    def _open(self) -> _native.EventWriter:
        with self._opening:
            if self._writer is None:
                pathlib.Path(self.logdir).mkdir(parents=True, exist_ok=True)
                self._writer = self._create()
                _close_when_a_worker_ends()
                if self._purge_step is not None:
                    # Everything logged before from this step on is superseded.
                    self._writer.add(time.time(), self._purge_step, SESSION_LOG, _SESSION_START)
                    self._purge_step = None
            return self._writer

    def _create(self) -> _native.EventWriter:
        while True:
            name = f"events.out.tfevents.{int(time.time()):010d}.{socket.gethostname()}.{os.getpid()}.{next(_numbers)}"
            try:
                path = pathlib.Path(self.logdir, name + self._suffix)
                return _native.EventWriter(str(path), self._flush_secs, self._queue_bytes)
            except FileExistsError:
                continue  # a restarted process with the same id in the same second: try the next counter

    def _checked(self, writer: _native.EventWriter) -> _native.EventWriter:
        _, dropped, error, gone, _, unseen = writer.status()
        if error or dropped:
            self._complain(writer)
        if not gone:
            return writer
        self._say(
            f"gone {writer.path}",
            f"the log file was removed, going on in a new one; gone with it are up to {unseen} points that were logged "
            f"since it was last seen, and what it held before: {writer.path}",
        )
        self.close()
        return self._open()

    def _complain(self, writer: _native.EventWriter | None = None) -> None:
        writer = writer or self._writer
        if writer is None:
            return
        _, dropped, error, *_ = writer.status()
        if error:
            self._say(f"error {error}", f"writing logs fails, they wait in memory: {os.strerror(error)}: {writer.path}")
            if self.strict:
                raise OSError(error, os.strerror(error), writer.path)
        if dropped:
            self._say("dropped", f"{dropped} points were dropped, memory for them had run out: {writer.path}")

    def _tell_loss(self, writer: _native.EventWriter) -> None:
        """Warns at the end about a file that could not be written completely."""
        _, dropped, error, _, waiting, _ = writer.status()
        reason = os.strerror(error)
        lost = waiting + dropped
        self._say(f"lost {writer.path}", f"{lost} points could not be written and are lost: {reason}: {writer.path}")
        if self.strict:
            raise OSError(error, f"{lost} points are lost: {reason}", writer.path)

    def _say(self, what: str, message: str) -> None:
        """Warn once per kind: a full disk would otherwise warn every second."""
        if what not in self._complained:
            self._complained.add(what)
            trouble.warn(message)

    # ---- processes ----

    def __getstate__(self) -> dict[str, Any]:
        """A recorder that is sent to another process writes its own file there."""
        return {
            name: each for name, each in self.__dict__.items() if name not in ("_writer", "_opening", "_complained")
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _writer=None, _opening=threading.Lock(), _complained=set())
        _open_recorders.add(self)


def _close_all() -> None:
    failures: list[Exception] = []
    for recorder in list(_open_recorders):
        try:
            recorder.close()
        except Exception as error:  # raised by a strict one: the others are still closed
            failures.append(error)
    if failures:
        raise failures[0]


_watched_worker = 0  # id of the process in which the finalizer is registered


def _close_when_a_worker_ends() -> None:
    """Registers a finalizer of multiprocessing: it ends a forked worker (of a DataLoader, say) by os._exit() after its
    own finalizers, and runs none of atexit's.
    """
    global _watched_worker
    process, util = sys.modules.get("multiprocessing.process"), sys.modules.get("multiprocessing.util")
    if process is None or util is None or process.parent_process() is None or _watched_worker == os.getpid():
        return
    _watched_worker = os.getpid()
    util.Finalize(None, _close_all, exitpriority=0)


def _after_fork_in_child() -> None:
    """The parent writes what it logged; the child discards it and opens its own file when it logs.

    No lock is taken before the fork: a thread that holds it may wait for the GIL, and forking would deadlock. So the
    child uses none of the parent's locks, which a thread that does not exist here may hold: `abandon` takes no lock,
    and Python locks are created again.
    """
    for recorder in list(_open_recorders):
        writer, recorder._writer = recorder._writer, None
        recorder._opening = threading.Lock()
        if writer is not None:
            writer.abandon()


atexit.register(_close_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork_in_child)
