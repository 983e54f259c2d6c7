"""`/tensorboards`: boards, by the routes of PAI's DLC. Each handler translates, and calls that of the REST API."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Annotated, Any

import msgspec

from lightboard.hub import life
from lightboard.hub.api import boards, definitions, problems, shapes, shares, things
from lightboard.hub.api.pai import words
from lightboard.hub.api.pai.words import Told, Words
from lightboard.hub.api.routes import Asked, Note, Reply, Route, Services
from lightboard.hub.db import lists
from lightboard.hub.people import may
from lightboard.hub.people.may import Action

# A GET of a starting board is held so long: the SDK sleeps five seconds after each miss, and stops reading after ten.
HOLD_SECS = 4.0
LONGEST_SHARE_SECS = 7 * 86400
MOST_LISTED = 1000
_Minutes = Annotated[int, msgspec.Meta(ge=0, le=10_000_000)]


class DataSource(Words, frozen=True, kw_only=True):
    uri: str = ""
    summary_path: str = ""
    directory_name: str = ""  # stands before the names of runs


class NewTensorboard(Words, frozen=True, kw_only=True):
    display_name: str = ""
    uri: str = ""
    summary_relative_path: str = ""
    tensorboard_data_sources: list[DataSource] = msgspec.field(default_factory=list)
    workspace_id: str = ""
    source_id: str = ""
    source_type: str = ""
    job_id: str = ""
    accessibility: str = "PRIVATE"
    max_running_time_minutes: _Minutes | None = None


class InWorkspace(Words, frozen=True, kw_only=True):
    workspace_id: str = ""


class Changes(Words, frozen=True, kw_only=True):
    workspace_id: str = ""
    accessibility: str = ""
    max_running_time_minutes: _Minutes | None = None


class ListQuery(Words, frozen=True, kw_only=True):
    page_number: Annotated[int, msgspec.Meta(ge=1)] = 1
    page_size: Annotated[int, msgspec.Meta(ge=1, le=MOST_LISTED)] = 50
    workspace_id: str = ""
    source_id: str = ""
    source_type: str = ""
    job_id: str = ""
    display_name: str = ""
    status: str = ""
    tensorboard_id: str = ""
    username: str = ""
    show_own: bool | str = False
    order: str = "desc"
    sort_by: str = ""


class ShareQuery(Words, frozen=True, kw_only=True):
    workspace_id: str = ""
    expire_time_seconds: Annotated[int, msgspec.Meta(ge=1, le=LONGEST_SHARE_SECS)] = LONGEST_SHARE_SECS


class Named(Told, frozen=True, kw_only=True):
    tensorboard_id: str


class Tensorboards(Told, frozen=True, kw_only=True):
    tensorboards: list[words.Tensorboard]
    total_count: int


class Shared(Told, frozen=True, kw_only=True):
    tensorboard_shared_url: str


def of_workspace(services: Services, identity: may.Identity, path: Mapping[str, str], named: Any) -> may.Thing:
    return things.in_workspace(services, identity, named.workspace_id)


# -- creating


def create(asked: Asked[Any, Any]) -> Reply:
    body: NewTensorboard = asked.body
    job = {"source_type": "TrainingJob", "source_id": body.job_id} if body.job_id else {}
    source = {"source_type": body.source_type, "source_id": body.source_id} if body.source_id else job
    new = msgspec.convert(
        {
            "name": body.display_name,
            "sources": [msgspec.to_builtins(each) for each in _sources(asked)],
            "visibility": _visibility(body.accessibility),
            "max_runtime": _secs(body.max_running_time_minutes),
            **source,
        },
        definitions.NewBoard,
    )
    made = boards.create(dataclasses.replace(asked, body=new))
    return _named(made)


def _sources(asked: Asked[Any, NewTensorboard]) -> list[definitions.SourceBody]:
    body = asked.body
    if body.uri:
        return [words.source(asked, _joined(body.uri, body.summary_relative_path))]
    written = [each for each in body.tensorboard_data_sources if each.uri]
    if not written:
        hint = "write `Uri`, such as oss://bucket/path"
        raise problems.Problem(400, "InvalidUri", "no address of logs is given", hint=hint)
    return [words.source(asked, _joined(each.uri, each.summary_path), each.directory_name) for each in written]


def _joined(uri: str, below: str) -> str:
    return f"{uri.rstrip('/')}/{below.strip('/')}" if below.strip("/") else uri


def _visibility(written: str) -> life.Visibility:
    found = words.ACCESSIBILITIES.get((written or "PRIVATE").upper())
    if found is None:
        hint = "there are: " + ", ".join(words.ACCESSIBILITIES)
        raise problems.Problem(400, "BadRequest", f"unknown accessibility {written[:40]!r}", hint=hint)
    return found


def _secs(minutes: int | None) -> int | None:
    return minutes * 60 if minutes else None


def _named(reply: Reply) -> Reply:
    """PAI's clients need a body, and 200."""
    board: shapes.Board = reply.value
    return Reply(value=Named(tensorboard_id=board.id), note=Note(thing=board.id, detail={"via": "access key"}))


# -- one board


