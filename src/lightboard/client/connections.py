"""Requests to one hub over kept connections: time limits, retries, redirects, proxies, TLS.

A request is sent again only if that cannot do anything twice: it reads, it has an Idempotency-Key, repeating it is
defined to change nothing (`again=True`), or it was never sent. Answers 429, 502, 503 and 504 and broken connections are
retried with back-off for `RETRY_SECS`.

The token goes to the hub's own origin only: redirects to another one are refused, and nothing here logs or shows it.
"""

from __future__ import annotations

import base64
import dataclasses
import http.client
import json
import os
import random
import socket
import ssl
import threading
import time
import urllib.parse
import urllib.request
import weakref
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from lightboard import errors
from lightboard.client import addresses, hub_errors

CONNECT_SECS = 10.0
# How long the hub may be silent. A wait adds the time it asks for.
SILENT_SECS = 30.0
# A server closes connections that nobody uses; older ones are not tried.
IDLE_SECS = 4.0
MOST_IDLE = 4
RETRY_SECS = 3.0
BACK_OFF_SECS = 0.1
MOST_BACK_OFF_SECS = 5.0
MOST_BODY_BYTES = 256 << 20
PIECE_BYTES = 1 << 18
REDIRECTS = 5
_MOVED = (301, 302, 303, 307, 308)
_PASSING = (429, 502, 503, 504)
_SAFE = frozenset({"GET", "HEAD"})
_REPEATABLE = _SAFE | {"PUT", "DELETE"}


@dataclasses.dataclass(frozen=True)
class Request:
    """`again`: sending it twice changes nothing. `silent_secs`: how long the answer may take."""

    method: str
    path: str  # below the hub's address, percent-encoded, with its query
    body: bytes | Iterable[bytes] | None = None  # pieces are sent as they come, for each try again
    headers: Mapping[str, str] = dataclasses.field(default_factory=dict, repr=False)
    again: bool = False
    silent_secs: float = SILENT_SECS
    retry_secs: float | None = None  # None: RETRY_SECS

    @property
    def repeatable(self) -> bool:
        return self.again or self.method in _REPEATABLE or "Idempotency-Key" in self.headers


@dataclasses.dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]  # names in lower case; of several with one name the last
    body: bytes = dataclasses.field(repr=False)
    cookies: tuple[str, ...] = dataclasses.field(default=(), repr=False)  # values of Set-Cookie
    repeated: bool = False  # the request was sent more than once

    def json(self) -> Any:
        try:
            return json.loads(self.body)
        except ValueError as error:
            raise hub_errors.Unreachable(
                "the answer is not that of a hub", status=self.status, hint="check the address of the hub"
            ) from error


class _Broken(Exception):
    """No answer. `sent`: the hub may have got the request."""

    def __init__(self, error: hub_errors.HubError, *, sent: bool, stale: bool = False, passing: bool = True) -> None:
        super().__init__(str(error))
        self.error, self.sent, self.stale, self.passing = error, sent, stale, passing


