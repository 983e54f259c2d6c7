"""Notifications by the kernel about changed event files: inotify, called through ctypes.

They are only hints: network mounts do not report changes by other machines, and the kernel may run out of watches.
So the caller must also walk periodically; `Watcher.complete` says how often that is needed.
"""

from __future__ import annotations

import ctypes
import dataclasses
import errno
import os
import select
import struct
import sys
import time
from collections.abc import Iterable, Sequence

from lightboard import errors, sources

_MODIFY, _CLOSE_WRITE, _MOVED_FROM, _MOVED_TO = 0x2, 0x8, 0x40, 0x80
_CREATE, _DELETE, _DELETE_SELF, _MOVE_SELF = 0x100, 0x200, 0x400, 0x800
_UNMOUNT, _OVERFLOW, _IGNORED, _ONLYDIR, _ISDIR = 0x2000, 0x4000, 0x8000, 0x1000000, 0x40000000
_MASK = (
    _MODIFY | _CLOSE_WRITE | _MOVED_FROM | _MOVED_TO | _CREATE | _DELETE | _DELETE_SELF | _MOVE_SELF | _ONLYDIR
)  # fmt: skip
_EVENT = struct.Struct("iIII")
# Collect events for this long after the first one: a flush is often several writes.
GATHER_SECS = 0.004
# Writing a checkpoint into a run's directory causes a flood of irrelevant events: read them less often then.
GATHER_MAX_SECS = 0.06

_NO_NOTIFICATIONS = errors.Explanation("the system has no notifications", code="polling.no_notifications")
_LIMIT_REACHED = errors.Explanation(
    "the system's limit of watched directories is reached (fs.inotify.max_user_watches)", code="polling.limit"
)


def _refused(reason: str) -> errors.Explanation:
    message = f"the system refuses to watch directories: {reason}"
    return errors.Explanation(message, code="polling.refused", parameters={"reason": reason})


@dataclasses.dataclass
class News:
    """What to check. `all`: everything, because directories were moved or events were lost (`lost`)."""

    files: dict[str, str] = dataclasses.field(default_factory=dict)  # key → absolute path
    directories: dict[str, str] = dataclasses.field(default_factory=dict)  # new directories: path → prefix of keys
    companions: dict[str, str] = dataclasses.field(default_factory=dict)  # like `files`, for files of `sources`
    all: bool = False
    lost: bool = False

    def __bool__(self) -> bool:
        return bool(self.files or self.directories or self.companions or self.all)


