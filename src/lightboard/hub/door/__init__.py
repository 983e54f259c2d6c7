"""The way to boards: every request below `/boards/<id>/` is checked here and forwarded to the board's own server.

    who(scope)               the identity of the client, None if it has none
    may_open(identity, id)   `Open` with the socket of the board, or a `Reply` instead: 404 for a board that this client
                             may not see, a page with progress while the board wakes, a redirect to the sign-in

`paths` checks addresses, `headers` decides what passes in both directions, `upstream` has the connections to boards,
`door` is the ASGI application that uses the three.

What logged content can do. A board shows HTML that users logged, from the same host as the hub. The board sandboxes it,
and the door does not rely on that: every answer below a board's `/api/` and `/data/` gets a policy with `sandbox` and
without network, whatever the board sends. A document from there has an opaque origin: it has no cookies and reads
nothing of the hub, and should a browser let a request out, it says `Origin: null` and has no CSRF token, so that writes
to the hub refuse it. Pages that run with the hub's origin are files of the build. A board can set no cookie, no CORS
header, no service worker outside its path, and no redirect out of it. No cookie, token or header with an identity
reaches a board. A fault in the board's own page could still act as its reader; only a separate host name for boards
prevents that.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]


@dataclasses.dataclass(frozen=True)
class Open:
    """The board may be opened; `address` is the path of its Unix socket."""

    address: str


@dataclasses.dataclass(frozen=True)
class Reply:
    """A whole answer."""

    status: int
    body: bytes = b""
    media_type: str = "text/html; charset=utf-8"
    headers: tuple[tuple[bytes, bytes], ...] = ()


@dataclasses.dataclass(frozen=True, kw_only=True)
class Limits:
    """Tests use smaller numbers."""

    connect_secs: float = 2.0
    first_byte_secs: float = 300.0
    stalled_secs: float = 300.0  # a client that takes no byte for so long is disconnected
    idle_secs: float = 4.0  # of an unused connection; boards close theirs after 5 s
    idle_connections: int = 16  # to one board
    connections: int = 512  # to one board
    waiting_bytes: int = 512 << 10  # of an answer that the client has not taken yet
    check_secs: float = 10.0  # how often a long exchange is checked: may the client still open the board?
    # An exchange that takes longer is watched: for a client that leaves, and for the limits above.
    watch_after_secs: float = 0.05
