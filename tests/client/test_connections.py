"""Requests of a client: what is repeated and what is not, where the token goes, proxies and TLS.

The servers here misbehave on purpose; tests/client/test_boards.py asks a real hub.
"""

from __future__ import annotations

import json
import pathlib
import socket
import ssl

import pytest
from client import scripted
from client.scripted import Answer

from lightboard import client, errors
from lightboard.client import connections, hub_errors, requests

TOKEN = "a-token-that-nobody-may-see"
BOARD = json.dumps(
    {"id": "b-1", "name": "mine", "state": "Running", "generation": 1, "observed_generation": 1}
).encode()


def problem(status: int, code: str, **members: object) -> Answer:
    document = {"title": "no", "status": status, "code": code, "message": "no", "hint": "", **members}
    return Answer(status, json.dumps(document).encode(), {"Content-Type": "application/problem+json"})


# -- repeating


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_a_read_is_repeated_when_the_hub_is_busy(status: int) -> None:
    with scripted.server(lambda seen: Answer(status) if len(seen) < 3 else Answer(200, BOARD)) as server:
        assert client.Hub(server.url, TOKEN).boards.get("b-1").name == "mine"
        assert len(server.seen) == 3


def test_a_create_is_repeated_with_the_same_key() -> None:
    with scripted.server(lambda seen: Answer(breaks="before") if len(seen) < 3 else Answer(202, BOARD)) as server:
        client.Hub(server.url, TOKEN).boards.create("/logs", wait=False)
        keys = [each.headers["idempotency-key"] for each in server.seen]
        assert len(keys) == 3
        assert len(set(keys)) == 1


@pytest.mark.parametrize("breaks", ["before", "within"])
def test_a_read_is_repeated_when_the_answer_breaks_off(breaks: str) -> None:
    with scripted.server(lambda seen: Answer(200, BOARD, breaks=breaks if len(seen) == 1 else "")) as server:
        assert client.Hub(server.url, TOKEN).boards.get("b-1").name == "mine"
        assert len(server.seen) == 2


@pytest.mark.parametrize("answer", [Answer(503), Answer(breaks="before")])
def test_a_write_that_could_be_done_twice_is_sent_once(answer: Answer) -> None:
    with scripted.server(lambda seen: answer) as server:
        with pytest.raises(client.HubError):
            client.Hub(server.url, TOKEN).tokens.create("mine")
        assert len(server.seen) == 1


def test_a_delete_whose_answer_was_lost_is_done() -> None:
    with scripted.server(
        lambda seen: Answer(breaks="before") if len(seen) == 1 else problem(404, "NotFound")
    ) as server:
        client.Hub(server.url, TOKEN).tokens.delete("t-1")
        assert [each.method for each in server.seen] == ["DELETE", "DELETE"]


def test_a_delete_of_what_is_not_there_is_not_found() -> None:
    with scripted.server(lambda seen: problem(404, "NotFound")) as server, pytest.raises(client.NotFound):
        client.Hub(server.url, TOKEN).tokens.delete("t-1")


def test_an_error_of_the_hub_is_not_repeated() -> None:
    with scripted.server(lambda seen: problem(500, "InternalError")) as server:
        with pytest.raises(client.HubFailed):
            client.Hub(server.url, TOKEN).me()
        assert len(server.seen) == 1


def test_connections_are_kept() -> None:
    with scripted.server(lambda seen: Answer(200, BOARD)) as server:
        hub = client.Hub(server.url, TOKEN)
        for _ in range(5):
            hub.boards.get("b-1")
        assert server.connections == 1


def test_a_kept_connection_that_the_hub_closed_is_noticed() -> None:
    """Nothing is waited for: it is the normal end of a connection, not a trouble of the hub."""
    with scripted.server(lambda seen: Answer(200, BOARD, breaks="after")) as server:
        hub = client.Hub(server.url, TOKEN)
        for _ in range(3):
            assert hub.boards.get("b-1").name == "mine"
        assert server.connections >= 3


