"""Profiles a part of a program with the profiler of the framework that it has imported.

No framework is imported here: without PyTorch, JAX or TensorFlow there is nothing to profile.
"""

from __future__ import annotations

import importlib
import os
import pathlib
import socket
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

# finish(directory, label): stop and save the trace there. The profilers allow one trace at a time in a process.
_finish: Callable[[str | None, str], None] | None = None
_lock = threading.Lock()


def start(directory: str | None) -> None:
    """Start a trace. `directory` is its destination, if that is known already."""
    global _finish
    with _lock:
        if _finish is not None:
            raise RuntimeError("a trace is running already: end it with `trace_export()` or `trace_off()`")
        for name, begin in (("torch", _torch), ("jax", _jax), ("tensorflow", _tensorflow)):
            framework = sys.modules.get(name)
            if framework is not None:
                _finish = begin(framework, directory)
                return
    raise RuntimeError("nothing here can be profiled: import torch, jax or tensorflow before `trace_on(profiler=True)`")


def is_running() -> bool:
    return _finish is not None


def finish(directory: str | None, label: str, *, keep: bool = True) -> None:
    global _finish
    with _lock:
        ending, _finish = _finish, None
    if ending is not None:
        ending(directory if keep else None, label)


def _torch(torch: Any, known: str | None) -> Callable[[str | None, str], None]:
    importlib.import_module("torch.profiler")
    profile = torch.profiler.profile(record_shapes=True)
    profile.start()

    def ending(directory: str | None, label: str) -> None:
        profile.stop()
        directory = directory or known
        if directory is None:
            return
        pathlib.Path(directory).mkdir(parents=True, exist_ok=True)
        worker = f"{socket.gethostname()}_{os.getpid()}_{label}".replace(".", "_").replace(os.sep, "_")
        profile.export_chrome_trace(str(pathlib.Path(directory, f"{worker}.{time.time_ns()}.pt.trace.json")))

    return ending


def _jax(jax: Any, known: str | None) -> Callable[[str | None, str], None]:
    return _streaming(known, jax.profiler.start_trace, jax.profiler.stop_trace)


def _tensorflow(tensorflow: Any, known: str | None) -> Callable[[str | None, str], None]:
    profiler = tensorflow.profiler.experimental
    return _streaming(known, profiler.start, profiler.stop)


def _streaming(
    known: str | None, begin: Callable[[str], Any], end: Callable[[], Any]
) -> Callable[[str | None, str], None]:
    """For profilers that need the directory when they start."""
    if known is None:
        raise ValueError("this profiler must know where to write: `trace_on(profiler=True, profiler_outdir=…)`")
    begin(known)

    def ending(directory: str | None, label: str) -> None:
        end()

    return ending
