"""Sends a log directory to an upload, and follows it while it grows.

    scan ─▶ what is new ─▶ groups of files ─▶ threads: a request per group ─▶ the hub's lengths and checksums

`_known` is what the hub has, as it said itself. After anything unclear (a broken line, a refused offset) the hub is
asked again, and its checksum is compared with the file's bytes: the upload continues there, or the file is sent again.
"""

from __future__ import annotations

import dataclasses
import hashlib
import os
import random
import socket
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from concurrent import futures
from typing import Any
from urllib.parse import urlsplit

from lightboard import errors
from lightboard.client import connections, hub_errors, uploads_files
from lightboard.client.requests import Requests, quoted
from lightboard.client.uploads_files import Local
from lightboard.client.uploads_parts import Bandwidth, Body, Squeeze, Stretch

THREADS = 4
# A request: large enough to be cheap, small enough that little is sent twice after a broken line.
GROUP_BYTES = 16 << 20
LEAST_GROUP_BYTES = 1 << 20
# Proxies refuse larger bodies than they were told to accept; many were told 1 MB.
LEAST_REQUEST_BYTES = 1 << 19
GROUP_FILES = 200
FLUSH_SECS = 10.0
POLL_SECS = 0.5
# A logdir that takes long to list is listed less often: a twentieth of the time.
POLL_SHARE = 20.0
MOST_BACK_OFF_SECS = 15.0
_OTHER_BYTES = "ChecksumMismatch"
_AGAIN = frozenset({"FileBusy", "RateLimited", "OffsetMismatch", _OTHER_BYTES, "RequestTimeout"})


@dataclasses.dataclass(frozen=True)
class Totals:
    """What was sent in this session. `wire_bytes` is less if files were compressed."""

    files: int = 0
    bytes: int = 0
    wire_bytes: int = 0
    retries: int = 0


class Stopped(Exception):
    """Raised while a body is read, to break a request off."""


class Deleted(hub_errors.NotFound):
    """Somebody deleted the upload while it was sent."""


