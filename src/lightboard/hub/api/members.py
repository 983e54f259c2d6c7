"""Members of a workspace and their roles. Rights follow at once; the last owner stays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lightboard.hub.api import problems, routes, shapes, things, values
from lightboard.hub.api.routes import Asked, Reply, Route, Services
from lightboard.hub.life import accounts
from lightboard.hub.people import may
from lightboard.hub.people.may import Action


class NewRole(routes.Struct, frozen=True, kw_only=True):
    role: accounts.Role


class NewMember(routes.Struct, frozen=True, kw_only=True):
    user: str
    role: accounts.Role = accounts.Role.VIEWER


class Member(routes.Answer, frozen=True, kw_only=True):
    user: str
    display_name: str
    role: accounts.Role
    since: str


class Members(routes.Answer, frozen=True, kw_only=True):
    items: list[Member]
    next_page_token: str = ""


def one(services: Services, identity: may.Identity, path: Mapping[str, str], body: Any) -> may.Thing:
    """The workspace, and whom of it; who may not see the workspace learns nothing about people."""
    thing = things.workspace(services, identity, path, body)
    assert isinstance(thing, may.InWorkspace)
    if not may.sees(identity, thing):
        return thing
    return may.InWorkspace(thing.workspace, thing.role, values.find_user(services, path["user"]).id)


def show_all(asked: Asked[None, None]) -> Members:
    database = asked.services.database
    found = database.workspaces.members(asked.workspace)
    users = database.people.users_by_id([each.user for each in found])
    return Members(items=[_shown(each, users[each.user]) for each in found if each.user in users])


def _shown(member: accounts.Member, user: accounts.User) -> Member:
    return Member(user=user.name, display_name=user.display_name, role=member.role, since=shapes.time(member.since))


def add(asked: Asked[None, NewMember]) -> Reply:
    return _set(asked, values.find_user(asked.services, asked.body.user), asked.body.role, status=201)


def put(asked: Asked[None, NewRole]) -> Reply:
    return _set(asked, values.find_user(asked.services, asked.path["user"]), asked.body.role)


def _set(asked: Asked[Any, Any], user: accounts.User, role: accounts.Role, status: int = 200) -> Reply:
    if role is not accounts.Role.OWNER:
        _check_personal(asked, user)
    member = asked.services.database.workspaces.set_member(
        accounts.Member(asked.workspace, user.id, role, asked.now), owners=_may_change_owners(asked)
    )
    note = routes.Note(thing=f"{asked.workspace}/{user.name}", detail={"role": role.value})
    return Reply(value=_shown(member, user), status=status, note=note)


def remove(asked: Asked[None, None]) -> Reply:
    user = values.find_user(asked.services, asked.path["user"])
    _check_personal(asked, user)
    # an owner who leaves needs nobody else
    owners = _may_change_owners(asked) or user.id == asked.user.id
    if not asked.services.database.workspaces.remove_member(asked.workspace, user.id, owners=owners):
        raise problems.not_found(f"member {user.name}")
    return Reply(status=204, note=routes.Note(thing=f"{asked.workspace}/{user.name}"))


def _may_change_owners(asked: Asked[Any, Any]) -> bool:
    return may.may(asked.identity, Action.OWNERS_EDIT, asked.thing)


def _check_personal(asked: Asked[Any, Any], user: accounts.User) -> None:
    workspace = asked.services.database.workspaces.get(asked.workspace)
    if workspace is not None and workspace.personal_of == user.id:
        raise problems.Problem(409, "Conflict", f"this is the personal workspace of {user.name}, who stays its owner")


ROUTES = (
    Route("GET", "/workspaces/{workspace}/members", show_all, Action.WORKSPACE_READ, thing=things.workspace,
          answer=Members,
          about="Lists members with their roles."),
    Route("POST", "/workspaces/{workspace}/members", add, Action.MEMBERS_EDIT, thing=things.workspace, body=NewMember,
          answer=Member, status=201, audit="member.put", about="Adds a member, or changes the role of one."),
    Route("PUT", "/workspaces/{workspace}/members/{user}", put, Action.MEMBERS_EDIT, thing=one, body=NewRole,
          answer=Member, audit="member.put", about="Adds a member, or changes the role of one."),
    Route("DELETE", "/workspaces/{workspace}/members/{user}", remove, Action.MEMBERS_REMOVE, thing=one,
          audit="member.remove", about="Removes a member; everybody may leave."),
)  # fmt: skip
