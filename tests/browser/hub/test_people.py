"""Pages of people in Chromium, with a real hub: one-time links, sign-in, account, workspaces, secrets, administration.

What roles may do is decided by the hub and tested in tests/hub. Here it is that pages show what works, say what does
not, and lead nowhere else.
"""

from __future__ import annotations

import contextlib
import functools
import http.server
import json
import pathlib
import re
import threading
from collections.abc import Iterator

import pytest
from browser import conftest
from hub import hubs
from playwright import sync_api

pytestmark = [pytest.mark.browser, pytest.mark.whole_hub]

expect = sync_api.expect
AXE = pathlib.Path(__file__).parents[3] / "web/node_modules/axe-core/axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
PASSWORD = "a long password"


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[hubs.Hub]:
    """Ann owns the workspace vision, in which Ben views; Carl has no part in it."""
    folder = tmp_path_factory.mktemp("hub")
    with hubs.running(folder / "kept", "--allow_root", str(folder)) as hub:
        hub.ok("PATCH", "/api/v1/users/admin", json={"password": PASSWORD})
        tokens = {name: hub.new_user(name, PASSWORD, display_name=name.title()) for name in ("ann", "ben", "carl")}
        hub.ok("POST", "/api/v1/workspaces", token=tokens["ann"], json={"id": "vision", "name": "Vision"})
        hub.ok("PUT", "/api/v1/workspaces/vision/members/ben", token=tokens["ann"], json={"role": "viewer"})
        yield hub


@pytest.fixture
def forgiven(forgiven: list[str]) -> list[str]:
    """Browsers write refusals to the console; pages show them."""
    return [*forgiven, r"status of 4\d\d"]


class Visitor:
    """A browser of somebody who is signed in."""

    def __init__(self, hub: hubs.Hub, page: sync_api.Page, name: str = "") -> None:
        self.hub, self.page = hub, page
        if name:
            answer = page.request.post(
                f"{hub.url}/api/v1/session", data={"name": name, "password": PASSWORD}, headers={"Origin": hub.url}
            )
            assert answer.ok, answer.text()

    def open(self, address: str) -> None:
        self.page.goto(f"{self.hub.url}/{address}")

    def part(self, name: str) -> sync_api.Locator:
        return self.page.get_by_test_id(name)

    def field(self, label: str) -> sync_api.Locator:
        return self.page.get_by_label(label, exact=True)

    def row(self, name: str) -> sync_api.Locator:
        return self.page.locator(f'tr[data-row="{name}"]')

    def heard(self, text: str | re.Pattern[str]) -> None:
        """Until a message at the edge of the page says it."""
        expect(self.page.locator(".toast").filter(has_text=text)).to_be_visible()


# -- links and signing in


def test_the_first_admin_sets_up_a_hub_and_signs_in_until_the_limit(
    tmp_path: pathlib.Path, open_page: conftest.OpenPage
) -> None:
    with hubs.running(tmp_path / "hub", admin_token="") as fresh:
        link = hubs.until(lambda: re.search(r"https?://\S+#/link/\S+", fresh.log()), what="a link")[0]
        visitor = Visitor(fresh, open_page())
        page = visitor.page
        page.goto(link)
        visitor.field("User name").fill("not a name")
        visitor.field("Password").fill("short")
        expect(page.get_by_text("5 more characters")).to_be_visible()
        visitor.part("submit").click()
        expect(page.get_by_text("starting and ending with a letter or digit")).to_be_visible()
        visitor.field("User name").fill("Root")
        visitor.field("Password").fill(PASSWORD)
        visitor.field("Password").press("Enter")
        visitor.heard("Welcome")
        assert fresh.request("GET", "/api/v1/me", token="").status_code == 401

        # the link is used up and says what to do
        page.goto("about:blank")
        page.goto(link)
        expect(page.get_by_role("heading", name="This link does not work")).to_be_visible()

        visitor.part("account").click()
        page.get_by_role("menuitem", name="Sign out").click()
        expect(visitor.part("sign-in")).to_be_visible()
        page.goto(f"{fresh.url}/#/admin?tab=settings")
        expect(page).to_have_url(re.compile("sign-in"))
        visitor.field("User name").fill("root")
        visitor.field("Password").fill("the wrong password")
        visitor.part("submit").click()
        expect(page.get_by_text("User name or password is wrong.")).to_be_visible()
        visitor.field("Password").fill(PASSWORD)
        visitor.part("submit").click()
        expect(visitor.part("hub-settings")).to_be_visible()

        stranger = Visitor(fresh, open_page())
        stranger.open("#/sign-in")
        stranger.field("User name").fill("root")
        told, wrong = "", "/api/v1/links:check?link=wrong"
        # an attempt is possible again after three seconds: a slow page may find one
        while "Too many" not in told:
            hubs.until(lambda: fresh.request("GET", wrong, token="").status_code == 429, what="a limit")
            stranger.field("Password").fill("the wrong password")
            stranger.part("submit").click()
            told = stranger.page.get_by_role("alert").inner_text()
        assert re.search(r"Try again in \d+ seconds?\.", told)
        expect(stranger.part("submit")).to_be_enabled()  # after these seconds


