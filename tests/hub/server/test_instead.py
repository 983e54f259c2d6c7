"""What visitors get in place of a board that does not answer. In this process, without a keeper: nothing starts."""

from __future__ import annotations

import asyncio
import dataclasses
import html.parser
import pathlib
import re
import urllib.parse
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from lightboard.hub import life
from lightboard.hub.life import accounts, commands, nouns
from lightboard.hub.people import newcomers, tokens
from lightboard.hub.server import config, run, visits

TOKEN = "a-token-of-the-first-admin-0123456789"
AS_PAGE = {"accept": "text/html", "sec-fetch-mode": "navigate"}
AS_ADMIN = {"authorization": f"Bearer {TOKEN}"}


class Site:
    """State: a number for the next board."""

    def __init__(self, hub: run.Hub) -> None:
        self.hub = hub
        self.database = hub.services.database
        admin = self.database.people.user_named("admin")
        assert admin is not None
        self.admin = admin
        self.workspace = self.database.workspaces.all(admin.id)[0].id
        self._number = 0

    def get(self, path: str, method: str = "GET", **headers: str) -> httpx.Response:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}

        async def ask() -> httpx.Response:
            transport = httpx.ASGITransport(app=self.hub.app)
            async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
                return await client.request(method, path, headers=sent)

        return asyncio.run(ask())

    def board(self, *, stopped: bool = False, owner: accounts.User | None = None, **members: Any) -> str:
        self._number += 1
        who = owner or self.admin
        board = life.Board(
            id=f"b-{self._number}",
            name=members.pop("name", f"board {self._number}"),
            workspace=self.workspace,
            owner=who.id,
            sources=(life.Source("/nowhere"),),
            created=1.0,
            **members,
        )
        made = commands.created(board, who.id)
        self.database.boards.create(made, life.Limits(account=None))
        if stopped:
            self.put(board.id, state=nouns.State.STOPPED, desired=nouns.Desired.STOP, stop_reason=nouns.StopReason.USER)
        return board.id

    def put(self, board: str, **members: Any) -> None:
        def change(before: life.Board) -> commands.Change:
            return commands.Change(dataclasses.replace(before, **members), (nouns.Event(board, 1.0, "Changed"),))

        self.database.boards.change(board, change, limits=life.Limits(account=None))

    def share(self, board: str, view: str = "", expires: float | None = None) -> str:
        made = tokens.make(tokens.SHARE)
        share = accounts.Share(
            id=made.value[-8:],
            board=board,
            hash=made.hash,
            created=1.0,
            created_by=self.admin.id,
            view=view,
            expires=expires,
        )
        self.database.shares.add(share)
        return made.value


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = pathlib.Path(tmp_path_factory.mktemp("hub"))
    settings = config.Config(dir=str(folder / "hub"), per_account=0)
    with run.opened(settings, environment={"LIGHTBOARD_HUB_ADMIN_TOKEN": TOKEN, "PATH": ""}) as hub:
        yield Site(hub)


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visits, "HOLD_SECS", 0.01)


