"""A proxy on this machine that lets a client of a library reach allowed servers only.

obstore looks names up itself and follows redirects to any server, so an address that was checked before says nothing
about where a request ends. With `[networks]` in the settings its requests to servers that are not trusted go through
this proxy: it looks a name up, checks the addresses, and connects to one of those that it checked.

    CONNECT host:port          https: a tunnel, bytes are passed on as they are
    GET http://host/path       http: one request per connection

Only the owner knows the proxy's password; others on this machine cannot use it. Its client does not send the password
with a request that http redirects to another host, so such a redirect always ends here.
"""

from __future__ import annotations

import base64
import contextlib
import re
import secrets
import socket
import threading
import urllib.parse
import weakref

from lightboard.storage import networks

HEAD_BYTES = 64 << 10
PIECE_BYTES = 256 << 10
CONNECT_SECS = 5.0
IDLE_SECS = 600.0
# The store's code in the answer for a server that is not allowed, as `faults` reads it.
INSIDE = "LightboardInside"
_HOP = ("proxy-authorization", "proxy-connection", "connection", "keep-alive")


class Guard:
    """State: the listening socket and its thread, until `close` or the end of the owner; `problem`, why the last
    tunnel could not be made, in words of `faults`."""

    def __init__(self, allowed: networks.Networks) -> None:
        self._allowed = allowed
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._password = secrets.token_urlsafe(24)
        self.problem = ""
        self.close = weakref.finalize(self, _end, self._listener)
        threading.Thread(
            target=_serve, args=(weakref.ref(self), self._listener), name="storage guard", daemon=True
        ).start()

    @property
    def url(self) -> str:
        """The address of the proxy, with its password."""
        return f"http://guard:{self._password}@127.0.0.1:{self._listener.getsockname()[1]}"

    def handle(self, client: socket.socket) -> None:
        """One connection, from its first byte to its end."""
        with contextlib.suppress(OSError, ValueError), client:
            client.settimeout(IDLE_SECS)
            head, rest = _head(client)
            method, target, headers = _parsed(head)
            if not self._is_owner(headers):  # or a redirect to another host, without the password
                _refuse(client)
                return
            host, port, path = _target(method, target)
            try:
                server = networks.connect(self._allowed, host, port, CONNECT_SECS)
            except networks.Inside:
                self.problem = INSIDE
                _refuse(client)
                return
            except OSError as error:
                self.problem = "dns error" if isinstance(error, socket.gaierror) else "Connection refused"
                _answer(client, "502 Bad Gateway")
                return
            with server:
                server.settimeout(IDLE_SECS)
                server.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                if method == "CONNECT":
                    client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
                    server.sendall(rest)
                else:
                    server.sendall(_forwarded(method, path, headers) + rest)
                _joined(client, server)

    def _is_owner(self, headers: list[tuple[str, str]]) -> bool:
        own = base64.b64encode(f"guard:{self._password}".encode()).decode()
        told = next((value for name, value in headers if name.lower() == "proxy-authorization"), "")
        return secrets.compare_digest(told.encode(), f"Basic {own}".encode())


def _serve(owner: weakref.ref[Guard], listener: socket.socket) -> None:
    while True:
        try:
            client, _ = listener.accept()
        except OSError:  # closed
            return
        guard = owner()
        if guard is None:
            client.close()
            return
        threading.Thread(target=guard.handle, args=(client,), name="storage guard", daemon=True).start()
        del guard


def _end(listener: socket.socket) -> None:
    with contextlib.suppress(OSError):
        listener.shutdown(socket.SHUT_RDWR)  # wakes the thread that accepts
    listener.close()


def _head(client: socket.socket) -> tuple[bytes, bytes]:
    found = b""
    while b"\r\n\r\n" not in found:
        piece = client.recv(PIECE_BYTES)
        if not piece or len(found) > HEAD_BYTES:
            raise ValueError("no request")
        found += piece
    head, _, rest = found.partition(b"\r\n\r\n")
    return head, rest


def _parsed(head: bytes) -> tuple[str, str, list[tuple[str, str]]]:
    first, *lines = head.decode("latin-1").split("\r\n")
    method, target, _ = first.split(" ", 2)
    headers = [(name.strip(), value.strip()) for name, _, value in (line.partition(":") for line in lines)]
    return method, target, headers


def _target(method: str, target: str) -> tuple[str, int, str]:
    """Host, port and path of a request. Raises ValueError."""
    if method == "CONNECT":
        parts = urllib.parse.urlsplit(f"//{target}")
    else:
        parts = urllib.parse.urlsplit(target)
        if parts.scheme != "http":
            raise ValueError("not a request to a proxy")
    if not parts.hostname:
        raise ValueError("no host")
    port = parts.port or (443 if method == "CONNECT" else 80)
    path = re.sub(r"^[a-z]+://[^/?#]*", "", target, count=1) or "/"
    return parts.hostname, port, path if path.startswith("/") else f"/{path}"


def _forwarded(method: str, path: str, headers: list[tuple[str, str]]) -> bytes:
    """The request as the server gets it; the connection ends with the answer, so that the next one is checked again."""
    kept = [f"{name}: {value}" for name, value in headers if name.lower() not in _HOP]
    return "\r\n".join([f"{method} {path} HTTP/1.1", *kept, "Connection: close", "", ""]).encode("latin-1")


def _answer(client: socket.socket, status: str, body: str = "") -> None:
    client.sendall(f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n{body}".encode())


def _refuse(client: socket.socket) -> None:
    _answer(client, "403 Forbidden", f"<Error><Code>{INSIDE}</Code></Error>")


def _joined(client: socket.socket, server: socket.socket) -> None:
    """Passes bytes on in both directions until the server ends."""
    up = threading.Thread(target=_pass_on, args=(client, server), name="storage guard", daemon=True)
    up.start()
    _pass_on(server, client)
    with contextlib.suppress(OSError):
        client.shutdown(socket.SHUT_RDWR)
    with contextlib.suppress(OSError):
        server.shutdown(socket.SHUT_RDWR)
    up.join()


def _pass_on(source: socket.socket, target: socket.socket) -> None:
    buffer = memoryview(bytearray(PIECE_BYTES))
    with contextlib.suppress(OSError):
        while count := source.recv_into(buffer):
            target.sendall(buffer[:count])
        target.shutdown(socket.SHUT_WR)