class Watcher:
    """Watches directories; `wait` returns what happened in them. Without inotify it only waits."""

    def __init__(self, *, enabled: bool = True, rules: Sequence[sources.Rule] = sources.RULES) -> None:
        self._beside = sources.names(rules)
        self._wake_reader, self._wake_writer = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK) if _PIPE2 else os.pipe()
        self._libc = _libc() if enabled else None
        self._fd = self._libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC) if self._libc else -1
        self._numbers: dict[str, int] = {}  # path → watch
        self._places: dict[int, dict[str, str]] = {}  # watch → path → prefix; a directory with links to it has several
        self._gather_secs = GATHER_SECS
        self.complete = self._fd >= 0  # every directory is watched
        self.problem = None if self.complete or not enabled else _NO_NOTIFICATIONS

    def close(self) -> None:
        for fd in (self._fd, self._wake_reader, self._wake_writer):
            if fd >= 0:
                os.close(fd)
        self._fd = self._wake_reader = self._wake_writer = -1

    def wake(self) -> None:
        """End a wait. Thread-safe."""
        try:
            os.write(self._wake_writer, b"w")
        except OSError:
            pass

    def watch(self, directories: Iterable[tuple[str, str]], *, whole: bool) -> None:
        """Also watch these (path, prefix of keys), as many as possible, in this order; with `whole`, no others."""
        if self._fd < 0:
            return
        wanted = dict(directories)
        if whole and wanted.keys() != self._numbers.keys():
            for path in self._numbers.keys() - wanted.keys():
                self._forget(path)
        if whole:
            self.complete, self.problem = True, None
        for path, prefix in wanted.items():
            if path not in self._numbers and not self._add(path, prefix):
                return

    @property
    def count(self) -> int:
        """Returns the number of watched directories."""
        return len(self._numbers)

    def wait(self, timeout_secs: float | None) -> News:
        """Wait until something happens, `wake` is called or the timeout ends."""
        waiting = select.poll()
        waiting.register(self._wake_reader, select.POLLIN)
        if self._fd >= 0:
            waiting.register(self._fd, select.POLLIN)
        ready = waiting.poll(None if timeout_secs is None else max(0, timeout_secs * 1000))
        if any(fd == self._wake_reader for fd, _ in ready):
            os.read(self._wake_reader, 4096)
            return News()
        if not ready:
            return News()
        time.sleep(self._gather_secs)
        news = self.read()
        self._gather_secs = GATHER_SECS if news else min(2 * self._gather_secs, GATHER_MAX_SECS)
        return news

    def read(self) -> News:
        """Returns what happened so far, without waiting."""
        news = News()
        while self._fd >= 0:
            try:
                data = os.read(self._fd, 1 << 16)
            except BlockingIOError:
                break
            at = 0
            while at < len(data):
                number, mask, _, length = _EVENT.unpack_from(data, at)
                name = data[at + _EVENT.size : at + _EVENT.size + length].rstrip(b"\0")
                self._note(number, mask, os.fsdecode(name), news)
                at += _EVENT.size + length
        return news

    def _note(self, number: int, mask: int, name: str, news: News) -> None:
        if mask & _OVERFLOW:
            news.all = news.lost = True
            return
        places = self._places.get(number, {})
        if mask & (_DELETE_SELF | _MOVE_SELF | _UNMOUNT | _IGNORED):
            for path in list(places):
                self._forget(path, gone=bool(mask & _IGNORED))
            news.all = True
            return
        for path, prefix in places.items():
            if mask & _ISDIR:
                if mask & (_CREATE | _MOVED_TO):
                    news.directories[f"{path}/{name}"] = f"{prefix}{name}/"
                elif mask & (_DELETE | _MOVED_FROM):
                    news.all = True
            elif "tfevents" in name:
                news.files[prefix + name] = f"{path}/{name}"
            elif self._beside.match(name):
                news.companions[prefix + name] = f"{path}/{name}"
            elif mask & (_CREATE | _MOVED_TO) and os.path.islink(f"{path}/{name}"):  # noqa: PTH114
                news.directories[f"{path}/{name}"] = f"{prefix}{name}/"
            elif mask & (_DELETE | _MOVED_FROM) and f"{path}/{name}" in self._numbers:
                news.all = True  # a link to a directory

    def _add(self, path: str, prefix: str) -> bool:
        assert self._libc is not None
        number = self._libc.inotify_add_watch(self._fd, os.fsencode(path), _MASK)
        if number >= 0:
            self._numbers[path] = number
            self._places.setdefault(number, {})[path] = prefix
            return True
        code = ctypes.get_errno()
        if code in (errno.ENOENT, errno.ENOTDIR, errno.EACCES, errno.ELOOP):
            return True  # it was removed meanwhile, or cannot be read: the walk reports that
        self.complete = False
        self.problem = _LIMIT_REACHED if code == errno.ENOSPC else _refused(os.strerror(code))
        return False

    def _forget(self, path: str, *, gone: bool = False) -> None:
        number = self._numbers.pop(path, None)
        if number is None:
            return
        places = self._places.get(number, {})
        places.pop(path, None)
        if not places:
            self._places.pop(number, None)
            if not gone and self._libc is not None:
                self._libc.inotify_rm_watch(self._fd, number)


_PIPE2 = hasattr(os, "pipe2")


def _libc() -> ctypes.CDLL | None:
    if not sys.platform.startswith("linux"):
        return None
    try:
        libc = ctypes.CDLL(None, use_errno=True)
        libc.inotify_add_watch.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_uint32]
        libc.inotify_init1.argtypes = [ctypes.c_int]
    except (OSError, AttributeError):
        return None
    return libc
