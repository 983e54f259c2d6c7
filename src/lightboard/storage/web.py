"""Directories of web servers, read like buckets: `Web` is a connection of `connections.Connections`.

    list    index.json or index.txt of the directory, else the server's listings (`web_listings`), several directories
            at a time
    head    exact size, ETag and time of one file: listings round them, so the caller asks for the files that it wants
    get, stream    ranges; a server without ranges sends the whole file, of which the range is cut

Few requests: what was found is kept, and `web_folders` says when it is asked for again.

Files of web servers grow in place. When a file has grown since it was listed, the bytes up to the size of then are the
same, so `get` gives them as those of the listed file; the next listing asks for it again.

http.client is used and not obstore's HTTPStore: 16 threads fetch 1,000 files of 4 kB in 0.27 s and 100 MB in 0.14 s,
obstore in 0.18 s and 0.12 s (loopback, 2 cores). For that tenth of a millisecond per file we see every redirect and
refuse those to other hosts, can use servers without ranges, which obstore refuses, and need no package.

A key is the path after the origin: the directory as the user wrote it, who may have encoded it or not, and below it
names as people read them. So the directories that were listed say which part of a key is to be encoded how.
"""

from __future__ import annotations

import collections
import dataclasses
import email.message
import errno
import itertools
import logging
import os
import threading
import time
import urllib.parse
from collections.abc import Callable, Iterator, Mapping, MutableSequence, Sequence
from typing import Any, TypeVar

from lightboard import errors
from lightboard.storage import (
    connections,
    credentials,
    faults,
    networks,
    settings,
    uris,
    web_client,
    web_folders,
    web_headers,
    web_listings,
    web_paths,
)

log = logging.getLogger("lightboard")
T = TypeVar("T")
U = TypeVar("U")

LISTERS = 8  # directories that are listed at a time
BATCH = 256  # directories between two pages of results
DEPTH = 32
FAILURES = 3
DIRECTORIES = 100_000
WHOLE_BYTES = 256 << 20  # of files that a server without ranges sends; a larger file is refused
LARGE_BYTES = 4 << 20  # from here on a whole file is kept, since its other parts are wanted next
UNKNOWN = -1  # the size of a file that `head` must be asked for
_ACCEPT = {"Accept": "application/json, text/html;q=0.9, text/plain;q=0.8, */*;q=0.1"}
_NOBODY = errors.Explanation("nobody: no secret is for this address", code="storage.who.no_secret")


@dataclasses.dataclass(frozen=True)
class Account:
    """A secret of this server: it is sent below `path` and nowhere else."""

    path: str  # decoded, with slashes at both ends
    who: errors.Explanation
    header: str = dataclasses.field(repr=False)


