"""Which servers are connected to: what is public, what is allowed, redirects and names that lead inside.

Servers here are on loopback, which is inside: `localhost` with its addresses allowed stands for a public server, and
127.0.0.2 for one inside.
"""

from __future__ import annotations

import gc
import http.server
import ipaddress
import socket
import threading
import urllib.parse
from collections.abc import Iterator
from typing import Any

import pytest

from lightboard import storage
from lightboard.storage import faults, guard, networks, settings

PUBLIC = ["127.0.0.1", "::1"]


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "127.8.9.1", "0.0.0.0", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "169.254.0.1",
        "100.64.0.1", "100.100.100.200", "168.63.129.16", "192.0.0.1", "192.0.2.1", "198.18.0.1", "198.51.100.1",
        "203.0.113.1", "224.0.0.1", "239.1.1.1", "240.0.0.1", "255.255.255.255", "::1", "::", "fe80::1", "fc00::1",
        "fd00:ec2::254", "fd12::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254",
        "2002:7f00:1::", "2002:a9fe:a9fe::1", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::a00:1", "2001::1",
        "2001:db8::1",
    ],
)  # fmt: skip
def test_these_addresses_are_inside(address: str) -> None:
    assert not networks.is_public(ipaddress.ip_address(address))
    assert not networks.Networks().permits(address)


@pytest.mark.parametrize(
    "address", ["8.8.8.8", "1.1.1.1", "2606:4700:4700::1111", "64:ff9b::808:808", "2002:808:808::"]
)
def test_these_addresses_are_public(address: str) -> None:
    assert networks.Networks().permits(address)


@pytest.mark.parametrize(
    ("host", "inside"),
    [
        ("localhost", True), ("127.1", True), ("2130706433", True), ("0x7f000001", True), ("0177.0.0.1", True),
        ("[::1]", True), ("8.8.8.8", False),
    ],
)  # fmt: skip
def test_a_name_is_checked_by_its_addresses(host: str, inside: bool) -> None:
    """Also the old spellings of addresses, which the system understands."""
    plain = host.strip("[]")
    if inside:
        with pytest.raises(networks.Inside):
            networks.Networks().resolved(plain, 80)
    else:
        assert networks.Networks().resolved(plain, 80)


def test_networks_addresses_and_names_can_be_allowed() -> None:
    allowed = networks.entries(["10.0.0.0/8", "::1", "Minio.Example.org", "*.svc.cluster.local"])
    assert allowed.allow == ("10.0.0.0/8", "::1/128", "minio.example.org", "*.svc.cluster.local")
    assert allowed.permits("10.9.9.9") and allowed.permits("::ffff:10.1.1.1") and not allowed.permits("192.168.0.1")
    assert allowed.names("minio.example.org.") and allowed.names("a.svc.cluster.local")
    assert not allowed.names("svc.cluster.local") and not allowed.names("minio.example.org.evil.com")
    for wrong in ("", "10.0.0.0/33", "a b", "http://minio", "minio:9000", "*"):
        with pytest.raises(ValueError, match=r"neither a network|does not appear"):
            networks.parsed(wrong)


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("s3.eu-west-1.amazonaws.com", True), ("s3.amazonaws.com", True), ("bucket.s3.eu-west-1.amazonaws.com", True),
        ("s3.cn-north-1.amazonaws.com.cn", True), ("oss-cn-hangzhou-internal.aliyuncs.com", True),
        ("b.s3.oss-cn-hangzhou.aliyuncs.com", True), ("storage.googleapis.com", True),
        ("logs.blob.core.windows.net", True),
        ("ec2-1-2-3-4.compute-1.amazonaws.com", False), ("x.execute-api.us-east-1.amazonaws.com", False),
        ("internal-a.elb.amazonaws.com", False), ("s3.amazonaws.com.evil.org", False), ("ecs.aliyuncs.com", False),
        ("storage.googleapis.com.evil.org", False), ("evils3.amazonaws.com", False),
    ],
)  # fmt: skip
def test_stores_of_clouds_are_known_by_name(host: str, known: bool) -> None:
    assert networks.is_cloud_store(host) is known


class _Handler(http.server.BaseHTTPRequestHandler):
    """Lists one object, whose bytes are elsewhere."""

    def do_GET(self) -> None:
        server: Any = self.server
        server.asked.append(self.path)
        parts = urllib.parse.urlsplit(self.path)
        if "moved" in parts.path or (server.moves_lists and "list-type" in parts.query):
            self.send_response(302)
            self.send_header("Location", f"http://127.0.0.2:{server.server_port}/secret")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        body = b"<ListBucketResult><Name>b</Name></ListBucketResult>" if "list-type" in parts.query else b"hello"
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Last-Modified", "Wed, 18 Nov 2026 06:00:00 GMT")
        self.send_header("ETag", '"x"')
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Any]:
    """On all loopback addresses, so that a redirect to 127.0.0.2 would be answered."""
    made: Any = http.server.ThreadingHTTPServer(("0.0.0.0", 0), _Handler)
    made.asked, made.moves_lists = [], False
    threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    yield made
    made.shutdown()
    made.server_close()


