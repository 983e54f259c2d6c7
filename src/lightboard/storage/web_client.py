"""Requests to one web server: kept connections, time limits, retries, redirects, proxies.

Retried, with back-off: answers 429 and 5xx, connections that break off, are refused or time out. Redirects are followed
on the same origin only: `headers_of` is asked again for each address, so nothing secret leaves the directories that it
belongs to. `Refused` carries words that `faults.explained` knows.
"""

from __future__ import annotations

import base64
import email.message
import functools
import http.client
import random
import socket
import ssl
import threading
import time
import urllib.parse
import urllib.request
import weakref
from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from lightboard.storage import guard, networks, settings

T = TypeVar("T")

CONNECT_SECS = 5.0
REDIRECTS = 5
PIECE_BYTES = 1 << 20
FIRST_BYTES = 8 << 10  # the buffer of http.client has as many
# A server closes connections that it keeps for some time; one that is older is not tried.
IDLE_SECS = 20.0
# One request may take this many times as long as the server may be silent.
WHOLE = 10
BACK_OFF_SECS = 0.1
MOST_BACK_OFF_SECS = 15.0
RETRY_SECS = 60.0  # since the first try
_RETRIED = (429, 500, 502, 503, 504)
_MOVED = (301, 302, 303, 307, 308)


class Refused(Exception):
    """No usable answer. `passing`: trying again may help."""

    def __init__(self, words: str, *, passing: bool = True, after_secs: float = 0.0) -> None:
        super().__init__(words)
        self.passing = passing
        self.after_secs = after_secs


class Elsewhere(Exception):
    """The server redirects to another origin, or in a circle."""

    def __init__(self, origin: str) -> None:
        super().__init__(origin)
        self.origin = origin


class TooLong(Exception):
    """The body is longer than the caller wants."""


class Answer:
    """Status and headers; the body is read piece by piece, or not at all. Must be read to its end or closed."""

    def __init__(
        self,
        response: http.client.HTTPResponse,
        url: str,
        deadline: float,
        give_back: Callable[[bool], None],
    ) -> None:
        self.status = response.status
        self.headers: email.message.Message = response.headers
        self.url = url  # after redirects
        self._response = response
        self._deadline = deadline
        self._give_back: Callable[[bool], None] | None = give_back

    def pieces(self) -> Iterator[bytes]:
        complete = False
        try:
            yield from _body(self._response, self._deadline)
            complete = True
        except (OSError, http.client.HTTPException) as error:
            raise refused(error) from error
        finally:
            self._end(complete)

    def read_some(self, part: memoryview) -> int:
        """Reads a part of the body into a buffer, without copies between. Returns how many bytes came, 0 at the end.
        Raises Refused."""
        try:
            count = self._response.readinto(part[:PIECE_BYTES])
            if time.monotonic() > self._deadline:
                raise TimeoutError
        except (OSError, http.client.HTTPException) as error:
            self._end(complete=False)
            raise refused(error) from error
        return count

    def socket(self) -> tuple[int, bytes] | None:
        """The descriptor from which the rest of the body can be received, and the bytes that have been; None if TLS or
        chunks are around them."""
        raw = getattr(self._response.fp, "raw", None)
        found = getattr(raw, "_sock", None)
        if type(found) is not socket.socket or self._response.chunked or not self._response.length:
            return None
        return found.fileno(), self._response.fp.read1(min(self._response.length, FIRST_BYTES))

    def finish(self, *, complete: bool) -> None:
        """The body was received by somebody else: all of it, or not."""
        self._end(complete)

    def body(self, most: int) -> bytearray:
        found = bytearray()
        for piece in self.pieces():
            found += piece
            if len(found) > most:
                self.close()
                raise TooLong
        return found

    def close(self) -> None:
        self._end(complete=self._response.length == 0)

    def _end(self, complete: bool) -> None:
        give_back, self._give_back = self._give_back, None
        if give_back is not None:
            keeps = complete and not self._response.will_close
            self._response.close()
            give_back(keeps)


