"""`Uploads`: everything that other rooms do with uploads.

An upload and its board are made together; the board is stopped until somebody opens it. Methods block and may be called
from any thread. They do not ask who calls: `api/uploads` and the other doors ask `may`, with `board(upload)`.
"""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import os
import pathlib
import secrets
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping

from lightboard import errors
from lightboard.hub import db, life
from lightboard.hub.db import lists
from lightboard.hub.life import accounts, commands, names, refusals, uploads
from lightboard.hub.life.uploads import Form, Left, Place, Quotas, StoredFile, Upload
from lightboard.hub.uploads import stored
from lightboard.hub.uploads.bucket import Bucket
from lightboard.hub.uploads.copies import Copies

# A session that was silent for so long may be replaced by another one.
SILENT_SECS = 60.0
# Requests that send bytes, at once.
MOST_REQUESTS, MOST_REQUESTS_OF_USER = 64, 8
# Of boards: a stopped one needs no slot.
_NO_LIMITS = life.Limits(None, None, None)
SOURCE_TYPE = "upload"


class Busy(refusals.Refusal):
    status = 429
    rest_code = "RateLimited"


@dataclasses.dataclass(frozen=True)
class Removed:
    """What a delete removed. `left` has what it could not, with reasons; a repeated delete tries again."""

    files: int
    bytes: int
    left: tuple[str, ...] = ()


