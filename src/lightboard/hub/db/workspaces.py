"""Workspaces, their members and their secrets, which are stored as ciphertext only."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any

import sqlalchemy as sa

from lightboard import errors
from lightboard.hub.db import rows, tables, transactions
from lightboard.hub.life import accounts, refusals

WORKSPACES, MEMBERS, SECRETS = tables.WORKSPACES, tables.MEMBERS, tables.SECRETS


class Workspaces:
    def __init__(self, database: transactions.Transactions) -> None:
        self._database = database

    def add(self, workspace: accounts.Workspace, owner: str) -> bool:
        """False: the id is taken."""
        with self._database.write() as connection:
            if not transactions.insert_new(connection, WORKSPACES, rows.row_of(workspace)):
                return False
            member = accounts.Member(workspace.id, owner, accounts.Role.OWNER, workspace.created)
            connection.execute(sa.insert(MEMBERS).values(**rows.row_of(member)))
            return True

    def get(self, workspace: str) -> accounts.Workspace | None:
        with self._database.read() as connection:
            row = connection.execute(sa.select(WORKSPACES).where(WORKSPACES.c.id == workspace)).mappings().first()
            return None if row is None else rows.value_of(accounts.Workspace, row)

    def all(self, user: str = "") -> list[accounts.Workspace]:
        """All, or those of which the user is a member, by id."""
        query = sa.select(WORKSPACES).order_by(WORKSPACES.c.id)
        if user:
            query = query.join(MEMBERS, MEMBERS.c.workspace == WORKSPACES.c.id).where(MEMBERS.c.user == user)
        with self._database.read() as connection:
            return [rows.value_of(accounts.Workspace, each) for each in connection.execute(query).mappings()]

    def count(self) -> int:
        with self._database.read() as connection:
            return connection.execute(sa.select(sa.func.count()).select_from(WORKSPACES)).scalar_one()

    def sizes(self) -> dict[str, tuple[int, int]]:
        """The number of members and of boards of each workspace."""
        with self._database.read() as connection:
            members, boards = _counts(connection, MEMBERS), _counts(connection, tables.BOARDS)
        return {each: (members.get(each, 0), boards.get(each, 0)) for each in members.keys() | boards.keys()}

    def change(self, workspace: str, **members: Any) -> None:
        with self._database.write() as connection:
            statement = sa.update(WORKSPACES).where(WORKSPACES.c.id == workspace).values(**members)
            if not connection.execute(statement).rowcount:
                raise errors.NotFound(f"no workspace {workspace[:100]}")

    def remove(self, workspace: str) -> None:
        """Removes a workspace without boards, with its members, secrets and settings."""
        with self._database.write() as connection:
            boards = sa.select(sa.func.count()).select_from(tables.BOARDS).where(tables.BOARDS.c.workspace == workspace)
            if connection.execute(boards).scalar_one():
                raise refusals.Needed("the workspace has boards", hint="delete them first")
            sent = sa.select(sa.func.count()).select_from(tables.UPLOADS).where(tables.UPLOADS.c.workspace == workspace)
            if connection.execute(sent).scalar_one():
                raise refusals.Needed("the workspace has uploads", hint="delete them first: `lightboard dev delete`")
            if not connection.execute(sa.delete(WORKSPACES).where(WORKSPACES.c.id == workspace)).rowcount:
                raise errors.NotFound(f"no workspace {workspace[:100]}")
            scope = tables.SETTINGS.c.scope == f"workspace:{workspace}"
            connection.execute(sa.delete(tables.SETTINGS).where(scope))

    # -- members

    def roles(self, user: str) -> dict[str, accounts.Role]:
        """The user's role in each workspace."""
        query = sa.select(MEMBERS.c.workspace, MEMBERS.c.role).where(MEMBERS.c.user == user)
        with self._database.read() as connection:
            return {workspace: accounts.Role(role) for workspace, role in connection.execute(query)}

    def roles_of(self, users: Iterable[str]) -> dict[str, dict[str, accounts.Role]]:
        """The same of several users."""
        found: dict[str, dict[str, accounts.Role]] = {user: {} for user in users}
        query = sa.select(MEMBERS.c.user, MEMBERS.c.workspace, MEMBERS.c.role).where(MEMBERS.c.user.in_(sorted(found)))
        with self._database.read() as connection:
            for user, workspace, role in connection.execute(query):
                found[user][workspace] = accounts.Role(role)
        return found

    def role(self, workspace: str, user: str) -> accounts.Role | None:
        query = sa.select(MEMBERS.c.role).where(MEMBERS.c.workspace == workspace, MEMBERS.c.user == user)
        with self._database.read() as connection:
            found = connection.execute(query).scalar()
            return None if found is None else accounts.Role(found)

    def members(self, workspace: str) -> list[accounts.Member]:
        query = sa.select(MEMBERS).where(MEMBERS.c.workspace == workspace).order_by(MEMBERS.c.since, MEMBERS.c.user)
        with self._database.read() as connection:
            found = connection.execute(query).mappings()
            return [rows.value_of(accounts.Member, each, role=accounts.Role(each["role"])) for each in found]

    def set_member(self, member: accounts.Member, *, owners: bool = True) -> accounts.Member:
        """Adds a member or changes the role; the last owner stays one. `owners`: whether the caller may make and
        change owners. Returns the member, who stays one since the first day."""
        with self._database.write() as connection:
            _lock(connection, member.workspace)
            if not owners:
                _check_owner(connection, member.workspace, member.user, member.role)
            known = (MEMBERS.c.workspace == member.workspace, MEMBERS.c.user == member.user)
            since = connection.execute(sa.select(MEMBERS.c.since).where(*known)).scalar()
            member = dataclasses.replace(member, since=member.since if since is None else since)
            try:
                transactions.upsert(connection, MEMBERS, rows.row_of(member))
            except sa.exc.IntegrityError as error:  # the user was removed at this moment
                raise errors.NotFound(f"no user {member.user[:100]}") from error
            _keep_an_owner(connection, member.workspace)
        return member

    def remove_member(self, workspace: str, user: str, *, owners: bool = True) -> bool:
        with self._database.write() as connection:
            _lock(connection, workspace)
            if not owners:
                _check_owner(connection, workspace, user, None)
            which = (MEMBERS.c.workspace == workspace, MEMBERS.c.user == user)
            removed = bool(connection.execute(sa.delete(MEMBERS).where(*which)).rowcount)
            _keep_an_owner(connection, workspace)
            return removed

    # -- secrets

    def add_secret(self, secret: accounts.Secret) -> bool:
        """False: the workspace has a secret of this name."""
        with self._database.write() as connection:
            return transactions.insert_new(connection, SECRETS, rows.row_of(secret))

    def secret(self, workspace: str, name: str) -> accounts.Secret | None:
        query = sa.select(SECRETS).where(SECRETS.c.workspace == workspace, SECRETS.c.name == name)
        with self._database.read() as connection:
            row = connection.execute(query).mappings().first()
            return None if row is None else rows.value_of(accounts.Secret, row)

    def secrets(self, workspace: str) -> list[accounts.Secret]:
        query = sa.select(SECRETS).where(SECRETS.c.workspace == workspace).order_by(SECRETS.c.name)
        with self._database.read() as connection:
            return [rows.value_of(accounts.Secret, each) for each in connection.execute(query).mappings()]

    def change_secret(self, workspace: str, name: str, **members: Any) -> None:
        """Changes members such as `ciphertext`, or `checked` with `check_message`."""
        which = (SECRETS.c.workspace == workspace, SECRETS.c.name == name)
        with self._database.write() as connection:
            if not connection.execute(sa.update(SECRETS).where(*which).values(**members)).rowcount:
                raise errors.NotFound(f"no secret {name[:100]}")

    def remove_secret(self, workspace: str, name: str) -> bool:
        which = (SECRETS.c.workspace == workspace, SECRETS.c.name == name)
        with self._database.write() as connection:
            return bool(connection.execute(sa.delete(SECRETS).where(*which)).rowcount)


