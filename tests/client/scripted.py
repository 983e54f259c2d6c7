"""A server that answers as a test wants: it breaks off, redirects, refuses, or takes its time.

with scripted.server(lambda seen: scripted.Answer(503) if len(seen) == 1 else scripted.Answer(200, b"{}")) as server:
    …
    server.seen            every request, in order
    server.connections     how many connections clients made
"""

from __future__ import annotations

import contextlib
import dataclasses
import datetime as dt
import http.server
import ipaddress
import pathlib
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any


@dataclasses.dataclass(frozen=True)
class Answer:
    status: int = 200
    body: bytes = b"{}"
    headers: Mapping[str, str] = dataclasses.field(default_factory=dict)
    breaks: str = ""  # "before": no answer at all; "within": half of the body; "after": closed without saying so


@dataclasses.dataclass(frozen=True)
class Seen:
    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


class Server:
    def __init__(self, answer: Callable[[list[Seen]], Answer]) -> None:
        self.answer = answer
        self.seen: list[Seen] = []
        self.connections = 0
        self.url = ""


@contextlib.contextmanager
def server(answer: Callable[[list[Seen]], Answer], tls: ssl.SSLContext | None = None) -> Iterator[Server]:
    made = Server(answer)

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def setup(self) -> None:
            super().setup()
            made.connections += 1

        def log_message(self, *_: Any) -> None:
            pass

        def handle_one(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            headers = {name.lower(): value for name, value in self.headers.items()}
            made.seen.append(Seen(self.command, self.path, headers, self.rfile.read(length)))
            reply = made.answer(made.seen)
            self.close_connection = bool(reply.breaks)
            if reply.breaks == "before":
                return
            self.send_response(reply.status)
            for name, value in {"Content-Type": "application/json", **reply.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(reply.body)))
            self.end_headers()
            half = len(reply.body) // 2
            self.wfile.write(reply.body[:half] if reply.breaks == "within" else reply.body)

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_one

    class Listening(http.server.ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: Any, client_address: Any) -> None:
            """Clients that leave are part of the tests."""

    listening = Listening(("127.0.0.1", 0), Handler)
    if tls is not None:
        listening.socket = tls.wrap_socket(listening.socket, server_side=True)
    made.url = f"{'https' if tls else 'http'}://127.0.0.1:{listening.server_address[1]}"
    thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield made
    finally:
        listening.shutdown()
        listening.server_close()
        thread.join()


def certificate(folder: pathlib.Path) -> pathlib.Path:
    """A certificate of its own for 127.0.0.1, and its key in one file."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = dt.datetime.now(dt.timezone.utc)
    address = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(hours=1))
        .not_valid_after(now + dt.timedelta(hours=1))
        .add_extension(address, critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = folder / "certificate.pem"
    file.write_bytes(
        made.public_bytes(serialization.Encoding.PEM)
        + key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return file
