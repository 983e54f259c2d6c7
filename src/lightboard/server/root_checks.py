"""Checks the roots of the board and reports problems, at each request, for a page that has nothing to show."""

from __future__ import annotations

import concurrent.futures
import dataclasses
import glob
import os
import threading
from collections.abc import Sequence
from typing import Any, Literal

from lightboard import errors, query, types
from lightboard.query import roots as roots_

Problem = Literal["missing", "permission", "not_directory", "unreadable", "unsupported", "empty"]
Looked = tuple[Problem | None, errors.Explanation]

_GOOD: Looked = None, errors.Explanation("")
_EMPTY = errors.Explanation("there is no event file (with `tfevents` in its name) here or below", code="root.empty")


@dataclasses.dataclass(frozen=True)
class Place:
    """A root of the logs."""

    path: str  # absolute, or the pattern as it was given
    problem: Problem | None
    detail: str  # a sentence for people
    code: str  # of the sentence
    parameters: dict[str, Any]
    files: int  # event files found
    bytes: int  # in them


def check(store: query.Store, roots: Sequence[str], lookups: Lookups) -> list[Place]:
    counted = roots_.counted(store, roots)
    done = store.progress.done
    notices = {notice.path: notice for notice in store.notices}
    alone = [each.path for each in store.companions if each.kind == "projector"]  # shown without any event file
    return [
        _checked(
            path,
            files,
            size,
            notices.get(path),
            lookups,
            done=done and not any(each.startswith(path) for each in alone),
        )
        for path, (files, size) in zip(roots, counted, strict=True)
    ]


def _checked(path: str, files: int, size: int, notice: types.Fault | None, lookups: Lookups, *, done: bool) -> Place:
    """`notice`: what the follower reports about the root. Only local roots are checked here."""
    problem, why = lookups.problem(path) if "://" not in path else _reported(notice)
    if problem is None and not files and done:
        problem, why = "empty", why if why.code else _EMPTY
    return Place(path, problem, why.message, why.code, why.parameters, files, size)


def _reported(notice: types.Fault | None) -> Looked:
    if notice is None:
        return _GOOD
    if notice.reason == "empty":
        because: errors.Explanation = notice.parameters["because"]
        return None, because
    return "unreadable", errors.Explanation(
        notice.detail, code=notice.code, parameters={**notice.parameters, "path": notice.path}
    )


ANSWER_SECS = 1.0


class Lookups:
    """Checks directories in threads: a mount that does not respond blocks a thread for minutes, and the page's first
    request must not wait for it. There is at most one thread per root.

    State: `_running` has the last lookup of each root; it is changed under `_lock`.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: dict[str, concurrent.futures.Future[Looked]] = {}

    def problem(self, path: str) -> Looked:
        with self._lock:
            lookup = self._running.get(path)
            if lookup is None or lookup.done():
                lookup = self._running[path] = concurrent.futures.Future()
                threading.Thread(target=_look_for, args=(lookup, path), name="lightboard-look", daemon=True).start()
        try:
            return lookup.result(ANSWER_SECS)
        except concurrent.futures.TimeoutError:
            message = "the file system does not respond; it is checked again"
            return "unreadable", errors.Explanation(message, code="root.no_answer")


def _look_for(asked: concurrent.futures.Future[Looked], path: str) -> None:
    try:
        asked.set_result(_look(path))
    except Exception as problem:  # otherwise the waiting request would get no response
        asked.set_result(("unreadable", _unreadable(str(problem))))


def _look(path: str) -> Looked:
    if glob.has_magic(path) and not os.path.lexists(path):
        return _GOOD if glob.glob(path) else ("missing", _NO_MATCH)
    try:
        with os.scandir(path):
            return _GOOD
    except FileNotFoundError:
        return "missing", _NO_DIRECTORY
    except NotADirectoryError:
        return _GOOD if "tfevents" in path.rpartition("/")[2] else ("not_directory", _A_FILE)
    except PermissionError:
        message = f"the user that runs the board (`{_user()}`) may not read this directory"
        return "permission", errors.Explanation(message, code="root.permission", parameters={"user": _user()})
    except OSError as problem:
        return "unreadable", _unreadable(problem.strerror or str(problem))


def _unreadable(reason: str) -> errors.Explanation:
    message = f"the directory cannot be read: {reason}"
    return errors.Explanation(message, code="root.unreadable", parameters={"reason": reason})


_NO_MATCH = errors.Explanation("nothing matches this pattern yet; it is checked again", code="root.no_match")
_NO_DIRECTORY = errors.Explanation("this directory does not exist yet; it is checked again", code="root.missing")
_A_FILE = errors.Explanation("this is a file; give the directory that contains the runs", code="root.a_file")


def _user() -> str:
    import getpass

    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        return str(os.getuid()) if hasattr(os, "getuid") else "?"
