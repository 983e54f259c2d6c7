"""Changes of boards and jobs, handed to requests that wait and to event streams; nobody polls.

One subscription of `database.changes` per process, from the first listener on. Its calls come from any thread and are
carried into the event loop:

    waits      are woken when their board changes, and read it themselves
    streams    get bulletins: what changed within a few moments is read once, for all of them

A bulletin also says who could see a board before, so that a stream can tell of a board that is gone without
telling others that it ever existed. A stream that does not keep up loses its bulletins and is told to start again.
"""

from __future__ import annotations

import asyncio
import collections
import contextlib
import dataclasses
import logging
from collections.abc import AsyncIterator, Callable, Iterator, Mapping

from lightboard.hub import db, life
from lightboard.hub.db import jobs as stored_jobs
from lightboard.hub.db import lists, settings
from lightboard.hub.life import accounts, jobs

# Changes that come within this time are read and sent together.
GATHER_SECS = 0.05
# Bulletins that a slow client may leave unread.
MOST_BULLETINS = 64
_LOG = logging.getLogger(__name__)

Roles = Mapping[str, accounts.Role]


@dataclasses.dataclass(frozen=True)
class Bulletin:
    """Boards and jobs that changed, None for one that is gone, with everything that answers about them need."""

    boards: Mapping[str, life.Board | None]
    # by workspace and id
    jobs: Mapping[tuple[str, str], jobs.Job | None]
    job_boards: Mapping[str, life.Board]
    # who could see them before
    before: Mapping[str, lists.Outline]
    policies: settings.Policies
    names: Mapping[str, str]
    # of every user that has a stream
    roles: Mapping[str, Roles]


class Stream:
    """What one client has not been sent yet. State, used only in the event loop."""

    def __init__(self, user: str) -> None:
        self.user = user
        self.changed = asyncio.Event()
        self.ended = False
        # something was missed: the client has to read everything again
        self.lags = False
        self._bulletins: collections.deque[Bulletin] = collections.deque()

    def put(self, bulletin: Bulletin) -> None:
        if len(self._bulletins) >= MOST_BULLETINS:
            self.lag()
        elif not self.lags:
            self._bulletins.append(bulletin)
        self.changed.set()

    def lag(self) -> None:
        self._bulletins.clear()
        self.lags = True
        self.changed.set()

    def end(self) -> None:
        self.ended = True
        self.changed.set()

    def take(self) -> list[Bulletin]:
        self.changed.clear()
        self.lags = False
        taken = list(self._bulletins)
        self._bulletins.clear()
        return taken


