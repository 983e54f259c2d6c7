"""The client of a hub.

    hub = lightboard.hub.Hub()                        the hub of LIGHTBOARD_HUB, or of the last `lightboard login`
    board = hub.boards.create("s3://logs/resnet")     waits until it answers
    board.url

Only the standard library is used. Any thread may use a hub.
"""

from __future__ import annotations

import dataclasses
import os
from typing import Any

from lightboard import errors
from lightboard.client import (
    accounts,
    addresses,
    boards,
    connections,
    credentials,
    hub_errors,
    jobs,
    requests,
    uploads,
    values,
)


class Hub:
    """`url` and `token` default to LIGHTBOARD_HUB and LIGHTBOARD_HUB_TOKEN, then to what `lightboard login` stored.

    `insecure` allows to send the token over http:// to another machine.
    """

    def __init__(self, url: str | None = None, token: str | None = None, *, insecure: bool = False) -> None:
        self.url = _url(url)
        found = token if token is not None else _token(self.url)
        self._connections = connections.Connections(self.url, found, insecure=insecure)
        self._requests = requests.Requests(self._connections)
        self._has_token = bool(found)
        self.boards = boards.Boards(self._requests)
        self.jobs = jobs.Jobs(self._requests)
        self.uploads = uploads.Uploads(self._requests)
        self.users = accounts.Users(self._requests)
        self.tokens = accounts.Tokens(self._requests)
        self.workspaces = accounts.Workspaces(self._requests)
        self.secrets = accounts.Secrets(self._requests)
        self.settings = accounts.Settings(self._requests)

    def __repr__(self) -> str:
        return f"<Hub {self.url}>"

    def __enter__(self) -> Hub:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes kept connections. The hub can still be used; a new connection is made then."""
        self._connections.close()

    def me(self) -> dict[str, Any]:
        """Who the token belongs to, the own workspaces, limits, and what the hub allows."""
        return dict(self._requests.get("/me"))

    def quota(self, workspace: str | None = None) -> values.Quota:
        """How many boards of the account, of a workspace and of the hub are active, and how many may be."""
        found = self._requests.get("/quota", {"workspace": workspace})
        names = [each.name for each in dataclasses.fields(values.Quota)]
        return values.Quota(**{name: values.made(values.Limit, found.get(name) or {}) for name in names})

    def apply(
        self,
        text: str,
        *,
        workspace: str | None = None,
        prune: bool | None = None,
        confirm_public: bool | None = None,
    ) -> list[values.Applied]:
        """Creates or changes the boards that manifests (YAML or JSON, several in one text) describe.

        Manifests of this hub (`Board`), of TensorStack (`TensorBoard`) and of Kubeflow (`Tensorboard`) are understood.
        `workspace` is for manifests without a namespace. `prune` deletes boards of earlier manifests that the text does
        not have. One of several that fails has the result "failed"; a single one raises.
        """
        body = values.given(text=text, workspace=workspace, prune=prune, confirm_public=confirm_public)
        answer = self._requests.send("POST", "/manifests:apply", body, again=True)
        return [values.made(values.Applied, each) for each in answer.get("items") or ()]

    def delete_manifests(self, text: str, *, workspace: str | None = None) -> list[values.Removed]:
        """Deletes the boards that manifests describe."""
        body = values.given(text=text, workspace=workspace)
        answer = self._requests.send("POST", "/manifests:delete", body, again=True)
        return [values.made(values.Removed, each) for each in answer.get("items") or ()]

    def board_of(self, data: Any) -> boards.Board:
        """A board from an answer of the API."""
        return boards.Board(self._requests, data)


def _url(url: str | None) -> str:
    found = url or os.environ.get("LIGHTBOARD_HUB", "") or credentials.current()
    if not found:
        raise errors.BadInput(
            "no hub is given", hint="`lightboard login URL`, or set LIGHTBOARD_HUB and LIGHTBOARD_HUB_TOKEN"
        )
    return addresses.normalized(found)


def _token(url: str) -> str:
    """The token of the environment belongs to the hub of the environment, if that names one."""
    named = os.environ.get("LIGHTBOARD_HUB", "")
    token = os.environ.get("LIGHTBOARD_HUB_TOKEN", "").strip()
    if token and (not named or addresses.normalized(named) == url):
        return token
    stored = credentials.entry(url)
    return stored.token if stored is not None else ""


__all__ = ["Hub", "hub_errors"]