def test_a_hub_that_is_not_there() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        connected = connections.Connections(f"http://127.0.0.1:{free.getsockname()[1]}", TOKEN)
        with pytest.raises(client.Unreachable) as caught:
            connected.ask(connections.Request("GET", "/", retry_secs=0.0))
    assert "does not answer" in caught.value.message
    assert TOKEN not in repr(caught.value)


def test_a_hub_that_is_silent() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        connected = connections.Connections(f"http://127.0.0.1:{silent.getsockname()[1]}")
        with pytest.raises(client.TimedOut):
            connected.ask(connections.Request("GET", "/", silent_secs=0.05, retry_secs=0.0))


@pytest.mark.parametrize("body", [b"<html>hello</html>", b"[1]", b"", b'{"x": 1}'])
def test_something_that_is_not_a_hub(body: bytes) -> None:
    with scripted.server(lambda seen: Answer(404, body)) as server, pytest.raises(client.Unreachable) as caught:
        client.Hub(server.url, TOKEN).me()
    assert caught.value.hint == "check the address of the hub"


# -- errors


@pytest.mark.parametrize(
    ("status", "code", "kind", "exit_code"),
    [
        (400, "InvalidUri", client.InvalidRequest, 2),
        (401, "Unauthenticated", client.Unauthenticated, 4),
        (403, "Forbidden", client.Forbidden, 4),
        (403, "TensorboardLimitExceeded", client.TensorboardLimitExceeded, 5),
        (404, "NotFound", client.NotFound, 3),
        (412, "GenerationConflict", client.Conflict, 1),
        (418, "Teapot", client.HubError, 1),
        (500, "InternalError", client.HubFailed, 1),
    ],
)
def test_answers_become_errors(status: int, code: str, kind: type[client.HubError], exit_code: int) -> None:
    with scripted.server(lambda seen: problem(status, code)) as server, pytest.raises(kind) as caught:
        client.Hub(server.url, TOKEN).me()
    assert (type(caught.value), caught.value.code, caught.value.status) == (kind, code, status)
    assert caught.value.exit_code == exit_code
    assert isinstance(caught.value, errors.LightboardError)


def test_the_limit_says_what_could_be_stopped() -> None:
    boards = [{"id": "b-1", "name": "old", "state": "Idle", "last_activity": "2026-11-18T06:10:00.123Z"}]
    refusal = problem(403, "TensorboardLimitExceeded", limit=5, used=5, scope="account:ann", boards=boards)
    with scripted.server(lambda seen: refusal) as server, pytest.raises(client.TensorboardLimitExceeded) as caught:
        client.Hub(server.url, TOKEN).boards.create("/logs")
    found = caught.value
    assert (found.limit, found.used, found.scope, found.boards) == (5, 5, "account:ann", boards)
    assert found.hint == "stop or delete one: old (b-1, Idle)"


# -- the token


