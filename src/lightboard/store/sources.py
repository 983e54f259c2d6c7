"""Files that are not event files, as rows: kind, run, address, identity, and the version that last changed each.

The store has one `Sources` and guards it by its lock. Row numbers do not change while the store exists; the row of a
removed file is marked dead, and the next catalog leaves it out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lightboard import types
from lightboard.store import row_types


class Found(NamedTuple):
    """A file that the table does not have yet."""

    kind: str
    run: str
    key: str  # unique: see `logdir.discovery`
    address: str
    state: types.FileState


class Sources:
    def __init__(self) -> None:
        self.table = row_types.Table(row_types.SOURCE)
        self.kinds = row_types.Strings()
        self.runs = row_types.Strings()  # separate names: a run without event files is not a run of the store
        self.keys = row_types.Strings()  # by row
        self.addresses = row_types.Strings()  # by row

    def add(self, found: Sequence[Found], version: int) -> list[int]:
        """Add files and return their rows."""
        rows = np.zeros(len(found), row_types.SOURCE)
        rows["kind"] = self.kinds.intern_all(each.kind for each in found)
        rows["run"] = self.runs.intern_all(each.run for each in found)
        for name in ("size", "mtime_ns", "version"):
            rows[name] = [getattr(each.state, name) for each in found]
        rows["changed"], rows["alive"] = version, 1
        first = self.table.append(rows)
        self.keys.extend(each.key for each in found)
        self.addresses.extend(each.address for each in found)
        return list(range(first, first + len(found)))

    def change(self, rows: Sequence[int], states: Sequence[types.FileState], version: int) -> None:
        table, at = self.table.writable(), list(rows)
        for name in ("size", "mtime_ns", "version"):
            table[name][at] = [getattr(state, name) for state in states]
        table["changed"][at] = version

    def retire(self, rows: Sequence[int], version: int) -> None:
        table, at = self.table.writable(), list(rows)
        table["alive"][at], table["changed"][at] = 0, version

    def find(self, kind: str | None, run: str | None, since: int) -> list[types.Source]:
        """Return the files that exist, in the order they were found."""
        rows = self.table.rows
        mask = (rows["alive"] == 1) & (rows["changed"].astype(np.int64) > since)
        for name, strings, wanted in (("kind", self.kinds, kind), ("run", self.runs, run)):
            if wanted is not None:
                number = strings.number(wanted)
                mask &= rows[name] == number if number is not None else False
        return [self.row(at) for at in np.nonzero(mask)[0].tolist()]

    def count_runs(self) -> dict[str, int]:
        """Return the number of runs that have existing files of each kind."""
        rows = self.table.rows
        alive = rows[rows["alive"] == 1]
        return {
            self.kinds[kind]: len(row_types.distinct(alive["run"][alive["kind"] == kind]))
            for kind in row_types.distinct(alive["kind"]).tolist()
        }

    def row(self, at: int) -> types.Source:
        row = self.table.rows[at]
        state = types.FileState(int(row["size"]), int(row["mtime_ns"]), int(row["version"]))
        kind, run = self.kinds[int(row["kind"])], self.runs[int(row["run"])]
        return types.Source(kind, run, self.addresses[at], state, int(row["changed"]))

    def changed(self, kind: str) -> int:
        """Return the version at which a file of this kind was last added, changed or removed; 0: never."""
        number, rows = self.kinds.number(kind), self.table.rows
        if number is None:
            return 0
        return int(rows["changed"][rows["kind"] == number].max(initial=0))

    def states(self) -> dict[str, tuple[int, types.FileState]]:
        """Return row and identity of each file that exists, by key."""
        rows, alive = self.table.rows, self.alive()
        cells = zip(*(rows[name][alive].tolist() for name in ("size", "mtime_ns", "version")), strict=True)
        keys = list(self.keys)
        return {keys[at]: (at, types.FileState(*each)) for at, each in zip(alive.tolist(), cells, strict=True)}

    def alive(self) -> NDArray[np.int64]:
        return np.nonzero(self.table.rows["alive"])[0]
