"""Manifests of clusters, applied to the hub: `apply` creates or changes boards, and may be repeated.

Which board a manifest means: the one in its workspace whose id is `metadata.name`, or that was created from a manifest
with this name (`source_type` "manifest", `source_id` the name). A board that people created in another way, even with
the same name, is never taken: names need not be unique, and `delete` would delete it. `GET /boards/{id}/manifest`
writes the name that `apply` finds again, so its text applied once more changes nothing.

`suspend: true` stops a board, `false` starts it; without it a board that was stopped, or reclaimed, stays as it is.
All documents are checked before the first is applied.
"""

from __future__ import annotations

import dataclasses
from typing import Annotated, Any, Literal

import msgspec

from lightboard import errors
from lightboard.hub import life
from lightboard.hub.api import boards, definitions, problems, shapes, things, yaml_documents
from lightboard.hub.api.routes import Answer, Asked, NoQuery, Reply, Route, Struct
from lightboard.hub.db import lists
from lightboard.hub.life import accounts, commands, durations, names
from lightboard.hub.life import manifests as kinds
from lightboard.hub.people import may
from lightboard.hub.people.may import Action

FROM_MANIFEST = "manifest"
MOST_DOCUMENTS = 100
LONGEST_NAME = 200


class ApplyManifests(Struct, frozen=True, kw_only=True):
    text: Annotated[str, msgspec.Meta(max_length=yaml_documents.MOST_CHARACTERS)]
    workspace: definitions.Text = ""  # of manifests that name none; by default the user's own
    prune: bool = False  # delete the user's boards from manifests of these workspaces that the text does not have
    confirm_public: bool = False  # needed if a board becomes public


class AppliedManifest(Answer, frozen=True, kw_only=True):
    name: str
    board: shapes.Board | None  # null: `problem` says why
    result: Literal["created", "changed", "unchanged", "deleted", "failed"]
    ignored: tuple[str, ...]  # fields that mean nothing outside a cluster
    problem: dict[str, Any] | None


class AppliedManifests(Answer, frozen=True, kw_only=True):
    items: list[AppliedManifest]


class DeleteManifests(Struct, frozen=True, kw_only=True):
    text: Annotated[str, msgspec.Meta(max_length=yaml_documents.MOST_CHARACTERS)]
    workspace: definitions.Text = ""


class DeletedManifest(Answer, frozen=True, kw_only=True):
    name: str
    result: Literal["deleted", "absent"]


class DeletedManifests(Answer, frozen=True, kw_only=True):
    items: list[DeletedManifest]


@dataclasses.dataclass(frozen=True)
class _Plan:
    """A document with its workspace and the board that it means."""

    wanted: kinds.Definition
    workspace: str
    role: accounts.Role | None
    board: life.Board | None


# -- one board as a manifest


def show(asked: Asked[NoQuery, None]) -> Reply:
    text = yaml_documents.write(document(asked.board))
    return Reply(value=text.encode(), media_type="application/yaml; charset=utf-8")


def document(board: life.Board) -> dict[str, Any]:
    metadata: dict[str, Any] = {"name": _name(board), "namespace": board.workspace}
    if board.labels:
        metadata["labels"] = dict(board.labels)
    spec: dict[str, Any] = {"displayName": board.name, "sources": [_source(each) for each in board.sources]}
    chosen = dataclasses.astuple(board.policy)
    for name, secs in zip(("idleAfter", "reclaimAfter", "maxRuntime"), chosen, strict=True):
        if secs is not None:
            spec[name] = durations.text(secs) if durations.parse(durations.text(secs)) == secs else secs
    if board.stop_reason in (life.StopReason.USER, life.StopReason.ADMIN):
        spec["suspend"] = True
    spec["access"] = {"visibility": board.visibility.value}
    return {"apiVersion": kinds.OURS, "kind": "Board", "metadata": metadata, "spec": spec}


def _name(board: life.Board) -> str:
    return board.source_id if board.source_type == FROM_MANIFEST else board.id


def _source(source: life.Source) -> dict[str, str]:
    written = {"uri": source.uri, "prefix": source.prefix, "secret": source.secret}
    return {name: value for name, value in written.items() if value}


# -- applying


def apply(asked: Asked[NoQuery, ApplyManifests]) -> AppliedManifests:
    plans = _plans(asked, asked.body.text, asked.body.workspace)
    for plan in plans:
        _check(asked, plan)
    items = [_applied(asked, plan, alone=len(plans) == 1) for plan in plans]
    if asked.body.prune:
        items += _pruned(asked, plans)
    return AppliedManifests(items=items)


