"""What has happened to the event files since the store last heard of them.

A file is the one that was read as long as its inode is the same and the checksum of the last record read still stands
where it stood: an append changes size and time, a rewrite in place changes the bytes before the place to go on from.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from lightboard import store
from lightboard.logdir import discovery
from lightboard.logdir.filesystems import local


@dataclasses.dataclass(frozen=True)
class Changes:
    """Positions count in what was found, rows in the store's file table."""

    new: NDArray[np.int64]  # positions of files the store does not have, or has in another shape
    grown: NDArray[np.int64]  # rows to read on
    touched: NDArray[np.int64]  # rows whose identity changed but not their content; `touched_at`: their positions
    touched_at: NDArray[np.int64]
    gone: NDArray[np.int64]  # rows of files that are no more, or no more the same

    def __bool__(self) -> bool:
        return bool(len(self.new) or len(self.grown) or len(self.touched) or len(self.gone))


def compare(known: store.Store, rows_of: Mapping[str, int], found: discovery.Found, *, whole: bool) -> Changes:
    """`rows_of`: the row of each key the store has. `whole`: everything was looked at, what was not found is gone."""
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
            # Not found, but not gone either: a mount that does not answer must not empty the board.
            hidden = {row for key, row in rows_of.items() if key.startswith(found.unreadable)}
            gone = gone[[row not in hidden for row in gone.tolist()]]
    identities = found.identities[there]
    same = np.ones(len(there), np.bool_)
    for name in local.IDENTITY.names or ():
        same &= stored[name] == identities[name]
    changed = np.nonzero(~same)[0]
    verdicts = np.array([_judge(known, rows[there[at]], stored[at], identities[at]) for at in changed.tolist()], "U1")
    replaced = there[changed[verdicts == "r"]]
    touched = there[changed[verdicts == "t"]]
    return Changes(
        np.sort(np.concatenate([np.nonzero(rows < 0)[0], replaced])),
        rows[there[changed[verdicts == "g"]]],
        rows[touched],
        touched,
        np.concatenate([gone, rows[replaced]]),
    )


def _judge(known: store.Store, row: int, stored: np.void, identity: np.void) -> str:
    """One letter: touched, grown, replaced."""
    size, offset = int(identity["size"]), int(stored["offset"])
    if stored["inode"] != identity["inode"]:
        return "r"
    same_bytes = stored["size"] == identity["size"] and stored["mtime_ns"] == identity["mtime_ns"]
    if same_bytes:
        return "t"  # only the device's number is another: mounted again
    if size < offset:
        return "r"
    if offset and not tail_holds(known.paths[row], offset, int(stored["tail_crc"])):
        return "r"
    return "t" if size == offset else "g"


def tail_holds(path: str, offset: int, tail_crc: int) -> bool:
    """Whether the last record read still ends at `offset`. When that cannot be told: yes, the scan will see."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError:
        return True
    try:
        return os.pread(fd, 4, offset - 4) == tail_crc.to_bytes(4, "little")
    except OSError:
        return True
    finally:
        os.close(fd)
