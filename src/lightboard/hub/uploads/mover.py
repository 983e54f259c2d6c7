"""Puts files of uploads into the bucket, and removes copies from the hub's disk that nobody needs.

One thread per hub process; of several processes that share a directory the one moves that has the lock of `.mover`.
What is to be moved stands in the database, so nothing is lost when a hub ends.

    put       a file at once when it is new or nobody sends any more; one that grows when it has doubled, or after a
              minute and ten times as long as the last put took: an object is written whole each time. A few at once
    again     a file that was refused waits, up to a minute; three refusals in a row end a round
    release   an upload that was silent for `local_secs`, whose files the bucket has, and whose board does not run
"""

from __future__ import annotations

import fcntl
import itertools
import logging
import os
import threading
import time
from concurrent import futures

from lightboard import errors
from lightboard.hub import db
from lightboard.hub.life.uploads import Moving
from lightboard.hub.uploads import bucket as bucket_
from lightboard.hub.uploads.copies import Copies
from lightboard.hub.uploads.uploads import SILENT_SECS, Uploads

TURN_SECS, GATHER_SECS = 2.0, 0.2
# Other hub processes receive files, too.
LOOK_SECS = 10.0
GROWTH, UNCHANGED_SECS, UNCHANGED_TIMES = 2, 60.0, 10
AT_ONCE = 4
AGAIN_SECS, AGAIN_MOST_SECS = 2.0, 60.0
MOST_REFUSALS = 3
MOST_FILES = 2000  # of one round
RELEASE_SECS = 60.0
END_SECS = 3.0
LOCK = ".mover"
_LOG = logging.getLogger("lightboard.hub")


class Mover:
    """State, of the thread: when a file that grows is put again, refusals of files with the time of the next try,
    whether files waited in the last round, and which fault was told."""

    def __init__(self, database: db.Database, uploads: Uploads, copies: Copies, *, local_secs: float) -> None:
        self._database, self._uploads, self._copies, self._local_secs = database, uploads, copies, local_secs
        self._ends = threading.Event()
        self._thread: threading.Thread | None = None
        self._again_at: dict[tuple[str, str], float] = {}
        self._refused: dict[tuple[str, str], tuple[int, float]] = {}
        self._told = ""
        self._waits = False

    def start(self) -> None:
        self._thread = threading.Thread(target=self._run, name="uploads-mover", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """What is being put is broken off; the next hub puts it."""
        self._ends.set()
        self._uploads.news.set()
        if self._thread is not None:
            self._thread.join(END_SECS)

    def _run(self) -> None:
        self._uploads.store.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = os.open(self._uploads.store / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        looked_at = released_at = -RELEASE_SECS
        is_new = True
        try:
            while not self._ends.is_set():
                try:
                    if _locked(lock):
                        if is_new or self._waits or time.monotonic() - looked_at >= LOOK_SECS:
                            looked_at = time.monotonic()
                            self.turn()
                        if time.monotonic() - released_at >= min(RELEASE_SECS, max(self._local_secs, TURN_SECS)):
                            released_at = time.monotonic()
                            self.release()
                except Exception:
                    if not self._ends.is_set():
                        _LOG.exception("moving uploads to the bucket failed; it is tried again")
                is_new = self._uploads.news.wait(TURN_SECS)
                self._uploads.news.clear()
                if is_new:  # more is about to come: not a round for every request
                    self._ends.wait(GATHER_SECS)
        finally:
            os.close(lock)

    def turn(self) -> int:
        """Puts what is due; returns how many files that were."""
        waiting = self._database.uploads.moving(MOST_FILES, silent_since=self._uploads.now() - SILENT_SECS)
        self._waits = bool(waiting)
        self._forget_others({(each.upload, each.file.path) for each in waiting})
        due = iter([each for each in waiting if self._is_due(each)])
        count = refusals = 0
        with futures.ThreadPoolExecutor(AT_ONCE, thread_name_prefix="uploads-put") as threads:
            running: dict[futures.Future[bool], Moving] = {}
            while not self._ends.is_set():
                more = itertools.islice(due, AT_ONCE - len(running)) if refusals < MOST_REFUSALS else ()
                running |= {threads.submit(self._put, each): each for each in more}
                if not running:
                    break
                done, _ = futures.wait(running, return_when=futures.FIRST_COMPLETED)
                for each in done:
                    moving = running.pop(each)
                    try:
                        count += each.result()
                        refusals = 0
                        self._refused.pop((moving.upload, moving.file.path), None)
                    except bucket_.Interrupted:
                        continue
                    except (errors.LightboardError, OSError) as error:
                        refusals += 1
                        self._refuse(moving, error)
        if not refusals and count:
            self._tell("")
        return count

    def _put(self, moving: Moving) -> bool:
        begun = time.monotonic()
        was_put = self._copies.put(moving, goes_on=lambda: not self._ends.is_set())
        took = time.monotonic() - begun
        wait = max(UNCHANGED_SECS, UNCHANGED_TIMES * took)
        self._again_at[moving.upload, moving.file.path] = time.monotonic() + wait
        return was_put

    def _forget_others(self, files: set[tuple[str, str]]) -> None:
        for key in self._again_at.keys() - files:
            if time.monotonic() >= self._again_at[key]:
                del self._again_at[key]
        for key in self._refused.keys() - files:
            del self._refused[key]

    def _is_due(self, moving: Moving) -> bool:
        now, key = time.monotonic(), (moving.upload, moving.file.path)
        if key in self._refused and now < self._refused[key][1]:
            return False
        if moving.ended or moving.kept.size < 0 or moving.file.size < moving.kept.size:
            return True
        return moving.file.size >= moving.kept.size * GROWTH or now >= self._again_at.get(key, 0.0)

    def _refuse(self, moving: Moving, error: errors.LightboardError | OSError) -> None:
        key = (moving.upload, moving.file.path)
        number = self._refused.get(key, (0, 0.0))[0] + 1
        wait = min(AGAIN_SECS * 2 ** min(number - 1, 10), AGAIN_MOST_SECS)
        self._refused[key] = (number, time.monotonic() + wait)
        if isinstance(error, errors.LightboardError):
            self._tell(f"{error.message}; {error.hint}")
        else:
            self._tell(f"{error.strerror or error}: {moving.upload}/{moving.file.path}")

    def _tell(self, problem: str) -> None:
        """In the log, when it changes."""
        if problem == self._told:
            return
        self._told = problem
        if problem:
            _LOG.warning("uploads stay on the hub's disk, and are tried again: %s", problem)
        else:
            _LOG.info("uploads reach the bucket again: %s", self._copies.bucket.uri)

    def release(self) -> int:
        """Removes copies from the hub's disk; returns of how many uploads."""
        before = self._uploads.now() - self._local_secs
        return sum(self._uploads.release(each, before) for each in self._uploads.on_disk() if not self._ends.is_set())


def _locked(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
