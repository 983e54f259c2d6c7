"""What the sources of boards are: checks, what is found there, and the storage documents of board processes.

sources    `Sources`: check, look, try_secret, launch
places     paths of this machine and claims
secrets    secrets of workspaces as `storage.toml` has them
refusals   what is wrong with a source
"""

from __future__ import annotations

from lightboard.hub.sources.sources import Sources

__all__ = ["Sources"]
