"""`views/NAME.json`: a saved view, found by its name.

    {"name": "Überblick", "view": "…", "saved": 1700000000.5, "description": "…"}

Only the page interprets the view: here it is text that is returned unchanged. The name inside of the file counts; the
name of the file is made from it, readable and safe on every file system.
"""

from __future__ import annotations

import dataclasses
import json
import re
import time
from typing import Any

from lightboard import errors
from lightboard.sidecar import files

FOLDER = "views"
MAX_NAME = 200
MAX_VIEW_BYTES = 256 << 10
MAX_DESCRIPTION = 2000
MAX_FILE_BYTES = 2 << 20  # a view of maximum size with every character escaped
MAX_VIEWS = 1000
MAX_ALL_BYTES = 64 << 20


@dataclasses.dataclass(frozen=True)
class View:
    """A saved view."""

    name: str
    saved: float  # seconds since 1970
    view: str  # the part of the page's address that says what is shown
    description: str


@dataclasses.dataclass(frozen=True)
class Kept:
    """A view with its file."""

    view: View
    file: str
    members: dict[str, Any]  # all members of the file, also those of a later version


def checked(name: str, view: str, description: str = "") -> View:
    name = name.strip()
    if not name:
        raise errors.BadInput("a view needs a name", code="view.no_name")
    if len(name) > MAX_NAME:
        raise errors.BadInput(
            f"the name of a view has at most {MAX_NAME} characters", code="view.name_too_long", limit=MAX_NAME
        )
    if len(view.encode("utf-8", "surrogatepass")) > MAX_VIEW_BYTES:
        raise errors.BadInput(
            f"a view has at most {MAX_VIEW_BYTES >> 10} KiB", code="view.too_large", limit=MAX_VIEW_BYTES >> 10
        )
    if len(description) > MAX_DESCRIPTION:
        raise errors.BadInput(
            f"the description of a view has at most {MAX_DESCRIPTION} characters",
            code="view.description_too_long",
            limit=MAX_DESCRIPTION,
        )
    return View(name, time.time(), view, description)


class Folder:
    """The views below one folder, read again when their files change. Not thread-safe."""

    def __init__(self, folder: files.AnyFolder) -> None:
        self._folder = folder.below(FOLDER)
        self.path = self._folder.path
        self._known: dict[str, tuple[files.Stamp, Kept | None]] = {}
        self.broken: list[str] = []

    def stamp(self) -> files.Stamp | None:
        """Changes when a file is replaced."""
        return self._folder.stamp()

    def stamps(self) -> dict[str, files.Stamp]:
        """Returns the current stamps by file name."""
        named = [name for name in self._folder.names() if name.endswith(".json") and not name.startswith(".")]
        found = {name: self._folder.stamp(name) for name in named}
        return {name: stamp for name, stamp in found.items() if stamp is not None}

    def read(self) -> list[Kept]:
        """Returns the views by name; if two files have the same name, the newer counts."""
        now = self.stamps()
        known: dict[str, tuple[files.Stamp, Kept | None]] = {}
        size = 0
        for file in sorted(now)[: 2 * MAX_VIEWS]:
            before = self._known.get(file)
            same = before is not None and before[0] == now[file]
            size += now[file][1]
            known[file] = (
                before if same and before else (now[file], self._load(file) if size <= MAX_ALL_BYTES else None)
            )
        self._known = known
        self.broken = [file for file, (_, kept) in known.items() if kept is None]
        newest: dict[str, Kept] = {}
        for _, kept in known.values():
            if kept is not None and (
                kept.view.name not in newest or newest[kept.view.name].view.saved <= kept.view.saved
            ):
                newest[kept.view.name] = kept
        return [newest[name] for name in sorted(newest, key=str.casefold)]

    def write(self, view: View) -> None:
        """The caller holds the lock."""
        kept = self.read()
        before = next((each for each in kept if each.view.name == view.name), None)
        others = sum(stamp[1] for name, (stamp, _) in self._known.items() if before is None or name != before.file)
        if before is None and len(self._known) >= MAX_VIEWS:
            raise errors.BadInput(
                f"there are {MAX_VIEWS} views already",
                hint="delete some that nobody needs",
                code="view.too_many",
                limit=MAX_VIEWS,
            )
        members = {**(before.members if before else {}), **dataclasses.asdict(view)}
        body = json.dumps(members, indent=1).encode("ascii") + b"\n"
        if others + len(body) > MAX_ALL_BYTES:
            raise errors.BadInput(
                f"all views together have at most {MAX_ALL_BYTES >> 20} MiB",
                code="view.all_too_large",
                limit=MAX_ALL_BYTES >> 20,
            )
        self._folder.make()
        self._folder.replace(before.file if before else file_name(view.name), body)

    def delete(self, name: str) -> bool:
        """The caller holds the lock. False: there is no such view."""
        self.read()
        mine = [file for file, (_, kept) in self._known.items() if kept is not None and kept.view.name == name]
        for file in mine:
            self._folder.remove(file)
        return bool(mine)

    def _load(self, file: str) -> Kept | None:
        """None: it is no valid view. The file is not changed."""
        try:
            body = self._folder.read(file, MAX_FILE_BYTES)
            members = json.loads(body) if body is not None else None
        except (errors.Unreadable, ValueError, RecursionError):
            return None
        if not isinstance(members, dict):
            return None
        name, view, saved = members.get("name"), members.get("view"), members.get("saved", 0.0)
        description = members.get("description", "")
        if not isinstance(name, str) or not isinstance(view, str) or not name.strip():
            return None
        if not isinstance(saved, (int, float)) or saved != saved or abs(saved) > 1e12:
            saved = 0.0
        return Kept(
            View(name.strip(), float(saved), view, description if isinstance(description, str) else ""), file, members
        )


def file_name(name: str) -> str:
    """Keeps letters of any script; the key makes names different that differ only in other characters or in case."""
    import hashlib

    key = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:10]
    readable = re.sub(r"[^\w-]+", "_", name).strip("_")
    readable = re.sub("tfevents", "tf_events", readable, flags=re.IGNORECASE)  # that word would make it an event file
    short = readable.encode("utf-8", "ignore")[:80].decode("utf-8", "ignore")
    return f"{short or 'view'}-{key}.json"
