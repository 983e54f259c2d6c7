"""What admins of the hub set while it runs: times, bounds of what others may choose, limits of active boards."""

from __future__ import annotations

import dataclasses
import math

import msgspec

from lightboard.hub import life
from lightboard.hub.api import me, problems, routes, values
from lightboard.hub.api.routes import Asked, Reply, Route
from lightboard.hub.db import settings as stored
from lightboard.hub.life import policy
from lightboard.hub.people.may import Action

MaybeNumber = int | None | msgspec.UnsetType


class ChangeBounds(routes.Struct, frozen=True, kw_only=True):
    shortest: values.SomePolicy = values.SomePolicy()
    longest: values.SomePolicy = values.SomePolicy()


class ChangeSettings(values.SomePolicy, frozen=True, kw_only=True):
    """A time that is null becomes the default again; a bound or limit that is null ends."""

    per_account: MaybeNumber = values.UNSET
    per_workspace: MaybeNumber = values.UNSET
    per_hub: MaybeNumber = values.UNSET
    bounds: ChangeBounds = ChangeBounds()


class Settings(routes.Answer, frozen=True, kw_only=True):
    """Seconds, 0: never. Limits count active boards, null: no limit."""

    idle_after: float | None
    reclaim_after: float | None
    max_runtime: float | None
    per_account: int | None
    per_workspace: int | None
    per_hub: int | None
    bounds: me.Bounds


def show(asked: Asked[None, None]) -> Settings:
    return _shown(asked.services.database.settings)


def _shown(settings: stored.Settings) -> Settings:
    limits = _limits_of(settings)
    return Settings(
        **msgspec.structs.asdict(values.effective(settings.policies().hub)),
        per_account=limits.account,
        per_workspace=limits.workspace,
        per_hub=limits.hub,
        bounds=me.bounds_shown(settings.bounds()),
    )


def _limits_of(settings: stored.Settings) -> life.Limits:
    return life.Limits(**(settings.get(stored.HUB, "quota") or {}))


def change(asked: Asked[None, ChangeSettings]) -> Reply:
    """Everything is checked before anything is stored."""
    settings, body = asked.services.database.settings, asked.body
    times = values.policy_changed(settings.policies().hub, body)
    before = settings.bounds()
    bounds = policy.Bounds(
        values.policy_changed(before.shortest, body.bounds.shortest),
        values.policy_changed(before.longest, body.bounds.longest),
    )
    _check(bounds)
    limits = _limits_of(settings)
    changed_limits = dataclasses.replace(limits, **_limits(body))
    settings.put_policy(stored.HUB, times)
    if bounds != before:
        settings.put_bounds(bounds)
    if changed_limits != limits:
        settings.put_limits(changed_limits)
    changed = [name for name in body.__struct_fields__ if getattr(body, name) not in (values.UNSET, ChangeBounds())]
    note = routes.Note(thing="settings", detail={"changed": changed})
    return Reply(value=_shown(settings), note=note)


def _limits(body: ChangeSettings) -> dict[str, int | None]:
    limits = {}
    for kind in ("account", "workspace", "hub"):
        value = getattr(body, f"per_{kind}")
        if value is not values.UNSET:
            limits[kind] = values.checked_limit(value, f"per_{kind}")
    return limits


def _check(bounds: policy.Bounds) -> None:
    for name in policy.MEMBERS:
        least, most = getattr(bounds.shortest, name), getattr(bounds.longest, name)
        if least is not None and most is not None and (least or math.inf) > (most or math.inf):
            word = name.removesuffix("_secs")
            message = f"the shortest `{word}` is longer than the longest"
            raise problems.Problem(400, "InvalidDuration", message, hint="0 is never, the longest of all")


ROUTES = (
    Route("GET", "/settings", show, Action.HUB_ADMIN, answer=Settings,
          about="Shows the settings of the hub."),
    Route("PATCH", "/settings", change, Action.HUB_ADMIN, body=ChangeSettings, answer=Settings, audit="settings.edit",
          about="Running boards follow within half a minute."),
)  # fmt: skip
