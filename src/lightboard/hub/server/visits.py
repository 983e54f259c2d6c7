"""Who opens a board, and what they get: the board itself, or a page instead.

    nobody, and the board is not public   sign in first (a redirect for pages, 401 for programs)
    may not see it                        not found
    it answers                            the door forwards
    it sleeps                             opening its page wakes it, within the quota; requests of a page that is still
                                          open somewhere do not
    it starts                             the answer waits for a moment, then shows progress
    it failed, or an admin stopped it     a page that says so

Whoever opens a board may look at everything. Notes and saved views are kept for all, so only those who may command the
board change them; and no page of another site may.

A decision to forward is kept for a moment, because a page sends dozens of requests: it ends with any write of this
process, with any change of a board that another process tells of, and after `KEPT_SECS`.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import datetime as dt
import logging
import time
import urllib.parse
from collections.abc import Callable
from concurrent import futures
from typing import Any, Protocol

from lightboard.hub import db, door, keeper, life, runtimes
from lightboard.hub.life import commands, nouns, quota
from lightboard.hub.people import identity, may
from lightboard.hub.server import answers, clients, pages

State = nouns.State
KEPT_SECS = {"sqlite": 5.0, "postgresql": 1.0}
MOST_KEPT = 10_000
# A board starts in a quarter of a second: who waits a little gets the board itself and no page that flickers.
HOLD_SECS = 1.0
RETRY = [(b"retry-after", b"1")]
PROGRESS = "/.hub/progress"
# Addresses of boards where something other than GET changes what everybody sees.
KEPT_FOR_ALL = ("/api/annotations", "/api/views")
_LOG = logging.getLogger("lightboard.hub.visits")
_READS = frozenset({"GET", "HEAD", "OPTIONS"})


class Waits(Protocol):
    """`api.news.News`: tells requests of changes."""

    def waiting(self, board: str) -> contextlib.AbstractAsyncContextManager[asyncio.Event]: ...


@dataclasses.dataclass(frozen=True)
class Visit:
    scope: Any
    proofs: identity.Proofs

    @property
    def changes(self) -> bool:
        """Decoded as the board decodes it; TensorBoard's clients may put something before the address."""
        return self.scope["method"] not in _READS and any(each in self.scope["path"] for each in KEPT_FOR_ALL)

    @property
    def opens_page(self) -> bool:
        """Whether somebody opens the board's page, as opposed to a page or a program that goes on using it."""
        if self.scope["method"] != "GET" or clients.is_prefetch(self.scope):
            return False
        if clients.is_navigation(self.scope):
            return True
        below = self.scope["path"].split("/", 3)[3]
        return below == "" and not clients.header(self.scope, b"sec-fetch-mode")


@dataclasses.dataclass(frozen=True)
class Found:
    """A board as the visitor may see it. `board` None: not at all."""

    identity: may.Identity
    board: life.Board | None = None
    may_command: bool = False
    may_read_log: bool = False
    exceeded: life.LimitExceeded | None = None
    stoppable: tuple[tuple[str, str], ...] = ()


@dataclasses.dataclass(frozen=True)
class _Kept:
    open: door.Open
    may_change: bool
    writes: int
    told: int
    until: float


