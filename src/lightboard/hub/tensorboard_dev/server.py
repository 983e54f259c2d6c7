"""The gRPC server: both services on a port of their own. Needs grpcio (`lightboard[tensorboard-dev]`).

Calls carry a token of the hub, so the port speaks TLS with the hub's certificate; without one it is open on this
machine only.
"""

from __future__ import annotations

import threading
from concurrent import futures

import grpc

from lightboard import errors
from lightboard.hub.api import routes
from lightboard.hub.tensorboard_dev import calls, door, exporter, handshake, writer

LOOPBACK = "127.0.0.1"
TEND_SECS = 1.0
# Calls under way when the hub ends; those that wait for a client are cancelled. The hub has 1.8 s to end.
GRACE_SECS = 0.3
_OPTIONS = (
    ("grpc.max_receive_message_length", handshake.MOST_MESSAGE_BYTES),
    ("grpc.max_metadata_size", 16 << 10),
    ("grpc.max_concurrent_streams", calls.AT_ONCE),
    ("grpc.max_connection_idle_ms", 600_000),
    # a client that vanished without a word is noticed
    ("grpc.keepalive_time_ms", 60_000),
    ("grpc.keepalive_timeout_ms", 20_000),
    ("grpc.so_reuseport", 0),
)


class Server:
    """State: the gRPC server with its threads, and a thread that tends to what nobody waits for. `port` is the one that
    it listens on."""

    def __init__(
        self, services: routes.Services, who: calls.Who, *, host: str, port: int, cert: str = "", key: str = ""
    ) -> None:
        self._writer, self._exporter = writer.Writer(services), exporter.Exporter(services)
        self._calls = calls.Calls({**self._writer.methods(), **self._exporter.methods()}, who)
        self.is_secure = bool(cert)
        self._server = grpc.server(
            futures.ThreadPoolExecutor(calls.AT_ONCE, thread_name_prefix="tensorboard-dev"),
            handlers=[self._calls],
            options=_OPTIONS,
            maximum_concurrent_rpcs=calls.AT_ONCE,
        )
        try:
            self.port = self._listen(host if cert or door.is_loopback(host) else LOOPBACK, port, cert, key)
        except BaseException:
            self._exporter.close()
            raise
        self._ending = threading.Event()
        self._tending = threading.Thread(target=self._tend, name="tensorboard-dev-tend", daemon=True)
        self._server.start()
        self._tending.start()

    def _listen(self, host: str, port: int, cert: str, key: str) -> int:
        address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        try:
            if not cert:
                return self._server.add_insecure_port(address)
            credentials = grpc.ssl_server_credentials([(_read(key or cert), _read(cert))])
            return self._server.add_secure_port(address, credentials)
        except RuntimeError as error:
            raise errors.Unreadable(
                f"the gRPC port cannot be opened: {address}", hint="choose another `tensorboard_dev_port`"
            ) from error

    def _tend(self) -> None:
        while not self._ending.wait(TEND_SECS):
            calls.logged(self._writer.tend)
            calls.logged(self._exporter.tend)
            calls.logged(self._calls.end_silent)

    def close(self) -> None:
        self._ending.set()
        self._server.stop(GRACE_SECS).wait(2 * GRACE_SECS)
        self._tending.join(GRACE_SECS)
        calls.logged(lambda: self._writer.tend(all=True))
        self._exporter.close()


def _read(file: str) -> bytes:
    try:
        with open(file, "rb") as stream:
            return stream.read(1 << 20)
    except OSError as error:
        raise errors.Unreadable(f"the certificate cannot be read, {error.strerror}: {file}") from error
