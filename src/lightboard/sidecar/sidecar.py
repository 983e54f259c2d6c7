"""One board's sidecar: reads the files into the store, writes changes of users, detects changes by others."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from lightboard import errors, store, types
from lightboard.sidecar import annotations as annotations_
from lightboard.sidecar import files, location
from lightboard.sidecar import slots as slots_
from lightboard.sidecar import views as views_

if TYPE_CHECKING:
    from lightboard.sidecar import objects

T = TypeVar("T")
log = logging.getLogger("lightboard")

# How often changes by other boards are checked. Each check is one or two calls of `stat`.
WATCH_SECS = 1.0
_BROKEN = "annotations.broken-"
# Slots of new runs are written this often at most, and using at most this share of one core.
SLOTS_SECS = 10.0
SLOTS_SHARE = 1 / 100


class Sidecar:
    """State: `_stamps` are those of the files that were read into the store. `_lock` guards everything here."""

    def __init__(
        self,
        target: store.Store,
        roots: Sequence[str] = (),
        wanted: str = "",
        *,
        settings: Any = None,  # storage.Settings
        unseen_secs: Callable[[], float] = lambda: 0.0,
    ) -> None:
        self._store = target
        self._roots = tuple(roots)
        self._wanted = wanted
        self._lock = threading.RLock()
        self._beside = self._objects(settings, unseen_secs)
        self._current = self._chosen()
        self._stamps: tuple[files.Stamp | None, ...] | None = None
        self._slot_stamps: tuple[files.Stamp | None, ...] = ()
        self._slots_kept: dict[str, int] = {}  # slots in the files
        self._slots_version = -1  # the store's `slots_version` of which everything is in the files
        self._slots_at = 0.0  # when slots may be written next
        self._problems: dict[str, errors.Unreadable] = {}  # path → why a file cannot be used
        self._views: dict[str, views_.Folder] = {}
        self._view_stamps: list[files.Stamp | None] | None = None  # of folders: these change when a file is replaced
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    # ---- public interface ----

    @property
    def directory(self) -> str:
        """The directory of the files; "" if there is none."""
        folder = self._location().folder
        return "" if folder is None else folder.path

    @property
    def writable(self) -> bool:
        folder = self._location().folder
        return folder is not None and folder.writable

    def load(self) -> None:
        """Read everything, once."""
        if self._beside is not None:
            self._beside.place.update()
        self.refresh()

    def start(self) -> None:
        """Read, and check for changes by others until `stop()`."""
        self.refresh()
        self._stopping.clear()
        if self._wanted != location.NONE and self._thread is None:
            self._thread = threading.Thread(target=self._watch, name="lightboard-sidecar", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def refresh(self) -> None:
        """Read what has changed since the last call. If nothing has, this only reads each file's status."""
        with self._lock:
            where = self._location()
            folders = _folders(where)
            stamps = tuple(folder.stamp(annotations_.FILE) for folder in folders)
            if stamps != self._stamps:
                self._stamps = stamps
                found = self._read(folders)
                if found != self._store.annotations:
                    self._store.set_annotations(found)
            self._refresh_slots(folders)
            now = [folder.stamp() for folder in self._view_folders(where)]
            if now != self._view_stamps:
                changed = self._view_stamps is not None
                self._view_stamps = now
                if changed:
                    self._store.touch_views()

    def save_slots(self) -> None:
        """Add the slots of new runs to the file, if there is a folder for it. Entries of other boards stay."""
        with self._lock:
            folder = self._location().folder
            version = self._store.slots_version
            if version == self._slots_version or folder is None or not folder.exists:
                return
            slots = self._store.slots()
            if not slots.keys() <= self._slots_kept.keys():
                self._change(lambda where, folder: _write_slots(folder, slots))
                self.refresh()
            self._slots_version = version

    def annotate(self, change: Mapping[str, Any]) -> None:
        """Change fields of runs; null removes one. Raises errors.BadInput or errors.Denied before anything changes."""
        sound = annotations_.checked(change)
        with self._lock:
            self._change(lambda where, folder: self._write_annotations(where, folder, sound))
            self.refresh()

    def views(self) -> list[views_.View]:
        """Every saved view, by name."""
        with self._lock:
            by_name: dict[str, views_.View] = {}
            for folder in self._view_folders(self._location()):
                by_name |= {kept.view.name: kept.view for kept in folder.read()}
            return [by_name[name] for name in sorted(by_name, key=str.casefold)]

    def save_view(self, name: str, view: str, description: str = "") -> views_.View:
        made = views_.checked(name, view, description)
        with self._lock:
            self._change(lambda where, folder: self._view_folders(where)[-1].write(made))
            self._view_stamps = []  # reports the change even if the mtime is the same as before
            self.refresh()
        return made

    def delete_view(self, name: str) -> None:
        with self._lock:
            deleted = self._change(lambda where, folder: self._view_folders(where)[-1].delete(name))
            self._view_stamps = []
            self.refresh()
        if not deleted:
            raise errors.NotFound(
                f"no view of this board is called `{name[:100]}`",
                hint="/api/views lists them",
                code="view.unknown",
                name=name[:100],
            )

    def notices(self) -> list[errors.Explanation]:
        """Returns problems of the files, for people."""
        with self._lock:
            where = self._location()
            found = [] if where.problem is None else [_not_saved(where.problem)]
            found += [] if where.elsewhere is None else [where.elsewhere]
            if self._beside is not None and self._beside.place.trouble is not None:
                found.append(_unread(self._beside.path, self._beside.place.trouble))
            for path, why in self._problems.items():
                message = f"notes about runs cannot be read, {why.message}: {path}"
                found.append(_explained("notes.file_unreadable", message, path, because=why.explanation()))
            for folder in _folders(where):
                found += [_kept_aside(path) for path in _set_aside(folder)]
            for one in self._view_folders(where):
                if os.path.islink(one.path):  # noqa: PTH114
                    message = f"saved views are not read, this is a symbolic link: {one.path}"
                    found.append(_explained("views.linked", message, one.path))
                one.read()
                for file in one.broken:
                    path = f"{one.path}/{file}"
                    found.append(_explained("view.unreadable", f"a saved view cannot be read: {path}", path))
            return found

    def _objects(self, settings: Any, unseen_secs: Callable[[], float]) -> objects.Folder | None:
        if self._wanted != location.BESIDE or not location.is_elsewhere(self._roots):
            return None
        from lightboard.sidecar import objects

        try:
            return objects.beside(self._roots[0], location.FOLDER, settings, unseen_secs)
        except errors.LightboardError as problem:  # the listing of the root says the same on the page
            log.warning("notes and views are kept in the user's directory, %s", problem)
            return None

    # ---- below: lock held ----

    def _chosen(self) -> location.Location:
        if self._beside is not None:
            return location.beside(self._roots, self._beside)
        return location.choose(self._roots, self._wanted)

    def _change(self, action: Callable[[location.Location, files.AnyFolder], T]) -> T:
        """Calls the action with the folder to write; once more with another, if a store refuses to be written."""
        where, folder = self._writable_location()
        try:
            return folder.change(lambda: action(where, folder))
        except errors.Denied:
            other, instead = self._writable_location()
            if instead == folder:
                raise
            return instead.change(lambda: action(other, instead))

    def _write_annotations(self, where: location.Location, folder: files.AnyFolder, change: annotations_.Runs) -> None:
        document = annotations_.merged(self._own_document(folder), change, keep_nulls=where.below is not None)
        body = annotations_.encode(document)
        if len(body) > annotations_.MAX_FILE_BYTES:
            raise errors.BadInput(
                f"all remarks together have at most {annotations_.MAX_FILE_BYTES >> 20} MiB",
                hint="shorten notes that nobody needs",
                code="notes.too_large",
                limit=annotations_.MAX_FILE_BYTES >> 20,
            )
        folder.replace(annotations_.FILE, body)

    def _location(self) -> location.Location:
        """Chosen again while the log directory is missing, and when its write permission changes."""
        with self._lock:
            if self._wanted and self._wanted != location.BESIDE:
                return self._current
            chosen = self._chosen()
            if chosen != self._current:
                self._current = chosen
                self._stamps = None
            return self._current

    def _writable_location(self) -> tuple[location.Location, files.AnyFolder]:
        where = self._location()
        if where.folder is None:
            raise errors.Denied(
                f"nothing can be saved: {_said(where.reason)}",
                hint="start the board with `--sidecar DIR` to say where",
                code="notes.no_place",
                because=where.reason,
            )
        return where, where.folder

    def _view_folders(self, where: location.Location) -> list[views_.Folder]:
        """Returns the folders; the writable one is the last."""
        return [self._views.setdefault(folder.path, views_.Folder(folder)) for folder in _folders(where)]

    def _read(self, folders: list[files.AnyFolder]) -> dict[str, types.Annotation]:
        self._problems = {}
        document = annotations_.empty()
        for folder in folders:
            path = folder.path_of(annotations_.FILE)
            try:
                body = folder.read(annotations_.FILE, annotations_.MAX_FILE_BYTES)
                if body is not None:
                    above = annotations_.decode(body)["runs"]
                    sound = {run: fields for run, fields in above.items() if isinstance(fields, dict)}
                    document = annotations_.merged(document, sound, keep_nulls=False)
            except errors.Unreadable as problem:
                self._problems[path] = problem
                log.warning("remarks about runs cannot be read, %s: %s", problem, path)
        return annotations_.parsed(document)

    def _refresh_slots(self, folders: list[files.AnyFolder]) -> None:
        stamps = tuple(folder.stamp(slots_.FILE) for folder in folders)
        if stamps == self._slot_stamps:
            return
        self._slot_stamps = stamps
        self._slots_kept = {}
        for folder in folders:
            try:
                body = folder.read(slots_.FILE, slots_.MAX_FILE_BYTES)
                self._slots_kept |= {} if body is None else slots_.decode(body)
            except errors.Unreadable as problem:  # colors are then given by rule
                log.warning("colors of runs cannot be read, %s: %s", problem, folder.path_of(slots_.FILE))
        self._store.keep_slots(self._slots_kept)

    def _own_document(self, folder: files.AnyFolder) -> annotations_.Document:
        """Returns the current document. A file that is invalid is renamed and kept; one that we may not read belongs to
        another user, and stays.
        """
        try:
            body = folder.read(annotations_.FILE, annotations_.MAX_FILE_BYTES)
        except errors.Unreadable as problem:
            raise errors.Denied(
                problem.message, hint="start the board with `--sidecar DIR`", code="notes.unreadable", because=problem
            ) from problem
        try:
            return annotations_.empty() if body is None else annotations_.decode(body)
        except errors.Unreadable:
            aside = _free_name(folder)
            folder.rename(annotations_.FILE, aside)
            log.warning("remarks that could not be read were kept aside: %s", folder.path_of(aside))
            return annotations_.empty()

    def _watch(self) -> None:
        while not self._stopping.wait(WATCH_SECS if self._beside is None or self._beside.place.is_read else 0.0):
            try:
                self.load()
            except Exception:
                log.exception("looking for remarks failed for a moment; going on")
            if self._store.progress.done and time.monotonic() >= self._slots_at:
                self._try_to_save_slots()

    def _try_to_save_slots(self) -> None:
        began = time.monotonic()
        try:
            self.save_slots()
        except errors.LightboardError as problem:
            self._slots_version = self._store.slots_version  # tried again when there is a new run
            log.info("colors of runs are not kept, %s", problem)
        except Exception:
            log.exception("keeping colors of runs failed; going on")
        self._slots_at = time.monotonic() + max(SLOTS_SECS, (time.monotonic() - began) / SLOTS_SHARE)