@pytest.mark.parametrize("url", ["http://boards.example.org", "http://10.0.0.1:8080", "http://127.0.0.1.example"])
def test_a_token_is_not_sent_in_the_clear(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(errors.BadInput, match="without encryption"):
        client.Hub(url, TOKEN)
    client.Hub(url, TOKEN, insecure=True)
    client.Hub(url, "")
    monkeypatch.setenv("LIGHTBOARD_HUB_INSECURE", "1")
    client.Hub(url, TOKEN)


@pytest.mark.parametrize("url", ["http://127.0.0.1:1", "http://[::1]:1", "http://localhost:1", "https://example.org"])
def test_where_a_token_may_be_sent(url: str) -> None:
    client.Hub(url, TOKEN)


def test_a_redirect_to_another_origin_is_refused() -> None:
    with (
        scripted.server(lambda seen: Answer(200, BOARD)) as other,
        scripted.server(lambda seen: Answer(302, b"", {"Location": f"{other.url}/api/v1/me"})) as server,
    ):
        with pytest.raises(client.Unreachable, match="redirects to another address"):
            client.Hub(server.url, TOKEN).me()
        assert other.seen == []


@pytest.mark.parametrize("place", ["//127.0.0.2:1/", "https://127.0.0.1/", "http://user@127.0.0.1:1/", "http://[", ""])
def test_other_redirects_are_refused(place: str) -> None:
    with scripted.server(lambda seen: Answer(301, b"", {"Location": place})) as server:
        with pytest.raises(client.Unreachable):
            client.Hub(server.url, TOKEN).me()
        assert len(server.seen) == 1


def test_a_redirect_on_the_same_origin_is_followed() -> None:
    def answer(seen: list[scripted.Seen]) -> Answer:
        return Answer(308, b"", {"Location": "/api/v1/other?x=1"}) if len(seen) == 1 else Answer(200, BOARD)

    with scripted.server(answer) as server:
        assert client.Hub(server.url, TOKEN).me()["id"] == "b-1"
        assert [each.path for each in server.seen] == ["/api/v1/me", "/api/v1/other?x=1"]


def test_a_circle_of_redirects_ends() -> None:
    again = Answer(302, b"", {"Location": "/api/v1/me"})
    with scripted.server(lambda seen: again) as server, pytest.raises(client.Unreachable, match="circle"):
        client.Hub(server.url, TOKEN).me()


def test_a_write_does_not_follow_a_redirect_that_makes_it_a_read() -> None:
    with scripted.server(lambda seen: Answer(302, b"", {"Location": "/elsewhere"})) as server:
        with pytest.raises(client.HubError):
            client.Hub(server.url, TOKEN).tokens.create("mine")
        assert len(server.seen) == 1


def test_the_token_is_shown_nowhere(caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]) -> None:
    caplog.set_level(0)
    with scripted.server(lambda seen: problem(401, "Unauthenticated")) as server:
        hub = client.Hub(server.url, TOKEN)
        with pytest.raises(client.Unauthenticated) as caught:
            hub.me()
        assert server.seen[0].headers["authorization"] == f"Bearer {TOKEN}"
    shown = [repr(hub), repr(hub._connections), repr(caught.value), str(caught.value), caplog.text, *capfd.readouterr()]
    request = connections.Request("GET", "/", headers={"Authorization": TOKEN})
    assert [text for text in (*shown, repr(request)) if TOKEN in text] == []


@pytest.mark.parametrize("token", ["a b", "a\r\nX-Evil: 1", "ü", "a\x00"])
def test_a_token_that_no_token_can_be(token: str) -> None:
    with pytest.raises(errors.BadInput, match="token"):
        client.Hub("http://127.0.0.1:1", token)


# -- addresses


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("https://Boards.example.org/", "https://boards.example.org"),
        ("boards.example.org", "https://boards.example.org"),
        ("localhost:8080", "http://localhost:8080"),
        ("127.0.0.1:8080/hub/", "http://127.0.0.1:8080/hub"),
        ("https://x:443", "https://x"),
        (" http://[::1]:80/ ", "http://[::1]"),
    ],
)
def test_addresses_are_written_in_one_way(written: str, meant: str) -> None:
    assert client.Hub(written, "").url == meant


@pytest.mark.parametrize("url", ["ftp://x", "https://", "https://x?y", "https://x#y", "https://x:port", "http://a b"])
def test_wrong_addresses(url: str) -> None:
    with pytest.raises(errors.BadInput, match="not the address of a hub"):
        client.Hub(url, "")


def test_an_address_with_a_password() -> None:
    with pytest.raises(errors.BadInput, match="user name"):
        client.Hub("https://ann:secret@x", "")


def test_a_hub_below_a_path() -> None:
    with scripted.server(lambda seen: Answer(200, BOARD)) as server:
        client.Hub(f"{server.url}/hub/", TOKEN).boards.get("b/../1")
        assert server.seen[0].path == "/hub/api/v1/boards/b%2F..%2F1"


# -- proxies, TLS