class News:
    """State, used only in the event loop: waits by board, streams, boards that changed since the last bulletin, and
    what was known of boards (`_known`, while there are streams)."""

    def __init__(self, database: db.Database) -> None:
        self._database = database
        self._waits: dict[str, set[asyncio.Event]] = {}
        self._streams: set[Stream] = set()
        self._changed: set[str] = set()
        self._due = asyncio.Event()
        self._known: dict[str, lists.Outline] = {}
        self._pump: asyncio.Task[None] | None = None
        self._starting = asyncio.Lock()
        self._unsubscribe: Callable[[], None] | None = None
        self._closed = False

    # -- listeners

    @contextlib.asynccontextmanager
    async def waiting(self, board: str) -> AsyncIterator[asyncio.Event]:
        """An event that is set by each change of the board. Clear it before the board is read."""
        await self._start()
        event = asyncio.Event()
        self._waits.setdefault(board, set()).add(event)
        try:
            yield event
        finally:
            of_board = self._waits[board]
            of_board.discard(event)
            if not of_board:
                del self._waits[board]

    @contextlib.asynccontextmanager
    async def streaming(self, user: str) -> AsyncIterator[Stream]:
        await self._start()
        stream = Stream(user)
        self._streams.add(stream)
        if self._pump is None:
            self._pump = asyncio.create_task(self._send_bulletins(), name="hub news")
        if self._closed:
            stream.end()
        try:
            yield stream
        finally:
            self._streams.discard(stream)
            if not self._streams and self._pump is not None:
                self._pump.cancel()
                self._pump = None
                self._known = {}

    def streams_of(self, user: str) -> int:
        return sum(each.user == user for each in self._streams)

    @property
    def streams(self) -> int:
        return len(self._streams)

    def tell(self, board: str) -> None:
        """Of a change that is not in the database. Only in the event loop."""
        self._told(board)

    def end_streams(self) -> None:
        """Ends all streams and waits: the hub stops. Only in the event loop."""
        self._closed = True
        for stream in self._streams:
            stream.end()
        for event in self._all_waits():
            event.set()

    @property
    def closed(self) -> bool:
        return self._closed

    def close(self) -> None:
        if self._unsubscribe is not None:
            self._unsubscribe()
            self._unsubscribe = None

    # -- the subscription

    async def _start(self) -> None:
        async with self._starting:
            if self._unsubscribe is not None:
                return
            loop = asyncio.get_running_loop()

            def told(board: str) -> None:
                with contextlib.suppress(RuntimeError):  # the loop has ended: nobody listens
                    loop.call_soon_threadsafe(self._told, board)

            self._unsubscribe = await asyncio.to_thread(self._database.changes.subscribe, told)

    def _told(self, board: str) -> None:
        for event in self._waits.get(board, ()) if board else self._all_waits():
            event.set()
        if self._streams and not board.startswith("console:"):
            self._changed.add(board)
            self._due.set()

    def _all_waits(self) -> Iterator[asyncio.Event]:
        return (event for events in list(self._waits.values()) for event in list(events))

    # -- bulletins

    async def _send_bulletins(self) -> None:
        self._known = await asyncio.to_thread(self._database.lists.outlines)
        while True:
            await self._due.wait()
            await asyncio.sleep(GATHER_SECS)
            self._due.clear()
            changed, self._changed = self._changed, set()
            try:
                await self._send(changed)
            except Exception:
                _LOG.exception("could not read boards that changed; clients read everything again")
                self._lag_all()

    async def _send(self, changed: set[str]) -> None:
        if "" in changed:  # anything may have changed
            self._known = await asyncio.to_thread(self._database.lists.outlines)
            self._lag_all()
            return
        users = {each.user for each in self._streams}
        bulletin = await asyncio.to_thread(self._read, changed, users)
        for name, board in bulletin.boards.items():
            if board is None:
                self._known.pop(name, None)
            else:
                self._known[name] = lists.Outline(board.workspace, board.owner, board.visibility.value)
        for stream in self._streams:
            if stream.user in bulletin.roles:
                stream.put(bulletin)
            else:  # it came while the bulletin was read
                stream.lag()

    def _lag_all(self) -> None:
        for stream in self._streams:
            stream.lag()

    def _read(self, changed: set[str], users: set[str]) -> Bulletin:
        known = self._known  # changed only by the task that waits for this
        of_jobs = {each for each in changed if each.startswith(stored_jobs.NEWS)}
        changed = changed - of_jobs
        boards = self._database.lists.some(changed)
        told = self._jobs(of_jobs)
        some = [each for each in told.values() if each is not None]
        people = [name for each in some for name in (each.user, each.stop_by) if name]
        return Bulletin(
            boards={name: boards.get(name) for name in sorted(changed)},
            jobs=told,
            job_boards=self._database.lists.some({each.board for each in some if each.board}) if some else {},
            before={name: known[name] for name in changed if name in known},
            policies=self._database.settings.policies(),
            names=self._database.people.names([*(each.owner for each in boards.values()), *people]),
            roles=self._database.workspaces.roles_of(users),
        )

    def _jobs(self, told: set[str]) -> dict[tuple[str, str], jobs.Job | None]:
        if not told:
            return {}
        pairs = [each.removeprefix(stored_jobs.NEWS).partition(":") for each in sorted(told)]
        found = self._database.jobs.some({job for _, _, job in pairs})
        return {(workspace, job): found.get(job) for workspace, _, job in pairs}
