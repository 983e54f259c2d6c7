"""In Chromium: a link that wakes a board shows progress and then the board; the button starts one that an admin
stopped; without scripts the page reloads itself."""

from __future__ import annotations

import asyncio
import contextlib
import pathlib
import re
import threading
import urllib.parse
from collections.abc import Iterator

import pytest
import serving_thread
from hub import hubs
from playwright import sync_api

from lightboard.hub import life
from lightboard.hub.life import accounts, commands, nouns
from lightboard.hub.people import tokens
from lightboard.hub.server import config, run, visits

pytestmark = pytest.mark.browser
expect = sync_api.expect

LOGS = pathlib.Path(__file__).parent.parent.parent / "data" / "keras_fit"
SESSION = "session-of-the-admin-0123456789abcdef"
BOARD = "b-wakes"


class Site:
    """A hub without a keeper, so that nothing starts before the test wants it."""

    def __init__(self, hub: run.Hub, url: str) -> None:
        self.hub, self.url = hub, url
        self.database = hub.services.database
        admin = self.database.people.user_named("admin")
        assert admin is not None
        self.admin = admin
        workspace = self.database.workspaces.all(admin.id)[0].id
        sources = (life.Source(str(LOGS)),)
        board = life.Board(
            id=BOARD, name="Fit & finish", workspace=workspace, owner=admin.id, sources=sources, created=1.0
        )
        self.database.boards.create(commands.created(board, admin.id), life.Limits())
        now = hub.services.clock()
        self.database.people.add_session(
            accounts.Session(
                id="n-1",
                hash=tokens.digest(SESSION),
                user=admin.id,
                created=now,
                expires=now + 600,
                last_used=now,
            )
        )

    @contextlib.contextmanager
    def keeping(self) -> Iterator[None]:
        """In another thread, with an event loop of its own."""
        loop = asyncio.new_event_loop()
        task = loop.create_task(self.hub.keeper.run())

        def keep() -> None:
            with contextlib.suppress(asyncio.CancelledError):
                loop.run_until_complete(task)

        thread = threading.Thread(target=keep)
        thread.start()
        try:
            yield
        finally:
            loop.call_soon_threadsafe(task.cancel)
            thread.join()
            loop.close()


@pytest.fixture
def site(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    monkeypatch.setattr(visits, "HOLD_SECS", 0.05)
    settings = config.Config(dir=str(tmp_path / "hub"), roots=(str(LOGS),))
    with run.opened(settings) as hub, serving_thread.port_of(hub.app) as port:
        try:
            yield Site(hub, f"http://127.0.0.1:{port}")
        finally:
            hubs.end_boards(tmp_path / "hub")


@pytest.fixture
def context(chromium: sync_api.Browser, site: Site) -> Iterator[sync_api.BrowserContext]:
    made = chromium.new_context(viewport={"width": 390, "height": 800}, locale="zh-CN", color_scheme="dark")
    made.add_cookies([{"name": "lightboard_session", "value": SESSION, "url": site.url}])
    yield made
    made.close()


def test_a_link_shows_progress_and_then_the_board(site: Site, context: sync_api.BrowserContext) -> None:
    page = context.new_page()
    told: list[str] = []
    page.on("console", lambda message: told.append(message.text))
    page.goto(f"{site.url}/boards/{BOARD}/")
    expect(page.get_by_role("heading", name="看板正在启动")).to_be_visible()
    expect(page.get_by_text("Fit & finish")).to_be_visible()
    expect(page.locator("#phase")).to_have_text("等待启动…")
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= 390
    assert told == []  # nothing that the policy refused
    with site.keeping():
        expect(page).to_have_title(re.compile("Fit & finish"))


def test_the_button_starts_a_board_that_an_admin_stopped(site: Site, context: sync_api.BrowserContext) -> None:
    now = site.hub.services.clock()
    site.database.boards.change(BOARD, lambda board: commands.stop(board, now, site.admin.id, nouns.StopReason.ADMIN))
    page = context.new_page()
    with site.keeping():
        hubs.until(lambda: site.database.boards.get(BOARD).state is nouns.State.STOPPED)
        page.goto(f"{site.url}/boards/{BOARD}/")
        expect(page.get_by_text("管理员停止了此看板。")).to_be_visible()
        page.get_by_role("button", name="启动看板").click()
        expect(page).to_have_title(re.compile("Fit & finish"))


def test_without_scripts_the_page_reloads_itself(site: Site, chromium: sync_api.Browser) -> None:
    context = chromium.new_context(java_script_enabled=False)
    context.add_cookies([{"name": "lightboard_session", "value": SESSION, "url": site.url}])
    page = context.new_page()
    page.goto(f"{site.url}/boards/{BOARD}/")
    expect(page.get_by_role("heading", name="The board is starting")).to_be_visible()
    with site.keeping():
        expect(page).to_have_title("Lightboard")  # the board itself needs scripts
    context.close()


@pytest.mark.parametrize("scripts", [True, False])
def test_a_link_to_a_view_survives_the_sign_in(site: Site, chromium: sync_api.Browser, scripts: bool) -> None:
    context = chromium.new_context(java_script_enabled=scripts)
    page = context.new_page()
    page.goto(f"{site.url}/boards/{BOARD}/?a=b#tab=images&x=1")
    following = f"/boards/{BOARD}/?a=b" + ("#tab=images&x=1" if scripts else "")
    expect(page).to_have_url(f"{site.url}/#/sign-in?next={urllib.parse.quote(following, safe='')}")
    context.close()
