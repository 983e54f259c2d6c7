"""Logging to an object store: `s3://bucket/path` and all other addresses of buckets that a board reads.

Objects cannot be appended to. So files are written to a local directory, the spool, and a thread uploads what has
changed in it: event files, and other files beside them (embeddings, traces, sub-runs).

An upload sends a whole file, so a file is sent again only when it has grown by a sixteenth, or after a minute with
anything new. The event file is rolled, that is closed and followed by the next one, at 1 MB, or at a fraction of what
has been logged so far. So the bytes sent stay proportional to the bytes logged.

If an upload fails, training continues, the spool keeps everything, and the upload is retried. Files that could not be
uploaded when the recorder is closed are kept, and a warning says where; so are all files of an address that cannot be
written to. Addresses, settings and credentials are those of `lightboard.storage`, as for reading.
"""

from __future__ import annotations

import os
import pathlib
import re
import secrets
import socket
import tempfile
import threading
import time
from typing import Any

from lightboard import _native, errors
from lightboard.sdk import recorder, trouble, uploads
from lightboard.storage import uris

UPLOAD_SECS = 10.0  # how often the spool is checked: the maximum delay of a live board, plus the upload
UNCHANGED_SECS = 60.0  # a file that grows slowly is sent this often
GROWTH = 1 / 16
ROLL_BYTES, ROLL_PART, ROLL_MOST_BYTES = 1 << 20, 1 / 32, 64 << 20  # 10 GB of logs are some 300 objects
_RETRY_MOST_SECS = 60.0


