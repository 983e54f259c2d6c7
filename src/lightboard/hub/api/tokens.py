"""API tokens: shown once, stored as a hash, with scopes, expiry and last use.

A token never makes one that may do more than itself, or that outlives it.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from lightboard.hub.api import problems, routes, shapes, values
from lightboard.hub.api.routes import Asked, Reply, Route, Services
from lightboard.hub.life import accounts, durations, names
from lightboard.hub.people import may
from lightboard.hub.people import tokens as proofs
from lightboard.hub.people.may import Action

MOST_TOKENS = 500
MOST_SCOPES = 20
_HINT = "scopes are: " + ", ".join(may.SCOPES) + "; with `!workspace=ID` they count in one workspace only"


class Whose(routes.Struct, frozen=True, kw_only=True):
    user: str = ""


class NewToken(routes.Struct, frozen=True, kw_only=True):
    name: str
    user: str = ""  # for admins; default: oneself
    scopes: list[str] = []  # noqa: RUF012 msgspec copies it
    expires_in: float | str | None = None  # null or "never": does not expire


class Token(routes.Answer, frozen=True, kw_only=True):
    id: str
    name: str
    user: str
    scopes: list[str]
    created: str
    expires: str | None
    last_used: str | None


class MadeToken(Token, frozen=True, kw_only=True):
    token: str  # the only time it is shown


class Tokens(routes.Answer, frozen=True, kw_only=True):
    items: list[Token]
    next_page_token: str = ""


def of_somebody(services: Services, identity: may.Identity, path: Mapping[str, str], named: Any) -> may.Thing:
    """The account that body or query names. Who is no admin learns nothing about other names."""
    own = may.Own(identity.user.id if identity.user is not None else "")
    if not named.user or identity.user is None or named.user in (identity.user.id, identity.user.name):
        return own
    if not may.may(identity, Action.HUB_ADMIN, may.Hub()):
        raise problems.Problem(403, "Forbidden", "only admins of the hub see and make tokens of others")
    return may.Own(values.find_user(services, named.user).id)


def one(services: Services, identity: may.Identity, path: Mapping[str, str], body: Any) -> may.Thing:
    owner = services.database.people.token_owner(path["token"])
    if owner is None:
        raise problems.not_found(f"token {path['token']}")
    return may.Own(owner)


def show_all(asked: Asked[Whose, None]) -> Tokens:
    user = _user(asked)
    found = asked.services.database.people.tokens(user.id)
    return Tokens(items=[Token(**_members(each, user)) for each in found])


def create(asked: Asked[None, NewToken]) -> Reply:
    services, user, body = asked.services, _user(asked), asked.body
    scopes = _scopes(services, user, body.scopes)
    if not may.covers(asked.identity.scopes, scopes):
        raise problems.Problem(
            403,
            "Forbidden",
            "a token cannot make one that may do more than itself",
            hint="its scopes are: " + ", ".join(asked.identity.scopes),
        )
    if len(services.database.people.tokens(user.id)) >= MOST_TOKENS:
        raise problems.Problem(409, "Conflict", f"the account has {MOST_TOKENS} tokens", hint="delete some of them")
    made = proofs.make(proofs.TOKEN)
    token = accounts.Token(
        id=names.new_id("t", secrets.token_bytes(names.ID_BYTES)),
        hash=made.hash,
        user=user.id,
        name=names.checked_name(body.name),
        created=asked.now,
        scopes=scopes,
        expires=_expires(asked),
    )
    services.database.people.add_token(token)
    detail = {"name": token.name, "user": user.name, "scopes": list(scopes)}
    return Reply(
        value=MadeToken(**_members(token, user), token=made.value),
        status=201,
        note=routes.Note(thing=token.id, detail=detail),
    )


def _user(asked: Asked[Any, Any]) -> accounts.User:
    assert isinstance(asked.thing, may.Own)
    found = asked.services.database.people.user(asked.thing.user)
    if found is None:
        raise problems.not_found("user")
    return found


def _members(token: accounts.Token, user: accounts.User) -> dict[str, Any]:
    return {
        "id": token.id,
        "name": token.name,
        "user": user.name,
        "scopes": list(token.scopes),
        "created": shapes.time(token.created),
        "expires": shapes.maybe_time(token.expires),
        "last_used": shapes.maybe_time(token.last_used),
    }


def _scopes(services: Services, user: accounts.User, wanted: list[str]) -> tuple[str, ...]:
    """Checks every word: a misspelled scope would make a token that may nothing."""
    scopes = tuple(dict.fromkeys(wanted))
    if len(scopes) > MOST_SCOPES:
        raise problems.Problem(400, "InvalidScope", f"a token has at most {MOST_SCOPES} scopes")
    for scope in scopes:
        name, mark, only = scope.partition("!workspace=")
        if name not in may.SCOPES or (mark and (not only or name == "own")):
            raise problems.Problem(400, "InvalidScope", f"not a scope: {scope[:100]!r}", hint=_HINT)
        if only and not _reaches(services, user, only):
            message = f"{user.name} is not a member of the workspace {only[:100]!r}"
            raise problems.Problem(400, "InvalidScope", message, hint=_HINT)
    return scopes


def _reaches(services: Services, user: accounts.User, workspace: str) -> bool:
    if user.admin:
        return services.database.workspaces.get(workspace) is not None
    return services.database.workspaces.role(workspace, user.id) is not None


def _expires(asked: Asked[None, NewToken]) -> float | None:
    wanted = asked.body.expires_in
    secs = durations.parse(wanted) if wanted is not None else 0.0
    expires = asked.now + secs if secs > 0 else None
    parent = _parent(asked)
    if parent is None or parent.expires is None:
        return expires
    if wanted is None:
        return parent.expires
    if expires is None or expires > parent.expires:
        hint = f"this one expires at {shapes.maybe_time(parent.expires)}"
        raise problems.Problem(403, "Forbidden", "a token cannot make one that outlives it", hint=hint)
    return expires


def _parent(asked: Asked[Any, Any]) -> accounts.Token | None:
    """The token that asks."""
    if asked.identity.via != "token":
        return None
    value = asked.headers.get("authorization", "").partition(" ")[2].strip()
    return asked.services.database.people.token(proofs.digest(value), asked.now)


def remove(asked: Asked[None, None]) -> None:
    user = _user(asked)
    if not asked.services.database.people.remove_token(user.id, asked.path["token"]):
        raise problems.not_found(f"token {asked.path['token']}")


ROUTES = (
    Route("GET", "/tokens", show_all, Action.OWN_READ, thing=of_somebody, query=Whose, answer=Tokens,
          about="Lists tokens of the account, without their values; of another account for admins."),
    Route("POST", "/tokens", create, Action.OWN_EDIT, thing=of_somebody, body=NewToken, answer=MadeToken, status=201,
          audit="token.create", about="Makes a token; this answer alone has its value."),
    Route("DELETE", "/tokens/{token}", remove, Action.OWN_EDIT, thing=one, audit="token.delete",
          about="Deletes a token; it ends at once."),
)  # fmt: skip
