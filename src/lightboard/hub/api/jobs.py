"""Jobs: register, list, show, report, stop, delete; what they print; their boards.

A runner registers a job, reports every few seconds, sends what the job prints, and holds a request for orders
(`/orders`) that is answered when somebody asks for a stop. See docs/design/0031-jobs.md.
"""

from __future__ import annotations

import asyncio
import dataclasses
import hashlib
import re
import secrets
import signal
from typing import Annotated, Any, Literal

import msgspec

from lightboard import errors
from lightboard.hub import life
from lightboard.hub.api import definitions, job_shapes, problems, shapes, things
from lightboard.hub.api.routes import Answer, Asked, NoQuery, Reply, Route, Struct
from lightboard.hub.db import boards as stored_boards
from lightboard.hub.db import jobs as stored
from lightboard.hub.jobs import console
from lightboard.hub.life import commands, jobs, names
from lightboard.hub.people import may
from lightboard.hub.people.may import Action

LONGEST_WAIT_SECS = 300.0
# Other hub processes on the same database tell nobody of new lines: followers look this often.
FOLLOW_SECS = 1.0
LONGEST_HEARTBEAT_SECS = 3600.0
_KEY = re.compile(r"[\x21-\x7e]{1,255}")

_Line = Annotated[str, msgspec.Meta(max_length=1000)]
_Path = Annotated[str, msgspec.Meta(max_length=2000)]
_Word = Annotated[str, msgspec.Meta(max_length=20_000)]
_Figure = Annotated[str, msgspec.Meta(max_length=100)]
Command = Annotated[list[_Word], msgspec.Meta(max_length=2000)]
Environment = Annotated[dict[_Line, _Word], msgspec.Meta(max_length=2000)]
Figures = Annotated[dict[_Figure, float], msgspec.Meta(max_length=200)]
Time = Annotated[float, msgspec.Meta(ge=0, le=1e11)]  # Unix seconds


class Git(Struct, frozen=True, kw_only=True):
    commit: Annotated[str, msgspec.Meta(max_length=100)] = ""
    branch: _Line = ""
    remote: _Path = ""
    dirty: bool = False
    diff: Annotated[str, msgspec.Meta(max_length=500_000)] = ""
    diff_cut: bool = False


class NewJob(Struct, frozen=True, kw_only=True):
    """A job to register. Everything but the name may be left out."""

    name: Annotated[str, msgspec.Meta(max_length=1000)]
    workspace: definitions.Text = ""  # by default the user's own
    command: Command = msgspec.field(default_factory=list)
    directory: _Path = ""
    host: _Line = ""
    logdir: _Path = ""  # where it writes event files, as the hub reads it
    labels: definitions.Labels = msgspec.field(default_factory=dict)
    environment: Environment = msgspec.field(default_factory=dict)
    git: Git | None = None
    started: Time | None = None  # by default now
    heartbeat_secs: Annotated[float, msgspec.Meta(ge=0, le=LONGEST_HEARTBEAT_SECS)] = 10.0  # 0: nobody reports
    board: jobs.BoardMode = jobs.BoardMode.OWN
    board_label: definitions.Text = ""  # the name of a label, with `board` "label"


# -- lists


class JobListQuery(Struct, frozen=True, kw_only=True):
    state: Annotated[str, msgspec.Meta(max_length=200)] = ""  # several: with commas
    user: definitions.Text = ""
    workspace: definitions.Text = ""
    label: Annotated[str, msgspec.Meta(max_length=1000)] = ""  # "name=value"; several: with commas
    q: Annotated[str, msgspec.Meta(max_length=500)] = ""  # words that all occur in name, id, command, host or labels
    sort: Annotated[str, msgspec.Meta(max_length=40)] = "-created"  # created, name, state, user, workspace
    limit: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 50
    page_token: Annotated[str, msgspec.Meta(max_length=4000)] = ""


class JobPage(Answer, frozen=True, kw_only=True):
    items: list[job_shapes.Job]
    next_page_token: str
    total: int


def show_list(asked: Asked[JobListQuery, None]) -> JobPage:
    query = _list_query(asked)
    if query is None:
        return JobPage(items=[], next_page_token="", total=0)
    rows = asked.services.database.jobs
    page = rows.page(query, asked.query.limit, asked.query.page_token)
    alone = not page.next_page and not asked.query.page_token
    total = len(page.jobs) if alone else rows.count(query)
    return JobPage(items=job_shapes.page(asked, page.jobs), next_page_token=page.next_page, total=total)