class ObjectStoreRecorder(recorder.Recorder):
    """`uri` is the destination of the logs, `shown` the same for messages, `logdir` is the spool.

    State: `_sent` maps a file's path below the spool to (size, time) of its last upload; `_uploading` guards it and is
    held while uploading. `_failure` is the error of the last upload. `_ended` are event files that are complete.
    `_process` is the process that owns the spool: a forked child gets its own, or both would upload all files.
    """

    def __init__(self, logdir: str | os.PathLike[str], **options: Any) -> None:
        self.uri = os.fspath(logdir).strip()
        self.shown = uris.shown(self.uri)
        super().__init__(_new_spool(self.shown), **options)
        self._upload_secs = max(0.05, min(float(options.get("flush_secs", UPLOAD_SECS)), UPLOAD_SECS))
        self._own_process()
        self._check_address()

    def _check_address(self) -> None:
        """Warn of a wrong address now, not after the first upload."""
        try:
            uploads.checked(self.uri)
        except errors.LightboardError as error:
            if self.strict:
                raise
            self._warn_of(error)

    def _own_process(self) -> None:
        self._process = os.getpid()
        self._sent: dict[str, tuple[int, float]] = {}
        self._ended: list[str] = []
        self._logged_bytes = 0
        self._failures = 0
        self._failure: Exception | None = None
        self._destination: uploads.Destination | None = None
        self._thread: threading.Thread | None = None
        self._uploading = threading.Lock()
        self._done = threading.Event()

    # ---- the interface of recorders ----

    def flush(self, *, sync: bool = False) -> None:
        """Write everything logged so far to the spool (`sync`: to the object store).

        A flush without `sync` starts no upload, because programs flush at each step.
        """
        super().flush()
        # A forked child that has not logged yet has nothing to upload.
        if sync and self._process == os.getpid() and not self._upload(everything=True):
            self._tell()

    def close(self) -> None:
        super().close()
        if self._process != os.getpid() or self._thread is None:
            return
        self._done.set()
        self._thread.join()
        self._thread = None
        if self._upload(everything=True):
            self._remove_spool()
        else:
            reason = uploads.reason(self._failure)
            trouble.warn(f"logs could not be uploaded and wait in {self.logdir}: {reason}: {self.shown}")
            if self.strict and self._failure is not None:
                raise self._failure

    def _open(self) -> _native.EventWriter:
        if self._process != os.getpid():
            self.logdir = _new_spool(self.shown)
            self._own_process()
        writer = super()._open()
        with self._opening:
            if self._thread is None:
                self._done.clear()
                self._thread = threading.Thread(target=self._run, name="lightboard-upload", daemon=True)
                self._thread.start()
        return writer

    def _checked(self, writer: _native.EventWriter) -> _native.EventWriter:
        writer = super()._checked(writer)
        self._tell()
        written = writer.status()[0]
        if written < min(max(ROLL_BYTES, self._logged_bytes * ROLL_PART), ROLL_MOST_BYTES):
            return writer
        self._logged_bytes += written
        super().close()
        self._ended.append(writer.path)
        return self._open()

    # ---- uploading ----

    def _run(self) -> None:
        while not self._done.wait(min(self._upload_secs * 2**self._failures, _RETRY_MOST_SECS)):
            self._upload(everything=False)

    def _upload(self, *, everything: bool) -> bool:
        """Upload what has changed; returns False if something could not be sent."""
        with self._uploading:
            try:
                for name, size in self._changed(everything=everything):
                    self._send(name)
                    self._sent[name] = (size, time.monotonic())
            except Exception as error:
                # Whatever the error (no network, no permission, no `obstore`), training continues; the spool is safe.
                self._failures = min(self._failures + 1, 10)
                self._failure = error
                return False
            self._failures, self._failure = 0, None
            self._remove_ended()
            return True

    def _tell(self) -> None:
        """Warn of a failure, once. Not in the thread: a warning needs a line of the user's code, and may raise."""
        if self._failure is not None:
            self._warn_of(self._failure)
            if self.strict:
                raise self._failure

    def _warn_of(self, failure: Exception) -> None:
        reason, kind = uploads.reason(failure), uploads.kind(failure)
        self._say(f"upload {kind}", f"uploading logs fails, they wait in {self.logdir}: {reason}: {self.shown}")

    def _changed(self, *, everything: bool) -> list[tuple[str, int]]:
        now, found = time.monotonic(), []
        for path in sorted(pathlib.Path(self.logdir).rglob("*")):
            if not path.is_file():
                continue
            name, size = path.relative_to(self.logdir).as_posix(), path.stat().st_size
            sent, at = self._sent.get(name, (-1, 0.0))
            if size != sent and (everything or size - sent >= size * GROWTH or now - at >= UNCHANGED_SECS):
                found.append((name, size))
        return found

    def _send(self, name: str) -> None:
        if self._destination is None:
            self._destination = uploads.destination(self.uri)
        self._destination.put(name, pathlib.Path(self.logdir, name))

    def _remove_ended(self) -> None:
        """Delete event files that are complete and uploaded."""
        for path in list(self._ended):
            size, _ = self._sent.get(pathlib.Path(path).name, (-1, 0.0))
            if pathlib.Path(path).is_file() and pathlib.Path(path).stat().st_size == size:
                pathlib.Path(path).unlink()
                self._ended.remove(path)

    def _remove_spool(self) -> None:
        """Delete what has been uploaded, except files that another writer (of a sub-run) still has open."""
        busy = {each.path for each in list(recorder._open_recorders)}
        for path in sorted(pathlib.Path(self.logdir).rglob("*"), reverse=True):
            try:
                if path.is_dir():
                    path.rmdir()
                elif str(path) not in busy:
                    path.unlink()
            except OSError:
                continue  # it is not empty
        try:
            pathlib.Path(self.logdir).rmdir()
        except OSError:
            pass
        self._sent.clear()

    def __getstate__(self) -> dict[str, Any]:
        kept = super().__getstate__()
        for name in ("_sent", "_destination", "_failure", "_thread", "_uploading", "_done"):
            kept.pop(name, None)
        return kept

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        self.logdir = _new_spool(self.shown)
        self._own_process()


def spool_root() -> pathlib.Path:
    """Returns the directory of spools: `LIGHTBOARD_SPOOL`, or the user's cache directory. A restart may empty /tmp."""
    configured = os.environ.get("LIGHTBOARD_SPOOL")
    if configured:
        return pathlib.Path(configured)
    try:
        cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
    except RuntimeError:  # a user without a home directory, as in containers
        cache = pathlib.Path(tempfile.gettempdir())
    return cache / "lightboard" / "spool"


def _new_spool(address: str) -> str:
    readable = re.sub(r"[^A-Za-z0-9.-]+", "_", address)[-100:]
    return str(spool_root() / f"{readable}-{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(4)}")
