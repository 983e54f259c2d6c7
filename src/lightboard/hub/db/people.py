"""Users, sessions, tokens, access keys and one-time links. Proofs are found by their hash."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
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

    def users(
        self, *, after: str = "", limit: int = 1000, text: str = "", enabled: bool | None = None
    ) -> list[accounts.User]:
        """By name; the next page is `after` the last name. `text` has words that occur in name or display name."""
        query = sa.select(USERS).where(USERS.c.name > after).order_by(USERS.c.name).limit(limit)
        for word in text.lower().split()[:10]:
            found = (column.contains(word, autoescape=True) for column in (USERS.c.name, _lower(USERS.c.display_name)))
            query = query.where(sa.or_(*found))
        if enabled is not None:
            query = query.where(USERS.c.enabled.is_(enabled))
        with self._database.read() as connection:
            return [rows.value_of(accounts.User, each) for each in connection.execute(query).mappings()]

    def names(self, users: Iterable[str]) -> dict[str, str]:
        """The names of users, by id."""
        query = sa.select(USERS.c.id, USERS.c.name).where(USERS.c.id.in_(sorted(set(users))))
        with self._database.read() as connection:
            return {each.id: each.name for each in connection.execute(query)}

    def users_by_id(self, users: Iterable[str]) -> dict[str, accounts.User]:
        query = sa.select(USERS).where(USERS.c.id.in_(sorted(set(users))))
        with self._database.read() as connection:
            found = [rows.value_of(accounts.User, each) for each in connection.execute(query).mappings()]
        return {each.id: each for each in found}

    def user_count(self) -> int:
        with self._database.read() as connection:
            return connection.execute(sa.select(sa.func.count()).select_from(USERS)).scalar_one()

    def change_user(self, user: str, *, end_sessions: bool = False, **members: Any) -> accounts.User:
        """Changes members such as `password_hash` or `enabled`. Raises errors.NotFound, refusals.Changed for the last
        admin, who stays one."""
        with self._database.write() as connection:
            if members.keys() & {"admin", "enabled"}:
                _lock_admins(connection)
            row = connection.execute(sa.select(USERS).where(USERS.c.id == user).with_for_update()).mappings().first()
            if row is None:
                raise errors.NotFound(f"no user {user[:100]}")
            changed = dataclasses.replace(rows.value_of(accounts.User, row), **members)
            try:
                connection.execute(sa.update(USERS).where(USERS.c.id == user).values(**rows.row_of(changed)))
            except sa.exc.IntegrityError as error:
                raise refusals.Needed(f"there is a user {changed.name}", hint="choose another name") from error
            _keep_an_admin(connection)
            if end_sessions:
                connection.execute(sa.delete(SESSIONS).where(SESSIONS.c.user == user))
        return changed

    def note_seen(self, user: str, now: float) -> None:
        with self._database.write() as connection:
            connection.execute(sa.update(USERS).where(USERS.c.id == user).values(last_seen=now))

    def change_password_hash(self, user: str, before: str, after: str) -> None:
        """The same password with other parameters; nothing if the password was changed meanwhile."""
        same = (USERS.c.id == user, USERS.c.password_hash == before)
        with self._database.write() as connection:
            connection.execute(sa.update(USERS).where(*same).values(password_hash=after))

    def remove_user(self, user: str) -> None:
        """Removes a user who owns no boards, with the personal workspace, sessions, tokens and keys."""
        boards, own = tables.BOARDS, tables.WORKSPACES.c.personal_of == user
        with self._database.write() as connection:
            _lock_workspaces(connection, user)
            _lock_admins(connection)
            personal = connection.execute(sa.select(tables.WORKSPACES.c.id).where(own)).scalars().all()
            theirs = sa.or_(boards.c.owner == user, boards.c.workspace.in_(personal))
            if connection.execute(sa.select(sa.func.count()).select_from(boards).where(theirs)).scalar_one():
                raise refusals.Needed("the user owns boards", hint="delete them or give them to somebody else")
            sent = sa.or_(tables.UPLOADS.c.owner == user, tables.UPLOADS.c.workspace.in_(personal))
            if connection.execute(sa.select(sa.func.count()).select_from(tables.UPLOADS).where(sent)).scalar_one():
                raise refusals.Needed("the user has uploads", hint="delete them first: `lightboard dev delete`")
            alone = _alone(connection, user, personal)
            if alone:
                hint = "make somebody else an owner first"
                raise refusals.Needed(f"the user is the only owner of: {', '.join(alone[:20])}", hint=hint)
            scopes = [f"account:{user}", *(f"workspace:{each}" for each in personal)]
            connection.execute(sa.delete(tables.SETTINGS).where(tables.SETTINGS.c.scope.in_(scopes)))
            connection.execute(sa.delete(tables.WORKSPACES).where(own))
            if not connection.execute(sa.delete(USERS).where(USERS.c.id == user)).rowcount:
                raise errors.NotFound(f"no user {user[:100]}")
            _keep_an_admin(connection)

    # -- sessions

    def add_session(self, session: accounts.Session) -> None:
        self._add(SESSIONS, session)

    def sign_in(self, session: accounts.Session, password_hash: str, *, most: int = 100) -> bool:
        """Stores the session if the user is still enabled and has still this password. The oldest sessions end if there
        are more than `most`."""
        user = (USERS.c.id == session.user, USERS.c.password_hash == password_hash, USERS.c.enabled)
        with self._database.write() as connection:
            # waits for a change of the password at this moment
            if connection.execute(sa.select(USERS.c.id).where(*user).with_for_update(key_share=True)).first() is None:
                return False
            connection.execute(sa.insert(SESSIONS).values(**rows.row_of(session)))
            of_user = SESSIONS.c.user == session.user
            newest = sa.select(SESSIONS.c.id).where(of_user).order_by(SESSIONS.c.last_used.desc(), SESSIONS.c.id)
            connection.execute(sa.delete(SESSIONS).where(of_user, SESSIONS.c.id.not_in(newest.limit(most))))
        return True

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

    def token_owner(self, token: str) -> str | None:
        with self._database.read() as connection:
            owner: str | None = connection.execute(sa.select(TOKENS.c.user).where(TOKENS.c.id == token)).scalar()
            return owner

    def remove_token(self, user: str, token: str) -> bool:
        return self._remove(TOKENS, TOKENS.c.user == user, TOKENS.c.id == token)

    # -- access keys

    def add_access_key(self, key: accounts.AccessKey) -> None:
        self._add(ACCESS_KEYS, key)

    def access_key(self, key: str, now: float) -> accounts.AccessKey | None:
        """Returns a key that has not expired, and notes its use."""
        return self._used(accounts.AccessKey, ACCESS_KEYS, ACCESS_KEYS.c.id == key, now)

    def find_access_key(self, key: str, now: float) -> accounts.AccessKey | None:
        """Returns a key that has not expired; whether it is used is not known yet."""
        with self._database.read() as connection:
            row = connection.execute(sa.select(ACCESS_KEYS).where(ACCESS_KEYS.c.id == key)).mappings().first()
        if row is None or (row["expires"] is not None and row["expires"] <= now):
            return None
        return rows.value_of(accounts.AccessKey, row)

    def access_key_owner(self, key: str) -> str | None:
        with self._database.read() as connection:
            owner: str | None = connection.execute(
                sa.select(ACCESS_KEYS.c.user).where(ACCESS_KEYS.c.id == key)
            ).scalar()
            return owner

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

    def link(self, digest: bytes, now: float) -> accounts.OneTimeLink | None:
        """Returns a link that was not used and has not expired, and leaves it unused."""
        free = (LINKS.c.hash == digest, LINKS.c.used.is_(None), LINKS.c.expires > now)
        with self._database.read() as connection:
            row = connection.execute(sa.select(LINKS).where(*free)).mappings().first()
            return None if row is None else rows.value_of(accounts.OneTimeLink, row)

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
            for table in (SESSIONS, LINKS, TOKENS, ACCESS_KEYS, tables.NONCES):
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
        raise refusals.Needed("this is the last admin of the hub", hint="make somebody else an admin first")


def _lock_admins(connection: sa.Connection) -> None:
    """Two admins who end each other's rights at once are not both right."""
    admins = sa.select(USERS.c.id).where(USERS.c.admin).order_by(USERS.c.id)
    connection.execute(admins.with_for_update())


def _lock_workspaces(connection: sa.Connection, user: str) -> None:
    """Those of which the user is a member: another owner does not leave at the same moment."""
    theirs = sa.select(tables.MEMBERS.c.workspace).where(tables.MEMBERS.c.user == user)
    query = sa.select(tables.WORKSPACES.c.id).where(tables.WORKSPACES.c.id.in_(theirs)).order_by(tables.WORKSPACES.c.id)
    connection.execute(query.with_for_update(key_share=True))


def _alone(connection: sa.Connection, user: str, but: Sequence[str]) -> list[str]:
    """Workspaces that nobody else owns."""
    mine, other = tables.MEMBERS.alias(), tables.MEMBERS.alias()
    owner = accounts.Role.OWNER.value
    others = sa.exists().where(other.c.workspace == mine.c.workspace, other.c.role == owner, other.c.user != user)
    query = sa.select(mine.c.workspace).where(mine.c.user == user, mine.c.role == owner, ~others)
    found = connection.execute(query.order_by(mine.c.workspace)).scalars()
    return [each for each in found if each not in but]


def _lower(column: sa.Column[str]) -> sa.ColumnElement[str]:
    """SQLite folds ASCII letters only."""
    return sa.func.lower(column)
