"""Access control by host, token and origin.

- Host check: a web page can point its own DNS name at 127.0.0.1 and then read a local board ("DNS rebinding"). Only
  requests for known host names are answered.
- Token: required if settings have one. `?token=` sets a cookie; scripts send `Authorization: Bearer`.
- Cross-site: other pages can make a browser send requests here, by a form, a script or an `<img>`. They cannot read the
  answers, but they can make a local board work. Only our own page may change something; below `/api` and `/data`
  requests of other pages are rejected, except a link that a person opened in a window.
- Headers: a Content-Security-Policy without external sources, no sniffing, no referrer, no CORS.
"""

from __future__ import annotations

import functools
import urllib.parse

from lightboard import errors
from lightboard.server import settings as settings_

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
WILDCARDS = frozenset({"0.0.0.0", "::", "*", ""})


class Unauthorized(errors.Denied):
    status = 401


class Guard:
    """The checks for one board. A check that fails raises errors.Denied."""

    def __init__(self, settings: settings_.Settings) -> None:
        self._token = settings.token
        self._bound = settings.bound_host.strip("[]").lower()
        self._hosts = LOOPBACK | {host.strip("[]").lower() for host in settings.allowed_hosts}
        if self._bound not in WILDCARDS:
            self._hosts |= {self._bound}
        self._explicit = bool(settings.allowed_hosts)
        self.headers = _security_headers(settings)

    def check_host(self, header: str | None) -> None:
        if header is None or self._bound.startswith("unix:") or "*" in self._hosts:
            return
        host = _host_of(header)
        if host in self._hosts or (host.endswith(".localhost") and host.count(".") == 1):
            return
        # On wildcard addresses the token protects the board; without one, accept only hosts safe from DNS rebinding.
        anywhere = self._bound in WILDCARDS and not self._explicit
        if anywhere and (self._token is not None or _is_address(host) or host in _own_names()):
            return
        raise errors.Denied(
            f"this board does not accept the host name `{host[:100]}`",
            hint="start it with `--allowed_hosts` and the name you use, or open it as localhost",
            code="host.denied",
            host=host[:100],
        )

    def check_cross_site(self, method: str, path: str, headers: dict[bytes, bytes]) -> None:
        site = headers.get(b"sec-fetch-site")
        if method in ("GET", "HEAD", "OPTIONS"):
            foreign = site in (b"cross-site", b"same-site")  # same-site: another port or name of this machine
            if foreign and path.startswith(("/api/", "/data/")) and not _is_opened_link(headers):
                raise errors.Denied(
                    "another website may not read this board",
                    hint="open the address in a separate window",
                    code="site.denied",
                )
            return
        if site is not None:
            if site not in (b"same-origin", b"none"):
                raise errors.Denied("another website may not send this request", code="site.denied")
            return
        origin = headers.get(b"origin")
        if origin is not None:
            sent_from = urllib.parse.urlsplit(origin.decode("latin-1")).netloc.lower()
            if sent_from != headers.get(b"host", b"").decode("latin-1").lower():
                raise errors.Denied("another website may not send this request", code="site.denied")

    @property
    def wants_token(self) -> bool:
        return self._token is not None

    def knows(self, headers: dict[bytes, bytes], token: str | None) -> bool:
        """Whether the request has the token: in the URL, as bearer, or as our cookie."""
        if self._token is None:
            return True
        if token is not None and _equal(token, self._token):
            return True
        scheme, _, bearer = headers.get(b"authorization", b"").partition(b" ")
        if scheme.lower() == b"bearer" and _is_token(bearer.strip(), self._token):
            return True
        name, value = self._cookie
        for item in headers.get(b"cookie", b"").decode("latin-1").split(";"):
            sent_name, _, sent = item.strip().partition("=")
            if sent_name == name and _equal(sent, value):
                return True
        return False

    def set_cookie(self, *, secure: bool) -> str:
        """Without a path, so that the cookie is valid whatever path a proxy uses."""
        name, value = self._cookie
        return f"{name}={value}; HttpOnly; SameSite=Lax" + ("; Secure" if secure else "")

    @functools.cached_property
    def _cookie(self) -> tuple[str, str]:
        """All ports of a host share cookies, so each board has its own name, which does not contain the token."""
        import hashlib

        digest = hashlib.sha256(b"lightboard cookie " + (self._token or "").encode()).hexdigest()
        return f"lightboard_{digest[:8]}", digest[8:]


def _is_opened_link(headers: dict[bytes, bytes]) -> bool:
    """Whether this is a link that was opened in a window: people send each other links to exports and images."""
    return headers.get(b"sec-fetch-mode") == b"navigate" and headers.get(b"sec-fetch-dest") == b"document"


def _is_token(sent: bytes, token: str) -> bool:
    """Headers have no encoding: clients send letters beyond ASCII as UTF-8 or as Latin-1."""
    return _equal(sent.decode("utf-8", "surrogateescape"), token) or _equal(sent.decode("latin-1"), token)


def _equal(sent: str, known: str) -> bool:
    import hmac

    return hmac.compare_digest(sent.encode("utf-8", "surrogateescape"), known.encode("utf-8", "surrogateescape"))


def _host_of(header: str) -> str:
    """Returns the name without the port: `[::1]:6006` → `::1`."""
    header = header.strip().lower()
    if header.startswith("["):
        return header[1:].partition("]")[0]
    return header.rpartition(":")[0] if header.count(":") == 1 else header


def _is_address(host: str) -> bool:
    import ipaddress

    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


@functools.cache
def _own_names() -> frozenset[str]:
    import socket

    name = socket.gethostname().lower()
    return frozenset({name, name.partition(".")[0], f"{name.partition('.')[0]}.local"})


def _security_headers(settings: settings_.Settings) -> tuple[tuple[bytes, bytes], ...]:
    policy = "; ".join(
        [
            "default-src 'self'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self' data: blob:",
            "media-src 'self' data: blob:",
            "font-src 'self' data:",
            "connect-src 'self'",
            "worker-src 'self' blob:",
            "frame-src 'self' blob:",
            "object-src 'none'",
            "base-uri 'self'",
            "form-action 'self'",
            "frame-ancestors " + " ".join(settings.frame_ancestors or ("'none'",)),
        ]
    )
    return (
        (b"content-security-policy", policy.encode("latin-1")),
        (b"x-content-type-options", b"nosniff"),
        (b"referrer-policy", b"no-referrer"),
        (b"cross-origin-resource-policy", b"same-origin"),
        *_frame_options(settings.frame_ancestors),
    )


def _frame_options(ancestors: tuple[str, ...]) -> tuple[tuple[bytes, bytes], ...]:
    """Replaces `frame-ancestors` in old browsers. This header cannot list other sites: if some may embed the board, it
    is omitted."""
    if set(ancestors) <= {"'none'"}:
        return ((b"x-frame-options", b"DENY"),)
    return ((b"x-frame-options", b"SAMEORIGIN"),) if set(ancestors) == {"'self'"} else ()
