"""All routes of the dialect. A test holds that each has an action."""

from __future__ import annotations

from lightboard.hub.api.pai import jobs, tensorboards, workspaces
from lightboard.hub.api.routes import Route


def all_routes() -> tuple[Route, ...]:
    return tuple(route for module in (tensorboards, jobs, workspaces) for route in module.ROUTES)
