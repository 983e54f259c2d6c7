"""Uploads: create, list, send bytes, read them back, change, delete.

Who may do what is decided by the board of the upload: reading is `board.read`, its files are `board.open`, sending and
metadata `board.edit`, deleting `board.delete`. `docs/design/0032-uploads.md` has the form of a body that sends bytes.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import os
from collections.abc import Callable, Mapping
from typing import Annotated, Any

import msgspec

from lightboard import errors
from lightboard.hub import life
from lightboard.hub.api import app, definitions, problems, shapes, things
from lightboard.hub.api.routes import Answer, Asked, NoQuery, Note, Reply, Route, Services, Struct
from lightboard.hub.life import accounts, uploads
from lightboard.hub.people import may
from lightboard.hub.people.may import Action
from lightboard.hub.uploads import parts, paths, receiving

# Without a byte for so long a request ends; what arrived is kept.
SILENT_SECS = 30.0
PIECE_BYTES = 1 << 18
# The end of a session waits so long for the bucket.
BUCKET_LOOKS, BUCKET_LOOK_SECS = 50, 0.1
_Size = Annotated[int, msgspec.Meta(ge=0, le=1 << 50)]


class UploadLimits(Answer, frozen=True, kw_only=True):
    """What may still be sent; null: no limit. `scope` is the one that allows the fewest bytes."""

    left_bytes: int | None
    left_files: int | None
    scope: str
    part_bytes: int = parts.MOST_LENGTH
    request_bytes: int = receiving.MOST_BYTES
    request_files: int = receiving.MOST_FILES
    name_characters: int = 100
    description_characters: int = uploads.LONGEST_DESCRIPTION


class Upload(Answer, frozen=True, kw_only=True):
    id: str
    name: str
    description: str  # markdown
    url: str  # of its board; empty if the board was deleted
    board: str
    workspace: str
    owner: str
    visibility: str
    form: str  # "files", or "points" if the hub wrote the files
    created: str
    updated: str
    runs: int
    files: int
    bytes: int
    sending: bool  # a client sends now
    deleting: bool  # something could not be removed: delete it again
    pending_files: int = 0  # which the bucket does not have yet; they are on the hub's disk
    store_problem: str = ""  # what the bucket refuses now; told to the owner and to admins


class UploadList(Answer, frozen=True, kw_only=True):
    """Newest first."""

    items: list[Upload]


class UploadListQuery(Struct, frozen=True, kw_only=True):
    workspace: definitions.Text = ""
    owner: definitions.Text = ""  # a user's name


class NewUpload(Struct, frozen=True, kw_only=True):
    name: Annotated[str, msgspec.Meta(max_length=1000)] = ""
    description: Annotated[str, msgspec.Meta(max_length=5000)] = ""
    workspace: definitions.Text = ""
    visibility: life.Visibility = life.Visibility.PRIVATE
    confirm_public: bool = False


class UploadChanges(Struct, frozen=True, kw_only=True):
    """Members that are absent stay as they are."""

    name: Annotated[str, msgspec.Meta(max_length=1000)] | None = None
    description: Annotated[str, msgspec.Meta(max_length=5000)] | None = None


class Begin(Struct, frozen=True, kw_only=True):
    bytes: _Size = 0  # about to be sent
    files: _Size = 0
    session: Annotated[str, msgspec.Meta(max_length=64, pattern="^[0-9a-f]*$")] = ""  # to continue it
    take_over: bool = False  # ends the session of another client


class UploadSession(Answer, frozen=True, kw_only=True):
    session: str
    upload: Upload
    limits: UploadLimits


class SessionBody(Struct, frozen=True, kw_only=True):
    session: Annotated[str, msgspec.Meta(max_length=64)]
    end: bool = False


class File(Answer, frozen=True, kw_only=True):
    path: str
    size: int
    checksum: int | None  # CRC-32; null if the hub wrote the file


class FileList(Answer, frozen=True, kw_only=True):
    """In the order of paths. `next_after` is empty at the end."""

    items: list[File]
    next_after: str = ""


class FilesQuery(Struct, frozen=True, kw_only=True):
    after: Annotated[str, msgspec.Meta(max_length=paths.MOST_BYTES)] = ""
    limit: Annotated[int, msgspec.Meta(ge=1, le=10_000)] = 2000


class DataQuery(Struct, frozen=True, kw_only=True):
    session: Annotated[str, msgspec.Meta(max_length=64)] = ""
    bytes: _Size = 0  # of all parts, decoded


class FileQuery(Struct, frozen=True, kw_only=True):
    path: Annotated[str, msgspec.Meta(max_length=paths.MOST_BYTES)] = ""
    offset: _Size = 0


class Removed(Answer, frozen=True, kw_only=True):
    """`left`: what could not be removed, with reasons. Delete again to try again."""

    files: int
    bytes: int
    left: list[str]


# -- uploads


def show_list(asked: Asked[UploadListQuery, None]) -> UploadList:
    database = asked.services.database
    roles = database.workspaces.roles(asked.user.id)
    found = asked.services.uploads.visible(
        asked.user.id, roles, admin=asked.user.admin, workspace=asked.query.workspace
    )
    only = may.workspaces_of(asked.identity)
    if only is not None:
        found = [each for each in found if each[0].workspace in only]
    users = database.people.names(each.owner for each, _ in found)
    if asked.query.owner:
        found = [each for each in found if users.get(each[0].owner) == asked.query.owner]
    pending = asked.services.uploads.pending(each for each, _ in found)
    return UploadList(items=[_shown(asked, each, board, users.get(each.owner, ""), pending) for each, board in found])


def create(asked: Asked[NoQuery, NewUpload]) -> Reply:
    body = asked.body
    definitions.check_public(body.visibility, life.Visibility.PRIVATE, confirmed=body.confirm_public)
    made = asked.services.uploads.create(
        asked.user,
        asked.workspace,
        name=body.name,
        description=body.description,
        visibility=body.visibility,
    )
    return Reply(value=_shape(asked, made), status=201, note=Note(detail={"visibility": body.visibility.value}))


def show(asked: Asked[NoQuery, None]) -> Upload:
    return _shape(asked, _upload(asked))


def show_limits(asked: Asked[NoQuery, None]) -> UploadLimits:
    return _limits(asked, asked.user.id, asked.workspace)


def change(asked: Asked[NoQuery, UploadChanges]) -> Upload:
    body = asked.body
    if body.name is None and body.description is None:
        raise problems.Problem(400, "BadRequest", "nothing is changed", hint="send `name` or `description`")
    upload = _upload(asked)
    return _shape(asked, asked.services.uploads.change(upload.id, name=body.name, description=body.description))


def delete(asked: Asked[NoQuery, None]) -> Reply:
    removed = asked.services.uploads.delete(_upload(asked), asked.user.id)
    shown = Removed(files=removed.files, bytes=removed.bytes, left=list(removed.left))
    return Reply(value=shown, note=Note(detail={"files": removed.files, "left": len(removed.left)}))


# -- sending


def begin(asked: Asked[NoQuery, Begin]) -> UploadSession:
    body, service = asked.body, asked.services.uploads
    upload = _upload(asked)
    session = service.begin(upload, size=body.bytes, files=body.files, session=body.session, take_over=body.take_over)
    upload = service.ensure_board(_upload(asked))
    limits = _limits(asked, upload.owner, upload.workspace)
    return UploadSession(session=session, upload=_shape(asked, upload), limits=limits)


async def flush(asked: Asked[NoQuery, SessionBody]) -> Upload:
    """At the end of a session it also waits for the bucket. `pending_files` says what that does not have."""
    upload = await asked.run(_flushed, asked)
    for _ in range(BUCKET_LOOKS if asked.body.end else 0):  # another process may move the files
        if not await asked.run(asked.services.uploads.is_moving, upload):
            break
        await asyncio.sleep(BUCKET_LOOK_SECS)
    shown: Upload = await asked.run(lambda: _shape(asked, _upload(asked)))
    return shown


def _flushed(asked: Asked[NoQuery, SessionBody]) -> uploads.Upload:
    service, upload = asked.services.uploads, _upload(asked)
    service.check_session(upload, asked.body.session)
    service.flush(upload)
    if asked.body.end:
        service.end(upload, asked.body.session)
    return upload


async def receive(asked: Asked[DataQuery, None], get: Any) -> FileList:
    """Reads parts from the body, and answers what the hub has of their files now."""
    services, query = asked.services, asked.query
    upload = await asked.run(_upload, asked)
    await asked.run(receiving.check_session, services.database, services.uploads, upload, query.session, query.bytes)
    body = _Body(get)
    receiver = receiving.Receiver(services.database, services.uploads, upload, asked.now)
    with services.uploads.request_of(asked.user.id):
        failure: errors.LightboardError | None = None
        try:
            await _receive(asked, receiver, body)
        except errors.LightboardError as error:
            failure = error
        finally:
            changed = await asyncio.shield(asked.run(receiver.finish))
    if failure is not None:
        await body.skip()
        raise failure
    return FileList(items=[File(path=each.path, size=each.size, checksum=each.checksum) for each in changed.values()])


async def _receive(asked: Asked[DataQuery, None], receiver: receiving.Receiver, body: _Body) -> None:
    parser = parts.Parser()
    while not body.ended:
        found = list(parser.feed(await body.piece()))
        if found:
            await asked.run(receiver.apply, found)
    if not parser.is_complete:
        raise parts.BadPart("the body ends in the middle of a part", hint="send the rest again")


class _Body:
    """State: whether the body has ended."""

    def __init__(self, get: Any) -> None:
        self._get = get
        self.ended = False

    async def piece(self) -> bytes:
        try:
            message: Mapping[str, Any] = await asyncio.wait_for(self._get(), SILENT_SECS)
        except asyncio.TimeoutError as error:
            raise problems.Problem(408, "RequestTimeout", "the body stopped", hint="send the rest again") from error
        if message["type"] == "http.disconnect":
            raise app.Disconnected
        self.ended = not message.get("more_body", False)
        return bytes(message.get("body", b""))

    async def skip(self) -> None:
        """Reads what the client still sends, up to the size of a request: an answer before the end of the body could
        be lost on the way."""
        size = 0
        with contextlib.suppress(problems.Problem):
            while not self.ended and size < receiving.MOST_BYTES:
                size += len(await self.piece())


# -- reading back


def show_files(asked: Asked[FilesQuery, None]) -> FileList:
    found = asked.services.uploads.files(_upload(asked), asked.query.after, asked.query.limit)
    items = [File(path=each.path, size=each.size, checksum=_known(each.checksum)) for each in found]
    return FileList(items=items, next_after=items[-1].path if len(items) == asked.query.limit else "")


async def send_file(asked: Asked[FileQuery, None], send: Any) -> None:
    opened = await asked.run(_opened, asked)
    size = opened.size
    try:
        offset = min(asked.query.offset, size)
        headers = [
            (b"content-type", b"application/octet-stream"),
            (b"content-length", b"%d" % (size - offset)),
            (b"cache-control", b"no-store"),
            (b"content-disposition", b"attachment"),
            (b"x-content-type-options", b"nosniff"),
            (b"content-security-policy", b"default-src 'none'; sandbox"),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        while offset < size:
            piece = await asked.run(opened.read, offset)
            if not piece:
                raise RuntimeError("a file of an upload became shorter while it was sent")
            offset += len(piece)
            await send({"type": "http.response.body", "body": piece, "more_body": offset < size})
        if not size or asked.query.offset >= size:
            await send({"type": "http.response.body", "body": b""})
    finally:
        opened.close()


@dataclasses.dataclass(frozen=True)
class _Opened:
    """A file on disk or in the bucket. `read` is called for one piece after the other."""

    size: int
    read: Callable[[int], bytes]
    close: Callable[[], None]


def _opened(asked: Asked[FileQuery, None]) -> _Opened:
    upload = _upload(asked)
    path = paths.checked(asked.query.path)
    service = asked.services.uploads
    known = asked.services.database.uploads.files_at(upload.id, [path]).get(path)
    try:
        descriptor = os.open(service.directory(upload) / path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError as error:
        found = _in_bucket(asked, upload, known)
        if found is None:
            raise problems.not_found(path) from error
        return found
    there = os.fstat(descriptor).st_size
    if known is not None and there < known.size and (found := _in_bucket(asked, upload, known)) is not None:
        os.close(descriptor)
        return found
    size = there if known is None else min(known.size, there)
    return _Opened(
        size,
        lambda offset: os.pread(descriptor, min(PIECE_BYTES, size - offset), offset),
        lambda: os.close(descriptor),
    )


def _in_bucket(
    asked: Asked[FileQuery, None], upload: uploads.Upload, known: uploads.StoredFile | None
) -> _Opened | None:
    """The first piece is read at once, so that a fault of the bucket is an answer."""
    copies = asked.services.uploads.copies
    found = None if copies is None or known is None else copies.lost(upload.id, known)
    if copies is None or found is None:
        return None
    pieces = copies.bucket.read(upload.id, found.path, min(asked.query.offset, found.size), found.size)
    held = [next(pieces, b"")]
    return _Opened(found.size, lambda offset: held.pop() if held else next(pieces, b""), pieces.close)


# -- shapes


def _thing(services: Services, identity: may.Identity, path: Mapping[str, str], body: Any) -> may.Thing:
    upload = services.uploads.find(path["upload"])
    if upload is None:
        raise problems.not_found(path["upload"])
    board = services.uploads.board(upload)
    thing = may.OneBoard(board, _role(services, identity, board.workspace))
    if not may.sees(identity, thing):  # in the same words as if it did not exist, without the id of the board
        raise problems.not_found(path["upload"])
    return thing


def _role(services: Services, identity: may.Identity, workspace: str) -> accounts.Role | None:
    return None if identity.user is None else services.database.workspaces.role(workspace, identity.user.id)


def _upload(asked: Asked[Any, Any]) -> uploads.Upload:
    found = asked.services.uploads.find(asked.path["upload"])
    if found is None:
        raise problems.not_found(asked.path["upload"])
    return found


def _shape(asked: Asked[Any, Any], upload: uploads.Upload) -> Upload:
    owner = asked.services.database.people.names([upload.owner]).get(upload.owner, "")
    service = asked.services.uploads
    return _shown(asked, upload, service.board(upload), owner, service.pending([upload]))


def _is_owner(asked: Asked[Any, Any], upload: uploads.Upload) -> bool:
    """Or an admin of the hub. A problem names the bucket, which is not for everybody who sees a public upload."""
    user = asked.identity.user
    return user is not None and (user.id == upload.owner or user.admin)


def _shown(
    asked: Asked[Any, Any], upload: uploads.Upload, board: life.Board, owner: str, pending: Mapping[str, int]
) -> Upload:
    copies, waiting = asked.services.uploads.copies, pending.get(upload.id, 0)
    troubled = waiting or upload.deleting
    return Upload(
        id=upload.id,
        name=upload.name,
        description=upload.description,
        url=f"{asked.base_url}/boards/{board.id}/" if board.version else "",
        board=board.id,
        workspace=upload.workspace,
        owner=owner,
        visibility=board.visibility.value,
        form=upload.form.value,
        created=shapes.time(upload.created),
        updated=shapes.time(upload.updated),
        runs=upload.runs,
        files=upload.files,
        bytes=upload.bytes,
        sending=bool(upload.session) and asked.now - upload.session_seen < 60.0,
        deleting=upload.deleting,
        pending_files=waiting,
        store_problem=copies.bucket.problem if copies is not None and troubled and _is_owner(asked, upload) else "",
    )


def _limits(asked: Asked[Any, Any], owner: str, workspace: str) -> UploadLimits:
    left = asked.services.uploads.left(owner, workspace)
    return UploadLimits(left_bytes=left.bytes, left_files=left.files, scope=left.scope)


def _known(checksum: int) -> int | None:
    return checksum if checksum >= 0 else None


ROUTES = (
    Route("GET", "/uploads", show_list, Action.BOARD_LIST, query=UploadListQuery, answer=UploadList,
          about="Lists uploads that you may see."),
    Route("POST", "/uploads", create, Action.BOARD_CREATE, thing=things.workspace_of_body, body=NewUpload,
          answer=Upload, status=201, audit="upload.create", about="Creates an empty upload with a board."),
    Route("GET", "/workspaces/{workspace}/upload_limits", show_limits, Action.BOARD_CREATE, thing=things.workspace,
          answer=UploadLimits, about="Shows how much you may upload into a workspace."),
    Route("GET", "/uploads/{upload}", show, Action.BOARD_READ, thing=_thing, answer=Upload, about="Shows an upload."),
    Route("PATCH", "/uploads/{upload}", change, Action.BOARD_EDIT, thing=_thing, body=UploadChanges, answer=Upload,
          audit="upload.change", about="Changes name or description."),
    Route("DELETE", "/uploads/{upload}", delete, Action.BOARD_DELETE, thing=_thing, answer=Removed,
          audit="upload.delete", about="Deletes an upload with its files and its board."),
    Route("POST", "/uploads/{upload}:begin", begin, Action.BOARD_EDIT, thing=_thing, body=Begin, answer=UploadSession,
          about="Starts a session that sends files. Refused if the files do not fit into the quotas."),
    Route("POST", "/uploads/{upload}/data", receive, Action.BOARD_EDIT, thing=_thing, query=DataQuery,
          answer=FileList, reads=True, about="Appends bytes to files: a body of parts."),
    Route("POST", "/uploads/{upload}:flush", flush, Action.BOARD_EDIT, thing=_thing, body=SessionBody, answer=Upload,
          about="Waits until the files are on the hub's disk; may end the session, and then waits for the bucket."),
    Route("GET", "/uploads/{upload}/files", show_files, Action.BOARD_OPEN, thing=_thing, query=FilesQuery,
          answer=FileList, about="Lists files with lengths and checksums."),
    Route("GET", "/uploads/{upload}/file", send_file, Action.BOARD_OPEN, thing=_thing, query=FileQuery,
          answer=msgspec.Raw, streams=True, media_type="application/octet-stream", about="Sends the bytes of a file."),
)  # fmt: skip
