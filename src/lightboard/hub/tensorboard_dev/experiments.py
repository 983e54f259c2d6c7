"""Experiments of tensorboard.dev are uploads of the hub. Who may do what is asked here, in one place, as for REST."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from lightboard.hub.api import problems, routes, things
from lightboard.hub.life import accounts, uploads
from lightboard.hub.people import may

Action = may.Action


@dataclasses.dataclass(frozen=True)
class Caller:
    identity: may.Identity
    address: str = ""

    @property
    def user(self) -> accounts.User:
        assert self.identity.user is not None  # calls without one are refused before
        return self.identity.user


def permitted(services: routes.Services, caller: Caller, id: str, action: Action) -> uploads.Upload:
    """The upload; raises 404 if it does not exist for the caller, 403 if this is not allowed."""
    found = services.uploads.find(id)
    if found is None or (found.deleting and action is not Action.BOARD_DELETE):
        raise problems.not_found(id)
    board = services.uploads.board(found)
    thing = may.OneBoard(board, services.database.workspaces.role(board.workspace, caller.user.id))
    if not may.sees(caller.identity, thing):
        raise problems.not_found(id)  # the same words as if it did not exist
    things.permitted(caller.identity, action, thing, id)
    return found


def written_to(services: routes.Services, caller: Caller, id: str) -> uploads.Upload:
    """The upload, if the caller may add points to it. Its board may have been deleted, which ends an upload."""
    found = permitted(services, caller, id, Action.BOARD_EDIT)
    if not services.uploads.has_board(found):
        raise problems.not_found(id)
    if found.form is not uploads.Form.POINTS:
        raise uploads.UploadBusy("the files of this upload were sent as they are", hint="create another experiment")
    return found


def workspace_for_new(services: routes.Services, caller: Caller) -> str:
    """The caller's own workspace, or the only one of the token."""
    thing = things.in_workspace(services, caller.identity, "")
    things.permitted(caller.identity, Action.BOARD_CREATE, thing, "")
    assert isinstance(thing, may.InWorkspace)
    return thing.workspace


def own(services: routes.Services, caller: Caller) -> list[uploads.Upload]:
    """Uploads of the caller that the token may read, newest first."""
    things.permitted(caller.identity, Action.BOARD_LIST, may.Hub(services.self_service), "")
    roles = services.database.workspaces.roles(caller.user.id)
    only = may.workspaces_of(caller.identity)
    return [
        each
        for each, _ in services.uploads.visible(caller.user.id, roles)
        if each.owner == caller.user.id and not each.deleting and (only is None or each.workspace in only)
    ]


def audit(
    services: routes.Services,
    caller: Caller,
    action: str,
    upload: uploads.Upload,
    detail: Mapping[str, Any] | None = None,
) -> None:
    services.database.journal.record(
        accounts.AuditEntry(
            time=services.clock(),
            actor=caller.identity.name,
            action=action,
            thing=upload.id,
            workspace=upload.workspace,
            outcome="ok",
            address=caller.address,
            detail=dict(detail or {}),
        )
    )
