"""Boards: list, create, show, change, delete, start, stop, keep alive; events, logs, usage and progress.

Everything that changes a board is a command of `life.commands`, decided by the database in one transaction. Long waits
(`?wait=`, `:stop`) sleep until the board changes.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import Callable
from typing import Annotated, Any, Literal

import msgspec

from lightboard.hub import life
from lightboard.hub.api import definitions, problems, shapes, things
from lightboard.hub.api.definitions import BoardChanges, NewBoard
from lightboard.hub.api.routes import Answer, Asked, NoQuery, Reply, Route, Struct
from lightboard.hub.db import boards as stored
from lightboard.hub.db import lists
from lightboard.hub.life import accounts, commands, durations, refusals
from lightboard.hub.people import frames, identity, may, tokens
from lightboard.hub.people.may import Action

# `:stop` waits this long for the process to end, so that its slot is free for what comes next.
STOP_WAIT_SECS = 2.0
# A client that asks for a longer wait is answered after this one, and asks again.
LONGEST_WAIT_SECS = 300.0
_KEY = re.compile(r"[\x21-\x7e]{1,255}")
_ETAG = re.compile(r'(?:W/)?"?(\d{1,15})"?')


# -- lists


class ListQuery(Struct, frozen=True, kw_only=True):
    state: Annotated[str, msgspec.Meta(max_length=200)] = ""  # several: with commas
    owner: definitions.Text = ""
    workspace: definitions.Text = ""
    source_type: definitions.Text = ""
    source_id: definitions.Text = ""
    q: Annotated[str, msgspec.Meta(max_length=500)] = ""  # words that all occur in name, id, sources or labels
    sort: Annotated[str, msgspec.Meta(max_length=40)] = "-created"  # `-` before it: descending
    limit: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 50
    page_token: Annotated[str, msgspec.Meta(max_length=4000)] = ""


class BoardPage(Answer, frozen=True, kw_only=True):
    items: list[shapes.Board]
    next_page_token: str
    total: int


async def show_list(asked: Asked[ListQuery, None]) -> BoardPage:
    found, made = await asked.run(_listed, asked)
    asked.failing.look(found)
    return made  # type: ignore[no-any-return] # `run` is not generic


def _listed(asked: Asked[ListQuery, None]) -> tuple[tuple[life.Board, ...], BoardPage]:
    query = _list_query(asked)
    if query is None:
        return (), BoardPage(items=[], next_page_token="", total=0)
    rows = asked.services.database.lists
    page = rows.page(query, asked.query.limit, asked.query.page_token)
    alone = not page.next_page and not asked.query.page_token
    total = len(page.boards) if alone else rows.count(query)
    items = shapes.boards(asked, page.boards)
    return page.boards, BoardPage(items=items, next_page_token=page.next_page, total=total)


def _list_query(asked: Asked[ListQuery, None]) -> lists.Query | None:
    """None: nothing can match."""
    query, owner = asked.query, ""
    if query.owner:
        user = definitions.find_user(asked.services, query.owner)
        if user is None:
            return None
        owner = user.id
    return lists.Query(
        states=tuple(_state(each) for each in query.state.split(",") if each.strip()),
        owner=owner,
        workspace=query.workspace,
        source_type=query.source_type,
        source_id=query.source_id,
        text=query.q,
        visible=visible(asked),
        workspaces=may.workspaces_of(asked.identity),
        sort=query.sort.removeprefix("-"),
        descending=query.sort.startswith("-"),
    )


def visible(asked: Asked[Any, Any]) -> lists.Visible | None:
    if asked.user.admin:
        return None
    return lists.Visible(asked.user.id, asked.services.database.workspaces.roles(asked.user.id))


def _state(word: str) -> life.State:
    for state in life.State:
        if state.value.lower() == word.strip().lower():
            return state
    known = ", ".join(each.value for each in life.State)
    raise problems.Problem(400, "BadRequest", f"no state is called {word[:40]!r}", hint=f"there are: {known}")


# -- creating


def create(asked: Asked[NoQuery, NewBoard]) -> Reply:
    change = definitions.created(asked, asked.workspace)
    limits = definitions.limits(asked.services, change.board)
    made = asked.services.database.boards.create(change, limits, _key(asked))
    return _made(asked, made)


def ensure(asked: Asked[NoQuery, NewBoard]) -> Reply:
    """Create, or start the board that was created for the same thing. Boards that the client may not start do not
    exist here: their owners made them for themselves."""
    body = asked.body
    if not body.source_type or not body.source_id:
        hint = "name what the board is for, such as a training job"
        raise problems.Problem(400, "BadRequest", "`source_type` and `source_id` are needed", hint=hint)
    boards, role = asked.services.database.boards, _role(asked)

    def mine(board: life.Board) -> bool:
        return may.may(asked.identity, Action.BOARD_COMMAND, may.OneBoard(board, role))

    known = [each for each in boards.by_source(asked.workspace, body.source_type, body.source_id) if mine(each)]
    if known:
        started = commanded(asked, known[0], lambda each: commands.start(each, asked.now, asked.user.id))
        return _reply(asked, started, status=200)
    change = definitions.created(asked, asked.workspace)
    limits = definitions.limits(asked.services, change.board)
    made = boards.ensure(change, limits, lambda each: commands.start(each, asked.now, asked.user.id), mine)
    return _made(asked, made, again_status=200)


def _role(asked: Asked[Any, Any]) -> accounts.Role | None:
    assert isinstance(asked.thing, may.InWorkspace)
    return asked.thing.role


def _key(asked: Asked[NoQuery, NewBoard]) -> stored.Key | None:
    key = asked.headers.get("idempotency-key")
    if key is None:
        return None
    if not _KEY.fullmatch(key):
        message = "the Idempotency-Key has spaces or is longer than 255 characters"
        raise problems.Problem(400, "BadRequest", message, hint="use a new UUID for each board")
    return stored.Key(asked.user.id, key, hashlib.sha256(msgspec.json.encode(asked.body, order="sorted")).digest())


def _made(
    asked: Asked[Any, Any], made: stored.Created | life.LimitExceeded, *, again_status: int | None = None
) -> Reply:
    if isinstance(made, life.LimitExceeded):
        raise definitions.limit_exceeded(asked, made)
    answers = made.board.state in (life.State.RUNNING, life.State.IDLE)
    status = again_status if made.again and again_status is not None else 201 if answers else 202
    return _reply(asked, made.board, status=status)


def _reply(asked: Asked[Any, Any], board: life.Board, *, status: int = 200) -> Reply:
    headers = (("ETag", f'"{board.generation}"'), ("Location", f"/api/v1/boards/{board.id}"))
    return Reply(value=shapes.board(asked, board), status=status, headers=headers)


# -- one board


class WaitQuery(Struct, frozen=True, kw_only=True):
    wait: Annotated[float, msgspec.Meta(ge=0)] = 0.0  # seconds, at most LONGEST_WAIT_SECS; until the board is settled
    generation: Annotated[int, msgspec.Meta(ge=0, le=2**31)] | None = None  # to wait for; by default the newest


async def show(asked: Asked[WaitQuery, None]) -> Reply:
    if asked.query.wait:
        asked = await settled(asked, min(asked.query.wait, LONGEST_WAIT_SECS), asked.query.generation)
    await asked.failing.look_now(asked.board)
    return await asked.run(_reply, asked, asked.board)  # type: ignore[no-any-return] # `run` is not generic


async def settled(asked: Asked[Any, Any], secs: float, generation: int | None = None) -> Asked[Any, Any]:
    """The same request when its board is settled, or the time is over. Raises as at the first look: 404 if the board
    is gone, 401 if the session ended."""
    generation = asked.board.generation if generation is None else generation
    loop = asyncio.get_running_loop()
    until = loop.time() + secs
    async with asked.news.waiting(asked.board.id) as changed:
        while True:
            changed.clear()
            asked = await asked.again()
            left = until - loop.time()
            if commands.is_settled(asked.board, generation) or left <= 0 or asked.news.closed:
                return asked
            try:
                await asyncio.wait_for(changed.wait(), left)
            except asyncio.TimeoutError:
                return asked


def change(asked: Asked[NoQuery, BoardChanges]) -> Reply:
    members = definitions.changes(asked, asked.board)
    return _reply(asked, commanded(asked, asked.board, definitions.redefine(asked, members), _generation(asked)))


def _generation(asked: Asked[Any, Any]) -> int | None:
    written = asked.headers.get("if-match")
    if written is None or written.strip() == "*":
        return None
    match = _ETAG.fullmatch(written.strip())
    if match is None:
        hint = "send the `generation` that you read"
        raise problems.Problem(400, "BadRequest", "If-Match is not the generation of a board", hint=hint)
    return int(match[1])


def delete(asked: Asked[NoQuery, None]) -> Reply:
    if asked.board.state is life.State.DELETING:
        return _reply(asked, asked.board, status=202)
    command = stored_command(commands.delete, asked)
    return _reply(asked, commanded(asked, asked.board, command), status=202)


def start(asked: Asked[NoQuery, None]) -> Reply:
    return _reply(asked, commanded(asked, asked.board, stored_command(commands.start, asked)), status=202)


async def stop(asked: Asked[NoQuery, None]) -> Reply:
    stopped = await asked.run(commanded, asked, asked.board, stop_command(asked, asked.board))
    asked = await settled(asked, STOP_WAIT_SECS, stopped.generation)
    return await asked.run(lambda: _reply(asked, asked.board, status=202))  # type: ignore[no-any-return]


def stop_command(asked: Asked[Any, Any], board: life.Board) -> Callable[[life.Board], commands.Change]:
    """An admin who stops the board of somebody else stops it for good: opening the link does not start it."""
    others = board.owner != asked.user.id
    reason = life.StopReason.ADMIN if others and asked.is_admin else life.StopReason.USER
    return lambda each: commands.stop(each, asked.now, asked.user.id, reason)


def stored_command(
    command: Callable[[life.Board, float, str], commands.Change], asked: Asked[Any, Any]
) -> Callable[[life.Board], commands.Change]:
    return lambda board: command(board, asked.now, asked.user.id)


def commanded(
    asked: Asked[Any, Any],
    board: life.Board,
    command: Callable[[life.Board], commands.Change],
    generation: int | None = None,
) -> life.Board:
    """Runs a command within the limits of the board's owner. Raises problems, refusals, errors.NotFound."""
    limits = definitions.limits(asked.services, board)
    after = asked.services.database.boards.change(board.id, command, limits=limits, generation=generation)
    if isinstance(after, life.LimitExceeded):
        raise definitions.limit_exceeded(asked, after)
    return after