def connected(url: str, *, allow: list[str], endpoint: str = "", trusted: bool = False) -> storage.Connection:
    secret = {"endpoint": endpoint, "anonymous": True, "trusted": trusted}
    document = {"networks": {"allow": allow}, "limits": {"retries": 0}, "secrets": {"a": secret}}
    return storage.Connections(settings.from_document(document), {}).of(storage.parse(url))


def code_of(connection: storage.Connection, key: str = "") -> str:
    with pytest.raises(faults.StorageError) as refused:
        connection.get(key) if key else list(connection.list())
    assert "127.0.0.2" not in str(refused.value)
    return refused.value.explanation.code


def test_an_endpoint_inside_is_refused(server: Any) -> None:
    pytest.importorskip("obstore")
    connection = connected("s3://a@bucket", allow=[], endpoint=f"http://localhost:{server.server_port}")
    assert code_of(connection) == "storage.inside"
    tunneled = connected("s3://a@bucket", allow=[], endpoint=f"https://localhost:{server.server_port}")
    assert code_of(tunneled) == "storage.inside"
    assert server.asked == []


def test_a_store_is_not_followed_to_a_server_inside(server: Any) -> None:
    pytest.importorskip("obstore")
    connection = connected("s3://a@bucket", allow=PUBLIC, endpoint=f"http://localhost:{server.server_port}")
    assert connection.guard is not None
    assert bytes(connection.get("plain")[0]) == b"hello"
    assert code_of(connection, "moved") == "storage.inside"
    server.moves_lists = True
    assert code_of(connection) == "storage.inside"
    assert not any("secret" in path for path in server.asked)


def test_a_server_that_the_admin_named_is_connected_to_directly(server: Any) -> None:
    pytest.importorskip("obstore")
    connection = connected("s3://a@bucket", allow=["localhost"], endpoint=f"http://localhost:{server.server_port}")
    assert connection.guard is None
    assert bytes(connection.get("plain")[0]) == b"hello"


def test_the_endpoint_of_a_trusted_secret_is_connected_to_directly(server: Any) -> None:
    pytest.importorskip("obstore")
    endpoint = f"http://localhost:{server.server_port}"
    connection = connected("s3://a@bucket", allow=[], endpoint=endpoint, trusted=True)
    assert connection.guard is None
    assert bytes(connection.get("plain")[0]) == b"hello"
    web = connected(f"{endpoint}/runs", allow=[], endpoint=f"{endpoint}/runs", trusted=True)
    assert bytes(web.get("runs/plain")[0]) == b"hello"
    assert (
        code_of(connected(f"{endpoint}/other", allow=[], endpoint=f"{endpoint}/runs", trusted=True)) == "storage.inside"
    )
    # the endpoint of an address is not the secret's
    assert connected(f"minio://a@localhost:{server.server_port}/bucket", allow=[], trusted=True).guard is not None


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_web_server_inside_is_refused(server: Any, scheme: str) -> None:
    assert code_of(connected(f"{scheme}://localhost:{server.server_port}/runs", allow=[])) == "storage.inside"
    assert server.asked == []


def test_a_name_that_leads_inside_later_is_refused(server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """DNS rebinding: the second look-up gives another address than the first."""
    connection = connected(f"http://logs.example.org:{server.server_port}/runs", allow=["127.0.0.1"])
    answers = iter(["127.0.0.1", "127.0.0.2"])

    def look_up(host: str, port: int, **_: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (next(answers), port))]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    assert bytes(connection.get("plain")[0]) == b"hello"
    connection._client._idle.clear()  # type: ignore[attr-defined]
    assert code_of(connection, "plain") == "storage.inside"
    assert len(server.asked) == 1


def test_only_its_owner_uses_the_guard(server: Any) -> None:
    made = guard.Guard(networks.entries(PUBLIC))
    port = urllib.parse.urlsplit(made.url).port or 0
    for request in (
        b"GET http://localhost/ HTTP/1.1\r\n\r\n",
        b"CONNECT localhost:1 HTTP/1.1\r\n\r\n",
        b"nonsense\r\n\r\n",
    ):
        with socket.create_connection(("127.0.0.1", port)) as other:
            other.sendall(request)
            assert b"200" not in other.recv(1000)
    assert server.asked == []


def test_the_guard_ends_with_its_connection() -> None:
    made = guard.Guard(networks.Networks())
    port = urllib.parse.urlsplit(made.url).port or 0
    del made
    gc.collect()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port))
