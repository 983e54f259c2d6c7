"""Which companions there are now: read when found, again when they change, dropped when they are gone."""

from __future__ import annotations

import logging
import os
import stat
from collections.abc import Mapping, Sequence

from lightboard import store, types
from lightboard.logdir import spec
from lightboard.logdir.companions import files

log = logging.getLogger("lightboard")

NAMES = {"projector_config.pbtxt": "projector", "hparams.yaml": "hparams"}  # name of the file → word of the kind
# 100,000 embeddings of one writer; what is longer is no config.
MAX_BYTES = 32 << 20

_Identity = tuple[int, int, int]


class Companions:
    """State: `_known` is what the store was told last, by key; only the follower's thread is here."""

    def __init__(self, target: store.Store, wanted: spec.LogdirSpec) -> None:
        self._target = target
        self._wanted = wanted
        self._known: dict[str, tuple[_Identity, types.Companion]] = {}

    def replace(self, found: Mapping[str, str], unreadable: Sequence[str] = ()) -> None:
        """All there are: key → path. Those below a directory that does not answer just now are kept."""
        kept = {key: path.path for key, (_, path) in self._known.items() if key.startswith(tuple(unreadable))}
        fresh = {key: self._read(key, path) for key, path in {**kept, **found}.items()}
        self._tell({key: each for key, each in fresh.items() if each is not None})

    def add(self, found: Mapping[str, str]) -> None:
        """Some that may be new, changed or gone."""
        if not found:
            return
        fresh = dict(self._known)
        for key, path in found.items():
            each = self._read(key, path)
            if each is None:
                fresh.pop(key, None)
            else:
                fresh[key] = each
        self._tell(fresh)

    def _tell(self, fresh: dict[str, tuple[_Identity, types.Companion]]) -> None:
        if fresh != self._known:
            self._known = fresh
            self._target.set_companions(companion for _, companion in fresh.values())

    def _read(self, key: str, path: str) -> tuple[_Identity, types.Companion] | None:
        run = run_of(key)
        if not self._wanted.shows(run):
            return None
        kind = NAMES[path.rpartition("/")[2]]
        try:
            status = os.stat(path)
            identity = (status.st_size, status.st_mtime_ns, status.st_ino)
            known = self._known.get(key)
            if known is not None and known[0] == identity:
                return known
            if not stat.S_ISREG(status.st_mode):
                return None
            if status.st_size > MAX_BYTES:
                return identity, types.Companion(kind, run, path, b"", f"it has more than {MAX_BYTES} bytes")
            with open(path, "rb") as file:
                content = file.read(MAX_BYTES)
        except FileNotFoundError:
            return None
        except OSError as error:
            return (0, 0, 0), types.Companion(kind, run, path, b"", f"it cannot be read: {error.strerror or error}")
        return identity, types.Companion(kind, run, path, content)


def run_of(key: str) -> str:
    """The run a companion belongs to: its directory, or the one above the assets' own."""
    directory = key.rpartition("/")[0]
    if directory == files.ASSETS:
        return "."
    return directory.removesuffix(f"/{files.ASSETS}") or "."
