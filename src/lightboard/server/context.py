"""What every handler gets: the store to ask and the settings to obey."""

from __future__ import annotations

import dataclasses

from lightboard import query
from lightboard.server import settings as settings_


@dataclasses.dataclass(frozen=True)
class Context:
    store: query.Store
    settings: settings_.Settings = dataclasses.field(default_factory=settings_.Settings)
