"""Which companions there are now: read when found, again when they change, dropped when they are gone.

Whoever writes logs may put a link in a companion's place. It is read only where it ends below a log directory, whatever
`--follow_links` says about runs and event files.
"""

from __future__ import annotations

import dataclasses
import errno
import os
from collections.abc import Mapping, Sequence

from lightboard import no_links, store, types
from lightboard.logdir import spec
from lightboard.logdir.companions import files

NAMES = {"projector_config.pbtxt": "projector", "hparams.yaml": "hparams"}  # name of the file → word of the kind
# 100,000 embeddings of one writer; what is longer is no config.
MAX_BYTES = 32 << 20

_OUTSIDE = "it lies outside the log directories, where only event files are read"

_Identity = tuple[str, int, int, int]  # real path, size, time, inode


class Companions:
    """State: `_known` is what the store was told last, by key; only the follower's thread is here."""

    def __init__(self, target: store.Store, wanted: spec.LogdirSpec) -> None:
        self._target = target
        self._wanted = wanted
        self._known: dict[str, tuple[_Identity, types.Companion]] = {}

    def replace(self, found: Mapping[str, str], unreadable: Sequence[str] = ()) -> None:
        """All there are: key → path. Those below a directory that does not answer just now are kept."""
        kept = {key: path.path for key, (_, path) in self._known.items() if key.startswith(tuple(unreadable))}
        real = _RealPaths(self._wanted)
        fresh = {key: self._read(key, path, real) for key, path in {**kept, **found}.items()}
        self._tell({key: each for key, each in fresh.items() if each is not None})

    def add(self, found: Mapping[str, str]) -> None:
        """Some that may be new, changed or gone."""
        if not found:
            return
        fresh, real = dict(self._known), _RealPaths(self._wanted)
        for key, path in found.items():
            each = self._read(key, path, real)
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
        """One for all that lie outside."""
        outside = [each for _, each in self._known.values() if each.problem == _OUTSIDE]
        if not outside:
            return []
        more = f" (as {len(outside) - 1} more)" if len(outside) > 1 else ""
        return [types.Fault(outside[0].path, 0, "outside", f"it is not read{more}: {_OUTSIDE}")]

    def _read(self, key: str, path: str, real: _RealPaths) -> tuple[_Identity, types.Companion] | None:
        run = run_of(key)
        if not self._wanted.shows(run):
            return None
        kind = NAMES[path.rpartition("/")[2]]
        try:
            place, directory = real.of(path), real.of_directory(path)
            status = os.stat(place)
            identity = (place, status.st_size, status.st_mtime_ns, status.st_ino)
            known = self._known.get(key)
            if known is not None and known[0] == identity:
                return known
            if not spec.follows(self._wanted, path):
                return None
            home = spec.home_of(place, real.homes)
            if home is None or spec.home_of(directory, real.homes) is None:
                return identity, types.Companion(kind, run, path, b"", _OUTSIDE)
            return identity, _companion(types.Companion(kind, run, path, b"", directory=directory), home, place)
        except FileNotFoundError:
            return None
        except OSError as error:
            if error.errno == errno.EINVAL:  # no regular file
                return None
            return ("", 0, 0, 0), types.Companion(kind, run, path, b"", f"it cannot be read: {error.strerror or error}")


class _RealPaths:
    """Where files really are, for the time of one look: a directory is asked about once, however many lie in it."""

    def __init__(self, wanted: spec.LogdirSpec) -> None:
        self.homes = spec.homes(wanted)
        self._known = {"/": "/"}

    def of(self, path: str) -> str:
        place = f"{self.of_directory(path).rstrip('/')}/{path.rpartition('/')[2]}"
        return os.path.realpath(place) if os.path.islink(place) else place  # noqa: PTH114

    def of_directory(self, path: str) -> str:
        """Of the directory that a file lies in."""
        directory = path.rpartition("/")[0] or "/"
        if directory not in self._known:
            self._known[directory] = self.of(directory)
        return self._known[directory]


def _companion(empty: types.Companion, home: str, place: str) -> types.Companion:
    """With what the file says. `place` is its real path, `home` the log directory above it. Raises OSError."""
    descriptor, status = no_links.open_regular(home, place[len(home) :])
    try:
        if status.st_size > MAX_BYTES:
            return dataclasses.replace(empty, problem=f"it has more than {MAX_BYTES} bytes")
        content = files.read(descriptor, 0, status.st_size)
    finally:
        os.close(descriptor)
    return dataclasses.replace(empty, content=content)


def run_of(key: str) -> str:
    """The run a companion belongs to: its directory, or the one above the assets' own."""
    directory = key.rpartition("/")[0]
    if directory == files.ASSETS:
        return "."
    return directory.removesuffix(f"/{files.ASSETS}") or "."