class Visits:
    """State: decisions that are kept; `_told` grows when any hub process changes a board; boards that the keeper is
    asked to look at."""

    def __init__(
        self,
        database: db.Database,
        identities: identity.Identities,
        runtime: runtimes.Runtime,
        keep: keeper.Keeper,
        waits: Waits,
        *,
        clock: Callable[[], float],
        threads: futures.Executor,
    ) -> None:
        self._database, self._identities, self._runtime, self._keeper = database, identities, runtime, keep
        self._waits, self._clock, self._threads = waits, clock, threads
        self._kept: dict[bytes, _Kept] = {}
        self._kept_secs = KEPT_SECS["sqlite" if database.is_sqlite else "postgresql"]
        self._told = 0
        self._looks: dict[str, asyncio.Task[None]] = {}
        self._unsubscribe = database.changes.subscribe(self._hear)

    def close(self) -> None:
        self._unsubscribe()

    def _hear(self, board: str) -> None:
        self._told += 1

    # -- the two functions of the door

    async def who(self, scope: Any) -> Visit:
        return Visit(scope, identity.proofs_of(scope))

    async def may_open(self, visit: Visit | None, board: str) -> door.Open | door.Reply:
        assert visit is not None
        may_be_foreign = visit.scope["method"] not in _READS and visit.proofs.bearer is None
        if may_be_foreign and not self._identities.is_ours(visit.scope):
            return answers.problem(403, "Forbidden", "another website may not send this request")
        key = visit.proofs.digest + board.encode()
        kept = self._kept.get(key)
        writes, told = self._database.writes, self._told
        if kept is not None and (kept.writes, kept.told) == (writes, told) and time.monotonic() < kept.until:
            return kept.open if kept.may_change or not visit.changes else _only_looking()
        found = await self._run(self._find, visit, board, visit.opens_page)
        if visit.opens_page and _starts(found):
            found = await self._held(visit, board)
        if found.board is None or found.board.state not in (State.RUNNING, State.IDLE):
            return _instead(visit, found)
        open_ = door.Open(self._runtime.address(board))
        if len(self._kept) >= MOST_KEPT:
            self._kept.clear()
        self._kept[key] = _Kept(open_, found.may_command, writes, told, time.monotonic() + self._kept_secs)
        return open_ if found.may_command or not visit.changes else _only_looking()

    def failure(self, scope: Any, status: int) -> door.Reply:
        """The door could not forward; for a board that does not answer the keeper looks at once."""
        board = identity.board_of(scope["path"])
        if status in (502, 504) and board not in self._looks:
            self._looks[board] = asyncio.get_running_loop().create_task(self._look_soon(board))
        if clients.is_navigation(scope) and status in (502, 504):
            return _with_page_headers(pages.silent(clients.language(scope)))
        from lightboard.hub.door import door as door_

        return door_.failure(scope, status)

    async def _look_soon(self, board: str) -> None:
        try:
            await self._keeper.look_soon(board)
        except Exception:
            _LOG.exception("cannot ask for a look at the board %s", board)
        finally:
            del self._looks[board]

    # -- progress, for the page that waits

    async def progress(self, scope: Any, board: str) -> door.Reply:
        """Whoever may open the board may see how far it is; also with a share."""
        visit = Visit(scope, identity.proofs_of(scope))
        found = await self._run(self._find, visit, board, False)
        if found.board is None:
            return answers.problem(404, "NotFound", "there is no such board")
        state = found.board.state
        progress = runtimes.Progress(phase="ready")
        if waits := _starts(found):
            progress = await self._progress(board)
        document = {
            "state": "Starting" if waits else state.value,
            "phase": progress.phase,
            "percent": progress.percent,
            "files_read": progress.files_read,
            "files_total": progress.files_total,
        }
        return answers.json_reply(document)

    async def _progress(self, board: str) -> runtimes.Progress:
        try:
            return await asyncio.wait_for(self._runtime.progress(board), 2.0)
        except (OSError, asyncio.TimeoutError):
            return runtimes.Progress(phase="starting")

    # -- finding, in a thread

    def _find(self, visit: Visit, board: str, opens: bool) -> Found:
        who = self._identities.identity_of(visit.proofs)
        # programs that show previews of public links wake nothing
        opens = opens and (who.user is not None or clients.is_navigation(visit.scope))
        found = self._database.boards.find(board)
        if found is None:
            return Found(who)
        role = None if who.user is None else self._database.workspaces.role(found.workspace, who.user.id)
        thing = may.OneBoard(found, role)
        if not may.may(who, may.Action.BOARD_OPEN, thing):
            return Found(who)
        seen = Found(
            who,
            found,
            may_command=may.may(who, may.Action.BOARD_COMMAND, thing),
            may_read_log=may.may(who, may.Action.BOARD_LOGS, thing),
        )
        return self._woken(seen, found) if opens and found.desired is nouns.Desired.STOP else seen

    def _woken(self, found: Found, board: life.Board) -> Found:
        now = self._clock()
        actor = found.identity.user.id if found.identity.user is not None else found.identity.name
        limits = self._database.settings.limits(board.owner, board.workspace)
        after = self._database.boards.change(board.id, lambda each: commands.opened(each, now, actor), limits=limits)
        if isinstance(after, life.LimitExceeded):
            return dataclasses.replace(found, exceeded=after, stoppable=self._stoppable(found.identity, after))
        return dataclasses.replace(found, board=after)

    def _stoppable(self, who: may.Identity, exceeded: life.LimitExceeded) -> tuple[tuple[str, str], ...]:
        return tuple((each.id, each.name) for each in exceeded.boards if self._may_stop(who, each))

    def _may_stop(self, who: may.Identity, active: quota.Active) -> bool:
        board = self._database.boards.find(active.id)
        if board is None or who.user is None:
            return False
        role = self._database.workspaces.role(board.workspace, who.user.id)
        return may.may(who, may.Action.BOARD_COMMAND, may.OneBoard(board, role))

    # -- waiting

    async def _held(self, visit: Visit, board: str) -> Found:
        """Waits until the board answers, or for HOLD_SECS."""
        ends = time.monotonic() + HOLD_SECS
        async with self._waits.waiting(board) as changed:
            while True:
                changed.clear()
                found = await self._run(self._find, visit, board, False)
                left = ends - time.monotonic()
                if not _starts(found) or left <= 0:
                    return found
                with contextlib.suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(changed.wait(), left)

    async def _run(self, call: Callable[..., Found], *arguments: Any) -> Found:
        return await asyncio.get_running_loop().run_in_executor(self._threads, call, *arguments)


