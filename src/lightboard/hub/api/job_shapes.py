"""Answers about jobs, and how they are made. A list, a detail and an event stream show the same."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from typing import Any, Literal

from lightboard.hub import life
from lightboard.hub.api import shapes
from lightboard.hub.api.routes import Answer, Asked
from lightboard.hub.life import accounts, jobs
from lightboard.hub.people import may
from lightboard.hub.people.may import Action

JobAction = Literal["read", "logs", "command", "report", "delete"]
_ACTIONS: tuple[tuple[JobAction, Action], ...] = (
    ("read", Action.JOB_READ),
    ("logs", Action.JOB_LOGS),
    ("command", Action.JOB_COMMAND),
    ("report", Action.JOB_REPORT),
    ("delete", Action.JOB_DELETE),
)


class JobBoard(Answer, frozen=True, kw_only=True):
    id: str
    name: str
    url: str
    state: life.State


class Job(Answer, frozen=True, kw_only=True):
    id: str
    name: str
    workspace: str
    user: str  # the name of a user
    state: jobs.JobState
    reason: jobs.JobReason
    message: str
    exit_code: int | None
    signal: str  # "SIGKILL", or ""
    command: list[str]
    directory: str
    host: str
    logdir: str  # where its event files are
    labels: dict[str, str]
    created: str
    started: str | None
    ended: str | None
    last_report: str | None
    duration_secs: float | None  # until now if it runs; null if it has not started
    stop_requested: str | None
    stop_by: str  # the name of a user
    stop_grace_secs: float
    figures: dict[str, float]  # the newest of the machine: cpu_percent, memory_bytes, gpu0_percent, …
    has_events: bool  # event files are there
    board_mode: jobs.BoardMode
    board_label: str
    board_status: jobs.BoardStatus
    board_message: str  # why it was skipped
    board: JobBoard | None  # null: none, or none that the client may see
    log_bytes: int  # that the job printed; grows until it ends
    rerun: str  # a command line that runs it again
    may: tuple[JobAction, ...]  # what the asking user may


class JobGit(Answer, frozen=True, kw_only=True):
    commit: str
    branch: str
    remote: str
    dirty: bool  # there were changes that were not committed
    diff: str
    diff_cut: bool  # the diff is longer than what is kept


class JobDetail(Job, frozen=True, kw_only=True):
    environment: dict[str, str] | None  # null: the asking user may not see it
    git: JobGit | None


def job(asked: Asked[Any, Any], value: jobs.Job) -> JobDetail:
    return detail(view(asked, [value]), value)


def page(asked: Asked[Any, Any], values: Iterable[jobs.Job]) -> list[Job]:
    values = list(values)
    seen = view(asked, values)
    return [seen.job(each) for each in values]


def view(asked: Asked[Any, Any], values: Iterable[jobs.Job]) -> View:
    values = list(values)
    database = asked.services.database
    boards = database.lists.some({each.board for each in values if each.board})
    names = database.people.names({name for each in values for name in (each.user, each.stop_by) if name})
    roles = database.workspaces.roles(asked.user.id)
    return View(asked.identity, roles, names, boards, asked.base_url, asked.now)


class View:
    """How one client sees jobs. State: none."""

    def __init__(
        self,
        identity: may.Identity,
        roles: Mapping[str, accounts.Role],
        names: Mapping[str, str],
        boards: Mapping[str, life.Board],
        base_url: str,
        now: float,
    ) -> None:
        self._identity, self._roles, self._names, self._boards = identity, roles, names, boards
        self._base_url, self._now = base_url, now

    def sees(self, value: jobs.Job) -> bool:
        return may.sees(self._identity, self._thing(value))

    def _thing(self, value: jobs.Job) -> may.OneJob:
        return may.OneJob(value, self._roles.get(value.workspace))

    def allows(self, action: Action, value: jobs.Job) -> bool:
        return may.may(self._identity, action, self._thing(value))

    def job(self, value: jobs.Job) -> Job:
        return Job(**self.members(value))

    def members(self, value: jobs.Job) -> dict[str, Any]:
        return {
            "id": value.id,
            "name": value.name,
            "workspace": value.workspace,
            "user": self._names.get(value.user, value.user),
            "state": value.state,
            "reason": value.reason,
            "message": value.message,
            "exit_code": value.exit_code,
            "signal": value.signal,
            "command": list(value.command),
            "directory": value.directory,
            "host": value.host,
            "logdir": value.logdir or value.outputs.get("tensorboard", ""),
            "labels": dict(value.labels),
            "created": shapes.time(value.created),
            "started": shapes.maybe_time(value.started),
            "ended": shapes.maybe_time(value.ended),
            "last_report": shapes.maybe_time(value.last_report),
            "duration_secs": self._duration(value),
            "stop_requested": shapes.maybe_time(value.stop_requested),
            "stop_by": self._names.get(value.stop_by, value.stop_by),
            "stop_grace_secs": value.stop_grace_secs,
            "figures": dict(value.figures),
            "has_events": value.has_events,
            "board_mode": value.board_mode,
            "board_label": value.board_label,
            "board_status": value.board_status,
            "board_message": value.board_message,
            "board": self._board(value),
            "log_bytes": value.log_bytes,
            "rerun": rerun(value),
            "may": tuple(name for name, action in _ACTIONS if self.allows(action, value)),
        }

    def _duration(self, value: jobs.Job) -> float | None:
        if value.started is None:
            return None
        lost = value.state is jobs.JobState.LOST
        end = value.ended or (value.last_report if lost else None) or self._now
        return max(0.0, end - value.started)

    def _board(self, value: jobs.Job) -> JobBoard | None:
        board = self._boards.get(value.board)
        if board is None or not may.sees(self._identity, may.OneBoard(board, self._roles.get(board.workspace))):
            return None
        return JobBoard(id=board.id, name=board.name, url=f"{self._base_url}/boards/{board.id}/", state=board.state)


def detail(seen: View, value: jobs.Job) -> JobDetail:
    private = seen.allows(Action.JOB_LOGS, value)
    git = None
    if value.git:
        known = value.git
        git = JobGit(
            commit=known.get("commit", ""),
            branch=known.get("branch", ""),
            remote=known.get("remote", ""),
            dirty=bool(known.get("dirty")),
            diff=known.get("diff", "") if private else "",
            diff_cut=bool(known.get("diff_cut")),
        )
    return JobDetail(**seen.members(value), environment=dict(value.environment) if private else None, git=git)


def rerun(value: jobs.Job) -> str:
    if not value.command:
        return ""
    words = ["lightboard", "run", "--name", value.name, "--workspace", value.workspace]
    for name, label in value.labels.items():
        words += ["--label", f"{name}={label}"]
    if value.board_mode is not jobs.BoardMode.OWN:
        words += ["--board", value.board_label or value.board_mode.value]
    line = shlex.join([*words, "--", *value.command])
    return f"cd {shlex.quote(value.directory)} && {line}" if value.directory else line