def _list_query(asked: Asked[JobListQuery, None]) -> stored.Query | None:
    """None: nothing can match."""
    query, user = asked.query, ""
    if query.user:
        found = definitions.find_user(asked.services, query.user)
        if found is None:
            return None
        user = found.id
    members_of = None
    if not asked.user.admin:
        members_of = frozenset(asked.services.database.workspaces.roles(asked.user.id))
    return stored.Query(
        states=tuple(_state(each) for each in query.state.split(",") if each.strip()),
        user=user,
        workspace=query.workspace,
        labels=dict(_label(each) for each in query.label.split(",") if each.strip()),
        text=query.q,
        members_of=members_of,
        only=may.workspaces_of(asked.identity),
        sort=query.sort.removeprefix("-"),
        descending=query.sort.startswith("-"),
    )


def _state(word: str) -> jobs.JobState:
    for state in jobs.JobState:
        if state.value.lower() == word.strip().lower():
            return state
    known = ", ".join(each.value for each in jobs.JobState)
    raise problems.Problem(400, "BadRequest", f"no state is called {word[:40]!r}", hint=f"there are: {known}")


def _label(text: str) -> tuple[str, str]:
    name, separator, value = text.partition("=")
    if not separator or not name.strip():
        raise problems.Problem(400, "BadRequest", f"not a label: {text[:80]!r}", hint="write `name=value`")
    return name.strip(), value.strip()


# -- registering


def create(asked: Asked[NoQuery, NewJob]) -> Reply:
    body, now = asked.body, asked.now
    if body.board is jobs.BoardMode.LABEL and body.board_label not in body.labels:
        hint = "add the label to `labels`"
        raise problems.Problem(400, "BadRequest", f"the job has no label {body.board_label[:80]!r}", hint=hint)
    wants_board = bool(body.logdir) and body.board is not jobs.BoardMode.NONE
    job = jobs.Job(
        id=names.new_id("job", secrets.token_bytes(names.ID_BYTES)),
        name=names.checked_name(body.name),
        workspace=asked.workspace,
        user=asked.user.id,
        created=now,
        state=jobs.JobState.RUNNING,
        command=tuple(body.command),
        directory=body.directory,
        host=body.host,
        logdir=body.logdir.strip(),
        labels=dict(body.labels),
        environment=dict(body.environment),
        git={} if body.git is None else msgspec.to_builtins(body.git),
        started=now if body.started is None else min(body.started, now),
        heartbeat_secs=body.heartbeat_secs,
        last_report=now,
        board_mode=body.board,
        board_label=body.board_label if body.board is jobs.BoardMode.LABEL else "",
        board_status=jobs.BoardStatus.WAITING if wants_board else jobs.BoardStatus.NONE,
    )
    added = asked.services.database.jobs.add(job, _key(asked))
    for each in added.forgotten:
        asked.services.consoles.remove(each)
    return _reply(asked, added.job, status=200 if added.again else 201)


def _key(asked: Asked[NoQuery, NewJob]) -> stored_boards.Key | None:
    key = asked.headers.get("idempotency-key")
    if key is None:
        return None
    if not _KEY.fullmatch(key):
        message = "the Idempotency-Key has spaces or is longer than 255 characters"
        raise problems.Problem(400, "BadRequest", message, hint="use a new UUID for each job")
    request = hashlib.sha256(msgspec.json.encode(asked.body, order="sorted")).digest()
    return stored_boards.Key(asked.user.id, key, request)


def _reply(asked: Asked[Any, Any], job: jobs.Job, *, status: int = 200) -> Reply:
    headers = (("Location", f"/api/v1/jobs/{job.id}"),)
    return Reply(value=job_shapes.job(asked, job), status=status, headers=headers)


# -- one job


class JobWaitQuery(Struct, frozen=True, kw_only=True):
    wait: Annotated[float, msgspec.Meta(ge=0)] = 0.0  # seconds, at most LONGEST_WAIT_SECS; until the job has ended


async def show(asked: Asked[JobWaitQuery, None]) -> Reply:
    asked = await _until(asked, asked.query.wait, lambda job: job.state not in jobs.OPEN)
    return await asked.run(_reply, asked, asked.job)  # type: ignore[no-any-return] # `run` is not generic