def sign_in(visitor: Visitor, name: str) -> None:
    visitor.field("User name").fill(name)
    visitor.field("Password").fill(PASSWORD)
    visitor.part("submit").click()


def test_signing_in_leads_back_and_to_no_other_site(hub: hubs.Hub, open_page: conftest.OpenPage) -> None:
    visitor = Visitor(hub, open_page())
    visitor.open("#/sign-in?next=%2F%2Fexample.org%2F")
    sign_in(visitor, "carl")
    expect(visitor.page).to_have_url(f"{hub.url}/#/boards")

    board = hub.new_board(hub.dir.parent)
    other = Visitor(hub, open_page())
    other.page.goto(f"{board['url']}#runs")
    sign_in(other, "admin")
    expect(other.page).to_have_url(re.compile(re.escape(board["url"]) + "#runs"))
    hub.ok("DELETE", f"/api/v1/boards/{board['id']}")


# -- the account


def test_a_token_is_shown_once_and_works_until_it_is_revoked(hub: hubs.Hub, open_page: conftest.OpenPage) -> None:
    visitor = Visitor(hub, open_page(), "ann")
    visitor.open("#/account?tab=tokens")
    visitor.part("create-token").click()
    visitor.part("make-token").click()
    expect(visitor.page.get_by_text("Enter a name.")).to_be_visible()
    visitor.field("Name").fill("laptop")
    visitor.page.get_by_label("Only this:").check()
    visitor.part("make-token").click()
    token = visitor.part("token").inner_text()
    assert visitor.part("exports").inner_text() == (
        f"export LIGHTBOARD_HUB={hub.url}\nexport LIGHTBOARD_HUB_TOKEN={token}"
    )
    expect(visitor.part("login")).to_have_text(f"lightboard login {hub.url}")
    assert hub.ok("GET", "/api/v1/me", token=token)["scopes"] == ["boards:read"]
    visitor.page.get_by_role("button", name="Done").click()
    row = visitor.part("tokens").get_by_role("row").filter(has_text="laptop")
    expect(row).to_contain_text("View and open boards")
    expect(visitor.page.locator("body")).not_to_contain_text(token)
    row.get_by_role("button", name="Revoke").click()
    visitor.part("confirm-yes").click()
    visitor.heard("Token laptop revoked.")
    assert hub.request("GET", "/api/v1/me", token=token).status_code == 401

    # an access key for clients of PAI, likewise
    visitor.part("create-key").click()
    visitor.field("Name").fill("notebook")
    visitor.part("make-key").click()
    expect(visitor.part("key-secret")).to_have_text(re.compile(r"^\w{20,}$"))
    number = visitor.part("key-id").inner_text()
    visitor.page.get_by_role("button", name="Done").click()
    visitor.row(number).get_by_role("button", name="Revoke").click()
    visitor.part("confirm-yes").click()
    visitor.heard("Access key notebook revoked.")
    expect(visitor.row(number)).to_have_count(0)