def _only_looking() -> door.Reply:
    return answers.problem(403, "Forbidden", "you may only look at this board", hint="ask its owner to change it")


def _starts(found: Found) -> bool:
    """Whether the board will answer without anybody doing something."""
    board = found.board
    if board is None or found.exceeded is not None or board.desired is not nouns.Desired.RUN:
        return False
    return board.state in (State.PENDING, State.STARTING, State.STOPPING)


def _instead(visit: Visit, found: Found) -> door.Reply:
    """An answer about a board that cannot be forwarded to."""
    scope, board = visit.scope, found.board
    if board is None:
        return _unseen(scope, found.identity)
    if not clients.is_navigation(scope):
        return _as_problem(found, board)
    language = clients.language(scope)
    if found.exceeded is not None:
        page = pages.limit(
            language, board.name, limit=found.exceeded.limit, used=found.exceeded.used, boards=found.stoppable
        )
    elif _starts(found):
        page = pages.waking(language, board.name)
    elif board.state is State.FAILED:
        message = board.message if found.may_read_log else ""
        page = pages.failed(
            language, board.id, board.name, reason=board.reason, message=message, may_start=found.may_command
        )
    else:
        by_admin = board.stop_reason is nouns.StopReason.ADMIN
        page = pages.stopped(language, board.id, board.name, by_admin=by_admin, may_start=found.may_command)
    return _with_page_headers(page)


def _unseen(scope: Any, who: may.Identity) -> door.Reply:
    """The same answer for a board that does not exist and for one that the client may not see."""
    wants_page = clients.is_navigation(scope)
    if who.user is None:
        if not wants_page or clients.header(scope, b"authorization"):
            return answers.problem(
                401,
                "Unauthenticated",
                "sign in first",
                hint="send `Authorization: Bearer TOKEN`",
                headers=[(b"www-authenticate", b'Bearer realm="lightboard"')],
            )
        return answers.redirect(sign_in_address(scope))
    if wants_page:
        return _with_page_headers(pages.missing(clients.language(scope)))
    return answers.problem(404, "NotFound", "there is no such board")


def sign_in_address(scope: Any) -> str:
    """`next` is the address of this request: it begins with `/boards/`, so it cannot lead to another host. The view of
    the board, after `#`, is not sent to servers: browsers keep it in a redirect to an address without one."""
    address = scope["raw_path"] + (b"?" + scope["query_string"] if scope["query_string"] else b"")
    return f"{pages.SIGN_IN}?next={urllib.parse.quote(address, safe='')}"


def _as_problem(found: Found, board: life.Board) -> door.Reply:
    if found.exceeded is not None:
        exceeded = found.exceeded
        boards = [
            {"id": each.id, "name": each.name, "state": each.state.value, "last_activity": _iso(each.last_activity)}
            for each in exceeded.boards
            if (each.id, each.name) in found.stoppable
        ]
        return answers.problem(
            403,
            "TensorboardLimitExceeded",
            f"{exceeded.used} of {exceeded.limit} boards are active",
            hint="stop or delete one of them, then try again",
            limit=exceeded.limit,
            used=exceeded.used,
            scope=exceeded.scope,
            boards=boards,
        )
    starts = _starts(found)
    return answers.problem(
        503,
        "BoardNotRunning",
        f"the board is {'starting' if starts else board.state.value.lower()}",
        hint="try again in a second" if starts else "start it",
        headers=RETRY if starts else None,
        state=board.state.value,
        reason=board.reason,
    )


def _iso(seconds: float) -> str:
    told = dt.datetime.fromtimestamp(seconds, dt.timezone.utc)
    return told.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _with_page_headers(reply: door.Reply) -> door.Reply:
    return dataclasses.replace(reply, headers=(*reply.headers, *answers.PAGE_HEADERS))
