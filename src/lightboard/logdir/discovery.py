"""Finds all event files: lists every root, makes keys, applies patterns.

A file's *key* is the prefix of its root and its path below it, `name/run/events.out.tfevents.1`. Keys are unique, and
the directory part of a key is the run's name; `.` if there is none.
"""

from __future__ import annotations

import dataclasses
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from lightboard import errors, sources, types
from lightboard.logdir import filesystems, listers, spec
from lightboard.logdir.filesystems import local

FirstListing = tuple[str, Callable[[], local.Walked]]
"""A walk started before NumPy was imported: the path of a root, and a function that waits for the result."""


@dataclasses.dataclass(frozen=True)
class Stretch:
    """Keys `start` to `stop` were found in one place."""

    start: int
    stop: int
    prefix: str
    base: str
    rule: int = -1  # rule that found them; -1: event files


class Beside:
    """Files of one rule in one place; immutable."""

    def __init__(self, rule: int, prefix: str, base: str, paths: list[str], identities: NDArray[np.void]) -> None:
        self.rule = rule
        self.prefix = prefix
        self.base = base
        self.paths = paths
        self.identities = identities  # filesystems.IDENTITY

    def same(self, other: Beside) -> bool:
        where = (self.rule, self.prefix, self.base) == (other.rule, other.prefix, other.base)
        return where and self.paths == other.paths and bool((self.identities == other.identities).all())


