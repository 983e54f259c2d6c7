"""What event files there are now: every root listed, names made, patterns applied.

A file's *key* is the prefix of its root and its path below it, `name/run/events.out.tfevents.1`. Keys are unique, and
the directory part of a key is the run's name; `.` where there is none.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from lightboard import types
from lightboard.logdir import filesystems, spec
from lightboard.logdir.filesystems import local

FirstListing = tuple[str, Callable[[], local.Walked]]
"""A walk begun before NumPy was imported: the path of a root, and a function that waits for the result."""


@dataclasses.dataclass(frozen=True)
class Stretch:
    """Keys `start` to `stop` of what was found come from one place."""

    start: int
    stop: int
    prefix: str
    base: str

    def path(self, key: str) -> str:
        return f"{self.base}/{key[len(self.prefix) :]}"


@dataclasses.dataclass(frozen=True)
class Found:
    keys: list[str]
    identities: NDArray[np.void]  # filesystems.IDENTITY
    stretches: list[Stretch]
    directories: list[tuple[str, str, list[str]]]  # (base, prefix, paths below the base): see `watched`
    notices: tuple[types.Fault, ...]
    unreadable: tuple[str, ...] = ()  # prefixes of keys below directories that are there but could not be listed
    companions: dict[str, str] = dataclasses.field(default_factory=dict)  # key → address

    def watched(self) -> Iterator[tuple[str, str]]:
        """Every directory that the kernel can watch: its path, and the prefix of the keys of files in it."""
        for base, prefix, names in self.directories:
            for name in names:
                yield (f"{base}/{name}", f"{prefix}{name}/") if name else (base, prefix)

    def paths(self, rows: NDArray[np.int64]) -> list[str]:
        """Addresses of some of the keys; `rows` ascend."""
        paths: list[str] = []
        for stretch in self.stretches:
            low, high = np.searchsorted(rows, (stretch.start, stretch.stop))
            paths += [stretch.path(self.keys[row]) for row in rows[low:high].tolist()]
        return paths


def run_of(key: str) -> str:
    return key.rpartition("/")[0] or "."


def key_of(run: str, path: str) -> str:
    """The key of a file that is in the store already."""
    name = path.rpartition("/")[2]
    return name if run == "." else f"{run}/{name}"


def discover(
    wanted: spec.LogdirSpec,
    systems: filesystems.FileSystems,
    *,
    threads: int = 0,
    first_listing: FirstListing | None = None,
) -> Found:
    """Everything below every root; a root that `first_listing` has walked is not walked again."""
    homes = tuple(spec.homes(wanted, systems))
    search = filesystems.Search(wanted.exclude, wanted.links, homes, threads)
    listings = []
    for place in spec.places(wanted, systems):
        if first_listing is not None and first_listing[0] == place.path:
            listing = local.listed(place.path, first_listing[1]())
        else:
            listing = systems.of(place.path).discover(place.path, search)
        listings.append((place, listing))
    return _assemble(wanted, listings)


def discover_below(wanted: spec.LogdirSpec, systems: filesystems.FileSystems, directories: Mapping[str, str]) -> Found:
    """Only what lies in directories that appeared inside a root: path → prefix of keys."""
    places = [
        spec.Place(path, prefix)
        for path, prefix in directories.items()
        if wanted.enters(prefix) and spec.follows(wanted, path, systems)
    ]
    search = filesystems.Search(links=wanted.links, homes=tuple(spec.homes(wanted, systems)), threads=1)
    return _assemble(wanted, [(place, systems.of(place.path).discover(place.path, search)) for place in places])


def _assemble(wanted: spec.LogdirSpec, listings: list[tuple[spec.Place, filesystems.Listing]]) -> Found:
    keys: list[str] = []
    identities: list[NDArray[np.void]] = []
    stretches: list[Stretch] = []
    directories: list[tuple[str, str, list[str]]] = []
    notices: list[types.Fault] = []
    unreadable: list[str] = []
    companions: dict[str, str] = {}
    seen: set[str] = set()
    for place, listing in listings:
        prefix = place.prefix
        mine = [prefix + path for path in listing.files] if prefix else listing.files
        kept = _kept(wanted, mine, seen if len(listings) > 1 else None)
        rows = listing.identities
        if kept is not None:
            mine, rows = [mine[row] for row in kept], rows[kept]
        stretches.append(Stretch(len(keys), len(keys) + len(mine), prefix, listing.base))
        keys = keys + mine if keys else mine
        identities.append(rows)
        directories.append((listing.base, prefix, listing.directories))
        for path in listing.companions:
            companions.setdefault(prefix + path, f"{listing.base}/{path}")
        for path, reason, vanished in listing.errors:
            notices.append(_notice(place, listing.base, path, reason))
            if not vanished:
                unreadable.append(f"{prefix}{path}/" if path else prefix)
    return Found(
        keys, np.concatenate(identities) if identities else np.zeros(0, filesystems.IDENTITY), stretches, directories,
        tuple(notices),
        tuple(unreadable),
        companions,
    )  # fmt: skip


def _kept(wanted: spec.LogdirSpec, keys: list[str], seen: set[str] | None) -> list[int] | None:
    """Which of the keys to keep, None for all: not those a pattern leaves out, nor one that an earlier root has."""
    kept: list[int] | None = None
    if wanted.include or wanted.exclude:
        shown: dict[str, bool] = {}
        kept = []
        for row, key in enumerate(keys):
            run = run_of(key)
            if run not in shown:
                shown[run] = wanted.shows(run)
            if shown[run]:
                kept.append(row)
    if seen is not None:
        if not seen.isdisjoint(keys):
            kept = [row for row in (range(len(keys)) if kept is None else kept) if keys[row] not in seen]
        seen.update(keys)
    return kept


def _notice(place: spec.Place, base: str, path: str, reason: str) -> types.Fault:
    if not path:
        return types.Fault(
            place.path, 0, "missing", f"the log directory cannot be read: {reason}; it is looked for again"
        )
    return types.Fault(f"{base}/{path}", 0, "unreadable", f"it is left out: {reason}")
