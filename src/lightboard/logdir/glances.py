"""Finds new directories without a walk: checks only directories that contain other directories.

A walk over 100,000 runs takes a second of a core, so it runs once in some minutes. Runs mostly appear beside other
runs, in few directories, and the modification time of a directory changes when something is created in it: checking
the times of those few is fast.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import numpy as np

from lightboard.logdir import discovery

# Margin for the time between the start of a walk and its timestamp, and for coarse clocks of file systems.
SLACK_NS = 10_000_000_000


class Glance:
    """State: the result of one walk. `_times` are the modification times of the parents at the last check."""

    def __init__(self, found: discovery.Found, began_ns: int) -> None:
        self._found = found
        self._since_ns = began_ns - SLACK_NS
        self._times: dict[str, int] = {}
        self.parents = dict(_parents(found))  # path → prefix of keys

    def appeared(self) -> dict[str, str]:
        """Returns directories in parents that changed since the walk, or since the last call: path → prefix of keys."""
        changed = [(path, prefix) for path, prefix in self.parents.items() if self._has_changed(path)]
        if not changed:
            return {}
        known = {path for path, _ in self._found.watched()}
        return {
            f"{path}/{name}": f"{prefix}{name}/"
            for path, prefix in changed
            for name in _directories(path)
            if f"{path}/{name}" not in known
        }

    def others(self) -> list[tuple[str, str]]:
        """Returns directories without subdirectories, those with the newest event files first: runs that still grow."""
        newest: dict[str, int] = {}
        for key, time in zip(self._found.keys, self._found.identities["mtime_ns"].tolist(), strict=True):
            prefix = key[: key.rfind("/") + 1]
            newest[prefix] = max(time, newest.get(prefix, 0))
        rest = [(path, prefix) for path, prefix in self._found.watched() if path not in self.parents]
        order = np.argsort([-newest.get(prefix, 0) for _, prefix in rest], kind="stable")
        return [rest[at] for at in order.tolist()]

    def _has_changed(self, path: str) -> bool:
        try:
            time = os.stat(path).st_mtime_ns
        except OSError:
            return False
        before = self._times.get(path)
        self._times[path] = time
        return time >= self._since_ns if before is None else time != before


def _parents(found: discovery.Found) -> Iterator[tuple[str, str]]:
    for base, prefix, names in found.directories:
        if "" in names:
            yield base, prefix
        for name in sorted({name.rpartition("/")[0] for name in names} - {""}):
            yield f"{base}/{name}", f"{prefix}{name}/"


def _directories(path: str) -> list[str]:
    try:
        with os.scandir(path) as entries:
            return [entry.name for entry in entries if _is_directory(entry)]
    except OSError:
        return []


def _is_directory(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False
