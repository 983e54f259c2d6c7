"""Which scope has no free slot for a board: its account, its namespace, the cluster. Pure."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from lightboard.hub.life import nouns, quota
from lightboard.operator import plan as plans
from lightboard.operator.kinds import Definition
from lightboard.operator.queue import Key

MOST_LISTED = 10


def waits(board: nouns.Board) -> bool:
    """Has no slot: it waits for one, or for its sources."""
    return board.state is nouns.State.PENDING and bool(board.reason)


def full(definition: Definition, memories: Mapping[Key, plans.Memory], limits: quota.Limits) -> plans.Full | None:
    """The narrowest scope without a free slot. Boards of other namespaces are counted, not named."""
    if not definition.account:
        limits = dataclasses.replace(limits, account=None)
    used = {name: 0 for name, _ in quota.scopes(definition.account, definition.namespace, limits)}
    named: dict[str, list[str]] = {name: [] for name in used}
    for key, each in memories.items():
        if key == definition.key or each.board.state not in nouns.ACTIVE or waits(each.board):
            continue
        for scope in (f"account:{each.board.owner}", f"workspace:{key[1]}", "hub"):
            if scope in used:
                used[scope] += 1
                named[scope] += [key[2]] if key[1] == definition.namespace else []
    found = quota.full_scope(definition.account, definition.namespace, limits, used)
    if found is None:
        return None
    scope, limit, number = found
    kind, _, name = scope.partition(":")
    word = {"workspace": f"the namespace {name}", "account": f"the account {name}"}.get(kind, "the cluster")
    return word, limit, number, tuple(sorted(named[scope])[:MOST_LISTED])