class Uploads:
    """State, under `_lock`: requests that send bytes, by user, and files that were written since their last flush.
    `news` is set when a bucket should get something."""

    def __init__(
        self,
        database: db.Database,
        store: pathlib.Path,
        *,
        quotas: Quotas | None = None,
        clock: Callable[[], float],
        bucket: Bucket | None = None,
    ) -> None:
        """`store` is on disk; with a bucket it has what the bucket does not have yet, and copies."""
        self.store = store
        self.copies = None if bucket is None else Copies(database, store, bucket)
        self.news = threading.Event()
        self.quotas = quotas or Quotas()
        self._database, self._clock = database, clock
        self._lock = threading.Lock()
        self._requests: collections.Counter[str] = collections.Counter()
        self._unflushed: dict[str, set[str]] = {}

    # -- uploads

    def create(
        self,
        user: accounts.User,
        workspace: str,
        *,
        name: str = "",
        description: str = "",
        visibility: life.Visibility = life.Visibility.PRIVATE,
        form: Form = Form.FILES,
    ) -> Upload:
        """Raises refusals.BadName, QuotaExceeded. The caller has checked that the user may create boards there."""
        if self._database.uploads.count(user.id) >= uploads.MOST_UPLOADS:
            raise uploads.QuotaExceeded(f"the account has {uploads.MOST_UPLOADS:,} uploads", hint="delete some of them")
        now = self._clock()
        made = Upload(
            id=names.new_id("up", secrets.token_bytes(names.ID_BYTES)),
            board=names.new_id("b", secrets.token_bytes(names.ID_BYTES)),
            owner=user.id,
            workspace=workspace,
            created=now,
            updated=now,
            name=uploads.checked_name(name),
            description=uploads.checked_description(description),
            form=form,
        )
        folder = self.directory(made)
        try:
            folder.mkdir(mode=0o700, parents=True)
        except OSError as error:
            raise stored.unreadable(self.store, error) from error
        self._database.uploads.add(made)
        self._make_board(made, visibility)
        return made

    def find(self, upload: str) -> Upload | None:
        return self._database.uploads.find(upload)

    def visible(
        self, user: str, roles: Mapping[str, accounts.Role], *, admin: bool = False, workspace: str = ""
    ) -> list[tuple[Upload, life.Board]]:
        """Uploads whose boards this user may see, newest first, and own ones without a board."""
        who = None if admin else lists.Visible(user, roles)
        boards = {each.id: each for each in self._boards(who, workspace)}
        found = self._database.uploads.all(workspace=workspace)
        return [
            (each, boards[each.board] if each.board in boards else _stand_in(each))
            for each in found
            if each.board in boards or ((each.owner == user or admin) and self._board(each) is None)
        ]

    def _boards(self, who: lists.Visible | None, workspace: str) -> Iterator[life.Board]:
        query = lists.Query(source_type=SOURCE_TYPE, visible=who, workspace=workspace)
        token = ""
        while True:
            page = self._database.lists.page(query, lists.MOST_ROWS, token)
            yield from (each for each in page.boards if each.state is not life.State.DELETING)
            token = page.next_page
            if not token:
                return

    def change(self, upload: str, *, name: str | None = None, description: str | None = None) -> Upload:
        members: dict[str, str] = {}
        if name is not None:
            members["name"] = uploads.checked_name(name)
        if description is not None:
            members["description"] = uploads.checked_description(description)
        changed = self._database.uploads.change(upload, **members, updated=self._clock())
        if members.get("name") and (board := self._board(changed)) is not None:
            renamed = {"name": members["name"]}
            self._database.boards.change(
                board.id, lambda each: commands.redefine(each, self._clock(), changed.owner, **renamed)
            )
        return changed

    def delete(self, upload: Upload, actor: str) -> Removed:
        """Deletes the board, the files and then the row. What could not be removed keeps the row, so that it can be
        tried again."""
        self._database.uploads.change(upload.id, deleting=True, session="", session_seen=0.0)
        if self._board(upload) is not None:
            with contextlib.suppress(errors.NotFound):
                self._database.boards.change(upload.board, lambda each: commands.delete(each, self._clock(), actor))
        try:
            left = stored.remove(self.store, upload.id)
        except OSError as error:
            left = [error.strerror or str(error)]
        if self.copies is not None:
            left += self.copies.bucket.remove(upload.id)
        with self._lock:
            self._unflushed.pop(upload.id, None)
        if not left:
            self._database.uploads.remove(upload.id)
        return Removed(upload.files, upload.bytes, tuple(left))

    # -- boards

    def board(self, upload: Upload) -> life.Board:
        """The board that decides who may do what. If it was deleted: a private one of the same owner."""
        return self._board(upload) or _stand_in(upload)

    def _board(self, upload: Upload) -> life.Board | None:
        found = self._database.boards.find(upload.board)
        return None if found is None or found.state is life.State.DELETING else found

    def has_board(self, upload: Upload) -> bool:
        return self._board(upload) is not None

    def ensure_board(self, upload: Upload) -> Upload:
        """Makes a new, private board if the one of the upload was deleted."""
        if self.has_board(upload):
            return upload
        board = names.new_id("b", secrets.token_bytes(names.ID_BYTES))
        changed = self._database.uploads.change(upload.id, board=board)
        self._make_board(changed, life.Visibility.PRIVATE)
        return changed

    def _make_board(self, upload: Upload, visibility: life.Visibility) -> None:
        board = life.Board(
            id=upload.board,
            name=upload.name or f"Upload {upload.id}",
            workspace=upload.workspace,
            owner=upload.owner,
            sources=(life.Source(upload.source),),
            created=self._clock(),
            visibility=visibility,
            source_type=SOURCE_TYPE,
            source_id=upload.id,
        )
        change = commands.created(board, upload.owner)
        stopped = dataclasses.replace(
            change.board,
            desired=life.Desired.STOP,
            stop_reason=life.StopReason.USER,
            state=life.State.STOPPED,
            observed_generation=1,
            look_again_at=None,
        )
        self._database.boards.create(dataclasses.replace(change, board=stopped), _NO_LIMITS)

    def place_of(self, uri: str, board: str) -> Place | None:
        """Where its own board reads `upload://<id>`; None for every other one."""
        found = self.find(uploads.id_in(uri))
        if found is None or found.board != board or found.deleting:
            return None
        if found.away and self.copies is not None:
            return self.copies.bucket.place(found.id)
        return Place(str(self.directory(found)))

    # -- files

    def directory(self, upload: Upload) -> pathlib.Path:
        """Where its files are."""
        return self.store / upload.id / stored.FILES

    def files(self, upload: Upload, after: str = "", limit: int | None = None) -> list[StoredFile]:
        """What is there, in the order of paths. A file that is shorter than was noted is not listed: it is sent
        again. Points: the checksum is -1, because nobody sent one."""
        if upload.form is Form.POINTS:
            found = sorted(self._sizes(upload).items())
            return [StoredFile(path, size, uploads.NO_CHECKSUM) for path, size in found if path > after][:limit]
        top, whole = self.directory(upload), []
        for each in self._database.uploads.files(upload.id, after, limit):
            if stored.size_of(top / each.path) >= each.size:
                whole.append(each)
            elif self.copies is None:
                self._database.uploads.forget(upload.id, each.path)
            elif (there := self.copies.lost(upload.id, each)) is not None:
                whole.append(there)
        return whole

    def _sizes(self, upload: Upload) -> dict[str, int]:
        """Of an upload of points: what the bucket has, and what is on disk, which is newer."""
        rows = self._database.uploads.files(upload.id) if self.copies is not None else []
        return {each.path: each.size for each in rows} | stored.sizes(self.directory(upload))

    def local(self, upload: Upload) -> pathlib.Path:
        """The directory of its files, all of which are there then. Raises BucketFault."""
        if upload.away and self.copies is not None:
            self.copies.restore_all(upload, self.files(upload))
        return self.directory(upload)

    def note(self, upload: str) -> Upload:
        """Counts files, bytes and runs on disk; for uploads of points, after something was written."""
        found = self.find(upload)
        if found is None:
            raise errors.NotFound(f"not found: {upload[:100]}")
        sizes = self._sizes(found)
        if self.copies is not None:
            known = {each.path: each.size for each in self._database.uploads.files(upload)}
            changed = {
                path: StoredFile(path, size, uploads.NO_CHECKSUM)
                for path, size in sizes.items()
                if known.get(path) != size
            }
            self._database.uploads.note(upload, changed, self._clock())
            self.news.set()
        return self._database.uploads.change(
            upload, bytes=sum(sizes.values()), files=len(sizes), runs=_runs(sizes), updated=self._clock()
        )

    def written(self, upload: str, paths: Iterable[str]) -> None:
        with self._lock:
            self._unflushed.setdefault(upload, set()).update(paths)
        self.news.set()

    def flush(self, upload: Upload) -> Upload:
        """Waits until what this hub process wrote is on disk; counts the runs."""
        if upload.session:  # its client is alive
            self._database.uploads.change(upload.id, session_seen=self._clock())
        with self._lock:
            paths = self._unflushed.pop(upload.id, set())
        stored.flush(self.directory(upload), paths)
        if not paths:
            return upload
        runs = _runs(each.path for each in self._database.uploads.files(upload.id))
        return self._database.uploads.change(upload.id, runs=runs)

    # -- the bucket

    def now(self) -> float:
        return self._clock()

    def pending(self, only: Iterable[Upload]) -> dict[str, int]:
        """How many files of uploads the bucket does not have yet."""
        return {} if self.copies is None else self._database.uploads.pending([each.id for each in only])

    def is_moving(self, upload: Upload) -> bool:
        """Whether the bucket is about to get the rest. Not while it refuses."""
        return self.copies is not None and not self.copies.bucket.problem and upload.id in self.pending([upload])

    def on_disk(self) -> list[str]:
        """Ids of uploads of which the disk has something."""
        with contextlib.suppress(FileNotFoundError):
            return [each.name for each in os.scandir(self.store) if _has_files(pathlib.Path(each.path) / stored.FILES)]
        return []

    def release(self, upload: str, before: float) -> bool:
        """Removes the copy on disk, if the upload was silent since then and the bucket has all of it."""
        found = self.find(upload)
        if self.copies is None or found is None or found.deleting or found.updated > before:
            return False
        if found.session and found.session_seen > self._clock() - SILENT_SECS:
            return False
        if found.form is Form.POINTS and self._sizes(found) != stored.sizes(self.directory(found)):
            self.note(upload)  # what a hub that was killed did not count
        return self.copies.release(found, before, lambda: self._is_stopped(found))

    def _is_stopped(self, upload: Upload) -> bool:
        board = self._board(upload)
        if board is None or board.state is life.State.FAILED:
            return True
        return board.state is life.State.STOPPED and board.desired is life.Desired.STOP

    # -- sessions and quotas

    def begin(self, upload: Upload, *, size: int, files: int, session: str = "", take_over: bool = False) -> str:
        """Starts or continues a session in which `size` more bytes in `files` new files are sent; returns its key.
        Raises QuotaExceeded, UploadBusy."""
        if upload.deleting:
            raise errors.NotFound(f"the upload is being deleted: {upload.id}")
        if upload.form is not Form.FILES:
            raise uploads.UploadBusy("the hub writes the files of this upload", hint="create another upload")
        uploads.check_quotas(self.left(upload.owner, upload.workspace), size, files)
        now, key = self._clock(), session or secrets.token_hex(16)
        silent_since = now if take_over else now - SILENT_SECS
        if not self._database.uploads.begin(upload.id, key, now, silent_since=silent_since):
            raise uploads.UploadBusy(
                "another program is sending to this upload",
                hint=f"stop it, or wait {SILENT_SECS:.0f} s after it ended; `--take_over` ends its session",
            )
        return key

    def end(self, upload: Upload, session: str) -> None:
        self._database.uploads.end(upload.id, session)
        self.news.set()

    def check_session(self, upload: Upload, session: str) -> None:
        if upload.deleting:
            raise errors.NotFound(f"not found: {upload.id}")
        if not session or upload.session != session:
            message = "this session has ended: another one was started, or none was"
            raise uploads.SessionEnded(message, hint="begin a new session")

    def left(self, owner: str, workspace: str) -> Left:
        return self._database.uploads.left(owner, workspace, self.quotas)

    @contextlib.contextmanager
    def request_of(self, user: str) -> Iterator[None]:
        """Counts requests that send bytes. Raises Busy."""
        with self._lock:
            if self._requests.total() >= MOST_REQUESTS or self._requests[user] >= MOST_REQUESTS_OF_USER:
                raise Busy("too many requests send files at once", hint="try again in a second")
            self._requests[user] += 1
        try:
            yield
        finally:
            with self._lock:
                self._requests[user] -= 1
                self._requests += collections.Counter()  # drops zeros


def _stand_in(upload: Upload) -> life.Board:
    return life.Board(
        id=upload.board,
        name=upload.name or f"Upload {upload.id}",
        workspace=upload.workspace,
        owner=upload.owner,
        sources=(life.Source(upload.source),),
        created=upload.created,
        state=life.State.STOPPED,
        source_type=SOURCE_TYPE,
        source_id=upload.id,
    )


def _runs(paths: Iterable[str]) -> int:
    return len({each.rpartition("/")[0] for each in paths if "tfevents" in each.rpartition("/")[2]})


def _has_files(folder: pathlib.Path) -> bool:
    try:
        return any(folder.iterdir())
    except OSError:
        return False
