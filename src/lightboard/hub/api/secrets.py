"""Secrets of a workspace: credentials of stores, which are saved, tried and replaced, and never shown again.

Boards use them by name. What is stored is encrypted for its place (`secret:<workspace>/<id>`). Saving a secret makes
the one who saves it responsible: `hub/sources` trusts the endpoints of admins of the hub, so a secret that somebody
else changes is theirs from then on.
"""

from __future__ import annotations

import contextlib
import dataclasses
import secrets as random
import urllib.parse
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from lightboard import errors
from lightboard.hub import life
from lightboard.hub.api import problems, routes, shapes, things
from lightboard.hub.api.routes import Asked, Reply, Route
from lightboard.hub.db import lists
from lightboard.hub.life import accounts, commands, names
from lightboard.hub.people import may
from lightboard.hub.people.may import Action
from lightboard.hub.sources import secrets as kinds
from lightboard.storage import uris

MOST_SECRETS = 500
MOST_LISTED = 100
LONGEST_MESSAGE = 500
# Members that may be shown as they are; of keys, the first characters.
_SHOWN = ("endpoint", "region", "style", "account")
_PRINCIPALS = ("access_key", "key", "username")
_KEY_SHOWN = 4


class NewSecret(routes.Struct, frozen=True, kw_only=True):
    name: str
    kind: str  # s3, oss, gs, az or web
    members: dict[str, str]  # as hub/sources/secrets.py lists them
    check: str = ""  # a place to try it with, such as s3://bucket/path
    save_anyway: bool = False


class ChangeSecret(routes.Struct, frozen=True, kw_only=True):
    kind: str
    members: dict[str, str]
    name: str = ""  # as in the address, if it is there
    check: str = ""
    save_anyway: bool = False


class TrySecret(routes.Struct, frozen=True, kw_only=True):
    kind: str
    members: dict[str, str]
    check: str = ""
    name: str = ""  # not used


class CheckPlace(routes.Struct, frozen=True, kw_only=True):
    place: str = ""  # default: where a board uses it


class Removal(routes.Struct, frozen=True, kw_only=True):
    force: bool = False  # also if boards use it


class Check(routes.Answer, frozen=True, kw_only=True):
    """`ok` null: there was no place to try it with. `code` and `hint` say why it failed."""

    ok: bool | None
    message: str
    code: str = ""
    hint: str = ""


class Secret(routes.Answer, frozen=True, kw_only=True):
    name: str
    kind: str
    shown: dict[str, str]  # endpoint, region, and the principal, shortened
    created: str
    created_by: str  # who saved it last
    updated: str
    checked: str | None
    check_message: str
    used_by: list[str]  # ids of boards that the client may see


class SavedSecret(Secret, frozen=True, kw_only=True):
    check: Check


class Secrets(routes.Answer, frozen=True, kw_only=True):
    items: list[Secret]
    next_page_token: str = ""


@dataclasses.dataclass(frozen=True)
class _Tried:
    """What a trial said; `error` if it failed."""

    ok: bool | None
    message: str
    error: errors.LightboardError | None = None

    @property
    def check(self) -> Check:
        code = problems.document(self.error)["code"] if self.error is not None else ""
        hint = self.error.hint if self.error is not None else ""
        return Check(ok=self.ok, message=self.message, code=code, hint=hint)


# -- reading


def show_all(asked: Asked[None, None]) -> Secrets:
    found = asked.services.database.workspaces.secrets(asked.workspace)
    return Secrets(items=_shown(asked, found))


def _shown(asked: Asked[Any, Any], secrets: list[accounts.Secret]) -> list[Secret]:
    people = asked.services.database.people.names(each.created_by for each in secrets)
    used = _users_of(asked) if secrets else {}
    return [Secret(**_members(each, people, used)) for each in secrets]


def _members(secret: accounts.Secret, people: Mapping[str, str], used: Mapping[str, list[str]]) -> dict[str, Any]:
    return {
        "name": secret.name,
        "kind": secret.kind,
        "shown": dict(secret.shown),
        "created": shapes.time(secret.created),
        "created_by": people.get(secret.created_by, ""),
        "updated": shapes.time(secret.updated),
        "checked": shapes.maybe_time(secret.checked),
        "check_message": secret.check_message,
        "used_by": used.get(secret.name, []),
    }


def _users_of(asked: Asked[Any, Any]) -> dict[str, list[str]]:
    """For each secret the ids of boards that use it, as far as the client sees them."""
    role = asked.thing.role if isinstance(asked.thing, may.InWorkspace) else None
    used: dict[str, list[str]] = {}
    for board in _boards(asked):
        if may.sees(asked.identity, may.OneBoard(board, role)):
            for name in secrets_of(board):
                used.setdefault(name, []).append(board.id)
    return used


def _boards(asked: Asked[Any, Any]) -> Iterator[life.Board]:
    after = ""
    while True:
        page = asked.services.database.lists.page(lists.Query(workspace=asked.workspace), lists.MOST_ROWS, after)
        yield from (each for each in page.boards if each.state is not life.State.DELETING)
        after = page.next_page
        if not after:
            return


