"""The way into a frame of another site: a link for a token, a cookie for one board, nothing else."""

from __future__ import annotations

import pathlib

import httpx
import pytest
from hub import hubs

from lightboard.hub.people import frames, identity, vault

LOGS = pathlib.Path(__file__).parents[2] / "data" / "keras_fit" / "logs"


def test_a_ticket_is_for_one_board_one_purpose_and_some_time() -> None:
    tickets = frames.Frames(vault.Vault(b"k" * 32))
    made = tickets.make(frames.LINK, "b-1", b"hash", now=1000.0)
    assert tickets.maybe_token(frames.LINK, "b-1", made, 1299.0) == b"hash"
    assert tickets.maybe_token(frames.LINK, "b-1", made, 1300.0) is None
    assert tickets.maybe_token(frames.LINK, "b-2", made, 1000.0) is None
    assert tickets.maybe_token(frames.COOKIE, "b-1", made, 1000.0) is None
    for wrong in ("", "x", made[:-4], "é", made + "A" * 9):
        assert tickets.maybe_token(frames.LINK, "b-1", wrong, 1000.0) is None


def test_the_cookie_is_for_one_board_and_one_site_around_it() -> None:
    _, cookie = identity.frame_cookie("b-1", "value", True, 60)
    name, *attributes = (each.strip() for each in cookie.split(";"))
    assert name.startswith("__Secure-") and name.endswith("=value")
    assert {"Path=/boards/b-1/", "HttpOnly", "Secure", "SameSite=None", "Partitioned", "Max-Age=60"} <= set(attributes)
    assert not any(each.startswith("Domain") for each in attributes)
    _, plain = identity.frame_cookie("b-1", "value", False, 60)
    assert "SameSite=Lax" in plain and "Partitioned" not in plain


@pytest.mark.whole_hub
def test_a_frame_opens_its_board_until_its_token_ends(tmp_path: pathlib.Path) -> None:
    with hubs.running(tmp_path / "hub", "--allow_root", str(LOGS)) as hub:
        hub.new_user("ann")
        made = hub.ok("POST", "/api/v1/tokens", json={"name": "notebook", "user": "ann", "scopes": ["boards:write"]})
        token = made["token"]
        board, other = (hub.new_board(LOGS, token=token) for _ in range(2))
        frame = hub.ok("POST", f"/api/v1/boards/{board['id']}:frame", token=token)
        with httpx.Client(base_url=hub.url, timeout=60, trust_env=False) as page:
            opened = page.get(frame["url"])
            assert opened.status_code == 303 and opened.headers["location"] == f"/boards/{board['id']}/frame.html"
            answer = page.get(opened.headers["location"])
            assert answer.status_code == 200 and "x-frame-options" not in answer.headers
            assert "frame-ancestors 'self' http://localhost:*" in answer.headers["content-security-policy"]
            cookie = {"Cookie": opened.headers["set-cookie"].partition(";")[0]}
            for path in (f"/boards/{other['id']}/api/runs", "/api/v1/boards", f"/api/v1/boards/{board['id']}"):
                assert httpx.get(hub.url + path, headers=cookie).status_code == 401, path
            # a link for another board signs nobody in, and a page of another site changes nothing
            elsewhere = httpx.get(frame["url"].replace(board["id"], other["id"]))
            assert elsewhere.status_code == 303 and "set-cookie" not in elsewhere.headers
            address = f"/boards/{board['id']}/api/annotations"
            foreign = {**cookie, "Origin": "https://other.example", "Sec-Fetch-Site": "cross-site"}
            assert httpx.post(hub.url + address, headers=foreign, json={}).status_code == 403
            for path in ("/", "/hub/sign-in"):
                policy = httpx.get(hub.url + path).headers["content-security-policy"]
                assert "frame-ancestors 'none'" in policy, path
            assert frame["url"].partition("ticket=")[2] not in hub.log()
            hub.ok("DELETE", f"/api/v1/tokens/{made['id']}")
            assert page.get(f"/boards/{board['id']}/api/runs").status_code == 401
