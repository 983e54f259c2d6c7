"""The life of a board: nouns, commands, and the step by which its state follows what is desired.

Pure: no files, no network, no clock. API, keeper and operator call it, so that a board behaves the same on a
laptop and on a cluster.

    commands    what people do: create, start, stop, delete, keep alive, open the link, change the definition
    steps       (board, what is seen, now, timing) → (board, actions, events)
    policy      idle and reclaim times, who may set them, the deadlines
    quota       how many boards may be active
    names, durations    texts of people, checked
    accounts    users, workspaces, tokens, secrets, shares
    jobs        training jobs: states, reports, requests to stop, silence
"""

from __future__ import annotations

from lightboard.hub.life.nouns import (
    ACTIVE,
    HUB,
    SETTLED,
    Board,
    Desired,
    Event,
    Phase,
    Policy,
    Seen,
    Source,
    State,
    StopReason,
    Visibility,
)
from lightboard.hub.life.policy import Timing
from lightboard.hub.life.quota import LimitExceeded, Limits
from lightboard.hub.life.steps import Act, Decision, step

__all__ = [
    "ACTIVE",
    "HUB",
    "SETTLED",
    "Act",
    "Board",
    "Decision",
    "Desired",
    "Event",
    "LimitExceeded",
    "Limits",
    "Phase",
    "Policy",
    "Seen",
    "Source",
    "State",
    "StopReason",
    "Timing",
    "Visibility",
    "step",
]
