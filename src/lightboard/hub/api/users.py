"""Accounts, for admins of the hub. A user is named by name or id."""

from __future__ import annotations

from typing import Any

import msgspec

from lightboard.hub.api import links, me, problems, routes, values
from lightboard.hub.api.routes import Asked, Reply, Route, Services
from lightboard.hub.life import accounts, names
from lightboard.hub.people import newcomers
from lightboard.hub.people.may import Action

MOST_ROWS = 1000


class UsersQuery(routes.Struct, frozen=True, kw_only=True):
    q: str = ""
    limit: int = 200
    page_token: str = ""


class NewUser(routes.Struct, frozen=True, kw_only=True):
    name: str
    password: str = ""  # without one, the answer has a link by which the user sets it
    display_name: str = ""
    admin: bool = False


class ChangeUser(routes.Struct, frozen=True, kw_only=True):
    display_name: values.MaybeText = values.UNSET
    admin: values.MaybeFlag = values.UNSET
    enabled: values.MaybeFlag = values.UNSET
    password: values.MaybeText = values.UNSET
    boards_limit: values.MaybeLimit = values.UNSET


class User(me.Person, frozen=True, kw_only=True):
    enabled: bool
    has_password: bool
    boards: int  # active ones
    boards_limit: values.Limit


class MadeUser(User, frozen=True, kw_only=True):
    link: str = ""  # if no password was given
    link_expires: str | None = None


class Users(routes.Answer, frozen=True, kw_only=True):
    items: list[User]
    next_page_token: str = ""


def show_all(asked: Asked[UsersQuery, None]) -> Users:
    limit = max(1, min(asked.query.limit, MOST_ROWS))
    people = asked.services.database.people
    found = people.users(after=asked.query.page_token, limit=limit + 1, text=asked.query.q)
    shown = found[:limit]
    token = shown[-1].name if len(found) > limit else ""
    return Users(items=_shown(asked.services, shown), next_page_token=token)


def show(asked: Asked[None, None]) -> User:
    return _one(asked.services, _user(asked))


def _user(asked: Asked[Any, Any]) -> accounts.User:
    return values.find_user(asked.services, asked.path["user"])


def _one(services: Services, user: accounts.User) -> User:
    return _shown(services, [user])[0]


def _shown(services: Services, users: list[accounts.User]) -> list[User]:
    active = services.database.lists.active_by_owner([each.id for each in users])
    limits = services.database.settings.own_limits("account", [each.id for each in users])
    return [
        User(
            **msgspec.structs.asdict(me.person(each)),
            enabled=each.enabled,
            has_password=bool(each.password_hash),
            boards=active.get(each.id, 0),
            boards_limit=limits.get(each.id, "default"),
        )
        for each in users
    ]


def create(asked: Asked[None, NewUser]) -> Reply:
    services, body = asked.services, asked.body
    name = names.checked_user(body.name)
    display_name = values.checked_display_name(body.display_name)
    password_hash = services.passwords.hash(body.password) if body.password else ""
    taken = services.database.people.user(name) is not None  # an id is accepted wherever a name is
    user = None if taken else newcomers.add(
        services.database, name, asked.now, display_name=display_name, password_hash=password_hash, admin=body.admin
    )  # fmt: skip
    if user is None:
        raise problems.Problem(409, "NameConflict", f"there is a user {name}", hint="choose another name")
    link = links.make(asked, user, links.NEW_SECS) if not password_hash else None
    made = MadeUser(
        **msgspec.structs.asdict(_one(services, user)),
        link=link.link if link is not None else "",
        link_expires=link.expires if link is not None else None,
    )
    return Reply(value=made, status=201, note=routes.Note(thing=user.name, detail={"admin": user.admin}))


def change(asked: Asked[None, ChangeUser]) -> Reply:
    """A new password, and disabling, sign the user out everywhere."""
    body, user = asked.body, _user(asked)
    members: dict[str, Any] = {}
    if isinstance(body.display_name, str):
        members["display_name"] = values.checked_display_name(body.display_name)
    members |= {name: value for name in ("admin", "enabled") if isinstance(value := getattr(body, name), bool)}
    if isinstance(body.password, str):
        members["password_hash"] = asked.services.passwords.hash(body.password)
    if not isinstance(body.boards_limit, msgspec.UnsetType):
        values.put_limit(asked.services, f"account:{user.id}", body.boards_limit)
    if members:
        ends = "password_hash" in members or members.get("enabled") is False
        user = asked.services.database.people.change_user(user.id, end_sessions=ends, **members)
    changed = [name for name in ChangeUser.__struct_fields__ if getattr(body, name) is not values.UNSET]
    return Reply(value=_one(asked.services, user), note=routes.Note(thing=user.name, detail={"changed": changed}))


def remove(asked: Asked[None, None]) -> Reply:
    user = _user(asked)
    if user.id == asked.user.id:
        raise problems.Problem(409, "Conflict", "you cannot delete your own account", hint="ask another admin")
    asked.services.database.people.remove_user(user.id)
    return Reply(status=204, note=routes.Note(thing=user.name))


def reset(asked: Asked[None, None]) -> Reply:
    user = _user(asked)
    return Reply(value=links.make(asked, user, links.RESET_SECS), note=routes.Note(thing=user.name))


ROUTES = (
    Route("GET", "/users", show_all, Action.HUB_ADMIN, query=UsersQuery, answer=Users, about="Lists accounts by name."),
    Route("POST", "/users", create, Action.HUB_ADMIN, body=NewUser, answer=MadeUser, status=201, audit="user.create",
          about="Creates an account with a workspace of its own."),
    Route("GET", "/users/{user}", show, Action.HUB_ADMIN, answer=User,
          about="Shows an account."),
    Route("PATCH", "/users/{user}", change, Action.HUB_ADMIN, body=ChangeUser, answer=User, audit="user.edit",
          about="Changes an account."),
    Route("DELETE", "/users/{user}", remove, Action.HUB_ADMIN, audit="user.delete",
          about="Deletes an account that owns no boards, with its own workspace."),
    Route("POST", "/users/{user}:reset", reset, Action.HUB_ADMIN, answer=links.Link, audit="user.reset",
          about="Makes a link by which the user sets a new password. An earlier link ends."),
)  # fmt: skip