class KeepAlive(Struct, frozen=True, kw_only=True):
    for_: definitions.Duration = msgspec.field(default="8h", name="for")  # "never" ends it


def keep_alive(asked: Asked[NoQuery, KeepAlive]) -> Reply:
    until = asked.now + _kept_secs(asked)
    return _reply(
        asked,
        commanded(asked, asked.board, lambda each: commands.keep_alive(each, until, asked.now, asked.user.id)),
    )


def _kept_secs(asked: Asked[NoQuery, KeepAlive]) -> float:
    """As long as an unused board may run at most, unless an admin asks."""
    secs = durations.parse(asked.body.for_)
    longest = None if asked.is_admin else asked.services.database.settings.bounds().longest.reclaim_after_secs
    if longest and secs > longest:
        hint = f"choose at most {durations.text(longest)}, or ask an admin"
        raise refusals.BadDuration(f"{durations.text(secs)} is not allowed", hint=hint)
    return secs


class Frame(Answer, frozen=True, kw_only=True):
    url: str  # for a frame; works for five minutes, and the page that opened it for twelve hours
    frame_ancestors: list[str]  # pages that may show it, as in a Content-Security-Policy


def frame(asked: Asked[NoQuery, None]) -> Frame:
    """With a token only: sessions and signatures have no way into a frame of another site."""
    if asked.identity.via != "token":
        hint = "make one on your page of tokens, or with `lightboard login`"
        raise problems.Problem(400, "BadRequest", "a frame needs an API token", hint=hint)
    value = asked.headers["authorization"].partition(" ")[2].strip()
    tickets = frames.Frames(asked.services.vault)
    ticket = tickets.make(frames.LINK, asked.board.id, tokens.digest(value), asked.now)
    url = f"{asked.base_url}{identity.BOARDS}{asked.board.id}{frames.ADDRESS}?ticket={ticket}"
    return Frame(url=url, frame_ancestors=list(asked.services.frame_ancestors))