@dataclasses.dataclass(frozen=True)
class Found:
    """`keys` are those of event files, and of other files that a scan turns into columns."""

    keys: list[str]
    identities: NDArray[np.void]  # filesystems.IDENTITY
    stretches: list[Stretch]
    directories: list[tuple[str, str, list[str]]]  # (base, prefix, paths below the base): see `watched`
    notices: tuple[types.Fault, ...]
    unreadable: tuple[str, ...] = ()  # prefixes of keys below directories that exist but could not be listed
    beside: list[Beside] = dataclasses.field(default_factory=list)  # files that are no event files

    def watched(self) -> Iterator[tuple[str, str]]:
        """Yields every directory that the kernel can watch: its path, and the prefix of the keys of files in it."""
        for base, prefix, names in self.directories:
            for name in names:
                yield (f"{base}/{name}", f"{prefix}{name}/") if name else (base, prefix)

    def paths(self, rows: NDArray[np.int64]) -> list[str]:
        """Returns the addresses of some of the keys; `rows` must be ascending."""
        paths: list[str] = []
        for stretch in self.stretches:
            low, high = np.searchsorted(rows, (stretch.start, stretch.stop))
            base, below = stretch.base, len(stretch.prefix)
            paths += [f"{base}/{self.keys[row][below:]}" for row in rows[low:high].tolist()]
        return paths

    def rules(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Returns the rule that found each of these, -1: an event file; `rows` must be ascending."""
        numbers = np.full(len(rows), -1, np.int64)
        for stretch in self.stretches:
            low, high = np.searchsorted(rows, (stretch.start, stretch.stop))
            numbers[low:high] = stretch.rule
        return numbers


def run_of(key: str) -> str:
    return key.rpartition("/")[0] or "."


def runs_of(keys: list[str]) -> list[str]:
    """Returns `run_of` of each key, without a call per key."""
    return [key.rpartition("/")[0] or "." for key in keys]


def key_of(run: str, path: str) -> str:
    """Returns the key of a file that is in the store already."""
    name = path.rpartition("/")[2]
    return name if run == "." else f"{run}/{name}"


def discover(
    wanted: spec.LogdirSpec,
    systems: filesystems.FileSystems,
    *,
    threads: int = 0,
    first_listing: FirstListing | None = None,
    rules: tuple[sources.Rule, ...] = sources.RULES,
    known: dict[str, filesystems.Listing] | None = None,
    progress: Callable[[int], None] = lambda count: None,
    aside: listers.Listers | None = None,
) -> Found:
    """Lists everything below every root; uses the result of `first_listing` for the root that it has walked, and those
    of `known`, by place, for roots that need not be listed again. New listings are added to `known`. Of several roots,
    those elsewhere are listed side by side by `aside`, while this thread walks the local ones."""
    _expand_aside(wanted, systems)
    homes = tuple(spec.homes(wanted, systems))
    search = filesystems.Search(rules, wanted.exclude, wanted.links, homes, threads, progress)
    places = spec.places(wanted, systems)
    known = {} if known is None else known
    elsewhere = [
        place.path
        for place in places
        if len(places) > 1 and place.path not in known and not systems.of(place.path).grows_in_place
    ]
    aside = aside or listers.Listers()
    aside.start(elsewhere, systems, search)
    own: dict[str, filesystems.Listing] = {}
    for place in places:
        if first_listing is not None and first_listing[0] == place.path:
            own[place.path] = local.listed(place.path, first_listing[1]())
        elif place.path not in known and place.path not in elsewhere:
            own[place.path] = systems.of(place.path).discover(place.path, search)
    own |= aside.listed(elsewhere, progress)
    for path, listing in own.items():
        if not listing.errors and not listing.late and not systems.of(path).grows_in_place:
            known[path] = listing
    return _assemble(wanted, systems, [(place, own.get(place.path) or known[place.path]) for place in places], rules)


def _expand_aside(wanted: spec.LogdirSpec, systems: filesystems.FileSystems) -> None:
    """Patterns elsewhere are listed to be expanded: at the same time, and then known to the file system."""
    paths = [root.path for root in wanted.roots if not systems.of(root.path).grows_in_place]
    patterns = [path for path in paths if re.search(r"[*?\[]", path)]
    if len(patterns) < 2:
        return
    threads = [threading.Thread(target=systems.of(path).expand, args=(path,), daemon=True) for path in patterns]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def discover_below(
    wanted: spec.LogdirSpec,
    systems: filesystems.FileSystems,
    directories: Mapping[str, str],
    rules: tuple[sources.Rule, ...] = sources.RULES,
) -> Found:
    """Lists only directories that appeared inside a root: path → prefix of keys."""
    places = [
        spec.Place(path, prefix)
        for path, prefix in directories.items()
        if wanted.enters(prefix) and spec.follows(wanted, path, systems)
    ]
    search = filesystems.Search(rules, links=wanted.links, homes=tuple(spec.homes(wanted, systems)), threads=1)
    return _assemble(
        wanted, systems, [(place, systems.of(place.path).discover(place.path, search)) for place in places], rules
    )


def _assemble(
    wanted: spec.LogdirSpec,
    systems: filesystems.FileSystems,
    listings: list[tuple[spec.Place, filesystems.Listing]],
    rules: Sequence[sources.Rule],
) -> Found:
    keys: list[str] = []
    identities: list[NDArray[np.void]] = []
    stretches: list[Stretch] = []
    directories: list[tuple[str, str, list[str]]] = []
    notices: list[types.Fault] = []
    unreadable: list[str] = []
    beside: list[Beside] = []
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
        for number, files in enumerate(listing.beside):
            if files.paths:
                beside.append(Beside(number, prefix, listing.base, *files))
        if listing.remark is not None:
            notices.append(_remark(place, listing.remark))
        if listing.late:
            unreadable.append(prefix)
        for trouble in listing.errors:
            notices.append(_notice(place, listing.base, trouble))
            if not trouble.vanished:
                unreadable.append(f"{prefix}{trouble.path}/" if trouble.path else prefix)
    for found in (each for each in beside if rules[each.rule].scan):
        chosen = _scanned(wanted, systems, found, rules[found.rule])
        stretches.append(Stretch(len(keys), len(keys) + len(chosen), found.prefix, found.base, found.rule))
        keys = keys + [found.prefix + found.paths[at] for at in chosen]
        identities.append(found.identities[chosen])
    return Found(
        keys, np.concatenate(identities) if identities else np.zeros(0, filesystems.IDENTITY), stretches, directories,
        tuple(notices),
        tuple(unreadable),
        beside,
    )  # fmt: skip


def _kept(wanted: spec.LogdirSpec, keys: list[str], seen: set[str] | None) -> list[int] | None:
    """Returns indices of keys to keep, None for all: not those that a pattern excludes or an earlier root has."""
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


def _scanned(wanted: spec.LogdirSpec, systems: filesystems.FileSystems, found: Beside, rule: sources.Rule) -> list[int]:
    """Returns the files for a scan that are shown: only those whose resolved path is below a root."""
    known: dict[str, str] = {}
    homes = spec.homes(wanted, systems)
    return [
        at
        for at, path in enumerate(found.paths)
        if wanted.shows(rule.run_of(found.prefix + path))
        and spec.home_of(systems.of(found.base).resolve(f"{found.base}/{path}", known), homes) is not None
    ]


def _remark(place: spec.Place, because: errors.Explanation) -> types.Fault:
    detail = f"{because.message}; {because.hint}" if because.hint else because.message
    return types.Fault(place.path, 0, "empty", detail, "logdir.empty", {"because": because})


def _notice(place: spec.Place, base: str, trouble: filesystems.Trouble) -> types.Fault:
    path, reason, _, because = trouble
    if because is not None:
        hint = f"; {because.hint}" if because.hint else ""
        detail = f"the logs cannot be read: {because.message}{hint}"
        return types.Fault(place.path, 0, "storage", detail, "logdir.storage", {"because": because})
    if not path:
        detail = f"the log directory cannot be read: {reason}; it is checked again"
        return types.Fault(place.path, 0, "missing", detail, "logdir.unreadable", {"reason": reason})
    return types.Fault(f"{base}/{path}", 0, "unreadable", f"not shown: {reason}", "path.unreadable", {"reason": reason})
