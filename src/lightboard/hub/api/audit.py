"""The audit log: who did what to which thing, from where, and how it ended."""

from __future__ import annotations

from typing import Any

from lightboard.hub.api import problems, routes, shapes
from lightboard.hub.api.routes import Asked, Route
from lightboard.hub.people.may import Action

MOST_ROWS = 1000


class AuditQuery(routes.Struct, frozen=True, kw_only=True):
    actor: str = ""
    thing: str = ""
    workspace: str = ""
    limit: int = 100
    page_token: str = ""


class Entry(routes.Answer, frozen=True, kw_only=True):
    id: int
    time: str
    actor: str
    action: str
    thing: str
    workspace: str
    outcome: str  # "ok", or the code of the refusal
    address: str
    detail: dict[str, Any]


class Entries(routes.Answer, frozen=True, kw_only=True):
    items: list[Entry]
    next_page_token: str = ""


def show(asked: Asked[AuditQuery, None]) -> Entries:
    """Newest first."""
    query, limit = asked.query, max(1, min(asked.query.limit, MOST_ROWS))
    found = asked.services.database.journal.audit(
        actor=query.actor,
        thing=query.thing,
        workspace=query.workspace,
        before=_before(query.page_token),
        limit=limit,
    )
    items = [
        Entry(
            id=each.id,
            time=shapes.time(each.time),
            actor=each.actor,
            action=each.action,
            thing=each.thing,
            workspace=each.workspace,
            outcome=each.outcome,
            address=each.address,
            detail=dict(each.detail),
        )
        for each in found
    ]
    return Entries(items=items, next_page_token=str(items[-1].id) if len(items) == limit and items[-1].id > 1 else "")


def _before(token: str) -> int:
    if not token:
        return 0
    if not token.isascii() or not token.isdigit() or len(token) > 18:
        raise problems.Problem(400, "BadRequest", "this page token belongs to another list")
    return int(token)


ROUTES = (
    Route("GET", "/audit", show, Action.HUB_ADMIN, query=AuditQuery, answer=Entries, about="Lists the audit log."),
)  # fmt: skip
