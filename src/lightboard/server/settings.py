"""The settings of the server for its board."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from lightboard import errors, types
from lightboard.server import limits


@dataclasses.dataclass(frozen=True, kw_only=True)
class Settings:
    """Everything has a default, so that a test can say only what it is about."""

    path_prefix: str = ""  # "/x": only addresses below /x/ answer
    token: str | None = None  # None: no token is asked for
    allowed_hosts: tuple[str, ...] = ()  # names the Host header may carry beside loopback and `bound_host`
    bound_host: str = "localhost"  # what the server listens on; a wildcard address allows any Host (a token guards it)
    frame_ancestors: tuple[str, ...] = ("'self'",)  # pages that may show the board in a frame (notebooks)
    window_title: str = ""
    logdir: str = ""  # as the user gave it, for people to read
    roots: tuple[str, ...] = ()  # absolute directories; paths in /api/health are told relative to these
    samples_per_plugin: Mapping[str, int] = dataclasses.field(default_factory=dict)  # /data only; 0 or absent: all
    rewinds: types.Rewinds = types.Rewinds.LATEST
    static_dir: str | None = None  # the built page; None or missing: a plain list of runs and tags
    flags: Mapping[str, object] = dataclasses.field(default_factory=dict)  # /data/environment
    notices: tuple[errors.Explanation, ...] = ()  # remarks for /api/health, such as a flag that has no effect
    limits: limits.Limits = dataclasses.field(default_factory=limits.Limits)
