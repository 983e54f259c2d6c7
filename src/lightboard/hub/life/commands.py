"""What people can do to a board. A command is a function from a board to a board, with an event if it changed anything.

Commands may be repeated: stopping a stopped board changes nothing and is no error. A command that changes what is
desired makes a new generation, and wakes the keeper (`look_again_at`). `opened` is a visit of the board's link.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from lightboard.hub.life import nouns, refusals
from lightboard.hub.life.nouns import Board, Desired, State, StopReason


@dataclasses.dataclass(frozen=True)
class Change:
    """The board after a command; `events` is empty if nothing changed."""

    board: Board
    events: tuple[nouns.Event, ...] = ()


def created(board: Board, actor: str) -> Change:
    """Prepares a new definition: it starts at once, and counts as used now."""
    board = dataclasses.replace(
        board,
        desired=Desired.RUN,
        generation=1,
        state=State.PENDING,
        state_since=board.created,
        last_activity=board.created,
        look_again_at=board.created,
    )
    return Change(board, (nouns.Event(board.id, board.created, "Created", actor),))


def start(board: Board, now: float, actor: str) -> Change:
    """Starts, resumes or tries again. The caller has checked the quota."""
    _refuse_deleted(board)
    if board.desired is Desired.RUN and board.state is not State.FAILED:
        return Change(board)
    stopping = board.state is State.STOPPING
    board = _desire(
        board,
        now,
        desired=Desired.RUN,
        stop_reason=None,
        # a board that is stopping stops first, then starts
        state=State.STOPPING if stopping else State.PENDING,
        state_since=board.state_since if stopping else now,
        reason="",
        message="",
        last_activity=max(now, board.last_activity),
        keep_alive_until=None,
        failures=0,
        next_try=None,
        started=board.started if stopping and board.stop_sent is None else None,
    )
    return Change(board, (nouns.Event(board.id, now, "StartRequested", actor),))


def stop(board: Board, now: float, actor: str, reason: StopReason = StopReason.USER) -> Change:
    _refuse_deleted(board)
    if board.state in (State.STOPPED, State.FAILED) or (board.desired is Desired.STOP and board.stop_sent is not None):
        return Change(board)
    if board.desired is Desired.STOP and board.stop_reason is reason:
        return Change(board)
    board = _desire(board, now, desired=Desired.STOP, stop_reason=reason, keep_alive_until=None)
    return Change(_stopping(board, now), (nouns.Event(board.id, now, "StopRequested", actor, reason.value),))


def delete(board: Board, now: float, actor: str) -> Change:
    if board.state is State.DELETING:
        return Change(board)
    board = _desire(
        board,
        now,
        desired=Desired.DELETE,
        stop_reason=None,
        state=State.DELETING,
        state_since=now,
        reason="",
        message="",
    )
    return Change(board, (nouns.Event(board.id, now, "DeleteRequested", actor),))


def keep_alive(board: Board, until: float, now: float, actor: str) -> Change:
    """Neither idle nor reclaimed before `until`; a time that has passed ends an earlier keep-alive. Counts as use."""
    _refuse_deleted(board)
    if board.state not in nouns.ACTIVE or board.desired is not Desired.RUN:
        raise refusals.NotRunning("the board does not run", hint="start it, then keep it alive")
    board = dataclasses.replace(
        board,
        keep_alive_until=until if until > now else None,
        last_activity=max(now, board.last_activity),
        generation=board.generation + 1,
        look_again_at=now,
    )
    return Change(board, (nouns.Event(board.id, now, "KeptAlive", actor),))


def opened(board: Board, now: float, actor: str) -> Change:
    """Somebody opens the link: a stopped board starts, unless an admin stopped it or its definition says no. A failed
    one waits for the button, since it would fail again for every visitor. Running boards see their use themselves."""
    asleep = board.state in (State.STOPPED, State.STOPPING) and board.desired is Desired.STOP
    if asleep and board.wake_on_open and board.stop_reason is not StopReason.ADMIN:
        return start(board, now, actor)
    return Change(board)


def redefine(board: Board, now: float, actor: str, **members: Any) -> Change:
    """Changes members of the definition. New sources need a new process: a running board is started again."""
    _refuse_deleted(board)
    members = {name: value for name, value in members.items() if getattr(board, name) != value}
    if not members:
        return Change(board)
    restarts = "sources" in members
    board = dataclasses.replace(
        board,
        **members,
        generation=board.generation + 1,
        revision=board.revision + restarts,
        look_again_at=now if board.state in nouns.ACTIVE else board.look_again_at,
    )
    if board.state not in nouns.ACTIVE:  # nothing has to follow the new definition before the next start
        board = dataclasses.replace(board, observed_generation=board.generation)
    message = ", ".join(sorted(members))
    return Change(board, (nouns.Event(board.id, now, "Changed", actor, message=message),))


def renew(board: Board, now: float, actor: str, reason: str) -> Change:
    """Something that the process got at its start has changed, such as a secret: it has to be started again."""
    if board.state not in nouns.ACTIVE:
        return Change(board)
    revision = board.revision + 1
    board = dataclasses.replace(board, generation=board.generation + 1, revision=revision, look_again_at=now)
    return Change(board, (nouns.Event(board.id, now, "Changed", actor, reason),))


def is_settled(board: Board, generation: int) -> bool:
    """Whether a wait for `generation` is over. A deleted board is gone instead: the caller finds none."""
    return board.observed_generation >= generation and board.state in nouns.SETTLED


def _refuse_deleted(board: Board) -> None:
    if board.state is State.DELETING:
        raise refusals.BeingDeleted(f"the board is being deleted: {board.id}")


def _desire(board: Board, now: float, **changes: Any) -> Board:
    return dataclasses.replace(board, **{"generation": board.generation + 1, "look_again_at": now, **changes})


def _stopping(board: Board, now: float) -> Board:
    if board.state is State.STOPPING:
        return board
    return dataclasses.replace(
        board, state=State.STOPPING, state_since=now, stop_sent=None, reason="", message="", next_try=None
    )
