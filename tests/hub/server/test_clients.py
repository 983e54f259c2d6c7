"""What a request says about its client: proxies, names of the hub, languages. Pure, no hub."""

from __future__ import annotations

from typing import Any

import pytest

from lightboard.hub.server import clients


def scope(client: str = "192.0.2.7", scheme: str = "http", **headers: str | list[str]) -> Any:
    pairs = []
    for name, values in headers.items():
        for value in [values] if isinstance(values, str) else values:
            pairs.append((name.replace("_", "-").encode(), value.encode("latin-1")))
    return {"type": "http", "method": "GET", "path": "/", "scheme": scheme, "client": (client, 1), "headers": pairs}


BEHIND = clients.Clients(url="", trusted_proxies=("10.0.0.0/8", "::1/128"), loopback=False)


def test_a_trusted_proxy_tells_who_the_client_is() -> None:
    sent = scope(
        "10.1.2.3",
        host="inside:8080",
        x_forwarded_for="203.0.113.9",
        x_forwarded_proto="https",
        x_forwarded_host="boards.example.org",
    )
    believed = BEHIND.believed(sent)
    assert believed["client"][0] == "203.0.113.9"
    assert BEHIND.url(believed) == "https://boards.example.org"


def test_others_cannot_say_who_they_are() -> None:
    sent = scope(
        "192.0.2.7", host="hub", x_forwarded_for="203.0.113.9", x_forwarded_proto="https", x_forwarded_host="x"
    )
    assert BEHIND.believed(sent) is sent
    assert clients.Clients(url="").believed(sent) is sent


def test_addresses_that_the_client_invented_do_not_count() -> None:
    sent = scope("10.1.2.3", x_forwarded_for="127.0.0.1, 203.0.113.9, 10.9.9.9")
    assert BEHIND.believed(sent)["client"][0] == "203.0.113.9"
    assert BEHIND.believed(scope("10.1.2.3", x_forwarded_for="what, ever"))["client"][0] == "10.1.2.3"


@pytest.mark.parametrize("host", ["localhost:8080", "127.0.0.1", "[::1]:8080", "192.168.0.5:80", "a.localhost"])
def test_names_that_nobody_else_can_own_are_known(host: str) -> None:
    assert clients.Clients(url="").knows_host(scope(host=host))


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example:8080", "127.0.0.1.evil.example", ""])
def test_other_names_are_not(host: str) -> None:
    assert not clients.Clients(url="").knows_host(scope(host=host))
    assert not clients.Clients(url="https://boards.example.org", loopback=False).knows_host(scope(host=host))


def test_two_names_are_none() -> None:
    assert not clients.Clients(url="").knows_host(scope(host=["localhost", "localhost"]))


def test_the_configured_name_is_known_and_told() -> None:
    hub = clients.Clients(url="https://boards.example.org", loopback=False)
    assert hub.knows_host(scope(host="boards.example.org"))
    assert hub.url(scope(host="localhost:8080")) == "https://boards.example.org"


def test_who_opens_the_configured_name_uses_its_scheme() -> None:
    """So that cookies are secure behind a proxy that is not configured."""
    hub = clients.Clients(url="https://boards.example.org")
    assert hub.believed(scope(host="boards.example.org"))["scheme"] == "https"
    assert hub.believed(scope(host="localhost:8080"))["scheme"] == "http"
    assert clients.Clients(url="http://boards").believed(scope(host="boards"))["scheme"] == "http"


def test_a_hub_for_others_without_a_configured_name_accepts_all() -> None:
    assert clients.Clients(url="", loopback=False).knows_host(scope(host="build-server"))


def test_a_name_with_other_letters_is_not_repeated() -> None:
    hub = clients.Clients(url="", loopback=False)
    assert hub.url({**scope(host='x"><script>'), "server": ("127.0.0.1", 8080)}) == "http://127.0.0.1:8080"


@pytest.mark.parametrize(
    ("accepted", "language"),
    [("", "en"), ("zh-CN,zh;q=0.9,en;q=0.8", "zh"), ("de,en-US;q=0.7,zh;q=0.5", "en"), ("fr", "en")],
)
def test_languages(accepted: str, language: str) -> None:
    assert clients.language(scope(accept_language=accepted)) == language


def test_navigations() -> None:
    assert clients.is_navigation(scope(sec_fetch_mode="navigate"))
    assert clients.is_navigation(scope(accept="text/html,*/*"))
    assert not clients.is_navigation(scope(sec_fetch_mode="cors", accept="text/html"))
    assert not clients.is_navigation(scope(accept="*/*"))


@pytest.mark.parametrize(
    ("scheme", "client", "headers", "private"),
    [
        ("https", "192.0.2.7", {}, True),
        ("http", "127.0.0.1", {}, True),
        ("http", "::1", {}, True),
        ("http", "192.0.2.7", {}, False),
        ("http", "192.0.2.7", {"host": "boards.example"}, False),  # https by its name, but not on its way
        ("http", "127.0.0.1", {"x-forwarded-for": "192.0.2.7"}, False),  # through a proxy that nobody named
        ("http", "127.0.0.1", {"x-forwarded-for": "192.0.2.7", "x-forwarded-proto": "https"}, False),
        ("http", "10.0.0.1", {"x-forwarded-for": "192.0.2.7", "x-forwarded-proto": "https"}, True),
        ("http", "10.0.0.1", {"x-forwarded-for": "192.0.2.7", "x-forwarded-proto": "http"}, False),
    ],
)
def test_requests_that_nobody_can_have_changed(
    scheme: str, client: str, headers: dict[str, str], private: bool
) -> None:
    who = clients.Clients(url="https://boards.example", trusted_proxies=["10.0.0.0/8"])
    sent = [(name.encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": "GET", "scheme": scheme, "client": (client, 1), "headers": sent, "path": "/"}
    assert who.is_private(scope) is private
