"""What `dev upload` says while it works: a bar on a terminal, lines otherwise. Any thread may call."""

from __future__ import annotations

import shutil
import sys
import threading
import time
from typing import TYPE_CHECKING

from lightboard.cli import formatting

if TYPE_CHECKING:
    from lightboard.client import uploads_sending

DRAW_SECS = 0.1
LINE_SECS = 10.0


class Progress:
    """State, under `_lock`: whether a bar is drawn, when something was last written, and the totals that were."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._bar = not quiet and sys.stderr.isatty()
        self._lock = threading.Lock()
        self._drawn = False
        self._last = self._begun = time.monotonic()
        self._told: uploads_sending.Totals | None = None

    def line(self, text: str) -> None:
        if not self._quiet:
            with self._lock:
                self._clear()
                print(f"{time.strftime('[%Y-%m-%dT%H:%M:%S]')} {text}", file=sys.stderr, flush=True)

    def notice(self, text: str) -> None:
        with self._lock:
            self._clear()
            print(f"notice: {formatting.printable(text)}", file=sys.stderr, flush=True)

    def show(self, done: int, total: int) -> None:
        """Bytes of the files that are being sent."""
        now = time.monotonic()
        with self._lock:
            if done == 0:
                self._begun = now
            if self._quiet or (now - self._last < (DRAW_SECS if self._bar else LINE_SECS)):
                return
            self._last = now
            share = min(done / total, 1.0) if total else 1.0
            rate = done / max(now - self._begun, 1e-3)
            text = f"{formatting.size(done)} of {formatting.size(total)}, {formatting.size(rate)}/s"
            if not self._bar:
                print(f"{time.strftime('[%Y-%m-%dT%H:%M:%S]')} Sent {text}", file=sys.stderr, flush=True)
                return
            width = max(10, min(40, shutil.get_terminal_size().columns - len(text) - 12))
            filled = int(share * width)
            print(f"\r\x1b[K[{'#' * filled}{'.' * (width - filled)}] {share:4.0%} {text}", end="", file=sys.stderr)
            sys.stderr.flush()
            self._drawn = True

    def total(self, totals: uploads_sending.Totals) -> None:
        """After each turn; says something only if something was sent."""
        if self._quiet or totals == self._told or not totals.bytes:
            return
        before = self._told
        self._told = totals
        if before is None or totals.files != before.files or time.monotonic() - self._last >= LINE_SECS:
            self._last = time.monotonic()
            self.line(f"Total uploaded: {formatting.plural(totals.files, 'file')} ({formatting.size(totals.bytes)})")

    def clear(self) -> None:
        with self._lock:
            self._clear()

    def _clear(self) -> None:
        if self._drawn:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
            self._drawn = False
