"""Answers about boards, and how they are made.

    shapes.board(asked, board)      one
    shapes.boards(asked, boards)    many; names of owners, roles and policies are read once for all

`View` has everything that is needed to show boards to one client, so that a list, a detail and an event stream show
the same.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal

from lightboard.hub import life, runtimes
from lightboard.hub.api import failing
from lightboard.hub.api.routes import Answer, Asked
from lightboard.hub.db import settings
from lightboard.hub.life import accounts, policy
from lightboard.hub.people import may
from lightboard.hub.people.may import Action

BoardAction = Literal["read", "open", "command", "edit", "delete", "share", "logs"]
_ACTIONS: tuple[tuple[BoardAction, Action], ...] = (
    ("read", Action.BOARD_READ),
    ("open", Action.BOARD_OPEN),
    ("command", Action.BOARD_COMMAND),
    ("edit", Action.BOARD_EDIT),
    ("delete", Action.BOARD_DELETE),
    ("share", Action.BOARD_SHARE),
    ("logs", Action.BOARD_LOGS),
)
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")
_TYPES = {
    "file": "local", "pvc": "claim", "s3": "s3", "s3a": "s3", "s3n": "s3", "minio": "s3", "oss": "oss", "gs": "gs",
    "gcs": "gs", "az": "az", "azure": "az", "abfs": "az", "abfss": "az", "wasb": "az", "wasbs": "az", "http": "web",
    "https": "web",
}  # fmt: skip


class Source(Answer, frozen=True, kw_only=True):
    uri: str
    prefix: str  # stands before the names of runs
    secret: str  # the name of a secret of the workspace


class Effective(Answer, frozen=True, kw_only=True):
    """Seconds; 0: never."""

    idle_after: float
    reclaim_after: float
    max_runtime: float


class SourceProblem(Answer, frozen=True, kw_only=True):
    """A source that the running board cannot read."""

    uri: str
    code: str
    message: str


class Board(Answer, frozen=True, kw_only=True):
    id: str
    name: str
    workspace: str
    owner: str  # the name of a user
    state: life.State
    reason: str
    message: str
    desired: life.Desired
    url: str
    sources: tuple[Source, ...]
    type: str  # "local", "claim", "s3", "oss", "gs", "az", "web", or "mixed"
    visibility: life.Visibility
    labels: dict[str, str]
    source_type: str  # what it was created for, such as a training job
    source_id: str
    wake_on_open: bool  # opening the link of a stopped board starts it
    created: str
    last_activity: str
    state_since: str
    started: str | None
    idle_at: str | None  # null: never, or not in this state
    reclaim_at: str | None
    runtime_ends_at: str | None
    keep_alive_until: str | None
    generation: int  # grows with each change of what is desired
    observed_generation: int
    idle_after: float | None  # seconds, as chosen for this board; 0: never, null: inherited
    reclaim_after: float | None
    max_runtime: float | None
    effective: Effective
    problems: tuple[SourceProblem, ...]  # empty if nothing fails, or nothing is known
    may: tuple[BoardAction, ...]  # what the asking user may


@dataclasses.dataclass(frozen=True, kw_only=True)
class View:
    """How one client sees boards. A list has few kinds of boards, as far as `may` and the policies go: what was decided
    for one holds for all of its kind (`_allowed`, `_timings`)."""

    identity: may.Identity
    roles: Mapping[str, accounts.Role]
    policies: settings.Policies
    names: Mapping[str, str]  # of owners
    base_url: str
    places: Callable[[life.Board], Sequence[runtimes.Place]]
    _allowed: dict[object, tuple[BoardAction, ...]] = dataclasses.field(default_factory=dict, repr=False)
    _timings: dict[object, life.Timing] = dataclasses.field(default_factory=dict, repr=False)

    def sees(self, board: life.Board) -> bool:
        return may.sees(self.identity, self.thing(board))

    def thing(self, board: life.Board) -> may.OneBoard:
        return may.OneBoard(board, self.roles.get(board.workspace))

    def allowed(self, board: life.Board) -> tuple[BoardAction, ...]:
        """What the client may do with it. The key has everything of a board that `may` looks at."""
        user = self.identity.user
        mine, going = user is not None and board.owner == user.id, board.state is life.State.DELETING
        key = (board.workspace, board.visibility, mine, going, board.id == self.identity.shared_board)
        if key not in self._allowed:
            thing = self.thing(board)
            self._allowed[key] = tuple(name for name, action in _ACTIONS if may.may(self.identity, action, thing))
        return self._allowed[key]

    def _timing(self, board: life.Board) -> life.Timing:
        key = (board.workspace, board.policy)
        if key not in self._timings:
            self._timings[key] = self.policies.timing(board)
        return self._timings[key]

    def board(self, board: life.Board) -> Board:
        timing = self._timing(board)
        ends = policy.deadlines(board, timing)
        allowed = self.allowed(board)
        return Board(
            id=board.id,
            name=board.name,
            workspace=board.workspace,
            owner=self.names.get(board.owner, board.owner),
            state=board.state,
            reason=board.reason,
            # the other lines are of the board's log
            message=board.message if "logs" in allowed else board.message.partition("\n")[0],
            desired=board.desired,
            url=f"{self.base_url}/boards/{board.id}/",
            sources=tuple(Source(uri=each.uri, prefix=each.prefix, secret=each.secret) for each in board.sources),
            type=type_of(board.sources),
            visibility=board.visibility,
            labels=dict(board.labels),
            source_type=board.source_type,
            source_id=board.source_id,
            wake_on_open=board.wake_on_open,
            created=time(board.created),
            last_activity=time(board.last_activity),
            state_since=time(board.state_since),
            started=maybe_time(board.started),
            idle_at=maybe_time(ends.idle_at),
            reclaim_at=maybe_time(ends.reclaim_at),
            runtime_ends_at=maybe_time(ends.runtime_ends_at),
            keep_alive_until=maybe_time(board.keep_alive_until),
            generation=board.generation,
            observed_generation=board.observed_generation,
            idle_after=board.policy.idle_after_secs,
            reclaim_after=board.policy.reclaim_after_secs,
            max_runtime=board.policy.max_runtime_secs,
            effective=Effective(
                idle_after=_or_never(timing.idle_after_secs),
                reclaim_after=_or_never(timing.reclaim_after_secs),
                max_runtime=_or_never(timing.max_runtime_secs),
            ),
            problems=tuple(_problems(board, self.places(board))),
            may=allowed,
        )


def view(asked: Asked[Any, Any], owners: Iterable[str]) -> View:
    """Three queries, however many boards are shown."""
    database, user = asked.services.database, asked.identity.user
    return View(
        identity=asked.identity,
        roles=database.workspaces.roles(user.id) if user is not None else {},
        policies=database.settings.policies(),
        names=database.people.names(owners),
        base_url=asked.base_url,
        places=asked.failing.places,
    )


def boards(asked: Asked[Any, Any], shown: Sequence[life.Board]) -> list[Board]:
    made = view(asked, {each.owner for each in shown})
    return [made.board(each) for each in shown]


def board(asked: Asked[Any, Any], shown: life.Board) -> Board:
    return boards(asked, [shown])[0]


def time(at: float) -> str:
    """ISO 8601, UTC, with milliseconds. Times that no calendar has are the nearest that it has."""
    at = min(max(at, 0.0), 253402300799.0)
    return dt.datetime.fromtimestamp(at, dt.timezone.utc).isoformat(timespec="milliseconds")[:-6] + "Z"


def maybe_time(at: float | None) -> str | None:
    return None if at is None else time(at)


def type_of(sources: Sequence[life.Source]) -> str:
    types = {_type(each.uri) for each in sources}
    return types.pop() if len(types) == 1 else "mixed"


def _type(uri: str) -> str:
    match = _SCHEME.match(uri)
    if match is None:
        return "local"
    scheme = match[1].lower()
    if scheme == "t9k":  # t9k://pvc/… is a claim, t9k://minio/… a bucket
        return "s3" if uri[match.end() :].startswith(("minio/", "s3/")) else "claim"
    return _TYPES.get(scheme, scheme)


def _or_never(secs: float) -> float:
    return 0.0 if math.isinf(secs) else secs


def _problems(board: life.Board, places: Sequence[runtimes.Place]) -> Iterable[SourceProblem]:
    """Under the address that people wrote: a board reads a claim at a directory of the hub, a bucket with a secret."""
    in_order = len(places) == len(board.sources)
    for number, each in enumerate(places):
        if failing.fails(each):
            uri = board.sources[number].uri if in_order else each.path
            yield SourceProblem(uri=uri, code=each.problem, message=each.detail)
