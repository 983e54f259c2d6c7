"""All routes of the REST API. A new module of routes gets a line here; tests and the OpenAPI document follow."""

from __future__ import annotations

from lightboard.hub.api import batch, boards, changes, checks, manifests, openapi, quota, shares
from lightboard.hub.api.routes import Route

MODULES = (boards, checks, batch, changes, shares, manifests, quota, openapi)


def all_routes() -> tuple[Route, ...]:
    return tuple(route for module in MODULES for route in module.ROUTES)
