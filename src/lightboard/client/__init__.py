"""The client of a hub, which users import as `lightboard.hub`. HTTP only, nothing but the standard library.

Hub ─▶ boards, jobs, users, tokens, workspaces, secrets, settings ─▶ requests (JSON, pages) ─▶ connections (HTTP)

credentials   tokens that `lightboard login` stored
addresses     addresses of hubs, and where a token may be sent
hub_errors    what goes wrong
values        answers as dataclasses
uploads       logs that are sent to a hub: `uploads_files` finds them, `uploads_parts` packs, `uploads_sending` sends
pai           points Alibaba's SDK at a hub
"""

from __future__ import annotations

from lightboard.client import pai
from lightboard.client.boards import Board
from lightboard.client.hub import Hub
from lightboard.client.hub_errors import (
    Ambiguous,
    Conflict,
    Forbidden,
    HubError,
    HubFailed,
    InvalidRequest,
    NotFound,
    RateLimited,
    StartFailed,
    TensorboardLimitExceeded,
    TimedOut,
    Unauthenticated,
    Unreachable,
)
from lightboard.client.jobs import Job
from lightboard.client.tensorboard import TensorBoard
from lightboard.client.uploads import Upload
from lightboard.client.values import (
    Applied,
    Event,
    Found,
    Frame,
    Limit,
    Member,
    Quota,
    Removed,
    Secret,
    Share,
    Token,
    User,
    Workspace,
)

__all__ = [
    "Ambiguous",
    "Applied",
    "Board",
    "Conflict",
    "Event",
    "Forbidden",
    "Found",
    "Frame",
    "Hub",
    "HubError",
    "HubFailed",
    "InvalidRequest",
    "Job",
    "Limit",
    "Member",
    "NotFound",
    "Quota",
    "RateLimited",
    "Removed",
    "Secret",
    "Share",
    "StartFailed",
    "TensorBoard",
    "TensorboardLimitExceeded",
    "TimedOut",
    "Token",
    "Unauthenticated",
    "Unreachable",
    "Upload",
    "User",
    "Workspace",
    "pai",
]
