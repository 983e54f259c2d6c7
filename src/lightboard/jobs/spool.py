"""A job as local files: what is known of it, and what it printed. Whatever is told to the hub is read from here.

    <folder>/<time>-<name>/job.json       what was known at the start: a registration of the REST API, and the hub
    <folder>/<time>-<name>/state.json     what came since: its id on the hub, how far it was sent, how it ended
    <folder>/<time>-<name>/console        what it printed
    <folder>/<time>-<name>/lock           held by the command and its guard, later by whoever sends what is left over

Files are replaced as a whole, so that a killed process leaves the one before or the one after. Only this user reads
them.
"""

from __future__ import annotations

import contextlib
import dataclasses
import fcntl
import json
import os
import re
import shutil
import sys
import threading
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

# A console that is longer is not written on: a disk that is full would harm the job.
MOST_CONSOLE_BYTES = 8 << 30
KEPT = 200  # directories of jobs whose end the hub knows


@dataclasses.dataclass(kw_only=True)
class State:
    """What came since the start."""

    pid: int = 0
    started: float = 0.0
    ended: float | None = None
    exit_code: int | None = None
    signal: str = ""
    out_of_memory: bool = False
    message: str = ""  # why it did not start
    has_events: bool = False
    hub_id: str = ""  # "": not registered yet
    sent_bytes: int = 0
    closed: bool = False  # the job has ended, and nothing more will be printed
    told: bool = False  # the hub knows everything, or refused for good
    refusal: str = ""  # what the hub refused


class Spool:
    """State, under `_lock`: `state`, which is also in the file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.console = folder / "console"
        self._lock = threading.Lock()
        self.state = _state(folder / "state.json")

    @classmethod
    def create(cls, name: str, job: dict[str, Any], hub: str, insecure: bool) -> Spool:
        """`job` are members of a registration. Raises OSError."""
        base = directory()
        base.mkdir(mode=0o700, parents=True, exist_ok=True)
        slug = re.sub(r"[^A-Za-z0-9._-]+", "-", name)[:40].strip("-.") or "job"
        stem = f"{time.strftime('%Y%m%d-%H%M%S')}-{slug}"
        for number in range(10_000):
            folder = base / (stem if not number else f"{stem}-{number}")
            try:
                folder.mkdir(mode=0o700)
                break
            except FileExistsError:
                continue
        made = cls(folder)
        made._hold()
        written = {"hub": hub, "insecure": insecure, "key": str(uuid.uuid4()), "job": job}
        _write(folder / "job.json", written)
        return made

    def job(self) -> dict[str, Any]:
        with open(self.folder / "job.json", encoding="utf-8") as file:
            found: dict[str, Any] = json.load(file)
        return found

    def add(self, **members: Any) -> None:
        """Members of the registration that were not known at the start."""
        written = self.job()
        written["job"].update(members)
        _write(self.folder / "job.json", written)

    def change(self, **members: Any) -> None:
        with self._lock:
            self.state = dataclasses.replace(self.state, **members)
            with contextlib.suppress(OSError):  # a full disk must not end the job
                _write(self.folder / "state.json", dataclasses.asdict(self.state))

    def console_size(self) -> int:
        try:
            return self.console.stat().st_size
        except FileNotFoundError:
            return 0

    def read_console(self, offset: int, limit: int) -> bytes:
        try:
            with open(self.console, "rb") as file:
                file.seek(offset)
                return file.read(limit)
        except FileNotFoundError:
            return b""

    def _hold(self) -> None:
        """Locks it until this process and those that it forks have ended."""
        self._held = os.open(self.folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        fcntl.flock(self._held, fcntl.LOCK_EX)

    @contextlib.contextmanager
    def sending(self) -> Iterator[bool]:
        """Whether this process may send it: the job and its guard have ended, and nobody else does."""
        descriptor = os.open(self.folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                yield False
                return
            yield True
        finally:
            os.close(descriptor)


def directory() -> Path:
    """Below the user's data directory."""
    if base := os.environ.get("LIGHTBOARD_DATA_DIR", ""):
        return Path(base) / "jobs"
    if base := os.environ.get("XDG_DATA_HOME", ""):
        return Path(base) / "lightboard" / "jobs"
    usual = "Library/Application Support" if sys.platform == "darwin" else ".local/share"
    return Path.home() / usual / "lightboard" / "jobs"


def all_spools() -> list[Spool]:
    """Oldest first. Directories that cannot be read are not there."""
    found = []
    with contextlib.suppress(OSError):
        for each in sorted(directory().iterdir()):
            with contextlib.suppress(OSError, ValueError):
                if (each / "job.json").exists():
                    found.append(Spool(each))
    return found


def forget_old() -> None:
    """Deletes the oldest directories of jobs that the hub knows, or that had no hub."""
    done = [each for each in all_spools() if each.state.closed and (each.state.told or not each.job().get("hub"))]
    for each in done[:-KEPT]:
        with contextlib.suppress(OSError):
            shutil.rmtree(each.folder)


def _state(path: Path) -> State:
    try:
        with open(path, encoding="utf-8") as file:
            known = json.load(file)
    except (OSError, ValueError):
        return State()
    names = {each.name for each in dataclasses.fields(State)}
    return State(**{name: value for name, value in known.items() if name in names})


def _write(path: Path, value: Any) -> None:
    temporary = path.with_name(f".{path.name}-{os.getpid()}-{threading.get_ident()}")
    with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
        json.dump(value, file)
    temporary.replace(path)