async def _until(asked: Asked[Any, Any], secs: float, is_so: Any) -> Asked[Any, Any]:
    """The same request when its job is so, or the time is over. Raises as at the first look: 404 if it is gone."""
    if not secs or is_so(asked.job):
        return asked
    loop = asyncio.get_running_loop()
    until = loop.time() + min(secs, LONGEST_WAIT_SECS)
    async with asked.news.waiting(stored.news(asked.job)) as changed:
        while True:
            changed.clear()
            asked = await asked.again()
            left = until - loop.time()
            if is_so(asked.job) or left <= 0 or asked.news.closed:
                return asked
            try:
                await asyncio.wait_for(changed.wait(), left)
            except asyncio.TimeoutError:
                return asked


class JobChanges(Struct, frozen=True, kw_only=True):
    """Members that are absent stay as they are."""

    name: Annotated[str, msgspec.Meta(max_length=1000)] | msgspec.UnsetType = msgspec.UNSET
    labels: definitions.Labels | msgspec.UnsetType = msgspec.UNSET


def change(asked: Asked[NoQuery, JobChanges]) -> Reply:
    members: dict[str, Any] = {}
    if asked.body.name is not msgspec.UNSET:
        members["name"] = names.checked_name(asked.body.name)
    if asked.body.labels is not msgspec.UNSET:
        members["labels"] = dict(asked.body.labels)
    return _reply(asked, _changed(asked, lambda job: dataclasses.replace(job, **members)))


def _changed(asked: Asked[Any, Any], command: Any) -> jobs.Job:
    return asked.services.database.jobs.change(asked.job.id, command)[1]


class DeleteQuery(Struct, frozen=True, kw_only=True):
    board: Literal["keep", "remove"] = "keep"  # what happens to the board that was made for this job alone


def delete(asked: Asked[DeleteQuery, None]) -> None:
    """The log directory stays. Boards over several jobs stay."""
    if asked.job.state in (jobs.JobState.RUNNING, jobs.JobState.STOPPING):
        raise problems.Problem(409, "JobRuns", "the job runs", hint="stop it, then delete it")
    services = asked.services
    if asked.query.board == "remove":
        for board in services.database.boards.by_source(asked.job.workspace, jobs.BOARD_SOURCE, asked.job.id):
            role = services.database.workspaces.role(board.workspace, asked.user.id)
            things.permitted(asked.identity, Action.BOARD_DELETE, may.OneBoard(board, role), board.id)
            services.database.boards.change(board.id, lambda each: commands.delete(each, asked.now, asked.user.id))
    services.database.jobs.remove(asked.job.id)
    services.consoles.remove(asked.job.id)


# -- the runner


class Report(Struct, frozen=True, kw_only=True):
    """What a runner says every few seconds, and at the end (`ended`)."""

    ended: Time | None = None
    exit_code: Annotated[int, msgspec.Meta(ge=-(2**31), le=2**31 - 1)] | None = None
    signal: Annotated[str, msgspec.Meta(max_length=20)] = ""  # "SIGKILL"
    out_of_memory: bool = False
    message: Annotated[str, msgspec.Meta(max_length=1000)] = ""  # why it did not start
    figures: Figures | None = None
    has_events: bool | None = None  # event files are there; null: the runner cannot see them, so the hub looks
    log_bytes: Annotated[int, msgspec.Meta(ge=0, le=2**60)] | None = None


class Orders(Answer, frozen=True, kw_only=True):
    """What a runner should do."""

    state: jobs.JobState
    stop: bool
    grace_secs: float  # from the first signal to SIGKILL
    log_bytes: int  # of the console that the hub has


async def report(asked: Asked[NoQuery, Report]) -> Orders:
    body = asked.body
    _check_report(body)
    has_events = bool(body.has_events)
    if body.has_events is None and not asked.job.has_events and asked.job.logdir:
        has_events = await _look(asked)
    told = jobs.Report(
        ended=body.ended,
        exit_code=body.exit_code,
        signal=body.signal,
        out_of_memory=body.out_of_memory,
        message=body.message,
        figures=body.figures,
        has_events=has_events,
        log_bytes=body.log_bytes,
    )
    return await asked.run(_reported, asked, told)  # type: ignore[no-any-return] # `run` is not generic