class Client:
    """State: `_idle`, kept connections with the time of their last use, under `_lock`. Any thread may call."""

    def __init__(
        self,
        origin: str,
        limits: settings.Limits,
        headers_of: Callable[[str], Mapping[str, str]] = lambda path: {},
        *,
        ca: str = "",
        proxy: str = "",
        allowed: networks.Networks | None = None,
    ) -> None:
        """`allowed`: the networks that are connected to; not used with a proxy, which decides itself."""
        parts = urllib.parse.urlsplit(origin)
        self._allowed = allowed
        self.origin = origin
        self._secure = parts.scheme == "https"
        self._host, self._port = parts.hostname or "", parts.port or (443 if self._secure else 80)
        self._limits = limits
        self._headers_of = headers_of
        self._proxy = urllib.parse.urlsplit(_proxy_of(parts, proxy))
        self._tls = ssl.create_default_context(cafile=ca or None) if self._secure else None
        self._lock = threading.Lock()
        self._idle: list[tuple[float, http.client.HTTPConnection]] = []
        weakref.finalize(self, _close, self._idle)

    def whole(
        self, method: str, path: str, headers: Mapping[str, str], most: int
    ) -> tuple[int, email.message.Message, str, bytearray]:
        """Returns status, headers, address and body. `path` is percent-encoded."""

        def attempt() -> tuple[int, email.message.Message, str, bytearray]:
            answer = self.followed(method, path, headers)
            return answer.status, answer.headers, answer.url, answer.body(most)

        return self.tried(attempt)

    def stream(self, path: str, headers: Mapping[str, str]) -> Answer:
        """What breaks off in the body raises Refused there, and is not retried."""
        return self.tried(lambda: self.followed("GET", path, headers))

    def tried(self, attempt: Callable[[], T]) -> T:
        until = time.monotonic() + RETRY_SECS
        for number in range(self._limits.retries):
            try:
                return attempt()
            except Refused as problem:
                if not problem.passing or time.monotonic() > until:
                    raise
                back_off = BACK_OFF_SECS * 2**number * random.uniform(0.5, 1.5)
                time.sleep(min(max(back_off, problem.after_secs), MOST_BACK_OFF_SECS))
        return attempt()

    def followed(self, method: str, path: str, headers: Mapping[str, str]) -> Answer:
        url = f"{self.origin}{path}"
        for _ in range(REDIRECTS + 1):
            answer = self._once(method, url, headers)
            if answer.status in _RETRIED:
                after = answer.headers.get("Retry-After", "")
                answer.close()
                raise Refused(f"status code: {answer.status}", after_secs=float(after) if after.isdecimal() else 0.0)
            if answer.status not in _MOVED or "Location" not in answer.headers:
                return answer
            answer.close()
            url = self._moved(url, answer.headers["Location"])
        raise Elsewhere(self.origin)

    def _moved(self, url: str, location: str) -> str:
        try:
            found = urllib.parse.urlsplit(urllib.parse.urljoin(url, location))
            origin = origin_of(found)
        except ValueError as error:
            raise Elsewhere("?") from error
        if origin != origin_of(urllib.parse.urlsplit(self.origin)):
            raise Elsewhere(origin)
        # what `quote` leaves as it is, so that no server's space ends the request line
        path = urllib.parse.quote(found.path or "/", safe="/%!$&'()*+,;=:@~")
        return f"{self.origin}{path}" + (f"?{urllib.parse.quote(found.query, safe='/%?=&+:@')}" if found.query else "")

    def _once(self, method: str, url: str, headers: Mapping[str, str]) -> Answer:
        path = url[len(self.origin) :]
        target = url if self._proxy.hostname and not self._secure else path
        own = {"User-Agent": "lightboard", **headers, **self._headers_of(path), **self._proxy_headers(secure=False)}
        deadline = time.monotonic() + self._limits.timeout_secs * WHOLE
        for _ in range(2):
            connection, used = self._connection()
            try:
                connection.request(method, target, headers=own)
                response = connection.getresponse()
            except (ConnectionError, http.client.BadStatusLine, BrokenPipeError) as error:
                connection.close()
                if used:  # the server closed it while nobody used it
                    continue
                raise refused(error) from error
            except (OSError, http.client.HTTPException) as error:
                connection.close()
                raise refused(error) from error
            return Answer(response, url, deadline, functools.partial(self._give_back, connection))
        raise Refused("ConnectionReset")

    def _connection(self) -> tuple[http.client.HTTPConnection, bool]:
        """A connected one, and whether it was used before."""
        now = time.monotonic()
        with self._lock:
            old = [kept for at, kept in self._idle if now - at >= IDLE_SECS]
            self._idle[:] = [(at, kept) for at, kept in self._idle if now - at < IDLE_SECS]
            kept = self._idle.pop()[1] if self._idle else None
        for each in old:
            each.close()
        return (kept, True) if kept is not None else (self._connected(), False)

    def _give_back(self, connection: http.client.HTTPConnection, keeps: bool) -> None:
        with self._lock:
            if keeps and len(self._idle) < max(self._limits.parallel_reads, 1):
                self._idle.append((time.monotonic(), connection))
                return
        connection.close()

    def _connected(self) -> http.client.HTTPConnection:
        host, port = (self._host, self._port) if not self._proxy.hostname else (self._proxy.hostname, self._proxy_port)
        made: http.client.HTTPConnection
        if self._tls is not None:
            made = http.client.HTTPSConnection(host, port, timeout=CONNECT_SECS, context=self._tls)
            if self._proxy.hostname:
                made.set_tunnel(self._host, self._port, headers=self._proxy_headers(secure=True))
        else:
            made = http.client.HTTPConnection(host, port, timeout=CONNECT_SECS)
        if self._allowed is not None and not self._proxy.hostname:
            allowed = self._allowed
            # the name is looked up here and nowhere else, so the address that was checked is the one connected to
            made._create_connection = lambda to, *_: networks.connect(allowed, to[0], to[1], CONNECT_SECS)  # type: ignore[attr-defined]
        try:
            made.connect()
        except OSError as error:
            made.close()
            raise refused(error) from error
        made.sock.settimeout(self._limits.timeout_secs)
        made.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return made

    @property
    def _proxy_port(self) -> int:
        return self._proxy.port or (443 if self._proxy.scheme == "https" else 80)

    def _proxy_headers(self, *, secure: bool) -> dict[str, str]:
        """Those that go to the proxy: with the request, or with the tunnel."""
        if not self._proxy.username or secure != self._secure:
            return {}
        user, password = (urllib.parse.unquote(part or "") for part in (self._proxy.username, self._proxy.password))
        return {"Proxy-Authorization": basic(user, password)}


