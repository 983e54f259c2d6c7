"""The board as the hub knows it: what people want (definition, desired state) and what is so (state, times).

All values are immutable. Times are Unix seconds that the caller hands in; nothing here reads a clock.
"""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Mapping


class State(str, enum.Enum):
    """One state at a time; `Board.reason` says why. See `ACTIVE` for what counts against a quota."""

    PENDING = "Pending"  # accepted; starts at the next look, or after a back-off
    STARTING = "Starting"  # its process starts and does not answer yet
    RUNNING = "Running"  # answers
    IDLE = "Idle"  # answers, and nobody has used it for `idle_after`
    STOPPING = "Stopping"
    STOPPED = "Stopped"  # no process; definition and index are kept. `reason` is a StopReason
    FAILED = "Failed"  # did not start, or crashed too often. `reason` is a code, `message` has the last lines
    DELETING = "Deleting"  # everything is being removed; then the board is gone


# States in which a board uses a slot of its quotas.
ACTIVE = frozenset({State.PENDING, State.STARTING, State.RUNNING, State.IDLE, State.STOPPING})
# States that last until a command or a deadline changes them.
SETTLED = frozenset({State.RUNNING, State.IDLE, State.STOPPED, State.FAILED})


class Desired(str, enum.Enum):
    RUN = "Run"
    STOP = "Stop"
    DELETE = "Delete"


class StopReason(str, enum.Enum):
    USER = "User"
    IDLE_RECLAIMED = "IdleReclaimed"
    MAX_RUNTIME = "MaxRuntime"
    ADMIN = "Admin"


class Visibility(str, enum.Enum):
    PRIVATE = "private"
    WORKSPACE = "workspace"
    LINK = "link"
    PUBLIC = "public"


@dataclasses.dataclass(frozen=True)
class Source:
    """Where logs are. `prefix` stands before the names of runs, `secret` names a secret of the board's workspace."""

    uri: str
    prefix: str = ""
    secret: str = ""


@dataclasses.dataclass(frozen=True)
class Policy:
    """What somebody chose for a board, a workspace or the hub; None means inherited, 0 means never."""

    idle_after_secs: float | None = None
    reclaim_after_secs: float | None = None
    max_runtime_secs: float | None = None


@dataclasses.dataclass(frozen=True, kw_only=True)
class Board:
    # -- definition: what people wrote
    id: str
    name: str
    workspace: str
    owner: str
    sources: tuple[Source, ...]
    created: float
    policy: Policy = Policy()
    visibility: Visibility = Visibility.PRIVATE
    labels: Mapping[str, str] = dataclasses.field(default_factory=dict, hash=False)
    # what it was created for, such as a training job: create-or-resume finds it by these two
    source_type: str = ""
    source_id: str = ""
    # opening the link of a stopped board starts it
    wake_on_open: bool = True

    # -- desired: changed by commands, and by deadlines
    desired: Desired = Desired.RUN
    # who stopped it, if it should stop
    stop_reason: StopReason | None = None
    # grows with each change of what is desired; waits name the generation they wait for
    generation: int = 1
    # grows when the process has to be started again with a new definition (sources, secrets)
    revision: int = 1

    # -- observed: changed only by `step` and by commands
    state: State = State.PENDING
    reason: str = ""
    message: str = ""
    # when `state` began
    state_since: float = 0.0
    # the newest generation whose desired state was reached, or failed
    observed_generation: int = 0
    # number of the process: grows with each start, so that an old process is not taken for the new one
    attempt: int = 0
    attempted_at: float | None = None
    # crashes in a row; the next start waits until `next_try`
    failures: int = 0
    next_try: float | None = None
    # when the first stop of this Stopping was sent; None: nothing was done yet, the stop can be undone
    stop_sent: float | None = None
    # when the board first answered since the last command `start`
    started: float | None = None

    # -- use
    last_activity: float = 0.0
    # when its process first answered: deadlines count from here if it was not used since. Nobody could use the board
    # while it waited for its start, and a crash takes a process's memory of its use
    answering_since: float = 0.0
    keep_alive_until: float | None = None

    # -- observations
    last_seen: float | None = None
    # since when observations have come without a gap
    watched_since: float | None = None
    # since when its process has been alive without answering
    silent_since: float | None = None

    # -- bookkeeping
    # when `step` should be called again; None: not before a command
    look_again_at: float | None = None
    # number of writes; only the database changes it
    version: int = 0


class Phase(str, enum.Enum):
    """What a runtime sees of a board's process."""

    ABSENT = "absent"  # there is none, or it was stopped
    STARTING = "starting"  # alive, does not answer
    ANSWERING = "answering"
    EXITED = "exited"  # ended, and nobody asked for it; or it could not be started


@dataclasses.dataclass(frozen=True, kw_only=True)
class Seen:
    """A fresh observation of a board's process. `attempt` and `revision` are those of the board that was started."""

    at: float
    phase: Phase
    attempt: int = 0
    revision: int = 0
    # last use as the board tells it; `used_by` is "page", "request", or "start" for its own start, which is no use
    used: float | None = None
    used_by: str = ""
    # the phase of the start ("listing 300 files"), or the last lines of the log
    message: str = ""
    # why it exited or could not start: a code such as "OutOfMemory"
    reason: str = ""
    exit_code: int | None = None
    # trying again is of no use, as with a secret that does not exist
    permanent: bool = False

    @property
    def alive(self) -> bool:
        return self.phase in (Phase.STARTING, Phase.ANSWERING)


# The actor of events that the hub causes itself.
HUB = "hub"


@dataclasses.dataclass(frozen=True)
class Event:
    """Something that happened to a board. `actor` is the id of a user, or HUB."""

    board: str
    time: float
    kind: str
    actor: str = HUB
    reason: str = ""
    message: str = ""
