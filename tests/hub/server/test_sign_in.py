"""Browsers at a real hub: signing in, sessions, CSRF, boards by cookie and by token, path tricks."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
from typing import Any

import httpx
import pytest
from hub import hubs
from hub.server.conftest import Team

AS_PAGE = {"accept": "text/html", "sec-fetch-mode": "navigate"}


class Browser(httpx.Client):
    """Keeps cookies, and sends the CSRF token that the page would send."""

    def __init__(self, team: Team) -> None:
        super().__init__(base_url=team.hub.url, timeout=hubs.PATIENCE_SECS, trust_env=False)
        self.headers["origin"] = team.hub.url

    def sign_in(self, team: Team, name: str = "ann") -> Any:
        answer = self.post("/api/v1/session", json={"name": name, "password": team.password})
        assert answer.status_code == 201, answer.text
        self.headers["x-lightboard-csrf"] = answer.json()["csrf"]
        return answer.json()

    @property
    def session(self) -> str:
        return self.cookies["lightboard_session"]


@pytest.fixture(scope="module")
def board(team: Team) -> str:
    return str(team.hub.new_board(team.logs, token=team.ann, name="mine")["id"])


def test_signing_in_opens_the_api_and_boards(team: Team, board: str) -> None:
    with Browser(team) as browser:
        assert browser.get(f"/boards/{board}/", headers=AS_PAGE).headers["location"].startswith("/hub/sign-in?next=")
        me = browser.sign_in(team)
        assert me["user"]["name"] == "ann"
        assert browser.get("/api/v1/me").json()["via"] == "session"
        page = browser.get(f"/boards/{board}/", headers=AS_PAGE)
        assert page.status_code == 200 and "<title>" in page.text
        assert browser.get(f"/boards/{board}/api/board").json()["name"] == "mine"


def test_the_link_of_a_board_opens_with_the_token_that_made_it(team: Team, board: str) -> None:
    url = team.hub.ok("GET", f"/api/v1/boards/{board}", token=team.ann)["url"]
    assert url == f"{team.hub.url}/boards/{board}/"
    assert team.hub.request("GET", url, token=team.ann).status_code == 200
    assert team.hub.request("GET", url, token="wrong" * 10).status_code == 401
    answer = team.hub.request("GET", url.rstrip("/"), token=team.ann)
    assert (answer.status_code, answer.headers["location"]) == (308, f"{board}/")


def test_a_sign_in_makes_a_new_session_and_ends_the_old_one(team: Team) -> None:
    """Session fixation: a value that somebody planted in the browser is never used."""
    with Browser(team) as browser, Browser(team) as attacker:
        browser.cookies.set("lightboard_session", "planted-by-somebody-else", domain="127.0.0.1")
        browser.sign_in(team)
        first = browser.session
        assert first != "planted-by-somebody-else"
        browser.sign_in(team)
        assert browser.session != first
        attacker.cookies.set("lightboard_session", first, domain="127.0.0.1")
        assert attacker.get("/api/v1/me").status_code == 401
        attacker.cookies.set("lightboard_session", "planted-by-somebody-else", domain="127.0.0.1")
        assert attacker.get("/api/v1/me").status_code == 401


def test_signing_out_ends_the_session_at_once(team: Team, board: str) -> None:
    with Browser(team) as browser:
        browser.sign_in(team)
        cookies = {"lightboard_session": browser.session}
        assert browser.get(f"/boards/{board}/api/board").status_code == 200
        assert browser.delete("/api/v1/session").status_code == 204
        assert "lightboard_session" not in browser.cookies
        for path in ("/api/v1/me", f"/boards/{board}/api/board"):
            assert httpx.get(team.hub.url + path, cookies=cookies, trust_env=False).status_code == 401


@pytest.mark.parametrize(
    "headers",
    [
        {"x-lightboard-csrf": ""},
        {"x-lightboard-csrf": "lbc_" + "0" * 64},
        {"origin": "null"},
        {"origin": "https://evil.example"},
        {"sec-fetch-site": "cross-site"},
    ],
)
def test_a_write_that_another_page_causes_is_refused(team: Team, headers: dict[str, str]) -> None:
    with Browser(team) as browser:
        browser.sign_in(team)
        made = browser.post("/api/v1/tokens", json={"name": "evil"}, headers=headers)
        assert (made.status_code, made.json()["code"]) == (403, "Forbidden")
        assert browser.post("/api/v1/tokens", json={"name": "meant"}).status_code == 201


def test_nobody_is_signed_in_by_another_page(team: Team) -> None:
    body = {"name": "ann", "password": team.password}
    for headers in ({"origin": "https://evil.example"}, {"origin": "null"}, {"sec-fetch-site": "cross-site"}):
        answer = httpx.post(f"{team.hub.url}/api/v1/session", json=body, headers=headers, trust_env=False)
        assert answer.status_code == 403 and "set-cookie" not in answer.headers


def test_a_form_of_another_page_is_no_json(team: Team) -> None:
    with Browser(team) as browser:
        browser.sign_in(team)
        answer = browser.post("/api/v1/tokens", content='{"name": "x"}', headers={"content-type": "text/plain"})
        assert answer.status_code == 415


def test_a_revoked_token_ends_at_once_also_for_boards(team: Team, board: str) -> None:
    made = team.hub.ok("POST", "/api/v1/tokens", token=team.ann, json={"name": "short"})
    path = f"/boards/{board}/api/board"
    assert team.hub.request("GET", path, token=made["token"]).status_code == 200
    assert team.hub.request("DELETE", f"/api/v1/tokens/{made['id']}", token=team.ann).status_code == 204
    assert team.hub.request("GET", path, token=made["token"]).status_code == 401


def test_a_share_opens_the_board_without_an_account_until_it_is_revoked(team: Team, board: str) -> None:
    made = team.hub.ok("POST", f"/api/v1/boards/{board}/shares", token=team.ann, json={"view": "tab=scalars"})
    with httpx.Client(base_url=team.hub.url, trust_env=False) as visitor:
        answer = visitor.get(made["url"], headers=AS_PAGE)
        assert (answer.status_code, answer.headers["location"]) == (303, f"/boards/{board}/#tab=scalars")
        assert visitor.get(f"/boards/{board}/", headers=AS_PAGE).status_code == 200
        assert visitor.get("/api/v1/boards").status_code == 401
        ended = team.hub.request("DELETE", f"/api/v1/boards/{board}/shares/{made['id']}", token=team.ann)
        assert ended.is_success
        assert visitor.get(f"/boards/{board}/", headers=AS_PAGE).status_code == 303
        assert visitor.get(made["url"], headers=AS_PAGE).status_code == 404


def test_opening_wakes_a_stopped_board_and_answers_with_it(team: Team) -> None:
    made = team.hub.new_board(team.logs, token=team.ann)
    stopped = team.hub.settled(team.hub.ok("POST", f"/api/v1/boards/{made['id']}:stop", token=team.ann), token=team.ann)
    assert stopped["state"] == "Stopped"
    path = f"/boards/{made['id']}/"
    assert team.hub.request("GET", path + "api/board", token=team.ann).status_code == 503
    hubs.until(lambda: team.hub.request("GET", path, token=team.ann).status_code == 200, what="the board's page")
    assert team.hub.ok("GET", f"/api/v1/boards/{made['id']}", token=team.ann)["state"] == "Running"


def test_a_board_that_crashes_comes_back_while_somebody_looks(team: Team) -> None:
    made = team.hub.new_board(team.logs, token=team.ann)
    record = json.loads((team.hub.dir / "boards" / made["id"] / "process.json").read_text())
    os.kill(record["identity"]["pid"], signal.SIGKILL)
    path = f"/boards/{made['id']}/"
    first = team.hub.request("GET", path, token=team.ann, headers=AS_PAGE)
    assert first.status_code in (200, 502) and "text/html" in first.headers["content-type"]
    hubs.until(
        lambda: "<title>Lightboard" in team.hub.request("GET", path, token=team.ann, headers=AS_PAGE).text,
        what="the board's page",
    )
    events = team.hub.ok("GET", f"/api/v1/boards/{made['id']}/events", token=team.ann)["items"]
    assert "Crashed" in [each["kind"] for each in events]


def test_a_thousand_connections_that_say_nothing_keep_nobody_out(team: Team) -> None:
    name, _, port = team.hub.url.partition("//")[2].partition(":")
    with contextlib.ExitStack() as stack:
        for number in range(1000):
            silent = stack.enter_context(socket.create_connection((name, int(port)), timeout=hubs.PATIENCE_SECS))
            if number % 2:
                silent.sendall(b"GET /api/v1/me HTTP/1.1\r\nHost: localhost\r\n")
        assert team.hub.request("GET", "/healthz", token="").text == "ok\n"
        assert team.hub.ok("GET", "/api/v1/me")["via"] == "token"
    assert team.hub.request("GET", "/readyz", token="").status_code == 200


def test_a_huge_body_is_refused_before_it_is_read(team: Team) -> None:
    headers = {"authorization": f"Bearer {team.ann}"}  # over a connection of its own, which the hub closes
    answer = httpx.post(f"{team.hub.url}/api/v1/boards", content=b" " * (3 << 20), headers=headers, trust_env=False)
    assert (answer.status_code, answer.json()["code"]) == (413, "BodyTooLarge")


def test_who_only_looks_changes_nothing_that_others_see(team: Team, board: str) -> None:
    """Notes and saved views are kept for all."""
    note: dict[str, Any] = {"changes": {}}
    path = f"/boards/{board}/api/annotations"
    assert team.hub.request("POST", path, token=team.ann, json=note).status_code != 403
    made = team.hub.ok("POST", f"/api/v1/boards/{board}/shares", token=team.ann, json={})
    with httpx.Client(base_url=team.hub.url, trust_env=False) as visitor:
        visitor.get(made["url"], headers=AS_PAGE)
        assert visitor.get(path).status_code == 200
        assert visitor.post(path, json=note).json()["code"] == "Forbidden"
        assert visitor.post(f"/boards/{board}/%61pi/annotations", json=note).status_code == 403
        assert visitor.put(f"/boards/{board}/api/views", json={}).status_code == 403
        # a long question is no change
        assert visitor.post(f"/boards/{board}/api/runs", json={}).status_code == 200
        elsewhere = {"origin": "https://evil.example"}
        assert visitor.post(f"/boards/{board}/api/runs", json={}, headers=elsewhere).status_code == 403


def exchange(team: Team, target: str, token: str) -> bytes:
    """A client library would normalize the address."""
    host = team.hub.url.partition("//")[2]
    name, _, port = host.partition(":")
    request = f"GET {target} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n\r\n"
    with socket.create_connection((name, int(port)), timeout=hubs.PATIENCE_SECS) as connection:
        connection.sendall(request.encode())
        answer = b""
        while piece := connection.recv(65536):
            answer += piece
    return answer


@pytest.mark.parametrize(
    "target",
    [
        "/boards/{board}/../../api/v1/tokens",
        "/boards/{board}/%2e%2e/%2e%2e/api/v1/tokens",
        "/boards/{board}/..%2f..%2fapi/v1/tokens",
        "/boards/{board}//api/v1/tokens",
        "/boards/{board}\\..\\x",
        "/boards/../api/v1/tokens",
        "/boards/%2e%2e/api/v1/tokens",
        "/api/v1/../../boards/{board}/",
        "/api/v1/boards/%2e%2e/tokens",
        "/api/v1//tokens",
        "/api/v1/boards/{board}%2fshares",
        "/api/v1/boards/{board}%00",
        "/s/..%2f..%2fboards",
        "//evil.example/boards/{board}/",
        "/assets/../hub.html",
        "/assets/%2e%2e/%2e%2e/pyproject.toml",
    ],
)
def test_tricks_with_addresses_are_refused(team: Team, board: str, target: str) -> None:
    status = exchange(team, target.format(board=board), team.ann).split(b" ", 2)[1]
    assert status in (b"400", b"404")


def test_secrets_are_in_no_log(team: Team) -> None:
    log = team.hub.log()
    for secret in (team.ann, team.password, team.hub.admin_token, "lbs_", "lbh_"):
        assert secret not in log