def _close(idle: list[tuple[float, http.client.HTTPConnection]]) -> None:
    for _, connection in idle:
        connection.close()


def basic(user: str, password: str) -> str:
    return f"Basic {base64.b64encode(f'{user}:{password}'.encode()).decode()}"


def origin_of(parts: urllib.parse.SplitResult) -> str:
    """Scheme, host and port, as everybody would write them."""
    host = (parts.hostname or "").lower()
    port = parts.port
    shown = f"[{host}]" if ":" in host else host
    usual = {"http": 80, "https": 443}.get(parts.scheme)
    return f"{parts.scheme}://{shown}" + ("" if port in (None, usual) else f":{port}")


def _proxy_of(parts: urllib.parse.SplitResult, configured: str) -> str:
    """The proxy for an origin as urllib finds it: of the environment, unless `no_proxy` names the host."""
    if configured:
        return configured if "://" in configured else f"http://{configured}"
    host = parts.hostname or ""
    if urllib.request.proxy_bypass(f"{host}:{parts.port}" if parts.port else host):
        return ""
    found = urllib.request.getproxies()
    proxy = found.get(parts.scheme) or found.get("all", "")
    return proxy if "://" in proxy or not proxy else f"http://{proxy}"


def _body(response: http.client.HTTPResponse, deadline: float) -> Iterator[bytes]:
    left = response.length
    while left is None or left > 0:
        if response.chunked:
            piece = response.read1(PIECE_BYTES)
        else:  # not its `read1`, which does not count what is left in every version of Python
            piece = response.fp.read1(PIECE_BYTES if left is None else min(left, PIECE_BYTES))
        if not piece:
            if left:
                raise http.client.IncompleteRead(b"", left)
            return
        left = None if left is None else left - len(piece)
        yield piece
        if time.monotonic() > deadline:
            raise TimeoutError


def refused(error: Exception) -> Refused:
    """Each kind of failure, in words of `faults`."""
    text = str(error)
    if isinstance(error, networks.Inside):
        return Refused(guard.INSIDE, passing=False)
    if isinstance(error, ssl.SSLCertVerificationError):
        return Refused("invalid peer certificate", passing=False)
    if isinstance(error, ssl.SSLError):
        wrong = any(word in text for word in ("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "HTTP_REQUEST"))
        return Refused("WrongVersion", passing=False) if wrong else Refused("ConnectionReset")
    if isinstance(error, socket.gaierror):
        return Refused("dns error")
    if isinstance(error, TimeoutError):
        return Refused("TimedOut")
    if isinstance(error, ConnectionRefusedError):
        return Refused("Connection refused")
    if isinstance(error, http.client.BadStatusLine) and text.strip("'\"").startswith(("\\x15\\x03", "\x15\x03")):
        return Refused("HTTP request to an HTTPS server", passing=False)
    if isinstance(error, OSError) and text.startswith("Tunnel connection failed"):
        return Refused(f"status code: {text.split()[3]}", passing=False)
    return Refused("ConnectionReset" if isinstance(error, ConnectionError) else "UnexpectedEof")
