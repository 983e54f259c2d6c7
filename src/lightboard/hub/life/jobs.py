"""Training jobs: what is known of one, its states, and how reports, requests to stop and silence change them.

Pure. The hub does not run jobs: a runner (`lightboard run`, `lightboard.hub.Job`) does, and reports.

    Registered    known, not followed: jobs of PAI's clients, which only have a board
    Running       the runner reports
    Stopping      somebody asked the runner to stop it
    Succeeded     exit code 0
    Failed        another exit code, a signal, out of memory, or it did not start
    Stopped       ended after a request to stop
    Lost          the runner has not reported for a while; it becomes Running again if it does
"""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Mapping
from typing import Any


class JobState(str, enum.Enum):
    REGISTERED = "Registered"
    RUNNING = "Running"
    STOPPING = "Stopping"
    SUCCEEDED = "Succeeded"
    FAILED = "Failed"
    STOPPED = "Stopped"
    LOST = "Lost"


class JobReason(str, enum.Enum):
    """Why a job is in its state."""

    NONE = ""
    EXIT_CODE = "ExitCode"
    SIGNAL = "Signal"
    OUT_OF_MEMORY = "OutOfMemory"
    NOT_STARTED = "NotStarted"  # the command was not found, or could not be run
    STOP_REQUESTED = "StopRequested"
    HEARTBEAT_LOST = "HeartbeatLost"
    RUNNER_ENDED = "RunnerEnded"  # the exit code is not known


class BoardMode(str, enum.Enum):
    """Which board a job gets with its first events."""

    OWN = "own"
    LABEL = "label"  # one for all jobs of the workspace with the same value of a label
    NONE = "none"


class BoardStatus(str, enum.Enum):
    WAITING = "Waiting"  # for the first events
    MADE = "Made"
    SKIPPED = "BoardSkipped"  # refused, as by a full limit; the hub tries again
    NONE = "None"  # nobody wants one


OPEN = frozenset({JobState.RUNNING, JobState.STOPPING, JobState.LOST})
ENDED = frozenset({JobState.SUCCEEDED, JobState.FAILED, JobState.STOPPED})
BOARD_SOURCE = "Job"  # `source_type` of the board of a job; `source_id` is the id of the job
LABEL_SOURCE = "JobLabel"  # of one over many jobs; `source_id` is "label=value"
# A runner may miss this many heartbeats, and is lost `LEAST_SILENCE_SECS` after the last one at the earliest.
MISSED_HEARTBEATS = 3
LEAST_SILENCE_SECS = 15.0


@dataclasses.dataclass(frozen=True, kw_only=True)
class Job:
    """`outputs` has the addresses where it writes, by channel; PAI's clients name several."""

    id: str
    name: str
    workspace: str
    user: str
    created: float
    outputs: Mapping[str, str] = dataclasses.field(default_factory=dict, hash=False)
    state: JobState = JobState.REGISTERED
    reason: JobReason = JobReason.NONE
    message: str = ""
    exit_code: int | None = None
    signal: str = ""  # "SIGKILL"
    command: tuple[str, ...] = ()
    directory: str = ""
    host: str = ""
    logdir: str = ""
    labels: Mapping[str, str] = dataclasses.field(default_factory=dict, hash=False)
    environment: Mapping[str, str] = dataclasses.field(default_factory=dict, hash=False)
    git: Mapping[str, Any] = dataclasses.field(default_factory=dict, hash=False)
    figures: Mapping[str, float] = dataclasses.field(default_factory=dict, hash=False)
    started: float | None = None
    ended: float | None = None
    heartbeat_secs: float = 0.0  # how often the runner reports; 0: it does not
    last_report: float | None = None
    stop_requested: float | None = None
    stop_by: str = ""  # id of a user
    stop_grace_secs: float = 15.0  # from the first signal to SIGKILL
    has_events: bool = False
    board_mode: BoardMode = BoardMode.OWN
    board_label: str = ""  # the name of the label, with `BoardMode.LABEL`
    board_status: BoardStatus = BoardStatus.NONE
    board: str = ""  # id of the board that was made for it
    board_message: str = ""  # why it was skipped
    board_again_at: float | None = None
    log_bytes: int = 0  # that the job wrote, as the runner says at the end
    version: int = 0  # number of writes


