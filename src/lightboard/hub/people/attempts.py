"""How often passwords and one-time links may be tried.

A bucket per name and per network refills steadily. An attempt takes from both before the password is checked, so that
parallel attempts cannot outrun the count; a success puts back what it took. Where a name was signed in from before,
it has a bucket of its own: who tries passwords elsewhere does not lock its owner out. Few attempts run at once; others
wait without a thread.
"""

from __future__ import annotations

import asyncio
import collections
import contextlib
import ipaddress
import math
import threading
from collections.abc import AsyncIterator

from lightboard.hub.life import refusals

PER_NAME = 20
PER_NETWORK = 100
WINDOW_SECS = 300.0
AT_ONCE = 4
MOST_WAITING = 500
# Buckets, and names with their networks, that are remembered; the longest unused one is forgotten first.
MOST_BUCKETS = 20_000
MOST_HOMES = 20_000


class TooMany(refusals.Refusal):
    """`retry_secs` becomes the header Retry-After."""

    status = 429
    rest_code = "RateLimited"

    def __init__(self, retry_secs: float) -> None:
        self.retry_secs = max(1, math.ceil(retry_secs))
        super().__init__("too many attempts", hint=f"try again in {self.retry_secs} s")


class Attempts:
    """State: the buckets (level, time of that level), where names signed in, and who waits for a turn."""

    def __init__(self, *, per_name: int = PER_NAME, per_network: int = PER_NETWORK) -> None:
        self._sizes = {"name": per_name, "home": per_name, "network": per_network}
        self._homes: collections.OrderedDict[tuple[str, str], None] = collections.OrderedDict()
        self._buckets: collections.OrderedDict[tuple[str, str], tuple[float, float]] = collections.OrderedDict()
        self._lock = threading.Lock()
        self._turns = asyncio.Semaphore(AT_ONCE)
        self._waiting = 0

    @contextlib.asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Raises TooMany if too many wait already."""
        if self._waiting >= MOST_WAITING:
            raise TooMany(5.0)
        self._waiting += 1
        try:
            async with self._turns:
                yield
        finally:
            self._waiting -= 1

    def take(self, name: str, address: str, now: float) -> None:
        """Counts an attempt. Raises TooMany."""
        with self._lock:
            keys = self._keys(name, address)
            levels = [self._level(key, now) for key in keys]
            waits = [
                (1.0 - level) * WINDOW_SECS / self._sizes[key[0]]
                for key, level in zip(keys, levels, strict=True)
                if level < 1.0
            ]
            if waits:
                raise TooMany(max(waits))
            for key, level in zip(keys, levels, strict=True):
                self._put(key, level - 1.0, now)

    def succeeded(self, name: str, address: str, now: float) -> None:
        """The right password: its network gets back what this attempt took, and is known for this name from now on."""
        with self._lock:
            for key in self._keys(name, address):
                self._put(key, min(self._sizes[key[0]], self._level(key, now) + 1.0), now)
            if name:
                home = (name[:100], network_of(address))
                self._homes[home] = None
                self._homes.move_to_end(home)
                if len(self._homes) > MOST_HOMES:
                    self._homes.popitem(last=False)

    def _keys(self, name: str, address: str) -> list[tuple[str, str]]:
        name, network = name[:100], network_of(address)
        by_network = ("network", network)
        if not name:
            return [by_network]
        if (name, network) in self._homes:
            return [("home", f"{name} {network}"), by_network]
        return [("name", name), by_network]

    def _level(self, key: tuple[str, str], now: float) -> float:
        size = self._sizes[key[0]]
        level, at = self._buckets.get(key, (float(size), now))
        return min(size, level + max(0.0, now - at) * size / WINDOW_SECS)

    def _put(self, key: tuple[str, str], level: float, now: float) -> None:
        if level >= self._sizes[key[0]]:
            self._buckets.pop(key, None)
            return
        self._buckets[key] = (level, now)
        self._buckets.move_to_end(key)
        if len(self._buckets) > MOST_BUCKETS:
            self._buckets.popitem(last=False)


def network_of(address: str) -> str:
    """One customer has a whole /64 of IPv6."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address[:100]
    if parsed.version == 6:
        return str(parsed.ipv4_mapped or ipaddress.ip_network((int(parsed) >> 64 << 64, 64)))
    return address
