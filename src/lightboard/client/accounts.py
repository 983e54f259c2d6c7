"""People and what they share: users, API tokens, workspaces with members and secrets, settings of the hub."""

from __future__ import annotations

import builtins
from collections.abc import Mapping, Sequence
from typing import Any

from lightboard.client import values
from lightboard.client.requests import Requests, quoted
from lightboard.client.values import Duration


class Users:
    """For admins of the hub."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def list(self, *, q: str | None = None) -> builtins.list[values.User]:
        return [values.made(values.User, each) for each in self._requests.items("/users", {"q": q})]

    def get(self, user: str) -> values.User:
        return values.made(values.User, self._requests.get(quoted("users", user)))

    def create(
        self, name: str, *, password: str | None = None, display_name: str | None = None, admin: bool | None = None
    ) -> values.User:
        """Without a password the answer has a one-time `link`, with which the user chooses one."""
        body = values.given(name=name, password=password, display_name=display_name, admin=admin)
        return values.made(values.User, self._requests.send("POST", "/users", body))

    def change(self, user: str, **members: Any) -> values.User:
        """Changes display_name, admin, enabled, password or boards_limit (a number, None or "default")."""
        return values.made(values.User, self._requests.send("PATCH", quoted("users", user), members))

    def delete(self, user: str) -> None:
        self._requests.send("DELETE", quoted("users", user))

    def reset(self, user: str) -> str:
        """Returns a one-time link with which the user chooses a new password."""
        return str(self._requests.send("POST", f"{quoted('users', user)}:reset")["link"])


class Tokens:
    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def list(self, *, user: str | None = None) -> builtins.list[values.Token]:
        return [values.made(values.Token, each) for each in self._requests.all("/tokens", {"user": user})]

    def create(
        self,
        name: str,
        *,
        user: str | None = None,
        scopes: Sequence[str] | None = None,
        expires_in: Duration | None = None,
    ) -> values.Token:
        """`token` of the answer is told only here."""
        body = values.given(
            name=name,
            user=user,
            scopes=list(scopes) if scopes is not None else None,
            expires_in=values.duration(expires_in),
        )
        return values.made(values.Token, self._requests.send("POST", "/tokens", body))

    def delete(self, token: str) -> None:
        self._requests.send("DELETE", quoted("tokens", token))


class Workspaces:
    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def list(self) -> builtins.list[values.Workspace]:
        return [values.made(values.Workspace, each) for each in self._requests.all("/workspaces")]

    def get(self, workspace: str) -> values.Workspace:
        return values.made(values.Workspace, self._requests.get(quoted("workspaces", workspace)))

    def create(self, workspace: str, *, name: str | None = None, description: str | None = None) -> values.Workspace:
        body = values.given(id=workspace, name=name, description=description)
        return values.made(values.Workspace, self._requests.send("POST", "/workspaces", body))

    def change(self, workspace: str, **members: Any) -> values.Workspace:
        """Changes name, description, idle_after, reclaim_after, max_runtime or boards_limit."""
        body = {name: values.duration(value) for name, value in members.items()}
        return values.made(values.Workspace, self._requests.send("PATCH", quoted("workspaces", workspace), body))

    def delete(self, workspace: str) -> None:
        self._requests.send("DELETE", quoted("workspaces", workspace))

    def members(self, workspace: str) -> builtins.list[values.Member]:
        found = self._requests.all(quoted("workspaces", workspace, "members"))
        return [values.made(values.Member, each) for each in found]

    def add_member(self, workspace: str, user: str, role: str = "viewer") -> None:
        """Adds a member, or changes the role: viewer, editor, admin or owner."""
        self._requests.send("PUT", quoted("workspaces", workspace, "members", user), {"role": role})

    def remove_member(self, workspace: str, user: str) -> None:
        self._requests.send("DELETE", quoted("workspaces", workspace, "members", user))


class Secrets:
    """Credentials of storage, named in a workspace. What was saved is never returned."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def list(self, workspace: str) -> builtins.list[values.Secret]:
        found = self._requests.all(quoted("workspaces", workspace, "secrets"))
        return [values.made(values.Secret, each) for each in found]

    def create(
        self,
        workspace: str,
        name: str,
        kind: str,
        members: Mapping[str, str],
        *,
        check: str | None = None,
        save_anyway: bool | None = None,
    ) -> values.Secret:
        """`kind` is s3, oss, gs, az or web. `check` is an address that these credentials must be able to list."""
        body = values.given(name=name, kind=kind, members=dict(members), check=check, save_anyway=save_anyway)
        path = quoted("workspaces", workspace, "secrets")
        return values.made(values.Secret, self._requests.send("POST", path, body))

    def replace(
        self,
        workspace: str,
        name: str,
        kind: str,
        members: Mapping[str, str],
        *,
        check: str | None = None,
        save_anyway: bool | None = None,
    ) -> values.Secret:
        """Replaces the credentials; boards that use them are started again with the new ones."""
        body = values.given(name=name, kind=kind, members=dict(members), check=check, save_anyway=save_anyway)
        path = quoted("workspaces", workspace, "secrets", name)
        return values.made(values.Secret, self._requests.send("PUT", path, body))

    def delete(self, workspace: str, name: str, *, force: bool = False) -> None:
        """`force`: also if boards use it."""
        path = quoted("workspaces", workspace, "secrets", name)
        self._requests.send("DELETE", f"{path}?force=true" if force else path)

    def check(self, workspace: str, name: str, place: str | None = None) -> dict[str, Any]:
        """Tries saved credentials; returns what the hub says about them."""
        path = f"{quoted('workspaces', workspace, 'secrets', name)}:check"
        return dict(self._requests.send("POST", path, values.given(place=place), again=True))


class Settings:
    """Settings of the hub, for admins: idle_after, reclaim_after, max_runtime, per_account, per_workspace, per_hub,
    bounds."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def get(self) -> dict[str, Any]:
        return dict(self._requests.get("/settings"))

    def change(self, **members: Any) -> dict[str, Any]:
        body = {name: values.duration(value) for name, value in members.items()}
        return dict(self._requests.send("PATCH", "/settings", body))