class Connections:
    """State: `_idle`, kept connections with the time of their last use, under `_lock`. Any thread may call."""

    def __init__(self, url: str, token: str = "", *, insecure: bool = False) -> None:
        self.url = addresses.normalized(url)
        if token:
            addresses.check_secure(self.url, insecure=insecure)
        self._token = _checked(token)
        parts = urllib.parse.urlsplit(self.url)
        self._secure = parts.scheme == "https"
        self._host, self._port = parts.hostname or "", parts.port or (443 if self._secure else 80)
        self._prefix = parts.path
        self._proxy = urllib.parse.urlsplit(_proxy_of(parts))
        self._tls: ssl.SSLContext | None = None
        self._lock = threading.Lock()
        self._idle: list[tuple[float, http.client.HTTPConnection]] = []
        weakref.finalize(self, _close, self._idle)

    def __repr__(self) -> str:
        return f"Connections({self.url!r})"

    def close(self) -> None:
        with self._lock:
            kept, self._idle[:] = list(self._idle), []
        _close(kept)

    def ask(self, request: Request) -> Answer:
        """Returns any answer but those that were retried without success. Raises hub_errors.HubError."""
        until = time.monotonic() + (RETRY_SECS if request.retry_secs is None else request.retry_secs)
        number = 0
        while True:
            try:
                answer = self._followed(request)
            except _Broken as broken:
                may_repeat = broken.passing and (request.repeatable or not broken.sent)
                if not may_repeat or time.monotonic() >= until:
                    raise broken.error from broken.__cause__
                secs = 0.0 if broken.stale else _back_off(number)
            else:
                wanted = _retry_after(answer)
                refused = answer.status in _PASSING and (request.repeatable or answer.status == 429)
                if not refused or time.monotonic() + wanted >= until:
                    return dataclasses.replace(answer, repeated=number > 0)
                secs = max(wanted, _back_off(number))
            number += 1
            time.sleep(min(secs, max(until - time.monotonic(), 0.0)))

    def lines(self, path: str, silent_secs: float) -> Iterator[str]:
        """Yields the lines of a stream until the hub ends it; breaking off raises Unreachable."""
        request = Request("GET", path, headers={"Accept": "text/event-stream"}, silent_secs=silent_secs)
        try:
            connection, response = self._sent(request, path, fresh=True)
        except _Broken as broken:
            raise broken.error from broken.__cause__
        try:
            if response.status != 200:
                raise of_answer(_answer(response))
            for line in response:
                yield line.decode("utf-8", "replace").rstrip("\r\n")
        except (OSError, http.client.HTTPException) as error:
            raise self._unreachable(error) from error
        finally:
            connection.close()

    def pieces(self, path: str, silent_secs: float = SILENT_SECS) -> Iterator[bytes]:
        """Yields the body of an answer as it comes; breaking off raises Unreachable."""
        request = Request("GET", path, headers={"Accept": "*/*"}, silent_secs=silent_secs)
        try:
            connection, response = self._sent(request, path, fresh=False)
        except _Broken as broken:
            if not broken.stale:
                raise broken.error from broken.__cause__
            try:
                connection, response = self._sent(request, path, fresh=True)
            except _Broken as again:
                raise again.error from again.__cause__
        kept = False
        try:
            if response.status != 200:
                raise of_answer(_answer(response))
            while piece := response.read(PIECE_BYTES):
                yield piece
            if response.length:
                raise http.client.IncompleteRead(b"", response.length)
            kept = not response.will_close
        except (OSError, http.client.HTTPException) as error:
            raise self._unreachable(error) from error
        finally:
            if kept:
                self._keep(connection)
            else:
                connection.close()

    def _followed(self, request: Request) -> Answer:
        path = request.path
        for _ in range(REDIRECTS + 1):
            answer = self._once(request, path)
            place = answer.headers.get("location", "")
            follows = request.method in _SAFE or answer.status in (307, 308)
            if answer.status not in _MOVED or not place or not follows:
                return answer
            path = self._moved(path, place)
        raise hub_errors.Unreachable(f"the hub redirects in a circle: {self.url}")

    def _moved(self, path: str, place: str) -> str:
        """Returns the path of a redirect on our own origin; another one gets neither the request nor the token."""
        target, found = "", ""
        try:
            target = urllib.parse.urljoin(f"{self.url}{path}", place)
            found = addresses.origin(addresses.normalized(target.partition("?")[0].partition("#")[0]))
        except (ValueError, errors.BadInput):
            pass  # no address at all
        if found != addresses.origin(self.url):
            raise hub_errors.Unreachable(
                f"{self.url} redirects to another address{f': {found}' if found else ''}",
                hint="use that address if you trust it; the token was not sent there",
            )
        rest = urllib.parse.urlsplit(target)
        full = urllib.parse.urlunsplit(("", "", urllib.parse.quote(rest.path, safe="/%:@!$&'()*+,;=~"), rest.query, ""))
        if self._prefix and not full.startswith(f"{self._prefix}/"):
            raise hub_errors.Unreachable(f"{self.url} redirects to another address below the same host")
        return full[len(self._prefix) :]

    def _once(self, request: Request, path: str) -> Answer:
        connection, response = self._sent(request, path, fresh=not request.repeatable)
        try:
            answer = _answer(response)
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            raise _Broken(self._unreachable(error), sent=True) from error
        if response.will_close:
            connection.close()
        else:
            self._keep(connection)
        return answer

    def _sent(
        self, request: Request, path: str, *, fresh: bool
    ) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
        """A used connection may be closed by the hub at any moment: only repeatable requests go over one."""
        connection, used = (self._connected(), False) if fresh else self._connection()
        target = f"{self._prefix}{path}"
        if self._proxy.hostname and not self._secure:
            target = f"{addresses.origin(self.url)}{target}"
        connection.sock.settimeout(request.silent_secs)
        try:
            connection.request(request.method, target, body=request.body, headers=self._headers(request))
            return connection, connection.getresponse()
        except (ConnectionError, http.client.BadStatusLine) as error:
            connection.close()
            raise _Broken(self._unreachable(error), sent=True, stale=used) from error
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            raise _Broken(self._unreachable(error), sent=True) from error

    def _headers(self, request: Request) -> dict[str, str]:
        headers = {"User-Agent": "lightboard", "Accept": "application/json", **request.headers}
        if request.body is not None:
            headers.setdefault("Content-Type", "application/json")
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        if not self._secure:
            headers.update(self._proxy_headers())
        return headers

    def _connection(self) -> tuple[http.client.HTTPConnection, bool]:
        now = time.monotonic()
        with self._lock:
            old = [kept for at, kept in self._idle if now - at >= IDLE_SECS]
            self._idle[:] = [(at, kept) for at, kept in self._idle if now - at < IDLE_SECS]
            found = self._idle.pop()[1] if self._idle else None
        for each in old:
            each.close()
        return (found, True) if found is not None else (self._connected(), False)

    def _keep(self, connection: http.client.HTTPConnection) -> None:
        with self._lock:
            if len(self._idle) < MOST_IDLE:
                self._idle.append((time.monotonic(), connection))
                return
        connection.close()

    def _connected(self) -> http.client.HTTPConnection:
        through = bool(self._proxy.hostname)
        host = self._proxy.hostname or self._host
        port = (self._proxy.port or 80) if through else self._port
        made: http.client.HTTPConnection
        if self._secure:
            made = http.client.HTTPSConnection(host, port, timeout=CONNECT_SECS, context=self._context())
            if through:
                made.set_tunnel(self._host, self._port, headers=self._proxy_headers())
        else:
            made = http.client.HTTPConnection(host, port, timeout=CONNECT_SECS)
        try:
            made.connect()
        except (OSError, http.client.HTTPException) as error:
            made.close()
            passing = not isinstance(error, ssl.SSLError | socket.gaierror)
            raise _Broken(self._unreachable(error), sent=False, passing=passing) from error
        made.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return made

    def _context(self) -> ssl.SSLContext:
        """Verifies against the system's certificates, or those of LIGHTBOARD_HUB_CA."""
        if self._tls is None:
            place = os.environ.get("LIGHTBOARD_HUB_CA", "")
            is_directory = bool(place) and os.path.isdir(place)  # noqa: PTH112 (before pathlib is imported)
            try:
                self._tls = ssl.create_default_context(
                    cafile=place if place and not is_directory else None, capath=place if is_directory else None
                )
            except OSError as error:
                raise errors.BadInput(f"LIGHTBOARD_HUB_CA cannot be used ({error}): {place}") from error
        return self._tls

    def _proxy_headers(self) -> dict[str, str]:
        if not self._proxy.hostname or not self._proxy.username:
            return {}
        pair = ":".join(urllib.parse.unquote(part or "") for part in (self._proxy.username, self._proxy.password))
        return {"Proxy-Authorization": f"Basic {base64.b64encode(pair.encode()).decode()}"}

    def _unreachable(self, error: Exception) -> hub_errors.HubError:
        where = f"{self.url}{f' through the proxy {self._proxy.hostname}' if self._proxy.hostname else ''}"
        if isinstance(error, ssl.SSLCertVerificationError):
            return hub_errors.Unreachable(
                f"the certificate is not trusted ({error.verify_message}): {where}",
                hint="LIGHTBOARD_HUB_CA names the file of your certificate authority",
            )
        if isinstance(error, ssl.SSLError):
            return hub_errors.Unreachable(
                f"no TLS connection ({error.reason or error}): {where}", hint="is the address http:// instead?"
            )
        if isinstance(error, TimeoutError):
            return hub_errors.TimedOut(f"the hub did not answer in time: {where}")
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        return hub_errors.Unreachable(
            f"the hub does not answer ({reason}): {where}", hint="is it running? check the address"
        )


