"""Checks the roots of the board and reports problems, at each request, for a page that has nothing to show."""

from __future__ import annotations

import concurrent.futures
import dataclasses
import glob
import os
import threading
from collections.abc import Sequence
from typing import Literal

from lightboard import query
from lightboard.query import roots as roots_

Problem = Literal["missing", "permission", "not_directory", "unreadable", "unsupported", "empty"]


@dataclasses.dataclass(frozen=True)
class Place:
    """A root of the logs."""

    path: str  # absolute, or the pattern as it was given
    problem: Problem | None
    detail: str  # a sentence for people
    files: int  # event files found
    bytes: int  # in them


def check(store: query.Store, roots: Sequence[str], lookups: Lookups) -> list[Place]:
    counted = roots_.counted(store, roots)
    done = store.progress.done
    notices = {notice.path: notice.detail for notice in store.notices}
    alone = [each.path for each in store.companions if each.kind == "projector"]  # shown without any event file
    return [
        _checked(
            path,
            files,
            size,
            notices.get(path, ""),
            lookups,
            done=done and not any(each.startswith(path) for each in alone),
        )
        for path, (files, size) in zip(roots, counted, strict=True)
    ]


def _checked(path: str, files: int, size: int, notice: str, lookups: Lookups, *, done: bool) -> Place:
    """`notice`: what the follower reports about the root. Only local roots are checked here."""
    problem, detail = lookups.problem(path) if "://" not in path else ("unreadable" if notice else None, notice)
    if problem is None and not files and done:
        problem, detail = "empty", "there is no event file (a name with `tfevents` in it) here or below"
    return Place(path, problem, detail, files, size)


ANSWER_SECS = 1.0


class Lookups:
    """Checks directories in threads: a mount that does not respond blocks a thread for minutes, and the page's first
    request must not wait for it. There is at most one thread per root.

    State: `_running` has the last lookup of each root; it is changed under `_lock`.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: dict[str, concurrent.futures.Future[tuple[Problem | None, str]]] = {}

    def problem(self, path: str) -> tuple[Problem | None, str]:
        with self._lock:
            lookup = self._running.get(path)
            if lookup is None or lookup.done():
                lookup = self._running[path] = concurrent.futures.Future()
                threading.Thread(target=_look_for, args=(lookup, path), name="lightboard-look", daemon=True).start()
        try:
            return lookup.result(ANSWER_SECS)
        except concurrent.futures.TimeoutError:
            return "unreadable", "the file system does not answer; it is asked again"


def _look_for(asked: concurrent.futures.Future[tuple[Problem | None, str]], path: str) -> None:
    try:
        asked.set_result(_look(path))
    except Exception as problem:  # otherwise the waiting request would get no response
        asked.set_result(("unreadable", f"the directory cannot be looked at: {problem}"))


def _look(path: str) -> tuple[Problem | None, str]:
    if glob.has_magic(path) and not os.path.lexists(path):
        return (
            (None, "") if glob.glob(path) else ("missing", "nothing matches this pattern yet; it is looked for again")
        )
    try:
        with os.scandir(path):
            return None, ""
    except FileNotFoundError:
        return "missing", "there is no such directory yet; it is looked for again"
    except NotADirectoryError:
        if "tfevents" in path.rpartition("/")[2]:
            return None, ""
        return "not_directory", "this is a file; give the directory that holds the runs"
    except PermissionError:
        return "permission", f"the user that runs the board (`{_user()}`) may not read this directory"
    except OSError as problem:
        return "unreadable", f"the directory cannot be read: {problem.strerror or problem}"


def _user() -> str:
    import getpass

    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        return str(os.getuid()) if hasattr(os, "getuid") else "?"
