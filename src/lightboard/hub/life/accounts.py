"""People and what they own beside boards: users, sessions, tokens, workspaces, secrets, shares, the audit log.

Plain immutable values, as the database stores them. Passwords and tokens appear only as hashes, secrets only as
ciphertext.
"""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Mapping
from typing import Any


class Role(str, enum.Enum):
    VIEWER = "viewer"
    EDITOR = "editor"
    ADMIN = "admin"
    OWNER = "owner"

    @property
    def rank(self) -> int:
        return _RANKS[self]


_RANKS = {role: number for number, role in enumerate(Role)}  # they are written in this order


@dataclasses.dataclass(frozen=True, kw_only=True)
class User:
    id: str
    name: str
    created: float
    display_name: str = ""
    # empty: cannot sign in with a password
    password_hash: str = dataclasses.field(default="", repr=False)
    # of the hub, not of a workspace
    admin: bool = False
    enabled: bool = True
    last_seen: float | None = None


@dataclasses.dataclass(frozen=True, kw_only=True)
class Session:
    """A signed-in browser. `hash` is of the cookie's value."""

    id: str
    hash: bytes = dataclasses.field(repr=False)
    user: str
    created: float
    expires: float
    last_used: float
    address: str = ""
    agent: str = ""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Token:
    """An API token; `expires` None: never."""

    id: str
    hash: bytes = dataclasses.field(repr=False)
    user: str
    name: str
    created: float
    scopes: tuple[str, ...] = ()
    expires: float | None = None
    last_used: float | None = None


@dataclasses.dataclass(frozen=True)
class AccessKey:
    """A key id with a secret that signs requests, as cloud clients use it. Checking a signature needs the secret
    itself, so it is stored as ciphertext and not as a hash."""

    id: str
    user: str
    name: str
    ciphertext: bytes = dataclasses.field(repr=False)
    created: float
    expires: float | None = None
    last_used: float | None = None


@dataclasses.dataclass(frozen=True)
class OneTimeLink:
    """A link that works once: `purpose` is "first-admin" or "reset"."""

    hash: bytes = dataclasses.field(repr=False)
    user: str
    purpose: str
    created: float
    expires: float
    used: float | None = None


@dataclasses.dataclass(frozen=True)
class Workspace:
    """`personal_of` is the id of the user whose own workspace it is, empty for a shared one."""

    id: str
    name: str
    created: float
    description: str = ""
    personal_of: str = ""


@dataclasses.dataclass(frozen=True)
class Member:
    workspace: str
    user: str
    role: Role
    since: float


@dataclasses.dataclass(frozen=True, kw_only=True)
class Secret:
    """Credentials of a store. `shown` has what may be shown: endpoint, region, principal."""

    id: str
    workspace: str
    name: str
    kind: str
    ciphertext: bytes = dataclasses.field(repr=False)
    created: float
    created_by: str
    updated: float
    shown: Mapping[str, Any] = dataclasses.field(default_factory=dict, hash=False)
    # what the last test of it said, and when
    checked: float | None = None
    check_message: str = ""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Share:
    """A link to a board. `view` is the part of the page's address after #, `expires` None: never."""

    id: str
    board: str
    hash: bytes = dataclasses.field(repr=False)
    created: float
    created_by: str
    role: Role = Role.VIEWER
    view: str = ""
    expires: float | None = None
    revoked: float | None = None
    uses: int = 0
    last_used: float | None = None


@dataclasses.dataclass(frozen=True, kw_only=True)
class AuditEntry:
    """Who did what to which thing ("board:…"), from where, and how it ended ("ok", or the code of the refusal)."""

    time: float
    actor: str
    action: str
    thing: str
    workspace: str = ""
    outcome: str = "ok"
    address: str = ""
    detail: Mapping[str, Any] = dataclasses.field(default_factory=dict, hash=False)
    id: int = 0
