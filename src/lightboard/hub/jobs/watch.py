"""The loop that notices what nobody reports: runners that are gone, and boards that could not be made before.

Silence counts only while this process could hear: from its start, and again from the end of every pause (the machine
slept, the process was stopped). A hub that was away for an hour therefore loses no job whose runner is still there.
Several hubs on one database may all decide; a job that reported meanwhile is read again before it is changed.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable

from lightboard import errors
from lightboard.hub import db
from lightboard.hub.jobs import boards, console
from lightboard.hub.life import jobs

TURN_SECS = 2.0
# A turn that comes later than this was not heard through.
PAUSE_SECS = 10.0
CLEAN_SECS = 3600.0
_LOG = logging.getLogger(__name__)


class Watch:
    """State: since when it listens without a pause, and the time of the last turn."""

    def __init__(
        self,
        database: db.Database,
        job_boards: boards.JobBoards,
        consoles: console.Consoles,
        *,
        clock: Callable[[], float],
    ) -> None:
        self._database, self._boards, self._consoles, self._clock = database, job_boards, consoles, clock
        self._listening_since = self._last_turn = clock()
        self._clean_at = 0.0

    async def run(self) -> None:
        """Until it is cancelled."""
        while True:
            try:
                await asyncio.to_thread(self.turn)
            except Exception:
                _LOG.exception("could not look after jobs; trying again")
            await asyncio.sleep(TURN_SECS)

    def turn(self) -> None:
        now = self._clock()
        if not 0.0 <= now - self._last_turn <= PAUSE_SECS:
            self._listening_since = now
        self._last_turn = now
        for job in self._database.jobs.followed():
            if self._is_lost(job, now):
                with contextlib.suppress(errors.NotFound):  # deleted meanwhile
                    self._database.jobs.change(
                        job.id, lambda each: jobs.lost(each) if self._is_lost(each, now) else each
                    )
                _LOG.info("job %s is lost: its runner does not report", job.id)
        for job in self._database.jobs.boards_due(now):
            self._boards.try_make(job)
        if now >= self._clean_at:
            self._clean_at = now + CLEAN_SECS
            self._clean()

    def _is_lost(self, job: jobs.Job, now: float) -> bool:
        at = jobs.lost_at(job, self._listening_since)
        return at is not None and now >= at

    def _clean(self) -> None:
        """Consoles of jobs that are gone with their workspace or their user."""
        kept = self._consoles.jobs()
        existing = self._database.jobs.existing(kept)
        for job in kept:
            if job not in existing:
                self._consoles.remove(job)
