"""Access keys: an id with a secret that signs requests, for clients of cloud services (`hub/api/pai`).

The secret is shown once. Checking a signature needs the secret itself, so it is stored encrypted with the hub's key.
A key may do with boards what its user may, and nothing else (`SCOPES`); an account or a hub cannot be changed with it.
"""

from __future__ import annotations

import secrets
import string
from collections.abc import Mapping
from typing import Any

from lightboard.hub.api import problems, routes, shapes, tokens
from lightboard.hub.api.routes import Asked, Reply, Route, Services
from lightboard.hub.life import accounts, durations, names
from lightboard.hub.people import may
from lightboard.hub.people import tokens as proofs
from lightboard.hub.people.may import Action

MOST_KEYS = 100
SCOPES = ("boards:write",)
PREFIX = "LBAK"
_LETTERS = string.ascii_letters + string.digits


class NewAccessKey(routes.Struct, frozen=True, kw_only=True):
    name: str = ""
    user: str = ""  # for admins; default: oneself
    expires_in: float | str | None = None  # null or "never": does not expire


class AccessKey(routes.Answer, frozen=True, kw_only=True):
    id: str
    access_key_id: str  # the same
    name: str
    user: str
    created: str
    expires: str | None
    last_used: str | None


class MadeAccessKey(AccessKey, frozen=True, kw_only=True):
    access_key_secret: str  # the only time it is shown


class AccessKeys(routes.Answer, frozen=True, kw_only=True):
    items: list[AccessKey]
    next_page_token: str = ""


def purpose(key: str) -> str:
    """With what the secret of a key is locked in the vault."""
    return f"access-key:{key}"


def of_key(services: Services, identity: may.Identity, path: Mapping[str, str], body: Any) -> may.Thing:
    owner = services.database.people.access_key_owner(path["key"])
    if owner is None:
        raise problems.not_found(f"access key {path['key']}")
    return may.Own(owner)


def show_all(asked: Asked[tokens.Whose, None]) -> AccessKeys:
    user = _user(asked)
    found = asked.services.database.people.access_keys(user.id)
    return AccessKeys(items=[AccessKey(**_members(each, user)) for each in found])


def create(asked: Asked[None, NewAccessKey]) -> Reply:
    services, user, body = asked.services, _user(asked), asked.body
    if not may.covers(asked.identity.scopes, SCOPES):
        hint = "its scopes are: " + ", ".join(asked.identity.scopes)
        raise problems.Problem(403, "Forbidden", "this token cannot make a key that may do more than itself", hint=hint)
    if len(services.database.people.access_keys(user.id)) >= MOST_KEYS:
        raise problems.Problem(409, "Conflict", f"the account has {MOST_KEYS} access keys", hint="delete some of them")
    number, secret = PREFIX + _random(20), _random(40)
    key = accounts.AccessKey(
        id=number,
        user=user.id,
        name=names.checked_name(body.name) if body.name.strip() else "access key",
        ciphertext=services.vault.lock({"secret": secret}, purpose(number)),
        created=asked.now,
        expires=_expires(asked),
    )
    services.database.people.add_access_key(key)
    return Reply(
        value=MadeAccessKey(**_members(key, user), access_key_secret=secret),
        status=201,
        note=routes.Note(thing=key.id, detail={"name": key.name, "user": user.name}),
    )


def _random(length: int) -> str:
    return "".join(secrets.choice(_LETTERS) for _ in range(length))


def _user(asked: Asked[Any, Any]) -> accounts.User:
    assert isinstance(asked.thing, may.Own)
    found = asked.services.database.people.user(asked.thing.user)
    if found is None:
        raise problems.not_found("user")
    return found


def _members(key: accounts.AccessKey, user: accounts.User) -> dict[str, Any]:
    return {
        "id": key.id,
        "access_key_id": key.id,
        "name": key.name,
        "user": user.name,
        "created": shapes.time(key.created),
        "expires": shapes.maybe_time(key.expires),
        "last_used": shapes.maybe_time(key.last_used),
    }


def _expires(asked: Asked[None, NewAccessKey]) -> float | None:
    """A key that a token makes ends with the token at the latest."""
    wanted = asked.body.expires_in
    secs = durations.parse(wanted) if wanted is not None else 0.0
    expires = asked.now + secs if secs > 0 else None
    if asked.identity.via != "token":
        return expires
    value = asked.headers.get("authorization", "").partition(" ")[2].strip()
    parent = asked.services.database.people.token(proofs.digest(value), asked.now)
    if parent is None or parent.expires is None:
        return expires
    if wanted is not None and (expires is None or expires > parent.expires):
        hint = f"the token expires at {shapes.maybe_time(parent.expires)}"
        raise problems.Problem(403, "Forbidden", "a token cannot make a key that outlives it", hint=hint)
    return parent.expires if expires is None else expires


def remove(asked: Asked[None, None]) -> None:
    if not asked.services.database.people.remove_access_key(_user(asked).id, asked.path["key"]):
        raise problems.not_found(f"access key {asked.path['key']}")


ROUTES = (
    Route("GET", "/access_keys", show_all, Action.OWN_READ, thing=tokens.of_somebody, query=tokens.Whose,
          answer=AccessKeys, about="Lists access keys of the account, without their secrets; of another account for "
          "admins."),
    Route("POST", "/access_keys", create, Action.OWN_EDIT, thing=tokens.of_somebody, body=NewAccessKey,
          answer=MadeAccessKey, status=201, audit="access_key.create",
          about="Makes an access key for clients of PAI; this answer alone has its secret."),
    Route("DELETE", "/access_keys/{key}", remove, Action.OWN_EDIT, thing=of_key, audit="access_key.delete",
          about="Deletes an access key; it ends at once."),
)  # fmt: skip
