"""Which headers pass the door.

To the board: only those on a list, which boards use. So no cookie, token, forwarded address or name of a user passes,
whatever a proxy or a client calls it. To the client: all but those that speak for the whole host or for the connection,
and the policies of the hub are added. A policy can only be narrowed by another one, never widened.
"""

from __future__ import annotations

import re

from lightboard.hub import door

_TO_BOARD = frozenset(
    {
        b"accept", b"accept-encoding", b"accept-language", b"cache-control", b"content-encoding", b"content-type",
        b"dnt", b"if-match", b"if-modified-since", b"if-none-match", b"if-range", b"if-unmodified-since",
        b"last-event-id", b"origin", b"pragma", b"priority", b"range", b"sec-fetch-dest", b"sec-fetch-mode",
        b"sec-fetch-site", b"sec-fetch-user", b"user-agent",
    }
)  # fmt: skip
_NOT_TO_CLIENT = frozenset(
    {
        # of the connection
        b"connection", b"keep-alive", b"proxy-authenticate", b"proxy-authorization", b"proxy-connection", b"te",
        b"trailer", b"transfer-encoding", b"upgrade",
        # of the whole host
        b"alt-svc", b"clear-site-data", b"nel", b"origin-trial", b"public-key-pins", b"report-to",
        b"reporting-endpoints", b"service-worker-allowed", b"set-cookie", b"set-cookie2", b"strict-transport-security",
        b"www-authenticate", b"refresh", b"server",
        # the door says it
        b"cross-origin-resource-policy", b"cross-origin-opener-policy", b"x-content-type-options", b"x-frame-options",
    }
)  # fmt: skip
_CORS = b"access-control-"
_CORP = (b"cross-origin-resource-policy", b"same-origin")
_NOSNIFF = (b"x-content-type-options", b"nosniff")
SELF = ("'self'",)
_FRAMED = (b"x-frame-options", b"SAMEORIGIN")
_OPENER = (b"cross-origin-opener-policy", b"same-origin")
# Scripts in a logged page may draw it; there is no origin, no network, no form and no other window.
_SANDBOX = (
    b"sandbox allow-scripts allow-downloads; default-src 'none'; script-src 'unsafe-inline'; "
    b"style-src 'unsafe-inline'; img-src data: blob:; media-src data: blob:; font-src data:; form-action 'none'; "
    b"base-uri 'none'; "
)
# Who shows the board in a frame is for the door to say: the board knows only itself.
_BOARDS_ANCESTORS = re.compile(rb"(?:;\s*|^\s*)frame-ancestors[^;,]*", re.IGNORECASE)
_ANOTHER_HOST = re.compile(rb"[A-Za-z][A-Za-z0-9+.-]*:|[/\\]{2}|.*(?:\\|\.\.)", re.DOTALL)


class Refused(Exception):
    """The headers of the request could be understood in two ways."""


def to_board(headers: door.Headers) -> tuple[list[bytes], bytes, bool]:
    """Returns the header lines, how the body is framed (the header line, or b""), and whether the client waits for
    `100 Continue`."""
    hosts, lengths, codings, named = [], [], [], b""
    lines: list[bytes] = []
    expects = False
    for name, value in headers:
        if name in _TO_BOARD:
            lines.append(b"%s: %s\r\n" % (name, value))
        elif name == b"host":
            hosts.append(value)
        elif name == b"content-length":
            lengths.append(value)
        elif name == b"transfer-encoding":
            codings.append(value)
        elif name == b"connection":
            named += b"," + value
        elif name == b"expect":
            expects = value.lower() == b"100-continue"
    if len(hosts) > 1:
        raise Refused("more than one Host")
    if named:
        dropped = {each.strip().lower() for each in named.split(b",")}
        lines = [line for line in lines if line.partition(b":")[0] not in dropped]
    framing = _framing(lengths, codings)
    lines.append(b"host: %s\r\n" % (hosts[0] if hosts else b"board"))
    _check(lines)
    return lines, framing, expects and bool(framing)


def _framing(lengths: list[bytes], codings: list[bytes]) -> bytes:
    if codings:
        if lengths or len(codings) > 1 or codings[0].strip().lower() != b"chunked":
            raise Refused("the end of the body is ambiguous")
        return b"transfer-encoding: chunked\r\n"
    if not lengths:
        return b""
    if len(lengths) > 1 or not lengths[0].isdigit():
        raise Refused("the length of the body is ambiguous")
    return b"content-length: %d\r\n" % int(lengths[0]) if int(lengths[0]) else b""


def _check(lines: list[bytes]) -> None:
    """One line break in each line, at its end, and no NUL."""
    text = b"".join(lines)
    if text.count(b"\n") != len(lines) or text.count(b"\r") != len(lines) or b"\0" in text:
        raise Refused("a header contains a line break")


def to_client(
    headers: door.Headers, *, prefix: bytes, data: bool, frame_ancestors: tuple[str, ...] = SELF
) -> door.Headers:
    """`prefix` is the address of the board; `data`: the address is not that of a file of the page. `frame_ancestors`:
    pages that may show boards."""
    named = {each.strip().lower() for name, value in headers if name == b"connection" for each in value.split(b",")}
    sandboxed = data
    passed: door.Headers = []
    for name, value in headers:
        if name in _NOT_TO_CLIENT or name in named or name.startswith(_CORS):
            continue
        if name == b"location" and not _stays(value, prefix):
            continue
        if name == b"content-security-policy":
            sandboxed = sandboxed or b"sandbox" in value
            value = _BOARDS_ANCESTORS.sub(b"", value)
        passed.append((name, value))
    passed += (_CORP, _NOSNIFF)
    if frame_ancestors == SELF:  # the old header cannot name other sites
        passed.append(_FRAMED)
    framing = ("frame-ancestors " + " ".join(frame_ancestors)).encode("ascii")
    passed.append((b"content-security-policy", _SANDBOX + framing if data else framing))
    if not sandboxed:  # a sandboxed document with this policy is an error
        passed.append(_OPENER)
    return passed


def _stays(location: bytes, prefix: bytes) -> bool:
    """Whether a redirect leads to the same board."""
    if _ANOTHER_HOST.match(location):
        return False
    return not location.startswith(b"/") or location.startswith(prefix + b"/")
