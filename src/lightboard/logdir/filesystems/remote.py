"""Logs elsewhere: object stores and web servers, through `storage.Connections`.

    discover     one LIST request per 1,000 keys
    read_many    ranged GETs, several at a time and ahead of time: see `fetching`
    streams      large ranges, scanned while they arrive: see `streams`

A file's version is a hash of its ETag, or of time and size where there is none. Every answer to a GET says which
version it is of, so an object that was replaced between listing and reading is noticed without another request.
"""

from __future__ import annotations

import dataclasses
import fnmatch
import hashlib
import posixpath
import re
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from lightboard import errors, sources, storage, types
from lightboard.logdir import filesystems
from lightboard.logdir.filesystems import fetching, objects, readers
from lightboard.logdir.filesystems import streams as streams_
from lightboard.storage import connections, faults, uris

# An unchanged root is listed with at most 10 requests a minute.
LIST_SECS = 6.0
_MAGIC = re.compile(r"[*?\[]")


class Remote:
    """The `FileSystem` of all addresses that are not paths. State: `_matches`, the objects below a root with a pattern,
    and `_pages`, the requests of the last listing by root, both since `refresh`."""

    grows_in_place = False

    def __init__(self, made: storage.Connections | None = None) -> None:
        self.connections = made or storage.Connections()
        self._parallel = self.connections.settings.limits.parallel_reads
        self._readers = readers.Readers(self._parallel)
        self._fetcher = fetching.Fetcher(self._connection, _version, self._readers)
        self._lock = threading.Lock()
        self._matches: dict[str, list[connections.Meta] | OSError] = {}
        self._pages: dict[str, int] = {}

    # ---- listing ----

    def refresh(self, root: str) -> None:
        with self._lock:
            self._matches.pop(root, None)

    def expand(self, root: str) -> tuple[list[str], int]:
        place = root.rstrip("/")
        if not _MAGIC.search(storage.parse(place).key):
            return [place], 0
        fixed = _fixed(place)
        depth = place.count("/") + 1
        try:
            found = self._below(place, fixed)
        except OSError:  # `discover` reports it
            return [place], 0
        base = storage.parse(fixed).place
        places = {"/".join(f"{base}/{each.key}".split("/")[:depth]) for each in found}
        matches = sorted(each for each in places if fnmatch.fnmatchcase(each, place))
        return (matches, len(fixed) + 1) if matches else ([place], 0)

    def _below(self, root: str, fixed: str) -> list[connections.Meta]:
        """All objects below the fixed part of a pattern; they are listed once for all places that match."""
        with self._lock:
            known = self._matches.get(root)
        if known is None:
            try:
                known = list(self._listed(fixed, lambda _: None))
            except OSError as error:
                known = error
            with self._lock:
                self._matches[root] = known
        if isinstance(known, OSError):
            raise known
        return known

    def _listed(self, place: str, progress: Callable[[int], None]) -> Iterable[connections.Meta]:
        connection, prefix = self._connection(place)
        count = pages = 0
        for page in connection.list(prefix):
            yield from page
            count, pages = count + len(page), pages + 1
            progress(count)
        with self._lock:
            self._pages[place] = max(pages, 1)

    def discover(self, place: str, search: filesystems.Search) -> filesystems.Listing:
        try:
            return self._discovered(place, search)
        except faults.StorageError as error:
            return _troubled(place, error, error.explanation)
        except OSError as error:
            return _troubled(place, error, None)
        except errors.LightboardError as error:
            return _troubled(place, OSError(error.message), error.explanation())

    def _discovered(self, place: str, search: filesystems.Search) -> filesystems.Listing:
        if _MAGIC.search(uris.parse_file(place).key):
            self._below(place, _fixed(place))
            return _remarked(place, _NO_MATCH)
        matched = self._matched(place)
        found = list(self._listed(place, search.progress)) if matched is None else matched
        prefix = uris.parse_file(place).key
        cut = len(prefix) + 1 if prefix else 0
        below = [each for each in found if not prefix or each.key.startswith(prefix + "/")]
        connection, _ = self._connection(place)
        unlisted = [_unreadable(key[cut:], error) for key, error in connection.unlisted(prefix)]
        if not below and not unlisted:
            return self._nothing_below(place)
        below, troubles = _completed(connection, below, cut, search)
        troubles += unlisted
        listing = objects.listing(place, (_object(each, cut) for each in below if each.key[cut:]), search)
        listing = dataclasses.replace(listing, errors=troubles)
        if troubles or matched is not None or listing.files or any(files.paths for files in listing.beside):
            return listing
        return dataclasses.replace(listing, remark=_no_events(len(below)))

    def _nothing_below(self, place: str) -> filesystems.Listing:
        if sources.is_event_file(place):
            return self._one_file(place)
        try:
            if uris.parse_file(place).key:
                self.state(place)
                return _remarked(place, _AN_OBJECT)
        except OSError:  # not there, or not for us: the listing succeeded, and that is what matters
            pass
        return _remarked(place, _NOTHING)

    def _matched(self, place: str) -> list[connections.Meta] | None:
        """The objects of the pattern that a place matches, if it is one of a pattern."""
        with self._lock:
            for root, found in self._matches.items():
                if not isinstance(found, OSError) and fnmatch.fnmatchcase(place, root):
                    return found
        return None

    def _one_file(self, place: str) -> filesystems.Listing:
        base, _, name = place.rpartition("/")
        state = self.state(place)
        identity = np.array([(state.version, state.size, state.mtime_ns)], filesystems.IDENTITY)
        return filesystems.Listing(base, [name], identity, [], [])

    def watch(self, place: str) -> filesystems.Watch:
        with self._lock:
            pages = self._pages.get(_fixed(place), 1)
        return filesystems.Watch(notified=False, interval_secs=pages * LIST_SECS)

    # ---- single files ----

    def state(self, address: str, *, resolved: bool = False) -> types.FileState:
        connection, key = self._connection(address)
        meta = connection.head(key)
        return types.FileState(meta.size, meta.mtime_ns, _version(meta))

    def names(self, address: str) -> list[str]:
        connection, prefix = self._connection(address)
        below = (each.key[len(prefix) + 1 :] for page in connection.list(prefix) for each in page)
        return sorted(name for name in below if name and "/" not in name)

    def resolve(self, address: str, known: dict[str, str] | None = None) -> str:
        scheme, mark, path = address.partition("://")
        return address if ".." not in path else f"{scheme}{mark}{posixpath.normpath(path)}"

    def path(self, address: str) -> None:
        return None

    def _connection(self, address: str) -> tuple[connections.Connection, str]:
        try:
            location = uris.parse_file(address)
            return self.connections.of(location), location.key
        except errors.LightboardError as error:
            explanation = error.explanation()
            raise faults.StorageError(0, explanation, passing=False) from error

    # ---- reading ----

    def read(self, address: str, offset: int = 0, length: int = -1) -> bytes:
        connection, key = self._connection(address)
        if length == 0:
            return b""
        found, _ = connection.get(key, offset, None if length < 0 else offset + length)
        return bytes(found)

    def read_many(self, ranges: Sequence[filesystems.Range]) -> list[Any]:
        return self._fetcher.read_many(ranges)

    def prefetch(self, ranges: Sequence[filesystems.Range]) -> None:
        self._fetcher.prefetch(ranges)

    def end_prefetch(self) -> None:
        self._fetcher.end_prefetch()

    def streams(self, ranges: Sequence[filesystems.Range]) -> Sequence[filesystems.Stream]:
        return streams_.Flow(self._connection, _version, self._readers, self._parallel, ranges).streams


