"""Answers of the hub as values: members that this version does not know are ignored, missing ones have defaults."""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Mapping
from typing import Any, TypeVar

T = TypeVar("T")
Duration = float | int | str | dt.timedelta


def moment(text: object) -> dt.datetime | None:
    """Parses the hub's times (`2026-11-18T06:10:00.123Z`); None stays None."""
    if not isinstance(text, str) or not text:
        return None
    return dt.datetime.fromisoformat(text.replace("Z", "+00:00"))


def duration(value: Duration | None) -> float | int | str | None:
    """A duration as the hub reads it: seconds, or a text such as "1h30m" or "never"."""
    return value.total_seconds() if isinstance(value, dt.timedelta) else value


def given(**members: Any) -> dict[str, Any]:
    """The members that are not None."""
    return {name: value for name, value in members.items() if value is not None}


def made(kind: type[T], members: Mapping[str, Any]) -> T:
    """Makes a dataclass of the members that it has fields for; fields of type datetime are parsed."""
    fields = {each.name: each for each in dataclasses.fields(kind)}  # type: ignore[arg-type]
    return kind(**{name: _value(fields[name], value) for name, value in members.items() if name in fields})


def _value(field: dataclasses.Field[Any], value: Any) -> Any:
    if "datetime" in str(field.type):
        return moment(value)
    if field.type == "bool":
        return bool(value)
    if isinstance(value, list):
        return tuple(value)
    return value


@dataclasses.dataclass(frozen=True, kw_only=True)
class Event:
    """Something that happened to a board. `actor` is the name of a user, or "hub"."""

    time: dt.datetime | None = None
    kind: str = ""
    actor: str = ""
    reason: str = ""
    message: str = ""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Share:
    """A link to a board. `url` is known only when it was just created."""

    id: str = ""
    url: str = dataclasses.field(default="", repr=False)
    created: dt.datetime | None = None
    created_by: str = ""
    role: str = ""
    view: str = ""
    expires: dt.datetime | None = None
    revoked: bool = False
    uses: int = 0
    last_used: dt.datetime | None = None


@dataclasses.dataclass(frozen=True, kw_only=True)
class Frame:
    """`url` is worth nothing after five minutes. `frame_ancestors` are pages that the hub lets show it."""

    url: str = dataclasses.field(default="", repr=False)
    frame_ancestors: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True, kw_only=True)
class Limit:
    """`limit` None: no limit."""

    limit: int | None = None
    used: int = 0
    id: str = ""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Quota:
    account: Limit = Limit()
    workspace: Limit = Limit()
    hub: Limit = Limit()


@dataclasses.dataclass(frozen=True, kw_only=True)
class Found:
    """What is at an address of logs."""

    uri: str = ""
    ok: bool = False
    code: str = ""
    message: str = ""
    hint: str = ""
    type: str = ""
    runs: int | None = None
    files: int | None = None
    bytes: int | None = None
    newest: dt.datetime | None = None
    more: bool = False
    names: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True, kw_only=True)
class Applied:
    """What became of one manifest. `ignored` are fields that mean nothing outside a cluster."""

    name: str = ""
    result: str = ""  # created, changed, unchanged, failed; with `prune` also deleted
    board: Mapping[str, Any] | None = dataclasses.field(default=None, hash=False)  # None: `problem` says why
    ignored: tuple[str, ...] = ()
    problem: Mapping[str, Any] | None = dataclasses.field(default=None, hash=False)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Removed:
    """What became of one manifest: "deleted" or "absent"."""

    name: str = ""
    result: str = ""


@dataclasses.dataclass(frozen=True, kw_only=True)
class User:
    """`link` is the one-time link of a new user without a password; it is shown once."""

    id: str = ""
    name: str = ""
    display_name: str = ""
    admin: bool = False
    enabled: bool = True
    created: dt.datetime | None = None
    last_seen: dt.datetime | None = None
    boards_limit: int | str | None = "default"  # None: no limit
    link: str = dataclasses.field(default="", repr=False)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Token:
    """`token` is the secret itself, and known only when it was just created."""

    id: str = ""
    name: str = ""
    token: str = dataclasses.field(default="", repr=False)
    scopes: tuple[str, ...] = ()
    created: dt.datetime | None = None
    expires: dt.datetime | None = None
    last_used: dt.datetime | None = None
    user: str = ""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Workspace:
    id: str = ""
    name: str = ""
    description: str = ""
    personal: bool = False
    role: str | None = None  # None: an admin of the hub who is not a member
    members: int = 0
    boards: int = 0
    created: dt.datetime | None = None


@dataclasses.dataclass(frozen=True, kw_only=True)
class Member:
    user: str = ""
    display_name: str = ""
    role: str = ""
    since: dt.datetime | None = None


@dataclasses.dataclass(frozen=True, kw_only=True)
class Secret:
    """Names and what may be shown, never the secret."""

    name: str = ""
    kind: str = ""
    shown: Mapping[str, Any] = dataclasses.field(default_factory=dict, hash=False)
    created: dt.datetime | None = None
    created_by: str = ""
    updated: dt.datetime | None = None
    checked: dt.datetime | None = None
    check_message: str = ""
    used_by: tuple[str, ...] = ()  # ids of boards
    check: Mapping[str, Any] | None = dataclasses.field(default=None, hash=False)  # only after saving: ok, message
