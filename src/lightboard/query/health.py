"""Problems of files, described so that the user can fix them."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from lightboard import errors, types
from lightboard import store as store_


@dataclasses.dataclass(frozen=True)
class FileFault:
    offset: int
    reason: str  # one word
    detail: str  # a sentence
    code: str  # of the sentence; "" if it was recorded without one
    parameters: dict[str, Any]


@dataclasses.dataclass(frozen=True)
class SickFile:
    path: str  # relative to the root it was found below
    run: str
    records: int  # read whole
    bad_records: int  # all of them; `faults` keeps the first hundred
    faults: list[FileFault]


@dataclasses.dataclass(frozen=True)
class Health:
    version: int
    files: list[SickFile]
    notices: list[errors.Explanation]


def health(store: store_.Store, *, roots: Sequence[str] = (), notices: Sequence[errors.Explanation] = ()) -> Health:
    with store.lock:
        table = store.files_table.rows
        files = [
            SickFile(
                relative(store.paths[file], roots),
                store.run_names[int(table["run"][file])],
                int(table["records"][file]),
                int(table["bad_records"][file]),
                [file_fault(fault) for fault in faults],
            )
            for file, faults in sorted(store.faults.items())
            if faults
        ]
        reported = [_notice(notice, relative(notice.path, roots)) for notice in store.notices]
        return Health(store.version, files, [*notices, *reported])


def file_fault(fault: types.Fault) -> FileFault:
    return FileFault(fault.offset, fault.reason, fault.detail, fault.code, fault.parameters)


def _notice(notice: types.Fault, path: str) -> errors.Explanation:
    parameters = {**notice.parameters, "path": path}
    return errors.Explanation(f"{notice.detail}: {path}", code=notice.code, parameters=parameters)


def relative(path: str, roots: Sequence[str]) -> str:
    """Return the path below the longest root that contains it; if none does, only its last two parts, to reveal no
    more. An address that is itself a root stays whole: its parts say little without the store."""
    if "://" in path and path in roots:
        return path
    for root in sorted(roots, key=len, reverse=True):
        if path.startswith(root.rstrip("/") + "/"):
            return path[len(root.rstrip("/")) + 1 :]
    return "/".join(path.split("/")[-2:])
