"""Finds how the event files changed since the store last read them.

A file is the same as long as its version is the same and the checksum of the last record read is still at its offset:
an append changes size and time, a rewrite in place changes the bytes before the offset where reading continues. On
object stores every upload is another version; if such a file grew and the checksum matches, reading continues,
otherwise it is read again from the start.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from lightboard import store
from lightboard.logdir import discovery, filesystems


@dataclasses.dataclass(frozen=True)
class Changes:
    """Positions are indices into the found files, rows are those of the store's file table."""

    new: NDArray[np.int64]  # positions of files that are not in the store, or were replaced
    grown: NDArray[np.int64]  # rows to continue reading
    touched: NDArray[np.int64]  # rows whose identity is updated before reading; `touched_at`: their positions
    touched_at: NDArray[np.int64]
    gone: NDArray[np.int64]  # rows of files that were deleted or replaced
    # rows of objects that are longer now, and why it cannot be asked at the moment whether they still begin as before
    unsure: Mapping[int, OSError] = dataclasses.field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(len(self.new) or len(self.grown) or len(self.touched) or len(self.gone))


def compare(
    known: store.Store,
    rows_of: Mapping[str, int],
    found: discovery.Found,
    systems: filesystems.FileSystems,
    *,
    whole: bool,
) -> Changes:
    """`rows_of`: key → row in the store. `whole`: everything was listed, so files that were not found are deleted."""
    rows = np.fromiter((rows_of.get(key, -1) for key in found.keys), np.int64, len(found.keys))
    there = np.nonzero(rows >= 0)[0]
    with known.lock:
        files = known.files_table.rows
        stored, alive = files[rows[there]], files["alive"] == 1
    gone = np.zeros(0, np.int64)
    if whole:
        alive[rows[there]] = False
        gone = np.nonzero(alive)[0]
        if len(gone) and found.unreadable:
            # Files on a mount that does not respond are not found, but they must stay on the board.
            hidden = {row for key, row in rows_of.items() if key.startswith(found.unreadable)}
            gone = gone[[row not in hidden for row in gone.tolist()]]
    identities = found.identities[there]
    same = np.ones(len(there), np.bool_)
    for name in filesystems.IDENTITY.names or ():
        same &= stored[name] == identities[name]
    changed = np.nonzero(~same)[0]
    addresses = [known.paths[row] for row in rows[there[changed]].tolist()]
    judged, failed = _judge(addresses, stored[changed], identities[changed], systems)
    verdicts = np.array(judged, "U2")
    replaced = there[changed[verdicts == "r"]]
    grown = there[changed[(verdicts == "g") | (verdicts == "gt")]]
    touched = there[changed[(verdicts == "t") | (verdicts == "gt")]]
    return Changes(
        np.sort(np.concatenate([np.nonzero(rows < 0)[0], replaced])),
        rows[grown],
        rows[touched],
        touched,
        np.concatenate([gone, rows[replaced]]),
        {int(rows[there[changed[at]]]): error for at, error in failed.items()},
    )


def _judge(
    addresses: list[str], stored: NDArray[np.void], found: NDArray[np.void], systems: filesystems.FileSystems
) -> tuple[list[str], dict[int, OSError]]:
    """Returns a code per file: touched, grown, replaced; "gt" for one that grew and whose identity must be updated
    before reading continues, because its bytes are fetched by size and version; "" for one that cannot be judged, with
    the reason.
    """
    verdicts = [
        _at_a_glance(old, new, in_place=systems.of(address).grows_in_place)
        for address, old, new in zip(addresses, stored, found, strict=True)
    ]
    unsure = [at for at, verdict in enumerate(verdicts) if verdict.endswith("?")]
    ends = [(addresses[at], int(stored["offset"][at]), int(stored["tail_crc"][at])) for at in unsure]
    failed = {}
    for at, holds in zip(unsure, _tails_hold(ends, systems), strict=True):
        if isinstance(holds, OSError):
            verdicts[at], failed[at] = "", holds
        else:
            verdicts[at] = verdicts[at].rstrip("?") if holds else "r"
    return verdicts, failed


def _at_a_glance(old: np.void, new: np.void, *, in_place: bool) -> str:
    """The result from identities alone; with "?" it is valid only if the last record read still ends at its offset."""
    size, offset = int(new["size"]), int(old["offset"])
    check = "?" if offset else ""
    if old["version"] != new["version"]:
        if old["size"] == new["size"] and old["mtime_ns"] == new["mtime_ns"] and offset:
            return "t?"  # a disk that was mounted again gets another device number
        if in_place or size <= int(old["size"]):
            return "r"
    if size < offset:
        return "r"
    grown = "g" if in_place else "gt"
    return ("t" if size == offset else grown) + check


def _tails_hold(ends: list[tuple[str, int, int]], systems: filesystems.FileSystems) -> list[bool | OSError]:
    """Returns whether the last record read still ends there: (address, offset, its checksum) of each file. A local file
    that cannot be read holds: the scan cannot read it either, and reports that. A store may refuse one request and
    answer the next.
    """
    by_system: dict[int, tuple[filesystems.FileSystem, list[int]]] = {}
    for at, (address, _, _) in enumerate(ends):
        system = systems.of(address)
        by_system.setdefault(id(system), (system, []))[1].append(at)
    holds: list[bool | OSError] = [True] * len(ends)
    for system, places in by_system.values():
        ranges = [filesystems.Range(ends[at][0], ends[at][1] - 4, 4) for at in places]
        for at, read in zip(places, system.read_many(ranges), strict=True):
            if isinstance(read, OSError):
                holds[at] = system.grows_in_place or read
            else:
                holds[at] = read == ends[at][2].to_bytes(4, "little")
    return holds
