"""Who may ask: Host header, token and cookie, cross-site requests, headers of every answer."""

from __future__ import annotations

import asking
import pytest

TOKEN = "a-secret-token"


async def status(host: str, **settings: object) -> int:
    async with asking.board(**settings) as client:  # type: ignore[arg-type]
        return (await client.get("/api/board", headers={"host": host})).status_code


@pytest.mark.anyio
@pytest.mark.parametrize(
    "host", ["localhost", "localhost:6006", "127.0.0.1:6006", "[::1]:6006", "LOCALHOST", "a.localhost"]
)
async def test_loopback_names_are_known(host: str) -> None:
    assert await status(host) == 200


@pytest.mark.anyio
@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:6006", "localhost.evil.example", "127.0.0.1.evil.example", "10.0.0.5", "[::2]"],
)
async def test_other_names_are_refused(host: str) -> None:
    assert await status(host) == 403
    async with asking.board() as client:
        answer = await client.get("/", headers={"host": host})
        assert "allowed_hosts" in answer.json()["error"]["hint"]


@pytest.mark.anyio
async def test_allowed_and_bound_names_are_known() -> None:
    assert await status("board.example:80", allowed_hosts=("board.example",)) == 200
    assert await status("other.example", allowed_hosts=("board.example",)) == 403
    assert await status("10.0.0.5:6006", bound_host="10.0.0.5") == 200
    assert await status("anything", bound_host="unix:/tmp/socket") == 200


@pytest.mark.anyio
async def test_on_all_addresses_the_token_is_what_guards() -> None:
    for wildcard in ("0.0.0.0", "::"):
        assert await status("board.example", bound_host=wildcard, token=TOKEN) == 401
        assert await status("board.example", bound_host=wildcard) == 403, "a rebinding page uses a name"
        assert await status("10.0.0.5:6006", bound_host=wildcard) == 200
        assert await status("x.example", bound_host=wildcard, token=TOKEN, allowed_hosts=("board.example",)) == 403


@pytest.mark.anyio
@pytest.mark.parametrize("path", ["/", "/api/board", "/api/events", "/data/runs", "/assets/x.js", "/api/blobs/abc"])
async def test_without_the_token_nothing_answers(path: str) -> None:
    async with asking.board(token=TOKEN) as client:
        for headers in ({}, {"authorization": "Bearer wrong"}, {"cookie": "lightboard=wrong"}):
            answer = await client.get(path, headers=headers)
            assert answer.status_code == 401
            assert answer.headers["www-authenticate"].startswith("Bearer")
            assert TOKEN not in answer.text
        assert (await client.get(path + "?token=wrong")).status_code == 401


@pytest.mark.anyio
async def test_the_token_in_the_address_becomes_a_cookie_once() -> None:
    async with asking.board(token=TOKEN, path_prefix="/x") as client:
        first = await client.get(f"/x/?tag=a%20b&token={TOKEN}&run=c")
        assert first.status_code == 302
        assert first.headers["location"] == "./?tag=a+b&run=c"
        cookie = first.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=Lax" in cookie
        assert "Path" not in cookie  # it counts below where the browser saw the page
        assert TOKEN not in cookie
        assert (await client.get("/x/?tag=a+b&run=c")).status_code == 200
        assert (await client.get("/x/api/board")).status_code == 200


@pytest.mark.anyio
async def test_a_person_without_the_token_is_asked_for_it() -> None:
    async with asking.board(token=TOKEN) as client:
        page = await client.get("/", headers={"accept": "text/html,*/*"})
        assert page.status_code == 401
        assert "<form>" in page.text
        script = await client.get("/api/board", headers={"accept": "text/html,*/*"})
        assert script.json()["error"]["status"] == 401


@pytest.mark.anyio
async def test_over_tls_the_cookie_is_secure() -> None:
    async with asking.board(token=TOKEN, base="https://localhost") as client:
        assert "Secure" in (await client.get(f"/?token={TOKEN}")).headers["set-cookie"]


@pytest.mark.anyio
async def test_scripts_send_the_token_as_bearer_or_parameter() -> None:
    async with asking.board(token=TOKEN) as client:
        assert (await client.get("/api/board", headers={"authorization": f"Bearer {TOKEN}"})).status_code == 200
        assert (await client.get(f"/api/board?token={TOKEN}")).status_code == 200


