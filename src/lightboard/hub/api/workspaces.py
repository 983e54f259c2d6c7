"""Workspaces: a shared space for boards, members and secrets; everybody also has a personal one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from lightboard.hub import life
from lightboard.hub.api import problems, routes, shapes, things, values
from lightboard.hub.api.routes import Asked, Reply, Route, Services
from lightboard.hub.db import lists
from lightboard.hub.life import accounts, names, policy
from lightboard.hub.people import may
from lightboard.hub.people.may import Action

MOST_OWNED = 100  # workspaces of somebody who is no admin of the hub
MOST_LISTED = 100
MOST_ROWS = 1000
_ACTIONS = (
    ("read", Action.WORKSPACE_READ),
    ("edit", Action.WORKSPACE_EDIT),
    ("delete", Action.WORKSPACE_DELETE),
    ("members", Action.MEMBERS_EDIT),
    ("owners", Action.OWNERS_EDIT),
    ("secrets_read", Action.SECRETS_READ),
    ("secrets", Action.SECRETS_EDIT),
    ("create_board", Action.BOARD_CREATE),
)


class WorkspacesQuery(routes.Struct, frozen=True, kw_only=True):
    mine: bool = False  # only those of which the client is a member; admins of the hub see all
    q: str = ""  # words that all occur in id or name
    limit: int = MOST_ROWS
    page_token: str = ""


class NewWorkspace(routes.Struct, frozen=True, kw_only=True):
    id: str = ""  # a DNS label; default: made from the name
    name: str = ""
    description: str = ""


class ChangeWorkspace(values.SomePolicy, frozen=True, kw_only=True):
    name: values.MaybeText = values.UNSET
    description: values.MaybeText = values.UNSET
    boards_limit: values.MaybeLimit = values.UNSET  # for admins of the hub


class Workspace(routes.Answer, frozen=True, kw_only=True):
    id: str
    name: str
    description: str
    personal: bool
    role: accounts.Role | None  # of the client; null: an admin of the hub who is no member
    members: int
    boards: int
    created: str


class WorkspaceDetail(Workspace, frozen=True, kw_only=True):
    idle_after: float | None  # seconds; 0: never, null: that of the hub
    reclaim_after: float | None
    max_runtime: float | None
    effective: values.Policy
    boards_limit: values.Limit
    boards_active: int
    may: list[str]  # what the client may do here


class Workspaces(routes.Answer, frozen=True, kw_only=True):
    items: list[Workspace]
    next_page_token: str = ""


def to_create(services: Services, identity: may.Identity, path: Mapping[str, str], body: Any) -> may.Thing:
    return may.Hub(self_service=services.self_service)


def show_all(asked: Asked[WorkspacesQuery, None]) -> Workspaces:
    """By id; a page begins after the last id of the one before."""
    database, query, user = asked.services.database, asked.query, asked.user
    everything = user.admin and not query.mine
    roles, words = database.workspaces.roles(user.id), query.q.casefold().split()[:10]
    found = [
        each
        for each in database.workspaces.all("" if everything else user.id)
        if each.id > query.page_token
        and all(word in f"{each.id}\n{each.name}".casefold() for word in words)
        and may.may(asked.identity, Action.WORKSPACE_READ, may.InWorkspace(each.id, roles.get(each.id)))
    ]
    shown = found[: max(1, min(query.limit, MOST_ROWS))]
    sizes = database.workspaces.sizes()
    return Workspaces(
        items=[Workspace(**_members(each, roles.get(each.id), sizes)) for each in shown],
        next_page_token=shown[-1].id if len(shown) < len(found) else "",
    )


def show(asked: Asked[None, None]) -> WorkspaceDetail:
    return _detail(asked, _found(asked))


def _found(asked: Asked[Any, Any]) -> accounts.Workspace:
    found = asked.services.database.workspaces.get(asked.workspace)
    if found is None:
        raise problems.not_found(asked.workspace)
    return found


def _members(
    workspace: accounts.Workspace, role: accounts.Role | None, sizes: Mapping[str, tuple[int, int]]
) -> dict[str, Any]:
    members, boards = sizes.get(workspace.id, (0, 0))
    return {
        "id": workspace.id,
        "name": workspace.name,
        "description": workspace.description,
        "personal": bool(workspace.personal_of),
        "role": role,
        "members": members,
        "boards": boards,
        "created": shapes.time(workspace.created),
    }


def _detail(asked: Asked[Any, Any], workspace: accounts.Workspace) -> WorkspaceDetail:
    database = asked.services.database
    role = database.workspaces.role(workspace.id, asked.user.id)
    policies = database.settings.policies()
    own = policies.workspaces.get(workspace.id, life.Policy())
    thing = may.InWorkspace(workspace.id, role)
    return WorkspaceDetail(
        **_members(workspace, role, database.workspaces.sizes()),
        **msgspec.structs.asdict(values.policy_shown(own)),
        effective=values.effective(own, policies.hub),
        boards_limit=values.limit_of(asked.services, f"workspace:{workspace.id}"),
        boards_active=database.lists.count(lists.Query(states=tuple(life.ACTIVE), workspace=workspace.id)),
        may=[name for name, action in _ACTIONS if may.may(asked.identity, action, thing)],
    )


def create(asked: Asked[None, NewWorkspace]) -> Reply:
    services, body = asked.services, asked.body
    chosen = names.checked_slug(body.id or _slug_of(body.name))
    name = names.checked_name(body.name) if body.name.strip() else chosen
    if not asked.is_admin:
        _check_number(asked)
    workspace = accounts.Workspace(chosen, name, asked.now, values.checked_description(body.description))
    if not services.database.workspaces.add(workspace, asked.user.id):
        raise problems.Problem(409, "NameConflict", f"there is a workspace {chosen}", hint="choose another id")
    headers = (("Location", f"{asked.base_url}/api/v1/workspaces/{chosen}"),)
    return Reply(value=_detail(asked, workspace), status=201, headers=headers, note=routes.Note(thing=chosen))


def _slug_of(name: str) -> str:
    """Empty if no letter of the name can be part of an id."""
    return names.slug_of(name) if any(each.isascii() and each.isalnum() for each in name) else ""


def _check_number(asked: Asked[Any, Any]) -> None:
    roles = asked.services.database.workspaces.roles(asked.user.id)
    if sum(role is accounts.Role.OWNER for role in roles.values()) >= MOST_OWNED:
        raise problems.Problem(409, "Conflict", f"you own {MOST_OWNED} workspaces", hint="delete one of them")


def change(asked: Asked[None, ChangeWorkspace]) -> Reply:
    """Admins of the workspace choose within the hub's bounds; admins of the hub choose anything, and limits."""
    body, database, scope = asked.body, asked.services.database, f"workspace:{asked.workspace}"
    limited = not isinstance(body.boards_limit, msgspec.UnsetType)
    if limited and not asked.is_admin:
        raise problems.Problem(403, "Forbidden", "only admins of the hub set limits", hint="ask one of them")
    members = _texts(body)
    before = database.settings.policies().workspaces.get(asked.workspace, life.Policy())
    after = values.policy_changed(before, body)
    if not asked.is_admin:
        policy.check(values.only_changed(before, after), database.settings.bounds())
    if not isinstance(body.boards_limit, msgspec.UnsetType):
        values.put_limit(asked.services, scope, body.boards_limit)
    if members:
        database.workspaces.change(asked.workspace, **members)
    if after != before:
        database.settings.put_policy(scope, after)
    changed = [name for name in body.__struct_fields__ if getattr(body, name) is not values.UNSET]
    return Reply(value=_detail(asked, _found(asked)), note=routes.Note(detail={"changed": changed}))


