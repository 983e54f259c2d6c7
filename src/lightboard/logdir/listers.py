"""Places elsewhere, listed side by side: a store that does not answer delays no other.

Each place has a thread of its own. `listed` waits for new ones for `patience_secs`. A place that takes longer is late:
it gets a listing without files that says so, and its real one as soon as it is asked for again and there is one.
"""

from __future__ import annotations

import dataclasses
import math
import threading
import time
from collections.abc import Callable, Sequence

import numpy as np

from lightboard import errors
from lightboard.logdir import filesystems

PATIENCE_SECS = 2.0
SHOW_SECS = 0.2  # between two reports of the number of files found
LATE = errors.Explanation("it is still being listed", hint="its runs appear when that is done", code="root.listing")


@dataclasses.dataclass
class _Job:
    """State: written by its thread, under the lock of `Listers`."""

    count: int = 0
    listing: filesystems.Listing | None = None


class Listers:
    """State: `_jobs` by place, under `_changed`. One thread at a time calls `listed`."""

    def __init__(self, patience_secs: float = math.inf, finished: Callable[[], None] = lambda: None) -> None:
        """`finished` is called, in another thread, when a late place has been listed."""
        self._patience_secs = patience_secs
        self._finished = finished
        self._jobs: dict[str, _Job] = {}
        self._late: set[str] = set()
        self._changed = threading.Condition()

    @property
    def has_finished(self) -> bool:
        """Whether a late place has been listed since."""
        with self._changed:
            return any(self._jobs[place].listing is not None for place in self._late)

    def start(self, places: Sequence[str], systems: filesystems.FileSystems, search: filesystems.Search) -> None:
        """Begin to list places that are not being listed already."""
        for place in places:
            with self._changed:
                if place in self._jobs:
                    continue
                job = self._jobs[place] = _Job()
            own = dataclasses.replace(search, progress=self._counter(job))
            threading.Thread(
                target=self._list, args=(place, job, systems, own), name="lightboard-lister", daemon=True
            ).start()

    def listed(self, places: Sequence[str], progress: Callable[[int], None]) -> dict[str, filesystems.Listing]:
        """The listings of places that were started; those of late ones have no files."""
        end = time.monotonic() + self._patience_secs
        with self._changed:
            fresh = [place for place in places if place not in self._late]
            while any(self._jobs[place].listing is None for place in fresh) and time.monotonic() < end:
                self._changed.wait(min(SHOW_SECS, max(0.0, end - time.monotonic())))
                progress(sum(self._jobs[place].count for place in places))
            return {place: self._taken(place) for place in places}

    def _taken(self, place: str) -> filesystems.Listing:
        listing = self._jobs[place].listing
        if listing is None:
            self._late.add(place)
            nothing = np.zeros(0, filesystems.IDENTITY)
            return filesystems.Listing(place, [], nothing, [], [], remark=LATE, late=True)
        self._late.discard(place)
        del self._jobs[place]
        return listing

    def _list(self, place: str, job: _Job, systems: filesystems.FileSystems, search: filesystems.Search) -> None:
        try:
            listing = systems.of(place).discover(place, search)
        except Exception as error:  # a fault of ours must not leave the others waiting
            trouble = filesystems.Trouble("", str(error) or type(error).__name__, vanished=False)
            listing = filesystems.Listing(place, [], np.zeros(0, filesystems.IDENTITY), [], [trouble])
        with self._changed:
            job.listing = listing
            late = place in self._late
            self._changed.notify_all()
        if late:
            self._finished()

    def _counter(self, job: _Job) -> Callable[[int], None]:
        def count(files: int) -> None:
            job.count = files

        return count
