"""What hub.toml says about boards, as the hub's defaults in the database.

Admins change the same settings while the hub runs. The newest change counts: a value of the file is stored when it is
new there, and then again only when the file says something else than at the last start.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from lightboard.hub import life
from lightboard.hub.db import settings as settings_
from lightboard.hub.server import config

NAME = "configured"


def put(stored: settings_.Settings, configured: config.Config) -> None:
    wanted: dict[str, dict[str, Any]] = {
        "policy": {
            "idle_after_secs": configured.idle_after,
            "reclaim_after_secs": configured.reclaim_after,
            "max_runtime_secs": configured.max_runtime,
        },
        # 0 in the file: no limit
        "quota": {
            "account": configured.per_account or None,
            "workspace": configured.per_workspace or None,
            "hub": configured.per_hub or None,
        },
    }
    before = stored.get(settings_.HUB, NAME) or {}
    if before == wanted:
        return
    for name, members in wanted.items():
        known = before.get(name, {})
        changed = {each: value for each, value in members.items() if each not in known or known[each] != value}
        if changed:
            current = stored.get(settings_.HUB, name) or {}
            stored.put(settings_.HUB, name, {**_complete(name), **current, **changed})
    stored.put(settings_.HUB, NAME, wanted)


def _complete(name: str) -> dict[str, Any]:
    return dataclasses.asdict(life.Policy() if name == "policy" else life.Limits())
