"""How long boards may be unused: which setting counts, what others than admins may choose, and the two deadlines.

    last use, or the first answer of its process ── idle_after ──▶ idle_at ── reclaim_after ──▶ reclaim_at

Both deadlines are computed, never stored, so they follow a change of the policy.
"""

from __future__ import annotations

import dataclasses
import math

from lightboard.hub.life import durations, nouns, refusals

DEFAULT = nouns.Policy(idle_after_secs=3600.0, reclaim_after_secs=86400.0, max_runtime_secs=0.0)
# What others than admins may choose, unless an admin sets other bounds.
SHORTEST = nouns.Policy(idle_after_secs=60.0, reclaim_after_secs=60.0, max_runtime_secs=60.0)
LONGEST = nouns.Policy(idle_after_secs=86400.0, reclaim_after_secs=30 * 86400.0)
MEMBERS = ("idle_after_secs", "reclaim_after_secs", "max_runtime_secs")


@dataclasses.dataclass(frozen=True)
class Timing:
    """A policy with nothing left to inherit; infinity stands for never."""

    idle_after_secs: float
    reclaim_after_secs: float
    max_runtime_secs: float


@dataclasses.dataclass(frozen=True)
class Bounds:
    """What others than admins may choose; "never" counts as longer than everything. None: no bound."""

    shortest: nouns.Policy = SHORTEST
    longest: nouns.Policy = LONGEST


def effective(*policies: nouns.Policy) -> Timing:
    """Returns the policy of a board from its own, its workspace's and the hub's; the first that has a value counts."""
    return Timing(**{name: _first(name, (*policies, DEFAULT)) for name in MEMBERS})


def _first(name: str, policies: tuple[nouns.Policy, ...]) -> float:
    return _or_never(next(value for each in policies if (value := getattr(each, name)) is not None))


def _or_never(secs: float) -> float:
    return secs if secs > 0 else math.inf


def check(policy: nouns.Policy, bounds: Bounds) -> None:
    """Raises `refusals.BadDuration` for a policy that only an admin may set."""
    for name in MEMBERS:
        value = getattr(policy, name)
        if value is None:
            continue
        least, most = getattr(bounds.shortest, name), getattr(bounds.longest, name)
        too_short = least is not None and _or_never(value) < least
        too_long = most is not None and _or_never(value) > _or_never(most)
        if too_short or too_long:
            word = name.removesuffix("_secs")
            limits = [f"at least {durations.text(least)}"] if least is not None else []
            limits += [f"at most {durations.text(most)}"] if most is not None else []
            hint = f"choose {' and '.join(limits)}, or ask an admin"
            raise refusals.BadDuration(f"`{word}` of {durations.text(value)} is not allowed", hint=hint)


def idle_at(board: nouns.Board, timing: Timing) -> float:
    """When the board becomes idle if nobody uses it; infinity for never."""
    counts_from = max(board.last_activity, board.answering_since)
    return max(counts_from + timing.idle_after_secs, board.keep_alive_until or 0.0)


def reclaim_at(board: nouns.Board, timing: Timing) -> float:
    """When the board is stopped if nobody uses it; infinity for never."""
    return idle_at(board, timing) + timing.reclaim_after_secs


def runtime_ends_at(board: nouns.Board, timing: Timing) -> float:
    return math.inf if board.started is None else board.started + timing.max_runtime_secs


@dataclasses.dataclass(frozen=True)
class Deadlines:
    """What is shown to people; None: it will not happen, or not while the board is in this state."""

    idle_at: float | None
    reclaim_at: float | None
    runtime_ends_at: float | None


def deadlines(board: nouns.Board, timing: Timing) -> Deadlines:
    if board.state not in (nouns.State.RUNNING, nouns.State.IDLE):
        return Deadlines(None, None, None)
    times = (idle_at(board, timing), reclaim_at(board, timing), runtime_ends_at(board, timing))
    return Deadlines(*(None if math.isinf(each) else each for each in times))
