"""All routes of the REST API. A new module of routes gets a line here; tests and the OpenAPI document follow."""

from __future__ import annotations

from lightboard.hub.api import (
    access_keys,
    account,
    audit,
    batch,
    boards,
    changes,
    checks,
    jobs,
    links,
    manifests,
    me,
    members,
    openapi,
    overview,
    people,
    quota,
    secrets,
    sessions,
    settings,
    shares,
    tokens,
    uploads,
    users,
    workspaces,
)
from lightboard.hub.api.routes import Route

MODULES = (
    boards, jobs, checks, batch, changes, shares, manifests, quota, openapi,
    me, account, sessions, tokens, access_keys, links, users, people,
    workspaces, members, secrets, settings, audit, overview, uploads,
)  # fmt: skip


def all_routes() -> tuple[Route, ...]:
    return tuple(route for module in MODULES for route in module.ROUTES)
