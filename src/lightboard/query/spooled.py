"""Large cached values in unlinked temporary files: the system can reclaim their memory, and they are deleted with the
process."""

from __future__ import annotations

import mmap
import os
import tempfile
import threading
import time
import weakref
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

LARGE_BYTES = 4 << 20
CLOSE_SECS = 0.5

Bytes = bytes | mmap.mmap


def data(content: Bytes) -> Bytes:
    """The same bytes, memory-mapped if they are large; they stay in memory if there is no room on disk."""
    if isinstance(content, mmap.mmap) or len(content) < LARGE_BYTES:
        return content
    try:
        with tempfile.TemporaryFile() as file:
            file.write(content)
            file.flush()
            return mapped(file.fileno())
    except OSError:
        return content


def joined(pieces: Iterable[bytes]) -> Bytes:
    with tempfile.TemporaryFile() as file:
        file.writelines(pieces)
        file.flush()
        return mapped(file.fileno()) if file.tell() else b""


def mapped(file: int) -> mmap.mmap:
    """Map all bytes of a file that has no name.

    The last close of the file waits while the system deletes it, for seconds on a busy disk, and Python holds the GIL
    while it frees a mapping. So a thread closes a second descriptor afterwards.
    """
    found = mmap.mmap(file, 0, access=mmap.ACCESS_READ)
    weakref.finalize(found, _close_later, os.dup(file)).atexit = False
    return found


def _close_later(file: int) -> None:
    threading.Thread(target=_close, args=(file,), name="lightboard-close", daemon=True).start()


def _close(file: int) -> None:
    time.sleep(CLOSE_SECS)
    os.close(file)


def array(values: NDArray[Any]) -> NDArray[Any]:
    """The same numbers as a read-only array, memory-mapped if it is large."""
    if values.nbytes < LARGE_BYTES:
        values.setflags(write=False)
        return values
    kept = data(memoryview(np.ascontiguousarray(values)).cast("B"))  # type: ignore[arg-type] # sliced and counted alike
    found = np.frombuffer(kept, values.dtype).reshape(values.shape)
    found.setflags(write=False)
    return found