class Page(html.parser.HTMLParser):
    def __init__(self, answer: httpx.Response) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(answer.text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def has(self, tag: str, **attributes: str) -> bool:
        return any(each == tag and attributes.items() <= found.items() for each, found in self.tags)


# ---- starting


def test_a_board_that_starts_shows_a_page_with_progress(site: Site) -> None:
    answer = site.get(f"/boards/{site.board(name='mine & <yours>')}/", **AS_ADMIN, **AS_PAGE)
    page = Page(answer)
    assert answer.status_code == 200
    assert "mine &amp; &lt;yours&gt;" in answer.text and "<yours>" not in answer.text
    assert page.has("p", id="phase", **{"data-progress": ".hub/progress"})
    assert page.has("meta", **{"http-equiv": "refresh"})
    assert answer.headers["cache-control"] == "no-store"
    policy = answer.headers["content-security-policy"]
    assert "frame-ancestors 'none'" in policy and "unsafe" not in policy
    assert re.search(r"\son\w+=|<script>|style=", answer.text) is None


def test_it_speaks_both_languages(site: Site) -> None:
    board = site.board()
    answer = site.get(f"/boards/{board}/", **AS_ADMIN, **AS_PAGE, accept_language="zh-CN,zh;q=0.9")
    assert "看板正在启动" in answer.text and "lang=zh-Hans" in answer.text
    assert "starting" in site.get(f"/boards/{board}/", **AS_ADMIN, **AS_PAGE, accept_language="fr").text


def test_its_script_and_style_come_from_the_hub(site: Site) -> None:
    script, style = site.get("/hub/board.js"), site.get("/hub/board.css")
    assert script.headers["content-type"].startswith("text/javascript")
    assert style.headers["content-type"].startswith("text/css")
    assert site.get("/hub/../app.py").status_code in (400, 404)
    assert site.get("/hub/nothing").status_code == 404


def test_programs_get_503_and_are_told_to_come_again(site: Site) -> None:
    answer = site.get(f"/boards/{site.board()}/api/board", **AS_ADMIN)
    assert (answer.status_code, answer.json()["code"]) == (503, "BoardNotRunning")
    assert answer.headers["retry-after"] == "1"


def test_progress_is_for_those_who_may_open_the_board(site: Site) -> None:
    board = site.board()
    path = f"/boards/{board}/.hub/progress"
    told = site.get(path, **AS_ADMIN).json()
    assert (told["state"], told["phase"], told["percent"]) == ("Starting", "absent", 0)
    assert site.get(path).status_code == 404
    cookie = f"lightboard_share_{board}={site.share(board)}"
    assert site.get(path, cookie=cookie).json()["state"] == "Starting"
    assert site.get(f"/boards/{board}/x/.hub/progress", **AS_ADMIN).status_code == 404


# ---- waking


def test_opening_the_page_wakes_a_stopped_board(site: Site) -> None:
    board = site.board(stopped=True)
    answer = site.get(f"/boards/{board}/", **AS_ADMIN, **AS_PAGE)
    assert "The board is starting" in answer.text
    found = site.database.boards.get(board)
    assert (found.state, found.desired) == (nouns.State.PENDING, nouns.Desired.RUN)


def test_a_program_that_asks_for_the_page_wakes_it_too(site: Site) -> None:
    board = site.board(stopped=True)
    assert site.get(f"/boards/{board}/", **AS_ADMIN).status_code == 503
    assert site.database.boards.get(board).desired is nouns.Desired.RUN


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("api/board", {}),
        ("api/events", {"sec-fetch-mode": "cors"}),
        ("", {"sec-fetch-mode": "cors"}),
        ("", {**AS_PAGE, "sec-purpose": "prefetch"}),
        ("", {**AS_PAGE, "purpose": "prefetch"}),
    ],
)
def test_pages_that_are_still_open_and_browsers_that_load_ahead_wake_nothing(
    site: Site, path: str, headers: dict[str, str]
) -> None:
    board = site.board(stopped=True)
    assert site.get(f"/boards/{board}/{path}", **AS_ADMIN, **headers).status_code == 503
    assert site.database.boards.get(board).state is nouns.State.STOPPED


def test_a_visitor_without_rights_wakes_nothing(site: Site) -> None:
    board = site.board(stopped=True)
    answer = site.get(f"/boards/{board}/", **AS_PAGE)
    assert answer.status_code == 303
    assert site.database.boards.get(board).state is nouns.State.STOPPED


def test_a_board_that_an_admin_stopped_stays_stopped(site: Site) -> None:
    board = site.board(stopped=True)
    site.put(board, stop_reason=nouns.StopReason.ADMIN, reason="Admin")
    answer = site.get(f"/boards/{board}/", **AS_ADMIN, **AS_PAGE)
    assert answer.status_code == 503 and "An admin of the hub has stopped this board" in answer.text
    assert Page(answer).has("button", **{"data-start": f"/api/v1/boards/{board}:start"})
    assert site.database.boards.get(board).state is nouns.State.STOPPED


def test_a_board_that_does_not_wake_says_so(site: Site) -> None:
    board = site.board(stopped=True, wake_on_open=False)
    assert "does not start by itself" in site.get(f"/boards/{board}/", **AS_ADMIN, **AS_PAGE).text


def test_a_failed_board_shows_why_to_those_who_may_read_its_log(site: Site) -> None:
    board = site.board(stopped=True, visibility=nouns.Visibility.PUBLIC)
    site.put(board, state=nouns.State.FAILED, reason="OutOfMemory", message="last <line> of the log")
    answer = site.get(f"/boards/{board}/", **AS_ADMIN, **AS_PAGE)
    assert answer.status_code == 503 and "OutOfMemory" in answer.text and "last &lt;line&gt;" in answer.text
    answer = site.get(f"/boards/{board}/", **AS_PAGE)
    assert "OutOfMemory" in answer.text and "last" not in answer.text
    assert not Page(answer).has("button", id="start")
    assert site.get(f"/boards/{board}/api/board").json()["state"] == "Failed"