def _counts(connection: sa.Connection, table: sa.Table) -> dict[str, int]:
    query = sa.select(table.c.workspace, sa.func.count().label("number")).group_by(table.c.workspace)
    return {each.workspace: each.number for each in connection.execute(query)}


def _lock(connection: sa.Connection, workspace: str) -> None:
    """Two owners who remove each other at once are not both right."""
    query = sa.select(WORKSPACES.c.id).where(WORKSPACES.c.id == workspace).with_for_update(key_share=True)
    if connection.execute(query).first() is None:
        raise errors.NotFound(f"no workspace {workspace[:100]}")


def _keep_an_owner(connection: sa.Connection, workspace: str) -> None:
    owner = accounts.Role.OWNER.value
    query = sa.select(sa.func.count()).select_from(MEMBERS)
    if not connection.execute(query.where(MEMBERS.c.workspace == workspace, MEMBERS.c.role == owner)).scalar_one():
        raise refusals.Needed("a workspace needs an owner", hint="make somebody else an owner first")


def _check_owner(connection: sa.Connection, workspace: str, user: str, role: accounts.Role | None) -> None:
    """Raises errors.Denied if somebody who is no owner makes, changes or removes one."""
    query = sa.select(MEMBERS.c.role).where(MEMBERS.c.workspace == workspace, MEMBERS.c.user == user)
    if accounts.Role.OWNER in (role, connection.execute(query).scalar()):
        raise errors.Denied("only owners make and change owners", hint="ask an owner of the workspace")
