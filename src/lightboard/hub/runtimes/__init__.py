"""Starting, stopping and observing boards, wherever they run.

A runtime needs a `Launch`, which is less than a board's definition, and reports what it sees (`nouns.Seen`). It decides
nothing: when to start, stop or try again is decided in `hub/life`. Every method may be repeated.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from typing import Any, Literal, Protocol

from lightboard import errors
from lightboard.hub.life import nouns

# Codes that clients of the REST API get.
INVALID_URI = "InvalidUri"
OUT_OF_MEMORY = "OutOfMemory"

# The id is a directory, a part of an address and an argument of a command.
_ID = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?")
_PREFIX = re.compile(r"[^,:/~.\s\x00-\x1f\x7f-][^,:\x00-\x1f\x7f]*")


@dataclasses.dataclass(frozen=True, kw_only=True)
class Limits:
    """What one board may use. Only anonymous memory counts: pages of mapped files belong to the system's cache."""

    memory_bytes: int = 2 << 30
    open_files: int = 4096
    nice: int = 2  # the hub comes first, but a busy machine does not starve boards


@dataclasses.dataclass(frozen=True, kw_only=True)
class Launch:
    """Everything that is needed to start a board."""

    id: str
    name: str
    sources: tuple[nouns.Source, ...]
    # The content of the board's `storage.toml`: the claims and secrets that its sources use, and no others.
    storage: Mapping[str, Any] = dataclasses.field(default_factory=dict, repr=False)
    limits: Limits = dataclasses.field(default_factory=Limits)
    # Variables that the admin gives to boards, beside those that every process needs.
    environment: Mapping[str, str] = dataclasses.field(default_factory=dict, repr=False)
    # Links in logs are followed inside the board's own sources: a link must not lead to logs of another workspace.
    follow_links: Literal["never", "inside", "all"] = "inside"
    # Of the board that is started; `poll` reports them.
    attempt: int = 0
    revision: int = 0

    def __post_init__(self) -> None:
        check_id(self.id)
        if not self.sources:
            raise errors.BadInput("a board needs a source", hint="name a directory or a bucket", code=INVALID_URI)
        for source in self.sources:
            _check(source, alone=len(self.sources) == 1)


@dataclasses.dataclass(frozen=True)
class Place:
    """One source as the board finds it; `problem` is "" if it can be read."""

    path: str
    problem: str = ""
    detail: str = ""
    files: int = 0


@dataclasses.dataclass(frozen=True, kw_only=True)
class Progress:
    """How far a board has come."""

    phase: Literal["absent", "starting", "listing", "reading", "ready"]
    files_read: int = 0
    files_total: int = 0
    bytes_read: int = 0
    bytes_total: int = 0
    places: tuple[Place, ...] = ()

    @property
    def percent(self) -> int:
        """0 to 100, of the bytes to read."""
        if self.phase == "ready":
            return 100
        return min(99, self.bytes_read * 100 // self.bytes_total) if self.bytes_total else 0

    @property
    def message(self) -> str:
        """A line for people."""
        if self.phase == "reading":
            return f"reading {self.files_read:,} of {self.files_total:,} files ({self.percent} %)"
        return self.phase


@dataclasses.dataclass(frozen=True, kw_only=True)
class Usage:
    """What the process uses; all 0 if there is none."""

    memory_bytes: int = 0
    cpu_secs: float = 0.0


class Runtime(Protocol):
    """`kubernetes` will be another one beside `process`."""

    async def start(self, launch: Launch) -> None:
        """Start the board unless it runs. Returns when its process exists, not when it answers."""

    async def stop(self, board: str, *, grace_secs: float = 5.0) -> None:
        """Returns when no process is left."""

    async def forget(self, board: str) -> None:
        """Stop the board and delete everything that is kept for it."""

    async def poll(self, board: str) -> nouns.Seen:
        """Look once, for a few seconds at most. This is no use of the board."""

    async def progress(self, board: str) -> Progress: ...

    async def logs(self, board: str, *, lines: int = 200) -> list[str]: ...

    async def usage(self, board: str) -> Usage: ...

    async def running(self) -> list[str]:
        """Returns the ids of boards whose processes live, also of those that an earlier hub started."""

    def address(self, board: str) -> str:
        """Returns where the door connects to: the path of a Unix socket."""


def check_id(board: str) -> str:
    """Returns the id; raises errors.BadInput if it could leave its directory or its part of an address."""
    if not _ID.fullmatch(board):
        raise errors.BadInput(f"not the id of a board: {board[:100]!r}")
    return board


def _check(source: nouns.Source, *, alone: bool) -> None:
    if not source.uri.strip() or any(ord(letter) < 32 for letter in source.uri):
        raise errors.BadInput(f"not the address of logs: {source.uri!r}", code=INVALID_URI)
    if source.prefix and not _PREFIX.fullmatch(source.prefix):
        raise errors.BadInput(
            f"a prefix cannot be `{source.prefix}`",
            hint="begin with a letter; use no comma and no colon",
            code=INVALID_URI,
        )
    if "," in source.uri and "://" in source.uri and (source.prefix or not alone):
        raise errors.BadInput(
            f"the address of one of several sources cannot contain a comma: {source.uri}",
            hint="read it with a board that has only this source and no prefix",
            code=INVALID_URI,
        )
