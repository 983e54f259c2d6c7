"""Server-sent events: boards and jobs that changed, as the client sees them.

    event: resync     {}          read the list (again): the first event, and after something was missed
    event: board      Board       created or changed
    event: removed    {"id"}      deleted, or no longer visible to the client
    event: job        Job         registered or changed, without environment and changes of the code
    event: job_removed {"id"}     deleted

Who the client is and what it may is checked again every `CHECK_SECS`; the stream ends if it is nobody any more.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from lightboard import errors
from lightboard.hub import life
from lightboard.hub.api import definitions, job_shapes, news, problems, shapes
from lightboard.hub.api.routes import Asked, Route, Struct
from lightboard.hub.db import lists
from lightboard.hub.life import jobs
from lightboard.hub.people.may import Action

# A comment keeps connections open through proxies that close silent ones after 30 or 60 seconds.
CHECK_SECS = 15.0
# A client that reads nothing for so long is gone.
SEND_SECS = 60.0
STREAMS_PER_USER = 32
MOST_STREAMS = 2000
_ENCODER = msgspec.json.Encoder()


class ChangesQuery(Struct, frozen=True, kw_only=True):
    workspace: definitions.Text = ""


async def stream(asked: Asked[ChangesQuery, None], send: Any) -> None:
    if asked.news.streams_of(asked.user.id) >= STREAMS_PER_USER or asked.news.streams >= MOST_STREAMS:
        raise problems.Problem(429, "RateLimited", "too many event streams are open", hint="close other pages")
    async with asked.news.streaming(asked.user.id) as changes:
        view = await asked.run(_view, asked)
        await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
        write = _writer(send)
        with contextlib.suppress(asyncio.TimeoutError, errors.LightboardError):
            await write(b"retry: 2000\n" + _event("resync", {}))
            await _follow(asked, changes, view, write)
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(send({"type": "http.response.body", "body": b"", "more_body": False}), SEND_SECS)


_HEADERS = [
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
    (b"x-content-type-options", b"nosniff"),
]


def _writer(send: Any) -> Callable[[bytes], Any]:
    async def write(data: bytes) -> None:
        await asyncio.wait_for(send({"type": "http.response.body", "body": data, "more_body": True}), SEND_SECS)

    return write


async def _follow(
    asked: Asked[ChangesQuery, None], changes: news.Stream, view: shapes.View, write: Callable[[bytes], Any]
) -> None:
    loop = asyncio.get_running_loop()
    check_at = loop.time() + CHECK_SECS
    while not changes.ended:
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(changes.changed.wait(), max(0.0, check_at - loop.time()))
        if loop.time() >= check_at:
            check_at = loop.time() + CHECK_SECS
            before, view = view, await _checked(asked)
            differs = (before.identity, before.roles) != (view.identity, view.roles)
            await write(_event("resync", {}) if differs else b":\n\n")
        lags, bulletins = changes.lags, changes.take()
        if lags:
            await write(_event("resync", {}))
        for bulletin in bulletins:
            roles = bulletin.roles[changes.user]
            if roles != view.roles:  # boards appear or vanish that did not change themselves
                await write(_event("resync", {}))
            view = _renewed(view, bulletin, roles)
            if data := b"".join((*_told(view, bulletin, asked.query.workspace), *_told_jobs(asked, view, bulletin))):
                await write(data)


async def _checked(asked: Asked[ChangesQuery, None]) -> shapes.View:
    """Raises if the client is nobody any more."""
    return await asked.run(_view, await asked.again())  # type: ignore[no-any-return] # `run` is not generic


def _view(asked: Asked[ChangesQuery, None]) -> shapes.View:
    return shapes.view(asked, ())


def _renewed(view: shapes.View, bulletin: news.Bulletin, roles: news.Roles) -> shapes.View:
    return shapes.View(
        identity=view.identity,
        roles=roles,
        policies=bulletin.policies,
        names=bulletin.names,
        base_url=view.base_url,
        places=view.places,
    )


def _told(view: shapes.View, bulletin: news.Bulletin, workspace: str) -> Iterator[bytes]:
    for name, board in bulletin.boards.items():
        before = bulletin.before.get(name)
        if workspace and workspace != (board.workspace if board is not None else before and before.workspace):
            continue
        if board is not None and view.sees(board):
            yield _event("board", view.board(board))
        elif before is not None and view.sees(_outlined(name, before)):
            yield _event("removed", {"id": name})


def _told_jobs(asked: Asked[ChangesQuery, None], view: shapes.View, bulletin: news.Bulletin) -> Iterator[bytes]:
    seen = job_shapes.View(view.identity, view.roles, bulletin.names, bulletin.job_boards, view.base_url, asked.now)
    for (workspace, name), job in bulletin.jobs.items():
        if asked.query.workspace and asked.query.workspace != workspace:
            continue
        if job is not None and seen.sees(job):
            yield _event("job", seen.job(job))
        elif job is None and seen.sees(jobs.Job(id=name, name="", workspace=workspace, user="", created=0.0)):
            yield _event("job_removed", {"id": name})


def _outlined(name: str, outline: lists.Outline) -> life.Board:
    """As much of a board as decides who sees it."""
    return life.Board(
        id=name,
        name="",
        workspace=outline.workspace,
        owner=outline.owner,
        sources=(),
        created=0.0,
        visibility=life.Visibility(outline.visibility),
    )


def _event(kind: str, value: Any) -> bytes:
    return b"event: %s\ndata: %s\n\n" % (kind.encode(), _ENCODER.encode(value))


ROUTES = (
    Route("GET", "/changes", stream, Action.BOARD_LIST, query=ChangesQuery, answer=str, streams=True,
          media_type="text/event-stream", about="Sends boards and jobs that change, as server-sent events."),
)  # fmt: skip
