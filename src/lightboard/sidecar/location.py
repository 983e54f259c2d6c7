"""Where a board stores what people add: in the logs' directory, in the user's own, in `--sidecar`, or nowhere.

<logdir>/.lightboard/                              if the logdir is writable
<user's data>/lightboard/sidecar/<name>-<key>/     otherwise; <logdir>/.lightboard is read below it
<address>/.lightboard/                             logs elsewhere with `--sidecar beside`; what the user's directory has
                                                   for them is read below it. Else only the user's directory is used
"""

from __future__ import annotations

import dataclasses
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from lightboard import errors
from lightboard.sidecar import files

if TYPE_CHECKING:
    from lightboard.sidecar import objects

FOLDER = ".lightboard"
NONE = "none"
BESIDE = "beside"


@dataclasses.dataclass(frozen=True)
class Location:
    """`folder` is written, None: nothing is. `below` is only read; `folder` overrides it."""

    folder: files.AnyFolder | None
    below: files.AnyFolder | None = None
    reason: errors.Explanation | None = None  # why nothing can be written
    problem: errors.Explanation | None = None  # the same, if the user should fix it
    elsewhere: errors.Explanation | None = None  # why it is not where the user wanted it


_SWITCHED_OFF = errors.Explanation("the board was started with `--sidecar none`", code="notes.switched_off")
_NO_LOGDIR = errors.Explanation("the log directory does not exist yet", code="notes.no_logdir")


def _linked(path: str) -> errors.Explanation:
    message = f"this is a symbolic link, which is not followed: {path}"
    return errors.Explanation(message, code="notes.linked", parameters={"path": path})


def data_directory() -> str:
    """Returns $LIGHTBOARD_DATA_DIR, or below $XDG_DATA_HOME, or the system's default."""
    if configured := os.environ.get("LIGHTBOARD_DATA_DIR"):
        return configured
    if base := os.environ.get("XDG_DATA_HOME"):
        return f"{base}/lightboard"
    usual = "~/Library/Application Support" if sys.platform == "darwin" else "~/.local/share"
    return os.path.expanduser(f"{usual}/lightboard")  # noqa: PTH111


def choose(roots: Sequence[str], wanted: str = "") -> Location:
    """`roots` are absolute, only the first is used; `wanted` is the value of `--sidecar`."""
    if wanted == NONE:
        return Location(None, reason=_SWITCHED_OFF)
    if wanted and wanted != BESIDE:
        folder = os.path.abspath(os.path.expanduser(wanted))  # noqa: PTH100, PTH111
        if os.path.lexists(folder) and not os.path.isdir(folder):  # noqa: PTH112
            raise errors.BadInput(f"--sidecar needs a directory, but this is not one: {folder}")
        return Location(files.Folder(folder))
    root = roots[0] if roots else ""
    inside = files.Folder(root, FOLDER)
    if root and os.path.isdir(root):  # noqa: PTH112
        if os.path.islink(inside.path):  # noqa: PTH114
            reason = _linked(inside.path)
            return Location(None, reason=reason, problem=reason)
        if _can_write(inside.path) if os.path.isdir(inside.path) else _can_write(root):  # noqa: PTH112
            return Location(inside)
        return Location(files.Folder(_own(roots)), below=inside)
    if root and "://" not in root and not os.path.lexists(root) and not any(mark in root for mark in "*?["):
        # until it exists, it is unknown whether it is writable, and there is no run to annotate
        return Location(None, reason=_NO_LOGDIR)
    return Location(files.Folder(_own(roots)))


def is_elsewhere(roots: Sequence[str]) -> bool:
    """Whether objects can lie beside the logs: the first root is one address, not a pattern."""
    return bool(roots) and "://" in roots[0] and not any(mark in roots[0] for mark in "*?[")


def beside(roots: Sequence[str], folder: objects.Folder) -> Location:
    """Objects beside the logs; the user's directory where the store refuses them."""
    own = files.Folder(_own(roots))
    refused = folder.place.refused
    if refused is None:
        return Location(folder, below=own if own.exists else None)
    return Location(own, below=folder, elsewhere=_elsewhere(own.path, refused))


def _elsewhere(path: str, because: errors.Explanation) -> errors.Explanation:
    message = f"notes and views cannot be stored with the logs ({because.message}), they are kept in {path}"
    return errors.Explanation(message, code="notes.elsewhere", parameters={"path": path, "because": because})


def _can_write(directory: str) -> bool:
    return os.access(directory, os.W_OK | os.X_OK)


def _own(roots: Sequence[str]) -> str:
    import hashlib

    key = hashlib.sha256("\n".join(roots).encode("utf-8", "surrogateescape")).hexdigest()[:16]
    tail = (roots[0] if roots else "").rstrip("/").rpartition("/")[2]
    readable = "".join(letter if letter.isalnum() or letter in "-_" else "_" for letter in tail)[:40] or "logs"
    return f"{os.path.abspath(data_directory())}/sidecar/{readable}-{key}"  # noqa: PTH100