@pytest.mark.anyio
@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
async def test_a_token_with_letters_beyond_ascii_works_as_bearer(encoding: str) -> None:
    async with asking.board(token="café") as client:
        bearer = b"Bearer " + "café".encode(encoding)
        assert (await client.get("/api/board", headers={b"authorization": bearer})).status_code == 200
        assert (await client.get("/api/board", headers={b"authorization": bearer[:-1]})).status_code == 401
        assert (await client.get("/api/board", params={"token": "café"})).status_code == 200


@pytest.mark.anyio
async def test_the_redirect_stays_on_this_host() -> None:
    async with asking.board(token=TOKEN) as client:
        for path in ("//evil.example/", "/\\evil.example/"):
            answer = await client.get(f"http://localhost{path}?token={TOKEN}")
            assert not answer.headers.get("location", "").startswith(("//", "/\\", "http"))


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({}, 200),
        ({"sec-fetch-site": "same-origin"}, 200),
        ({"sec-fetch-site": "none"}, 200),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
        ({"origin": "http://localhost"}, 200),
        ({"origin": "http://localhost:8888"}, 403),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
    ],
)
async def test_other_sites_may_not_post(headers: dict[str, str], expected: int) -> None:
    async with asking.board() as client:
        assert (await client.post("/api/runs", json={}, headers=headers)).status_code == expected


IMAGE = {"sec-fetch-mode": "no-cors", "sec-fetch-dest": "image"}
FRAME = {"sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe"}
LINK = {"sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}


@pytest.mark.anyio
@pytest.mark.parametrize("path", ["/api/runs", "/data/runs", "/data/plugin/custom_scalars/scalars?run=a&tag=b"])
@pytest.mark.parametrize(
    ("site", "how", "expected"),
    [
        ("cross-site", IMAGE, 403),
        ("cross-site", FRAME, 403),
        ("cross-site", LINK, 200),
        ("same-site", IMAGE, 403),
        ("same-site", LINK, 200),
        ("same-origin", IMAGE, 200),
        ("same-origin", FRAME, 200),
        ("none", LINK, 200),
    ],
)
async def test_a_page_of_another_site_cannot_make_the_board_work(
    path: str, site: str, how: dict[str, str], expected: int
) -> None:
    async with asking.board() as client:
        assert (await client.get(path, headers={"sec-fetch-site": site, **how})).status_code == expected


@pytest.mark.anyio
async def test_the_page_itself_opens_in_frames_of_other_sites() -> None:
    """Whether they may show it is for `frame-ancestors` to say, which the browser obeys."""
    async with asking.board() as client:
        assert (await client.get("/", headers={"sec-fetch-site": "same-site", **FRAME})).status_code == 200


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("ancestors", "expected"),
    [
        (("'self'",), "SAMEORIGIN"),
        (("'none'",), "DENY"),
        ((), "DENY"),
        (("'self'", "http://localhost:8888"), None),
    ],
)
async def test_old_browsers_are_told_about_frames(ancestors: tuple[str, ...], expected: str | None) -> None:
    async with asking.board(frame_ancestors=ancestors) as client:
        assert (await client.get("/")).headers.get("x-frame-options") == expected


@pytest.mark.anyio
@pytest.mark.parametrize(
    "path",
    ["/", "/api/board", "/api/none", "/data/none", "/api/export?tag=loss", "/api/blobs?run=run1&tag=sample&index=0"],
)
async def test_every_answer_carries_the_headers(path: str) -> None:
    async with asking.board() as client:
        headers = (await client.get(path)).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["content-security-policy"]
        assert "access-control-allow-origin" not in headers


@pytest.mark.anyio
async def test_frames_are_for_ourselves_unless_settings_say_more() -> None:
    async with asking.board() as client:
        assert "frame-ancestors 'self'" in (await client.get("/")).headers["content-security-policy"]
    async with asking.board(frame_ancestors=("http://localhost:8888",)) as client:
        policy = (await client.get("/")).headers["content-security-policy"]
        assert "frame-ancestors http://localhost:8888" in policy
        assert "script-src 'self'" in policy
