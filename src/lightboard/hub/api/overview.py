"""The hub at a glance, for its admins."""

from __future__ import annotations

import lightboard
from lightboard.hub import keeper
from lightboard.hub.api import routes
from lightboard.hub.api.routes import Asked, Route
from lightboard.hub.people.may import Action


class Overview(routes.Answer, frozen=True, kw_only=True):
    boards: dict[str, int]  # by state
    users: int
    workspaces: int
    version: str
    leader: str  # the hub process that keeps boards, "" for a moment while none does
    database: str  # sqlite or postgresql


def show(asked: Asked[None, None]) -> Overview:
    database = asked.services.database
    return Overview(
        boards={state.value: number for state, number in database.lists.count_by_state().items()},
        users=database.people.user_count(),
        workspaces=database.workspaces.count(),
        version=lightboard.__version__,
        leader=database.leases.holder(keeper.LEASE, asked.now),
        database="sqlite" if database.is_sqlite else "postgresql",
    )


ROUTES = (
    Route("GET", "/overview", show, Action.HUB_ADMIN, answer=Overview, about="Counts boards, users and workspaces."),
)
