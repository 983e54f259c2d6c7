"""Files of a sidecar as objects beside the logs, in `.lightboard/` of a bucket: `--sidecar beside`.

    update    one LIST request, and one GET for each object that changed
    change    update, then write: an object is replaced only if it is still the one that was read. If another board was
              quicker, everything is done again with what that board wrote. Stores without conditional writes are
              written to without the check
    reading   from memory, so that nobody waits for the store

Somebody must be looking for `update` to ask the store, at most once a minute. A web server, and a bucket that may only
be read, refuse to write: `refused` then says why, and the board keeps what people add in the user's directory.
"""

from __future__ import annotations

import dataclasses
import hashlib
import logging
import random
import threading
import time
from collections.abc import Callable, Mapping
from typing import TypeVar

from lightboard import errors, storage
from lightboard.sidecar import files
from lightboard.storage import connections, faults

log = logging.getLogger("lightboard")
T = TypeVar("T")

UPDATE_SECS = 60.0
ASLEEP_SECS = 120.0  # nobody has looked for so long
TRIES = 8
MAX_OBJECTS = 2200  # more than the views of a sidecar
MAX_BYTES = 256 << 20
_ABSENT = ("storage.no_directory", "storage.no_listing", "storage.web_credentials")


@dataclasses.dataclass(frozen=True)
class _Object:
    stamp: files.Stamp
    body: bytes | None  # None: it is too large, or could not be read
    mark: connections.Mark


class Place:
    """The objects below one prefix. State, under `_lock`: `found`, what was read, by name; when that was; why it could
    not be read; and why nothing can be written."""

    def __init__(
        self,
        connection: connections.Connection,
        prefix: str,
        address: str,
        unseen_secs: Callable[[], float] = lambda: 0.0,
    ) -> None:
        self.address = address
        self.trouble: errors.Explanation | None = None
        self.refused: errors.Explanation | None = None
        self.found: Mapping[str, _Object] = {}
        self._connection = connection
        self._prefix = prefix
        self._unseen_secs = unseen_secs
        self._lock = threading.RLock()
        self._updated: float | None = None

    @property
    def is_read(self) -> bool:
        return self._updated is not None

    def update(self, *, now: bool = False) -> None:
        """Reads what changed, if that is due. Never raises."""
        if not now and not self._is_due():
            return
        with self._lock:
            try:
                self.found = self._read()
                self.trouble = None
            except faults.StorageError as error:
                if isinstance(error, FileNotFoundError) or error.explanation.code in _ABSENT:
                    self.found, self.trouble = {}, None
                else:
                    self.trouble = error.explanation
            self._updated = time.monotonic()

    def _is_due(self) -> bool:
        if self._updated is None:
            return True
        return time.monotonic() - self._updated >= UPDATE_SECS and self._unseen_secs() < ASLEEP_SECS

    def _read(self) -> dict[str, _Object]:
        found: dict[str, _Object] = {}
        left = MAX_BYTES
        for page in self._connection.list(self._prefix):
            for meta in page:
                name = meta.key[len(self._prefix) + 1 :]
                if not name or len(found) >= MAX_OBJECTS:
                    continue
                known = self.found.get(name)
                if known is None or known.stamp != _stamp(meta.etag or str(meta.mtime_ns), meta.size):
                    known = self._fetched(meta) if meta.size <= left else _Object(_stamp("", meta.size), None, {})
                left -= meta.size
                found[name] = known
        return found

    def _fetched(self, meta: connections.Meta) -> _Object:
        stamp = _stamp(meta.etag or str(meta.mtime_ns), meta.size)
        body, mark = self._connection.fetch(meta.key)
        return _Object(stamp, body, mark)

    def write(self, name: str, body: bytes) -> None:
        """Raises faults.StorageError, `storage.changed` if another board was quicker."""
        known = self.found.get(name)
        mark = self._connection.replace(f"{self._prefix}/{name}", body, None if known is None else known.mark)
        stamp = _stamp(faults.plain_etag(mark.get("e_tag")) or str(time.time_ns()), len(body))
        self.found = {**self.found, name: _Object(stamp, body, mark)}

    def remove(self, name: str) -> None:
        self._connection.delete(f"{self._prefix}/{name}")
        self.found = {each: found for each, found in self.found.items() if each != name}

    def change(self, action: Callable[[], T]) -> T:
        """Raises errors.Denied; `refused` then says whether it is for good."""
        with self._lock:
            for number in range(TRIES):
                self.update(now=True)
                try:
                    if self.trouble is not None:  # what is there must not be written over
                        raise faults.StorageError(0, self.trouble, passing=True)
                    return action()
                except faults.StorageError as error:
                    if error.explanation.code == "storage.changed" and number < TRIES - 1:
                        time.sleep(random.uniform(0, 0.05 * (number + 1)))
                        continue
                    self.refused = None if error.passing else error.explanation
                    raise files.denied(self.address, error) from error
        raise AssertionError


@dataclasses.dataclass(frozen=True)
class Folder:
    """A directory of the place, as `files.Folder`."""

    place: Place
    name: str = ""

    @property
    def path(self) -> str:
        return f"{self.place.address}/{self.name}" if self.name else self.place.address

    @property
    def exists(self) -> bool:
        return any(each.startswith(self._begin) for each in self.place.found)

    @property
    def writable(self) -> bool:
        return self.place.refused is None

    @property
    def _begin(self) -> str:
        return f"{self.name}/" if self.name else ""

    def path_of(self, file: str) -> str:
        return f"{self.path}/{file}"

    def below(self, name: str) -> Folder:
        return Folder(self.place, f"{self._begin}{name}")

    def stamp(self, file: str = "") -> files.Stamp | None:
        if file:
            found = self.place.found.get(f"{self._begin}{file}")
            return None if found is None else found.stamp
        stamps = sorted((name, each.stamp) for name, each in self.place.found.items() if name.startswith(self._begin))
        return _stamp(repr(stamps), len(stamps)) if stamps else None

    def names(self) -> list[str]:
        below = (name[len(self._begin) :] for name in self.place.found if name.startswith(self._begin))
        return [name for name in below if "/" not in name]

    def read(self, file: str, limit: int) -> bytes | None:
        found = self.place.found.get(f"{self._begin}{file}")
        if found is None:
            return None
        if found.body is None or len(found.body) > limit:
            path = self.path_of(file)
            raise errors.Unreadable(f"larger than {limit} bytes: {path}", code="file.too_large", path=path, limit=limit)
        return found.body

    def replace(self, file: str, body: bytes) -> None:
        self.place.write(f"{self._begin}{file}", body)

    def rename(self, file: str, name: str) -> None:
        self.replace(name, self.place.found[f"{self._begin}{file}"].body or b"")
        self.remove(file)

    def remove(self, file: str) -> None:
        self.place.remove(f"{self._begin}{file}")

    def make(self) -> None:
        """A store has no directories."""

    def change(self, action: Callable[[], T]) -> T:
        return self.place.change(action)


def beside(
    root: str, folder: str, settings: storage.Settings | None, unseen_secs: Callable[[], float] = lambda: 0.0
) -> Folder:
    """The folder of that name beside the logs of a root elsewhere."""
    location = storage.parse(root)
    prefix = f"{location.key}/{folder}" if location.key else folder
    connection = storage.Connections(settings).of(location)
    return Folder(Place(connection, prefix, f"{location.place}/{prefix}", unseen_secs))


def _stamp(identity: str, size: int) -> files.Stamp:
    number = int.from_bytes(hashlib.blake2b(identity.encode(), digest_size=8).digest(), "little")
    return number, size, 0
