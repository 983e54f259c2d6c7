"""Uploads: logs that people sent to the hub. Who may do what with one is decided by its board."""

from __future__ import annotations

import dataclasses
import enum
import unicodedata
from collections.abc import Mapping
from typing import Any

from lightboard.hub.life import names, refusals

LONGEST_DESCRIPTION = 600
MOST_UPLOADS = 1000  # of one account
SCHEME = "upload://"
NO_CHECKSUM = -1  # of a file that the hub writes


class Form(str, enum.Enum):
    """How its files come to be."""

    FILES = "files"  # a client sends them, byte for byte
    POINTS = "points"  # the hub writes them from points that a client sends


@dataclasses.dataclass(frozen=True, kw_only=True)
class Upload:
    id: str
    board: str  # its id; the board may have been deleted
    owner: str
    workspace: str
    created: float
    updated: float  # when bytes or metadata last changed
    name: str = ""
    description: str = ""  # markdown
    form: Form = Form.FILES
    bytes: int = 0
    files: int = 0
    runs: int = 0
    # who sends: the key of the session, and when it was last heard of
    session: str = ""
    session_seen: float = 0.0
    # a delete that could not remove everything is repeated
    deleting: bool = False
    # the bucket has its files; on the hub's disk may be some of them
    away: bool = False

    @property
    def source(self) -> str:
        return f"{SCHEME}{self.id}"


@dataclasses.dataclass(frozen=True)
class StoredFile:
    """`checksum` is the CRC-32 of its first `size` bytes."""

    path: str
    size: int
    checksum: int


@dataclasses.dataclass(frozen=True)
class Kept:
    """What the bucket has of a file: its first `size` bytes, with this CRC-32. -1: nothing."""

    size: int = -1
    checksum: int = 0

    def has(self, file: StoredFile) -> bool:
        """Whether that is all. Files that the hub writes only grow, and have no checksum."""
        return self.size == file.size and file.checksum in (NO_CHECKSUM, self.checksum)


@dataclasses.dataclass(frozen=True)
class Moving:
    """A file that the bucket does not have yet, or not all of it. `ended`: nobody sends to its upload now."""

    upload: str
    file: StoredFile
    kept: Kept
    ended: bool


@dataclasses.dataclass(frozen=True)
class Place:
    """Where a board reads an upload. `secret` is a table of `storage.toml`, for a bucket."""

    uri: str
    secret: Mapping[str, Any] = dataclasses.field(default_factory=dict, repr=False)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Quotas:
    """Most bytes and files of all uploads; None: no limit."""

    account_bytes: int | None = 50 << 30
    workspace_bytes: int | None = None
    hub_bytes: int | None = None
    account_files: int | None = 200_000


@dataclasses.dataclass(frozen=True)
class Left:
    """What quotas still allow; None: no limit. `scope` is the one that allows the fewest bytes."""

    bytes: int | None
    files: int | None
    scope: str = ""


class QuotaExceeded(refusals.Refusal):
    status = 403
    rest_code = "UploadQuotaExceeded"


class UploadBusy(refusals.Refusal):
    status = 409
    rest_code = "UploadBusy"


class SessionEnded(refusals.Refusal):
    status = 409
    rest_code = "SessionEnded"


def id_in(uri: str) -> str:
    """The id in `upload://<id>`, "" for another address."""
    return uri.strip().removeprefix(SCHEME).strip("/") if uri.strip().startswith(SCHEME) else ""


def checked_name(name: str) -> str:
    """May be empty, as with tensorboard.dev."""
    return names.checked_name(name) if name.strip() else ""


def checked_description(text: str) -> str:
    text = unicodedata.normalize("NFC", text).replace("\r\n", "\n").strip()
    if len(text) > LONGEST_DESCRIPTION:
        hint = f"use at most {LONGEST_DESCRIPTION}"
        raise refusals.BadName(f"the description has {len(text)} characters", hint=hint)
    if any(unicodedata.category(each) in ("Cc", "Cs") and each not in "\n\t" for each in text):
        raise refusals.BadName("the description has control characters", hint="write plain text or Markdown")
    return text


def check_quotas(left: Left, size: int, files: int) -> None:
    """Raises QuotaExceeded if so much does not fit."""
    if left.bytes is not None and size > left.bytes:
        raise QuotaExceeded(
            f"{size:,} bytes are to be sent, and the {left.scope} has {max(left.bytes, 0):,} left",
            hint="delete uploads that nobody needs (`lightboard dev list`, `lightboard dev delete`), or ask the admin",
        )
    if left.files is not None and files > left.files:
        raise QuotaExceeded(
            f"{files:,} files are to be sent, and the account has room for {max(left.files, 0):,}",
            hint="delete uploads that nobody needs (`lightboard dev list`, `lightboard dev delete`), or ask the admin",
        )