def _plans(asked: Asked[Any, Any], text: str, default: str) -> list[_Plan]:
    wanted = kinds.definitions(yaml_documents.read(text))
    if len(wanted) > MOST_DOCUMENTS:
        raise kinds.BadManifest(f"the file has more than {MOST_DOCUMENTS} manifests", hint="split it")
    plans = [_plan(asked, each, default) for each in wanted]
    placed = [(each.workspace, each.wanted.name) for each in plans]
    twice = next((name for number, (_, name) in enumerate(placed) if placed[number] in placed[:number]), None)
    if twice is not None:
        raise kinds.BadManifest(f"two manifests are named `{twice}`", hint="give each board one manifest")
    return plans


def _plan(asked: Asked[Any, Any], wanted: kinds.Definition, default: str) -> _Plan:
    if len(wanted.name) > LONGEST_NAME:
        raise kinds.BadManifest(f"a name has more than {LONGEST_NAME} characters", hint="choose a shorter one")
    thing = things.in_workspace(asked.services, asked.identity, wanted.namespace or default)
    assert isinstance(thing, may.InWorkspace)
    if not may.sees(asked.identity, thing):
        raise problems.not_found(thing.workspace)
    found = _meant(asked, wanted.name, thing)
    return _Plan(wanted, thing.workspace, thing.role, found)


def _meant(asked: Asked[Any, Any], name: str, thing: may.InWorkspace) -> life.Board | None:
    """Only boards that the client may see; of several its own ones first."""
    stored = asked.services.database.boards
    by_id = stored.find(name)
    found = [by_id] if by_id is not None and by_id.workspace == thing.workspace else []
    found += stored.by_source(thing.workspace, FROM_MANIFEST, name)
    seen = [each for each in found if _is_there(asked, each, thing.role)]
    return min(seen, key=lambda each: each.owner != asked.user.id, default=None)


def _is_there(asked: Asked[Any, Any], board: life.Board, role: accounts.Role | None) -> bool:
    return board.state is not life.State.DELETING and may.sees(asked.identity, may.OneBoard(board, role))


def _check(asked: Asked[NoQuery, ApplyManifests], plan: _Plan) -> None:
    """Everything that could be refused, but for the quota."""
    wanted, board = plan.wanted, plan.board
    if board is None:
        thing: may.Thing = may.InWorkspace(plan.workspace, plan.role)
        things.permitted(asked.identity, Action.BOARD_CREATE, thing, plan.workspace)
    else:
        things.permitted(asked.identity, Action.BOARD_EDIT, may.OneBoard(board, plan.role), board.id)
    before = board.visibility if board is not None else life.Visibility.PRIVATE
    definitions.check_public(wanted.visibility, before, confirmed=asked.body.confirm_public)
    definitions.check_labels(wanted.labels)
    names.checked_name(_display_name(wanted))
    if board is None or wanted.sources != board.sources:
        definitions.check_sources(asked, plan.workspace, wanted.sources)
    if board is None or wanted.policy != board.policy:
        definitions.check_policy(asked, wanted.policy)


def _applied(asked: Asked[NoQuery, ApplyManifests], plan: _Plan, *, alone: bool) -> AppliedManifest:
    """A single manifest that fails is a problem of the whole request; of several each has its own."""
    try:
        board, result = _create(asked, plan) if plan.board is None else _change(asked, plan, plan.board)
    except errors.LightboardError as error:
        if alone:
            raise
        return _item(plan.wanted, None, "failed", problems.document(error))
    if result != "unchanged":
        _record(asked, board, "board.create" if result == "created" else "board.change")
    return _item(plan.wanted, shapes.board(asked, board), result)


def _item(
    wanted: kinds.Definition, board: shapes.Board | None, result: Any, problem: dict[str, Any] | None = None
) -> AppliedManifest:
    return AppliedManifest(name=wanted.name, board=board, result=result, ignored=wanted.ignored, problem=problem)


def _create(asked: Asked[NoQuery, ApplyManifests], plan: _Plan) -> tuple[life.Board, str]:
    wanted = plan.wanted
    board = life.Board(
        id=definitions.new_id(),
        workspace=plan.workspace,
        owner=asked.user.id,
        created=asked.now,
        source_type=FROM_MANIFEST,
        source_id=wanted.name,
        **_members(wanted),
    )
    change = commands.created(board, asked.user.id)
    limits = definitions.limits(asked.services, board)
    if wanted.suspended:
        change, limits = dataclasses.replace(change, board=_suspended(change.board)), life.Limits(None)

    def mine(each: life.Board) -> bool:
        return may.may(asked.identity, Action.BOARD_EDIT, may.OneBoard(each, plan.role))

    # two clients that apply the same file at once make one board
    made = asked.services.database.boards.ensure(change, limits, commands.Change, mine)
    if isinstance(made, life.LimitExceeded):
        raise definitions.limit_exceeded(asked, made)
    if made.again:
        return _change(asked, plan, made.board)
    return made.board, "created"


