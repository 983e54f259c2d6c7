"""A cache of values computed from a store. One `Cache` per store, with one budget of bytes.

    SHARE = Share("thumbnails", 64 << 20)                      a constant of the module that uses it

    store.cache.get(SHARE, key, make, version=v, size=len)     the cached value of that key and version, or make()
    store.cache.peek(SHARE, key)                               the cached value or None; computes nothing
    store.cache.state(SomeClass)                               one object of a class, for as long as the cache lives

`get` is for values that can be computed again: the least recently used ones are dropped when a share or the whole cache
is full. `state` is for objects that grow with the store (tags checked so far, records parsed so far), never dropped;
such a class documents the lock that guards it.

The cache belongs to the store, so a value must hold no reference to the store: the memory of a closed board would be
freed by the garbage collector only. Data that cannot be computed again (uploads) or has its own thread (layouts) is
in `work`, not in the store's cache.
"""

from __future__ import annotations

import collections
import dataclasses
import threading
from collections.abc import Callable, Hashable
from typing import Any, TypeVar, cast

Value = TypeVar("Value")
State = TypeVar("State")

# The sum of the shares of all modules, so that by default a full share evicts nothing from another one.
LIMIT_BYTES = 5 << 29
# Added to the size of each entry: the key and the cache's own bookkeeping.
ENTRY_BYTES = 256
# The interval at which `get` calls `while_waiting`.
WAIT_SECS = 0.2


@dataclasses.dataclass(frozen=True, eq=False)
class Share:
    """A part of the budget: an entry can evict only entries of the same share, unless the whole cache is full."""

    name: str
    limit_bytes: int
    # The newest entry is kept even if it is larger than the share. If False, such a value is not cached at all.
    keep_newest: bool = False
    # All entries have the same version: the first `get` with another version drops all of them.
    one_version: bool = False


@dataclasses.dataclass(slots=True)
class _Entry:
    version: Hashable
    value: Any
    size_bytes: int
    used: int  # a counter; the larger, the more recently used


class _Shelf:
    """The entries of one share, the least recently used one first. Guarded by the cache's lock."""

    __slots__ = ("entries", "size_bytes", "version")

    def __init__(self) -> None:
        self.entries: collections.OrderedDict[Hashable, _Entry] = collections.OrderedDict()
        self.size_bytes = 0
        self.version: Hashable = None  # the version of all entries, if the share is `one_version`


class _Computation:
    """A value that a thread is computing now. `done` is set last, after the other fields."""

    __slots__ = ("done", "succeeded", "thread", "value")

    def __init__(self) -> None:
        self.thread = threading.get_ident()
        self.done = threading.Event()
        self.succeeded = False
        self.value: Any = None


