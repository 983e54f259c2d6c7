"""How a board's state follows what is desired: `step(board, seen, now, timing)`, a pure function.

The caller observes the board's process, calls `step`, stores the decision's board, and only then does its actions. An
action may be lost or done twice: the next step sees what is real and asks again.

    Pending ─▶ Starting ─▶ Running ⇄ Idle ─▶ Stopping ─▶ Stopped        any ─▶ Deleting ─▶ gone
       ▲           │          │        │         │
       └── crash ──┴──────────┴────────┘         └─▶ Pending, if `start` came meanwhile
             too often, or too slow ─▶ Failed

Rules:

- No observation, no decision. An observation that is older than the last change of state counts as none.
- A board is idle or reclaimed only by an observation at or after the deadline, in which the board itself tells its
  last use. After a gap in the observations (the hub was down, the machine slept) a reclaim waits for `window_secs`
  more: open pages get the time to report themselves.
- Use wins over a reclaim. First the state becomes Stopping, so that no visitor is forwarded; then the board is asked
  once more; only then its process is stopped.
- A process that ends takes its memory of its use with it, so the deadlines count from the first answer of the next one;
  `last_activity` stays.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Any

from lightboard.hub.life import nouns, policy
from lightboard.hub.life.nouns import Board, Desired, Phase, Seen, State, StopReason

# A board that does not answer this long after its start has failed.
START_SECS = 120.0
# A running board that is silent this long is started again; reading many logs may keep it busy for a while.
SILENT_SECS = 120.0
# After this many crashes in a row the board has failed.
MOST_FAILURES = 5
# Waits before starts after the first, second … crash.
BACK_OFF_SECS = (1.0, 2.0, 4.0, 8.0)
# A board that ran this long has not crashed "in a row".
STABLE_SECS = 600.0
# A running board is observed this often, and at its deadlines.
POLL_SECS = 30.0
# Longer without an observation is a gap.
GAP_SECS = 120.0
# How long a board must have been observed without a gap before it is reclaimed.
WINDOW_SECS = 60.0
# A stop is repeated this often until the process is gone.
STOP_AGAIN_SECS = 1.0
# The next try when a board cannot be observed.
UNSEEN_SECS = 5.0
LONGEST_MESSAGE = 4000


class Act:
    """Names of actions. `START` must do nothing if a process of that attempt lives; `REMOVE` deletes index and logs."""

    START = "start"
    STOP = "stop"
    REMOVE = "remove"


@dataclasses.dataclass(frozen=True)
class Decision:
    """The board to store, then what to do, in order. `gone`: remove the board's row after the actions succeeded."""

    board: Board
    actions: tuple[str, ...] = ()
    events: tuple[nouns.Event, ...] = ()
    gone: bool = False

    @property
    def look_again_at(self) -> float | None:
        return self.board.look_again_at


def step(board: Board, seen: Seen | None, now: float, timing: policy.Timing) -> Decision:
    if seen is None or _is_old(board, seen, now):
        return Decision(_replace(board, look_again_at=now + UNSEEN_SECS))
    before = board.observed_generation
    decision = _BY_STATE[board.state](_noticed(board, seen), seen, now, timing)
    if _reached(decision.board) and before != board.generation:
        reached = _replace(decision.board, observed_generation=decision.board.generation)
        decision = dataclasses.replace(decision, board=reached)
    return decision


def _reached(board: Board) -> bool:
    if board.desired is Desired.RUN:
        return board.state in (State.RUNNING, State.IDLE, State.FAILED)
    return board.desired is Desired.STOP and board.state in (State.STOPPED, State.FAILED)


def _is_old(board: Board, seen: Seen, now: float) -> bool:
    """A clock that was set back makes no observation old."""
    return seen.at < board.state_since <= now


def _noticed(board: Board, seen: Seen) -> Board:
    gap = board.last_seen is None or not 0 <= seen.at - board.last_seen <= GAP_SECS
    used = board.last_activity
    if seen.phase is Phase.ANSWERING and seen.used is not None and seen.used_by != "start":
        used = max(used, min(seen.used, seen.at))
    return _replace(board, last_seen=seen.at, watched_since=seen.at if gap else board.watched_since, last_activity=used)


# -- states


def _pending(board: Board, seen: Seen, now: float, timing: policy.Timing) -> Decision:
    if seen.alive:  # left over from before
        return Decision(_replace(board, look_again_at=now + STOP_AGAIN_SECS / 4), (Act.STOP,))
    if board.next_try is not None and now < board.next_try:
        return Decision(_replace(board, look_again_at=board.next_try))
    board = _enter(
        board, State.STARTING, now, attempt=board.attempt + 1, attempted_at=now, next_try=None, look_again_at=now + 0.05
    )
    return Decision(board, (Act.START,), (_event(board, now, "Starting"),))


