"""Finds what a route is about, with the role that the client has there. What it may not see, `app` answers with 404."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from lightboard.hub import life
from lightboard.hub.api import problems
from lightboard.hub.api.routes import Services
from lightboard.hub.life import accounts
from lightboard.hub.people import may


def permitted(identity: may.Identity, action: may.Action, thing: may.Thing, name: str) -> may.Thing:
    """Returns the thing, or raises 404 if it does not exist for the client, 403 if the client may not do this to it."""
    if may.may(identity, action, thing):
        return thing
    if _is_going(identity, action, thing):
        if action is may.Action.BOARD_DELETE:  # commands may be repeated
            return thing
        raise problems.Problem(404, "NotFound", f"the board is being deleted: {name[:200]}")
    if not may.sees(identity, thing):
        raise problems.not_found(_missing(thing, name))
    raise problems.Problem(403, "Forbidden", "you may not do this", hint="ask an admin of the workspace")


def _missing(thing: may.Thing, name: str) -> str:
    """What is said to be missing: the same word as if it did not exist."""
    if isinstance(thing, may.OneBoard):
        return thing.board.id
    if isinstance(thing, may.OneJob):
        return thing.job.id
    return thing.workspace if isinstance(thing, may.InWorkspace) else name


def _is_going(identity: may.Identity, action: may.Action, thing: may.Thing) -> bool:
    """Whether the client may not do it only because the board is being deleted."""
    if not isinstance(thing, may.OneBoard) or thing.board.state is not life.State.DELETING:
        return False
    before = dataclasses.replace(thing.board, state=life.State.STOPPED)
    return may.may(identity, action, may.OneBoard(before, thing.role))


def board(services: Services, identity: may.Identity, path: Mapping[str, str], body: Any) -> may.OneBoard:
    found = services.database.boards.find(path["board"])
    if found is None:
        raise problems.not_found(path["board"])
    return may.OneBoard(found, _role(services, identity, found.workspace))


def job(services: Services, identity: may.Identity, path: Mapping[str, str], body: Any) -> may.OneJob:
    found = services.database.jobs.find(path["job"])
    if found is None:
        raise problems.not_found(path["job"])
    return may.OneJob(found, _role(services, identity, found.workspace))


def workspace(services: Services, identity: may.Identity, path: Mapping[str, str], body: Any) -> may.Thing:
    """The one in the address, which names it by its id."""
    return _workspace(services, identity, path["workspace"])


def workspace_of_body(services: Services, identity: may.Identity, path: Mapping[str, str], body: Any) -> may.Thing:
    """The one that the body names; otherwise the only one of a token, or the client's own."""
    return in_workspace(services, identity, getattr(body, "workspace", "") or "")


def in_workspace(services: Services, identity: may.Identity, named: str) -> may.Thing:
    only = may.workspaces_of(identity)
    if not named and only is not None and len(only) == 1:
        named = next(iter(only))
    if named or identity.user is None:
        return _workspace(services, identity, named)
    return _workspace(services, identity, own_workspace(services, identity.user))


def own(services: Services, identity: may.Identity, path: Mapping[str, str], body: Any) -> may.Thing:
    """The account of the client."""
    return may.Own(identity.user.id if identity.user is not None else "")


def own_workspace(services: Services, user: accounts.User) -> str:
    for each in services.database.workspaces.all(user.id):
        if each.personal_of == user.id:
            return each.id
    raise problems.not_found("a workspace of your own")


def _workspace(services: Services, identity: may.Identity, name: str) -> may.Thing:
    found = services.database.workspaces.get(name)
    if found is None:
        raise problems.not_found(name)
    return may.InWorkspace(found.id, _role(services, identity, found.id))


def _role(services: Services, identity: may.Identity, workspace: str) -> accounts.Role | None:
    if identity.user is None:
        return None
    return services.database.workspaces.role(workspace, identity.user.id)
