"""Names of files that clients send. They are hostile: what is accepted stays inside the directory of the upload.

A path is relative, with slashes, and names a file that belongs to logs: an event file, or one that a rule of
`lightboard.sources` knows. Nothing is changed in a name, so that an export gives back the same one.
"""

from __future__ import annotations

import unicodedata

from lightboard import sources
from lightboard.hub.life import refusals

MOST_BYTES = 1024
MOST_PART_BYTES = 255  # of file systems
MOST_PARTS = 40


class BadPath(refusals.Refusal):
    status = 400
    rest_code = "InvalidPath"


def checked(path: str) -> str:
    """Returns the path, or raises BadPath."""
    shown = path[:200]
    try:
        size = len(path.encode())
    except UnicodeError as error:
        raise BadPath("the name of a file is not valid text", hint="rename the file") from error
    parts = path.split("/")
    if not path or size > MOST_BYTES or len(parts) > MOST_PARTS:
        raise BadPath(
            f"the name of a file is empty or too long: {shown!r}",
            hint=f"use at most {MOST_BYTES} bytes and {MOST_PARTS} directories",
        )
    if any(each in ("", ".", "..") for each in parts):
        raise BadPath(f"the path is not below the log directory: {shown!r}", hint="send relative paths without `..`")
    if any(len(each.encode()) > MOST_PART_BYTES for each in parts):
        raise BadPath(f"a part of the path is longer than {MOST_PART_BYTES} bytes: {shown!r}", hint="rename it")
    if "\\" in path or any(unicodedata.category(each) in ("Cc", "Cs", "Zl", "Zp") for each in path):
        raise BadPath(f"the path has a backslash or a control character: {shown!r}", hint="rename the file")
    if not belongs_to_logs(path):
        raise BadPath(
            f"neither an event file nor a file that boards read: {shown!r}",
            hint="only event files and their companions are stored",
        )
    return path


def belongs_to_logs(path: str) -> bool:
    return sources.is_event_file(path) or sources.rule_of(path) >= 0
