"""Sources that running boards cannot read, as the boards say it, for lists of boards.

A list asks no board: it shows what is known, and what is older than `FRESH_SECS` is asked for in the background, a few
boards at once. If that changes anything, `news` tells pages of it. Boards that nobody looks at are not asked. A board
that is still listing its sources does not know yet what it cannot read: it is asked again after a moment.
"""

from __future__ import annotations

import asyncio
import dataclasses
import logging
import time
from collections.abc import Callable, Iterable

from lightboard.hub import life, runtimes

FRESH_SECS = 20.0
# A board that has not read everything is asked again this often, for so many times after a look.
AGAIN_SECS = 1.0
MOST_AGAIN = 60
ASKED_AT_ONCE = 4
ANSWER_SECS = 5.0
# A detail waits this long for the board's answer.
PATIENCE_SECS = 0.3
MOST_KNOWN = 2000
_LOG = logging.getLogger(__name__)
_ANSWERING = (life.State.RUNNING, life.State.IDLE)


@dataclasses.dataclass(frozen=True)
class _Known:
    at: float
    attempt: int  # of the board's process
    places: tuple[runtimes.Place, ...]
    ready: bool  # everything that was there has been read


class Failing:
    """State, used only in the event loop except for reads of `_known`: what boards said last, and who is asked now."""

    def __init__(self, runtime: runtimes.Runtime, tell: Callable[[str], None]) -> None:
        self._runtime = runtime
        self._tell = tell
        self._known: dict[str, _Known] = {}
        self._asking: dict[str, asyncio.Task[None]] = {}
        self._again: dict[str, asyncio.TimerHandle] = {}
        self._at_once = asyncio.Semaphore(ASKED_AT_ONCE)

    def places(self, board: life.Board) -> tuple[runtimes.Place, ...]:
        """All sources as the board finds them, if it is known. From any thread."""
        known = self._known.get(board.id)
        if known is None or board.state not in _ANSWERING or known.attempt != board.attempt:
            return ()
        return known.places

    def look(self, boards: Iterable[life.Board], *, again: int = MOST_AGAIN) -> None:
        """Asks those whose answer is old, without waiting for it."""
        for board in boards:
            if board.id not in self._asking and self._is_old(board):
                task = asyncio.create_task(self._ask(board, again), name=f"sources of {board.id}")
                self._asking[board.id] = task
                task.add_done_callback(lambda _, name=board.id: self._asking.pop(name, None))  # type: ignore[misc]

    async def look_now(self, board: life.Board) -> None:
        """Waits a moment for the answer."""
        self.look([board])
        if (task := self._asking.get(board.id)) is not None:
            await asyncio.wait([task], timeout=PATIENCE_SECS)

    async def close(self) -> None:
        for timer in self._again.values():
            timer.cancel()
        tasks = list(self._asking.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _is_old(self, board: life.Board) -> bool:
        if board.state not in _ANSWERING:
            return False
        known = self._known.get(board.id)
        if known is None or known.attempt != board.attempt:
            return True
        return time.monotonic() - known.at >= (FRESH_SECS if known.ready else AGAIN_SECS)

    async def _ask(self, board: life.Board, again: int) -> None:
        async with self._at_once:
            try:
                progress = await asyncio.wait_for(self._runtime.progress(board.id), ANSWER_SECS)
            except Exception as error:
                _LOG.debug("the board %s does not tell its sources: %r", board.id, error)
                return
        before = self._known.pop(board.id, None)
        ready = progress.phase == "ready"
        self._known[board.id] = _Known(time.monotonic(), board.attempt, progress.places, ready)
        if not ready and again:
            self._ask_later(board, again - 1)
        while len(self._known) > MOST_KNOWN:
            del self._known[next(iter(self._known))]
        if _failing(progress.places) != _failing(before.places if before is not None else ()):
            self._tell(board.id)

    def _ask_later(self, board: life.Board, again: int) -> None:
        def ask() -> None:
            del self._again[board.id]
            self.look([board], again=again)

        if board.id not in self._again:
            # a little more, so that the answer is old then
            self._again[board.id] = asyncio.get_running_loop().call_later(1.1 * AGAIN_SECS, ask)


def _failing(places: Iterable[runtimes.Place]) -> list[tuple[str, str]]:
    return [(each.path, each.problem) for each in places if fails(each)]


def fails(place: runtimes.Place) -> bool:
    """A source without logs does not fail: they come later."""
    return place.problem not in ("", "empty")
