"""Changing one's own account: the display name, the password."""

from __future__ import annotations

from lightboard.hub.api import me, problems, routes, sessions, things, values
from lightboard.hub.api.routes import Asked, Reply, Route
from lightboard.hub.people import may
from lightboard.hub.people.may import Action


class ChangeMe(routes.Struct, frozen=True, kw_only=True):
    display_name: values.MaybeText = values.UNSET
    password: values.MaybeText = values.UNSET
    old_password: str = ""


async def change(asked: Asked[None, ChangeMe]) -> Reply:
    async with asked.services.attempts.turn():
        reply: Reply = await asked.run(_change, asked)
        return reply


def _change(asked: Asked[None, ChangeMe]) -> Reply:
    body, user = asked.body, asked.user
    members: dict[str, str] = {}
    if isinstance(body.display_name, str):
        members["display_name"] = values.checked_display_name(body.display_name)
    if isinstance(body.password, str):
        _check_old_password(asked)
        members["password_hash"] = asked.services.passwords.hash(body.password)
    if members:
        changes_password = "password_hash" in members
        user = asked.services.database.people.change_user(user.id, end_sessions=changes_password, **members)
    note = routes.Note(thing=user.name, detail={"changed": sorted(members)})
    # all sessions have ended: this browser gets a new one
    if "password_hash" in members and asked.identity.via == "session":
        begun = sessions.begin(asked, user)
        if begun is not None:
            return Reply(value=begun.value, headers=begun.headers, note=note)
    who = may.Identity(user, asked.identity.via, asked.identity.scopes)
    return Reply(value=me.of(asked, who, me.session_value(asked)), note=note)


def _check_old_password(asked: Asked[None, ChangeMe]) -> None:
    """Who has found an open browser, or a token for less than everything, must not take the account over."""
    services, user = asked.services, asked.user
    if not user.password_hash:
        if asked.identity.scopes:
            raise problems.Problem(403, "Forbidden", "this token may not set the first password")
        return
    services.attempts.take(user.name, asked.address, asked.now)
    if not services.passwords.matches(user.password_hash, asked.body.old_password):
        hint = "an admin can make a link for a new one"
        raise problems.Problem(403, "WrongPassword", "the old password is wrong", hint=hint)
    services.attempts.succeeded(user.name, asked.address, asked.now)


ROUTES = (
    Route("PATCH", "/me", change, Action.OWN_EDIT, thing=things.own, body=ChangeMe, answer=me.Me, audit="user.edit",
          about="Changes the display name, or the password, which signs out all other browsers."),
)  # fmt: skip