def _check_report(body: Report) -> None:
    if body.signal and body.signal not in signal.Signals.__members__:
        hint = "write it as `SIGKILL`"
        raise problems.Problem(400, "BadRequest", f"no signal is called {body.signal!r}", hint=hint)


async def _look(asked: Asked[NoQuery, Report]) -> bool:
    """Whether event files are in the log directory, where only the hub can see it."""
    source = life.Source(asked.job.logdir)
    try:
        found = await asked.services.sources.look(asked.job.workspace, source, admin=asked.is_admin, user=asked.user.id)
    except errors.LightboardError:
        return True  # the attempt to make a board notes why it is refused
    return bool(getattr(found, "files", 0))


def _reported(asked: Asked[NoQuery, Report], told: jobs.Report) -> Orders:
    job = _changed(asked, lambda each: jobs.reported(each, told, asked.now))
    if job.board_again_at is not None:
        job = asked.services.job_boards.try_make(job)
    return _orders(asked, job)


def _orders(asked: Asked[Any, Any], job: jobs.Job) -> Orders:
    return Orders(
        state=job.state,
        stop=job.stop_requested is not None,
        grace_secs=job.stop_grace_secs,
        log_bytes=asked.services.consoles.size(job.id),
    )


async def orders(asked: Asked[JobWaitQuery, None]) -> Orders:
    asked = await _until(
        asked, asked.query.wait, lambda job: job.stop_requested is not None or job.state not in jobs.OPEN
    )
    return await asked.run(_orders, asked, asked.job)  # type: ignore[no-any-return] # `run` is not generic


class Stop(Struct, frozen=True, kw_only=True):
    grace_secs: Annotated[float, msgspec.Meta(ge=0, le=3600)] = 15.0  # from the first signal to SIGKILL


def stop(asked: Asked[NoQuery, Stop]) -> Reply:
    """Asks the runner; the job is Stopping until it ends. A lost one is told when it comes back."""
    grace = asked.body.grace_secs
    job = _changed(asked, lambda each: jobs.stop_requested(each, asked.now, asked.user.id, grace))
    return _reply(asked, job, status=202)


# -- what the job prints


class AppendQuery(Struct, frozen=True, kw_only=True):
    offset: Annotated[int, msgspec.Meta(ge=0, le=2**60)]  # of the first byte of the body in the job's whole output


class Appended(Answer, frozen=True, kw_only=True):
    size: int  # what the hub has now; send from here on


async def append(asked: Asked[AppendQuery, bytes]) -> Reply:
    size = await asked.run(asked.services.consoles.append, asked.job.id, asked.query.offset, asked.body)
    asked.news.tell(_console_news(asked.job))
    return Reply(value=Appended(size=size), status=409 if size < asked.query.offset else 200)


def _console_news(job: jobs.Job) -> str:
    """Only followers of the console are told: lists do not change."""
    return f"console:{job.id}"


class LogQuery(Struct, frozen=True, kw_only=True):
    offset: Annotated[int, msgspec.Meta(ge=-(2**60), le=2**60)] = 0  # negative: from the end
    limit: Annotated[int, msgspec.Meta(ge=1, le=console.MOST_READ_BYTES)] = console.MOST_READ_BYTES
    wait: Annotated[float, msgspec.Meta(ge=0)] = 0.0  # seconds, until something comes after `offset`, or the job ends


async def log(asked: Asked[LogQuery, None]) -> Reply:
    loop = asyncio.get_running_loop()
    until = loop.time() + min(asked.query.wait, LONGEST_WAIT_SECS)
    async with asked.news.waiting(_console_news(asked.job)) as changed:
        while True:
            changed.clear()
            part = await asked.run(asked.services.consoles.read, asked.job.id, asked.query.offset, asked.query.limit)
            left = until - loop.time()
            complete = _is_complete(asked.job, part)
            if part.data or complete or left <= 0 or asked.news.closed:
                return _log_reply(part, complete=complete)
            try:
                await asyncio.wait_for(changed.wait(), min(left, FOLLOW_SECS))
            except asyncio.TimeoutError:
                asked = await asked.again()


def _is_complete(job: jobs.Job, part: console.Part) -> bool:
    """Whether nothing comes after this part. The runner sends the rest before it reports the end."""
    return part.next >= part.size and job.state not in (*jobs.OPEN,) and part.size >= job.log_bytes


