"""How many boards may be active at once: for an account, a workspace and the hub.

The database counts and calls `full_scope` in the transaction that inserts or starts a board.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from lightboard.hub.life import nouns

DEFAULT_PER_ACCOUNT = 5
MOST_LISTED = 100


@dataclasses.dataclass(frozen=True)
class Limits:
    """Most active boards of one account, of one workspace, of the hub; None: no limit."""

    account: int | None = DEFAULT_PER_ACCOUNT
    workspace: int | None = None
    hub: int | None = None


@dataclasses.dataclass(frozen=True)
class Active:
    """An active board, as the refusal lists it: one of these could be stopped."""

    id: str
    name: str
    state: nouns.State
    last_activity: float
    owner: str
    workspace: str
    visibility: nouns.Visibility


@dataclasses.dataclass(frozen=True)
class LimitExceeded:
    """`scope` is "account:<user>", "workspace:<id>" or "hub". `boards` are active ones of that scope, longest unused
    first, at most MOST_LISTED; the caller removes those that the asking user may not see."""

    limit: int
    used: int
    scope: str
    boards: tuple[Active, ...]


def is_active(board: nouns.Board) -> bool:
    return board.state in nouns.ACTIVE


def scopes(owner: str, workspace: str, limits: Limits) -> tuple[tuple[str, int], ...]:
    """Returns the scopes that have a limit, narrowest first."""
    named = ((f"account:{owner}", limits.account), (f"workspace:{workspace}", limits.workspace), ("hub", limits.hub))
    return tuple((scope, limit) for scope, limit in named if limit is not None)


def full_scope(owner: str, workspace: str, limits: Limits, used: Mapping[str, int]) -> tuple[str, int, int] | None:
    """Returns scope, limit and use of the narrowest scope without a free slot. `used` has the number of active boards
    of each scope, without the one that wants to start."""
    for scope, limit in scopes(owner, workspace, limits):
        if used[scope] >= limit:
            return scope, limit, used[scope]
    return None