def test_at_the_limit_the_page_names_boards_that_could_be_stopped(site: Site) -> None:
    ann = newcomers.add(site.database, "ann", 1.0)
    assert ann is not None
    site.database.settings.put_limit(f"account:{ann.id}", 1)
    site.board(owner=ann, name="still running")
    board = site.board(owner=ann, stopped=True)
    answer = site.get(f"/boards/{board}/", **AS_ADMIN, **AS_PAGE)
    assert answer.status_code == 403 and "1 of 1 boards are active" in answer.text and "still running" in answer.text
    told = site.get(f"/boards/{board}/", **AS_ADMIN).json()
    assert (told["code"], told["limit"], told["used"]) == ("TensorboardLimitExceeded", 1, 1)
    assert [each["name"] for each in told["boards"]] == ["still running"]
    # a visitor with a link is told of the limit, not of other boards
    cookie = f"lightboard_share_{board}={site.share(board)}"
    answer = site.get(f"/boards/{board}/", **AS_PAGE, cookie=cookie)
    assert answer.status_code == 403 and "still running" not in answer.text


# ---- who


@pytest.mark.parametrize("board", ["b-1", "b-does-not-exist"])
def test_without_an_identity_a_page_leads_to_the_sign_in_whether_the_board_exists_or_not(
    site: Site, board: str
) -> None:
    site.board()
    answer = site.get(f"/boards/{board}/?a=b&c=//evil.example", **AS_PAGE)
    expected = f"/hub/sign-in?next=%2Fboards%2F{board}%2F%3Fa%3Db%26c%3D%2F%2Fevil.example"
    assert (answer.status_code, answer.headers["location"]) == (303, expected)
    answer = site.get(f"/boards/{board}/api/board")
    assert (answer.status_code, answer.json()["code"]) == (401, "Unauthenticated")
    assert answer.headers["www-authenticate"].startswith("Bearer")
    assert site.get(f"/boards/{board}/", **AS_PAGE, authorization="Bearer wrong").status_code == 401


@pytest.mark.parametrize(
    ("asked", "leads_to"),
    [
        ("/boards/b-1/", "/boards/b-1/"),
        ("/boards/b-1/?a=b", "/boards/b-1/?a=b"),
        ("//evil.example/", "/"),
        ("https://evil.example/", "/"),
        ("/\\evil.example", "/"),
        ("/boards/../../evil", "/"),
        ("/boards/b-1/\r\nx: y", "/"),
        ('/boards/b-1/?"><script>', "/boards/b-1/?&quot;&gt;&lt;script&gt;"),
        ("javascript:alert(1)", "/"),
        ("", "/"),
    ],
)
def test_the_sign_in_leads_to_boards_only(site: Site, asked: str, leads_to: str) -> None:
    answer = site.get(f"/hub/sign-in?next={urllib.parse.quote(asked, safe='')}", **AS_PAGE)
    assert answer.status_code == 200 and f'data-next="{leads_to}"' in answer.text


def test_who_may_not_see_a_board_gets_the_same_as_for_none(site: Site) -> None:
    bob = newcomers.add(site.database, "bob", 1.0)
    assert bob is not None
    site.database.people.add_token(
        accounts.Token(id="t-bob", hash=tokens.digest("token-of-bob"), user=bob.id, name="", created=1.0)
    )
    as_bob = {"authorization": "Bearer token-of-bob"}
    hidden, none = (site.get(f"/boards/{each}/", **as_bob, **AS_PAGE) for each in (site.board(), "b-none"))
    assert (hidden.status_code, hidden.content) == (none.status_code, none.content) == (404, none.content)
    hidden, none = (site.get(f"/boards/{each}/api/x", **as_bob) for each in (site.board(), "b-none"))
    assert (hidden.status_code, hidden.content) == (404, none.content)


def test_public_boards_need_no_identity(site: Site) -> None:
    board = site.board(visibility=nouns.Visibility.PUBLIC)
    assert "The board is starting" in site.get(f"/boards/{board}/", **AS_PAGE).text