def secrets_of(board: life.Board) -> set[str]:
    """Names of secrets that its sources use, by member or in the address (`s3://team@bucket`)."""
    named = set()
    for source in board.sources:
        named.add(source.secret)
        with contextlib.suppress(errors.LightboardError):
            named.add(uris.parse(source.uri).secret)
    return named - {""}


# -- saving


async def create(asked: Asked[None, NewSecret]) -> Reply:
    name = names.checked_slug(asked.body.name)
    kinds.table(name, asked.body.kind, asked.body.members)
    if await asked.run(asked.services.database.workspaces.secret, asked.workspace, name) is not None:
        raise _taken(name)
    tried = await _tried(asked, asked.body)
    reply: Reply = await asked.run(_create, asked, name, tried)
    return reply


def _create(asked: Asked[None, NewSecret], name: str, tried: _Tried) -> Reply:
    database = asked.services.database
    if len(database.workspaces.secrets(asked.workspace)) >= MOST_SECRETS:
        raise problems.Problem(409, "Conflict", f"the workspace has {MOST_SECRETS} secrets", hint="delete some of them")
    number = names.new_id("s", random.token_bytes(names.ID_BYTES))
    secret = accounts.Secret(
        id=number, workspace=asked.workspace, name=name, created=asked.now, **_saved(asked, asked.body, number, tried)
    )
    if not database.workspaces.add_secret(secret):
        raise _taken(name)
    return _reply(asked, name, tried, 201)


async def put(asked: Asked[None, ChangeSecret]) -> Reply:
    name = asked.path["secret"]
    if asked.body.name not in ("", name):
        raise problems.Problem(400, "BadRequest", "a secret cannot be renamed", hint="create another one")
    before = await asked.run(_found, asked)
    kinds.table(name, asked.body.kind, asked.body.members)
    tried = await _tried(asked, asked.body)
    reply: Reply = await asked.run(_put, asked, before, tried)
    return reply


def _put(asked: Asked[None, ChangeSecret], before: accounts.Secret, tried: _Tried) -> Reply:
    saved = _saved(asked, asked.body, before.id, tried)
    # the id, too: the secret may have been deleted and made again since it was read
    asked.services.database.workspaces.change_secret(asked.workspace, before.name, id=before.id, **saved)
    _renew(asked, before.name)
    return _reply(asked, before.name, tried, 200)


def _saved(asked: Asked[Any, Any], body: NewSecret | ChangeSecret, number: str, tried: _Tried) -> dict[str, Any]:
    """Raises the refusal of the trial, unless it should be saved anyway."""
    if tried.error is not None and not body.save_anyway:
        raise _refused(tried)
    purpose = f"secret:{asked.workspace}/{number}"
    return {
        "kind": body.kind,
        "ciphertext": asked.services.vault.lock(body.members, purpose=purpose),
        "shown": _may_be_shown(body.members),
        "created_by": asked.user.id,
        "updated": asked.now,
        "checked": asked.now if tried.ok is not None else None,
        "check_message": tried.message,
    }


def _refused(tried: _Tried) -> problems.Problem:
    assert tried.error is not None
    check, hint = tried.check, tried.error.hint or "correct it, or save it anyway"
    return problems.Problem(422, check.code, check.message, hint=hint, check=msgspec.structs.asdict(check))


def _may_be_shown(members: Mapping[str, str]) -> dict[str, str]:
    shown = {name: members[name].strip() for name in _SHOWN if members.get(name)}
    principal = next((members[name].strip() for name in _PRINCIPALS if members.get(name)), "")
    if principal:
        shown["principal"] = principal[:_KEY_SHOWN] + "…" if len(principal) > 2 * _KEY_SHOWN else "…"
    if members.get("anonymous"):
        shown["principal"] = "anonymous"
    return shown


def _taken(name: str) -> problems.Problem:
    return problems.Problem(409, "NameConflict", f"the workspace has a secret {name}", hint="choose another name")


def _reply(asked: Asked[Any, Any], name: str, tried: _Tried, status: int) -> Reply:
    (shown,) = _shown(asked, [_found(asked, name)])
    members = {each: getattr(shown, each) for each in shown.__struct_fields__}
    note = routes.Note(thing=f"{asked.workspace}/{name}", detail={"check": tried.message})
    return Reply(value=SavedSecret(**members, check=tried.check), status=status, note=note)


def _found(asked: Asked[Any, Any], name: str = "") -> accounts.Secret:
    name = name or asked.path["secret"]
    found = asked.services.database.workspaces.secret(asked.workspace, name)
    if found is None:
        raise problems.Problem(404, "SecretNotFound", f"the workspace has no secret {name[:100]}")
    return found


def _renew(asked: Asked[Any, Any], name: str) -> None:
    """Running boards got the old secret at their start: they start again."""
    for board in _boards(asked):
        if name in secrets_of(board):
            with contextlib.suppress(errors.NotFound):  # deleted meanwhile
                asked.services.database.boards.change(
                    board.id, lambda each: commands.renew(each, asked.now, asked.user.id, "SecretChanged")
                )


# -- trying


