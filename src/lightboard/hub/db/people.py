"""Users, sessions, tokens, access keys and one-time links. Proofs are found by their hash."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any, TypeVar

import sqlalchemy as sa

from lightboard import errors
from lightboard.hub.db import rows, tables, transactions
from lightboard.hub.life import accounts, refusals

USERS, SESSIONS, TOKENS = tables.USERS, tables.SESSIONS, tables.TOKENS
ACCESS_KEYS, LINKS = tables.ACCESS_KEYS, tables.ONE_TIME_LINKS
# "last used" is written at most this often
RESOLUTION_SECS = 60.0
_T = TypeVar("_T", accounts.Session, accounts.AccessKey, accounts.OneTimeLink)


class People:
    def __init__(self, database: transactions.Transactions) -> None:
        self._database = database

    # -- users

    def add_user(self, user: accounts.User, workspace: accounts.Workspace | None = None) -> bool:
        """Stores a user with the personal workspace, which they own. False: the name is taken. Raises refusals.Changed
        if the id of the workspace is."""
        with self._database.write() as connection:
            if not transactions.insert_new(connection, USERS, rows.row_of(user)):
                return False
            if workspace is not None:
                if not transactions.insert_new(connection, tables.WORKSPACES, rows.row_of(workspace)):
                    raise refusals.Changed(f"there is a workspace {workspace.id}")
                member = accounts.Member(workspace.id, user.id, accounts.Role.OWNER, user.created)
                connection.execute(sa.insert(tables.MEMBERS).values(**rows.row_of(member)))
            return True

    def user(self, user: str) -> accounts.User | None:
        return self._user(USERS.c.id == user)

    def user_named(self, name: str) -> accounts.User | None:
        return self._user(USERS.c.name == name)

    def _user(self, condition: sa.ColumnElement[bool]) -> accounts.User | None:
        with self._database.read() as connection:
            row = connection.execute(sa.select(USERS).where(condition)).mappings().first()
            return None if row is None else rows.value_of(accounts.User, row)

    def users(self, *, after: str = "", limit: int = 1000) -> list[accounts.User]:
        """By name; the next page is `after` the last name."""
        query = sa.select(USERS).where(USERS.c.name > after).order_by(USERS.c.name).limit(limit)
        with self._database.read() as connection:
            return [rows.value_of(accounts.User, each) for each in connection.execute(query).mappings()]

    def names(self, users: Iterable[str]) -> dict[str, str]:
        """The names of users, by id."""
        query = sa.select(USERS.c.id, USERS.c.name).where(USERS.c.id.in_(sorted(set(users))))
        with self._database.read() as connection:
            return {each.id: each.name for each in connection.execute(query)}

    def user_count(self) -> int:
        with self._database.read() as connection:
            return connection.execute(sa.select(sa.func.count()).select_from(USERS)).scalar_one()

    def change_user(self, user: str, *, end_sessions: bool = False, **members: Any) -> accounts.User:
        """Changes members such as `password_hash` or `enabled`. Raises errors.NotFound, refusals.Changed for the last
        admin, who stays one."""
        with self._database.write() as connection:
            row = connection.execute(sa.select(USERS).where(USERS.c.id == user).with_for_update()).mappings().first()
            if row is None:
                raise errors.NotFound(f"no user {user[:100]}")
            changed = dataclasses.replace(rows.value_of(accounts.User, row), **members)
            connection.execute(sa.update(USERS).where(USERS.c.id == user).values(**rows.row_of(changed)))
            _keep_an_admin(connection)
            if end_sessions:
                connection.execute(sa.delete(SESSIONS).where(SESSIONS.c.user == user))
        return changed

    def note_seen(self, user: str, now: float) -> None:
        with self._database.write() as connection:
            connection.execute(sa.update(USERS).where(USERS.c.id == user).values(last_seen=now))

    def remove_user(self, user: str) -> None:
        """Removes a user who owns no boards, with sessions, tokens and keys."""
        with self._database.write() as connection:
            boards = sa.select(sa.func.count()).select_from(tables.BOARDS).where(tables.BOARDS.c.owner == user)
            if connection.execute(boards).scalar_one():
                raise refusals.Changed("the user owns boards", hint="delete them or give them to somebody else")
            if not connection.execute(sa.delete(USERS).where(USERS.c.id == user)).rowcount:
                raise errors.NotFound(f"no user {user[:100]}")
            _keep_an_admin(connection)

    # -- sessions

    def add_session(self, session: accounts.Session) -> None:
        self._add(SESSIONS, session)

    def session(self, digest: bytes, now: float) -> accounts.Session | None:
        """Returns a session that has not expired, and notes its use."""
        return self._used(accounts.Session, SESSIONS, SESSIONS.c.hash == digest, now)

    def sessions(self, user: str, now: float) -> list[accounts.Session]:
        query = sa.select(SESSIONS).where(SESSIONS.c.user == user, SESSIONS.c.expires > now)
        with self._database.read() as connection:
            found = connection.execute(query.order_by(SESSIONS.c.last_used.desc())).mappings()
            return [rows.value_of(accounts.Session, each) for each in found]

    def remove_session(self, user: str, session: str) -> bool:
        return self._remove(SESSIONS, SESSIONS.c.user == user, SESSIONS.c.id == session)

    # -- tokens

    def add_token(self, token: accounts.Token) -> None:
        self._add(TOKENS, token)

    def token(self, digest: bytes, now: float) -> accounts.Token | None:
        """Returns a token that has not expired, and notes its use."""
        with self._database.read() as connection:
            row = connection.execute(sa.select(TOKENS).where(TOKENS.c.hash == digest)).mappings().first()
        if row is None or (row["expires"] is not None and row["expires"] <= now):
            return None
        self._note_use(TOKENS, row, now)
        return rows.value_of(accounts.Token, row, scopes=tuple(row["scopes"]))

    def tokens(self, user: str) -> list[accounts.Token]:
        query = sa.select(TOKENS).where(TOKENS.c.user == user).order_by(TOKENS.c.created.desc(), TOKENS.c.id)
        with self._database.read() as connection:
            found = connection.execute(query).mappings()
            return [rows.value_of(accounts.Token, each, scopes=tuple(each["scopes"])) for each in found]

    def remove_token(self, user: str, token: str) -> bool:
        return self._remove(TOKENS, TOKENS.c.user == user, TOKENS.c.id == token)

    # -- access keys

    def add_access_key(self, key: accounts.AccessKey) -> None:
        self._add(ACCESS_KEYS, key)

    def access_key(self, key: str, now: float) -> accounts.AccessKey | None:
        return self._used(accounts.AccessKey, ACCESS_KEYS, ACCESS_KEYS.c.id == key, now)

    def access_keys(self, user: str) -> list[accounts.AccessKey]:
        query = sa.select(ACCESS_KEYS).where(ACCESS_KEYS.c.user == user).order_by(ACCESS_KEYS.c.created.desc())
        with self._database.read() as connection:
            return [rows.value_of(accounts.AccessKey, each) for each in connection.execute(query).mappings()]

    def remove_access_key(self, user: str, key: str) -> bool:
        return self._remove(ACCESS_KEYS, ACCESS_KEYS.c.user == user, ACCESS_KEYS.c.id == key)

    # -- one-time links

    def add_link(self, link: accounts.OneTimeLink) -> None:
        """A new link ends earlier ones for the same purpose."""
        with self._database.write() as connection:
            same = (LINKS.c.user == link.user, LINKS.c.purpose == link.purpose)
            connection.execute(sa.delete(LINKS).where(*same))
            connection.execute(sa.insert(LINKS).values(**rows.row_of(link)))

    def use_link(self, digest: bytes, purpose: str, now: float) -> accounts.OneTimeLink | None:
        """Returns a link that was not used and has not expired; of several callers at once, only one gets it."""
        free = (LINKS.c.hash == digest, LINKS.c.purpose == purpose, LINKS.c.used.is_(None), LINKS.c.expires > now)
        with self._database.write() as connection:
            if not connection.execute(sa.update(LINKS).where(*free).values(used=now)).rowcount:
                return None
            row = connection.execute(sa.select(LINKS).where(LINKS.c.hash == digest)).mappings().one()
            return rows.value_of(accounts.OneTimeLink, row)

    # -- cleaning

    def prune(self, now: float) -> None:
        """Deletes expired sessions, links and tokens."""
        with self._database.write() as connection:
            for table in (SESSIONS, LINKS, TOKENS, ACCESS_KEYS):
                connection.execute(sa.delete(table).where(table.c.expires <= now))

    # -- parts

    def _add(self, table: sa.Table, value: Any) -> None:
        with self._database.write() as connection:
            connection.execute(sa.insert(table).values(**rows.row_of(value)))

    def _remove(self, table: sa.Table, *conditions: sa.ColumnElement[bool]) -> bool:
        with self._database.write() as connection:
            return bool(connection.execute(sa.delete(table).where(*conditions)).rowcount)

    def _used(self, kind: type[_T], table: sa.Table, condition: sa.ColumnElement[bool], now: float) -> _T | None:
        with self._database.read() as connection:
            row = connection.execute(sa.select(table).where(condition)).mappings().first()
        if row is None or (row["expires"] is not None and row["expires"] <= now):
            return None
        self._note_use(table, row, now)
        return rows.value_of(kind, row)

    def _note_use(self, table: sa.Table, row: sa.RowMapping, now: float) -> None:
        """Seldom, so that reading with a token does not write."""
        if row["last_used"] is None or now - row["last_used"] >= RESOLUTION_SECS:
            with self._database.write() as connection:
                connection.execute(sa.update(table).where(table.c.id == row["id"]).values(last_used=now))


def _keep_an_admin(connection: sa.Connection) -> None:
    admins = sa.select(sa.func.count()).select_from(USERS).where(USERS.c.admin, USERS.c.enabled)
    if not connection.execute(admins).scalar_one():
        raise refusals.Changed("this is the last admin of the hub", hint="make somebody else an admin first")