def test_a_proxy_of_the_environment_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    with scripted.server(lambda seen: Answer(200, BOARD)) as proxy:
        monkeypatch.setenv("http_proxy", proxy.url.replace("//", "//ann:p%40ss@"))
        monkeypatch.setenv("no_proxy", "direct.example")
        client.Hub("http://hub.example", TOKEN, insecure=True).me()
        (seen,) = proxy.seen
        assert seen.path == "http://hub.example/api/v1/me"
        assert seen.headers["proxy-authorization"] == "Basic YW5uOnBAc3M="
        assert client.Hub("http://direct.example", "")._connections._proxy.hostname is None


def test_this_machine_is_never_reached_through_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    with scripted.server(lambda seen: Answer(200, BOARD)) as server, scripted.server(lambda seen: Answer()) as proxy:
        monkeypatch.setenv("http_proxy", proxy.url)
        client.Hub(server.url, TOKEN).me()
        assert (len(server.seen), len(proxy.seen)) == (1, 0)


def test_a_tunnel_does_not_show_the_token_to_the_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    with scripted.server(lambda seen: Answer()) as proxy:
        monkeypatch.setenv("https_proxy", proxy.url)
        connected = connections.Connections("https://hub.example", TOKEN)
        with pytest.raises(hub_errors.HubError):
            connected.ask(connections.Request("GET", "/", retry_secs=0.0))
        assert proxy.seen == []  # it refuses CONNECT, and gets nothing else


def test_a_proxy_of_another_kind_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("all_proxy", "socks5://127.0.0.1:1")
    with pytest.raises(errors.BadInput, match="socks5"):
        client.Hub("https://hub.example", TOKEN)


def test_certificates_are_checked(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = scripted.certificate(tmp_path)
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(file)
    with scripted.server(lambda seen: Answer(200, BOARD), tls) as server:
        with pytest.raises(client.Unreachable, match="certificate is not trusted") as caught:
            client.Hub(server.url, TOKEN).me()
        assert "LIGHTBOARD_HUB_CA" in caught.value.hint
        assert server.seen == []
        monkeypatch.setenv("LIGHTBOARD_HUB_CA", str(file))
        assert client.Hub(server.url, TOKEN).me()["id"] == "b-1"
        monkeypatch.setenv("LIGHTBOARD_HUB_CA", str(tmp_path / "absent"))
        with pytest.raises(errors.BadInput, match="LIGHTBOARD_HUB_CA"):
            client.Hub(server.url, TOKEN).me()


def test_https_to_a_server_without_it() -> None:
    with scripted.server(lambda seen: Answer()) as server, pytest.raises(client.Unreachable) as caught:
        client.Hub(server.url.replace("http:", "https:"), TOKEN).me()
    assert caught.value.hint == "is the address http:// instead?"


# -- lists


def test_lists_are_read_page_by_page() -> None:
    def answer(seen: list[scripted.Seen]) -> Answer:
        number = len(seen)
        document = {"items": [{"id": f"b-{number}"}], "next_page_token": f"p&{number}" if number < 3 else ""}
        return Answer(200, json.dumps(document).encode())

    with scripted.server(answer) as server:
        found = client.Hub(server.url, TOKEN).boards.list(state=["Running", "Idle"], q="a b")
        assert [each.id for each in found] == ["b-1", "b-2", "b-3"]
        assert server.seen[0].path == "/api/v1/boards?state=Running%2CIdle&q=a+b&limit=500"
        assert server.seen[2].path.endswith("&page_token=p%262")


def test_a_list_ends_at_its_limit() -> None:
    page = json.dumps({"items": [{"id": "b-1"}, {"id": "b-2"}], "next_page_token": "more"}).encode()
    with scripted.server(lambda seen: Answer(200, page)) as server:
        assert len(client.Hub(server.url, TOKEN).boards.list(limit=3)) == 3
        assert len(server.seen) == 2


def test_paths_are_quoted() -> None:
    assert requests.quoted("boards", "a/b?c#d e:f") == "/boards/a%2Fb%3Fc%23d%20e%3Af"