def _starting(board: Board, seen: Seen, now: float, timing: policy.Timing) -> Decision:
    ours = seen.attempt == board.attempt and seen.revision == board.revision
    if seen.alive and not ours:
        return _restart(board, now)
    if seen.phase is Phase.ANSWERING:
        started = board.started if board.started is not None else seen.at
        board = _enter(board, State.RUNNING, now, started=started, silent_since=None, answering_since=seen.at)
        return Decision(_look_at_deadline(board, now, timing), events=(_event(board, now, "Running"),))
    if seen.phase is Phase.EXITED and seen.attempt == board.attempt:
        return _crashed(board, seen, now)
    since = board.attempted_at if board.attempted_at is not None else board.state_since
    if now - since > START_SECS:
        return _failed(board, seen, now, "StartTimeout", f"did not answer within {START_SECS:.0f} s")
    again = now + min(1.0, 0.05 + (now - since) / 10)
    board = _replace(board, message=_shortened(seen.message), look_again_at=again)
    return Decision(board, () if seen.alive else (Act.START,))


def _running(board: Board, seen: Seen, now: float, timing: policy.Timing) -> Decision:
    if not seen.alive:
        return _crashed(board, seen, now)
    if (seen.attempt, seen.revision) != (board.attempt, board.revision):
        return _restart(board, now)
    if now >= policy.runtime_ends_at(board, timing):
        return _stop(board, now, StopReason.MAX_RUNTIME)
    if seen.phase is Phase.STARTING:
        return _silent(board, seen, now)
    board = _replace(board, silent_since=None, failures=_failures_after(board, now))
    idle = seen.at >= policy.idle_at(board, timing)
    if idle and board.state is State.IDLE and _may_reclaim(board, seen, timing):
        return _reclaim(board, now)
    return _idle_or_running(board, idle, now, timing)


def _idle_or_running(board: Board, idle: bool, now: float, timing: policy.Timing) -> Decision:
    state = State.IDLE if idle else State.RUNNING
    events: tuple[nouns.Event, ...] = ()
    if state is not board.state:
        board = _enter(board, state, now)
        events = (_event(board, now, "Idle" if idle else "Used"),)
    return Decision(_look_at_deadline(board, now, timing), events=events)


def _stopping(board: Board, seen: Seen, now: float, timing: policy.Timing) -> Decision:
    if board.stop_sent is None and _is_unneeded(board, seen, timing):
        return _revived(board, seen, now, timing)
    if seen.alive:
        sent = board.stop_sent if board.stop_sent is not None else now
        return Decision(_replace(board, stop_sent=sent, look_again_at=now + STOP_AGAIN_SECS), (Act.STOP,))
    if board.desired is Desired.RUN:
        return Decision(_enter(board, State.PENDING, now, stop_sent=None, look_again_at=now))
    reason = board.stop_reason or StopReason.USER
    board = _enter(board, State.STOPPED, now, reason=reason.value, stop_sent=None, started=None, look_again_at=None)
    return Decision(board, events=(_event(board, now, "Stopped"),))


def _is_unneeded(board: Board, seen: Seen, timing: policy.Timing) -> bool:
    """Whether the stop can be dropped: somebody wants the board to run again, or used it before the last question."""
    if board.desired is Desired.RUN:
        return True
    if board.stop_reason is not StopReason.IDLE_RECLAIMED:
        return False
    return seen.phase is not Phase.ANSWERING or seen.at < policy.reclaim_at(board, timing)


def _revived(board: Board, seen: Seen, now: float, timing: policy.Timing) -> Decision:
    if board.desired is not Desired.RUN:
        board = _replace(board, desired=Desired.RUN, stop_reason=None, generation=board.generation + 1)
    if board.started is None:  # it was stopped before it ever answered
        return Decision(_enter(board, State.PENDING, now, look_again_at=now))
    board = _enter(board, State.RUNNING, now)
    decision = _running(board, seen, now, timing)
    return dataclasses.replace(decision, events=(_event(board, now, "Used"), *decision.events))


def _at_rest(board: Board, seen: Seen, now: float, timing: policy.Timing) -> Decision:
    """Stopped and Failed: nothing may run."""
    if seen.alive:
        return Decision(_replace(board, look_again_at=now + STOP_AGAIN_SECS), (Act.STOP,))
    return Decision(_replace(board, look_again_at=None))


def _deleting(board: Board, seen: Seen, now: float, timing: policy.Timing) -> Decision:
    board = _replace(board, look_again_at=now + STOP_AGAIN_SECS)
    if seen.alive:
        return Decision(board, (Act.STOP,))
    return Decision(board, (Act.REMOVE,), gone=True)


_BY_STATE: dict[State, Callable[[Board, Seen, float, policy.Timing], Decision]] = {
    State.PENDING: _pending,
    State.STARTING: _starting,
    State.RUNNING: _running,
    State.IDLE: _running,
    State.STOPPING: _stopping,
    State.STOPPED: _at_rest,
    State.FAILED: _at_rest,
    State.DELETING: _deleting,
}


