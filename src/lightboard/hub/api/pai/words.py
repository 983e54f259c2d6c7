"""Boards in PAI's words, and addresses of logs as its clients write them.

Every status is one that `wait()` of PAI's SDK knows: an unknown one is polled for ever. An idle board answers, so it is
Running; a failed one is Creating_Failed.
"""

from __future__ import annotations

import urllib.parse
from collections.abc import Iterable
from typing import Any

import msgspec

from lightboard import errors, storage
from lightboard.hub import life
from lightboard.hub.api import definitions, routes, shapes
from lightboard.hub.api.routes import Asked
from lightboard.hub.life import accounts
from lightboard.storage import uris

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
    """Where the logs are for this hub. PAI's SDK writes the endpoint into the address, sometimes without its first
    letters, and knows no secrets. In this order: a claim with the name of the bucket, a secret of the workspace with
    the name of the bucket, or of this endpoint, or its only one for OSS; otherwise the address as it is."""
    try:
        location = storage.parse(uri)
    except errors.LightboardError:
        return definitions.SourceBody(uri=uri, prefix=prefix)  # refused later, with a hint
    if location.service is not uris.Service.OSS or location.secret:
        return definitions.SourceBody(uri=uri, prefix=prefix)
    if location.bucket in asked.services.claims:
        return definitions.SourceBody(uri=f"pvc://{location.bucket}/{location.key}", prefix=prefix)
    secret = _secret(asked.services.database.workspaces.secrets(asked.workspace), location)
    if secret is None:
        return definitions.SourceBody(uri=uri, prefix=prefix)
    own = f"oss://{location.bucket}/{location.key}" if secret.shown.get("endpoint") else uri
    return definitions.SourceBody(uri=own, prefix=prefix, secret=secret.name)


def _secret(secrets: Iterable[accounts.Secret], location: uris.Location) -> accounts.Secret | None:
    fit = [each for each in secrets if each.kind == "oss"]
    server = urllib.parse.urlsplit(location.endpoint).netloc
    named = [each for each in fit if each.name == location.bucket]
    same = [each for each in fit if server and server in _written(str(each.shown.get("endpoint", "")))]
    # a secret without an endpoint is used where the address says: only at Alibaba's own servers
    known = not server or server.endswith(".aliyuncs.com")
    alone = fit if len(fit) == 1 and (known or fit[0].shown.get("endpoint")) else []
    return next(iter([*named, *same, *alone]), None)


def _written(endpoint: str) -> set[str]:
    """The server of an endpoint, also as the SDK mangles it: `lstrip("http://")` takes letters of the name, too."""
    server = urllib.parse.urlsplit(endpoint).netloc
    return {server, endpoint.lstrip("htp:/"), endpoint.lstrip("htps:/")} if server else set()
