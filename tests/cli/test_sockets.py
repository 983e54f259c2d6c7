"""Where a board listens. Ports are asked from the system, so that nothing else on the machine matters."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from lightboard.cli import sockets


def can_ipv6() -> bool:
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True


def test_port_zero_is_any_free_port_on_both_loopback_addresses() -> None:
    listening = sockets.listen(None, 0)
    try:
        assert listening.port > 0
        assert listening.loopback
        assert {each.getsockname()[1] for each in listening.sockets} == {listening.port}
        assert len(listening.sockets) == (2 if can_ipv6() else 1)
        socket.create_connection(("127.0.0.1", listening.port)).close()
    finally:
        listening.close()


def test_the_next_free_port_is_taken_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    first = sockets.listen(None, 0)
    monkeypatch.setattr(sockets, "DEFAULT_PORT", first.port)
    second = sockets.listen(None, None)
    try:
        assert first.port < second.port <= first.port + sockets.MORE_PORTS
    finally:
        first.close()
        second.close()


def test_a_port_asked_for_is_not_replaced() -> None:
    first = sockets.listen(None, 0)
    try:
        with pytest.raises(sockets.CannotListen, match=f"port {first.port} is taken") as refused:
            sockets.listen(None, first.port)
        assert "--port 0" in refused.value.hint
    finally:
        first.close()


def test_all_ports_taken_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    first = sockets.listen(None, 0)
    monkeypatch.setattr(sockets, "DEFAULT_PORT", first.port)
    monkeypatch.setattr(sockets, "MORE_PORTS", 0)
    try:
        with pytest.raises(sockets.CannotListen, match="all taken"):
            sockets.listen(None, None)
    finally:
        first.close()


def test_bind_all_is_not_loopback_and_answers_on_ipv4() -> None:
    listening = sockets.listen(None, 0, bind_all=True)
    try:
        assert not listening.loopback
        assert listening.host == socket.gethostname()
        socket.create_connection(("127.0.0.1", listening.port)).close()
    finally:
        listening.close()


def test_addresses_of_ipv6_are_in_brackets() -> None:
    if not can_ipv6():
        pytest.skip("this machine has no IPv6")
    listening = sockets.listen("::1", 0)
    try:
        assert listening.host == "[::1]"
        assert listening.loopback
    finally:
        listening.close()


@pytest.mark.parametrize("host", ["203.0.113.7", "no-such-host.invalid"])
def test_an_address_of_somebody_else_is_refused(host: str) -> None:
    with pytest.raises(sockets.CannotListen, match=host):
        sockets.listen(host, 0)


def test_reuse_port_lets_two_listen() -> None:
    first = sockets.listen(None, 0, reuse_port=True)
    second = sockets.listen(None, first.port, reuse_port=True)
    first.close()
    second.close()


def test_a_unix_socket_is_removed_when_closed(tmp_path: Path) -> None:
    path = tmp_path / "board.sock"
    listening = sockets.listen_unix(str(path), remove_at_end=lambda _: None)
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(str(path))
    listening.close()
    assert not path.exists()


def test_a_stale_unix_socket_is_replaced_and_a_live_one_is_not(tmp_path: Path) -> None:
    path = tmp_path / "board.sock"
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))
    listening = sockets.listen_unix(str(path), remove_at_end=lambda _: None)
    with pytest.raises(sockets.CannotListen, match="another process"):
        sockets.listen_unix(str(path), remove_at_end=lambda _: None)
    listening.close()


def test_a_file_in_the_place_of_a_unix_socket_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "precious"
    path.write_text("words")
    with pytest.raises(sockets.CannotListen, match="not a socket"):
        sockets.listen_unix(str(path), remove_at_end=lambda _: None)
    assert path.read_text() == "words"