class Web(connections.Connection):
    """State, under `_lock`: `_trees` by prefix, `_files` by key, `_whole` files of a server without ranges, newest
    last. `ranges` is None until the server was asked for one. Any thread may call."""

    def __init__(
        self,
        location: uris.Location,
        accounts: Sequence[Account],
        limits: settings.Limits,
        *,
        ca: str = "",
        proxy: str = "",
        allowed: networks.Networks | None = None,
    ) -> None:
        self._accounts = sorted(accounts, key=lambda each: -len(each.path))
        self._client = web_client.Client(location.place, limits, self._headers_of, ca=ca, proxy=proxy, allowed=allowed)
        self._limiter = connections.Limiter(limits.requests_per_second)
        self.location = location
        self.who = self._who(location.key)
        self.where = location.place
        self.limits = limits
        self._lock = threading.Lock()
        self._trees: dict[str, web_folders.Tree] = {}
        self._tops: frozenset[str] = frozenset()  # every prefix that was listed
        self._files: dict[str, web_folders.File] = {}
        self._whole: collections.OrderedDict[str, tuple[connections.Meta, bytearray]] = collections.OrderedDict()
        self._fetching: dict[str, threading.Lock] = {}

    # ---- listing ----

    def list(self, prefix: str = "") -> Iterator[list[connections.Meta]]:
        """Yields pages of files. Sizes may be UNKNOWN; `head` completes them."""
        with self._lock:
            self._tops = self._tops | {prefix}
            before = self._trees.get(prefix, web_folders.Tree())
        tree = web_folders.Tree()
        page: list[connections.Meta] = []
        for key, folder in self._crawled(prefix, before.folders):
            tree.folders[key] = folder
            page += [
                self._listed(web_paths.key_of(key, each.path), each, folder)
                for each in folder.entries
                if not each.directory
            ]
            while len(page) > connections.PAGE:
                yield page[: connections.PAGE]
                page = page[connections.PAGE :]
        yield page
        tree.keys = {
            web_paths.key_of(key, each.path) for key, folder in tree.folders.items() for each in folder.entries
        }
        with self._lock:
            self._trees[prefix] = tree
            for gone in before.keys - tree.keys:
                self._files.pop(gone, None)

    def unlisted(self, prefix: str) -> Sequence[tuple[str, faults.StorageError]]:
        """Directories that the last `list` could not read."""
        with self._lock:
            tree = self._trees.get(prefix, web_folders.Tree())
        return [(key, each.trouble) for key, each in tree.folders.items() if each.trouble is not None]

    def complete(self, found: Sequence[connections.Meta]) -> Sequence[connections.Meta | faults.StorageError]:
        failures: list[faults.StorageError] = []

        def completed(meta: connections.Meta) -> connections.Meta | faults.StorageError:
            try:
                _stop_after(failures)
                return self.head(meta.key) if meta.size == UNKNOWN else meta
            except faults.StorageError as error:
                failures.append(error)
                return error

        return _mapped(completed, found, max(self.limits.parallel_reads, 1))

    def _crawled(
        self, prefix: str, before: Mapping[str, web_folders.Folder]
    ) -> Iterator[tuple[str, web_folders.Folder]]:
        """Yields directories with what is in them, one level after the other. Raises what the first one raises."""
        try:
            first = self._read_folder(prefix, "", before.get(prefix), top=True)
        except _AFile:
            return
        yield prefix, first
        count = 1
        failures: list[faults.StorageError] = []
        level = web_folders.below(prefix, first, frozenset())
        for _ in range(DEPTH):
            deeper: list[web_folders.Job] = []
            for batch in _batches(level):
                visited = _mapped(lambda job: self._visited(job, before, failures), batch)
                for job, folder in zip(batch, visited, strict=True):
                    if folder is None or (folder.is_telling and folder.signs in job.above):
                        continue  # gone, or a link back to a directory above
                    count += 1
                    if count > DIRECTORIES:
                        raise self._fault(
                            "storage.listing_too_large",
                            f"more than {DIRECTORIES:,} directories are below this one",
                            "name a directory deeper inside, or write an index.json",
                        )
                    yield job.key, folder
                    deeper += web_folders.below(job.key, folder, job.above)
            level = deeper

    def _visited(
        self,
        job: web_folders.Job,
        before: Mapping[str, web_folders.Folder],
        failures: MutableSequence[faults.StorageError],
    ) -> web_folders.Folder | None:
        """None: it is gone. Raises if the server itself does not answer any more."""
        known = before.get(job.key)
        if known is not None and known.row == job.row and not self._is_due(job.key, known):
            return known
        _stop_after(failures)
        try:
            return self._read_folder(job.key, job.row, known)
        except FileNotFoundError:
            return None
        except faults.StorageError as error:
            failures.append(error)
            now = time.monotonic()
            old = known or web_folders.Folder(row=job.row, entries=[], listed=now, first=now)
            return dataclasses.replace(old, trouble=error, listed=now)

    def _is_due(self, key: str, folder: web_folders.Folder) -> bool:
        now = time.monotonic()
        if folder.trouble is not None:
            return True
        if folder.changed is not None:
            age = now - folder.changed
        else:
            with self._lock:
                files = [
                    self._files.get(web_paths.key_of(key, each.path)) for each in folder.entries if not each.directory
                ]
            ages = [each.age + now - each.checked for each in files if each is not None]
            age = min(ages, default=now - folder.first)
        return now - folder.listed >= web_folders.patience(age)

    def _read_folder(
        self, key: str, row: str, known: web_folders.Folder | None, *, top: bool = False
    ) -> web_folders.Folder:
        """Lists one directory, by the way that worked before if it still does."""
        if known is not None and known.index:
            folder = self._by_index(key, known.index, known)
            if folder is not None:
                return dataclasses.replace(folder, row=row)
        status, headers, url, body = self._page(key)
        entries = web_listings.of_page(body, url) if status == 200 else None
        for index in self._possible_indexes(entries, top=top and known is None):
            folder = self._by_index(key, index, None)
            if folder is not None and (folder.entries or entries is None):
                return dataclasses.replace(folder, row=row)
        if entries is None:
            raise self._unlistable(key, status, b"HTTPS" in body[:10_000])
        return web_folders.refreshed(
            web_folders.Folder(
                row=row,
                entries=entries,
                listed=time.monotonic(),
                first=time.monotonic(),
                date=web_headers.date(headers),
            ),
            known,
        )

    def _possible_indexes(self, entries: Sequence[web_listings.Entry] | None, *, top: bool) -> Sequence[str]:
        """Those to try if there is no listing; else the JSON file that the listing of the first directory names."""
        if entries is None:
            return web_listings.INDEXES
        first = web_listings.INDEXES[0]
        return (first,) if top and any(each.path == first and not each.directory for each in entries) else ()

    def _page(self, key: str) -> tuple[int, email.message.Message, str, bytearray]:
        return self._asked(
            "list",
            key,
            lambda: self._client.whole("GET", self._path(key, directory=True), _ACCEPT, web_listings.PAGE_BYTES),
            (401,),
        )

    def _by_index(self, key: str, name: str, known: web_folders.Folder | None) -> web_folders.Folder | None:
        path = self._path(key, directory=True) + name
        status, headers, _, body = self._asked(
            "list",
            key,
            lambda: self._client.whole("GET", path, known.validators if known else {}, web_listings.INDEX_BYTES),
            (401,),
        )
        now = time.monotonic()
        if status == 304 and known is not None:
            return dataclasses.replace(known, listed=now)
        entries = web_listings.of_index(name, body) if status == 200 else None
        if entries is None:
            return None
        own = [each for each in entries if each.path not in web_listings.INDEXES]
        found = web_folders.Folder(
            row="",
            entries=own,
            listed=now,
            first=now,
            index=name,
            validators=web_headers.validators(headers),
            date=web_headers.date(headers),
        )
        return web_folders.refreshed(found, known)

    def _unlistable(self, key: str, status: int, tls: bool) -> faults.StorageError:
        """Why neither a listing nor an index was found."""
        if status == 404:
            meta = self._maybe_head(key)
            if meta is None:
                return self._fault(
                    "storage.no_directory",
                    f"the directory does not exist at {self.where}",
                    "check the path: upper and lower case differ",
                    number=errno.ENOENT,
                )
            return _AFile(errno.ENOTDIR, errors.Explanation("it is a file"), passing=False)
        if status == 403 and self._is_denied(key):
            return self._explained(web_client.Refused("status code: 403"), "list", key)
        if status in (200, 403, 404):
            return self._fault(
                "storage.no_listing",
                "the server does not list this directory, and it has no index file",
                "enable listings (nginx: autoindex on; Apache: Options +Indexes), or put an index.json or index.txt "
                "with the paths of all files there",
            )
        words = f"status code: {status}{' HTTPS' if tls else ''}"
        return self._explained(web_client.Refused(words), "list", key)

    def _is_denied(self, key: str) -> bool:
        """Whether a directory without listing also refuses its files."""
        status, *_ = self._answer("HEAD", self._path(key, directory=True) + web_listings.INDEXES[0])
        return status in (401, 403)

    def _maybe_head(self, key: str) -> connections.Meta | None:
        try:
            return self.head(key) if key else None
        except faults.StorageError:
            return None

    def _listed(self, key: str, entry: web_listings.Entry, folder: web_folders.Folder) -> connections.Meta:
        now = time.monotonic()
        unknown = connections.Meta(key, UNKNOWN, "", 0)
        with self._lock:
            known = self._files.setdefault(key, web_folders.File(entry, unknown))
            if known.meta is unknown or known.entry.row != entry.row:
                known.entry, known.stale = entry, not entry.exact
                if entry.exact:
                    known.meta = connections.Meta(key, entry.size, "", entry.mtime * 10**9)
                    known.age = float(max(folder.date - entry.mtime, 0)) if folder.date >= 0 else 0.0
                    known.checked = now
            return unknown if known.is_due(now) else known.meta

    # ---- single files ----

    def head(self, key: str) -> connections.Meta:
        status, headers = self._answer("HEAD", self._path(key))
        if status in (405, 501) or (status == 200 and "Content-Length" not in headers):
            status, headers = self._answer("GET", self._path(key), {"Range": "bytes=0-0"})
        if status not in (200, 206, 416):
            raise self._explained(web_client.Refused(f"status code: {status}"), "head", key)
        return self._note(key, headers, web_headers.size(status, headers))

    def _answer(
        self, method: str, path: str, headers: Mapping[str, str] | None = None
    ) -> tuple[int, email.message.Message]:
        def ask() -> tuple[int, email.message.Message]:
            answer = self._client.tried(lambda: self._client.followed(method, path, headers or {}))
            answer.close()
            is_directory = answer.url.endswith("/")  # which is no file
            return 404 if is_directory and answer.status == 200 else answer.status, answer.headers

        return self._asked("head", path, ask)

    def _note(self, key: str, headers: email.message.Message, size: int) -> connections.Meta:
        """Remembers a file as it is now."""
        if size < 0:
            raise self._explained(web_client.Refused("status code: 411"), "head", key)
        meta = self._meta(key, headers, size)
        now, date = time.monotonic(), web_headers.date(headers)
        with self._lock:
            known = self._files.get(key)
            if meta.mtime_ns > 0 and date >= 0:
                age = max(date - meta.mtime_ns / 1e9, 0.0)
            elif known is not None and known.meta == meta:
                age = known.age + now - known.checked
            else:
                age = 0.0
            entry = known.entry if known else web_listings.Entry(key, directory=False, row="")
            self._files[key] = web_folders.File(entry, meta, age, now, stale=False)
        return meta

    def _meta(self, key: str, headers: email.message.Message, size: int) -> connections.Meta:
        with self._lock:
            known = self._files.get(key)
        # where the listing itself has exact times, no ETag was seen, and none must be compared
        etag = "" if known is not None and known.entry.exact else faults.plain_etag(headers.get("ETag"))
        seconds = max(web_listings.seconds_of(headers.get("Last-Modified", "")), 0)
        return connections.Meta(key, size, etag, seconds * 1_000_000_000)

    def _as_listed(self, now: connections.Meta) -> connections.Meta:
        """The file as the caller knows it, if it has only grown since."""
        with self._lock:
            known = self._files.get(now.key)
            if known is None or known.meta == now:
                return now
            known.stale = True
            return known.meta if 0 <= known.meta.size < now.size else now

    # ---- bytes ----

    def get(self, key: str, start: int = 0, end: int | None = None) -> tuple[Any, connections.Meta]:
        def fetch() -> tuple[Any, connections.Meta]:
            meta, pieces = self._opened(key, start, end)
            return b"".join(pieces), meta

        return self._asked("get", key, lambda: self._client.tried(fetch))

    def stream(self, key: str, start: int, end: int) -> tuple[connections.Meta, Iterator[Any]]:
        meta, pieces = self._asked("get", key, lambda: self._client.tried(lambda: self._opened(key, start, end)))
        return meta, self._explaining(key, pieces)

    def _explaining(self, key: str, pieces: Iterator[Any]) -> Iterator[Any]:
        try:
            yield from pieces
        except web_client.Refused as error:
            raise self._explained(error, "get", key) from error

    def _opened(self, key: str, start: int, end: int | None) -> tuple[connections.Meta, Iterator[Any]]:
        kept = self._kept(key)
        if kept is not None:
            return kept[0], iter((memoryview(kept[1])[start:end],))
        ranged = start > 0 or end is not None
        if ranged and self.ranges is False and self._is_large(key):
            return self._whole_of(None, key, start, end)
        wanted = {"Range": f"bytes={start}-{'' if end is None else end - 1}"} if ranged else {}
        answer = self._client.followed("GET", self._path(key), wanted)
        try:
            return self._received(answer, key, start, end, ranged=ranged)
        except BaseException:
            answer.close()
            raise

    def _received(
        self, answer: web_client.Answer, key: str, start: int, end: int | None, *, ranged: bool
    ) -> tuple[connections.Meta, Iterator[Any]]:
        size = web_headers.size(answer.status, answer.headers)
        if answer.status == 416:
            answer.close()
            if start or size:
                raise faults.shorter()
            return self._meta(key, answer.headers, 0), iter(())
        if answer.status == 206 and ranged:
            if web_headers.first_byte(answer.headers) != start:
                raise web_client.Refused("HTTP error: another range")
            self.ranges = True
            return self._as_listed(self._meta(key, answer.headers, size)), _begun(answer.pieces())
        if answer.status != 200:
            raise web_client.Refused(f"status code: {answer.status}", passing=False)
        if ranged:
            self._tell_no_ranges()
        if not ranged or (start == 0 and 0 <= size <= (end or 0)):
            return self._as_listed(self._meta(key, answer.headers, max(size, 0))), _begun(answer.pieces())
        return self._whole_of(answer, key, start, end)

    def _tell_no_ranges(self) -> None:
        with self._lock:
            told, self.ranges = self.ranges is False, False
        if not told:
            log.warning("this web server does not support ranges, so files are read whole: %s", self.where)

    # ---- servers without ranges ----

    def _is_large(self, key: str) -> bool:
        with self._lock:
            known = self._files.get(key)
        return known is not None and known.meta.size > LARGE_BYTES

    def _whole_of(
        self, answer: web_client.Answer | None, key: str, start: int, end: int | None
    ) -> tuple[connections.Meta, Iterator[Any]]:
        """The range of a whole file. A large one is fetched by one thread, and kept for the others."""
        with self._lock:
            turn = self._fetching.setdefault(key, threading.Lock()) if self._is_kept(answer) else threading.Lock()
        with turn:
            kept = self._kept(key)
            if kept is None:
                kept = self._fetched(answer or self._client.followed("GET", self._path(key), {}), key)
            elif answer is not None:
                answer.close()
        return kept[0], iter((memoryview(kept[1])[start:end],))

    def _is_kept(self, answer: web_client.Answer | None) -> bool:
        return answer is None or not 0 <= web_headers.size(answer.status, answer.headers) <= LARGE_BYTES

    def _fetched(self, answer: web_client.Answer, key: str) -> tuple[connections.Meta, bytearray]:
        try:
            if answer.status != 200:
                raise web_client.Refused(f"status code: {answer.status}", passing=False)
            if web_headers.size(200, answer.headers) > WHOLE_BYTES:
                raise web_client.TooLong
            body = answer.body(WHOLE_BYTES)
        except web_client.TooLong as error:
            raise self._fault(
                "storage.no_ranges",
                f"the server does not support ranges, and the file has more than {WHOLE_BYTES >> 20} MiB",
                "serve the logs with nginx, Apache or Caddy, which do",
                limit=str(WHOLE_BYTES >> 20),
            ) from error
        finally:
            answer.close()
        meta = self._as_listed(self._meta(key, answer.headers, len(body)))
        if len(body) > LARGE_BYTES:
            self._keep(key, meta, body)
        return meta, body

    def _kept(self, key: str) -> tuple[connections.Meta, bytearray] | None:
        with self._lock:
            kept, known = self._whole.get(key), self._files.get(key)
            if kept is None or (known is not None and known.meta != kept[0]):
                self._whole.pop(key, None)
                return None
            self._whole.move_to_end(key)
            return kept

    def _keep(self, key: str, meta: connections.Meta, body: bytearray) -> None:
        with self._lock:
            self._whole[key] = meta, body
            while sum(len(each) for _, each in self._whole.values()) > WHOLE_BYTES:
                self._whole.popitem(last=False)

    # ---- writing ----

    def put(self, key: str, content: bytes) -> None:
        raise self._explained(web_client.Refused("status code: 403"), "put", key)

    def fetch(self, key: str) -> tuple[bytes, connections.Mark]:
        return bytes(self.get(key)[0]), {}

    def replace(self, key: str, content: bytes, mark: connections.Mark | None) -> connections.Mark:
        self.put(key, content)
        return {}

    def delete(self, key: str) -> None:
        raise self._explained(web_client.Refused("status code: 403"), "delete", key)

    # ---- requests ----

    def _path(self, key: str, *, directory: bool = False) -> str:
        """The path of a request."""
        top = max((each for each in self._tops if key == each or web_paths.is_below(key, each)), key=len, default=key)
        path = f"/{web_paths.quoted_as_written(top)}" + ("/" if top and key != top else "")
        path += web_paths.quoted(key[len(top) :].removeprefix("/")) if key != top else ""
        return f"{path}/" if directory and key else path

    def _headers_of(self, path: str) -> Mapping[str, str]:
        """The credentials that belong to a path."""
        for account in self._accounts:
            if f"{web_paths.decoded(path)}/".startswith(account.path):
                return {"Authorization": account.header}
        return {}

    def _who(self, key: str) -> errors.Explanation:
        path = f"/{web_paths.decoded(web_paths.quoted_as_written(key)).strip('/')}/"
        return next((each.who for each in self._accounts if path.startswith(each.path)), _NOBODY)

    def _asked(self, action: str, key: str, request: Callable[[], T], refused: Sequence[int] = ()) -> T:
        """Statuses of `refused` are errors; others are the caller's."""
        self._limiter.wait()
        try:
            answer = request()
        except web_client.Elsewhere as error:
            raise self._fault(
                "storage.redirect",
                f"the server redirects to {error.origin}, which is not followed",
                f"write that address instead of {self.where}",
                to=error.origin,
            ) from error
        except web_client.TooLong as error:
            raise self._fault(
                "storage.listing_too_large",
                "the listing is too long",
                "name a directory deeper inside, or write an index.json",
            ) from error
        except web_client.Refused as error:
            raise self._explained(error, action, key) from error
        if isinstance(answer, tuple) and answer[0] in refused:
            raise self._explained(web_client.Refused(f"status code: {answer[0]}"), action, key)
        return answer

    def _explained(self, error: Exception, action: str, key: str) -> faults.StorageError:
        found = faults.explained(error, action, self, key)
        was = found.explanation
        if was.code not in ("storage.denied", "storage.no_credentials"):
            return found
        hint = (
            f'add [secrets.NAME] with endpoint = "{self.where}" and `key` and `secret`, or `token`, to `storage.toml`'
        )
        if credentials.is_nobody(self.who):
            message = "the web server refuses requests without credentials"
            explanation = errors.Explanation(message, hint, code="storage.web_credentials", parameters=was.parameters)
        else:
            explanation = dataclasses.replace(was, hint="check the secret, and which directories it may read")
        return faults.StorageError(errno.EACCES, explanation, passing=False)

    def _fault(self, code: str, message: str, hint: str, number: int = errno.EIO, **more: str) -> faults.StorageError:
        parameters = {"where": self.where, "who": self.who, "answer": "", **more}
        explanation = errors.Explanation(message, hint, code, parameters)
        kind = faults.Absent if number == errno.ENOENT else faults.StorageError
        return kind(number, explanation, passing=False)


