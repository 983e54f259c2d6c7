"""Gives each run a slot, which decides its color (see `colors`).

A run keeps its slot as long as the board runs, and the index keeps it for the next start. Runs that appear together get
theirs in the order in which they were created: by the time in the name of their first event file
(`events.out.tfevents.1700000000.host`), then as they were listed. So a board without an index gives the same slots
again, and a new run, which is created last, changes no other. Slots that the sidecar kept come first.

A slot is 12 * ring + position. A ring is filled before the next one begins; positions are chosen by `colors.choose`,
and in sequence when all colors are in use.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from lightboard import colors
from lightboard.store import row_types

_FULL = (1 << colors.RING) - 1
_MARK = "tfevents."
_TIME_DIGITS = 10  # seconds since 1970: ten digits from 2001 to 2286, so they sort as text


class Slots:
    """State: `_rings` has a bit mask of the positions in use for each ring; None: to be computed from the run table.
    `_first` is the first ring that may have a free position. The store's lock guards everything here."""

    def __init__(self) -> None:
        self._kept: Mapping[str, int] = {}
        self._rings: list[int] | None = None
        self._first = 0

    def give(
        self, table: row_types.Table, names: row_types.Strings, runs: NDArray[np.uint32], paths: Sequence[str]
    ) -> bool:
        """Give slots to the runs of new files that have none. Return whether there was one."""
        without = np.nonzero(table.rows["slot"][runs] == 0)[0]
        if not len(without):
            return False
        if len(without) < len(paths):
            paths = [paths[at] for at in without.tolist()]
        created = np.array([path.rpartition(_MARK)[2][:_TIME_DIGITS] for path in paths], f"U{_TIME_DIGITS}")
        fresh = runs[without]
        ordered = dict.fromkeys(fresh[np.lexsort((fresh, created))].tolist())
        self._give(table, names, list(ordered))
        return True

    def keep(self, table: row_types.Table, names: row_types.Strings, kept: Mapping[str, int]) -> NDArray[np.uint32]:
        """Use these slots from now on. A run whose slot another run has kept gets another one. Return changed runs."""
        self._kept = kept
        numbers = ((names.number(name), slot) for name, slot in kept.items())
        wanted = {row: slot for row, slot in numbers if row is not None}
        column = table.rows["slot"]
        moved = {row: slot for row, slot in wanted.items() if column[row] not in (0, slot + 1)}
        if not moved:
            return np.zeros(0, np.uint32)
        column = table.writable()["slot"]
        ousted = np.nonzero(np.isin(column, np.array([*moved.values()]) + 1))[0]
        again = [row for row in ousted.tolist() if row not in wanted]
        column[list(moved)] = np.array([*moved.values()]) + 1
        column[again] = 0
        self._rings = None
        self._give(table, names, again)
        return np.array([*moved, *again], np.uint32)

    def _give(self, table: row_types.Table, names: row_types.Strings, runs: list[int]) -> None:
        rings, called = self._rings_of(table), names.take(runs)
        slots = [self._kept.get(name, -1) for name in called] if self._kept else [-1] * len(runs)
        for slot in slots:
            if slot >= 0:
                ring, position = divmod(slot, colors.RING)
                rings += [0] * (ring + 1 - len(rings))
                rings[ring] |= 1 << position
        open_ = [at for at, slot in enumerate(slots) if slot < 0]
        for done, at in enumerate(open_):
            self._skip_full(rings)
            if self._first >= colors.RINGS and self._first == len(rings):  # colors repeat from here on
                for later, slot in zip(open_[done:], self._in_sequence(rings, len(open_) - done), strict=True):
                    slots[later] = slot
                break
            slots[at] = self._choose(rings, called[at])
        table.writable()["slot"][runs] = np.array(slots, np.int64) + 1

    def _skip_full(self, rings: list[int]) -> None:
        while self._first < len(rings) and rings[self._first] == _FULL:
            self._first += 1

    def _choose(self, rings: list[int], name: str) -> int:
        ring = self._first
        if ring == len(rings):
            rings.append(0)
        if ring < colors.RINGS:
            wish = zlib.crc32(name.encode("utf-8", "surrogatepass")) % colors.RING
            position = colors.choose(ring, rings[ring], wish)
        else:  # the lowest free one, so that runs that come one by one get the same as runs that come together
            position = (~rings[ring] & (rings[ring] + 1)).bit_length() - 1
        rings[ring] |= 1 << position
        return ring * colors.RING + position

    def _in_sequence(self, rings: list[int], count: int) -> range:
        """Return the next slots one after another: choosing them one by one takes 20 ms for 10,000 runs."""
        whole, rest = divmod(count, colors.RING)
        rings += [_FULL] * whole + ([(1 << rest) - 1] if rest else [])
        first = self._first * colors.RING
        self._first += whole
        return range(first, first + count)

    def _rings_of(self, table: row_types.Table) -> list[int]:
        if self._rings is None:
            rows = table.rows
            slots = rows["slot"][(rows["slot"] > 0) & (rows["files"] > 0)].astype(np.int64) - 1
            masks = np.zeros(int(slots.max(initial=-1)) // colors.RING + 1, np.int64)
            np.bitwise_or.at(masks, slots // colors.RING, 1 << (slots % colors.RING))
            self._rings, self._first = masks.tolist(), 0
        return self._rings
