"""Uploads and the files that clients sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa

from lightboard import errors
from lightboard.hub.db import rows, tables, transactions
from lightboard.hub.life import uploads
from lightboard.hub.life.uploads import Kept, Left, Moving, Quotas, StoredFile, Upload

UPLOADS, FILES = tables.UPLOADS, tables.UPLOAD_FILES
_ROW_BATCH = 200
_IS_KEPT = sa.and_(
    FILES.c.kept == FILES.c.size,
    sa.or_(FILES.c.checksum == uploads.NO_CHECKSUM, FILES.c.checksum == FILES.c.kept_checksum),
)


class Uploads:
    def __init__(self, database: transactions.Transactions) -> None:
        self._database = database

    def add(self, upload: Upload) -> None:
        with self._database.write() as connection:
            connection.execute(sa.insert(UPLOADS).values(**rows.row_of(upload)))

    def find(self, upload: str) -> Upload | None:
        return self._first(UPLOADS.c.id == upload)

    def of_board(self, board: str) -> Upload | None:
        return self._first(UPLOADS.c.board == board)

    def _first(self, which: sa.ColumnElement[bool]) -> Upload | None:
        with self._database.read() as connection:
            row = connection.execute(sa.select(UPLOADS).where(which)).mappings().first()
        return None if row is None else _upload(row)

    def all(self, *, owner: str = "", workspaces: Sequence[str] | None = None, workspace: str = "") -> list[Upload]:
        """Newest first: those of an owner and those in workspaces; None: all of the hub."""
        query = sa.select(UPLOADS).order_by(UPLOADS.c.created.desc(), UPLOADS.c.id)
        if workspaces is not None:
            query = query.where(sa.or_(UPLOADS.c.owner == owner, UPLOADS.c.workspace.in_(sorted(workspaces))))
        if workspace:
            query = query.where(UPLOADS.c.workspace == workspace)
        with self._database.read() as connection:
            return [_upload(each) for each in connection.execute(query).mappings()]

    def count(self, owner: str) -> int:
        query = sa.select(sa.func.count()).select_from(UPLOADS).where(UPLOADS.c.owner == owner)
        with self._database.read() as connection:
            return int(connection.execute(query).scalar_one())

    def change(self, upload: str, **members: Any) -> Upload:
        with self._database.write() as connection:
            statement = sa.update(UPLOADS).where(UPLOADS.c.id == upload).values(**members)
            if not connection.execute(statement).rowcount:
                raise errors.NotFound(f"not found: {upload[:100]}")
            return _upload(connection.execute(sa.select(UPLOADS).where(UPLOADS.c.id == upload)).mappings().one())

    def begin(self, upload: str, session: str, now: float, *, silent_since: float) -> bool:
        """Makes this the session of the upload, unless another one was heard of since `silent_since`."""
        free = sa.or_(UPLOADS.c.session.in_(["", session]), UPLOADS.c.session_seen <= silent_since)
        statement = sa.update(UPLOADS).where(UPLOADS.c.id == upload, free)
        with self._database.write() as connection:
            return bool(connection.execute(statement.values(session=session, session_seen=now)).rowcount)

    def end(self, upload: str, session: str) -> None:
        statement = sa.update(UPLOADS).where(UPLOADS.c.id == upload, UPLOADS.c.session == session)
        with self._database.write() as connection:
            connection.execute(statement.values(session="", session_seen=0.0))

    def remove(self, upload: str) -> None:
        with self._database.write() as connection:
            connection.execute(sa.delete(UPLOADS).where(UPLOADS.c.id == upload))

    # -- files

    def files(self, upload: str, after: str = "", limit: int | None = None) -> list[StoredFile]:
        """In the order of their paths, those after a path."""
        query = sa.select(FILES).where(FILES.c.upload == upload, FILES.c.path > after).order_by(FILES.c.path)
        with self._database.read() as connection:
            found = connection.execute(query.limit(limit) if limit is not None else query).mappings()
            return [StoredFile(each["path"], each["size"], each["checksum"]) for each in found]

    def files_at(self, upload: str, paths: Sequence[str]) -> dict[str, StoredFile]:
        with self._database.read() as connection:
            return _files_at(connection, upload, paths)

    def note(self, upload: str, changed: Mapping[str, StoredFile], now: float) -> Upload:
        """Stores what arrived, in one transaction, and returns the upload with its new totals."""
        with self._database.write() as connection:
            locked = sa.select(UPLOADS).where(UPLOADS.c.id == upload).with_for_update()
            row = connection.execute(locked).mappings().first()
            if row is None:
                raise errors.NotFound(f"not found: {upload[:100]}")
            before = _files_at(connection, upload, list(changed))
            grown = sum(each.size for each in changed.values()) - sum(each.size for each in before.values())
            for each in changed.values():
                transactions.upsert(connection, FILES, {"upload": upload, **rows.row_of(each)})
            values = {
                "bytes": row["bytes"] + grown,
                "files": row["files"] + len(changed) - len(before),
                "updated": now,
                "session_seen": now,
            }
            connection.execute(sa.update(UPLOADS).where(UPLOADS.c.id == upload).values(**values))
            return _upload({**row, **values})

    def forget(self, upload: str, path: str) -> None:
        """A file that is not there as its row says."""
        with self._database.write() as connection:
            which = (FILES.c.upload == upload, FILES.c.path == path)
            size = connection.execute(sa.select(FILES.c.size).where(*which)).scalar()
            if size is None:
                return
            connection.execute(sa.delete(FILES).where(*which))
            totals = {"bytes": UPLOADS.c.bytes - size, "files": UPLOADS.c.files - 1}
            connection.execute(sa.update(UPLOADS).where(UPLOADS.c.id == upload).values(**totals))

    # -- the bucket

    def moving(self, limit: int, *, silent_since: float) -> list[Moving]:
        """Files that the bucket does not have; those of which it has nothing first."""
        query = (
            sa.select(FILES, UPLOADS.c.session, UPLOADS.c.session_seen, UPLOADS.c.form, UPLOADS.c.updated)
            .join(UPLOADS, UPLOADS.c.id == FILES.c.upload)
            .where(sa.not_(_IS_KEPT), UPLOADS.c.deleting.is_(False))
            .order_by(FILES.c.kept, FILES.c.upload, FILES.c.path)
            .limit(limit)
        )
        with self._database.read() as connection:
            return [
                Moving(
                    each["upload"],
                    StoredFile(each["path"], each["size"], each["checksum"]),
                    Kept(each["kept"], each["kept_checksum"]),
                    _is_ended(each, silent_since),
                )
                for each in connection.execute(query).mappings()
            ]

    def pending(self, only: Sequence[str]) -> dict[str, int]:
        """How many files of uploads the bucket does not have; uploads with none are left out."""
        query = sa.select(FILES.c.upload, sa.func.count()).where(sa.not_(_IS_KEPT)).group_by(FILES.c.upload)
        if len(only) <= _ROW_BATCH:
            query = query.where(FILES.c.upload.in_(only))
        with self._database.read() as connection:
            return {upload: int(count) for upload, count in connection.execute(query)}

    def kept(self, upload: str, paths: Sequence[str]) -> dict[str, Kept]:
        found: dict[str, Kept] = {}
        with self._database.read() as connection:
            for start in range(0, len(paths), _ROW_BATCH):
                which = (FILES.c.upload == upload, FILES.c.path.in_(paths[start : start + _ROW_BATCH]))
                for path, size, checksum in connection.execute(
                    sa.select(FILES.c.path, FILES.c.kept, FILES.c.kept_checksum).where(*which)
                ):
                    found[path] = Kept(size, checksum)
        return found

    def set_kept(self, upload: str, path: str, kept: Kept) -> bool:
        """Says whether the file is still wanted: its upload may have been deleted meanwhile."""
        with self._database.write() as connection:
            locked = sa.select(UPLOADS.c.deleting).where(UPLOADS.c.id == upload).with_for_update()
            if connection.execute(locked).scalar() is not False:
                return False
            which = (FILES.c.upload == upload, FILES.c.path == path)
            values = {"kept": kept.size, "kept_checksum": kept.checksum}
            return bool(connection.execute(sa.update(FILES).where(*which).values(**values)).rowcount)

    def fall_back(self, upload: str, path: str) -> None:
        """The hub's disk lost the end of a file: what the bucket has is the file now."""
        with self._database.write() as connection:
            which = (FILES.c.upload == upload, FILES.c.path == path)
            row = connection.execute(sa.select(FILES).where(*which)).mappings().first()
            if row is None:
                return
            values = {"size": row["kept"], "checksum": row["kept_checksum"]}
            connection.execute(sa.update(FILES).where(*which).values(**values))
            total = {"bytes": UPLOADS.c.bytes - row["size"] + row["kept"]}
            connection.execute(sa.update(UPLOADS).where(UPLOADS.c.id == upload).values(**total))

    def is_used(self) -> bool:
        """Whether a bucket has something."""
        with self._database.read() as connection:
            return connection.execute(sa.select(FILES.c.path).where(FILES.c.kept >= 0).limit(1)).first() is not None

    # -- quotas

    def left(self, owner: str, workspace: str, quotas: Quotas) -> Left:
        """What an account may still send into a workspace."""
        account, inside = UPLOADS.c.owner == owner, UPLOADS.c.workspace == workspace
        with self._database.read() as connection:
            used, files = connection.execute(
                sa.select(sa.func.sum(UPLOADS.c.bytes), sa.func.sum(UPLOADS.c.files)).where(account)
            ).one()
            scopes = {"account": _left(quotas.account_bytes, used)}
            for scope, limit, which in (
                ("workspace", quotas.workspace_bytes, inside),
                ("hub", quotas.hub_bytes, sa.true()),
            ):
                if limit is not None:
                    total = connection.execute(sa.select(sa.func.sum(UPLOADS.c.bytes)).where(which)).scalar()
                    scopes[scope] = _left(limit, total)
        known = {scope: left for scope, left in scopes.items() if left is not None}
        scope = min(known, key=lambda each: known[each], default="")
        return Left(known.get(scope), _left(quotas.account_files, files), scope)


def _is_ended(row: sa.RowMapping, silent_since: float) -> bool:
    if row["form"] == uploads.Form.POINTS.value:
        return bool(row["updated"] < silent_since)
    return not row["session"] or row["session_seen"] < silent_since


def _left(limit: int | None, used: Any) -> int | None:
    return None if limit is None else limit - int(used or 0)


def _files_at(connection: sa.Connection, upload: str, paths: Sequence[str]) -> dict[str, StoredFile]:
    found: dict[str, StoredFile] = {}
    for start in range(0, len(paths), _ROW_BATCH):
        some = FILES.c.path.in_(paths[start : start + _ROW_BATCH])
        for each in connection.execute(sa.select(FILES).where(FILES.c.upload == upload, some)).mappings():
            found[each["path"]] = StoredFile(each["path"], each["size"], each["checksum"])
    return found


def _upload(row: sa.RowMapping | Mapping[str, Any]) -> Upload:
    return rows.value_of(Upload, row, form=uploads.Form(row["form"]))  # type: ignore[arg-type] # a mapping will do
