"""What PAI's SDK looks up of a workspace and of the owner of a key."""

from __future__ import annotations

from typing import Any, Literal

from lightboard.hub.api import problems, shapes, things
from lightboard.hub.api.pai.jobs import AnyQuery
from lightboard.hub.api.pai.words import Told, Words
from lightboard.hub.api.routes import Asked, Route
from lightboard.hub.people.may import Action

_STORAGE = "modelExportPath"


class CallerQuery(Words, frozen=True, kw_only=True):
    action: Literal["GetCallerIdentity"]


class Workspace(Told, frozen=True, kw_only=True):
    workspace_id: str
    workspace_name: str
    display_name: str
    description: str
    status: str
    gmt_create_time: str


class Config(Told, frozen=True, kw_only=True):
    config_key: str
    config_value: str


class Configs(Told, frozen=True, kw_only=True):
    configs: list[Config]
    total_count: int


class Caller(Told, frozen=True, kw_only=True):
    account_id: str
    user_id: str
    principal_id: str
    identity_type: str
    arn: str


def show(asked: Asked[AnyQuery, None]) -> Workspace:
    found = asked.services.database.workspaces.get(asked.workspace)
    if found is None:
        raise problems.not_found(asked.workspace)
    return Workspace(
        workspace_id=found.id,
        workspace_name=found.id,
        display_name=found.name,
        description=found.description,
        status="ENABLED",
        gmt_create_time=shapes.time(found.created),
    )


def configs(asked: Asked[AnyQuery, None]) -> Configs:
    """The SDK asks for a bucket before it creates a board, only to find the endpoint of OSS; nothing is stored there.
    The first claim stands for a bucket, if the hub has one."""
    bucket = next(iter(sorted(asked.services.claims)), asked.workspace)
    found = [Config(config_key=_STORAGE, config_value=f"oss://{bucket}/")]
    return Configs(configs=found, total_count=len(found))


def caller(asked: Asked[CallerQuery, Any]) -> Caller:
    user = asked.user
    return Caller(
        account_id=user.id,
        user_id=user.id,
        principal_id=user.id,
        identity_type="RAMUser",
        arn=f"acs:ram::{user.id}:user/{user.name}",
    )


ROUTES = (
    Route("GET", "/workspaces/{workspace}", show, Action.WORKSPACE_READ, thing=things.workspace, query=AnyQuery,
          answer=Workspace, about="GetWorkspace"),
    Route("GET", "/workspaces/{workspace}/configs", configs, Action.WORKSPACE_READ, thing=things.workspace,
          query=AnyQuery, answer=Configs, about="ListConfigs"),
    Route("POST", "/", caller, Action.HUB_READ, query=CallerQuery, answer=Caller, about="GetCallerIdentity"),
)  # fmt: skip
