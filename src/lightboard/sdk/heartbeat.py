"""Heartbeats: a small record every few seconds while a run is alive, and a last one that says how it ended.

A run that stopped writing may be busy, finished, or dead. With heartbeats a board can distinguish:

    step = seconds since 1970 × 1024 + status        status 0: alive, 1: success, 2: an exception, 512 + n: signal n

The step is used, because boards keep the last step of every series in a table anyway:
`lightboard.query.runs.heartbeats` finds the state of 100,000 runs without reading a value. The value itself says the
same as text.
"""

from __future__ import annotations

import os
import signal
import time

from lightboard.sdk import recorder, run_records

STATUS_RANGE = 1024
ALIVE, SUCCESS, FAILURE, SIGNAL = 0, 1, 2, 512
INTERVAL_SECS = 30.0


def beat(target: recorder.Recorder, *, interval_secs: float = INTERVAL_SECS) -> None:
    _write(target, ALIVE, {"status": "running"}, interval_secs)


def end(
    target: recorder.Recorder,
    *,
    error: BaseException | None = None,
    signal_number: int = 0,
    interval_secs: float = INTERVAL_SECS,
) -> int:
    """Write the last heartbeat and return its status. It is flushed, because the process may end."""
    if isinstance(error, KeyboardInterrupt):
        error, signal_number = None, signal.SIGINT
    if isinstance(error, SystemExit):
        error = None if error.code in (None, 0) else error
    if signal_number:
        status, words = SIGNAL + signal_number, {"status": "signal", "signal": _signal_name(signal_number)}
    elif error is not None:
        status = FAILURE
        words = {"status": "exception", "exception": type(error).__qualname__, "message": str(error)[:2000]}
    else:
        status, words = SUCCESS, {"status": "success"}
    _write(target, status, words, interval_secs)
    target.flush()
    return status


def _write(target: recorder.Recorder, status: int, words: dict[str, str], interval_secs: float) -> None:
    now = time.time()
    run_records.write(
        target,
        run_records.HEARTBEAT_TAG,
        {**words, "time": now, "pid": os.getpid()},
        step=int(now) * STATUS_RANGE + status,
        about={"interval_secs": interval_secs},
        now=now,
    )


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)
