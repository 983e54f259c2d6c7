"""The bucket of uploads: `store = "s3://SECRET@bucket/prefix"` in [uploads] of hub.toml.

    <prefix>/<id of the upload>/<path>     one object per file, byte for byte

Bytes arrive on the hub's disk (`stored`); `mover` puts them here as whole objects. Reading and writing go in pieces:
memory does not depend on the size of a file. What the bucket refuses is a `BucketFault`.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import pathlib
import zlib
from collections.abc import Callable, Generator, Iterator
from concurrent import futures
from typing import Any

from lightboard import errors, storage
from lightboard.hub.life import refusals
from lightboard.hub.life.uploads import Kept, Place, StoredFile
from lightboard.hub.uploads import paths, stored
from lightboard.storage import faults, settings

LONGEST_KEY = 1024  # bytes, of S3
PIECE_BYTES = 1 << 20
# A file up to this size is written with one request.
SMALL_BYTES = 8 << 20
MOST_LEFT = 20
DELETES_AT_ONCE = 8
BUCKETS = (
    storage.Service.S3, storage.Service.OSS, storage.Service.MINIO, storage.Service.GCS, storage.Service.AZURE,
)  # fmt: skip


class BucketFault(refusals.Refusal):
    """Its message has the code of `storage.faults`."""

    status = 503
    rest_code = "StorageUnavailable"


class Bucket:
    """State: `problem`, what the bucket refused last; "" when the last request succeeded."""

    def __init__(self, address: str, found: storage.Settings, *, boards_secret: str = "") -> None:
        """`address` names a secret of the settings; boards read with `boards_secret`, or with the same."""
        location = storage.parse(address)
        if location.service not in BUCKETS or f"://{location.secret}@" not in location.address:
            raise errors.BadInput(
                f"`store` of [uploads] is a directory, or a bucket with the name of a secret: {address}",
                hint='write store = "s3://NAME@bucket/path", and [secrets.NAME] in the file `storage`',
            )
        self.problem = ""
        self._prefix = f"{location.key}/" if location.key else ""
        self._connection = storage.Connections(found).of(location)
        self.uri = location.address.replace(f"{location.secret}@", "", 1)
        self._secret = _table(found.secret(boards_secret or location.secret))

    def place(self, upload: str) -> Place:
        """What the board of an upload gets. Its credentials are for this board only."""
        return Place(f"{self.uri}/{upload}", self._secret)

    def check(self, upload: str, path: str) -> None:
        """Raises paths.BadPath."""
        if len(self.key(upload, path).encode()) > LONGEST_KEY:
            raise paths.BadPath(
                f"the name of a file is too long for the bucket: {path[:200]!r}",
                hint=f"use at most {LONGEST_KEY - len(self.key(upload, '').encode())} bytes",
            )

    def key(self, upload: str, path: str) -> str:
        return f"{self._prefix}{upload}/{path}"

    # -- writing

    def put(self, upload: str, path: str, descriptor: int, size: int, goes_on: Callable[[], bool]) -> Kept:
        """Writes the first `size` bytes of a file; returns what is there then. Raises BucketFault, and Interrupted
        when `goes_on` says so; then the object is as it was."""
        pieces = _Pieces(descriptor, size, goes_on)
        with self._told():
            if size <= SMALL_BYTES:
                self._connection.put(self.key(upload, path), b"".join(pieces))
            else:
                self._connection.put_pieces(self.key(upload, path), iter(pieces), size)
        return Kept(pieces.done, pieces.checksum)

    def delete(self, upload: str, path: str) -> None:
        with self._told(), contextlib.suppress(FileNotFoundError):
            self._connection.delete(self.key(upload, path))

    def remove(self, upload: str) -> list[str]:
        """Removes everything of an upload; returns what could not be removed, with the reason."""
        left: list[str] = []
        begin = self.key(upload, "")
        try:
            with self._told():
                found = [each.key for page in self._connection.list(begin.rstrip("/")) for each in page]
        except BucketFault as error:
            return [error.message]

        def remove(path: str) -> None:
            if len(left) < MOST_LEFT:
                try:
                    self.delete(upload, path)
                except BucketFault as error:
                    left.append(f"{path}: {error.message}")

        with futures.ThreadPoolExecutor(DELETES_AT_ONCE, thread_name_prefix="uploads-delete") as threads:
            list(threads.map(remove, [key[len(begin) :] for key in found if key.startswith(begin)]))
        return left

    # -- reading

    def read(self, upload: str, path: str, start: int, end: int) -> Generator[bytes, None, None]:
        """The bytes in pieces. Raises BucketFault, also if the object is shorter than it should be."""
        if start >= end:
            return
        with self._told():
            _, pieces = self._connection.stream(self.key(upload, path), start, end)
            for piece in pieces:
                start += len(piece)
                yield bytes(piece)
        if start != end:
            raise self._damaged(path)

    def fetch(self, upload: str, file: StoredFile, kept: Kept, descriptor: int) -> None:
        """Writes the object to a file on disk. Raises BucketFault."""
        checksum = at = 0
        for piece in self.read(upload, file.path, 0, kept.size):
            stored.write_at(descriptor, piece, at, file.path)
            checksum, at = zlib.crc32(piece, checksum), at + len(piece)
        if checksum != kept.checksum:
            raise self._damaged(file.path)

    def _damaged(self, path: str) -> BucketFault:
        return BucketFault(
            f"the object is not what the hub wrote: {path} in {self.uri}", hint="tell the admin of the hub"
        )

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except faults.StorageError as error:
            if isinstance(error.__cause__, Interrupted):
                raise error.__cause__ from error
            found = error.explanation
            message = f"{found.message} ({found.code}): {self.uri}"
            self.problem = f"{message}; {found.hint}" if found.hint else message
            raise BucketFault(message, hint=found.hint) from error
        else:
            self.problem = ""


class Interrupted(Exception):
    """The hub ends, or the file became shorter: the rest of an object is not written."""


@dataclasses.dataclass
class _Pieces:
    """The first bytes of a file, whose checksum is known when all were read."""

    descriptor: int
    size: int
    goes_on: Callable[[], bool]
    done: int = 0
    checksum: int = 0

    def __iter__(self) -> Iterator[bytes]:
        self.done = self.checksum = 0
        while self.done < self.size:
            piece = os.pread(self.descriptor, min(PIECE_BYTES, self.size - self.done), self.done)
            if not piece or not self.goes_on():
                raise Interrupted
            self.done += len(piece)
            self.checksum = zlib.crc32(piece, self.checksum)
            yield piece


def check_same(store: pathlib.Path, bucket: Bucket | None, *, is_used: bool) -> None:
    """Refuses to start with another bucket than the one that has the files. Raises errors.BadInput."""
    mark = store / stored.BUCKET
    now = bucket.uri if bucket is not None else ""
    before = mark.read_text(encoding="utf-8").strip() if mark.exists() else ""
    if is_used and before and before != now:
        raise errors.BadInput(
            f"files of uploads are in {before}, and `store` of [uploads] names {now or 'a directory'}",
            hint=f"name that bucket again; or copy its objects to the new one, and then remove {mark}",
        )
    if now and before != now:
        store.mkdir(mode=0o700, parents=True, exist_ok=True)
        mark.write_text(f"{now}\n", encoding="utf-8")


def _table(secret: storage.Secret) -> dict[str, Any]:
    """A secret of the hub's file as a table for the file of a board, which reads no files of the hub."""
    if secret.profile:
        raise errors.BadInput(
            f"the secret `{secret.name}` names a profile, which boards cannot read",
            hint="write `key` and `secret`, or name another one by `boards_secret`",
        )
    given = {
        each.name: getattr(secret, each.name)
        for each in dataclasses.fields(settings.Secret)
        if each.name != "name" and getattr(secret, each.name) != each.default
    }
    if secret.credentials_file and not secret.credentials:
        path = pathlib.Path(given.pop("credentials_file")).expanduser()
        given["credentials"] = path.read_text(encoding="utf-8")
    return {**given, "trusted": True}
