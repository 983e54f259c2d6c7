"""What a request says about its client: where it comes from, under which name it opens the hub, what it can show.

Headers of proxies count only from addresses in `trusted_proxies`. The name of the hub (`Host`) is checked if it can be
known: otherwise a website could point a name of its own at this machine and read public boards in a visitor's browser
("DNS rebinding"). Known are the host of `url`, addresses, and the names of this machine. A hub that listens for others
and has no `url` accepts every name.
"""

from __future__ import annotations

import ipaddress
import socket
import urllib.parse
from collections.abc import Sequence
from typing import Any

Scope = Any
LANGUAGES = ("en", "zh")


class Clients:
    """`url` is the configured address of the hub, "" if there is none; `loopback`: only this machine can connect."""

    def __init__(self, *, url: str, trusted_proxies: Sequence[str] = (), loopback: bool = True) -> None:
        self._url = url
        self._proxies = [ipaddress.ip_network(each) for each in trusted_proxies]
        own = socket.gethostname().lower()
        short = own.partition(".")[0]
        self._names = {"localhost", own, short, f"{short}.local", urllib.parse.urlsplit(url).hostname or own}
        self._secure_name = urllib.parse.urlsplit(url).hostname or "" if url.startswith("https:") else ""
        self._any_name = not url and not loopback

    def believed(self, scope: Scope) -> Scope:
        """The scope as the client sent it. Whoever opens the hub under the name of `url` uses its scheme, too: a proxy
        that is not trusted may have ended TLS."""
        scope = self._through_proxies(scope)
        if self._secure_name and _name_of(header(scope, b"host")) == self._secure_name:
            return {**scope, "scheme": "https"}
        return scope

    def is_private(self, scope: Scope) -> bool:
        """Whether nobody can have changed the request on its way: it came over https to the hub or to a trusted proxy,
        or from this machine. What a client or an unknown proxy says of itself does not count here."""
        before = self._through_proxies(scope)
        if before.get("scheme") == "https":
            return True
        forwarded = (b"forwarded", b"x-forwarded-for", b"x-real-ip", b"via")
        if any(header_values(scope, each) for each in forwarded):
            return False
        client = scope.get("client")
        return client is not None and _is_loopback(client[0])

    def _through_proxies(self, scope: Scope) -> Scope:
        client = scope.get("client")
        if not self._proxies or client is None or not self._is_proxy(client[0]):
            return scope
        sent = {name: value.decode("latin-1") for name, value in scope["headers"]}  # the last one, if there are several
        address = self._before_proxies(sent.get(b"x-forwarded-for", ""), client[0])
        believed = {**scope, "client": (address, 0)}
        if (scheme := sent.get(b"x-forwarded-proto", "").split(",")[-1].strip().lower()) in ("http", "https"):
            believed["scheme"] = scheme
        if host := sent.get(b"x-forwarded-host", "").split(",")[-1].strip():
            others = [each for each in scope["headers"] if each[0] != b"host"]
            believed["headers"] = [*others, (b"host", host.encode("latin-1"))]
        return believed

    def _before_proxies(self, forwarded: str, nearest: str) -> str:
        """The address nearest to us that is no proxy: what stands before it may be invented by the client."""
        address = nearest
        for each in reversed([part.strip() for part in forwarded.split(",") if part.strip()]):
            try:
                address = str(ipaddress.ip_address(each.strip("[]")))
            except ValueError:
                break
            if not self._is_proxy(address):
                break
        return address

    def _is_proxy(self, address: str) -> bool:
        try:
            parsed = ipaddress.ip_address(address)
        except ValueError:
            return False
        return any(parsed in network for network in self._proxies)

    def knows_host(self, scope: Scope) -> bool:
        hosts = header_values(scope, b"host")
        if len(hosts) > 1:
            return False
        name = _name_of(hosts[0]) if hosts else "localhost"
        return self._any_name or name in self._names or name.endswith(".localhost") or _is_address(name)

    def url(self, scope: Scope) -> str:
        """The address of the hub as people open it, without a slash at its end."""
        if self._url:
            return self._url
        host = header(scope, b"host")
        server = scope.get("server") or ("localhost", None)
        netloc = host if _is_netloc(host) else f"{server[0]}:{server[1]}" if server[1] else str(server[0])
        return f"{scope.get('scheme', 'http')}://{netloc}"


def header_values(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1") for each, value in scope["headers"] if each == name]


def header(scope: Scope, name: bytes) -> str:
    return next(iter(header_values(scope, name)), "")


def is_navigation(scope: Scope) -> bool:
    """Whether the answer is shown as a page. Old browsers, and all over http from another machine, do not say so."""
    mode = header(scope, b"sec-fetch-mode")
    if mode:
        return mode == "navigate"
    return scope["method"] in ("GET", "HEAD") and "text/html" in header(scope, b"accept")


def is_prefetch(scope: Scope) -> bool:
    """A browser loads the page ahead; nobody has opened it."""
    return any("prefetch" in header(scope, name) for name in (b"sec-purpose", b"purpose", b"x-moz"))


def language(scope: Scope) -> str:
    """The first language of the client that the hub's own pages have."""
    for part in header(scope, b"accept-language").lower().split(","):
        if (word := part.partition(";")[0].strip().partition("-")[0]) in LANGUAGES:
            return word
    return LANGUAGES[0]


def _name_of(host: str) -> str:
    """Without the port: `[::1]:8080` → `::1`."""
    host = host.strip().lower()
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.rpartition(":")[0] if host.count(":") == 1 else host


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _is_netloc(host: str) -> bool:
    return bool(host) and all(each.isalnum() or each in ".-_:[]" for each in host) and host.isascii()
