"""The program that looks at one source, in a process of its own: a slow store or a huge directory stops nobody.

stdin has the source, the storage document and the time; stdout gets what was found, as JSON. The time is limited here:
when it is over, what was counted until then is the answer. The hub limits memory and ends a process that hangs
(`probing`). Files are listed, never opened.
"""

from __future__ import annotations

import dataclasses
import errno
import json
import os
import re
import sys
import threading
from collections.abc import Mapping
from typing import Any

from lightboard import errors, sources, storage, types

MOST_RUNS = 100_000
NAMES = 5
_DENIED = (
    "storage.denied", "storage.no_credentials", "storage.wrong_key", "storage.wrong_secret", "storage.expired",
    "storage.web_credentials",
)  # fmt: skip
_ABSENT = ("storage.no_bucket", "storage.no_directory", "storage.no_object")
_UNREACHED = (
    "storage.unknown_host", "storage.refused", "storage.timeout", "storage.broken_off", "storage.not_http",
    "storage.not_tls", "storage.needs_tls", "storage.certificate", "storage.server", "storage.slow_down",
)  # fmt: skip
_INSIDE = "storage.inside"
_UNLISTED = ("storage", "missing", "unreadable")  # reasons of notices


@dataclasses.dataclass(kw_only=True)
class Tally:
    """What was counted so far. Only the working thread writes."""

    objects: int = 0  # everything that was listed
    files: int = 0  # event files
    size_bytes: int = 0
    newest: float = 0.0
    runs: set[str] = dataclasses.field(default_factory=set)
    problem: errors.Explanation | None = None
    missing: bool = False  # nothing is there
    done: bool = False

    def add(self, path: str, size: int, mtime_ns: int) -> None:
        self.files += 1
        self.size_bytes += max(size, 0)
        self.newest = max(self.newest, mtime_ns / 1e9)
        if len(self.runs) < MOST_RUNS:
            self.runs.add(path.rpartition("/")[0] or ".")


def look(uri: str, document: Mapping[str, Any], secs: float) -> dict[str, Any]:
    """Counts for at most so many seconds."""
    tally = Tally()
    worker = threading.Thread(target=_count, args=(uri, document, tally), daemon=True)
    worker.start()
    worker.join(secs)
    return _told(tally)


def _count(uri: str, document: Mapping[str, Any], tally: Tally) -> None:
    from lightboard.storage import faults, settings

    try:
        found = settings.from_document(document)
        location = storage.parse(uri)
        local = location.service is storage.Service.FILE
        if local or re.search(r"[*?\[]", location.key):
            _count_files(location.key if local else uri, found, tally)
        else:
            _count_objects(location, found, tally)
    except faults.StorageError as error:
        tally.problem = error.explanation
    except errors.LightboardError as error:
        tally.problem = error.explanation()
    except OSError as error:
        tally.problem = errors.Explanation((error.strerror or str(error)).lower(), code=_local_code(error.errno))
    tally.done = True


def _count_files(root: str, found: storage.Settings, tally: Tally) -> None:
    """Directories of this machine, and patterns: listed as a board would list them."""
    from lightboard.logdir import discovery, filesystems, spec

    wanted = spec.parse_spec(root, is_spec=False, links=types.Links.INSIDE)
    if not any(sign in root for sign in "*?[") and not os.path.lexists(root):
        tally.missing = True
        return
    listed = discovery.discover(wanted, filesystems.FileSystems(settings=found))
    for key, row in zip(listed.keys, listed.identities, strict=True):
        if sources.is_event_file(key):
            tally.add(key, int(row["size"]), int(row["mtime_ns"]))
    tally.objects = len(listed.keys)
    if not tally.objects:
        tally.problem = next((_of_notice(each) for each in listed.notices if each.reason in _UNLISTED), None)


def _of_notice(notice: types.Fault) -> errors.Explanation:
    """Why a root could not be listed; remarks about what it lacks are none."""
    because = notice.parameters.get("because")
    if isinstance(because, errors.Explanation):
        return because
    denied = "permission" in notice.detail.lower()
    return errors.Explanation(notice.detail, code="storage.denied" if denied else "storage.other")


def _count_objects(location: storage.Location, found: storage.Settings, tally: Tally) -> None:
    connection = storage.Connections(found).of(location)
    cut = len(location.key) + 1 if location.key else 0
    for page in connection.list(location.key):
        tally.objects += len(page)
        for each in page:
            if sources.is_event_file(each.key):
                tally.add(each.key[cut:], each.size, each.mtime_ns)
    tally.missing = not tally.objects and not tally.problem


def _local_code(number: int | None) -> str:
    return {errno.EACCES: "storage.denied", errno.EPERM: "storage.denied", errno.ENOENT: "storage.no_directory"}.get(
        number or 0, "storage.other"
    )


def _told(tally: Tally) -> dict[str, Any]:
    runs = sorted(tally.runs, key=_natural)
    told: dict[str, Any] = {
        "ok": True, "code": "", "message": "", "hint": "", "runs": len(runs), "files": tally.files,
        "objects": tally.objects, "bytes": tally.size_bytes, "newest": tally.newest or None, "more": not tally.done,
        "names": runs[:NAMES],
    }  # fmt: skip
    problem = tally.problem
    if problem is not None:
        return {
            **told, "ok": False, "code": code_of(problem), "message": problem.message, "hint": problem.hint,
        }  # fmt: skip
    return {**told, **_remark(tally)}


def code_of(problem: errors.Explanation) -> str:
    """The code of the REST API."""
    if problem.code in _DENIED:
        return "AccessDenied"
    if problem.code in _ABSENT:
        return "PathNotFound"
    if problem.code in _UNREACHED:
        return "Unreachable"
    return "NetworkRefused" if problem.code == _INSIDE else "SourceUnreadable"


def _remark(tally: Tally) -> dict[str, Any]:
    """Warnings: a board can be made of it, and shows what comes later."""
    if tally.missing:
        return {
            "code": "PathNotFound", "message": "nothing is there yet",
            "hint": "check the path: upper and lower case differ; a board waits for its logs",
        }  # fmt: skip
    if not tally.done and not tally.objects:
        return {
            "code": "TimedOut", "message": "it could not be listed in time",
            "hint": "a board can be created; it lists as long as it takes",
        }  # fmt: skip
    if not tally.files and tally.done:
        return {
            "code": "NoEventFiles", "message": "there are no event files yet",
            "hint": "event files have `tfevents` in their names; is this the right path?",
        }  # fmt: skip
    return {}


def _natural(name: str) -> list[tuple[int, int, str]]:
    return [(0, int(part[:18]), "") if part.isdecimal() else (1, 0, part) for part in re.split(r"(\d+)", name)]


def main() -> None:
    asked = json.load(sys.stdin.buffer)
    told = look(asked["uri"], asked["storage"], float(asked["secs"]))
    sys.stdout.write(json.dumps(told))
    sys.stdout.flush()
    os._exit(0)  # requests under way are not awaited


if __name__ == "__main__":
    main()