class _AFile(faults.StorageError):
    """What was to be listed is a file."""


def connect(location: uris.Location, found: settings.Settings) -> Web:
    """The connection to a server, with all secrets whose `endpoint` is at it."""
    own: list[tuple[str, settings.Secret]] = []
    for secret in found.secrets.values():
        parts = urllib.parse.urlsplit(secret.endpoint)
        if parts.scheme and web_client.origin_of(parts) == web_client.origin_of(urllib.parse.urlsplit(location.place)):
            own.append((f"/{web_paths.decoded(parts.path).strip('/')}/".replace("//", "/"), secret))
    accounts = [Account(path, credentials.of_secret(each.name), _header(each)) for path, each in own if _header(each)]
    below = [
        each
        for path, each in own
        if f"/{web_paths.decoded(web_paths.quoted_as_written(location.key))}/".startswith(path)
    ]
    ca = next((each.ca for each in below if each.ca), "")
    proxy = next((each.proxy for each in below if each.proxy), "")
    ca = os.path.expanduser(ca)  # noqa: PTH111
    allowed = None if any(each.trusted for each in below) else found.networks
    return Web(location, accounts, found.limits, ca=ca, proxy=proxy, allowed=allowed)


def _header(secret: settings.Secret) -> str:
    if secret.anonymous:
        return ""
    if secret.token:
        return f"Bearer {secret.token}"
    return web_client.basic(secret.key, secret.secret) if secret.key else ""


