"""How often a root elsewhere is listed: requests cost money, and nobody may be looking.

    files changed within the last minute        every `--reload_interval`
    nothing changes                             at most 10 requests a minute: `Watch.interval_secs`
    nobody has looked for a minute              twice as long each time
    nobody has looked for two minutes           not at all, until somebody does
    the store does not answer, or some files    twice as long each time, up to a minute
    could not be read

Pure: times are handed in.
"""

from __future__ import annotations

import dataclasses
import math

LIVELY_SECS = 60.0
ALONE_SECS = 60.0
ASLEEP_SECS = 120.0
MOST_SECS = 60.0
# Listing may take at most this share of the time, however large the root is.
SHARE = 1 / 10


@dataclasses.dataclass
class Pace:
    """One root. State: when it was listed last and how long that took, when it last changed, failures in a row, and
    listings since somebody looked."""

    listed_at: float = -math.inf
    took_secs: float = 0.0
    changed_at: float = -math.inf
    failures: int = 0
    alone: int = 0

    def listed(self, now: float, took_secs: float, *, changed: bool, failed: bool, unseen_secs: float) -> None:
        if changed and self.listed_at != -math.inf:  # everything is new to the first listing
            self.changed_at = now
        self.listed_at, self.took_secs = now, took_secs
        self.failures = min(self.failures + 1, 10) if failed else 0
        self.alone = min(self.alone + 1, 10) if unseen_secs >= ALONE_SECS else 0

    def due_at(self, now: float, *, least_secs: float, quiet_secs: float, unseen_secs: float) -> float:
        """`quiet_secs`: the interval while nothing changes; `unseen_secs`: how long ago somebody looked."""
        if unseen_secs >= ASLEEP_SECS:
            return math.inf
        interval = max(least_secs, self.took_secs / SHARE)
        if self.failures:
            return self.listed_at + max(interval, min(least_secs * 2.0 ** (self.failures - 1), MOST_SECS))
        if now - self.changed_at >= LIVELY_SECS:
            interval = max(interval, quiet_secs)
        if unseen_secs >= ALONE_SECS:
            interval = max(interval, min(interval * 2.0**self.alone, MOST_SECS))
        return self.listed_at + interval
