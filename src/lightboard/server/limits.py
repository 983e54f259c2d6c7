"""How much clients may ask of one board at a time: docs/design/0014-heavy-work.md. Tests hand in smaller numbers."""

from __future__ import annotations

import dataclasses

MIB = 1 << 20


@dataclasses.dataclass(frozen=True, kw_only=True)
class Limits:
    # A client has this long to send a whole head, and no more than this. What the application allows in a query and in
    # headers (`app.py`) is less, and is refused with a sentence.
    head_secs: float = 60.0
    head_bytes: int = 512 << 10
    # A body that brings less than this in such a stretch of time is cut off. Time in which the server does not read
    # does not count.
    body_secs: float = 20.0
    body_bytes: int = 20 << 10
    # A client that still sends when it has its answer is listened to while it sends `body_bytes` in such a stretch of
    # time, and for so long in all: many read an answer only when they have sent everything.
    linger_secs: float = 2.0
    linger_most_secs: float = 60.0
    # None: three quarters of the descriptors that the process may have. At the limit the oldest idle connection goes.
    connections: int | None = None
    # Memory for all heavy work in flight, and disk space for bodies that are being received.
    memory_bytes: int = 256 * MIB
    spool_bytes: int = 1024 * MIB
    # Work that finds no room waits so long, then it is refused with status 503.
    wait_secs: float = 30.0
    # Freed memory goes back to the system so long after the last heavy work has ended.
    give_back_secs: float = 2.0
