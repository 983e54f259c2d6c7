"""The board of a job, and one board over all jobs with the same label.

A board is made when the job has written its first events, by the rules of every board: its user owns it, sources are
checked, limits hold. A refusal never reaches the job: it is noted (`BoardSkipped`, with the reason), and tried again.
"""

from __future__ import annotations

import dataclasses
import secrets
from collections.abc import Callable, Sequence
from typing import Protocol

from lightboard import errors
from lightboard.hub import db
from lightboard.hub import life as life_
from lightboard.hub.life import accounts, commands, jobs, names, refusals
from lightboard.hub.life.jobs import BoardMode, BoardStatus, Job
from lightboard.hub.people import may

AGAIN_SECS = 20.0
# A board that could not be made so long after the end of its job is given up; somebody may still ask for it.
GIVE_UP_SECS = 86400.0
MOST_SOURCES = 200  # of a board over many jobs: the newest
LONGEST_MESSAGE = 500


class Sources(Protocol):
    def check(self, workspace: str, sources: Sequence[life_.Source], *, admin: bool) -> None:
        """Raises a refusal for a source that cannot be used."""


class NotPossible(refusals.Refusal):
    """The job has no board, and cannot have one (409 NoBoard)."""

    status = 409
    rest_code = "NoBoard"


@dataclasses.dataclass(frozen=True)
class JobBoards:
    database: db.Database
    sources: Sources
    clock: Callable[[], float]

    def make(self, job: Job, actor: accounts.User | None = None) -> life_.Board | life_.LimitExceeded:
        """Creates or starts the board of a job; `actor` is by default the user of the job. Raises refusals."""
        if job.board_mode is BoardMode.LABEL and job.board_label in job.labels:
            return self.make_labeled(
                job.workspace, job.board_label, job.labels[job.board_label], self._user(job, actor)
            )
        if not logdir_of(job):
            hint = "name it when you register the job"
            raise NotPossible("the job has no log directory", hint=hint)
        sources = (life_.Source(logdir_of(job)),)
        return self._ensure(job.workspace, job.name, sources, (jobs.BOARD_SOURCE, job.id), self._user(job, actor), job)

    def make_labeled(
        self, workspace: str, label: str, value: str, actor: accounts.User
    ) -> life_.Board | life_.LimitExceeded:
        """One board over all jobs with a label. Sources of jobs that came since are added. Raises refusals."""
        found = [each for each in self.database.jobs.of_label(workspace, label, value, MOST_SOURCES) if logdir_of(each)]
        if not found:
            raise NotPossible(f"no job with a log directory has the label {label}={value}"[:300])
        sources = _labeled_sources(found)
        source = (jobs.LABEL_SOURCE, f"{label}={value}")
        return self._ensure(workspace, value or label, sources, source, actor, None)

    def try_make(self, job: Job) -> Job:
        """Makes the board of a job if it is due, and notes what became of it."""
        now = self.clock()
        if job.board_again_at is None or job.board_again_at > now:
            return job
        try:
            made = self.make(job)
        except (errors.LightboardError, OSError) as error:
            return self._note(job, message=str(getattr(error, "message", error)))
        if isinstance(made, life_.LimitExceeded):
            kind = made.scope.partition(":")[0]
            return self._note(job, message=f"{made.used} of {made.limit} boards are active ({kind})")
        return self._note(job, board=made.id)

    def noted(self, job: Job, board: str) -> Job:
        """A board that somebody asked for belongs to the job from now on."""
        return self._note(job, board=board)

    def _note(self, job: Job, *, board: str = "", message: str = "") -> Job:
        now = self.clock()

        def command(each: Job) -> Job:
            if board:
                return dataclasses.replace(
                    each, board=board, board_status=BoardStatus.MADE, board_message="", board_again_at=None
                )
            given_up = each.ended is not None and now - each.ended > GIVE_UP_SECS
            return dataclasses.replace(
                each,
                board_status=BoardStatus.SKIPPED,
                board_message=message[:LONGEST_MESSAGE],
                board_again_at=None if given_up else now + AGAIN_SECS,
            )

        try:
            return self.database.jobs.change(job.id, command)[1]
        except errors.NotFound:  # deleted meanwhile
            return job

    def _user(self, job: Job, actor: accounts.User | None) -> accounts.User:
        user = actor or self.database.people.user(job.user)
        if user is None or not user.enabled:
            raise NotPossible("the user of the job has no account any more")
        return user

    def _ensure(
        self,
        workspace: str,
        name: str,
        sources: tuple[life_.Source, ...],
        source: tuple[str, str],
        user: accounts.User,
        job: Job | None,
    ) -> life_.Board | life_.LimitExceeded:
        role = self.database.workspaces.role(workspace, user.id)
        identity = may.Identity(user, "job")
        if not may.may(identity, may.Action.BOARD_CREATE, may.InWorkspace(workspace, role)):
            raise NotPossible("the user of the job may not create boards in this workspace", hint="ask an editor of it")
        self.sources.check(workspace, sources, admin=user.admin)
        now = self.clock()
        board = life_.Board(
            id=names.new_id("b", secrets.token_bytes(names.ID_BYTES)),
            name=name[: names.LONGEST_NAME],
            workspace=workspace,
            owner=user.id,
            sources=sources,
            created=now,
            visibility=life_.Visibility.WORKSPACE,
            labels=dict(job.labels) if job is not None else dict([source[1].split("=", 1)]),
            source_type=source[0],
            source_id=source[1],
        )

        def start(each: life_.Board) -> commands.Change:
            redefined = commands.redefine(each, now, user.id, sources=_joined(each.sources, sources))
            started = commands.start(redefined.board, now, user.id)
            return commands.Change(started.board, (*redefined.events, *started.events))

        def mine(each: life_.Board) -> bool:
            return may.may(identity, may.Action.BOARD_COMMAND, may.OneBoard(each, role))

        limits = self.database.settings.limits(user.id, workspace)
        made = self.database.boards.ensure(commands.created(board, user.id), limits, start, mine)
        return made if isinstance(made, life_.LimitExceeded) else made.board


def logdir_of(job: Job) -> str:
    """Where its event files are. PAI's clients name channels."""
    return job.logdir or job.outputs.get("tensorboard", "")


def _labeled_sources(found: Sequence[Job]) -> tuple[life_.Source, ...]:
    """Oldest first; jobs that share a name are told apart by their ids."""
    counts: dict[str, int] = {}
    for each in found:
        counts[each.name] = counts.get(each.name, 0) + 1
    places: dict[str, str] = {}
    for each in reversed(found):
        places.setdefault(logdir_of(each), each.name if counts[each.name] == 1 else f"{each.name}-{each.id[-4:]}")
    return tuple(life_.Source(uri, prefix) for uri, prefix in places.items())


def _joined(before: tuple[life_.Source, ...], wanted: tuple[life_.Source, ...]) -> tuple[life_.Source, ...]:
    """Sources that somebody added by hand stay, and so do prefixes: a running board is started again only for a new
    directory."""
    known = {each.uri for each in before}
    added = tuple(each for each in wanted if each.uri not in known)
    return (*before, *added)[-MOST_SOURCES:] if added else before