def of_answer(answer: Answer) -> hub_errors.HubError:
    """Returns the error of an answer that is not a success."""
    try:
        document = json.loads(answer.body)
    except ValueError:
        document = None
    if not isinstance(document, dict) or not ("code" in document or "title" in document):
        by = "a proxy in between" if answer.status in (407, 502, 503, 504) else "something that is not a hub"
        message = f"{by} answered {answer.status}"
        return hub_errors.Unreachable(message, status=answer.status, hint="check the address of the hub")
    return hub_errors.of_problem(answer.status, document)


def _answer(response: http.client.HTTPResponse) -> Answer:
    body = response.read(MOST_BODY_BYTES + 1)
    if len(body) > MOST_BODY_BYTES:
        raise http.client.HTTPException("the answer is too large")
    if response.length:  # `read` with a limit does not notice that a body ends early
        raise http.client.IncompleteRead(body, response.length)
    headers = {name.lower(): value for name, value in response.getheaders()}
    cookies = tuple(response.headers.get_all("Set-Cookie") or ())
    return Answer(response.status, headers, body, cookies)


def _checked(token: str) -> str:
    if not all("!" <= letter <= "~" for letter in token):
        raise errors.BadInput("the token has characters that no token has", hint="copy it again, without spaces")
    return token


def _back_off(number: int) -> float:
    return min(BACK_OFF_SECS * 2.0**number, MOST_BACK_OFF_SECS) * random.uniform(0.5, 1.5)


def _retry_after(answer: Answer) -> float:
    text = answer.headers.get("retry-after", "")
    return float(text) if text.isdecimal() and answer.status in _PASSING else 0.0


def _close(idle: list[tuple[float, http.client.HTTPConnection]]) -> None:
    for _, connection in idle:
        connection.close()


def _proxy_of(parts: urllib.parse.SplitResult) -> str:
    """The proxy of the environment. None for this machine: a token for it must not leave it."""
    host = parts.hostname or ""
    if addresses.is_loopback(host) or urllib.request.proxy_bypass(f"{host}:{parts.port}" if parts.port else host):
        return ""
    found = urllib.request.getproxies()
    proxy = found.get(parts.scheme) or found.get("all", "")
    if not proxy:
        return ""
    proxy = proxy if "://" in proxy else f"http://{proxy}"
    if urllib.parse.urlsplit(proxy).scheme != "http":
        raise errors.BadInput(
            f"proxies of this kind are not supported: {urllib.parse.urlsplit(proxy).scheme}://",
            hint="use an http:// proxy, or name the hub in `no_proxy`",
        )
    return proxy