# -- what is known of a board


class BoardEvent(Answer, frozen=True, kw_only=True):
    time: str
    kind: str
    actor: str  # the name of a user, or "hub"
    reason: str
    message: str


class BoardEvents(Answer, frozen=True, kw_only=True):
    """Newest first."""

    items: list[BoardEvent]


def events(asked: Asked[NoQuery, None]) -> BoardEvents:
    found = asked.services.database.journal.events(asked.board.id)
    names = asked.services.database.people.names(each.actor for each in found)
    logs = may.may(asked.identity, Action.BOARD_LOGS, asked.thing)
    return BoardEvents(
        items=[
            BoardEvent(
                time=shapes.time(each.time),
                kind=each.kind,
                actor=names.get(each.actor, each.actor),
                reason=each.reason,
                message=each.message if logs else each.message.partition("\n")[0],
            )
            for each in found
        ]
    )


class LogsQuery(Struct, frozen=True, kw_only=True):
    lines: Annotated[int, msgspec.Meta(ge=1, le=2000)] = 200


class Logs(Answer, frozen=True, kw_only=True):
    lines: list[str]


async def logs(asked: Asked[LogsQuery, None]) -> Logs:
    return Logs(lines=await asked.services.runtime.logs(asked.board.id, lines=asked.query.lines))


