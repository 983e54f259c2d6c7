"""Boards and observations for tests of `hub/life`, as short as a sentence."""

from __future__ import annotations

import dataclasses
from typing import Any

from lightboard.hub import life
from lightboard.hub.life import commands, policy

HOUR = 3600.0
DAY = 24 * HOUR
# when the boards of these tests are created
T0 = 1_000_000.0
TIMING = policy.effective()


def defined(**members: Any) -> life.Board:
    values = {
        "id": "b-1",
        "name": "digits",
        "workspace": "team",
        "owner": "ada",
        "sources": (life.Source("file:///logs"),),
        "created": T0,
        **members,
    }
    return life.Board(**values)


def pending(**members: Any) -> life.Board:
    return commands.created(defined(**members), "ada").board


def starting(**members: Any) -> life.Board:
    return stepped(pending(**members), life.Phase.ABSENT, T0)


def running(**members: Any) -> life.Board:
    return stepped(starting(**members), life.Phase.ANSWERING, T0)


def seen(board: life.Board, phase: life.Phase, at: float, **members: Any) -> life.Seen:
    """What a runtime sees of the process that `board` describes."""
    return dataclasses.replace(life.Seen(at=at, phase=phase, attempt=board.attempt, revision=board.revision), **members)


def decide(board: life.Board, phase: life.Phase | None, at: float, **members: Any) -> life.Decision:
    timing = members.pop("timing", TIMING)
    return life.step(board, None if phase is None else seen(board, phase, at, **members), at, timing)


def stepped(board: life.Board, phase: life.Phase, at: float, **members: Any) -> life.Board:
    return decide(board, phase, at, **members).board


def watched(board: life.Board, start: float, end: float, **members: Any) -> life.Board:
    """The board after it answered every half minute from `start` to before `end`."""
    at = start
    while at < end:
        board = stepped(board, life.Phase.ANSWERING, at, **members)
        at += 30.0
    return board
