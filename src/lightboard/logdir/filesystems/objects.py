"""Listings of what has keys instead of directories: object stores, and anything else that tells all files at once."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from lightboard.logdir import filesystems

_COMPANIONS = ("projector_config.pbtxt", "hparams.yaml")


class Object(NamedTuple):
    """One file below a place: its path relative to it, and its identity."""

    path: str
    version: int
    size: int
    mtime_ns: int


def listing(base: str, found: Iterable[Object], search: filesystems.Search) -> filesystems.Listing:
    """What of all that was found is ours."""
    ours = sorted(each for each in found if _name(each.path) in _COMPANIONS or "tfevents" in _name(each.path))
    shown = [each for each in ours if not _excluded(each.path, search.exclude)]
    events = [each for each in shown if "tfevents" in _name(each.path)]
    rows = np.array([(each.version, each.size, each.mtime_ns) for each in events], filesystems.IDENTITY)
    beside = [each.path for each in shown if "tfevents" not in _name(each.path)]
    return filesystems.Listing(base, [each.path for each in events], rows, [], [], beside)


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _excluded(path: str, patterns: Sequence[str]) -> bool:
    parts = path.split("/")[:-1]
    above = ["/".join(parts[:depth]) for depth in range(1, len(parts) + 1)]
    return any(fnmatch.fnmatchcase(directory, pattern) for directory in above for pattern in patterns)