def _suspended(board: life.Board) -> life.Board:
    """It has never run, and uses no slot."""
    return dataclasses.replace(
        board,
        desired=life.Desired.STOP,
        stop_reason=life.StopReason.USER,
        state=life.State.STOPPED,
        reason=life.StopReason.USER.value,
        observed_generation=board.generation,
        look_again_at=None,
    )


def _change(asked: Asked[NoQuery, ApplyManifests], plan: _Plan, board: life.Board) -> tuple[life.Board, str]:
    before = board.generation
    board = boards.commanded(asked, board, definitions.redefine(asked, _members(plan.wanted)))
    if plan.wanted.suspended is True and board.desired is life.Desired.RUN:
        board = boards.commanded(asked, board, boards.stop_command(asked, board))
    elif plan.wanted.suspended is False and board.desired is life.Desired.STOP:
        board = boards.commanded(asked, board, boards.stored_command(commands.start, asked))
    return board, "unchanged" if board.generation == before else "changed"


def _members(wanted: kinds.Definition) -> dict[str, Any]:
    return {
        "name": names.checked_name(_display_name(wanted)),
        "sources": wanted.sources,
        "policy": wanted.policy,
        "visibility": wanted.visibility,
        "labels": dict(wanted.labels),
    }


def _display_name(wanted: kinds.Definition) -> str:
    return wanted.display_name or wanted.name


def _pruned(asked: Asked[NoQuery, ApplyManifests], plans: list[_Plan]) -> list[AppliedManifest]:
    """Own boards only: the manifests of others are in other files."""
    named = {(each.workspace, each.wanted.name) for each in plans}
    items = []
    for workspace in sorted({each.workspace for each in plans}):
        query = lists.Query(workspace=workspace, owner=asked.user.id, source_type=FROM_MANIFEST)
        role = asked.services.database.workspaces.role(workspace, asked.user.id)
        for board in asked.services.database.lists.page(query, lists.MOST_ROWS).boards:
            thing = may.OneBoard(board, role)
            if (workspace, board.source_id) in named or not may.may(asked.identity, Action.BOARD_DELETE, thing):
                continue
            gone = boards.commanded(asked, board, boards.stored_command(commands.delete, asked))
            _record(asked, board, "board.delete")
            item = AppliedManifest(
                name=board.source_id, board=shapes.board(asked, gone), result="deleted", ignored=(), problem=None
            )
            items.append(item)
    return items


def delete(asked: Asked[NoQuery, DeleteManifests]) -> DeletedManifests:
    plans = _plans(asked, asked.body.text, asked.body.workspace)
    for each in plans:
        if each.board is not None:
            thing = may.OneBoard(each.board, each.role)
            things.permitted(asked.identity, Action.BOARD_DELETE, thing, each.board.id)
    for each in plans:
        if each.board is not None:
            boards.commanded(asked, each.board, boards.stored_command(commands.delete, asked))
            _record(asked, each.board, "board.delete")
    return DeletedManifests(
        items=[
            DeletedManifest(name=each.wanted.name, result="absent" if each.board is None else "deleted")
            for each in plans
        ]
    )


def _record(asked: Asked[Any, Any], board: life.Board, action: str) -> None:
    entry = accounts.AuditEntry(
        time=asked.now,
        actor=asked.identity.name,
        action=action,
        thing=board.id,
        workspace=board.workspace,
        address=asked.address,
        detail={"manifest": _name(board)},
    )
    asked.services.database.journal.record(entry)


ROUTES = (
    Route("GET", "/boards/{board}/manifest", show, Action.BOARD_READ, thing=things.board, answer=dict[str, Any],
          media_type="application/yaml", about="Shows a board as a manifest that can be applied."),
    Route("POST", "/manifests:apply", apply, Action.BOARD_LIST, body=ApplyManifests, answer=AppliedManifests,
          about="Creates or changes the boards of a YAML file."),
    Route("POST", "/manifests:delete", delete, Action.BOARD_LIST, body=DeleteManifests, answer=DeletedManifests,
          about="Deletes the boards of a YAML file."),
)  # fmt: skip
