"""The printed output of a run, saved with its logs.

`write` of sys.stdout and sys.stderr is wrapped on the stream itself; the stream is not replaced by another object:
logging handlers created earlier keep the stream and would be missed. The output reaches the terminal first and
unchanged. Output of other processes and of C code is not captured.

A progress bar rewrites its line a hundred times a second; only the last state of such a line is kept. Beyond
`MAX_LINES` or `MAX_BYTES` between two records, lines are dropped and counted.
"""

from __future__ import annotations

import collections
import sys
import time
from collections.abc import Callable
from typing import Any, TextIO

from lightboard.sdk import recorder, run_records

INTERVAL_SECS = 2.0
MAX_LINES = 500
MAX_BYTES = 64 << 10
MAX_LINE_CHARACTERS = 4000


class Console:
    """State: `_pieces` are written texts in order, appended by any thread without a lock (a deque allows it: a signal
    handler may print in the middle of a print); `_partial` are beginnings of lines, used by `take()` only.
    """

    def __init__(self) -> None:
        self._pieces: collections.deque[tuple[float, str, str]] = collections.deque()
        self._bytes = 0
        self._dropped_pieces = 0
        self._partial: dict[str, str] = {}
        self._wrapped: list[tuple[TextIO, Callable[[str], int]]] = []
        self._records = 0

    def start(self) -> None:
        for name in ("stdout", "stderr"):
            stream = getattr(sys, name, None)
            if stream is not None:  # pythonw has none
                self._wrap(name, stream)

    def stop(self) -> None:
        """Restore the streams. If other code wrapped them after us, its wrapper stays, and ours below does nothing."""
        for stream, wrapper in self._wrapped:
            if vars(stream).get("write") is wrapper:
                del stream.write
        self._wrapped.clear()

    def record(self, target: recorder.Recorder, *, last: bool = False) -> None:
        """Write the output since the last call as one record, if there was any. `last`: unfinished lines too."""
        lines, dropped = self.take(last=last)
        if lines or dropped:
            content: dict[str, Any] = {"lines": lines}
            if dropped:
                content["dropped"] = dropped
            run_records.write(target, run_records.CONSOLE_TAG, content, step=self._records)
            self._records += 1

    def take(self, *, last: bool = False) -> tuple[list[tuple[float, str, str]], int]:
        """Returns finished lines as (time, stream, text), and how many were dropped."""
        lines: list[tuple[float, str, str]] = []
        size, dropped, self._dropped_pieces = 0, self._dropped_pieces, 0
        self._bytes = 0
        for _ in range(len(self._pieces)):
            when, name, text = self._pieces.popleft()
            *whole, rest = (self._partial.get(name, "") + text).split("\n")
            self._partial[name] = _visible(rest)
            for line in whole:
                size += len(line)
                if len(lines) < MAX_LINES and size <= MAX_BYTES:
                    lines.append((when, name, _visible(line)))
                else:
                    dropped += 1
        if last:
            lines += [(time.time(), name, rest) for name, rest in self._partial.items() if rest]
            self._partial.clear()
        return lines, dropped

    def _wrap(self, name: str, stream: TextIO) -> None:
        original = stream.write
        wrapped = self._wrapped

        def write(text: str) -> int:
            count = original(text)
            if wrapped:
                self._keep(name, text)
            return count

        try:
            stream.write = write  # type: ignore[method-assign]
        except AttributeError:  # a stream made in C without a __dict__
            return
        wrapped.append((stream, write))

    def _keep(self, name: str, text: str) -> None:
        if self._bytes > 4 * MAX_BYTES:  # `take` was not called for a long time, or the program prints very much
            self._dropped_pieces += text.count("\n")
            return
        self._bytes += len(text)
        self._pieces.append((time.time(), name, text))


def _visible(line: str) -> str:
    """Returns what a terminal would show of a line: the text after the last carriage return."""
    shown = line.rstrip("\r").rpartition("\r")[2]
    return shown if len(shown) <= MAX_LINE_CHARACTERS else shown[:MAX_LINE_CHARACTERS] + "…"
