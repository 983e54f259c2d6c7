"""Tracking of a run by its own process: metadata once, then heartbeats, system metrics and console until it ends.

One daemon thread per run does what is due. A run ends by `stop()`, or at the end of the process: with the
uncaught exception, or with SIGTERM or SIGHUP if the program does not handle them. A killed process writes nothing
more; missing heartbeats show that.

A forked child tracks nothing: the run belongs to its parent.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from types import FrameType, TracebackType

from lightboard.sdk import console as console_
from lightboard.sdk import heartbeat, recorder, run_metadata, run_records, system_metrics, trouble

Ending = Callable[[BaseException | None, int], None]
# A signal must not wait for a hanging disk.
_LAST_WORD_SECS = 5.0


class Tracking:
    """State: `_stopped` is set once, by the first caller that ends the run."""

    def __init__(
        self,
        target: recorder.Recorder,
        *,
        metadata: bool = True,
        heartbeat_secs: float = heartbeat.INTERVAL_SECS,
        system_secs: float = 0.0,
        console: bool = False,
        every_beat: Callable[[], None] | None = None,
        at_end: Ending | None = None,
    ) -> None:
        """Zero seconds disable a task. `every_beat` is called with each heartbeat, `at_end` before the last one."""
        self._target = target
        self._heartbeat_secs = heartbeat_secs
        self._console = console_.Console() if console else None
        self._sampler = system_metrics.Sampler(target.logdir) if system_secs > 0 else None
        self._every_beat = every_beat
        self._at_end = at_end
        self._started = time.monotonic()
        self._stopped = threading.Event()
        self._ending = threading.Lock()
        self._failed: set[str] = set()
        self._tasks: list[tuple[float, Callable[[], None]]] = []
        if heartbeat_secs > 0:
            self._tasks.append((heartbeat_secs, self._beat))
        if self._sampler is not None:
            self._tasks.append((system_secs, self._sample))
        if self._console is not None:
            self._tasks.append((console_.INTERVAL_SECS, self._record_console))
        if metadata:
            self._attempt(self._record_metadata)
        if heartbeat_secs > 0:
            self._attempt(self._beat)
        if self._console is not None:
            self._console.start()
        self._thread = threading.Thread(target=self._live, name="lightboard-tracking", daemon=True)
        if self._tasks:
            self._thread.start()
        _watch(self)

    def stop(self, error: BaseException | None = None, signal_number: int = 0) -> None:
        """End the run. Only the first call counts."""
        with self._ending:
            if self._stopped.is_set():
                return
            self._stopped.set()
        _unwatch(self)
        if self._thread.is_alive():
            self._thread.join(_LAST_WORD_SECS)
        if self._console is not None:
            self._console.stop()
            self._attempt(lambda: self._record_console(last=True))
        if self._at_end is not None:
            self._at_end(error, signal_number)
        if self._heartbeat_secs > 0:
            self._attempt(lambda: self._end(error, signal_number))

    def abandon(self) -> None:
        """In a forked child: restore the streams and write nothing."""
        self._stopped = threading.Event()
        self._stopped.set()
        self._ending = threading.Lock()
        if self._console is not None:
            self._console.stop()

    def __reduce__(self) -> tuple[type[None], tuple[()]]:
        """A writer sent to another process is tracked only in the original one."""
        return type(None), ()

    def _live(self) -> None:
        due = [(time.monotonic() + secs, secs, task) for secs, task in self._tasks]
        while not self._stopped.wait(max(0.0, min(when for when, _, _ in due) - time.monotonic())):
            now = time.monotonic()
            for position, (when, secs, task) in enumerate(due):
                if when <= now:
                    self._attempt(task)
                    due[position] = (now + secs, secs, task)

    def _attempt(self, task: Callable[[], None]) -> None:
        """Errors of tracking must not disturb the training: warn once for each kind."""
        try:
            task()
        except Exception as error:
            if type(error).__name__ not in self._failed:
                self._failed.add(type(error).__name__)
                trouble.warn(f"something about the run could not be recorded: {type(error).__name__}: {error}")

    def _beat(self) -> None:
        heartbeat.beat(self._target, interval_secs=self._heartbeat_secs)
        if self._every_beat is not None:
            self._every_beat()

    def _end(self, error: BaseException | None, signal_number: int) -> None:
        heartbeat.end(self._target, error=error, signal_number=signal_number, interval_secs=self._heartbeat_secs)

    def _sample(self) -> None:
        if self._sampler is not None:
            numbers = self._sampler.sample()
            self._target.row(numbers, int(time.monotonic() - self._started), time.time())

    def _record_console(self, *, last: bool = False) -> None:
        if self._console is not None:
            self._console.record(self._target, last=last)

    def _record_metadata(self) -> None:
        run_records.write(self._target, run_records.RUN_TAG, run_metadata.collect())


def system_secs(option: bool | float) -> float:
    """Seconds between two readings of the machine: the usual ones for True, none for False."""
    if isinstance(option, bool):
        return system_metrics.INTERVAL_SECS if option else 0.0
    return float(option)


# ---- the end of the process ----

# Tracked runs. `_error` is the exception that ends the process, `_previous_*` are the hooks we replaced.
_watched: list[Tracking] = []
_error: BaseException | None = None
_previous_hook: Callable[[type[BaseException], BaseException, TracebackType | None], object] | None = None
_SIGNALS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


def _watch(tracking: Tracking) -> None:
    global _previous_hook
    _watched.append(tracking)
    if _previous_hook is None:
        _previous_hook, sys.excepthook = sys.excepthook, _note_exception
    if threading.current_thread() is threading.main_thread():
        for number in _SIGNALS:
            if signal.getsignal(number) is signal.SIG_DFL:
                signal.signal(number, _die)


def _unwatch(tracking: Tracking) -> None:
    global _previous_hook
    if tracking in _watched:
        _watched.remove(tracking)
    if _watched:
        return
    if _previous_hook is not None and sys.excepthook is _note_exception:
        sys.excepthook, _previous_hook = _previous_hook, None
    if threading.current_thread() is threading.main_thread():
        for number in _SIGNALS:
            if signal.getsignal(number) is _die:
                signal.signal(number, signal.SIG_DFL)


def _note_exception(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    global _error
    if not hasattr(sys, "ps1"):  # an interactive session continues after an exception
        _error = error
    (_previous_hook or sys.__excepthook__)(kind, error, trace)


def _end_all(error: BaseException | None = None, signal_number: int = 0) -> None:
    for tracking in tuple(_watched):
        tracking.stop(error or _error, signal_number)


def _die(number: int, frame: FrameType | None) -> None:
    """Write the last record, then die of the signal as if it was not handled.

    In a thread, because the interrupted code may hold a lock that the last record needs.
    """
    last_word = threading.Thread(target=_end_all, args=(None, number), daemon=True)
    last_word.start()
    last_word.join(_LAST_WORD_SECS)
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def _forget_all() -> None:
    for tracking in _watched:
        tracking.abandon()
    _watched.clear()


atexit.register(_end_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)