async def show(asked: Asked[InWorkspace, None]) -> words.Tensorboard:
    if _starts(asked.board):
        asked = await boards.settled(asked, HOLD_SECS)
    shown: shapes.Board = await asked.run(shapes.board, asked, asked.board)
    return words.tensorboard(shown)


def _starts(board: life.Board) -> bool:
    waits = board.state in (life.State.PENDING, life.State.STARTING, life.State.STOPPING)
    return waits and board.desired is life.Desired.RUN


def change(asked: Asked[Any, Any]) -> Reply:
    query: Changes = asked.query
    given: dict[str, Any] = {}
    if query.accessibility:
        given["visibility"] = _visibility(query.accessibility)
    if query.max_running_time_minutes is not None:
        given["max_runtime"] = query.max_running_time_minutes * 60
    return _named(boards.change(dataclasses.replace(asked, body=definitions.BoardChanges(**given))))


def start(asked: Asked[Any, None]) -> Reply:
    return _named(boards.start(asked))


async def stop(asked: Asked[Any, None]) -> Reply:
    return _named(await boards.stop(asked))


def delete(asked: Asked[Any, None]) -> Reply:
    return _named(boards.delete(asked))


def share(asked: Asked[Any, Any]) -> Reply:
    """A link is told once, so each call makes one."""
    body = shares.CreateShare(expires_in=asked.query.expire_time_seconds)
    made = shares.create(dataclasses.replace(asked, body=body))
    note = Note(thing=made.value.id, detail={"via": "access key"})
    return Reply(value=Shared(tensorboard_shared_url=made.value.url), note=note)


# -- lists


def show_list(asked: Asked[ListQuery, None]) -> Tensorboards:
    query = _list_query(asked)
    if query is None:
        return Tensorboards(tensorboards=[], total_count=0)
    found = _page(asked, query)
    shown = shapes.boards(asked, found)
    total = asked.services.database.lists.count(query)
    return Tensorboards(tensorboards=[words.tensorboard(each) for each in shown], total_count=total)


def _list_query(asked: Asked[ListQuery, None]) -> lists.Query | None:
    """None: nothing can match. A board that is being deleted is left out, unless it is asked for: the SDK would start
    the first board of a job."""
    query = asked.query
    states = words.states(query.status) if query.status else tuple(set(life.State) - {life.State.DELETING})
    username = asked.user.name if str(query.show_own).lower() == "true" else query.username
    owner = definitions.find_user(asked.services, username) if username else None
    if not states or (username and owner is None):
        return None
    return lists.Query(
        states=states,
        owner=owner.id if owner is not None else "",
        workspace=query.workspace_id,
        source_type=query.source_type or ("TrainingJob" if query.job_id else ""),
        source_id=query.source_id or query.job_id,
        text=f"{query.display_name} {query.tensorboard_id}".strip(),
        visible=boards.visible(asked),
        workspaces=may.workspaces_of(asked.identity),
        sort="name" if query.sort_by == "DisplayName" else "created",
        descending=query.order.lower() != "asc",
    )


def _page(asked: Asked[ListQuery, None], query: lists.Query) -> list[life.Board]:
    """PAI numbers its pages; ours begin after the last row of the one before, so those before it are read."""
    rows, size = asked.services.database.lists, asked.query.page_size
    token = ""
    for number in range(1, asked.query.page_number + 1):
        page = rows.page(query, size, token)
        if number == asked.query.page_number:
            return list(page.boards)
        token = page.next_page
        if not token:
            break
    return []


ROUTES = (
    Route("POST", "/tensorboards", create, Action.BOARD_CREATE, thing=of_workspace, body=NewTensorboard, answer=Named,
          audit="board.create", about="CreateTensorboard"),
    Route("GET", "/tensorboards", show_list, Action.BOARD_LIST, query=ListQuery, answer=Tensorboards,
          about="ListTensorboards"),
    Route("GET", "/tensorboards/{board}", show, Action.BOARD_READ, thing=things.board, query=InWorkspace,
          answer=words.Tensorboard, about="GetTensorboard"),
    Route("PUT", "/tensorboards/{board}", change, Action.BOARD_EDIT, thing=things.board, query=Changes, answer=Named,
          audit="board.change", about="UpdateTensorboard"),
    Route("DELETE", "/tensorboards/{board}", delete, Action.BOARD_DELETE, thing=things.board, query=InWorkspace,
          answer=Named, audit="board.delete", about="DeleteTensorboard"),
    Route("PUT", "/tensorboards/{board}/start", start, Action.BOARD_COMMAND, thing=things.board, query=InWorkspace,
          answer=Named, audit="board.start", about="StartTensorboard"),
    Route("PUT", "/tensorboards/{board}/stop", stop, Action.BOARD_COMMAND, thing=things.board, query=InWorkspace,
          answer=Named, audit="board.stop", about="StopTensorboard"),
    Route("GET", "/tensorboards/{board}/sharedurl", share, Action.BOARD_SHARE, thing=things.board, query=ShareQuery,
          answer=Shared, audit="share.create", about="GetTensorboardSharedUrl"),
)  # fmt: skip