class Cache:
    """A thread-safe LRU cache by bytes.

    Locking: `_lock` guards everything here and is held for lookups only, never while a value is computed. `make` may
    therefore take any lock; but a caller that holds the store's lock must not call `get` with a `make` that needs it,
    since another thread may be computing the value and waiting for that lock.
    """

    def __init__(self, limit_bytes: int = LIMIT_BYTES) -> None:
        self.limit_bytes = limit_bytes
        self._lock = threading.Lock()
        self._shelves: dict[Share, _Shelf] = {}
        self._computing: dict[tuple[Share, Hashable, Hashable], _Computation] = {}
        self._states: dict[Callable[[], Any], Any] = {}
        self._size_bytes = 0
        self._uses = 0

    @property
    def size_bytes(self) -> int:
        return self._size_bytes

    def get(
        self,
        share: Share,
        key: Hashable,
        make: Callable[[], Value],
        *,
        size: Callable[[Value], int | None],
        version: Hashable = None,
        while_waiting: Callable[[], object] | None = None,
    ) -> Value:
        """Return the value of a key; `make` computes it unless it is cached for this version.

        `size` returns the bytes of a new value; None: the value is returned but not cached. If several threads request
        the same value at the same time, it is computed once. An exception of `make` is passed on and not cached; each
        thread that waited then calls `make` itself. A thread that waits for another one calls `while_waiting`
        repeatedly, which may raise to stop waiting.
        """
        place = (share, key, version)
        while True:
            with self._lock:
                entry = self._use(share, key, version)
                if entry is not None:
                    return cast(Value, entry.value)
                computation = self._computing.get(place)
                if computation is None:
                    computation = self._computing[place] = _Computation()
                    break
            if computation.thread == threading.get_ident():
                raise RuntimeError(f"computing an entry of `{share.name}` asks for the same entry")
            _wait(computation.done, while_waiting)
            if computation.succeeded:
                return cast(Value, computation.value)
        return self._compute(place, computation, make, size)

    def _compute(
        self,
        place: tuple[Share, Hashable, Hashable],
        computation: _Computation,
        make: Callable[[], Value],
        size: Callable[[Value], int | None],
    ) -> Value:
        try:
            value = make()
            size_bytes = size(value)
            computation.value, computation.succeeded = value, True
            if size_bytes is not None:
                with self._lock:
                    self._put(*place, value, size_bytes + ENTRY_BYTES)
            return value
        finally:
            with self._lock:
                del self._computing[place]
            computation.done.set()

    def peek(self, share: Share, key: Hashable, version: Hashable = None) -> Any:
        """Return the cached value and mark it as used; None if there is no value of this version."""
        with self._lock:
            entry = self._use(share, key, version)
            return None if entry is None else entry.value

    def items(self, share: Share) -> list[tuple[Any, Any]]:
        """Return keys and values of a share, the least recently used ones first. Does not mark them as used."""
        with self._lock:
            shelf = self._shelves.get(share)
            return [] if shelf is None else [(key, entry.value) for key, entry in shelf.entries.items()]

    def state(self, kind: Callable[[], State]) -> State:
        """Return the one object of this class; the first call creates it."""
        found: State | None = self._states.get(kind)
        if found is None:
            with self._lock:
                found = self._states.get(kind)
                if found is None:
                    found = self._states[kind] = kind()
        return found

    # ---- below: the caller holds the lock

    def _use(self, share: Share, key: Hashable, version: Hashable) -> _Entry | None:
        shelf = self._shelves.get(share)
        if shelf is None:
            shelf = self._shelves[share] = _Shelf()
        if share.one_version and shelf.version != version:
            self._clear(shelf)
            shelf.version = version
            return None
        entry = shelf.entries.get(key)
        if entry is None or entry.version != version:
            return None
        shelf.entries.move_to_end(key)
        self._uses += 1
        entry.used = self._uses
        return entry

    def _put(self, share: Share, key: Hashable, version: Hashable, value: Any, size_bytes: int) -> None:
        shelf = self._shelves[share]
        if share.one_version and shelf.version != version:
            return  # another version was requested while this value was computed
        if key in shelf.entries:
            self._drop(shelf, key)
        if size_bytes > min(share.limit_bytes, self.limit_bytes) and not share.keep_newest:
            return
        self._uses += 1
        shelf.entries[key] = _Entry(version, value, size_bytes, self._uses)
        shelf.size_bytes += size_bytes
        self._size_bytes += size_bytes
        while shelf.size_bytes > share.limit_bytes and len(shelf.entries) > 1:
            self._drop(shelf, next(iter(shelf.entries)))
        while self._size_bytes > self.limit_bytes and (fullest := self._least_recently_used()) is not None:
            self._drop(fullest, next(iter(fullest.entries)))

    def _least_recently_used(self) -> _Shelf | None:
        """Return the shelf whose first entry was used longest ago. The newest entry of a `keep_newest` share does not
        count."""
        shelves = [
            shelf for share, shelf in self._shelves.items() if len(shelf.entries) > (1 if share.keep_newest else 0)
        ]
        return min(shelves, key=lambda shelf: next(iter(shelf.entries.values())).used, default=None)

    def _drop(self, shelf: _Shelf, key: Hashable) -> None:
        size_bytes = shelf.entries.pop(key).size_bytes
        shelf.size_bytes -= size_bytes
        self._size_bytes -= size_bytes

    def _clear(self, shelf: _Shelf) -> None:
        self._size_bytes -= shelf.size_bytes
        shelf.entries.clear()
        shelf.size_bytes = 0


def _wait(done: threading.Event, while_waiting: Callable[[], object] | None) -> None:
    if while_waiting is None:
        done.wait()
        return
    while not done.wait(WAIT_SECS):
        while_waiting()
