"""Updates the store's rows of files that are no event files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from lightboard import sources, store, types
from lightboard.logdir import discovery, filesystems, spec


class Listed(NamedTuple):
    """A file that was found: the number of its rule, its address and its identity."""

    rule: int
    address: str
    state: types.FileState


class Sources:
    """State: `_known` is the last commit to the store, by key; `_last` the listing it came from. Only the follower's
    thread uses it."""

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
        self._known: dict[str, tuple[int, types.FileState]] | None = None  # row and identity; None: not loaded yet
        self._last: list[discovery.Beside] | None = None

    def replace(self, found: list[discovery.Beside], unreadable: Sequence[str] = ()) -> bool:
        """`found` has all files. Those below unreadable directories are kept. Returns whether anything changed."""
        if self._last is not None and not unreadable and _same(self._last, found):
            return False
        fresh = dict(reversed(list(_each(found))))  # if several have the same key, the first wins
        hidden = tuple(unreadable)
        gone = [key for key in self._rows() if key not in fresh and not (hidden and key.startswith(hidden))]
        self._last = found if not unreadable else None
        return self._commit(fresh, gone)

    def add(self, found: list[discovery.Beside]) -> bool:
        """`found` has files that may be new or changed."""
        self._last = None
        return self._commit(dict(_each(found)), ())

    def look_at(self, files: Mapping[str, tuple[int, str]]) -> bool:
        """`files` may be new, changed or deleted: key → (number of the rule, address)."""
        fresh, gone = {}, []
        for key, (rule, address) in files.items():
            try:
                if spec.follows(self._wanted, address, self._systems):
                    fresh[key] = Listed(rule, address, self._systems.of(address).state(address))
            except (FileNotFoundError, NotADirectoryError):
                gone.append(key)
            except OSError:
                continue  # the next listing decides
        self._last = None
        return self._commit(fresh, [key for key in gone if key in self._rows()])

    def _commit(self, fresh: Mapping[str, Listed], gone: Iterable[str]) -> bool:
        known = self._rows()
        new = {key: each for key, each in fresh.items() if key not in known and self._shows(each.rule, key)}
        changed = {key: each for key, each in fresh.items() if key in known and known[key][1] != each.state}
        lost = list(gone)
        if not new and not changed and not lost:
            return False
        rules = self._rules
        shown = any(rules[each.rule].shown for each in (*new.values(), *changed.values())) or bool(lost)
        rows = self._target.commit_sources(
            [
                store.Found(rules[each.rule].kind, rules[each.rule].run_of(key), key, *each[1:])
                for key, each in new.items()
            ],
            [(known[key][0], each.state) for key, each in changed.items()],
            [known.pop(key)[0] for key in lost],
            tell=shown,
        )
        known.update({key: (row, each.state) for (key, each), row in zip(new.items(), rows, strict=True)})
        known.update({key: (known[key][0], each.state) for key, each in changed.items()})
        return True

    def _rows(self) -> dict[str, tuple[int, types.FileState]]:
        """Returns the rows of the store; at first those that came from the index."""
        if self._known is None:
            with self._target.lock:
                self._known = self._target.files_beside.states()
        return self._known

    def _shows(self, rule: int, key: str) -> bool:
        return self._wanted.shows(self._rules[rule].run_of(key))


def kept(found: Iterable[discovery.Beside], rules: Sequence[sources.Rule]) -> dict[str, Listed]:
    """Returns the files whose content is kept, by key."""
    files: dict[str, Listed] = {}
    for key, each in _each(one for one in found if rules[one.rule].keep):
        files.setdefault(key, each)
    return files


def _each(found: Iterable[discovery.Beside]) -> Iterator[tuple[str, Listed]]:
    for each in found:
        for path, (version, size, mtime_ns) in zip(each.paths, each.identities.tolist(), strict=True):
            yield each.prefix + path, Listed(each.rule, f"{each.base}/{path}", types.FileState(size, mtime_ns, version))


def _same(last: list[discovery.Beside], found: list[discovery.Beside]) -> bool:
    return len(last) == len(found) and all(before.same(now) for before, now in zip(last, found, strict=True))
