"""Clients that send half a request, too slowly, too much or from too many connections, over real sockets."""

from __future__ import annotations

import contextlib
import resource
import socket
from collections.abc import Iterator

import httpx
import pytest
import serving_thread

from lightboard import store
from lightboard.server import app, connections, limits, settings

HALF = b"POST /api/runs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"
QUICK = limits.Limits(head_secs=0.2, body_secs=0.2, linger_secs=0.2)


@contextlib.contextmanager
def board(bounds: limits.Limits | None = None, **options: object) -> Iterator[int]:
    made = app.create(store.Store(), settings.Settings(**options))  # type: ignore[arg-type]
    with serving_thread.port_of(made, bounds) as port:
        yield port
    made.end()


def connect(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=30)


def everything(connection: socket.socket) -> bytes:
    """All bytes until the server closes; the guard of the socket's timeout fails a test whose server never does."""
    found = b""
    with contextlib.suppress(ConnectionResetError):
        while piece := connection.recv(1 << 16):
            found += piece
    return found


def is_closed(connection: socket.socket) -> bool:
    everything(connection)
    return True


def is_cut_off(connection: socket.socket, drip: bytes) -> bool:
    """Whether a client that goes on and on is stopped; it would never end otherwise."""
    try:
        while True:
            connection.sendall(drip)
    except (BrokenPipeError, ConnectionResetError):
        return True


@pytest.mark.parametrize("beginning", [b"GET /", b"GET / HTTP/1.1\r\nHost: localhost\r\nX: "])
def test_a_head_without_an_end_is_cut_off(beginning: bytes) -> None:
    with board() as port, connect(port) as connection:
        connection.sendall(beginning)
        with pytest.raises((BrokenPipeError, ConnectionResetError)):
            connection.sendall(b"a" * 200 * limits.Limits().head_bytes)


def test_a_long_head_is_refused_with_a_sentence() -> None:
    with board() as port:
        for _ in range(2):
            answer = httpx.get(f"http://127.0.0.1:{port}/api/board", headers={"x-long": "a" * 100_000})
            assert answer.status_code == 431
            assert answer.json()["error"]["status"] == 431


def test_a_body_is_not_counted_as_head() -> None:
    with board() as port, httpx.Client(base_url=f"http://127.0.0.1:{port}") as client:
        for _ in range(3):
            answer = client.post("/api/runs", json={"unused": " " * 2 * limits.Limits().head_bytes})
            assert answer.status_code == 200


@pytest.mark.parametrize("beginning", [b"", b"GET / HT", b"GET /api/board HTTP/1.1\r\nHost: localhost\r\n\r\nGET / HT"])
def test_half_a_head_is_closed(beginning: bytes) -> None:
    with board(QUICK) as port, connect(port) as connection:
        connection.sendall(beginning)
        assert is_closed(connection)


def test_half_a_body_is_closed_with_a_sentence() -> None:
    with board(QUICK) as port, connect(port) as connection:
        connection.sendall(HALF)
        answer = everything(connection)
        assert answer.startswith(b"HTTP/1.1 408 ")
        assert b"too slowly" in answer


@pytest.mark.parametrize("head", [b"Content-Length: 1000000\r\n", b"Transfer-Encoding: chunked\r\n"])
def test_a_dripping_body_is_closed(head: bytes) -> None:
    drip = b"1\r\na\r\n" if b"chunked" in head else b"a"
    with board(limits.Limits(body_secs=0.2, body_bytes=1 << 30)) as port, connect(port) as connection:
        connection.sendall(b"POST /api/runs HTTP/1.1\r\nHost: localhost\r\n" + head + b"\r\n")
        assert is_cut_off(connection, drip)


def test_half_a_body_without_the_token_is_answered_and_closed() -> None:
    """The 401 came at once, yet the connection stayed open as long as the client dripped."""
    bounds = limits.Limits(linger_secs=0.2)  # no other clock would close it during this test
    with board(bounds, token="secret") as port, connect(port) as connection:
        connection.sendall(HALF)
        assert everything(connection).startswith(b"HTTP/1.1 401 ")
        assert is_cut_off(connection, b"a")


def test_a_refused_upload_reads_its_answer() -> None:
    """Closing at once would reset the connection, and the answer would be lost with it."""
    with board(limits.Limits(linger_secs=30)) as port, connect(port) as connection:
        size = 1 << 30
        connection.sendall(b"POST /api/runs HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % size)
        for _ in range(16):
            connection.sendall(b" " * (1 << 20))
        assert b" 413 " in connection.recv(1 << 16)


def test_a_client_that_ends_its_refused_body_is_closed_at_once() -> None:
    with board(limits.Limits(linger_secs=3600), token="secret") as port, connect(port) as connection:
        connection.sendall(HALF)
        assert everything(connection).startswith(b"HTTP/1.1 401 ")
        assert is_cut_off(connection, b"}" * 99)  # the first lot ends the body


def test_requests_in_a_pipeline_are_all_answered() -> None:
    body = b"{}"
    one = b"POST /api/runs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n" + body
    with board() as port, connect(port) as connection:
        connection.sendall(one * 3 + one[:-1])
        found = b""
        while found.count(b"HTTP/1.1 200 ") < 3:
            found += connection.recv(1 << 16)
        connection.sendall(b"}")
        while found.count(b"HTTP/1.1 200 ") < 4:
            found += connection.recv(1 << 16)


def test_half_bodies_of_strangers_leave_room_for_others() -> None:
    """Each took a descriptor for ever; with all of them used up nobody was answered."""
    with board(limits.Limits(connections=20)) as port, contextlib.ExitStack() as stack:
        opened = [stack.enter_context(connect(port)) for _ in range(60)]
        for connection in opened:
            with contextlib.suppress(ConnectionError):
                connection.sendall(HALF)
        assert httpx.get(f"http://127.0.0.1:{port}/api/board", timeout=30).status_code == 200
        assert all(map(is_closed, opened[:40]))


def test_at_the_limit_idle_connections_go_before_those_that_are_answered() -> None:
    with board(limits.Limits(connections=4)) as port, contextlib.ExitStack() as stack:
        streams = [stack.enter_context(connect(port)) for _ in range(2)]
        for stream in streams:
            stream.sendall(b"GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert b"200" in stream.recv(1 << 16)
        idle = [stack.enter_context(connect(port)) for _ in range(3)]
        assert is_closed(idle[0])
        for stream in streams:
            stream.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                while piece := stream.recv(1 << 16):
                    assert piece
                pytest.fail("the stream was closed")


def test_the_number_of_connections_follows_the_descriptors() -> None:
    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    assert 16 <= connections.most(limits.Limits()) < soft
    assert connections.most(limits.Limits(connections=5)) == 5


@pytest.mark.parametrize(
    "head",
    [
        b"GET /api/board HTTP/1.1\r\n\r\n",
        b"GET /api/board HTTP/1.1\r\nHost: evil.example\r\nHost: localhost\r\n\r\n",
        b"GET /api/board HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n",
    ],
)
def test_a_request_without_exactly_one_host_is_refused(head: bytes) -> None:
    with board() as port, connect(port) as connection:
        connection.sendall(head)
        assert connection.recv(1 << 16).startswith(b"HTTP/1.1 400 ")


def test_http_1_0_needs_no_host() -> None:
    with board() as port, connect(port) as connection:
        connection.sendall(b"GET /api/board HTTP/1.0\r\n\r\n")
        assert b" 200 " in everything(connection)