def test_previews_of_a_public_link_wake_nothing(site: Site) -> None:
    board = site.board(stopped=True, visibility=nouns.Visibility.PUBLIC)
    assert site.get(f"/boards/{board}/").status_code == 503
    assert site.database.boards.get(board).state is nouns.State.STOPPED
    assert "The board is starting" in site.get(f"/boards/{board}/", **AS_PAGE).text


# ---- shares


def test_a_share_sets_a_cookie_for_its_board_and_leads_to_the_view(site: Site) -> None:
    board = site.board()
    value = site.share(board, view="tab=images&x=<a>\r\nSet-Cookie: evil=1")
    answer = site.get(f"/s/{value}", **AS_PAGE)
    assert answer.status_code == 303
    assert answer.headers["location"].startswith(f"/boards/{board}/#tab=images&x=%3Ca%3E%0D%0A")
    cookie = answer.headers["set-cookie"]
    assert f"Path=/boards/{board}/;" in cookie and "HttpOnly" in cookie
    assert "evil" not in answer.headers.get("set-cookie", "")
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert site.database.shares.of_board(board)[0].uses == 1
    opened = site.get(f"/boards/{board}/", **AS_PAGE, cookie=cookie.partition(";")[0])
    assert "The board is starting" in opened.text
    other = site.board()
    assert site.get(f"/boards/{other}/", **AS_PAGE, cookie=cookie.partition(";")[0]).status_code == 303


def test_a_revoked_or_expired_share_is_no_link_any_more(site: Site) -> None:
    board = site.board()
    value = site.share(board)
    cookie = f"lightboard_share_{board}={value}"
    assert site.get(f"/boards/{board}/", **AS_PAGE, cookie=cookie).status_code == 200
    site.database.shares.revoke(board, value[-8:], 2.0)
    assert site.get(f"/boards/{board}/", **AS_PAGE, cookie=cookie).status_code == 303
    for each in (value, site.share(board, expires=5.0), "lbh_wrong", "x" * 5000, "é"):
        answer = site.get(f"/s/{each}", **AS_PAGE)
        assert answer.status_code in (400, 404) and "set-cookie" not in answer.headers


# ---- the rest of the addresses


def test_the_answer_to_a_wrong_host_says_what_to_set(site: Site) -> None:
    answer = site.get("/healthz", host="evil.example")
    assert (answer.status_code, answer.json()["code"]) == (421, "MisdirectedRequest")
    assert "`url`" in answer.json()["hint"]


@pytest.mark.parametrize("path", ["/nothing", "/api/v2/x", "/boards", "/index.html.br", "/hub.html.br", "/s", "/.git"])
def test_what_does_not_exist_is_a_problem_or_a_page(site: Site, path: str) -> None:
    assert site.get(path).json()["code"] == "NotFound"
    assert "<h1>" in site.get(path, **AS_PAGE).text


@pytest.mark.parametrize("path", ["/", "/healthz", "/metrics", "/s/x", "/hub/board.js"])
def test_only_reading_is_possible_there(site: Site, path: str) -> None:
    answer = site.get(path, "POST")
    assert (answer.status_code, answer.json()["code"]) == (405, "MethodNotAllowed")


@pytest.mark.parametrize("path", ["/", "/healthz", "/nothing", "/api/v1/boards", "/api/v1/nothing", "/s/x", "/metrics"])
def test_every_answer_of_the_hub_is_protected(site: Site, path: str) -> None:
    headers = site.get(path).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    policy = headers["content-security-policy"]
    assert "frame-ancestors 'none'" in policy or "sandbox" in policy
    assert not [name for name in headers if name.startswith("access-control-")]


def test_health_and_readiness(site: Site) -> None:
    assert site.get("/healthz").text == "ok\n"
    answer = site.get("/readyz")  # this hub has no keeper
    assert (answer.status_code, answer.json()["code"]) == (503, "Unavailable")


def test_metrics_have_boards_by_state(site: Site) -> None:
    site.board()
    text = site.get("/metrics").text
    assert re.search(r'^lightboard_hub_boards\{state="Pending"\} [1-9]', text, re.MULTILINE)
    for name in ("board_start_seconds_bucket", "board_reclaims_total", "requests_total", "keeper_leads"):
        assert f"lightboard_hub_{name}" in text