def _texts(body: ChangeWorkspace) -> dict[str, str]:
    members = {}
    if isinstance(body.name, str):
        members["name"] = names.checked_name(body.name)
    if isinstance(body.description, str):
        members["description"] = values.checked_description(body.description)
    return members


def remove(asked: Asked[None, None]) -> None:
    workspace = _found(asked)
    if workspace.personal_of:
        raise problems.Problem(409, "Conflict", "a personal workspace stays as long as its account")
    page = asked.services.database.lists.page(lists.Query(workspace=workspace.id), MOST_LISTED)
    if page.boards:
        boards = [{"id": each.id, "name": each.name, "state": each.state.value} for each in page.boards]
        raise problems.Problem(
            409, "Conflict", "the workspace has boards", hint="delete them, then the workspace", boards=boards
        )
    asked.services.database.workspaces.remove(workspace.id)


ROUTES = (
    Route("GET", "/workspaces", show_all, Action.WORKSPACE_LIST, query=WorkspacesQuery, answer=Workspaces,
          about="Lists the workspaces that the client may see."),
    Route("POST", "/workspaces", create, Action.WORKSPACE_CREATE, thing=to_create, body=NewWorkspace,
          answer=WorkspaceDetail, status=201, audit="workspace.create",
          about="Creates a workspace, owned by the user."),
    Route("GET", "/workspaces/{workspace}", show, Action.WORKSPACE_READ, thing=things.workspace,
          answer=WorkspaceDetail,
          about="Shows a workspace."),
    Route("PATCH", "/workspaces/{workspace}", change, Action.WORKSPACE_EDIT, thing=things.workspace,
          body=ChangeWorkspace, answer=WorkspaceDetail, audit="workspace.edit",
          about="Changes a workspace."),
    Route("DELETE", "/workspaces/{workspace}", remove, Action.WORKSPACE_DELETE, thing=things.workspace,
          audit="workspace.delete", about="Deletes a workspace without boards."),
)  # fmt: skip