def _log_reply(part: console.Part, *, complete: bool) -> Reply:
    headers = (
        ("X-Log-Offset", str(part.offset)),
        ("X-Log-Next", str(part.next)),
        ("X-Log-Size", str(part.size)),
        ("X-Log-Cut", str(part.cut_bytes)),
        ("X-Log-Complete", "true" if complete else "false"),
    )
    return Reply(value=part.data, headers=headers, media_type="text/plain; charset=utf-8")


# -- boards


def board(asked: Asked[NoQuery, None]) -> Reply:
    """Creates or starts the board of a job."""
    made = asked.services.job_boards.make(asked.job, asked.user)
    return _board_reply(asked, made, asked.job)


class LabelBoard(Struct, frozen=True, kw_only=True):
    label: Annotated[str, msgspec.Meta(max_length=500)]  # "name=value"
    workspace: definitions.Text = ""  # by default the user's own


def label_board(asked: Asked[NoQuery, LabelBoard]) -> Reply:
    name, value = _label(asked.body.label)
    made = asked.services.job_boards.make_labeled(asked.workspace, name, value, asked.user)
    return _board_reply(asked, made, None)


def _board_reply(asked: Asked[Any, Any], made: life.Board | life.LimitExceeded, job: jobs.Job | None) -> Reply:
    if isinstance(made, life.LimitExceeded):
        raise definitions.limit_exceeded(asked, made)
    if job is not None:
        asked.services.job_boards.noted(job, made.id)
    answers = made.state in (life.State.RUNNING, life.State.IDLE)
    return Reply(value=shapes.board(asked, made), status=200 if answers else 202)


_ONE = "/jobs/{job}"
ROUTES = (
    Route("GET", "/jobs", show_list, Action.JOB_LIST, query=JobListQuery, answer=JobPage,
          about="Lists jobs that the client may see."),
    Route("POST", "/jobs", create, Action.JOB_CREATE, thing=things.workspace_of_body, body=NewJob,
          answer=job_shapes.JobDetail, status=201, statuses=(200,), audit="job.create",
          about="Registers a job, which runs already."),
    Route("POST", "/jobs:board", label_board, Action.BOARD_CREATE, thing=things.workspace_of_body, body=LabelBoard,
          answer=shapes.Board, status=202, statuses=(200,), audit="job.label_board",
          about="Creates or starts one board over all jobs with a label."),
    Route("GET", _ONE, show, Action.JOB_READ, thing=things.job, query=JobWaitQuery, answer=job_shapes.JobDetail,
          about="Shows a job, or waits until it has ended."),
    Route("PATCH", _ONE, change, Action.JOB_COMMAND, thing=things.job, body=JobChanges, answer=job_shapes.JobDetail,
          audit="job.change", about="Changes name and labels of a job."),
    Route("DELETE", _ONE, delete, Action.JOB_DELETE, thing=things.job, query=DeleteQuery, audit="job.delete",
          about="Deletes a job that has ended, with its console. Its log directory stays."),
    Route("POST", f"{_ONE}:stop", stop, Action.JOB_COMMAND, thing=things.job, body=Stop, answer=job_shapes.JobDetail,
          status=202, audit="job.stop", about="Asks the runner to stop a job."),
    Route("POST", f"{_ONE}:board", board, Action.JOB_COMMAND, thing=things.job, answer=shapes.Board, status=202,
          statuses=(200,), audit="job.board", about="Creates or starts the board of a job."),
    Route("POST", f"{_ONE}:report", report, Action.JOB_REPORT, thing=things.job, body=Report, answer=Orders,
          about="Reports about a job, as its runner."),
    Route("GET", f"{_ONE}/orders", orders, Action.JOB_REPORT, thing=things.job, query=JobWaitQuery, answer=Orders,
          about="Waits until the runner should do something."),
    Route("GET", f"{_ONE}/log", log, Action.JOB_LOGS, thing=things.job, query=LogQuery, answer=str,
          media_type="text/plain; charset=utf-8", about="Shows what a job printed, from an offset on; follows it."),
    Route("POST", f"{_ONE}/log", append, Action.JOB_REPORT, thing=things.job, query=AppendQuery, body=bytes,
          answer=Appended, about="Appends to what a job printed. 409: bytes before `offset` are missing."),
)  # fmt: skip