class Sender:
    """State: `_known` and `totals`, under `_lock`; files as they were last seen belong to the calling thread."""

    def __init__(
        self,
        requests: Requests,
        upload: str,
        logdir: str,
        *,
        plugins: Collection[str] = (),
        threads: int = THREADS,
        bytes_per_sec: float = 0.0,
        patience_secs: float = 600.0,
        progress: Callable[[int, int], None] = lambda done, total: None,
        notice: Callable[[str], None] = lambda text: None,
    ) -> None:
        """`patience_secs`: how long the hub may be away. `progress` is called from threads with bytes of this turn."""
        self._requests, self.upload, self._logdir = requests, upload, logdir
        self._plugins, self._patience_secs = frozenset(plugins), patience_secs
        self._progress, self._notice = progress, notice
        self._squeeze = Squeeze(fast_line=_is_here(requests.url))
        self._bandwidth = Bandwidth(bytes_per_sec)
        self._number = threads
        self._threads = futures.ThreadPoolExecutor(threads, thread_name_prefix="upload")
        self._lock = threading.Lock()
        self._known: dict[str, tuple[int, int]] = {}
        self._seen: dict[str, Local] = {}
        self._told: set[str] = set()
        self._done = self._total = 0
        self._request_bytes = GROUP_BYTES  # less after requests of which nothing arrived, then slowly more
        self.totals = Totals()
        self.session = _session(upload, logdir)
        self._flushed_at = time.monotonic()
        self._stopping = threading.Event()
        self._begun = self._is_refused = False
        self._paths: set[str] = set()

    def stop(self) -> None:
        """Breaks off what is being sent; complete parts are kept. Any thread may call."""
        self._stopping.set()

    @property
    def stopped(self) -> bool:
        return self._stopping.is_set()

    def wait(self, secs: float) -> bool:
        """Waits, at most until `stop`; says whether it was called."""
        return self._stopping.wait(secs)

    def close(self) -> None:
        self._stopping.set()
        self._threads.shutdown(wait=False, cancel_futures=True)

    # -- the way of an upload

    def begin(self, *, take_over: bool = False) -> dict[str, Any]:
        """Asks the hub what it has and whether the rest fits; returns the session. Raises hub_errors.HubError."""
        found = uploads_files.scan(self._logdir, self._plugins)
        self._known = self._stored()
        size = sum(max(each.size - self._known.get(each.path, (0, 0))[0], 0) for each in found.files.values())
        new = sum(each not in self._known for each in found.files)
        body = {"bytes": size, "files": new, "session": self.session, "take_over": take_over}
        answer = self._requests.send("POST", f"{quoted('uploads', self.upload)}:begin", body, again=True)
        self._begun = True
        return dict(answer)

    def turn(self) -> int:
        """Sends what is new, and returns the number of bytes. Raises Deleted, hub_errors.HubError, errors.NotFound."""
        found = uploads_files.scan(self._logdir, self._plugins)
        self._tell_unsendable(found.unsendable)
        stretches = [each for local in found.files.values() if (each := self._stretch(local)) is not None]
        self._done, self._total = 0, sum(each.end - each.start for each in stretches)
        if stretches:
            self._progress(0, self._total)
            self._send_all(stretches)
        for path, local in found.files.items():
            # what grew meanwhile is not up to date: the next turn looks again
            if self._known.get(path, (-1, 0))[0] == local.size:
                self._seen[path] = local
        return self._done

    def follow(self, until: Callable[[float], bool]) -> None:
        """Sends what is new again and again. `until(secs)` waits, and says whether to stop."""
        while True:
            begun = time.monotonic()
            self.turn()
            took = time.monotonic() - begun
            if time.monotonic() - self._flushed_at >= FLUSH_SECS:
                self.flush()
            if until(max(POLL_SECS, POLL_SHARE * took if not self._done else POLL_SECS)):
                return

    def flush(self, *, end: bool = False) -> dict[str, Any]:
        """Returns the upload when everything is on the hub's disk."""
        if not self._begun:
            return dict(self._requests.get(quoted("uploads", self.upload)))
        body = {"session": self.session, "end": end}
        path = f"{quoted('uploads', self.upload)}:flush"
        answer = self._tried(lambda: self._requests.send("POST", path, body, again=True))
        self._flushed_at = time.monotonic()
        return dict(answer)

    # -- what to send

    def _stretch(self, local: Local) -> Stretch | None:
        """What the hub does not have of a file; None: nothing."""
        before = self._seen.get(local.path)
        if before == local:
            return None
        size, checksum = self._known.get(local.path, (-1, 0))
        file = os.path.join(self._logdir, local.path)  # noqa: PTH118
        grew = before is not None and before.inode == local.inode and local.size >= size
        if size < 0:
            return Stretch(local.path, file, 0, local.size, 0)
        if not (grew and local.is_events and local.size > size) and (
            local.size < size or uploads_files.checksum(file, size) != checksum
        ):
            if self._known[local.path][0] > 0:
                self._notice(f"{local.path} was replaced or truncated; it is sent again")
            return Stretch(local.path, file, 0, local.size, 0, replace=True)
        return Stretch(local.path, file, size, local.size, checksum) if local.size > size else None

    def _tell_unsendable(self, paths: Iterable[str]) -> None:
        for path in paths:
            if path not in self._told:
                self._told.add(path)
                shown = path.encode("utf-8", "backslashreplace").decode()
                self._notice(f"not sent, because no hub accepts such a name: {shown}")

    # -- sending

    def _send_all(self, stretches: list[Stretch]) -> None:
        waiting = {self._threads.submit(self._send_group, group) for group in _groups(stretches, self._number)}
        try:
            for each in futures.as_completed(waiting):
                each.result()
        except BaseException:
            for each in waiting:
                each.cancel()
            futures.wait(waiting)
            raise

    def _send_group(self, group: list[Stretch]) -> None:
        """Until the hub has all of it. Large files take several requests."""
        deadline, tries = time.monotonic() + self._patience_secs, 0
        while group and not self._stopping.is_set():
            try:
                self._send(_request(group, self._request_bytes))
            except Stopped:
                return
            except hub_errors.HubError as error:
                if not _may_help(error) or time.monotonic() > deadline:
                    raise _explained(error) from error
                self._back_off(tries, error)
                before = {each.path: each.start for each in group}
                group = self._compared(group)
                # a line that breaks again and again, but carries something each time, is no reason to wait longer
                arrived = any(each.start > before[each.path] for each in group) or len(group) < len(before)
                tries = 0 if arrived else tries + 1
                if not arrived:
                    self._request_bytes = max(self._request_bytes // 4, LEAST_REQUEST_BYTES)
                deadline = time.monotonic() + self._patience_secs if arrived else deadline
            else:
                deadline, tries = time.monotonic() + self._patience_secs, 0
                if not self._is_refused:
                    self._request_bytes = min(self._request_bytes + (1 << 18), GROUP_BYTES)
                group = [each for each in group if not each.done]

    def _send(self, pieces: list[tuple[Stretch, int]]) -> None:
        """One request. Afterwards the stretches begin where the hub's files end."""
        body = Body(pieces, self._squeeze, self._wait_for_line)
        size = sum(end - each.start for each, end in pieces)
        path = f"/api/v1{quoted('uploads', self.upload)}/data?session={self.session}&bytes={size}"
        headers = {"Content-Type": "application/octet-stream"}
        begun = time.monotonic()
        request = connections.Request("POST", path, body, headers, again=True, retry_secs=0.0, silent_secs=60.0)
        answer = self._requests.connections.ask(request)
        if answer.status == 413 and "problem" not in answer.headers.get("content-type", ""):
            self._is_refused = True  # by a proxy
        if answer.status >= 300:
            raise connections.of_answer(answer)
        self._squeeze.sent(body.wire_bytes, time.monotonic() - begun)
        have = {each["path"]: (int(each["size"]), int(each["checksum"])) for each in answer.json()["items"]}
        for path_, end in body.ends.items():
            if have.get(path_) != end:
                raise hub_errors.HubFailed(f"the hub has other bytes than were sent: {path_}", code=_OTHER_BYTES)
        self._note([each for each, _ in pieces], body)

    def _wait_for_line(self, size: int) -> None:
        if self._stopping.is_set():
            raise Stopped
        self._bandwidth.wait(size)

    def _note(self, stretches: list[Stretch], body: Body) -> None:
        sent = 0
        with self._lock:
            for each in stretches:
                before = each.start
                # removed, or shorter than it was: the next turn looks again
                each.start, each.checksum = body.ends.get(each.path, (each.start, each.checksum))
                each.done = each.start >= each.end or each.path not in body.ends or each.start == before
                each.replace = False
                if each.path in body.ends:
                    self._known[each.path] = body.ends[each.path]
                    self._paths.add(each.path)
                sent += each.start - before
            self.totals = dataclasses.replace(
                self.totals,
                files=len(self._paths),
                bytes=self.totals.bytes + sent,
                wire_bytes=self.totals.wire_bytes + body.wire_bytes,
            )
            self._done += sent
        self._progress(self._done, self._total)

    # -- after something went wrong

    def _back_off(self, tries: int, error: hub_errors.HubError) -> None:
        with self._lock:
            self.totals = dataclasses.replace(self.totals, retries=self.totals.retries + 1)
        secs = min(0.05 * 2.0**tries, MOST_BACK_OFF_SECS) * random.uniform(0.5, 1.5)
        if secs > 2.0:
            self._notice(f"{error.message}; trying again in {secs:.0f} s")
        self._stopping.wait(secs)

    def _compared(self, group: list[Stretch]) -> list[Stretch]:
        """The same files from where the hub's end, if its bytes are ours; otherwise from the start."""
        have = self._tried(lambda: self._stored({each.path for each in group}))
        compared = [self._from_there(each, have) for each in group]
        # an empty file has nothing to send, but has to be there
        return [each for each in compared if each.start < each.end or each.replace or each.path not in have]

    def _from_there(self, stretch: Stretch, have: dict[str, tuple[int, int]]) -> Stretch:
        size, checksum = have.get(stretch.path, (-1, 0))
        if size < 0:
            with self._lock:
                self._known.pop(stretch.path, None)
            return dataclasses.replace(stretch, start=0, checksum=0, replace=False)
        if not stretch.replace and size >= stretch.start:
            ours = uploads_files.checksum(stretch.file, size, stretch.start, stretch.checksum)
        else:
            ours = uploads_files.checksum(stretch.file, size)
        if ours == checksum and (size > 0 or not stretch.replace):
            with self._lock:
                self._known[stretch.path] = (size, checksum)
                self._done += max(size - stretch.start, 0) if not stretch.replace else 0
            return dataclasses.replace(stretch, start=size, checksum=checksum, replace=False)
        return dataclasses.replace(stretch, start=0, checksum=0, replace=True)

    def _stored(self, only: Collection[str] | None = None) -> dict[str, tuple[int, int]]:
        """Lengths and checksums of what the hub has."""
        found: dict[str, tuple[int, int]] = {}
        after = ""
        while True:
            page = self._requests.get(f"{quoted('uploads', self.upload)}/files", {"after": after, "limit": 5000})
            for each in page["items"]:
                if only is None or each["path"] in only:
                    found[each["path"]] = (int(each["size"]), int(each["checksum"] or 0))
            after = page.get("next_after") or ""
            if not after:
                return found

    def _tried(self, ask: Callable[[], Any]) -> Any:
        """Asks again while the hub is away."""
        deadline, tries = time.monotonic() + self._patience_secs, 0
        while True:
            try:
                return ask()
            except hub_errors.HubError as error:
                if not _may_help(error) or time.monotonic() > deadline or self._stopping.is_set():
                    raise _explained(error) from error
                self._back_off(tries, error)
                tries += 1


def _groups(stretches: list[Stretch], threads: int) -> Iterator[list[Stretch]]:
    """Small files together, large ones alone; the largest first, so that no thread is left alone with one."""
    group: list[Stretch] = []
    size = 0
    most = sum(each.end - each.start for each in stretches) // threads
    most = min(max(most, LEAST_GROUP_BYTES), GROUP_BYTES)
    for each in sorted(stretches, key=lambda one: one.start - one.end):
        group.append(each)
        size += each.end - each.start
        if size >= most or len(group) >= GROUP_FILES:
            yield group
            group, size = [], 0
    if group:
        yield group


def _request(group: list[Stretch], left: int) -> list[tuple[Stretch, int]]:
    """What one request sends: files of the group, and of the last one as much as fits."""
    pieces: list[tuple[Stretch, int]] = []
    for each in group:
        if left <= 0 and pieces:
            break
        end = min(each.end, each.start + left)
        pieces.append((each, end))
        left -= end - each.start
    return pieces


def _may_help(error: hub_errors.HubError) -> bool:
    """Whether trying again may help."""
    return (
        error.status in (0, 408, 413, 429, 502, 503, 504)
        or error.code in _AGAIN
        or isinstance(error, hub_errors.TimedOut)
    )


def _explained(error: hub_errors.HubError) -> errors.LightboardError:
    if isinstance(error, hub_errors.NotFound) and not isinstance(error, Deleted):
        return Deleted("the upload was deleted on the hub", status=404)
    return error


def _session(upload: str, logdir: str) -> str:
    """The same for the same directory on the same machine: who was killed continues at once."""
    user = os.getuid() if hasattr(os, "getuid") else 0
    text = "\0".join([upload, socket.gethostname(), str(user), os.path.realpath(logdir)])
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:32]


def _is_here(url: str) -> bool:
    return urlsplit(url).hostname in ("127.0.0.1", "localhost", "::1")
