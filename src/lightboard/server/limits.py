"""Limits for the load by clients: docs/design/0014-heavy-work.md. Tests pass smaller numbers."""

from __future__ import annotations

import dataclasses

MIB = 1 << 20


@dataclasses.dataclass(frozen=True, kw_only=True)
class Limits:
    """Timeouts and sizes that protect a board from its clients."""

    # Timeout and size limit for the head of a request. The application (`app.py`) has lower limits for queries and
    # headers, and answers with an error message.
    head_secs: float = 60.0
    head_bytes: int = 512 << 10
    # The connection is closed when a body brings less than `body_bytes` in `body_secs`. Time in which the server does
    # not read does not count.
    body_secs: float = 20.0
    body_bytes: int = 20 << 10
    # A client may go on sending after an early answer, because many read the answer only when they have sent
    # everything: at least `body_bytes` in `linger_secs`, and for `linger_most_secs` in total.
    linger_secs: float = 2.0
    linger_most_secs: float = 60.0
    # None: three quarters of the allowed file descriptors. At the limit the oldest idle connection is closed.
    connections: int | None = None
    # Memory for all heavy work in flight, and disk space for bodies that are being received.
    memory_bytes: int = 256 * MIB
    spool_bytes: int = 1024 * MIB
    # Work that does not fit into a budget waits this long; then it is refused with status 503.
    wait_secs: float = 30.0
    # Delay between the end of the last heavy work and the return of freed memory to the system.
    give_back_secs: float = 2.0
