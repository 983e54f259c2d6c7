"""Keeps the companions in the store: reads them when found or changed, removes them when they are deleted.

People who write logs may replace a companion by a link. It is read only if the link ends below a log directory,
regardless of `--follow_links`, which is about runs and event files.
"""

from __future__ import annotations

import dataclasses
import errno
from collections.abc import Mapping, Sequence

from lightboard import sources, store, types
from lightboard.logdir import filesystems, spec

# Enough for 100,000 embeddings of one writer; a longer file is no config.
MAX_BYTES = 32 << 20

_OUTSIDE = "it lies outside the log directories, where only event files are read"

_Identity = tuple[str, types.FileState]  # address with links resolved, and state of the file there
_Found = tuple[int, str, types.FileState | None]
"""The number of the rule, the address, and the state if a listing has it."""


class Companions:
    """State: `_known` is the last commit to the store, by key. Only the follower's thread uses it."""

    def __init__(
        self,
        target: store.Store,
        wanted: spec.LogdirSpec,
        systems: filesystems.FileSystems,
        rules: Sequence[sources.Rule],
    ) -> None:
        self._target = target
        self._wanted = wanted
        self._systems = systems
        self._rules = rules
        self._known: dict[str, tuple[_Identity, types.Companion]] = {}

    def replace(self, found: Mapping[str, _Found], unreadable: Sequence[str] = ()) -> None:
        """`found` has all companions, by key. Those below a directory that cannot be listed now are kept."""
        kept = {
            key: each for key, each in self._known.items() if key.startswith(tuple(unreadable)) and key not in found
        }
        real = _RealPlaces(self._wanted, self._systems)
        fresh = {key: self._read(key, *each, real) for key, each in found.items()}
        self._tell(kept | {key: each for key, each in fresh.items() if each is not None})

    def add(self, found: Mapping[str, _Found]) -> None:
        """`found` has companions that may be new, changed or deleted."""
        if not found:
            return
        fresh, real = dict(self._known), _RealPlaces(self._wanted, self._systems)
        for key, (rule, path, state) in found.items():
            each = self._read(key, rule, path, state, real)
            if each is None:
                fresh.pop(key, None)
            else:
                fresh[key] = each
        self._tell(fresh)

    def _tell(self, fresh: dict[str, tuple[_Identity, types.Companion]]) -> None:
        if fresh != self._known:
            self._known = fresh
            self._target.set_companions(companion for _, companion in fresh.values())

    def notices(self) -> list[types.Fault]:
        """Returns one notice for all companions outside the log directories."""
        outside = [each for _, each in self._known.values() if each.problem == _OUTSIDE]
        if not outside:
            return []
        more = f" (and {len(outside) - 1} more)" if len(outside) > 1 else ""
        code, parameters = ("beside.outside", {}) if not more else ("beside.more_outside", {"more": len(outside) - 1})
        return [types.Fault(outside[0].path, 0, "outside", f"it is not read{more}: {_OUTSIDE}", code, parameters)]

    def _read(
        self, key: str, rule: int, path: str, state: types.FileState | None, real: _RealPlaces
    ) -> tuple[_Identity, types.Companion] | None:
        kind, run = self._rules[rule].kind, self._rules[rule].run_of(key)
        if not self._wanted.shows(run):
            return None
        system = self._systems.of(path)
        try:
            place, directory = real.of(path), real.of(path.rpartition("/")[0] or "/")
            identity = place, state or system.state(place)
            known = self._known.get(key)
            if known is not None and known[0] == identity:
                return known
            if not spec.follows(self._wanted, path, self._systems):
                return None
            if not real.inside(place) or not real.inside(directory):
                return identity, types.Companion(kind, run, path, b"", _OUTSIDE)
            found = types.Companion(kind, run, path, b"", directory=directory)
            if identity[1].size > MAX_BYTES:
                return identity, dataclasses.replace(found, problem=f"it has more than {MAX_BYTES} bytes")
            return identity, dataclasses.replace(found, content=system.read(place, 0, MAX_BYTES))
        except FileNotFoundError:
            return None
        except OSError as error:
            if error.errno == errno.EINVAL:  # no regular file
                return None
            problem = f"it cannot be read: {filesystems.reason_of(error)}"
            return ("", types.FileState(0, 0, 0)), types.Companion(kind, run, path, b"", problem)


class _RealPlaces:
    """Resolved paths, cached during one pass: each directory is resolved once, regardless of its number of files."""

    def __init__(self, wanted: spec.LogdirSpec, systems: filesystems.FileSystems) -> None:
        self._systems = systems
        self._homes = spec.homes(wanted, systems)
        self._known: dict[str, str] = {}

    def of(self, address: str) -> str:
        if address not in self._known:
            self._known[address] = self._systems.of(address).resolve(address, self._known)
        return self._known[address]

    def inside(self, real: str) -> bool:
        return spec.home_of(real, self._homes) is not None