def test_a_new_password_signs_out_other_browsers(hub: hubs.Hub, open_page: conftest.OpenPage) -> None:
    hub.new_user("dora", PASSWORD)
    other, visitor = Visitor(hub, open_page(), "dora"), Visitor(hub, open_page(), "dora")
    visitor.open("#/account?tab=sessions")
    expect(visitor.part("sessions").locator("tbody tr")).to_have_count(2)
    expect(visitor.part("sessions").locator("tbody tr").first).to_contain_text("This browser")
    visitor.page.get_by_role("tab", name="Profile").click()
    visitor.field("Current password").fill("the wrong password")
    visitor.field("New password").fill("another long password")
    visitor.part("change-password").click()
    expect(visitor.page.get_by_text("The current password is wrong.")).to_be_visible()
    visitor.field("Current password").fill(PASSWORD)
    visitor.part("change-password").click()
    visitor.heard("Password changed")
    # this browser goes on and may still write
    visitor.field("Display name").fill("Dora Diaz")
    visitor.part("save-profile").click()
    expect(visitor.page.get_by_role("heading", level=1)).to_have_text("Dora Diaz")
    assert other.page.request.get(f"{hub.url}/api/v1/me").status == 401


# -- workspaces


def test_a_workspace_is_created_shared_and_deleted(hub: hubs.Hub, open_page: conftest.OpenPage) -> None:
    visitor = Visitor(hub, open_page(), "ann")
    page = visitor.page
    visitor.open("#/workspaces")
    visitor.part("create-workspace").click()
    visitor.field("Name").fill("Vision")
    visitor.part("make-workspace").click()
    expect(page.get_by_text("Another workspace has this ID.")).to_be_visible()
    visitor.field("Name").fill("Speech & Text")
    expect(visitor.part("workspace-id")).to_have_value("speech-text")
    visitor.field("Description").press("Control+Enter")
    expect(page).to_have_url(f"{hub.url}/#/workspaces/speech-text?tab=members")

    # with keys only: find, choose, add
    visitor.part("find-person").fill("car")
    expect(page.get_by_role("option", name="carl")).to_be_visible()
    visitor.part("find-person").press("ArrowDown")
    visitor.part("find-person").press("Enter")
    expect(visitor.part("find-person")).to_have_value("carl")
    visitor.part("find-person").press("Enter")
    visitor.heard("carl is now a member: Editor.")
    expect(visitor.part("role-ann")).to_be_disabled()  # the last owner
    expect(visitor.row("ann").get_by_role("button", name="Leave")).to_be_disabled()
    visitor.part("role-carl").select_option("owner")
    visitor.heard("Role of carl changed: Owner.")
    expect(visitor.part("role-ann")).to_be_enabled()

    page.get_by_role("tab", name="Settings").click()
    visitor.part("idle_after").get_by_label("Idle after").select_option(label="Other…")
    visitor.field("Duration").fill("soon")
    expect(visitor.part("save-workspace")).to_be_disabled()
    visitor.field("Duration").fill("1h30m")
    visitor.part("save-workspace").click()
    visitor.heard("Settings saved.")
    assert hub.ok("GET", "/api/v1/workspaces/speech-text")["idle_after"] == 5400

    visitor.part("delete-workspace").click()
    expect(visitor.part("confirm-yes")).to_be_disabled()
    visitor.field("Type speech-text to confirm").fill("speech-text")
    visitor.part("confirm-yes").click()
    visitor.heard("deleted")
    expect(page).to_have_url(f"{hub.url}/#/workspaces")


def test_pages_show_what_a_role_may_do_and_hide_the_rest(hub: hubs.Hub, open_page: conftest.OpenPage) -> None:
    viewer = Visitor(hub, open_page(), "ben")
    viewer.open("#/workspaces/vision?tab=members")
    expect(viewer.row("ann")).to_contain_text("Owner")
    expect(viewer.part("add-member")).to_have_count(0)
    expect(viewer.row("ann").get_by_role("button")).to_have_count(0)
    expect(viewer.row("ben").get_by_role("button", name="Leave")).to_be_visible()
    viewer.open("#/workspaces/vision?tab=secrets")
    expect(viewer.page.get_by_text("Editors, admins and owners of the workspace see its secrets.")).to_be_visible()
    viewer.open("#/workspaces/vision?tab=settings")
    expect(viewer.field("Description")).to_be_disabled()
    expect(viewer.part("save-workspace")).to_have_count(0)
    expect(viewer.part("delete-workspace")).to_be_disabled()

    stranger = Visitor(hub, open_page(), "carl")
    for address in ("#/workspaces/vision", "#/workspaces/none", "#/admin"):
        stranger.open(address)
        expect(stranger.page.locator('[data-notice="not found"]')).to_be_visible()


