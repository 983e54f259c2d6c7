"""Look up rows by key, many at once: 500,000 series are two sorted arrays, not a dictionary of Python integers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

# Up to this many recent keys are in a dictionary before they are merged into the sorted arrays.
RECENT = 4096


class Keys:
    """Rows by 64-bit key. Rows are numbered in the order their keys were added."""

    def __init__(self, keys: NDArray[np.int64] | None = None) -> None:
        self._sorted = np.zeros(0, np.int64)
        self._rows = np.zeros(0, np.int64)
        self._recent: dict[int, int] = {}
        self._count = 0
        if keys is not None:
            self.add(keys)

    def add(self, keys: NDArray[np.int64]) -> None:
        """Add keys that are not present yet, each once."""
        rows = np.arange(self._count, self._count + len(keys), dtype=np.int64)
        self._count += len(keys)
        if len(self._recent) + len(keys) <= RECENT:
            self._recent.update(zip(keys.tolist(), rows.tolist(), strict=True))
            return
        recent = np.fromiter(self._recent.keys(), np.int64, len(self._recent))
        recent_rows = np.fromiter(self._recent.values(), np.int64, len(self._recent))
        every, every_row = np.concatenate([self._sorted, recent, keys]), np.concatenate([self._rows, recent_rows, rows])
        order = np.argsort(every, kind="stable")
        self._sorted, self._rows, self._recent = every[order], every_row[order], {}

    def rows(self, keys: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the row of each key, -1 if there is none."""
        found = np.full(len(keys), -1, np.int64)
        if len(self._sorted):
            at = np.minimum(np.searchsorted(self._sorted, keys), len(self._sorted) - 1)
            there = self._sorted[at] == keys
            found[there] = self._rows[at[there]]
        if self._recent:
            for position in np.nonzero(found < 0)[0].tolist():
                found[position] = self._recent.get(int(keys[position]), -1)
        return found

    def row(self, key: int) -> int | None:
        row = self._recent.get(key)
        if row is None and len(self._sorted):
            at = int(np.searchsorted(self._sorted, key))
            if at < len(self._sorted) and self._sorted[at] == key:
                row = int(self._rows[at])
        return row
