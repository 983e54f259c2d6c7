"""The arguments of every handler: the store, the settings, and other objects of one application."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable
from typing import Any

from lightboard import activity, query, sidecar, types
from lightboard import work as work_
from lightboard.server import compression, root_checks
from lightboard.server import settings as settings_
from lightboard.server import threads as threads_


@dataclasses.dataclass(frozen=True, kw_only=True)
class Context:
    """Immutable; its members own their state."""

    store: query.Store
    work: work_.Work
    settings: settings_.Settings = dataclasses.field(default_factory=settings_.Settings)
    activity: activity.Activity = dataclasses.field(default_factory=activity.Activity)
    sidecar: sidecar.Sidecar | None = None  # None: nothing people say about runs is kept
    # Takes a snapshot of this context for a `snapshots.SnapshotQuestion`; None: `/api/snapshot` is not available.
    take_snapshot: Callable[..., Any] | None = None
    threads: threads_.Threads = dataclasses.field(default_factory=threads_.Threads)
    packers: compression.Packers = dataclasses.field(default_factory=compression.Packers)
    lookups: root_checks.Lookups = dataclasses.field(default_factory=root_checks.Lookups)
    # Versions and run ids count from this process's start; a client that sees another session asks for everything.
    session: str = dataclasses.field(default_factory=lambda: os.urandom(4).hex())

    def rewinds(self, wanted: str | None) -> types.Rewinds:
        """What a question says of superseded points, or else the board's own setting."""
        return self.settings.rewinds if wanted is None else types.Rewinds(wanted)
