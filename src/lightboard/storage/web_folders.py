"""What is known of the directories and files of a web server, and when they are asked for again.

A directory is listed again, and a file is asked for again, if its row in the listing above has changed, if it changed
within the last minute, or else after a tenth of the time since it changed, at most ten minutes. A row with a time that
was complete when the file was asked for is enough by itself.
"""

from __future__ import annotations

import dataclasses
import functools
import time
from collections.abc import Mapping

from lightboard.storage import connections, faults, web_listings, web_paths

LIVELY_SECS = 60.0
MOST_SECS = 600.0
SHARE = 1 / 10


@dataclasses.dataclass
class File:
    """What the caller knows of a file. `age` is how long ago it had changed when it was checked."""

    entry: web_listings.Entry
    meta: connections.Meta
    age: float = 0.0
    checked: float = 0.0  # monotonic
    stale: bool = True  # it changed since

    def is_due(self, now: float) -> bool:
        if self.stale:
            return True
        if self.entry.exact:
            if (self.meta.size, self.meta.mtime_ns) == (self.entry.size, self.entry.mtime * 10**9):
                return False
        elif self.entry.timed and self.age > LIVELY_SECS:
            return False  # a change would show in the row
        return now - self.checked >= patience(self.age + now - self.checked)


@dataclasses.dataclass(kw_only=True)
class Folder:
    """One directory as it was listed. `changed`: when its rows were first seen to differ, None if never."""

    row: str
    entries: list[web_listings.Entry]
    listed: float
    first: float
    index: str = ""  # the index file that names everything below
    changed: float | None = None
    validators: Mapping[str, str] = dataclasses.field(default_factory=dict)
    date: int = -1  # the server's clock then
    trouble: faults.StorageError | None = None

    @functools.cached_property
    def signs(self) -> int:
        return hash(tuple((each.path, each.directory, each.row) for each in self.entries))

    @functools.cached_property
    def is_telling(self) -> bool:
        """Whether another directory with the same entries must be this one."""
        return any(each.timed or not each.directory for each in self.entries)


@dataclasses.dataclass
class Tree:
    """Everything below one prefix."""

    folders: dict[str, Folder] = dataclasses.field(default_factory=dict)
    keys: set[str] = dataclasses.field(default_factory=set)


@dataclasses.dataclass(frozen=True)
class Job:
    """A directory to list. `above` are the signs of those above it."""

    key: str
    row: str
    above: frozenset[int]


def below(key: str, folder: Folder, above: frozenset[int]) -> list[Job]:
    signs = above | {folder.signs} if folder.is_telling else above
    return [Job(web_paths.key_of(key, each.path), each.row, signs) for each in folder.entries if each.directory]


def refreshed(folder: Folder, known: Folder | None) -> Folder:
    if known is None:
        return folder
    changed = time.monotonic() if known.signs != folder.signs else known.changed
    return dataclasses.replace(folder, first=known.first, changed=changed)


def patience(age_secs: float) -> float:
    return 0.0 if age_secs < LIVELY_SECS else min(age_secs * SHARE, MOST_SECS)