class Usage(Answer, frozen=True, kw_only=True):
    """All 0 if the board has no process."""

    memory_bytes: int
    cpu_secs: float
    disk_bytes: int | None  # null: not known
    last_used_by: str | None  # "page", "request", or null


async def usage(asked: Asked[NoQuery, None]) -> Usage:
    found = await asked.services.runtime.usage(asked.board.id)
    used_by = None
    if asked.board.state in (life.State.RUNNING, life.State.IDLE):
        used_by = (await asked.services.runtime.poll(asked.board.id)).used_by or None
    return Usage(
        memory_bytes=found.memory_bytes,
        cpu_secs=found.cpu_secs,
        disk_bytes=None,
        last_used_by=None if used_by == "start" else used_by,
    )


class Place(Answer, frozen=True, kw_only=True):
    path: str
    problem: str  # "" if it can be read
    detail: str
    files: int


class Progress(Answer, frozen=True, kw_only=True):
    phase: Literal["absent", "starting", "listing", "reading", "ready"]
    percent: int
    message: str
    files_read: int
    files_total: int
    places: list[Place]


async def progress(asked: Asked[NoQuery, None]) -> Progress:
    found = await asked.services.runtime.progress(asked.board.id)
    written = [each.uri for each in asked.board.sources]
    paths = written if len(written) == len(found.places) else [each.path for each in found.places]
    return Progress(
        phase=found.phase,
        percent=found.percent,
        message=found.message,
        files_read=found.files_read,
        files_total=found.files_total,
        places=[
            Place(path=path, problem=each.problem, detail=each.detail, files=each.files)
            for path, each in zip(paths, found.places, strict=True)
        ],
    )


_ONE = "/boards/{board}"
ROUTES = (
    Route("GET", "/boards", show_list, Action.BOARD_LIST, query=ListQuery, answer=BoardPage,
          about="Lists boards that the client may see."),
    Route("POST", "/boards", create, Action.BOARD_CREATE, thing=things.workspace_of_body, body=NewBoard,
          answer=shapes.Board, status=202, statuses=(201,), audit="board.create",
          about="Creates a board, which starts at once."),
    Route("POST", "/boards:ensure", ensure, Action.BOARD_CREATE, thing=things.workspace_of_body, body=NewBoard,
          answer=shapes.Board, status=202, statuses=(200, 201), audit="board.ensure",
          about="Creates a board, or starts the one for the same source."),
    Route("GET", _ONE, show, Action.BOARD_READ, thing=things.board, query=WaitQuery, answer=shapes.Board,
          about="Shows a board, or waits until it is settled."),
    Route("PATCH", _ONE, change, Action.BOARD_EDIT, thing=things.board, body=BoardChanges, answer=shapes.Board,
          audit="board.change", about="Changes a board; new sources start it again."),
    Route("DELETE", _ONE, delete, Action.BOARD_DELETE, thing=things.board, answer=shapes.Board, status=202,
          audit="board.delete", about="Deletes a board. Its logs stay."),
    Route("POST", f"{_ONE}:start", start, Action.BOARD_COMMAND, thing=things.board, answer=shapes.Board, status=202,
          audit="board.start", about="Starts a board within the limits of its owner."),
    Route("POST", f"{_ONE}:stop", stop, Action.BOARD_COMMAND, thing=things.board, answer=shapes.Board, status=202,
          audit="board.stop", about="Stops a board, and waits up to 2 s for it."),
    Route("POST", f"{_ONE}:keepalive", keep_alive, Action.BOARD_COMMAND, thing=things.board, body=KeepAlive,
          answer=shapes.Board, audit="board.keepalive", about="Keeps a board from becoming idle for a while."),
    Route("POST", f"{_ONE}:frame", frame, Action.BOARD_OPEN, thing=things.board, answer=Frame,
          about="Makes a link that shows a board in a frame, as of a notebook. Needs an API token."),
    Route("GET", f"{_ONE}/events", events, Action.BOARD_READ, thing=things.board, answer=BoardEvents,
          about="Lists what happened to a board, newest first."),
    Route("GET", f"{_ONE}/logs", logs, Action.BOARD_LOGS, thing=things.board, query=LogsQuery, answer=Logs,
          about="Shows the last lines that the board's process wrote."),
    Route("GET", f"{_ONE}/usage", usage, Action.BOARD_READ, thing=things.board, answer=Usage,
          about="Shows memory and CPU time of a board."),
    Route("GET", f"{_ONE}/progress", progress, Action.BOARD_READ, thing=things.board, answer=Progress,
          about="Shows what a board has read of its sources."),
)  # fmt: skip
