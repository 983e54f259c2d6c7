"""What admins set while the hub runs, as (scope, name) → value. Scopes: "hub", "workspace:<id>", "account:<user>".

policy    idle, reclaim and runtime: hub, workspace
bounds    what others than admins may choose for their boards: hub
quota     hub: {"account", "workspace", "hub"}, defaults for all; workspace and account: {"boards": n or null}
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any

import sqlalchemy as sa

from lightboard.hub import life
from lightboard.hub.db import tables, transactions
from lightboard.hub.life import policy

SETTINGS = tables.SETTINGS
HUB = "hub"


@dataclasses.dataclass(frozen=True)
class Policies:
    """All policies at one moment."""

    hub: life.Policy
    workspaces: Mapping[str, life.Policy]

    def timing(self, board: life.Board) -> life.Timing:
        return policy.effective(board.policy, self.workspaces.get(board.workspace, life.Policy()), self.hub)


class Settings:
    def __init__(self, database: transactions.Transactions) -> None:
        self._database = database

    def get(self, scope: str, name: str) -> Any:
        """Returns None for what was never set."""
        query = sa.select(SETTINGS.c.value).where(SETTINGS.c.scope == scope, SETTINGS.c.name == name)
        with self._database.read() as connection:
            return connection.execute(query).scalar()

    def all(self, scope: str) -> dict[str, Any]:
        query = sa.select(SETTINGS.c.name, SETTINGS.c.value).where(SETTINGS.c.scope == scope)
        with self._database.read() as connection:
            return {each.name: each.value for each in connection.execute(query)}

    def put(self, scope: str, name: str, value: Any) -> None:
        with self._database.write() as connection:
            transactions.upsert(connection, SETTINGS, {"scope": scope, "name": name, "value": value})

    def remove(self, scope: str, name: str) -> None:
        with self._database.write() as connection:
            connection.execute(sa.delete(SETTINGS).where(SETTINGS.c.scope == scope, SETTINGS.c.name == name))

    def policies(self) -> Policies:
        query = sa.select(SETTINGS.c.scope, SETTINGS.c.value).where(SETTINGS.c.name == "policy")
        with self._database.read() as connection:
            found = {scope: life.Policy(**value) for scope, value in connection.execute(query)}
        hub = found.pop(HUB, life.Policy())
        return Policies(hub, {scope.partition(":")[2]: each for scope, each in found.items()})

    def put_policy(self, scope: str, value: life.Policy) -> None:
        self.put(scope, "policy", dataclasses.asdict(value))

    def bounds(self) -> policy.Bounds:
        value = self.get(HUB, "bounds")
        if value is None:
            return policy.Bounds()
        return policy.Bounds(life.Policy(**value["shortest"]), life.Policy(**value["longest"]))

    def put_bounds(self, value: policy.Bounds) -> None:
        self.put(HUB, "bounds", dataclasses.asdict(value))

    def limits(self, owner: str, workspace: str) -> life.Limits:
        """The limits of an account in a workspace: its own ones, or the hub's for all."""
        scopes = (HUB, f"account:{owner}", f"workspace:{workspace}")
        query = sa.select(SETTINGS.c.scope, SETTINGS.c.value).where(
            SETTINGS.c.name == "quota", SETTINGS.c.scope.in_(scopes)
        )
        with self._database.read() as connection:
            found = {each.scope: each.value for each in connection.execute(query)}
        limits = life.Limits(**found.get(HUB, {}))
        own = {
            kind: found[scope]["boards"]
            for kind, scope in zip(("account", "workspace"), scopes[1:], strict=True)
            if scope in found
        }
        return dataclasses.replace(limits, **own)

    def own_limits(self, kind: str, names: Iterable[str]) -> dict[str, int | None]:
        """The limits of those accounts or workspaces (`kind`) that have one of their own."""
        scopes = {f"{kind}:{each}": each for each in names}
        query = sa.select(SETTINGS.c.scope, SETTINGS.c.value)
        query = query.where(SETTINGS.c.name == "quota", SETTINGS.c.scope.in_(sorted(scopes)))
        with self._database.read() as connection:
            return {scopes[each.scope]: each.value["boards"] for each in connection.execute(query)}

    def put_limits(self, value: life.Limits) -> None:
        """For all accounts and workspaces that have no limit of their own."""
        self.put(HUB, "quota", dataclasses.asdict(value))

    def put_limit(self, scope: str, boards: int | None) -> None:
        """For one account or workspace; None: no limit. `remove(scope, "quota")` ends it."""
        self.put(scope, "quota", {"boards": boards})
