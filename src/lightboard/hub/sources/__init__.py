"""What the sources of boards are: checks, what is found there, and the storage documents of board processes.

    sources    `Sources`: check, look, try_secret, launch
    places     paths of this machine and claims
    secrets    secrets of workspaces as `storage.toml` has them
    probing    starts processes that look at a source; `probe` is their program
    refusals   what is wrong with a source

`Sources` is imported when it is used: the probe starts without the database.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lightboard.hub.sources.probing import Found
    from lightboard.hub.sources.sources import Sources

__all__ = ["Found", "Sources"]


def __getattr__(name: str) -> Any:
    if name == "Sources":
        from lightboard.hub.sources import sources

        return sources.Sources
    if name == "Found":
        from lightboard.hub.sources import probing

        return probing.Found
    raise AttributeError(name)
