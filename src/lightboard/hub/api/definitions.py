"""What clients write about boards, checked: names, sources, durations, visibility, owners.

Used by everything that creates or changes boards: `boards`, `batch`, `manifests`.
"""

from __future__ import annotations

import dataclasses
import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any

import msgspec

from lightboard.hub import life
from lightboard.hub.api import oss_secrets, problems
from lightboard.hub.api.routes import Asked, Services, Struct
from lightboard.hub.life import accounts, commands, durations, names, policy
from lightboard.hub.people import may

Text = Annotated[str, msgspec.Meta(max_length=200)]
Duration = int | float | Annotated[str, msgspec.Meta(max_length=40)]
MOST_LABELS, LONGEST_LABEL = 50, 200
_Label = Annotated[str, msgspec.Meta(max_length=LONGEST_LABEL)]
Labels = Annotated[dict[_Label, _Label], msgspec.Meta(max_length=MOST_LABELS)]
_DURATIONS = ("idle_after", "reclaim_after", "max_runtime")


class SourceBody(Struct, frozen=True, kw_only=True):
    uri: Annotated[str, msgspec.Meta(min_length=1, max_length=2000)]
    prefix: Text = ""
    secret: Text = ""


Sources = Annotated[tuple[SourceBody, ...], msgspec.Meta(max_length=50)]


class NewBoard(Struct, frozen=True, kw_only=True):
    """A board to create: with `uri` or `sources`."""

    name: Annotated[str, msgspec.Meta(max_length=1000)] = ""  # by default the last part of the first source
    uri: Annotated[str, msgspec.Meta(max_length=2000)] = ""
    sources: Sources = ()
    workspace: Text = ""  # by default the user's own
    visibility: life.Visibility = life.Visibility.PRIVATE
    confirm_public: bool = False  # needed for visibility "public"
    idle_after: Duration | None = None  # seconds, "1h", "never"; null: as the workspace
    reclaim_after: Duration | None = None
    max_runtime: Duration | None = None
    labels: Labels = msgspec.field(default_factory=dict)
    source_type: Text = ""
    source_id: Text = ""
    wake_on_open: bool = True
    find_secrets: bool = False  # for `oss://` without a secret: a claim or a secret of the workspace that fits


class BoardChanges(Struct, frozen=True, kw_only=True):
    """Members that are absent stay as they are."""

    name: Annotated[str, msgspec.Meta(max_length=1000)] | msgspec.UnsetType = msgspec.UNSET
    sources: Sources | msgspec.UnsetType = msgspec.UNSET
    visibility: life.Visibility | msgspec.UnsetType = msgspec.UNSET
    confirm_public: bool = False
    idle_after: Duration | msgspec.UnsetType | None = msgspec.UNSET  # null: as the workspace
    reclaim_after: Duration | msgspec.UnsetType | None = msgspec.UNSET
    max_runtime: Duration | msgspec.UnsetType | None = msgspec.UNSET
    labels: Labels | msgspec.UnsetType = msgspec.UNSET
    wake_on_open: bool | msgspec.UnsetType = msgspec.UNSET
    owner: Text | msgspec.UnsetType = msgspec.UNSET  # only admins of the hub


def created(asked: Asked[Any, NewBoard], workspace: str) -> commands.Change:
    """The new board of a body, checked. Raises refusals."""
    body = asked.body
    written = sources(body.sources, body.uri)
    if body.find_secrets:
        written = tuple(oss_secrets.found(asked.services, workspace, each) for each in written)
    check_sources(asked, workspace, written)
    chosen = policy_of({name: getattr(body, name) for name in _DURATIONS}, life.Policy())
    check_policy(asked, chosen)
    check_public(body.visibility, life.Visibility.PRIVATE, confirmed=body.confirm_public)
    board = life.Board(
        id=new_id(),
        name=names.checked_name(body.name or names.name_of_uri(written[0].uri)),
        workspace=workspace,
        owner=asked.user.id,
        sources=written,
        created=asked.now,
        policy=chosen,
        visibility=body.visibility,
        labels=dict(body.labels),
        source_type=body.source_type,
        source_id=body.source_id,
        wake_on_open=body.wake_on_open,
    )
    return commands.created(board, asked.user.id)


def changes(asked: Asked[Any, BoardChanges], board: life.Board) -> dict[str, Any]:
    """Members for `commands.redefine`, checked. Raises refusals."""
    body = asked.body
    given = {each: value for each in body.__struct_fields__ if (value := getattr(body, each)) is not msgspec.UNSET}
    members: dict[str, Any] = {name: given[name] for name in ("visibility", "labels", "wake_on_open") if name in given}
    if "name" in given:
        members["name"] = names.checked_name(given["name"])
    if "sources" in given:
        members["sources"] = sources(given["sources"])
        check_sources(asked, board.workspace, members["sources"])
    if chosen := {name: given[name] for name in _DURATIONS if name in given}:
        members["policy"] = policy_of(chosen, board.policy)
        check_policy(asked, policy_of(chosen, life.Policy()))
    if "visibility" in given:
        check_public(given["visibility"], board.visibility, confirmed=body.confirm_public)
    if "owner" in given:
        members["owner"] = new_owner(asked, board, given["owner"])
    return members