# -- transitions


def _may_reclaim(board: Board, seen: Seen, timing: policy.Timing) -> bool:
    since = board.watched_since if board.watched_since is not None else seen.at
    return seen.at >= max(policy.reclaim_at(board, timing), since + window_secs(timing))


def window_secs(timing: policy.Timing) -> float:
    """A short policy, as in a trial, has a short window."""
    return min(WINDOW_SECS, timing.idle_after_secs + timing.reclaim_after_secs)


def _reclaim(board: Board, now: float) -> Decision:
    """No action yet: see the rules above."""
    decision = _stop(board, now, StopReason.IDLE_RECLAIMED)
    return dataclasses.replace(decision, board=_replace(decision.board, stop_sent=None, look_again_at=now), actions=())


def _stop(board: Board, now: float, reason: StopReason) -> Decision:
    board = _replace(board, desired=Desired.STOP, stop_reason=reason, generation=board.generation + 1)
    board = _enter(board, State.STOPPING, now, reason=reason.value, stop_sent=now, look_again_at=now + STOP_AGAIN_SECS)
    return Decision(board, (Act.STOP,), (_event(board, now, "Stopping"),))


def _restart(board: Board, now: float) -> Decision:
    """An old process, or one with an old definition: it stops, then the board starts again."""
    board = _enter(
        board,
        State.STOPPING,
        now,
        reason="Changed",
        stop_sent=now,
        silent_since=None,
        look_again_at=now + STOP_AGAIN_SECS / 4,
    )
    return Decision(board, (Act.STOP,), (_event(board, now, "Restarting"),))


def _silent(board: Board, seen: Seen, now: float) -> Decision:
    since = board.silent_since if board.silent_since is not None else seen.at
    board = _replace(board, silent_since=since, look_again_at=now + 2.0)
    if seen.at - since <= SILENT_SECS:
        return Decision(board)
    seen = dataclasses.replace(seen, reason="NotAnswering", message=f"did not answer for {SILENT_SECS:.0f} s")
    decision = _crashed(board, seen, now)
    return dataclasses.replace(decision, actions=(Act.STOP, *decision.actions))


def _crashed(board: Board, seen: Seen, now: float) -> Decision:
    reason = seen.reason or ("Vanished" if seen.phase is Phase.ABSENT else "Crashed")
    failures = _failures_after(board, now) + 1
    board = _replace(board, failures=failures, silent_since=None)
    if seen.permanent or failures >= MOST_FAILURES:
        return _failed(board, seen, now, reason, seen.message)
    wait = BACK_OFF_SECS[min(failures, len(BACK_OFF_SECS)) - 1]
    message = _shortened(seen.message)
    board = _enter(
        board, State.PENDING, now, reason=reason, message=message, next_try=now + wait, look_again_at=now + wait
    )
    return Decision(board, events=(_event(board, now, "Crashed"),))


def _failed(board: Board, seen: Seen, now: float, reason: str, message: str) -> Decision:
    again = now + STOP_AGAIN_SECS if seen.alive else None
    lines = f"{message}\n{seen.message}" if seen.message and message != seen.message else message
    board = _enter(
        board,
        State.FAILED,
        now,
        reason=reason,
        message=_shortened(lines),
        next_try=None,
        started=None,
        look_again_at=again,
    )
    return Decision(board, (Act.STOP,) if seen.alive else (), (_event(board, now, "Failed"),))


# -- small parts


def _failures_after(board: Board, now: float) -> int:
    since = board.attempted_at if board.attempted_at is not None else now
    return 0 if board.started is not None and now - since >= STABLE_SECS else board.failures


def _look_at_deadline(board: Board, now: float, timing: policy.Timing) -> Board:
    ahead = [policy.idle_at(board, timing), policy.reclaim_at(board, timing), policy.runtime_ends_at(board, timing)]
    if board.watched_since is not None:
        ahead.append(board.watched_since + window_secs(timing))
    return _replace(board, look_again_at=min([now + POLL_SECS, *(each for each in ahead if each > now)]))


def _enter(board: Board, state: State, now: float, **changes: Any) -> Board:
    return _replace(board, **{"state": state, "state_since": now, "reason": "", "message": "", **changes})


def _event(board: Board, now: float, kind: str) -> nouns.Event:
    return nouns.Event(board.id, now, kind, nouns.HUB, board.reason, board.message)


def _shortened(text: str) -> str:
    """The end of a log says why."""
    return text if len(text) <= LONGEST_MESSAGE else "…" + text[-LONGEST_MESSAGE:]


def _replace(board: Board, **changes: Any) -> Board:
    if "look_again_at" in changes and changes["look_again_at"] is not None and math.isinf(changes["look_again_at"]):
        changes["look_again_at"] = None
    return dataclasses.replace(board, **changes)