async def _tried(asked: Asked[Any, Any], body: NewSecret | ChangeSecret | TrySecret) -> _Tried:
    place = body.check.strip()
    if not place and body.kind != "web":
        return _Tried(None, "not tested: no place was named")
    return await _try(asked, body.kind, body.members, place, admin=asked.is_admin)


async def _try(asked: Asked[Any, Any], kind: str, members: Mapping[str, str], place: str, *, admin: bool) -> _Tried:
    try:
        said = await asked.services.sources.try_secret(kind, members, place, admin=admin, user=asked.user.id)
    except errors.LightboardError as error:
        if error.status == 429:
            raise
        return _Tried(False, _without(members, error.message), error)
    return _Tried(True, _without(members, said))


def _without(members: Mapping[str, str], message: str) -> str:
    """A server may repeat what it was sent."""
    for name, value in members.items():
        value = value.strip()
        if name not in _SHOWN and name != "anonymous" and len(value) >= _KEY_SHOWN:
            message = message.replace(value, "…").replace(urllib.parse.quote(value, safe=""), "…")
    return message[:LONGEST_MESSAGE]


async def check_unsaved(asked: Asked[None, TrySecret]) -> Reply:
    kinds.table(names.checked_slug(asked.body.name) if asked.body.name else "new", asked.body.kind, asked.body.members)
    tried = await _tried(asked, asked.body)
    return Reply(value=tried.check, note=routes.Note(detail={"check": tried.message}))


async def check_saved(asked: Asked[None, CheckPlace]) -> Reply:
    secret = await asked.run(_found, asked)
    place = asked.body.place or await asked.run(_place_of_use, asked, secret.name)
    if not place and secret.kind != "web":
        raise problems.Problem(400, "InvalidUri", "name a place to test the secret with", hint="as s3://bucket/path")
    purpose = f"secret:{secret.workspace}/{secret.id}"
    members = asked.services.vault.open(secret.ciphertext, purpose)
    saved_by = await asked.run(asked.services.database.people.user, secret.created_by)
    # as for boards that use it
    trusted = saved_by is not None and saved_by.admin and saved_by.enabled
    tried = await _try(asked, secret.kind, members, place, admin=trusted)
    changes = {"checked": asked.now, "check_message": tried.message}
    await asked.run(lambda: asked.services.database.workspaces.change_secret(asked.workspace, secret.name, **changes))
    return Reply(value=tried.check, note=routes.Note(detail={"check": tried.message}))


def _place_of_use(asked: Asked[Any, Any], name: str) -> str:
    """The first source that uses the secret, as an address without its name."""
    role = asked.thing.role if isinstance(asked.thing, may.InWorkspace) else None
    for board in _boards(asked):
        for source in board.sources if may.sees(asked.identity, may.OneBoard(board, role)) else ():
            if source.secret == name:
                return source.uri
    return ""


# -- deleting


def remove(asked: Asked[Removal, None]) -> Reply:
    secret = _found(asked)
    using = [each for each in _boards(asked) if secret.name in secrets_of(each)]
    if using and not asked.query.force:
        boards = [{"id": each.id, "name": each.name, "state": each.state.value} for each in using[:MOST_LISTED]]
        raise problems.Problem(
            409,
            "Conflict",
            f"{len(using)} board{'s use' if len(using) > 1 else ' uses'} the secret {secret.name}",
            hint="change or delete them, or delete the secret with `?force=1`",
            boards=boards,
        )
    if not asked.services.database.workspaces.remove_secret(asked.workspace, secret.name):
        raise problems.not_found(f"secret {secret.name}")
    if using:
        _renew(asked, secret.name)
    note = routes.Note(thing=f"{asked.workspace}/{secret.name}", detail={"boards": [each.id for each in using][:100]})
    return Reply(status=204, note=note)


_ONE = "/workspaces/{workspace}/secrets/{secret}"
ROUTES = (
    Route("GET", "/workspaces/{workspace}/secrets", show_all, Action.SECRETS_READ, thing=things.workspace,
          answer=Secrets, about="Lists secrets, without their values."),
    Route("POST", "/workspaces/{workspace}/secrets", create, Action.SECRETS_EDIT, thing=things.workspace,
          body=NewSecret, answer=SavedSecret, status=201, audit="secret.create",
          about="Tries a secret and saves it encrypted."),
    Route("PUT", _ONE, put, Action.SECRETS_EDIT, thing=things.workspace, body=ChangeSecret, answer=SavedSecret,
          audit="secret.edit", about="Replaces a secret as a whole; boards that use it start again."),
    Route("DELETE", _ONE, remove, Action.SECRETS_EDIT, thing=things.workspace, query=Removal, audit="secret.delete",
          about="Deletes a secret that no board uses."),
    Route("POST", f"{_ONE}:check", check_saved, Action.SECRETS_READ, thing=things.workspace, body=CheckPlace,
          answer=Check, audit="secret.check", about="Tries a saved secret."),
    Route("POST", "/workspaces/{workspace}/secrets:check", check_unsaved, Action.SECRETS_EDIT, thing=things.workspace,
          body=TrySecret, answer=Check, audit="secret.try", about="Tries a secret without saving it."),
)  # fmt: skip
