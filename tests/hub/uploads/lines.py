"""A line to the hub that breaks: a proxy on loopback that resets connections after given numbers of bytes."""

from __future__ import annotations

import contextlib
import http.client
import http.server
import socket
import struct
import threading
import urllib.parse
from collections.abc import Iterator


class Line:
    """State, under `_lock`: bytes that went to the hub, and where the line breaks next."""

    def __init__(self, url: str, cuts: list[int]) -> None:
        parts = urllib.parse.urlsplit(url)
        self._target = (parts.hostname or "", parts.port or 80)
        self._cuts = sorted(cuts)
        self._lock = threading.Lock()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.sent = 0
        self.broken = 0
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._listening.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listening.accept()
            except OSError:
                return
            hub = socket.create_connection(self._target)
            for one, other, counted in ((client, hub, True), (hub, client, False)):
                threading.Thread(target=self._pump, args=(one, other, counted), daemon=True).start()

    def _pump(self, source: socket.socket, target: socket.socket, counted: bool) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(1 << 16):
                keep = self._until_cut(len(data)) if counted else len(data)
                target.sendall(data[:keep])
                if keep < len(data):
                    break
        for each in (source, target):
            with contextlib.suppress(OSError):
                if counted:  # closing sends a reset
                    each.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def _until_cut(self, size: int) -> int:
        with self._lock:
            before, self.sent = self.sent, self.sent + size
            if not self._cuts or self._cuts[0] >= self.sent:
                return size
            cut = self._cuts.pop(0)
            self.broken += 1
            return max(cut - before, 0)


@contextlib.contextmanager
def narrow(url: str, most_bytes: int) -> Iterator[str]:
    """A proxy that reads a body completely, and refuses one that is too large, as nginx does. Yields its address."""
    target = urllib.parse.urlsplit(url).netloc

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _forward(self) -> None:
            body = self._body()
            if body is None:
                self.send_response(413)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", "0")
                self.end_headers()
                self.close_connection = True
                return
            headers = {name: value for name, value in self.headers.items() if name.lower() != "transfer-encoding"}
            connection = http.client.HTTPConnection(target, timeout=30)
            connection.request(self.command, self.path, body, headers)
            answer = connection.getresponse()
            content = answer.read()
            self.send_response(answer.status)
            self.send_header("Content-Type", answer.getheader("Content-Type") or "")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)
            connection.close()

        do_GET = do_POST = do_DELETE = do_PATCH = _forward

        def _body(self) -> bytes | None:
            if self.headers.get("Transfer-Encoding") != "chunked":
                return self.rfile.read(int(self.headers.get("Content-Length") or 0))
            body = b""
            while size := int(self.rfile.readline(), 16):
                body += self.rfile.read(size)
                self.rfile.readline()
                if len(body) > most_bytes:
                    return None
            self.rfile.readline()
            return body

        def log_message(self, *_: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


@contextlib.contextmanager
def breaking(url: str, cuts: list[int]) -> Iterator[Line]:
    line = Line(url, cuts)
    try:
        yield line
    finally:
        line.close()
