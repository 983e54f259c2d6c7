"""One request that sends parts of files.

    pieces of the body ─▶ parts.Parser ─▶ path, lock, offset, checksum, write ─▶ at the end one transaction

Files stay locked until their new lengths are stored, so that the next request reads what is true. Whatever ends the
request, complete parts before that are stored. Memory: one part, as it came and decoded.
"""

from __future__ import annotations

import dataclasses
import os
import zlib
from collections.abc import Sequence
from typing import Any

from lightboard import errors
from lightboard.hub import db
from lightboard.hub.life import refusals, uploads
from lightboard.hub.life.uploads import StoredFile, Upload
from lightboard.hub.uploads import parts, paths, stored
from lightboard.hub.uploads.uploads import Uploads

MOST_FILES = 256  # of one request: each has an open descriptor
MOST_BYTES = 64 << 20


class OffsetMismatch(refusals.Refusal):
    status = 409
    rest_code = "OffsetMismatch"

    def __init__(self, message: str, file: StoredFile) -> None:
        super().__init__(message, hint="continue at the length that the hub has, or start the file again")
        self.members: dict[str, Any] = dataclasses.asdict(file)


class ChecksumMismatch(OffsetMismatch):
    rest_code = "ChecksumMismatch"


class TooMuch(refusals.Refusal):
    status = 413
    rest_code = "BodyTooLarge"


@dataclasses.dataclass
class _Open:
    """A locked file. `size` and `checksum` are of what was verified."""

    descriptor: int
    size: int
    checksum: int
    changed: bool = False


class Receiver:
    """State of one request; its methods are called one after the other, in threads."""

    def __init__(self, database: db.Database, service: Uploads, upload: Upload, now: float) -> None:
        self._database, self._service, self._upload, self._now = database, service, upload, now
        self._open: dict[str, _Open] = {}
        self._top = -1
        self._bytes = 0

    def apply(self, found: Sequence[parts.Part]) -> None:
        """Writes parts. Raises refusals; those before the refused one are written."""
        if self._top < 0:
            try:
                self._top = os.open(self._service.directory(self._upload), os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            except FileNotFoundError as error:
                raise errors.NotFound(f"not found: {self._upload.id}") from error
            stored.share(self._top)
        new = {each.path for each in found} - self._open.keys()
        known = self._database.uploads.files_at(self._upload.id, sorted(new)) if new else {}
        for part in found:
            self._apply(part, known)

    def _apply(self, part: parts.Part, known: dict[str, StoredFile]) -> None:
        self._bytes += part.length
        if self._bytes > MOST_BYTES or (part.path not in self._open and len(self._open) >= MOST_FILES):
            hint = "send the rest in another request"
            raise TooMuch(f"a request has at most {MOST_BYTES:,} bytes and {MOST_FILES} files", hint=hint)
        file = self._open.get(part.path)
        if file is None or part.replace:
            file = self._opened(part, known.get(part.path))
        if part.offset != file.size:
            message = f"the hub has {file.size:,} bytes of this file, and the part is for {part.offset:,}: {part.path}"
            raise OffsetMismatch(message, StoredFile(part.path, file.size, file.checksum))
        data = part.data()
        checksum = zlib.crc32(data, file.checksum)
        if checksum != part.checksum:
            message = f"the checksum is wrong at {part.offset:,}: {part.path}"
            raise ChecksumMismatch(message, StoredFile(part.path, file.size, file.checksum))
        stored.write_at(file.descriptor, data, part.offset, part.path)
        file.size, file.checksum, file.changed = file.size + len(data), checksum, True

    def _opened(self, part: parts.Part, known: StoredFile | None) -> _Open:
        before = self._open.pop(part.path, None)
        if before is not None:  # the file starts again in the middle of a request
            os.close(before.descriptor)
        path = paths.checked(part.path)
        copies = self._service.copies
        if copies is not None:
            copies.bucket.check(self._upload.id, path)
        made = self._open[path] = _Open(stored.open_below(self._top, path, replace=part.replace), 0, 0)
        if known is not None and not part.replace:
            there = os.fstat(made.descriptor).st_size >= known.size
            if there or (copies is not None and copies.restore(self._upload.id, known, made.descriptor)):
                made.size, made.checksum = known.size, known.checksum
        return made

    def finish(self) -> dict[str, StoredFile]:
        """Stores what arrived, then unlocks the files. Returns the files that changed."""
        changed = {
            path: StoredFile(path, each.size, each.checksum) for path, each in self._open.items() if each.changed
        }
        try:
            if changed:
                self._service.written(self._upload.id, changed)
                self._database.uploads.note(self._upload.id, changed, self._now)
        finally:
            for each in self._open.values():
                os.close(each.descriptor)
            self._open.clear()
            if self._top >= 0:
                os.close(self._top)
                self._top = -1
        return changed


def check_session(database: db.Database, service: Uploads, upload: Upload, session: str, size: int) -> None:
    """Before the body is read."""
    service.check_session(upload, session)
    if size > MOST_BYTES:
        raise TooMuch(f"a request has at most {MOST_BYTES:,} bytes", hint="send several requests")
    uploads.check_quotas(service.left(upload.owner, upload.workspace), size, 0)
