"""Tokens that `lightboard login` stored: one file, readable only by this user, with an entry per hub.

    {"current": "https://boards.example.org",
     "hubs": {"https://boards.example.org": {"token": "…", "user": "ann", "token_id": "t-…"}}}

The file is in `$LIGHTBOARD_CONFIG_DIR`, or the directory `lightboard` below `$XDG_CONFIG_HOME` or the system's default.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import stat
import sys
import tempfile
from pathlib import Path
from typing import Any

from lightboard import errors

FILE = "hubs.json"


@dataclasses.dataclass(frozen=True)
class Entry:
    """`token_id` is set if `lightboard login` created the token: then `logout` revokes it."""

    url: str
    token: str = dataclasses.field(repr=False)
    user: str = ""
    token_id: str = ""


def directory() -> Path:
    if configured := os.environ.get("LIGHTBOARD_CONFIG_DIR"):
        return Path(configured)
    if base := os.environ.get("XDG_CONFIG_HOME"):
        return Path(base) / "lightboard"
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA") or Path.home()) / "lightboard"
    usual = "Library/Application Support" if sys.platform == "darwin" else ".config"
    return Path.home() / usual / "lightboard"


def current() -> str:
    """Returns the hub of the last login, "" if there is none."""
    found = _read().get("current")
    return found if isinstance(found, str) else ""


def entries() -> list[Entry]:
    return [_entry(url, each) for url, each in _hubs(_read()).items()]


def entry(url: str) -> Entry | None:
    found = _hubs(_read()).get(url)
    return None if found is None else _entry(url, found)


def save(entry: Entry) -> Path:
    """Stores the token and makes this hub the current one. Returns the file."""
    document = _read()
    kept = {"token": entry.token, "user": entry.user, "token_id": entry.token_id}
    return _write({"current": entry.url, "hubs": {**_hubs(document), entry.url: kept}})


def forget(url: str) -> None:
    document = _read()
    hubs = {each: value for each, value in _hubs(document).items() if each != url}
    now = document.get("current")
    _write({"current": now if now in hubs else next(iter(hubs), ""), "hubs": hubs})


def _entry(url: str, found: dict[str, Any]) -> Entry:
    return Entry(url, *(str(found.get(name) or "") for name in ("token", "user", "token_id")))


def _hubs(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    hubs = document.get("hubs")
    return {url: each for url, each in hubs.items() if isinstance(each, dict)} if isinstance(hubs, dict) else {}


def _read() -> dict[str, Any]:
    path = directory() / FILE
    try:
        with open(path, encoding="utf-8") as file:
            if os.name == "posix" and stat.S_IMODE(os.fstat(file.fileno()).st_mode) & 0o077:
                raise errors.Unreadable(f"others can read the tokens in {path}", hint=f"run `chmod 600 {path}`")
            document = json.load(file)
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise errors.Unreadable(f"the stored logins cannot be read ({reason}): {path}") from error
    return document if isinstance(document, dict) else {}


def _write(document: dict[str, Any]) -> Path:
    """The file is complete or unchanged, and never readable by others, not even for a moment."""
    home = directory()
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    with contextlib.suppress(OSError):  # a directory of somebody else: the file is still our own
        home.chmod(0o700)
    number, partial = tempfile.mkstemp(prefix=f".{FILE}.", dir=home)  # mode 0600
    try:
        with open(number, "w", encoding="utf-8") as file:
            json.dump(document, file, indent=1)
            file.write("\n")
        os.replace(partial, home / FILE)
    except BaseException:
        Path(partial).unlink(missing_ok=True)
        raise
    return home / FILE
