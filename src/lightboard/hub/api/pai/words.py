"""Boards in PAI's words, and addresses of logs as its clients write them.

Every status is one that `wait()` of PAI's SDK knows: an unknown one is polled for ever. An idle board answers, so it is
Running; a failed one is Creating_Failed.
"""

from __future__ import annotations

from typing import Any

import msgspec

from lightboard.hub import life
from lightboard.hub.api import definitions, oss_secrets, routes, shapes
from lightboard.hub.api.routes import Asked

STATUSES = {
    life.State.PENDING: "Pending",
    life.State.STARTING: "Creating",
    life.State.RUNNING: "Running",
    life.State.IDLE: "Running",
    life.State.STOPPING: "Stopping",
    life.State.STOPPED: "Stopped",
    life.State.FAILED: "Creating_Failed",
    life.State.DELETING: "Deleting",
}
# PUBLIC means: for the workspace
ACCESSIBILITIES = {"PUBLIC": life.Visibility.WORKSPACE, "PRIVATE": life.Visibility.PRIVATE}


class Words(msgspec.Struct, frozen=True, kw_only=True, rename="pascal"):
    """The base of bodies and queries. Unknown members are ignored: other releases of the clients send others."""


class Told(routes.Answer, frozen=True, kw_only=True, rename="pascal"):
    """The base of answers."""


class Tensorboard(Told, frozen=True, kw_only=True):
    tensorboard_id: str
    display_name: str
    status: str
    tensorboard_url: str
    uri: str
    summary_uri: str
    data_source_type: str
    source_id: str
    source_type: str
    max_running_time_minutes: int | None
    accessibility: str
    workspace_id: str
    user_id: str
    username: str
    reason_code: str
    reason_message: str
    gmt_create_time: str
    gmt_modify_time: str


def tensorboard(board: shapes.Board) -> Tensorboard:
    first = board.sources[0].uri if board.sources else ""
    return Tensorboard(
        tensorboard_id=board.id,
        display_name=board.name,
        status=STATUSES[board.state],
        tensorboard_url=board.url,
        uri=first,
        summary_uri=first,
        data_source_type=board.type.upper(),
        source_id=board.source_id,
        source_type=board.source_type,
        max_running_time_minutes=round(board.max_runtime / 60) if board.max_runtime else None,
        accessibility="PRIVATE" if board.visibility is life.Visibility.PRIVATE else "PUBLIC",
        workspace_id=board.workspace,
        user_id=board.owner,
        username=board.owner,
        reason_code=board.reason,
        reason_message=board.message,
        gmt_create_time=board.created,
        gmt_modify_time=board.state_since,
    )


def states(status: str) -> tuple[life.State, ...]:
    """The states with this status; empty for an unknown one."""
    return tuple(state for state, word in STATUSES.items() if word.lower() == status.strip().lower())


# -- addresses


def source(asked: Asked[Any, Any], uri: str, prefix: str = "") -> definitions.SourceBody:
    """Where the logs are for this hub: PAI's clients know no secrets."""
    found = oss_secrets.found(asked.services, asked.workspace, life.Source(uri, prefix))
    return definitions.SourceBody(uri=found.uri, prefix=found.prefix, secret=found.secret)
