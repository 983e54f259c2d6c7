"""All routes of the REST API. A new module of routes gets a line here; tests and the OpenAPI document follow."""

from __future__ import annotations

from lightboard.hub.api import boards
from lightboard.hub.api.routes import Route

MODULES = (boards,)


def all_routes() -> tuple[Route, ...]:
    return tuple(route for module in MODULES for route in module.ROUTES)