def _completed(
    connection: connections.Connection, found: list[connections.Meta], cut: int, search: filesystems.Search
) -> tuple[list[connections.Meta], list[filesystems.Trouble]]:
    """Gets the sizes of wanted files that their listing does not tell. Raises what may pass by itself."""
    unknown = [each for each in found if each.size < 0]
    if not unknown:
        return found, []
    known, troubles = [each for each in found if each.size >= 0], []
    wanted = [each for each in unknown if objects.is_wanted(each.key[cut:], search)]
    for each, got in zip(wanted, connection.complete(wanted), strict=True):
        if isinstance(got, connections.Meta):
            known.append(got)
        elif got.passing:
            raise got
        elif not isinstance(got, FileNotFoundError):
            troubles.append(_unreadable(each.key[cut:].rpartition("/")[0], got))
    return known, troubles


def _unreadable(path: str, error: OSError) -> filesystems.Trouble:
    return filesystems.Trouble(path, filesystems.reason_of(error), vanished=False)


def _fixed(place: str) -> str:
    """The part of a pattern before its first special sign, to the last slash."""
    match = _MAGIC.search(place)
    return place[: match.start()].rpartition("/")[0] if match else place


def _object(meta: connections.Meta, cut: int) -> objects.Object:
    return objects.Object(meta.key[cut:], _version(meta), meta.size, meta.mtime_ns)


def _version(meta: connections.Meta) -> int:
    identity = meta.etag or f"{meta.mtime_ns} {meta.size}"
    return int.from_bytes(hashlib.blake2b(identity.encode(), digest_size=8).digest(), "little") or 1


_NO_MATCH = errors.Explanation(
    "nothing matches this pattern yet", hint="check the part before the first `*`, `?` or `[`", code="root.no_match"
)
_NOTHING = errors.Explanation(
    "nothing is stored there yet",
    hint="check bucket and path: upper and lower case differ",
    code="root.nothing",
)
_AN_OBJECT = errors.Explanation(
    "this is a single object and not an event file",
    hint="give the path that contains the runs, or an object with `tfevents` in its name",
    code="root.an_object",
)


def _no_events(count: int) -> errors.Explanation:
    return errors.Explanation(
        "1 object is stored there, but no event file"
        if count == 1
        else f"{count:,} objects are stored there, none of them an event file",
        hint="event files have `tfevents` in their name; is this the right path?",
        code="root.no_events",
        parameters={"count": count},
    )


def _remarked(place: str, remark: errors.Explanation) -> filesystems.Listing:
    return filesystems.Listing(place, [], np.zeros(0, filesystems.IDENTITY), [], [], remark=remark)


def _troubled(place: str, error: OSError, because: errors.Explanation | None) -> filesystems.Listing:
    trouble = filesystems.Trouble("", filesystems.reason_of(error), vanished=False, because=because)
    return filesystems.Listing(place, [], np.zeros(0, filesystems.IDENTITY), [], [trouble])
