"""Listings of storage with keys instead of directories: object stores, and others that return all files at once."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from lightboard import sources
from lightboard.logdir import filesystems


class Object(NamedTuple):
    """One file below a place: its path relative to it, and its identity."""

    path: str
    version: int
    size: int
    mtime_ns: int


def listing(base: str, found: Iterable[Object], search: filesystems.Search) -> filesystems.Listing:
    """Returns a listing of those files that the search wants."""
    wanted: list[list[Object]] = [[] for _ in sources.patterns(search.rules)]
    for each in sorted(found):
        event = sources.is_event_file(each.path)
        number = 0 if event else sources.rule_of(each.path, search.rules) + 1
        if (event or number) and not _excluded(each.path, search.exclude):
            wanted[number].append(each)
    events, *beside = map(_files, wanted)
    return filesystems.Listing(base, *events, [], [], tuple(beside))


def is_wanted(path: str, search: filesystems.Search) -> bool:
    wanted = sources.is_event_file(path) or sources.rule_of(path, search.rules) >= 0
    return wanted and not _excluded(path, search.exclude)


def _files(found: Sequence[Object]) -> filesystems.Files:
    rows = np.array([(each.version, each.size, each.mtime_ns) for each in found], filesystems.IDENTITY)
    return filesystems.Files([each.path for each in found], rows)


def _excluded(path: str, patterns: Sequence[str]) -> bool:
    parts = path.split("/")[:-1]
    above = ["/".join(parts[:depth]) for depth in range(1, len(parts) + 1)]
    return any(fnmatch.fnmatchcase(directory, pattern) for directory in above for pattern in patterns)