def _stop_after(failures: Sequence[faults.StorageError]) -> None:
    """Raises the last of several failures that may pass: the server does not answer, and nobody should wait for that as
    often as there are files."""
    passing = [each for each in failures if each.passing]
    if len(passing) >= FAILURES:
        raise passing[-1]


def _batches(jobs: list[web_folders.Job]) -> Iterator[list[web_folders.Job]]:
    for start in range(0, len(jobs), BATCH):
        yield jobs[start : start + BATCH]


def _mapped(function: Callable[[T], U], items: Sequence[T], most: int = LISTERS) -> list[U]:
    """Calls the function for all items, by several daemon threads. Raises the first error."""
    results: dict[int, U] = {}
    problems: list[BaseException] = []
    left = iter(range(len(items)))
    lock = threading.Lock()

    def work() -> None:
        while not problems:
            with lock:
                at = next(left, None)
            if at is None:
                return
            try:
                results[at] = function(items[at])
            except BaseException as error:
                problems.append(error)

    threads = [threading.Thread(target=work, name="lightboard-list", daemon=True) for _ in items[1:most]]
    for thread in threads:
        thread.start()
    work()
    for thread in threads:
        thread.join()
    if problems:
        raise problems[0]
    return [results[at] for at in range(len(items))]


def _begun(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """With its first piece read: a generator that has begun closes what it holds when nobody wants the rest."""
    first = next(pieces, b"")
    return itertools.chain((first,), pieces)
