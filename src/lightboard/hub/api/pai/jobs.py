"""`/trainingjobs`: what `estimator.tensorboard()` needs to know of a job: its name, and where it writes.

The hub registers jobs and does not run them. Their status is Terminated, with a reason: `fit(wait=True)` ends and
prints it, instead of polling for ever.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Annotated, Any

import msgspec

from lightboard.hub.api import problems, things
from lightboard.hub.api.pai import tensorboards
from lightboard.hub.api.pai.words import Told, Words
from lightboard.hub.api.routes import Asked, Note, Reply, Route, Services
from lightboard.hub.api.shapes import time
from lightboard.hub.life import jobs, names
from lightboard.hub.people import may
from lightboard.hub.people.may import Action

MOST_OUTPUTS = 50
REASON = "the hub keeps this job for its board and does not run it"


class Output(Words, frozen=True, kw_only=True):
    name: Annotated[str, msgspec.Meta(max_length=200)] = ""
    output_uri: Annotated[str, msgspec.Meta(max_length=2000)] = ""


class NewJob(Words, frozen=True, kw_only=True):
    training_job_name: str
    workspace_id: str = ""
    output_channels: Annotated[list[Output], msgspec.Meta(max_length=MOST_OUTPUTS)] = msgspec.field(
        default_factory=list
    )


class AnyQuery(Words, frozen=True, kw_only=True):
    """Tokens and pages of logs, which do not matter here."""


class Channel(Told, frozen=True, kw_only=True):
    name: str
    output_uri: str


class Job(Told, frozen=True, kw_only=True):
    training_job_id: str
    training_job_name: str
    training_job_url: str
    workspace_id: str
    status: str
    reason_code: str
    reason_message: str
    input_channels: list[Channel]
    output_channels: list[Channel]
    gmt_create_time: str


class NamedJob(Told, frozen=True, kw_only=True):
    training_job_id: str


class Logs(Told, frozen=True, kw_only=True):
    logs: list[str]
    total_count: int


def of_job(services: Services, identity: may.Identity, path: Mapping[str, str], body: Any) -> may.Thing:
    found = services.database.jobs.find(path["job"])
    if found is None:
        raise problems.not_found(path["job"])
    return things.in_workspace(services, identity, found.workspace)


def create(asked: Asked[Any, NewJob]) -> Reply:
    job = jobs.Job(
        id=names.new_id("train", secrets.token_bytes(names.ID_BYTES)),
        name=names.checked_name(asked.body.training_job_name),
        workspace=asked.workspace,
        user=asked.user.id,
        created=asked.now,
        outputs={each.name: each.output_uri for each in asked.body.output_channels if each.output_uri},
    )
    asked.services.database.jobs.add_registered(job)
    return Reply(value=NamedJob(training_job_id=job.id), note=Note(thing=job.id, detail={"name": job.name}))


def show(asked: Asked[Any, None]) -> Job:
    job = asked.services.database.jobs.find(asked.path["job"])
    if job is None:
        raise problems.not_found(asked.path["job"])
    return Job(
        training_job_id=job.id,
        training_job_name=job.name,
        training_job_url=f"{asked.base_url}/#/boards",
        workspace_id=job.workspace,
        status="Terminated",
        reason_code="NotRunByHub",
        reason_message=REASON,
        input_channels=[],
        output_channels=[Channel(name=name, output_uri=uri) for name, uri in job.outputs.items()],
        gmt_create_time=time(job.created),
    )


def logs(asked: Asked[Any, None]) -> Logs:
    return Logs(logs=[], total_count=0)


ROUTES = (
    Route("POST", "/trainingjobs", create, Action.BOARD_CREATE, thing=tensorboards.of_workspace, body=NewJob,
          answer=NamedJob, audit="job.create", about="CreateTrainingJob"),
    Route("GET", "/trainingjobs/{job}", show, Action.WORKSPACE_READ, thing=of_job, query=AnyQuery, answer=Job,
          about="GetTrainingJob"),
    Route("GET", "/trainingjobs/{job}/logs", logs, Action.WORKSPACE_READ, thing=of_job, query=AnyQuery, answer=Logs,
          about="ListTrainingJobLogs"),
)  # fmt: skip
