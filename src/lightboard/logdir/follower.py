"""Keeps a store up to date with its logs: restore the index, walk, compare, read, and again when something changes.

    restore ─▶ walk ─▶ compare ─▶ read ─▶ watch ─▶ walk ─▶ save          once, at the start
                 ▲                                                        then forever:
                 ├── a periodic walk for safety (network mounts report no changes)
                 ├── a listing of roots elsewhere, as often as `pace` allows
                 ├── a check of directories of directories every few seconds, if not all can be watched
                 └── one file or directory, when the kernel reports that it changed

A new run is noticed within seconds, however many runs there are: directories of directories are watched before the
first files are read, and checked between the rounds of reading.

Everything here runs in one thread, the only one that writes to the store.
"""

from __future__ import annotations

import functools
import logging
import math
import os
import threading
import time
from collections.abc import Callable, Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from lightboard import activity as activity_
from lightboard import errors, sources, store, types
from lightboard.logdir import (
    companions,
    comparison,
    discovery,
    filesystems,
    glances,
    index,
    listers,
    loading,
    merging,
    notifications,
    pace,
    segments,
)
from lightboard.logdir import spec as spec_
from lightboard.store import row_types

log = logging.getLogger("lightboard")

# Walks may use at most this share of one core, however large the logdir is; SMALL_SHARE where the kernel
# reports every change. Saving the index may use SMALL_SHARE, too.
SHARE = 1 / 20
SMALL_SHARE = 1 / 100
# After the first load the follower pauses this long, so that the starting server gets the GIL.
SETTLE_SECS = 0.25
# While many files are read, new runs are searched at most this often.
MEANWHILE_SECS = 1.0
# Watches are added in batches of this size; changes are handled between two batches.
WATCH_PIECE = 10_000
# A changed catalog is written this often at most.
SAVE_SECS = 30.0
# Live additions are merged this often at most.
MERGE_SECS = 10.0
# Readers check for truncated segments this often at most, and wait this long until the logs are read again.
CUT_CHECK_SECS = 1.0
REPAIR_SECS = 60.0


