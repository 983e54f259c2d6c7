"""Somebody outside who listens: every connection that a page makes to another origin is heard here.

Names of `.example` lead to this machine (tests/conftest.py), so an address of the stranger works in a page as one of
the internet would. What is only prepared, as a connection ahead of a request, is heard too; what the browser itself
refuses is not.
"""

from __future__ import annotations

import contextlib
import re
import socket
import threading
from collections.abc import Iterator

NAME = "stranger.example"
_PATH = re.compile(rb"^[A-Z]+ /(\S*) ")


class Stranger:
    """`pages` are what it has, by path: the type and the body. It answers other questions, too, and remembers them."""

    def __init__(self) -> None:
        self.pages: dict[str, tuple[str, bytes]] = {"favicon.ico": ("image/x-icon", b"")}
        self.heard: list[str] = []
        self._stream = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._stream.getsockname()[1]
        self._datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._datagrams.bind(("127.0.0.1", self.port))
        for work in (self._take, self._take_datagrams):
            threading.Thread(target=work, daemon=True).start()

    @property
    def host(self) -> str:
        return f"{NAME}:{self.port}"

    def close(self) -> None:
        self._stream.close()
        self._datagrams.close()

    def _take(self) -> None:
        while True:
            try:
                connection, _ = self._stream.accept()
            except OSError:
                return
            threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError):
            connection.settimeout(1)
            try:
                asked = connection.recv(4096)
            except TimeoutError:
                asked = b""  # made ahead of a question that may never come
            path = _PATH.match(asked)
            word = path[1].decode("latin-1") if path else f"a connection {asked[:20]!r}"
            if word not in self.pages:
                self.heard.append(word)
            media_type, body = self.pages.get(word, ("text/html", b""))
            head = f"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {len(body)}\r\n"
            head += f"Content-Type: {media_type}\r\n" if media_type else ""
            connection.sendall(head.encode() + b"\r\n" + body)

    def _take_datagrams(self) -> None:
        while True:
            try:
                self._datagrams.recvfrom(4096)
            except OSError:
                return
            self.heard.append("a datagram")


@contextlib.contextmanager
def listening() -> Iterator[Stranger]:
    found = Stranger()
    try:
        yield found
    finally:
        found.close()
