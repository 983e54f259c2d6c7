"""Files of uploads that are on the hub's disk, in the bucket, or both.

The disk is where files arrive and grow, the bucket is where they stay. A copy on disk is removed only when the bucket
has the whole file, under a lock that everybody who writes below the directory shares (`stored.share`).
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import pathlib
from collections.abc import Callable, Iterator

from lightboard.hub import db
from lightboard.hub.life.uploads import Form, Moving, StoredFile, Upload
from lightboard.hub.uploads import stored
from lightboard.hub.uploads.bucket import Bucket


class Copies:
    def __init__(self, database: db.Database, store: pathlib.Path, bucket: Bucket) -> None:
        self.bucket = bucket
        self._database, self._store = database, store

    def _top(self, upload: str) -> pathlib.Path:
        return self._store / upload / stored.FILES

    # -- to the bucket

    def put(self, moving: Moving, goes_on: Callable[[], bool]) -> bool:
        """Puts a file into the bucket; says whether it did. Raises BucketFault, Interrupted, OSError."""
        upload, file = moving.upload, moving.file
        with contextlib.ExitStack() as stack:
            try:
                descriptor = os.open(self._top(upload) / file.path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
                stack.callback(os.close, descriptor)
                fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except FileNotFoundError:
                self.lost(upload, file)
                return False
            except BlockingIOError:  # a request writes it: the next round puts it
                return False
            size = os.fstat(descriptor).st_size
            fcntl.flock(descriptor, fcntl.LOCK_UN)
            if size < file.size:
                self.lost(upload, file)
                return False
            kept = self.bucket.put(upload, file.path, descriptor, file.size, goes_on)
        if not self._database.uploads.set_kept(upload, file.path, kept):  # it was deleted meanwhile
            self.bucket.delete(upload, file.path)
        return True

    # -- back to the disk

    def lost(self, upload: str, file: StoredFile) -> StoredFile | None:
        """The disk does not have a file as its row says. Returns what the bucket has of it, which becomes the file."""
        kept = self._database.uploads.kept(upload, [file.path]).get(file.path)
        if kept is None or kept.size < 0:
            self._database.uploads.forget(upload, file.path)
            return None
        if kept.has(file):
            return file
        self._database.uploads.fall_back(upload, file.path)
        return StoredFile(file.path, kept.size, kept.checksum)

    def restore(self, upload: str, file: StoredFile, descriptor: int) -> bool:
        """Writes a file that the bucket has to an open, locked file on disk. Raises BucketFault."""
        kept = self._database.uploads.kept(upload, [file.path]).get(file.path)
        if kept is None or not kept.has(file):
            return False
        try:
            self.bucket.fetch(upload, file, kept, descriptor)
        except BaseException:
            os.ftruncate(descriptor, 0)  # the beginning of a file does not pass for the file
            raise
        return True

    def restore_all(self, upload: Upload, files: list[StoredFile]) -> None:
        """Raises BucketFault, FileBusy, StorageFull."""
        with contextlib.ExitStack() as stack:
            top = os.open(self._top(upload.id), os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            stack.callback(os.close, top)
            stored.share(top)
            for each in files:
                if stored.size_of(self._top(upload.id) / each.path) >= each.size:
                    continue
                descriptor = stored.open_below(top, each.path, replace=False)
                try:
                    self.restore(upload.id, each, descriptor)
                finally:
                    os.close(descriptor)

    # -- off the disk

    def release(self, upload: Upload, before: float, is_stopped: Callable[[], bool]) -> bool:
        """Removes the copy on disk if the bucket has all of it and nothing was written since `before`. The flag `away`
        is set before the board is asked for: a board that starts then reads the bucket."""
        with self._alone(upload.id) as top:
            if top is None or stored.newest(self._top(upload.id)) > before:
                return False
            rows = self._database.uploads.files(upload.id)
            kept = self._database.uploads.kept(upload.id, [each.path for each in rows])
            if not all(each.path in kept and kept[each.path].has(each) for each in rows):
                return False
            if upload.form is Form.POINTS and not self._is_noted(upload.id, rows):
                return False
            if not upload.away:
                self._database.uploads.change(upload.id, away=True)
                if not is_stopped():
                    self._database.uploads.change(upload.id, away=False)
                    return False
            stored.clear(self._top(upload.id))
            return True

    def _is_noted(self, upload: str, rows: list[StoredFile]) -> bool:
        known = {each.path: each.size for each in rows}
        return all(known.get(path) == size for path, size in stored.sizes(self._top(upload)).items())

    @contextlib.contextmanager
    def _alone(self, upload: str) -> Iterator[int | None]:
        """The directory, if nobody writes below it."""
        try:
            top = os.open(self._top(upload), os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except FileNotFoundError:
            yield None
            return
        try:
            fcntl.flock(top, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(top)
            yield None
            return
        try:
            yield top
        finally:
            os.close(top)