def redefine(asked: Asked[Any, Any], members: Mapping[str, Any]) -> Callable[[life.Board], commands.Change]:
    """A board that is active uses a slot of its owner, so it is stopped before it gets another owner."""

    def command(board: life.Board) -> commands.Change:
        moves = members.get("owner", board.owner) != board.owner
        if moves and board.state in life.ACTIVE:
            raise problems.Problem(409, "BoardActive", "the board is active", hint="stop it, then change its owner")
        return commands.redefine(board, asked.now, asked.user.id, **members)

    return command


# -- parts


def new_id() -> str:
    return names.new_id("b", secrets.token_bytes(names.ID_BYTES))


def sources(written: Sequence[SourceBody], uri: str = "") -> tuple[life.Source, ...]:
    if bool(written) == bool(uri):
        message = "`uri` and `sources` are both given" if uri else "no source is given"
        raise problems.Problem(400, "InvalidUri", message, hint="name where logs are: `uri`, or `sources`")
    if uri:
        return (life.Source(uri.strip()),)
    return tuple(life.Source(each.uri.strip(), each.prefix.strip(), each.secret.strip()) for each in written)


def check_sources(asked: Asked[Any, Any], workspace: str, written: Sequence[life.Source]) -> None:
    """Sources use secrets of the workspace: an owner of a board who is only a viewer now may not choose others."""
    role = asked.services.database.workspaces.role(workspace, asked.user.id)
    if not may.may(asked.identity, may.Action.BOARD_CREATE, may.InWorkspace(workspace, role)):
        hint = "ask an editor of the workspace"
        raise problems.Problem(403, "Forbidden", "you may not choose the sources of boards here", hint=hint)
    asked.services.sources.check(workspace, written, admin=asked.is_admin)


def policy_of(chosen: Mapping[str, Any], before: life.Policy) -> life.Policy:
    """With the durations that are given, and the others as before."""
    parsed = {f"{name}_secs": None if value is None else durations.parse(value) for name, value in chosen.items()}
    return dataclasses.replace(before, **parsed)


def check_policy(asked: Asked[Any, Any], chosen: life.Policy) -> None:
    if chosen != life.Policy() and not asked.is_admin:
        policy.check(chosen, asked.services.database.settings.bounds())


def check_public(after: life.Visibility, before: life.Visibility, *, confirmed: bool) -> None:
    public = life.Visibility.PUBLIC
    if after is public and before is not public and not confirmed:
        raise problems.Problem(
            422,
            "PublicNotConfirmed",
            "everyone who can open the hub could open this board",
            hint="add `confirm_public: true` if you want that",
        )


def check_labels(labels: Mapping[str, str]) -> None:
    """The bounds of `Labels`, for labels that come in another way."""
    if len(labels) > MOST_LABELS or any(len(each) > LONGEST_LABEL for pair in labels.items() for each in pair):
        hint = f"use at most {MOST_LABELS} labels of up to {LONGEST_LABEL} characters"
        raise problems.Problem(400, "BadRequest", "too many labels, or too long ones", hint=hint)


def new_owner(asked: Asked[Any, Any], board: life.Board, named: str) -> str:
    if not asked.is_admin:
        raise problems.Problem(403, "Forbidden", "only an admin of the hub changes the owner")
    user = find_user(asked.services, named)
    if user is None:
        raise problems.Problem(422, "UserNotFound", f"no user is named {named!r}", hint="write the name of a user")
    if asked.services.database.workspaces.role(board.workspace, user.id) is None:
        hint = "add the user to the workspace first"
        raise problems.Problem(422, "NotAMember", f"{user.name} is not a member of {board.workspace}", hint=hint)
    return user.id


def find_user(services: Services, named: str) -> accounts.User | None:
    """By name, or by id."""
    return services.database.people.user_named(named) or services.database.people.user(named)


def limits(services: Services, board: life.Board) -> life.Limits:
    return services.database.settings.limits(board.owner, board.workspace)


def limit_exceeded(asked: Asked[Any, Any], exceeded: life.LimitExceeded) -> problems.Problem:
    """Names only boards that the client may see."""
    from lightboard.hub.api import shapes

    roles = asked.services.database.workspaces.roles(asked.user.id)
    shown = [
        {"id": each.id, "name": each.name, "state": each.state, "last_activity": shapes.time(each.last_activity)}
        for each in exceeded.boards
        if may.sees(asked.identity, may.OneBoard(_outline(each), roles.get(each.workspace)))
    ]
    kind, _, name = exceeded.scope.partition(":")
    if kind == "account":
        named = asked.services.database.people.names([name]).get(name, name)
        exceeded = dataclasses.replace(exceeded, scope=f"account:{named}")
    return problems.limit_exceeded(exceeded, shown)


def _outline(active: Any) -> life.Board:
    return life.Board(
        id=active.id,
        name=active.name,
        workspace=active.workspace,
        owner=active.owner,
        sources=(),
        created=0.0,
        visibility=active.visibility,
        state=active.state,
    )
