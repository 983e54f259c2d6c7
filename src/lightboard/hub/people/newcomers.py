"""Adding a user together with the workspace of their own, under a free name."""

from __future__ import annotations

import dataclasses
import re
import secrets

from lightboard.hub import db
from lightboard.hub.life import accounts, names, refusals

TRIES = 20


def add(
    database: db.Database,
    name: str,
    now: float,
    *,
    display_name: str = "",
    password_hash: str = "",
    admin: bool = False,
) -> accounts.User | None:
    """Returns the new user; None: the name is taken. Raises refusals.BadName."""
    user = accounts.User(
        id=names.new_id("u", secrets.token_bytes(names.ID_BYTES)),
        name=names.checked_user(name),
        created=now,
        display_name=display_name,
        password_hash=password_hash,
        admin=admin,
    )
    workspace = accounts.Workspace(free_slug(database, user.name), display_name or user.name, now, personal_of=user.id)
    for _ in range(TRIES):
        try:
            return user if database.people.add_user(user, workspace) else None
        except refusals.Changed:  # somebody took the workspace's name at this moment
            workspace = dataclasses.replace(workspace, id=_with_number(workspace.id))
    raise refusals.Changed("no free name for the user's workspace", hint="try again")


def free_slug(database: db.Database, name: str) -> str:
    """A name for a workspace, made from a user's: `ann.lee@example.org` → `ann-lee-example-org`."""
    slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:50].strip("-") or "user"
    for each in (slug, f"{slug}-home"):
        if each not in names.RESERVED and database.workspaces.get(each) is None:
            return each
    return _with_number(slug)


def _with_number(slug: str) -> str:
    return f"{slug[:50].rstrip('-')}-{secrets.token_hex(3)}"
