"""Count the files below each root by their paths."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lightboard import store as store_


class _RootNumbers:
    """State: for each file row the number of its root, -1 if it has none, for the paths processed so far. Changed under
    the store's lock; the numbers are reset if the list of roots differs."""

    def __init__(self) -> None:
        self.roots: tuple[str, ...] = ()
        self.numbers = np.zeros(0, np.int64)


def counted(store: store_.Store, roots: Sequence[str]) -> list[tuple[int, int]]:
    """Return the number of existing files and their bytes for each root. A pattern contains the paths that begin with
    its fixed part."""
    with store.lock:
        root = _root_numbers(store, tuple(roots))
        files = store.files_table.rows
        alive = (files["alive"] == 1) & (root >= 0)
        numbers = np.bincount(root[alive], minlength=len(roots))
        sizes = np.bincount(root[alive], files["size"][alive], minlength=len(roots))
        return [(int(number), int(size)) for number, size in zip(numbers, sizes, strict=True)]


def _root_numbers(store: store_.Store, roots: tuple[str, ...]) -> NDArray[np.int64]:
    count = len(store.files_table)
    if len(roots) <= 1:
        return np.full(count, len(roots) - 1, np.int64)
    cached = store.cache.state(_RootNumbers)
    if cached.roots != roots:
        cached.roots, cached.numbers = roots, np.zeros(0, np.int64)
    if len(cached.numbers) < count:
        # The longest first: a root may be inside another.
        beginnings = sorted(((_beginning(root), number) for number, root in enumerate(roots)), key=_longest)
        fresh = [_root_number(store.paths[row], beginnings) for row in range(len(cached.numbers), count)]
        cached.numbers = np.concatenate([cached.numbers, np.array(fresh, np.int64)])
    return cached.numbers


def _longest(pair: tuple[str, int]) -> int:
    return -len(pair[0])


def _beginning(root: str) -> str:
    marks = [root.index(mark) for mark in "*?[" if mark in root]
    return root[: min(marks)] if marks else root.rstrip("/")


def _root_number(path: str, beginnings: Sequence[tuple[str, int]]) -> int:
    return next((number for beginning, number in beginnings if path.startswith(beginning)), -1)
