"""Clients and boards that send what they should not: addresses with tricks, ambiguous bodies, headers with an identity,
answers that speak for the whole host."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from hub.door import servers
from hub.door.servers import Scripted, Served, answering, ok, scripted

from lightboard.hub.door import headers, paths

PAGE = ok(b"page")


# ---- addresses

WRONG = [
    "/boards/s1/../s2/",
    "/boards/s1/..",
    "/boards/s1/./x",
    "/boards/s1/.",
    "/boards/s1/%2e%2e/s2",
    "/boards/s1/%2E./s2",
    "/boards/s1/.%2e/s2",
    "/boards/s1/x/%2e%2e",
    "/boards/s1//x",
    "/boards//s1/",
    "/boards/s1/a%2fb",
    "/boards/s1/a%2Fb",
    "/boards/s1/a%5cb",
    "/boards/s1/a\\b",
    "/boards/s1/..\\s2",
    "/boards/s1/%00",
    "/boards/s1/%0d%0ax:y",
    "/boards/s1/%7f",
    "/boards/s1/%zz",
    "/boards/s1/%",
    "/boards/s1/%2",
    "/boards/%73%31/x",
    "/boards/S1/x",
    "/boards/s1%2f..%2fs2/x",
    "/boards/-s1/x",
    "/boards/s1-/x",
    f"/boards/{'a' * 65}/x",
    "/boards/",
    "/boards/./x",
    "/boards/../x",
]
RIGHT = ["/boards/s1/", "/boards/s1/a%20b", "/boards/s1/api/x%C3%A9", "/boards/s1/%252e%252e/x", "/boards/s1/..a/b..",
         "/boards/s1/a;b=c,d:e@f!$&'()*+~", "/boards/s1/x/"]  # fmt: skip


@pytest.mark.parametrize("path", WRONG)
async def test_an_ambiguous_address_reaches_no_board(served: Served, tmp_path: Path, path: str) -> None:
    async with scripted(tmp_path, served, answering(PAGE)) as board:
        head, _ = await served.get(path)
        assert head.startswith(b"HTTP/1.1 400")
        assert board.heads == [] and served.asked == []


@pytest.mark.parametrize("path", RIGHT)
async def test_other_addresses_are_passed_on_as_they_are(served: Served, tmp_path: Path, path: str) -> None:
    async with scripted(tmp_path, served, answering(PAGE)) as board:
        assert (await served.get(f"{path}?a=%2F..&b=//&c"))[1] == b"page"
        assert board.heads[0].split(b"\r\n")[0] == f"GET {path}?a=%2F..&b=//&c HTTP/1.1".encode()


async def test_an_absolute_address_is_passed_on_as_a_path(served: Served, tmp_path: Path) -> None:
    async with scripted(tmp_path, served, answering(PAGE)) as board:
        await served.get("http://evil.example/boards/s1/x?y")
        lines = board.heads[0].split(b"\r\n")
        assert lines[0] == b"GET /boards/s1/x?y HTTP/1.1" and b"host: hub.example" in lines


async def test_a_board_without_its_slash_is_a_redirect(served: Served) -> None:
    head, body = await served.get("/boards/s1?token=secret&x=1")
    assert head.startswith(b"HTTP/1.1 308") and b"location: s1/?x=1" in head and body == b""
    assert served.asked == []


def test_the_token_of_the_hub_is_removed_from_the_query() -> None:
    assert paths.query(b"token=a&x=token%3D&y=mytoken=1&token=b") == b"x=token%3D&y=mytoken=1"
    assert paths.query(b"a b") is None and paths.query(b"a\r\nb") is None


# ---- requests


@pytest.mark.parametrize(
    "lines",
    [
        "content-length: 5\r\ntransfer-encoding: chunked",
        "transfer-encoding: chunked\r\ncontent-length: 5",
        "content-length: 5\r\ncontent-length: 6",
        "content-length: 5\r\ncontent-length: 5",
        "content-length: 5, 5",
        "content-length: +5",
        "content-length: -1",
        "content-length: 0x5",
        "transfer-encoding: xchunked",
        "transfer-encoding: identity, chunked",
        "transfer-encoding: chunked\r\ntransfer-encoding: identity",
        "transfer-encoding : chunked",
        "transfer-encoding: chunked, chunked",
        "x: a\nevil: b",
        "x: a\rb",
        "x: a\0b",
        "evil\r\n : b",
        "host: other.example",
    ],
)
async def test_an_ambiguous_request_reaches_no_board(served: Served, tmp_path: Path, lines: str) -> None:
    async with scripted(tmp_path, served, answering(PAGE, PAGE)) as board:
        request = f"POST /boards/s1/x HTTP/1.1\r\nhost: h\r\n{lines}\r\nconnection: close\r\n\r\n0\r\n\r\n"
        answer = await served.raw(request.encode() + b"GET /boards/s1/smuggled HTTP/1.1\r\nhost: h\r\n\r\n")
        assert answer.startswith(b"HTTP/1.1 400"), answer
        assert board.heads == []


@pytest.mark.parametrize("chunk", [b"zz\r\n", b"5\r\nabc\r\n0\r\n\r\n", b"5;\nx\r\nabcde\r\n", b"-1\r\n", b"5 5\r\n"])
async def test_a_wrong_chunk_ends_the_request(served: Served, tmp_path: Path, chunk: bytes) -> None:
    def script(board: Scripted) -> servers.Handler:
        async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await board.head(reader)
            board.heads.append(await reader.read())

        return handle

    async with scripted(tmp_path, served, script) as board:
        request = b"POST /boards/s1/x HTTP/1.1\r\nhost: h\r\ntransfer-encoding: chunked\r\n\r\n"
        answer = await served.raw(request + chunk + b"GET /boards/s1/smuggled HTTP/1.1\r\nhost: h\r\n\r\n")
        assert b" 400 " in answer
        assert not any(b"smuggled HTTP" in head and b"0\r\n\r\n" in head for head in board.heads)


@pytest.mark.parametrize("method", ["TRACE", "CONNECT", "PROPFIND", "PURGE"])
async def test_other_methods_reach_no_board(served: Served, tmp_path: Path, method: str) -> None:
    async with scripted(tmp_path, served, answering(PAGE)) as board:
        head, _ = await served.get("/boards/s1/x", method=method)
        assert head.split(b" ")[1] in (b"400", b"405") and board.heads == []


async def test_an_upgrade_is_not_passed_on(served: Served, tmp_path: Path) -> None:
    async with scripted(tmp_path, served, answering(PAGE)) as board:
        await served.raw(
            b"GET /boards/s1/x HTTP/1.1\r\nhost: h\r\nconnection: upgrade, close\r\nupgrade: websocket\r\n"
            b"sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nsec-websocket-version: 13\r\n\r\n"
        )
        assert all(b"pgrade" not in head and b"websocket" not in head for head in board.heads)


async def test_no_identity_reaches_a_board(served: Served, tmp_path: Path) -> None:
    secret = [
        "authorization: Bearer alice",
        "cookie: session=secret",
        "x-forwarded-user: admin",
        "x-forwarded-for: 1.2.3.4",
        "x-forwarded-prefix: /x",
        "forwarded: for=1.2.3.4",
        "x-lightboard-user: admin",
        "x-remote-user: admin",
        "remote-user: admin",
        "x-real-ip: 1.2.3.4",
        "x-csrf-token: secret",
        "x-http-method-override: DELETE",
        "proxy-authorization: secret",
        "referer: https://hub.example/s/secret",
        "te: trailers",
        "range: bytes=0-1",
    ]
    async with scripted(tmp_path, served, answering(PAGE)) as board:
        more = ["connection: range", "accept: text/html", "sec-fetch-site: same-origin", "last-event-id: 7"]
        await served.get("/boards/s1/x", *secret, *more)
        names = {line.partition(b":")[0] for line in board.heads[0].split(b"\r\n")[1:] if line}
        assert names == {b"host", b"accept", b"sec-fetch-site", b"last-event-id"}
        assert served.asked == [("alice", "s1")]


async def test_who_may_not_open_a_board_gets_the_answer_of_the_hub(served: Served) -> None:
    head, body = await served.get("/boards/foreign/x")
    assert head.startswith(b"HTTP/1.1 404") and body == b"<p>no such board"
    head, body = await served.get("/boards/waking/")
    assert head.startswith(b"HTTP/1.1 503") and b"retry-after: 1" in head and body == b"<p>waking"
    assert (await served.get("/boards/waking/", method="HEAD"))[1] == b""


async def test_pipelined_requests_are_answered_in_order(served: Served, tmp_path: Path) -> None:
    async with scripted(tmp_path, served, answering(ok(b"one"), ok(b"two"))) as board:
        first = b"GET /boards/s1/1 HTTP/1.1\r\nhost: h\r\n\r\n"
        second = b"GET /boards/s1/2 HTTP/1.1\r\nhost: h\r\nconnection: close\r\n\r\n"
        answer = await served.raw(first + second)
        assert answer.index(b"one") < answer.index(b"two")
        assert [head.split(b" ")[1] for head in board.heads] == [b"/boards/s1/1", b"/boards/s1/2"]


def test_header_lines_are_checked_even_if_the_server_lets_them_pass() -> None:
    for value in (b"a\r\nx: y", b"a\nx: y", b"a\rx", b"a\0"):
        with pytest.raises(headers.Refused):
            headers.to_board([(b"accept", value)])
        with pytest.raises(headers.Refused):
            headers.to_board([(b"host", value)])


# ---- answers

HOST_WIDE = [
    "set-cookie: session=stolen; path=/",
    "access-control-allow-origin: *",
    "access-control-allow-credentials: true",
    'clear-site-data: "*"',
    "service-worker-allowed: /",
    "strict-transport-security: max-age=0",
    "refresh: 0; url=https://evil.example",
    "alt-svc: h2=evil.example",
    "cross-origin-resource-policy: cross-origin",
    "x-frame-options: ALLOWALL",
    "connection: x-named",
    "x-named: 1",
    "keep-alive: 5",
]


async def test_a_board_cannot_speak_for_the_host(served: Served, tmp_path: Path) -> None:
    async with scripted(tmp_path, served, answering(ok(b"x", *HOST_WIDE, 'etag: "e"'))):
        head, _ = await served.get("/boards/s1/index.html")
        lines = head.lower().split(b"\r\n")
        names = [line.partition(b":")[0] for line in lines[1:]]
        assert sorted(names) == sorted(
            [b"content-length", b"etag", b"cross-origin-resource-policy", b"x-content-type-options",
             b"x-frame-options", b"content-security-policy", b"cross-origin-opener-policy", b"connection"]
        )  # fmt: skip
        assert b"cross-origin-resource-policy: same-origin" in lines and b"x-frame-options: sameorigin" in lines
        assert b"content-security-policy: frame-ancestors 'self'" in lines


@pytest.mark.parametrize("path", ["api/blobs/x", "data/plugin/x", "%61pi/x", "experiment/1/api/x", "api/"])
async def test_data_of_a_board_is_always_sandboxed(served: Served, tmp_path: Path, path: str) -> None:
    async with scripted(tmp_path, served, answering(ok(b"<script>", "content-type: text/html"))):
        head, _ = await served.get(f"/boards/s1/{path}")
        policy = head.partition(b"content-security-policy: ")[2].split(b"\r\n")[0]
        assert policy.startswith(b"sandbox allow-scripts allow-downloads; default-src 'none'; ")
        assert policy.endswith(b"; frame-ancestors 'self'") and b"same-origin" not in policy
        assert b"x-content-type-options: nosniff" in head and b"opener-policy" not in head


async def test_a_board_with_the_name_of_a_route_has_a_page(served: Served, tmp_path: Path) -> None:
    async with scripted(tmp_path, served, answering(PAGE)):
        served.addresses["api"] = served.addresses["s1"]
        assert b"sandbox" not in (await served.get("/boards/api/"))[0]


@pytest.mark.parametrize(
    ("location", "passes"),
    [
        ("/boards/s1/x", True),
        ("./?a=b", True),
        ("x", True),
        ("/boards/s2/x", False),
        ("/boards/s1", False),
        ("/", False),
        ("//evil.example/", False),
        ("/\\evil.example", False),
        ("https://evil.example/", False),
        ("javascript:alert(1)", False),
        ("../s2/", False),
        ("/boards/s1/../s2/", False),
    ],
)
async def test_a_redirect_leads_to_the_same_board(served: Served, tmp_path: Path, location: str, passes: bool) -> None:
    answer = f"HTTP/1.1 302 Found\r\nlocation: {location}\r\ncontent-length: 0\r\n\r\n".encode()
    async with scripted(tmp_path, served, answering(answer)):
        head, _ = await served.get("/boards/s1/y")
        assert head.startswith(b"HTTP/1.1 302") and (f"location: {location}\r\n".encode() in head + b"\r\n") == passes


@pytest.mark.parametrize(
    "answer",
    [
        b"nonsense\r\n\r\n",
        b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello",
        b"HTTP/1.1 200 OK\r\ncontent-length: -5\r\n\r\nhello",
        b"HTTP/1.1 200 OK\r\nx: a\rb\r\ncontent-length: 0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nx: a\0b\r\ncontent-length: 0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
        b"HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n",
        b"HTTP/1.1 999 Odd\r\ncontent-length: 0\r\n\r\n",
        b"HTTP/1.1 100 Continue\r\n\r\n" * 100,
        b"HTTP/1.1 200 OK\r\n" + b"x: %s\r\n" % (b"y" * 100) * 2000,
        b"HTTP/9.9 200 OK\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
    ],
)
async def test_a_wrong_answer_of_a_board_is_a_bad_gateway(served: Served, tmp_path: Path, answer: bytes) -> None:
    async with scripted(tmp_path, served, answering(answer)):
        head, _ = await served.get("/boards/s1/x")
        assert head.startswith(b"HTTP/1.1 502"), head
    assert served.door.pool.open_connections == 0


@pytest.mark.parametrize("method", ["GET", "HEAD"])
async def test_bytes_after_an_answer_are_given_to_nobody(served: Served, tmp_path: Path, method: str) -> None:
    """A board must not be able to answer the next request, which another user may send."""
    forged = ok(b"forged")
    first = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n" + forged
    late = asyncio.Event()

    def script(board: Scripted) -> servers.Handler:
        async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await board.head(reader)
            if board.connections > 1:
                writer.write(ok(b"real"))
                return
            writer.write(first)
            await late.wait()
            writer.write(forged)
            await reader.read()

        return handle

    async with scripted(tmp_path, served, script):
        await served.get("/boards/s1/x", method=method)
        late.set()
        for _ in range(2):
            assert (await served.get("/boards/s1/x"))[1] == b"real"