def _explained(code: str, message: str, path: str, **others: Any) -> errors.Explanation:
    return errors.Explanation(message, code=code, parameters={"path": path, **others})


def _not_saved(because: errors.Explanation) -> errors.Explanation:
    message = f"notes and views cannot be saved, {because.message}"
    return errors.Explanation(message, code="notes.no_place", parameters={"because": because})


def _unread(path: str, because: errors.Explanation) -> errors.Explanation:
    message = f"notes about runs cannot be read, {because.message}: {path}"
    return _explained("notes.file_unreadable", message, path, because=because)


def _write_slots(folder: files.AnyFolder, slots: Mapping[str, int]) -> None:
    body = folder.read(slots_.FILE, slots_.MAX_FILE_BYTES)
    merged = slots_.encode({**slots, **({} if body is None else slots_.decode(body))})
    if len(merged) > slots_.MAX_FILE_BYTES:  # full of runs that are gone
        merged = slots_.encode(slots)
    folder.replace(slots_.FILE, merged)


def _kept_aside(path: str) -> errors.Explanation:
    return _explained("notes.set_aside", f"notes that could not be read were moved: {path}", path)


def _said(reason: errors.Explanation | None) -> str:
    return "" if reason is None else reason.message


def _folders(where: location.Location) -> list[files.AnyFolder]:
    """Returns the folders; the writable one is the last."""
    return [folder for folder in (where.below, where.folder) if folder is not None]


def _free_name(folder: files.AnyFolder) -> str:
    taken = set(folder.names())
    stem = f"{_BROKEN}{time.strftime('%Y%m%d-%H%M%S')}"
    name, number = f"{stem}.json", 1
    while name in taken:
        number += 1
        name = f"{stem}-{number}.json"
    return name


def _set_aside(folder: files.AnyFolder) -> list[str]:
    return sorted(folder.path_of(name) for name in folder.names() if name.startswith(_BROKEN))
