"""Who asks: the account, its workspaces and quota, and what this hub offers."""

from __future__ import annotations

from typing import Any

import lightboard
from lightboard.hub import life
from lightboard.hub.api import problems, routes, shapes, values
from lightboard.hub.api.routes import Asked, Route
from lightboard.hub.db import lists
from lightboard.hub.life import accounts, policy
from lightboard.hub.people import identity, may, tokens
from lightboard.hub.people.may import Action

SCHEMES = ("file", "s3", "oss", "minio", "gs", "az", "abfss", "http", "https", "pvc", "t9k")


class Person(routes.Answer, frozen=True, kw_only=True):
    id: str
    name: str
    display_name: str
    admin: bool
    created: str
    last_seen: str | None


class MyWorkspace(routes.Answer, frozen=True, kw_only=True):
    id: str
    name: str
    role: accounts.Role
    personal: bool


class MyQuota(routes.Answer, frozen=True, kw_only=True):
    """Active boards of the account; `limit` null: no limit."""

    limit: int | None
    used: int


class Bounds(routes.Answer, frozen=True, kw_only=True):
    """What others than admins may choose for a board; null: no bound, 0: never."""

    shortest: values.Policy
    longest: values.Policy


class AboutHub(routes.Answer, frozen=True, kw_only=True):
    name: str
    version: str
    url: str
    self_service: bool
    roots: list[str]  # for admins only
    claims: list[str]
    schemes: list[str]
    bounds: Bounds
    policy: values.Policy


class Me(routes.Answer, frozen=True, kw_only=True):
    user: Person
    via: str  # session or token
    csrf: str  # writes of a session send it as X-Lightboard-CSRF
    scopes: list[str]  # of a token; empty: everything that the user may
    workspaces: list[MyWorkspace]
    workspace: str  # the account's own
    quota: MyQuota
    hub: AboutHub


class Shared(routes.Answer, frozen=True, kw_only=True):
    """The bearer of a share, without an account."""

    via: str
    shared_board: str


def show(asked: Asked[None, None]) -> Me | Shared:
    who = asked.identity
    if who.user is None or not who.user.enabled:
        if who.shared_board:
            return Shared(via=who.via, shared_board=who.shared_board)
        raise problems.Problem(401, "Unauthenticated", "sign in first", hint="send `Authorization: Bearer TOKEN`")
    return of(asked, who, session_value(asked))


def of_session(asked: Asked[Any, Any], user: accounts.User, session: str) -> Me:
    """Right after a sign-in."""
    return of(asked, may.Identity(user, via="session"), session)


def of(asked: Asked[Any, Any], who: may.Identity, session: str) -> Me:
    assert who.user is not None
    services, user = asked.services, who.user
    roles = services.database.workspaces.roles(user.id)
    found = [
        each
        for each in services.database.workspaces.all(user.id)
        if may.may(who, Action.WORKSPACE_READ, may.InWorkspace(each.id, roles.get(each.id)))
    ]
    own = next((each.id for each in found if each.personal_of == user.id), "")
    return Me(
        user=person(user),
        via=who.via,
        csrf=tokens.csrf_of(session) if who.via == "session" and session else "",
        scopes=list(who.scopes),
        workspaces=[
            MyWorkspace(id=each.id, name=each.name, role=roles[each.id], personal=each.personal_of == user.id)
            for each in found
            if each.id in roles
        ],
        workspace=own,
        quota=_quota(services, user, own),
        hub=about(asked, user),
    )


def person(user: accounts.User) -> Person:
    return Person(
        id=user.id,
        name=user.name,
        display_name=user.display_name,
        admin=user.admin,
        created=shapes.time(user.created),
        last_seen=shapes.maybe_time(user.last_seen),
    )


def _quota(services: routes.Services, user: accounts.User, workspace: str) -> MyQuota:
    active = lists.Query(states=tuple(life.ACTIVE), owner=user.id)
    return MyQuota(
        limit=services.database.settings.limits(user.id, workspace).account, used=services.database.lists.count(active)
    )


def about(asked: Asked[Any, Any], user: accounts.User) -> AboutHub:
    services, settings = asked.services, asked.services.database.settings
    return AboutHub(
        name=services.name,
        version=lightboard.__version__,
        url=asked.base_url,
        self_service=services.self_service,
        roots=list(services.roots) if user.admin else [],
        claims=sorted(services.claims),
        schemes=list(SCHEMES),
        bounds=bounds_shown(settings.bounds()),
        policy=values.effective(settings.policies().hub),
    )


def bounds_shown(bounds: policy.Bounds) -> Bounds:
    return Bounds(shortest=values.policy_shown(bounds.shortest), longest=values.policy_shown(bounds.longest))


def session_value(asked: Asked[Any, Any]) -> str:
    """The value of the session cookie, "" without one."""
    headers = [(b"cookie", asked.headers.get("cookie", "").encode("latin-1"))]
    return identity.proofs_of({"headers": headers, "path": "/", "scheme": "https" if asked.secure else "http"}).session


ROUTES = (Route("GET", "/me", show, None, answer=Me, about="Who asks, and what this hub offers."),)
