"""An object store in memory: every upload gives an object a new version, nothing is told, all requests are counted."""

from __future__ import annotations

import collections
import dataclasses
import fnmatch
import posixpath
import re
import threading
from collections.abc import Callable, Sequence

from lightboard import types
from lightboard.logdir import filesystems
from lightboard.logdir.filesystems import objects


class Streamed:
    """A `filesystems.Stream` of bytes: three pieces, of which each call stores a part."""

    def __init__(self, content: bytes | OSError) -> None:
        self.error: OSError | None = None
        self._content = content
        self._at = 0
        self._ends = [0]
        if isinstance(content, bytes):
            self._ends = [len(content), len(content) // 2, len(content) // 4]

    def next(self, received: int) -> tuple[Callable[[memoryview], int], bytes, int, float, float] | None:
        if isinstance(self._content, OSError):
            self.error = self._content
            return None
        if not self._ends:
            return None
        end = self._ends.pop()
        first = self._content[self._at : min(self._at + 10, end)]
        length = end - self._at
        self._at += len(first)

        def read(part: memoryview) -> int:
            assert isinstance(self._content, bytes)
            count = min(len(part), 10_000, end - self._at)
            part[:count] = self._content[self._at : self._at + count]
            self._at += count
            return count

        return read, first, length, 0.0, 0.0

    def close(self, received: int) -> None:
        pass


class MemoryFiles:
    """The `FileSystem` of `memory://bucket/key`. State, under `_lock`: `_objects` is what there is, by address;
    `broken` says which addresses fail and how."""

    grows_in_place = False

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._objects: dict[str, tuple[bytes, int]] = {}
        self._uploads = 0
        self.broken: dict[str, OSError] = {}
        self.requests: collections.Counter[str] = collections.Counter()

    # ---- what a test does to it

    def put(self, address: str, content: bytes) -> str:
        with self._lock:
            self._uploads += 1
            self._objects[address] = content, self._uploads
        return address

    def append(self, address: str, content: bytes) -> None:
        self.put(address, self._objects[address][0] + content)

    def remove(self, address: str) -> None:
        with self._lock:
            del self._objects[address]

    # ---- as a `FileSystem`

    def expand(self, root: str) -> tuple[list[str], int]:
        place = root.rstrip("/")
        if not re.search(r"[*?\[]", place):
            return [place], 0
        depth = place.count("/") + 1
        places = {"/".join(address.split("/")[:depth]) for address in self._objects}
        fixed = re.split(r"[*?\[]", place)[0].rpartition("/")[0]
        return sorted(each for each in places if fnmatch.fnmatchcase(each, place)), len(fixed) + 1

    def refresh(self, root: str) -> None:
        pass

    def prefetch(self, ranges: Sequence[filesystems.Range]) -> None:
        pass

    def end_prefetch(self) -> None:
        pass

    def streams(self, ranges: Sequence[filesystems.Range]) -> list[Streamed]:
        return [Streamed(self._maybe_read(each)) for each in ranges]

    def discover(self, place: str, search: filesystems.Search) -> filesystems.Listing:
        self.requests["list"] += 1
        if place in self.broken:
            trouble = filesystems.Trouble("", filesystems.reason_of(self.broken[place]), vanished=False)
            return dataclasses.replace(objects.listing(place, [], search), errors=[trouble])
        with self._lock:
            found = [
                objects.Object(address[len(place) + 1 :], version, len(content), version)
                for address, (content, version) in self._objects.items()
                if address.startswith(place + "/")
            ]
        return objects.listing(place, found, search)

    def state(self, address: str, *, resolved: bool = False) -> types.FileState:
        self.requests["head"] += 1
        content, version = self._get(address)
        return types.FileState(len(content), version, version)

    def names(self, address: str) -> list[str]:
        self.requests["list"] += 1
        below = [each[len(address) + 1 :] for each in self._objects if each.startswith(address + "/")]
        return sorted(each for each in below if "/" not in each)

    def resolve(self, address: str, known: dict[str, str] | None = None) -> str:
        scheme, mark, path = address.partition("://")
        return f"{scheme}{mark}{posixpath.normpath(path)}"

    def path(self, address: str) -> None:
        return None

    def read(self, address: str, offset: int = 0, length: int = -1) -> bytes:
        self.requests["get"] += 1
        content, _ = self._get(address)
        return content[offset:] if length < 0 else content[offset : offset + length]

    def read_many(self, ranges: Sequence[filesystems.Range]) -> list[filesystems.Bytes | OSError]:
        return [self._maybe_read(each) for each in ranges]

    def watch(self, place: str) -> filesystems.Watch:
        return filesystems.Watch(notified=False)

    def _maybe_read(self, wanted: filesystems.Range) -> bytes | OSError:
        try:
            _, version = self._get(wanted.address)
            found = self.read(wanted.address, wanted.offset, wanted.length)
        except OSError as error:
            return error
        if wanted.version and version != wanted.version:
            return OSError("it was replaced meanwhile")
        return found if len(found) == wanted.length else OSError("it is shorter than that")

    def _get(self, address: str) -> tuple[bytes, int]:
        if address in self.broken:
            raise self.broken[address]
        with self._lock:
            if address not in self._objects:
                raise FileNotFoundError(2, "no such object")
            return self._objects[address]