@dataclasses.dataclass(frozen=True, kw_only=True)
class Report:
    """What a runner says. `ended` None: the job runs."""

    ended: float | None = None
    exit_code: int | None = None
    signal: str = ""
    out_of_memory: bool = False
    message: str = ""  # why it did not start
    figures: Mapping[str, float] | None = None
    has_events: bool = False
    log_bytes: int | None = None


def reported(job: Job, report: Report, now: float) -> Job:
    """The job after a report of its runner. A job that has ended stays as it is: reports may come twice."""
    if job.state in ENDED:
        return job
    state = JobState.STOPPING if job.stop_requested is not None else JobState.RUNNING
    job = dataclasses.replace(
        job,
        state=state,
        reason=JobReason.STOP_REQUESTED if state is JobState.STOPPING else JobReason.NONE,
        message="",
        last_report=now,
        figures=job.figures if report.figures is None else dict(report.figures),
        log_bytes=job.log_bytes if report.log_bytes is None else max(report.log_bytes, job.log_bytes),
    )
    if report.has_events and not job.has_events:
        wanted = job.board_status is BoardStatus.WAITING
        job = dataclasses.replace(job, has_events=True, board_again_at=now if wanted else None)
    return job if report.ended is None else _ended(job, report, now)


def _ended(job: Job, report: Report, now: float) -> Job:
    code, signal = report.exit_code, report.signal
    if code == 0 and not signal:
        # a job may end well although somebody asked it to stop: then it was stopped
        state = JobState.STOPPED if job.stop_requested is not None else JobState.SUCCEEDED
    else:
        state = JobState.STOPPED if job.stop_requested is not None and not report.out_of_memory else JobState.FAILED
    reason = (
        JobReason.OUT_OF_MEMORY if report.out_of_memory
        else JobReason.STOP_REQUESTED if state is JobState.STOPPED
        else JobReason.NOT_STARTED if report.message
        else JobReason.SIGNAL if signal
        else JobReason.RUNNER_ENDED if code is None
        else JobReason.EXIT_CODE if code
        else JobReason.NONE
    )  # fmt: skip
    return dataclasses.replace(
        job,
        state=state,
        reason=reason,
        message=report.message,
        exit_code=code,
        signal=signal,
        ended=min(report.ended if report.ended is not None else now, now),
    )


def stop_requested(job: Job, now: float, user: str, grace_secs: float) -> Job:
    """A second request changes nothing, except that less patience counts. A job that nobody reports cannot be told."""
    if job.state not in OPEN:
        return job
    if job.stop_requested is not None:
        return dataclasses.replace(job, stop_grace_secs=min(job.stop_grace_secs, grace_secs))
    lost = job.state is JobState.LOST
    return dataclasses.replace(
        job,
        state=JobState.LOST if lost else JobState.STOPPING,
        reason=job.reason if lost else JobReason.STOP_REQUESTED,
        stop_requested=now,
        stop_by=user,
        stop_grace_secs=grace_secs,
    )


def silence_secs(job: Job) -> float:
    """After so long without a report a job is lost."""
    return max(LEAST_SILENCE_SECS, job.heartbeat_secs * (MISSED_HEARTBEATS + 0.5))


def lost_at(job: Job, listening_since: float) -> float | None:
    """When the job is lost if nothing comes. Silence counts only while the hub could hear: `listening_since` is when
    it last began to."""
    if job.state not in (JobState.RUNNING, JobState.STOPPING) or not job.heartbeat_secs:
        return None
    return max(job.last_report or job.created, listening_since) + silence_secs(job)


def lost(job: Job) -> Job:
    message = "its runner does not report: the machine or the network is down, or the runner was killed"
    return dataclasses.replace(job, state=JobState.LOST, reason=JobReason.HEARTBEAT_LOST, message=message)
