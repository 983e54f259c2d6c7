"""A TCP relay, so that pods reach a server of this machine that listens on loopback only."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator


def _copy(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(1 << 16):
            target.sendall(data)
    with contextlib.suppress(OSError):
        target.shutdown(socket.SHUT_WR)


def _connect(client: socket.socket, port: int) -> None:
    with client, contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)) as server:
        back = threading.Thread(target=_copy, args=(server, client), daemon=True)
        back.start()
        _copy(client, server)
        back.join()


def _serve(listener: socket.socket, port: int) -> None:
    with contextlib.suppress(OSError):  # closed
        while True:
            client, _ = listener.accept()
            threading.Thread(target=_connect, args=(client, port), daemon=True).start()


@contextlib.contextmanager
def relay(host: str, port: int) -> Iterator[int]:
    """Yields the port on `host` that leads to `port` of loopback."""
    with socket.create_server((host, 0)) as listener:
        thread = threading.Thread(target=_serve, args=(listener, port), daemon=True)
        thread.start()
        yield listener.getsockname()[1]
        listener.shutdown(socket.SHUT_RDWR)