class Follower:
    """Fills `target`. `start()` follows in the background; `load_once()` reads what exists now, for scripts."""

    def __init__(
        self,
        target: store.Store,
        spec: spec_.LogdirSpec,
        *,
        index: index.Index | None = None,
        reload_interval: float = 5.0,
        threads: int = 0,
        notify: bool = True,
        first_listing: discovery.FirstListing | None = None,
        first_scan: loading.FirstScan | None = None,
        systems: filesystems.FileSystems | None = None,
        rules: tuple[sources.Rule, ...] = sources.RULES,
        scans: Mapping[str, segments.Scan] | None = None,
        activity: activity_.Activity | None = None,
    ) -> None:
        self._systems = systems or filesystems.FileSystems()
        remote = {root.path for root in spec.roots if not self._systems.of(root.path).grows_in_place}
        self._paces = {path: pace.Pace() for path in remote}  # of roots elsewhere
        self._local = [root.path for root in spec.roots if root.path not in remote]
        self._listings: dict[str, filesystems.Listing] = {}  # of roots elsewhere, by place
        self._listers = listers.Listers()  # replaced by `start`
        self._activity = activity or activity_.Activity()
        self._activity.when_looked(self._wake)
        self.store = target
        self.spec = spec
        self.reload_interval = reload_interval
        self._index = index
        self._notify = notify
        self._threads = threads
        self._walkers = threads or min(os.cpu_count() or 1, 4)  # threads of a walk, including this one
        self._writer = segments.Writer(None, threads)
        self._rules = rules
        numbered = {at: (scans or {})[rule.scan] for at, rule in enumerate(rules, 1) if rule.scan}
        self._loader = loading.Loader(target, self._writer, self._systems, numbered, first_scan)
        self._rows: dict[str, int] = {}  # key of a file → its row
        self._companions = companions.Companions(target, spec, self._systems, rules)
        self._sources = companions.Sources(target, spec, self._systems, rules)
        self._opened = False
        self._restored = False  # the store has files that are not in `_rows` yet
        self._first_listing = first_listing  # None after the first look has used it
        self._last: discovery.Found | None = None
        self._glance: glances.Glance | None = None  # made from the last walk
        self._glanced_at = 0.0
        self._meanwhile_at = 0.0
        self._changed = False  # something changed since the last save
        self._save_at = 0.0
        self._walk_secs = 0.0
        self._merge_wanted = False
        self._merge_at = 0.0
        self._cut_check_at = 0.0
        self._damage: list[types.Fault] = []  # damage that was found in the index; those files have been read again
        self._watcher: notifications.Watcher | None = None
        self._watches: list[filesystems.Watch] = []  # one per root, after the first load
        self._thread: threading.Thread | None = None
        self._stopping = threading.Event()
        self._turn = threading.RLock()  # load_once() of another thread waits for this lock

    # ---- public interface ----

    def start(self) -> None:
        """Follow in a background thread until `stop()`."""
        self._stopping.clear()
        self._watcher = notifications.Watcher(enabled=self._notify and self.reload_interval > 0, rules=self._rules)
        if self.reload_interval > 0:  # otherwise nobody would look again for what comes late
            self._listers = listers.Listers(listers.PATIENCE_SECS, self._wake)
        self._thread = threading.Thread(target=self._run, name="lightboard-follower", daemon=True)
        self._thread.start()

    def load_once(self) -> None:
        """Read everything there is now and return. May be called again to read what was written since."""
        with self._turn:
            self._open()
            self._look_everywhere()
            self._repair()
            self._merge()
            self._save()

    def _wake(self) -> None:
        watcher = self._watcher
        if watcher is not None:
            watcher.wake()

    def stop(self) -> None:
        """Stop following, save the index, release the lock. The store stays usable."""
        self._stopping.set()
        self._wake()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()
        with self._turn:
            self._save()
            self._writer.close()
            self._give_up_index()
            if self._watcher is not None:
                self._watcher.close()
                self._watcher = None

    # ---- the thread ----

    def _run(self) -> None:
        assert self._watcher is not None
        try:
            with self._turn:
                self._open()
                self._look_everywhere()
        except Exception:
            log.exception("reading the logs failed; trying again")
        walk_at = time.monotonic() + self._interval()
        settled = False
        while not self._stopping.is_set():
            if not settled:
                if self._stopping.wait(SETTLE_SECS):
                    return
                self._guarded(self._settle)
                settled = True
                if self.reload_interval <= 0:
                    return
            news = self._watcher.wait(_secs_until(min(walk_at, self._glance_at(), self._remote_due_at())))
            if self._stopping.is_set():
                return
            if self._glance is not None and (news.lost or time.monotonic() >= self._glance_at()):
                self._glanced_at = time.monotonic()
                news.directories |= self._glance.appeared()
            if news.files or news.directories or news.companions:
                self._guarded(functools.partial(self._look_at, news))
            if news.all:
                # Delayed, because deleting a directory of many runs sends an event for each.
                walk_at = min(walk_at, time.monotonic() + max(0.05, self._walk_secs / SHARE / 4))
            due = self._due()
            if due or self._listers.has_finished or time.monotonic() >= walk_at:
                self._guarded(functools.partial(self._look_everywhere, due))
                walk_at = time.monotonic() + self._interval()
            self._guarded(self._housekeeping)

    def _guarded(self, work: Callable[[], None]) -> None:
        """An exception is logged and does not end the thread."""
        try:
            with self._turn:
                work()
        except Exception:
            log.exception("following the logs failed for a moment; going on")

    def _due(self) -> set[str]:
        """The roots elsewhere that should be listed now."""
        return {path for path in self._paces if self._due_at(path) <= time.monotonic()}

    def _remote_due_at(self) -> float:
        return min(map(self._due_at, self._paces), default=math.inf)

    def _due_at(self, path: str) -> float:
        return self._paces[path].due_at(
            time.monotonic(),
            least_secs=self.reload_interval,
            quiet_secs=self._systems.of(path).watch(path).interval_secs,
            unseen_secs=self._activity.unseen_secs(),
        )

    def _interval(self) -> float:
        """Between two walks of local roots."""
        if not self._local:
            return math.inf
        least = max([self.reload_interval, *(watch.interval_secs for watch in self._watches)])
        return max(least, self._walk_secs / (SMALL_SHARE if self._is_notified else SHARE))

    @property
    def _is_notified(self) -> bool:
        """Whether the kernel reports every change, and all directories are watched."""
        return self._watcher is not None and self._watcher.complete and self._can_be_notified

    @property
    def _can_be_notified(self) -> bool:
        """Whether the file systems of all roots let the kernel report changes."""
        return all(watch.notified for watch in self._watches)

    def _glance_at(self) -> float:
        """When to look for new directories, between two walks, where the kernel does not report all changes."""
        often_enough = self._is_notified or self._interval() <= self.reload_interval
        return math.inf if often_enough else self._glanced_at + self.reload_interval

    def _settle(self) -> None:
        """Runs after the first load: work that can wait until every point is readable."""
        if self._watcher is not None and self._glance is not None and self.reload_interval > 0:
            self._look_meanwhile()  # watching many directories takes a while
            self._watches = [self._systems.of(path).watch(path) for path in self._local]
            self._watch_the_rest(self._watcher, self._glance)
            if self._local:
                self._look_everywhere(set())  # changes between the walk and the watch were not reported
        self._save()
        if self._index is not None and self._index.writable:
            self._index.evict()
        self._merge_wanted = True
        self._housekeeping()

    def _watch_the_rest(self, watcher: notifications.Watcher, glance: glances.Glance) -> None:
        rest = glance.others()
        for start in range(0, len(rest), WATCH_PIECE):
            if self._stopping.is_set() or not watcher.complete:
                return
            watcher.watch(rest[start : start + WATCH_PIECE], whole=False)
            news = watcher.read()
            if news:
                self._look_at(news)

    def _housekeeping(self) -> None:
        self._repair()
        if self._merge_wanted and not self._stopping.is_set() and time.monotonic() >= self._merge_at:
            self._merge_wanted = False
            began = time.monotonic()
            self._merge()
            self._merge_at = time.monotonic() + max(MERGE_SECS, (time.monotonic() - began) / SHARE)
        if self._changed and time.monotonic() >= self._save_at:
            self._save()

    def _merge(self) -> None:
        merged = merging.merge(self.store, self._writer, stopping=self._stopping.is_set, sound=self._sound)
        if not self._writer.private:
            merged |= merging.move_out(self.store, self._writer, self._file_of, sound=self._sound)
        if merged:
            self._changed = True
            self._drop_unused_segments()

    # ---- damage to the index: those files are read again from the logs ----

    def _sound(self, segment: memoryview, chunks: NDArray[np.void] | np.void) -> bool:
        return self._index is None or self._index.sound(segment, chunks)

    def _check(self, segment: memoryview, chunks: NDArray[np.void] | np.void) -> bool:
        """The store's `check`: called by readers, in their threads, before they use columns."""
        if not self._cut_lately() and self._sound(segment, chunks):
            return True
        # With a timeout, or a reader that holds the store's lock could deadlock with the follower, which waits for it.
        if not self._turn.acquire(timeout=REPAIR_SECS):
            raise errors.Gone(
                "the index is damaged; the logs are being read again",
                hint="ask again in a moment",
                code="index.damaged",
            )
        try:
            self._repair()
        finally:
            self._turn.release()
        return False

    def _repair(self) -> None:
        if self._cut_short():
            log.warning("a file of the index was cut short by another program; the logs are read again")
            self._read_again(self._rows.values())
        if self._index is None:
            return
        for damage in self._index.damage(self.store):
            log.warning("a file of the index is damaged; what lay there is read again: %s", damage.path)
            detail = f"a file of the index was damaged; {len(damage.files):,} event files were read again"
            count = {"count": len(damage.files)}
            self._damage.append(types.Fault(damage.path, damage.offset, "index", detail, "index.read_again", count))
            self.store.set_notices((*self.store.notices, self._damage[-1]))
            self._read_again(damage.files)

    def _cut_short(self) -> bool:
        index_cut = self._index is not None and self._index.cut_short()
        return index_cut or self._writer.cut_short() or segments.any_cut(self.store.segments)

    def _cut_lately(self) -> bool:
        """Every reader calls this, so it checks only once per interval."""
        now = time.monotonic()
        if now < self._cut_check_at:
            return False
        self._cut_check_at = now + CUT_CHECK_SECS
        return self._cut_short()

    def _read_again(self, rows: Iterable[int]) -> None:
        self._writer.rotate()
        self._loader.swapped.update(rows)
        self._read_anew()
        self._drop_unused_segments()

    def _drop_unused_segments(self) -> None:
        self.store.tidy()
        in_use = {id(view) for view in self.store.segments}
        self._writer.release(in_use)
        if self._index is not None:
            self._index.release(in_use)

    def _file_of(self, view: memoryview) -> tuple[str, int]:
        segment = self._writer.segment_of(view)
        if segment is not None:
            return segment.name, segment.end
        return self._index.file_of(view) if self._index is not None else ("", 0)

    # ---- looking ----

    def _open(self) -> None:
        """Restore the index, once."""
        if self._opened:
            return
        self._opened = True
        complete: bool | None = None
        if self._index is not None:
            self._index.open(self.spec)
            complete = self._index.restore(self.store)
            self.store.check = self._check
            if self._index.writable:
                self._index.clean()
                if self._index.kept_bytes() < self._index.max_bytes:
                    self._writer.use(self._index.path)
                else:
                    self._index.close()
        if complete is not None:
            self._restored = True
            self._loader.unfinished = not complete
            self._loader.restore_unreadable()
        else:
            self._changed = True

    def _adopt(self, found: discovery.Found) -> None:
        """Fill `_rows` with the files of a restored store. Usually these are the found files, in the same order."""
        self._restored = False
        with self.store.lock:
            if found.paths(np.arange(len(found.keys))) == list(self.store.paths):
                self._rows = dict(zip(found.keys, range(len(found.keys)), strict=True))
                return
            files = self.store.files_table.rows
            runs, paths = list(self.store.run_names), list(self.store.paths)
            pairs = zip(files["run"].tolist(), paths, strict=True)
            self._rows = {
                self._rules[scan - 1].key_of(runs[run], path) if scan else discovery.key_of(runs[run], path): row
                for row, ((run, path), scan) in enumerate(zip(pairs, files["scan"].tolist(), strict=True))
            }

    def _look_everywhere(self, due: set[str] | None = None) -> None:
        """Walk local roots, list those elsewhere that are `due` (None: all)."""
        began, busy, began_ns = time.monotonic(), time.thread_time(), time.time_ns()
        ahead, self._first_listing = self._first_listing, None
        listed = set(self._paces) if due is None else due
        for path in listed:
            self._forget_listings(path)
        found = discovery.discover(
            self.spec,
            self._systems,
            threads=self._threads,
            first_listing=ahead,
            rules=self._rules,
            known=self._listings,
            progress=self._show_listing,
            aside=self._listers,
        )
        # Local walks are limited by CPU time (a busy machine makes them slow, not costly), remote ones by wall time.
        elapsed, spent = time.monotonic() - began, (time.thread_time() - busy) * self._walkers
        self._walk_secs = min(elapsed, spent) if self._can_be_notified else elapsed
        if self._watcher is not None:
            self._glance = glances.Glance(found, began_ns)
            if self._last is None:
                self._watcher.watch(self._glance.parents.items(), whole=False)
        if self._restored:
            self._adopt(found)
        changes = comparison.compare(self.store, self._rows, found, self._systems, whole=True)
        again = list(self._loader.unreadable)
        if self._loader.unfinished:  # an interrupted load, perhaps by a crash
            files = self.store.files_table.rows
            again += np.nonzero((files["alive"] == 1) & (files["offset"] < files["size"]))[0].tolist()
        self._apply(found, changes, again)
        others = self._sources.replace(found.beside, found.unreadable)
        self._changed |= others
        self._note_pace(listed, elapsed, found, changed=bool(changes) or others)
        self._companions.replace(companions.kept(found.beside, self._rules), found.unreadable)
        if self._watcher is not None and self._last is not None and found.directories != self._last.directories:
            assert self._glance is not None
            self._watcher.watch([*self._glance.parents.items(), *self._glance.others()], whole=True)
        self._last = found
        self.store.set_notices((*found.notices, *self._refused(), *self._companions.notices(), *self._own_notices()))
        self._finish_loading()

    def _refused(self) -> list[types.Fault]:
        refusals = self._systems.refusals
        if refusals is None:
            return []
        with self.store.lock:
            unreadable = [self.store.paths[row] for row in self._loader.unreadable]
        return refusals.notices([root.path for root in self.spec.roots], unreadable)

    def _forget_listings(self, root: str) -> None:
        self._systems.of(root).refresh(root)
        fixed = root.partition("*")[0].partition("?")[0].partition("[")[0]
        self._listings = {place: each for place, each in self._listings.items() if not place.startswith(fixed)}

    def _note_pace(self, listed: set[str], took_secs: float, found: discovery.Found, *, changed: bool) -> None:
        failed = bool(self._loader.unreadable) or any(notice.reason == "storage" for notice in found.notices)
        for path in listed:
            self._paces[path].listed(
                time.monotonic(), took_secs, changed=changed, failed=failed, unseen_secs=self._activity.unseen_secs()
            )

    def _show_listing(self, count: int) -> None:
        """A bucket with many objects takes a while to list."""
        if not self.store.progress.done:
            self.store.set_progress(types.Progress(False, 0, count, 0, 0))

    def _look_at(self, news: notifications.News) -> None:
        """Look only at what the kernel reported."""
        if news.directories:
            found = discovery.discover_below(self.spec, self._systems, news.directories, self._rules)
            if self._watcher is not None:
                self._watcher.watch(found.watched(), whole=False)
                # Listed again after it is watched: writes in between were not reported.
                found = discovery.discover_below(self.spec, self._systems, news.directories, self._rules)
            self._apply(found, comparison.compare(self.store, self._rows, found, self._systems, whole=False))
            self._changed |= self._sources.add(found.beside)
            self._companions.add(companions.kept(found.beside, self._rules))
        files = dict(news.files)
        if news.companions:
            files.update(self._look_beside(news.companions))
        if files:
            found, gone = self._identify(files)
            self._apply(found, comparison.compare(self.store, self._rows, found, self._systems, whole=False), gone=gone)

    def _look_beside(self, files: dict[str, str]) -> dict[str, str]:
        """Handles files that are no event files; returns those that a scan reads."""
        found = {key: (sources.rule_of(key, self._rules), address) for key, address in files.items()}
        ours = {key: each for key, each in found.items() if each[0] >= 0}
        self._changed |= self._sources.look_at(ours)
        self._companions.add({key: (*each, None) for key, each in ours.items() if self._rules[each[0]].keep})
        return {key: address for key, (rule, address) in ours.items() if self._rules[rule].scan}

    def _run_of(self, key: str, rule: int) -> str:
        return discovery.run_of(key) if rule < 0 else self._rules[rule].run_of(key)

    def _identify(self, files: dict[str, str]) -> tuple[discovery.Found, list[int]]:
        keys: list[str] = []
        identities: list[tuple[int, int, int]] = []
        stretches: list[discovery.Stretch] = []
        gone: list[int] = []
        for key, path in files.items():
            try:
                if not spec_.follows(self.spec, path, self._systems):
                    raise FileNotFoundError(path)
                state = self._systems.of(path).state(path)
            except (FileNotFoundError, NotADirectoryError):
                if key in self._rows:
                    gone.append(self._rows[key])
                continue
            except OSError:
                continue
            rule = sources.rule_of(key, self._rules)
            if rule >= 0 and not spec_.inside(self.spec, path, self._systems):
                continue
            if key in self._rows or self.spec.shows(self._run_of(key, rule)):
                prefix = key[: len(key) - len(path.rpartition("/")[2])]
                stretches.append(discovery.Stretch(len(keys), len(keys) + 1, prefix, path.rpartition("/")[0], rule))
                keys.append(key)
                identities.append((state.version, state.size, state.mtime_ns))
        rows = np.array(identities, filesystems.IDENTITY)
        return discovery.Found(keys, rows, stretches, [], ()), gone

    # ---- changing the store ----

    def _apply(
        self,
        found: discovery.Found,
        changes: comparison.Changes,
        again: Iterable[int] = (),
        gone: Iterable[int] = (),
    ) -> None:
        retired = [*changes.gone.tolist(), *gone]
        paths = found.paths(changes.new)
        events = np.nonzero(found.rules(changes.new) < 0)[0]
        sizes = found.identities["size"][changes.new[events]]
        with self._loader.early([paths[at] for at in events.tolist()], sizes):
            # New files are added before old ones are removed: a run with a replaced file must not disappear briefly.
            new = self._add(found, changes.new, paths)
            if retired:
                self._retire(retired)
            if len(changes.touched):
                self.store.set_identities(changes.touched, found.identities[changes.touched_at])
                self._changed = True
            dead = set(retired)
            rows = {*new.tolist(), *changes.grown.tolist(), *again} - dead - changes.unsure.keys()
            if rows:
                self._read(np.array(sorted(rows), np.int64))
        if changes.unsure:
            self._loader.postpone(changes.unsure)
        if self._loader.swapped:
            self._read_anew()

    def _retire(self, rows: list[int]) -> None:
        dead = set(rows)
        self.store.retire_files(rows)
        self._rows = {key: row for key, row in self._rows.items() if row not in dead}
        self._loader.unreadable -= dead
        self._changed = True

    def _add(self, found: discovery.Found, positions: NDArray[np.int64], paths: list[str]) -> NDArray[np.int64]:
        if not len(positions):
            return positions
        keys = [found.keys[position] for position in positions.tolist()]
        rows = np.zeros(len(keys), row_types.FILE)
        for name in filesystems.IDENTITY.names or ():
            rows[name] = found.identities[name][positions]
        rows["alive"], rows["min_wall"], rows["max_wall"] = 1, np.nan, np.nan
        rules = found.rules(positions)
        rows["scan"] = rules + 1
        events = int(np.count_nonzero(rules < 0)) == len(rules)
        runs = discovery.runs_of(keys) if events else map(self._run_of, keys, rules.tolist())
        rows["run"] = self.store.add_runs(runs)
        added = self.store.add_files(rows, paths).astype(np.int64)
        self._rows.update(zip(keys, added.tolist(), strict=True))
        return added

    def _read_anew(self) -> None:
        """Reads files again that were replaced while they were read."""
        rows, self._loader.swapped = sorted(self._loader.swapped), set()
        keys = {row: key for key, row in self._rows.items()}
        with self.store.lock:
            files = {keys[row]: self.store.paths[row] for row in rows if row in keys}
        self._retire(rows)
        found, _ = self._identify(files)
        self._apply(found, comparison.compare(self.store, self._rows, found, self._systems, whole=False))

    def _read(self, rows: NDArray[np.int64]) -> None:
        with self.store.lock:
            files = row_types.taken(self.store.files_table.rows, rows)
            totals = len(self._rows), int((files["size"] - np.minimum(files["offset"], files["size"])).sum())
        for row in self._loader.unreadable.intersection(rows.tolist()):
            self.store.faults.pop(row, None)
        loading_ = not self.store.progress.done
        done = [0, 0]

        def each_round(count: int, size: int) -> bool:
            done[0] += count
            done[1] += size
            if loading_:
                read = totals[0] - len(rows) + done[0]
                self.store.set_progress(types.Progress(False, read, totals[0], done[1], totals[1]))
                self._look_meanwhile()
            self._keep_below_cap()
            return not self._stopping.is_set()

        if loading_:
            self.store.set_progress(types.Progress(False, totals[0] - len(rows), totals[0], 0, totals[1]))
        self._loader.read(rows, each_round=each_round)
        self._changed = True
        self._merge_wanted = True

    def _look_meanwhile(self) -> None:
        """Between two rounds of reading: read new files in new directories. Everything else is for the walk that
        follows, because rows that are being read must stay."""
        if self._watcher is None or self._glance is None or self.reload_interval <= 0:
            return
        if time.monotonic() < self._meanwhile_at:
            return
        self._meanwhile_at = time.monotonic() + MEANWHILE_SECS
        directories = self._watcher.read().directories | self._glance.appeared()
        found = discovery.discover_below(self.spec, self._systems, directories, self._rules)
        self._watcher.watch(found.watched(), whole=False)
        found = discovery.discover_below(self.spec, self._systems, directories, self._rules)  # as in `_look_at`
        new = np.array([at for at, key in enumerate(found.keys) if key not in self._rows], np.int64)
        if len(new):
            before, rows = self._loader.unfinished, self._add(found, new, found.paths(new))
            self._loader.read(rows, each_round=lambda *_: not self._stopping.is_set())
            self._loader.unfinished |= before

    def _finish_loading(self) -> None:
        if not self.store.progress.done and not self._stopping.is_set():
            with self.store.lock:
                files = self.store.files_table.rows
                count, size = len(self._rows), int(files["offset"][files["alive"] == 1].sum())
            self.store.set_progress(types.Progress(True, count, count, size, size))

    # ---- the index ----

    def _keep_below_cap(self) -> None:
        if self._index is None or not self._index.writable:
            return
        if self._writer.private:
            self._give_up_index()
            return
        if self._index.kept_bytes() + self._writer.bytes_written() < self._index.max_bytes:
            return
        log.warning("the index has reached its cap, the rest is not kept (see --index_max_bytes): %s", self._index.path)
        self._save(complete=False)
        self._give_up_index()

    def _give_up_index(self) -> None:
        """Stop writing the index. Files that the last catalog names stay, all others are removed."""
        self._writer.abandon_index()
        if self._index is not None:
            self._index.clean()
            self._index.close()

    def _save(self, *, complete: bool | None = None) -> None:
        if self._index is None or not self._index.writable or not self._changed:
            return
        began = time.monotonic()
        whole = not self._loader.unfinished if complete is None else complete
        if not self._index.save(self.store, self._writer, complete=whole):
            self._give_up_index()
            return
        self._changed = False
        self._save_at = time.monotonic() + max(SAVE_SECS, (time.monotonic() - began) / SMALL_SHARE)
        if self._thread is not None and not self._stopping.is_set():
            files = self._writer.duplicates()
            threading.Thread(target=self._index.sync, args=(files,), name="lightboard-sync", daemon=True).start()

    def _own_notices(self) -> list[types.Fault]:
        watcher = self._watcher
        if watcher is None:
            return list(self._damage)
        because = watcher.problem or next((watch.reason for watch in self._watches if watch.reason), None)
        if because is None:
            return list(self._damage)
        path, parameters = self.spec.roots[0].path, {"secs": round(self._interval()), "because": because}
        detail = f"changes are checked every {self._interval():.0f} s: {because.message}"
        if not watcher.count or not self._can_be_notified:
            return [types.Fault(path, 0, "polling", detail, "polling", parameters), *self._damage]
        detail = (
            f"{watcher.count:,} directories are watched; the others are checked for changes every "
            f"{self._interval():.0f} s, for new directories every {self.reload_interval:.0f} s: {because.message}"
        )
        parameters |= {"watched": watcher.count, "walk_secs": round(self.reload_interval)}
        return [types.Fault(path, 0, "polling", detail, "polling.some", parameters), *self._damage]


def _secs_until(moment: float) -> float | None:
    return None if moment == math.inf else moment - time.monotonic()