@contextlib.contextmanager
def web_server(folder: pathlib.Path) -> Iterator[str]:
    """A server that lists a directory."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, format: str, *values: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def test_a_secret_is_tried_before_it_is_saved_and_kept_while_boards_use_it(
    hub: hubs.Hub, open_page: conftest.OpenPage, tmp_path: pathlib.Path
) -> None:
    for number in range(3):
        (tmp_path / f"events.out.tfevents.{number}").write_bytes(b"")
    # an admin of the hub: others may not name servers of this machine
    visitor = Visitor(hub, open_page(), "admin")
    page = visitor.page
    with web_server(tmp_path) as url:
        visitor.open("#/workspaces/vision?tab=secrets")
        visitor.part("add-secret").click()
        visitor.part("kind").select_option("web")
        visitor.part("save-secret").click()
        expect(page.get_by_text("Enter a name.")).to_be_visible()
        expect(page.get_by_text("Required")).to_be_visible()
        visitor.part("secret-name").fill("server")
        visitor.part("member-endpoint").fill("http://127.0.0.1:9")
        visitor.part("member-token").fill("a-token-that-nobody-may-see")
        visitor.part("test").click()
        expect(visitor.part("check")).to_contain_text("The test failed")
        expect(visitor.part("save-anyway")).to_be_visible()
        visitor.part("member-endpoint").fill(url)
        expect(visitor.part("check")).to_have_count(0)
        visitor.part("test").click()
        expect(visitor.part("check")).to_have_text("Works: lists 3 objects")
        visitor.part("save-secret").click()
        visitor.heard("Secret server saved: lists 3 objects.")
        expect(visitor.row("server")).to_contain_text("lists 3 objects")
        source = {"uri": f"{url}/", "secret": "server"}
        board = hub.ok("POST", "/api/v1/boards", json={"name": "logs", "sources": [source], "workspace": "vision"})
        hub.ok("POST", f"/api/v1/boards/{board['id']}:stop")
        visitor.open("#/workspaces/vision")
        visitor.open("#/workspaces/vision?tab=secrets")
        expect(visitor.row("server").get_by_role("link", name="1 board")).to_be_visible()
        visitor.row("server").get_by_role("button", name="server menu").click()
        page.get_by_role("menuitem", name="Delete").click()
        visitor.part("confirm-yes").click()
        expect(visitor.part("in-use")).to_have_text("logs")
        page.keyboard.press("Escape")
        expect(visitor.row("server")).to_be_visible()
        assert "a-token-that-nobody-may-see" not in page.content()
        hub.ok("DELETE", f"/api/v1/boards/{board['id']}")


# -- the hub


def test_an_admin_creates_a_user_who_chooses_a_password(hub: hubs.Hub, open_page: conftest.OpenPage) -> None:
    admin, newcomer = Visitor(hub, open_page(), "admin"), Visitor(hub, open_page())
    admin.open("#/admin?tab=users")
    admin.part("create-user").click()
    admin.part("user-name").fill("ann")
    admin.part("make-user").click()
    expect(admin.page.get_by_text("Another user has this name.")).to_be_visible()
    admin.part("user-name").fill("emil")
    admin.part("make-user").click()
    link = admin.part("link").inner_text()
    newcomer.page.goto(link)
    newcomer.field("Password").fill(PASSWORD)
    newcomer.part("submit").click()
    newcomer.heard("Welcome, emil.")

    admin.page.get_by_role("button", name="Done").click()
    admin.part("search-users").fill("emil")
    expect(admin.part("users").locator("tbody tr")).to_have_count(1)
    admin.part("user-emil").click()
    admin.page.get_by_role("menuitem", name="Disable").click()
    admin.part("confirm-yes").click()
    admin.heard("emil disabled.")
    expect(admin.row("emil")).to_contain_text("Disabled")
    # the page of the user notices it at the next request
    newcomer.open("#/account")
    newcomer.page.reload()
    expect(newcomer.part("sign-in")).to_be_visible()
    # an admin cannot lock themselves out
    admin.part("search-users").fill("admin")
    admin.part("user-admin").click()
    expect(admin.page.get_by_role("menuitem", name="Delete")).to_have_attribute("aria-disabled", "true")


def test_settings_are_saved_and_written_to_the_audit_log(hub: hubs.Hub, open_page: conftest.OpenPage) -> None:
    visitor = Visitor(hub, open_page(), "admin")
    visitor.open("#/admin?tab=settings")
    visitor.part("per_hub").fill("many")
    expect(visitor.part("save-settings")).to_be_disabled()
    visitor.part("per_hub").fill("40")
    visitor.part("reclaim_after").get_by_label("Stop after").select_option(label="3 d")
    visitor.part("save-settings").click()
    visitor.heard("Settings saved.")
    told = hub.ok("GET", "/api/v1/settings")
    assert (told["per_hub"], told["reclaim_after"], told["per_account"]) == (40, 3 * 86400, 5)
    # tabs follow arrow keys, and the address follows tabs
    visitor.page.get_by_role("tab", name="Settings").press("ArrowRight")
    expect(visitor.page.get_by_role("tab", name="Audit log")).to_be_focused()
    expect(visitor.page).to_have_url(f"{hub.url}/#/admin?tab=audit")
    row = visitor.part("audit").locator("tbody tr").filter(has_text="Settings changed").first
    expect(row).to_contain_text("admin")
    visitor.part("filter-actor").fill("nobody-has-this-name")
    visitor.part("filter-actor").press("Enter")
    expect(visitor.page.get_by_text("No entry matches the filters.")).to_be_visible()
    expect(visitor.page).to_have_url(re.compile("actor=nobody-has-this-name"))


# -- for everybody

ADDRESSES = [
    "#/account",
    "#/account?tab=tokens",
    "#/account?tab=sessions",
    "#/workspaces",
    *(f"#/workspaces/vision?tab={tab}" for tab in ("boards", "members", "secrets", "quota", "settings")),
    *(f"#/admin?tab={tab}" for tab in ("overview", "users", "workspaces", "settings", "audit")),
]

# what opens on these pages
OPENED = {
    "#/account?tab=tokens": ["create-token", "create-key"],
    "#/workspaces": ["create-workspace"],
    "#/workspaces/vision?tab=secrets": ["add-secret"],
    "#/admin?tab=users": ["create-user", "user-ann"],
}
WIDE = """() => [document.documentElement, document.querySelector("main")]
    .some((one) => one.scrollWidth > one.clientWidth)"""


def broken_rules(page: sync_api.Page) -> list[tuple[str, str]]:
    """Rules of WCAG 2 that the page breaks, with the first element that does."""
    run = "rules => axe.run(document, {runOnly: {type: 'tag', values: rules}}).then(told => told.violations)"
    return [(each["id"], each["nodes"][0]["html"]) for each in page.evaluate(run, RULES)]


@pytest.mark.parametrize(("locale", "scheme", "width"), [("en-US", "light", 1920), ("zh-CN", "dark", 390)])
def test_every_page_can_be_used_by_everybody(
    hub: hubs.Hub, open_page: conftest.OpenPage, locale: str, scheme: str, width: int
) -> None:
    """Rules of WCAG 2 in both themes, nothing wider than the window, and no English left on a Chinese page."""
    page = open_page(locale=locale, color_scheme=scheme, viewport={"width": width, "height": 900}, bypass_csp=True)
    visitor = Visitor(hub, page, "admin")
    found: list[tuple[str, str, str]] = []
    visitor.open("#/sign-in")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    for address in ADDRESSES:
        visitor.open(address)
        expect(page.locator('main[data-page] [aria-busy="true"]')).to_have_count(0)
        expect(page.locator("main[data-page] h1")).to_be_visible()
        found += [(address, *each) for each in broken_rules(page)]
        for opener in OPENED.get(address, []):
            visitor.part(opener).click()
            expect(page.locator("dialog[open], [role=menu]")).to_be_visible()
            found += [(f"{address} {opener}", *each) for each in broken_rules(page)]
            page.keyboard.press("Escape")
            expect(page.locator("dialog[open], [role=menu]")).to_have_count(0)
            expect(visitor.part(opener)).to_be_focused()
        if page.evaluate(WIDE):
            found.append((address, "too wide", ""))
        if locale == "zh-CN":
            titles = page.locator("main h2, main h3, main label, main th, main [role=tab]").all_inner_texts()
            found += [(address, "English", each) for each in titles if re.fullmatch(r"[A-Za-z ,.]{8,}", each.strip())]
    assert found == [], json.dumps(found, indent=1, ensure_ascii=False)
