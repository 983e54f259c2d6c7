"""Timeouts and a limit on connections, so that endless requests and too many clients cannot exhaust the server.

    head      at most `head_secs` and `head_bytes` in total
    body      at least `body_bytes` per `body_secs`, or it ends with status 408
    answered  a client that still sends after its response may go on with at least `body_bytes` per `linger_secs`,
              for at most `linger_most_secs`; closing at once could lose the response in transit
    number    at the limit the least important connection is closed: first idle ones, then those that send, then those
              that wait for a response; among equals the longest silent one

uvicorn itself closes idle connections between requests.
"""

from __future__ import annotations

import asyncio
import importlib
import time
from typing import TYPE_CHECKING

from lightboard.server import limits

if TYPE_CHECKING:
    from uvicorn.protocols.http import httptools_impl

MOST = 8192
_SLOW = b"The body of the request came too slowly.\n"
_SLOW_ANSWER = (
    b"HTTP/1.1 408 Request Timeout\r\ncontent-type: text/plain; charset=utf-8\r\nconnection: close\r\n"
    b"content-length: %d\r\n\r\n%s" % (len(_SLOW), _SLOW)
)


def most(bounds: limits.Limits) -> int:
    """Limit on connections: the board also needs file descriptors for files."""
    if bounds.connections is not None:
        return bounds.connections
    try:
        resource = importlib.import_module("resource")
    except ImportError:  # Windows
        return MOST
    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return MOST if soft == resource.RLIM_INFINITY else max(16, min(MOST, soft * 3 // 4))


def protocol(bounds: limits.Limits) -> type[httptools_impl.HttpToolsProtocol]:
    """Returns uvicorn's protocol with these limits. All connections of one server share one set."""
    from uvicorn.protocols.http import httptools_impl

    everybody: set[Connection] = set()
    room = most(bounds)

    class Connection(httptools_impl.HttpToolsProtocol):
        """State: `_head_timer` runs from the start of the connection, or the first byte of a later request, to the end
        of the head; `_body_timer` from there to the end of the body; `_linger_timer` from a response that was sent
        before that end.
        """

        _head_bytes = 0
        _head_timer: asyncio.TimerHandle | None = None
        _body_bytes = 0
        _body_timer: asyncio.TimerHandle | None = None
        _linger_timer: asyncio.TimerHandle | None = None
        _linger_end = 0.0
        _held_back = False  # the server paused reading in this period
        _heard = 0.0

        # ---- the connection

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._heard = time.monotonic()
            if len(everybody) >= room:
                least = min(everybody, key=lambda each: each.importance())
                everybody.discard(least)
                least.transport.abort()
            everybody.add(self)
            self._start_head()

        def connection_lost(self, exc: Exception | None) -> None:
            everybody.discard(self)
            self._stop_head()
            self._stop_body()
            if self._linger_timer is not None:
                self._linger_timer.cancel()
            super().connection_lost(exc)

        def importance(self) -> tuple[int, float]:
            cycle: httptools_impl.RequestResponseCycle | None = self.cycle
            answering = cycle is not None and not cycle.response_complete
            sending = self._body_timer is not None or self._linger_timer is not None or self._head_bytes > 0
            return (1 if sending else 2 if answering else 0), self._heard

        def data_received(self, data: bytes) -> None:
            if self.transport.is_closing():
                return
            self._heard = time.monotonic()
            if self._head_timer is not None:
                self._head_bytes += len(data)
                if self._head_bytes > bounds.head_bytes:
                    self.send_400_response("The head of the request is too long.")
                    return
            super().data_received(data)

        # ---- the request

        def on_message_begin(self) -> None:
            self._start_head()
            super().on_message_begin()

        def on_headers_complete(self) -> None:
            self._stop_head()
            if self._linger_timer is None:
                super().on_headers_complete()
                self._start_body()

        def on_body(self, body: bytes) -> None:
            self._body_bytes += len(body)
            super().on_body(body)
            self._held_back |= self.flow.read_paused

        def on_message_complete(self) -> None:
            self._stop_body()
            if self._linger_timer is not None:
                self.transport.close()
            else:
                super().on_message_complete()

        def on_response_complete(self) -> None:
            super().on_response_complete()
            # while `response_complete` is false, the body belongs to the next request
            unread = self._body_timer is not None and self.cycle.response_complete
            if unread and self._linger_timer is None and not self.transport.is_closing():
                self._stop_body()
                self._unset_keepalive_if_required()
                if self.transport.can_write_eof():
                    self.transport.write_eof()
                self._linger_end = time.monotonic() + bounds.linger_most_secs
                self._linger()

        # ---- timers

        def _linger(self) -> None:
            self._body_bytes = 0
            self._linger_timer = self.loop.call_later(bounds.linger_secs, self._check_linger)

        def _check_linger(self) -> None:
            if self._body_bytes >= bounds.body_bytes and time.monotonic() < self._linger_end:
                self._linger()
            else:
                self.transport.abort()

        def _start_head(self) -> None:
            if self._head_timer is None:
                self._head_timer = self.loop.call_later(bounds.head_secs, self.transport.close)

        def _stop_head(self) -> None:
            if self._head_timer is not None:
                self._head_timer.cancel()
            self._head_timer, self._head_bytes = None, 0

        def _start_body(self) -> None:
            self._body_bytes, self._held_back = 0, False
            self._body_timer = self.loop.call_later(bounds.body_secs, self._check_body)

        def _stop_body(self) -> None:
            if self._body_timer is not None:
                self._body_timer.cancel()
            self._body_timer = None

        def _check_body(self) -> None:
            ours = self._held_back or self.flow.read_paused or self.cycle.waiting_for_100_continue
            if self._body_bytes >= bounds.body_bytes or ours:
                self._start_body()
                return
            self._body_timer = None
            if not self.cycle.response_started:
                self.transport.write(_SLOW_ANSWER)
            self.transport.close()

    return Connection
