"""The loop that makes boards follow what is desired: observe, decide (`life.step`), store, act.

    keeper = Keeper(database, runtime, launch, holder="hub-1")
    await keeper.run()                  until it is cancelled

Of several hub processes on one database one leads: it has the lease "keeper". The others wait for it to end. A keeper
that lost its lease without noticing harms nothing: its decisions are stored only for boards that nobody wrote
meanwhile, and only stored decisions are acted on.

A turn polls all boards that are due, several at once, and stores all decisions in one transaction. Actions run beside
the loop; a board with an action under way is not looked at. When nothing is due the loop sleeps until the next due
time, or until a change of any board wakes it.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from typing import Any, TypeVar

from lightboard import errors
from lightboard.hub import db, life, runtimes
from lightboard.hub.db import settings

LEASE = "keeper"
LEASE_SECS = 8.0
RENEW_SECS = 2.5
# Processes are counted this often, so that a crash is noticed long before the next poll.
COUNT_SECS = 5.0
POLLS_AT_ONCE = 16
# An observation that takes longer is none.
POLL_TIMEOUT_SECS = 10.0
PRUNE_SECS = 3600.0
_LOG = logging.getLogger(__name__)
_T = TypeVar("_T")

# Makes what a runtime needs from a board: its secrets are read and decrypted. Raises errors.LightboardError.
Launcher = Callable[[life.Board], Awaitable[runtimes.Launch]]


class Keeper:
    """State, used only in the event loop: boards with actions under way, boards that cannot be observed, and
    when to count, renew and prune again."""

    def __init__(
        self,
        database: db.Database,
        runtime: runtimes.Runtime,
        launch: Launcher,
        *,
        holder: str,
        clock: Callable[[], float] = time.time,
        decided: Callable[[life.Board, life.Decision], None] = lambda board, decision: None,
    ) -> None:
        """`decided` is told of each decision that was stored, with the board before it; for metrics."""
        self._database = database
        self._runtime = runtime
        self._launch = launch
        self._holder = holder
        self._clock = clock
        self._decided = decided
        self._busy: dict[str, asyncio.Task[None]] = {}
        self._unseen: set[str] = set()
        # set when a board changed or an action ended: the next turn should not wait
        self.changed = asyncio.Event()
        self._polls = asyncio.Semaphore(POLLS_AT_ONCE)
        self._renew_at = self._count_at = self._prune_at = 0.0
        self.leads = False

    async def run(self) -> None:
        """Keeps boards until it is cancelled; then actions under way are awaited and the lease is given back."""
        loop = asyncio.get_running_loop()
        end = await asyncio.to_thread(self._database.changes.subscribe, lambda _: _quietly(loop, self.changed.set))
        try:
            while True:
                self.changed.clear()
                wait_secs = await self._turn_safely()
                with contextlib.suppress(asyncio.TimeoutError):
                    await _within(wait_secs, self.changed.wait())
        finally:
            end()
            await self.close()

    async def _turn_safely(self) -> float:
        """A database or runtime that is away for a while does not end the keeper."""
        try:
            return await self.turn()
        except Exception:
            _LOG.exception("the keeper could not look at boards; trying again")
            self.leads, self._renew_at = False, 0.0
            return 1.0

    async def finish_actions(self) -> None:
        while self._busy:
            await asyncio.wait(list(self._busy.values()))

    async def close(self) -> None:
        await self.finish_actions()
        if self.leads:
            self.leads = False
            await asyncio.to_thread(self._database.leases.release, LEASE, self._holder)

    async def turn(self) -> float:
        """Does what is due; returns after how many seconds to come again."""
        now = self._clock()
        if now >= self._renew_at or now < self._renew_at - 2 * RENEW_SECS:  # or the clock was set back
            await self._renew(now)
        if not self.leads:
            return RENEW_SECS
        if now >= self._count_at:
            await self._count(now)
        due = [each for each in await asyncio.to_thread(self._database.boards.due, now) if each.id not in self._busy]
        if due:
            await self._keep(due)
        if now >= self._prune_at:
            self._prune_at = now + PRUNE_SECS
            await asyncio.to_thread(self._database.prune, now)
        return await self._wait_secs()

    async def _wait_secs(self) -> float:
        """Boards with actions under way are overdue all the time: their end wakes the loop."""
        soonest = await asyncio.to_thread(self._soonest, frozenset(self._busy))
        until = min(self._renew_at, self._count_at, *([soonest] if soonest is not None else []))
        return max(0.0, until - self._clock())

    def _soonest(self, busy: frozenset[str]) -> float | None:
        return self._database.boards.next_due(without=busy)

    # -- leading

    async def _renew(self, now: float) -> None:
        led = self.leads
        self.leads = await asyncio.to_thread(self._database.leases.take, LEASE, self._holder, now, LEASE_SECS)
        self._renew_at = now + RENEW_SECS
        if self.leads and not led:
            _LOG.info("this hub leads: %s", self._holder)
            await self._adopt(now)

    async def _adopt(self, now: float) -> None:
        """What the database says may be old: every active board is looked at, processes without a board are removed."""
        running = set(await self._runtime.running())
        known = await asyncio.to_thread(self._database.boards.existing, running)
        active = {each.id for each in await asyncio.to_thread(self._database.boards.active)}
        for board in running - known:
            _LOG.warning("removing the process of a board that does not exist: %s", board)
            await self._runtime.forget(board)
        await self._wake(active | (running & known), now)
        self._count_at = now + COUNT_SECS

    async def _count(self, now: float) -> None:
        self._count_at = now + COUNT_SECS
        running = set(await self._runtime.running())
        expected = await asyncio.to_thread(self._database.boards.answering)
        await self._wake(expected - running - set(self._busy), now)

    async def _wake(self, boards: Iterable[str], now: float) -> None:
        if chosen := sorted(boards):
            await asyncio.to_thread(self._database.boards.wake, chosen, now)

    async def look_soon(self, board: str) -> None:
        """The door could not reach the board: look at it now, whoever leads."""
        await self._wake([board], self._clock())
        self.changed.set()

    # -- boards

    async def _keep(self, boards: list[life.Board]) -> None:
        policies = await asyncio.to_thread(self._database.settings.policies)
        seen = await asyncio.gather(*(self._seen(each) for each in boards))
        now = self._clock()
        decided = [
            (board, life.step(board, what, now, policies.timing(board)))
            for board, what in zip(boards, seen, strict=True)
        ]
        stored = await asyncio.to_thread(self._database.boards.store, decided)
        for (before, decision), board in zip(decided, stored, strict=True):
            if board is None:
                continue
            self._decided(before, decision)
            if decision.actions:
                self._start(board, decision, policies)

    async def _seen(self, board: life.Board) -> life.Seen | None:
        async with self._polls:
            try:
                seen = await _within(POLL_TIMEOUT_SECS, self._runtime.poll(board.id))
            except Exception as error:
                if board.id not in self._unseen:
                    _LOG.warning("cannot observe the board %s: %r", board.id, error)
                self._unseen.add(board.id)
                return None
            self._unseen.discard(board.id)
            return seen

    def _start(self, board: life.Board, decision: life.Decision, policies: settings.Policies) -> None:
        task = asyncio.create_task(self._act(board, decision, policies), name=f"keeper {board.id}")
        self._busy[board.id] = task
        task.add_done_callback(lambda _: self._ended(board.id))

    def _ended(self, board: str) -> None:
        del self._busy[board]
        self.changed.set()

    async def _act(self, board: life.Board, decision: life.Decision, policies: settings.Policies) -> None:
        """An action that fails is not repeated here: the next look finds what is real."""
        try:
            for action in decision.actions:
                if action == life.Act.START:
                    await self._runtime.start(await self._launch(board))
                elif action == life.Act.STOP:
                    await self._runtime.stop(board.id)
                else:
                    await self._runtime.forget(board.id)
            if decision.gone:
                await asyncio.to_thread(self._database.boards.remove, board.id)
            else:
                await self._wake_if_same(board)
        except (errors.LightboardError, OSError) as error:
            await self._failed(board, error, policies)
        except Exception:
            _LOG.exception("an action failed: %s of %s", decision.actions, board.id)

    async def _wake_if_same(self, board: life.Board) -> None:
        """After a stop the process is gone: no need to wait for the next look."""
        if board.state in (life.State.STOPPING, life.State.PENDING):
            await self._wake([board.id], self._clock())

    async def _failed(
        self, board: life.Board, error: errors.LightboardError | OSError, policies: settings.Policies
    ) -> None:
        """A start that failed counts as a crash; if the definition is wrong, trying again is of no use."""
        if board.state is not life.State.STARTING:
            _LOG.warning("an action on the board %s failed: %s", board.id, error)
            return
        ours = isinstance(error, errors.LightboardError)
        now = self._clock()
        seen = life.Seen(
            at=now,
            phase=life.Phase.EXITED,
            attempt=board.attempt,
            revision=board.revision,
            message=f"{error}\n{getattr(error, 'hint', '')}".strip(),
            reason=getattr(error, "code", "") or "StartFailed",
            permanent=ours,
        )
        decision = life.step(board, seen, now, policies.timing(board))
        await asyncio.to_thread(self._database.boards.store, [(board, decision)])


async def _within(secs: float, work: Coroutine[Any, Any, _T]) -> _T:
    """As `asyncio.wait_for`, which before Python 3.12 forgets that it was cancelled if the work ends at that moment:
    the keeper would run on."""
    task = asyncio.ensure_future(work)
    try:
        done, _ = await asyncio.wait([task], timeout=secs)
        if not done:
            raise asyncio.TimeoutError
        return task.result()
    finally:
        task.cancel()


def _quietly(loop: asyncio.AbstractEventLoop, call: Callable[[], None]) -> None:
    """A change that is told while the loop ends is of no interest."""
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(call)
