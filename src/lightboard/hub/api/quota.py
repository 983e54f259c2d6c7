"""How many boards are active, and how many may be."""

from __future__ import annotations

from lightboard.hub.api import definitions, things
from lightboard.hub.api.routes import Answer, Asked, Route, Struct
from lightboard.hub.people.may import Action


class QuotaQuery(Struct, frozen=True, kw_only=True):
    workspace: definitions.Text = ""  # by default the user's own


class Used(Answer, frozen=True, kw_only=True):
    limit: int | None  # null: none
    used: int


class WorkspaceUsed(Used, frozen=True, kw_only=True):
    id: str


class Quota(Answer, frozen=True, kw_only=True):
    """A board needs a free slot in all three."""

    account: Used
    workspace: WorkspaceUsed
    hub: Used


def show(asked: Asked[QuotaQuery, None]) -> Quota:
    database, workspace = asked.services.database, asked.workspace
    limits = database.settings.limits(asked.user.id, workspace)
    used = database.boards.used(asked.user.id, workspace)
    return Quota(
        account=Used(limit=limits.account, used=used.account),
        workspace=WorkspaceUsed(id=workspace, limit=limits.workspace, used=used.workspace),
        hub=Used(limit=limits.hub, used=used.hub),
    )


ROUTES = (
    Route("GET", "/quota", show, Action.WORKSPACE_READ, thing=things.workspace_of_body, query=QuotaQuery,
          answer=Quota, about="Shows how many boards are active, and how many may be."),
)  # fmt: skip
