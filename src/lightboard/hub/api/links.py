"""One-time links: the first admin chooses name and password, others set a new password.

The value is in the address of the page after `#`, so that no server logs it.
"""

from __future__ import annotations

from typing import Any

from lightboard.hub.api import me, problems, routes, sessions, shapes
from lightboard.hub.api.routes import Asked, Reply, Route
from lightboard.hub.life import accounts, names
from lightboard.hub.people import passwords, tokens

FIRST_ADMIN, RESET = "first-admin", "reset"
NEW_SECS = 7 * 86400.0
RESET_SECS = 86400.0


class Link(routes.Answer, frozen=True, kw_only=True):
    link: str  # the only time it is shown
    expires: str


class LinkQuery(routes.Struct, frozen=True, kw_only=True):
    link: str


class UseLink(routes.Struct, frozen=True, kw_only=True):
    link: str
    password: str
    name: str = ""  # of the first admin


class Checked(routes.Answer, frozen=True, kw_only=True):
    purpose: str
    user: str
    expires: str


def make(asked: Asked[Any, Any], user: accounts.User, secs: float) -> Link:
    made = tokens.make(tokens.LINK)
    expires = asked.now + secs
    asked.services.database.people.add_link(accounts.OneTimeLink(made.hash, user.id, RESET, asked.now, expires))
    return Link(link=f"{asked.base_url}/#/link/{made.value}", expires=shapes.time(expires))


def check(asked: Asked[LinkQuery, None]) -> Checked:
    asked.services.attempts.take("", asked.address, asked.now)
    link, user = _found(asked, asked.query.link)
    asked.services.attempts.succeeded("", asked.address, asked.now)
    return Checked(purpose=link.purpose, user=user.name, expires=shapes.time(link.expires))


async def use(asked: Asked[None, UseLink]) -> Reply:
    async with asked.services.attempts.turn():
        reply: Reply = await asked.run(_use, asked)
        return reply


def _use(asked: Asked[None, UseLink]) -> Reply:
    """The link is used up only after name and password were found good."""
    services, body = asked.services, asked.body
    services.attempts.take("", asked.address, asked.now)
    link, user = _found(asked, body.link)
    services.attempts.succeeded("", asked.address, asked.now)
    members: dict[str, Any] = {}
    if link.purpose == FIRST_ADMIN and body.name:
        members["name"] = _free_name(asked, user)
        if members["name"] != user.name:
            members["display_name"] = ""
    passwords.check(body.password)
    members["password_hash"] = services.passwords.hash(body.password)
    if services.database.people.use_link(link.hash, link.purpose, asked.now) is None:
        raise _gone()
    user = services.database.people.change_user(user.id, end_sessions=True, **members)
    if "display_name" in members:
        _rename_own_workspace(asked, user)
    begun = sessions.begin(asked, user)
    if begun is None:
        raise _gone()
    return begun


def _rename_own_workspace(asked: Asked[None, UseLink], user: accounts.User) -> None:
    workspaces = asked.services.database.workspaces
    for each in workspaces.all(user.id):
        if each.personal_of == user.id:
            workspaces.change(each.id, name=user.name)


def _free_name(asked: Asked[None, UseLink], user: accounts.User) -> str:
    name = names.checked_user(asked.body.name)
    other = asked.services.database.people.user_named(name)
    if other is not None and other.id != user.id:
        raise problems.Problem(409, "NameConflict", f"there is a user {name}", hint="choose another name")
    return name


def _found(asked: Asked[Any, Any], value: str) -> tuple[accounts.OneTimeLink, accounts.User]:
    """The whole address is accepted, too."""
    people = asked.services.database.people
    link = people.link(tokens.digest(value.strip().rpartition("/")[2]), asked.now)
    user = people.user(link.user) if link is not None else None
    if link is None or user is None or not user.enabled:
        raise _gone()
    return link, user


def _gone() -> problems.Problem:
    message = "this link was used, has expired, or was replaced by a newer one"
    return problems.Problem(410, "Gone", message, hint="ask an admin for a new link")


ROUTES = (
    Route("GET", "/links:check", check, None, query=LinkQuery, answer=Checked,
          about="Says what a one-time link is for."),
    Route("POST", "/links:use", use, None, body=UseLink, answer=me.Me, status=201, audit="link.use",
          about="Sets the password, and signs in."),
)  # fmt: skip
