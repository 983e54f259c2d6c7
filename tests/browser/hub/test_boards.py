"""The hub's pages of boards in Chromium, with a real hub: list, creation, one board, sharing, keys, telephones.

Every test has a user of its own, so that lists of different tests do not meet. What the hub decides (quota, roles,
states) is tested in tests/hub; here it is that the page shows it, lets people do it, and says what became of it.
"""

from __future__ import annotations

import contextlib
import pathlib
import re
import sqlite3
from collections.abc import Callable, Iterator

import event_files
import pytest
from browser import conftest, patience
from browser.hub import visits
from browser.hub.visits import Site, Visit, fits, violations
from hub import hubs
from playwright import sync_api

pytestmark = [pytest.mark.browser, pytest.mark.whole_hub]

expect = sync_api.expect


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("hub")
    for run in ("a", "b/left", "b/right"):
        event_files.write(folder / "logs" / run / "events.out.tfevents.1", event_files.scalars("loss", [2.0, 1.0]))
    with hubs.running(folder / "kept", "--allow_root", str(folder / "logs")) as hub:
        yield Site(hub, folder / "logs")


@pytest.fixture
def forgiven(forgiven: list[str]) -> list[str]:
    """Browsers write refusals to the console; pages show them."""
    return [*forgiven, r"status of 4\d\d"]


@pytest.fixture
def visit(site: Site, page: sync_api.Page) -> Visit:
    return site.person().signs_in(page)


# -- creating


def test_a_board_is_created_by_keys_and_watched_until_it_runs(visit: Visit) -> None:
    page, logs = visit.page, visit.person.site.logs
    visit.open()
    expect(page.get_by_role("heading", name="No boards yet")).to_be_visible()
    page.keyboard.press("c")
    uri = visit.part("uri-1")
    expect(uri).to_be_focused()
    page.keyboard.type("/etc")
    expect(page.locator("[data-tone=bad]")).to_be_visible()
    uri.fill(str(logs / "nothing"))
    expect(page.locator("[data-tone=warn]")).to_contain_text("Nothing was found at this address yet")
    uri.fill(str(logs / "b"))
    expect(page.locator("[data-tone=good]")).to_contain_text("Found 2 runs in 2 files")
    expect(page.locator("[data-tone=good]")).to_contain_text("left, right")
    expect(visit.part("board-name")).to_have_attribute("placeholder", "b")
    page.keyboard.press("Enter")
    expect(page.locator("main.board")).to_have_attribute("data-state", re.compile("Running|Idle"))
    expect(page.get_by_role("heading", name="b", exact=True)).to_be_visible()
    expect(page.get_by_text(re.compile(r"^Pauses in 1 d( 1 h)? if nobody uses it"))).to_be_visible()
    board = visit.person.ask("GET", "boards")["items"][0]
    expect(page.get_by_role("link", name="Open", exact=True)).to_have_attribute("href", board["url"])
    page.get_by_role("tab", name="Events").click()
    expect(visit.part("events")).to_contain_text(f"{visit.person.name} created the board")
    page.go_back()
    visit.lists("b")
    expect(visit.part("quota")).to_have_text("1 of 5 boards active")


def test_a_board_has_several_sources_times_and_a_second_question_before_it_is_public(visit: Visit) -> None:
    page, logs = visit.page, visit.person.site.logs
    visit.open(f"#/boards?create=1&uri={logs / 'a'}")
    visit.part("add-source").click()
    expect(visit.part("uri-2")).to_be_focused()
    visit.part("uri-2").fill(str(logs / "b"))
    visit.part("prefix-2").fill("second")
    visit.part("board-name").fill("both")
    visit.part("visibility").select_option("public")
    visit.part("create-submit").click()
    expect(page.get_by_text("Confirm that everyone may see the board.")).to_be_visible()
    visit.part("confirm-public").check()
    page.locator("summary").click()
    visit.part("idle_after").select_option("1800")
    visit.part("create-submit").click()
    expect(page.locator("main.board")).to_be_visible()
    made = visit.person.ask("GET", "boards")["items"][0]
    assert [each["prefix"] for each in made["sources"]] == ["", "second"]
    assert (made["name"], made["visibility"], made["idle_after"]) == ("both", "public", 1800)
    visit.person.ask("DELETE", f"boards/{made['id']}")  # everybody sees it


def test_a_full_quota_offers_boards_to_stop_and_tries_again(visit: Visit) -> None:
    person = visit.person
    person.site.hub.ok("PATCH", f"/api/v1/users/{person.name}", json={"boards_limit": 1})
    first = person.board("first")
    visit.open("#/boards?create=1")
    visit.part("uri-1").fill(str(person.site.logs / "b"))
    visit.part("uri-1").press("Enter")
    dialog = visit.part("limit")
    expect(dialog).to_contain_text("1 of 1 boards are active")
    expect(dialog).to_contain_text("Running · last used")
    dialog.get_by_role("button", name="Stop and try again : first").click()
    expect(visit.page.locator("main.board")).to_be_visible()
    expect(dialog).to_be_hidden()
    assert person.ask("GET", f"boards/{first['id']}")["state"] == "Stopped"
    # the same from the list, for a start
    visit.open()
    visit.part(f"start-{first['id']}").click()
    dialog.get_by_role("button", name="Stop and try again : b").click()
    visit.heard("Starting first")
    expect(visit.row("first")).to_have_attribute("data-state", "Running")


# -- the list


def test_the_list_is_sorted_filtered_and_searched_and_its_address_shows_the_same(visit: Visit) -> None:
    person, page = visit.person, visit.page
    for name in ("alpha", "gamma"):
        person.board(name)
    person.stopped_board("beta")
    visit.open()
    visit.lists("beta", "gamma", "alpha")
    page.get_by_role("button", name="Name").click()
    visit.lists("alpha", "beta", "gamma")
    page.get_by_role("button", name="Name").click()
    visit.lists("gamma", "beta", "alpha")
    visit.part("filter-state").select_option("Stopped")
    visit.lists("beta")
    expect(visit.cell("beta", "state")).to_have_text("Stoppedby a user")
    page.reload()
    visit.lists("beta")
    visit.part("filter-state").select_option("active")
    visit.lists("gamma", "alpha")
    visit.part("search").fill("ALPH")
    visit.lists("alpha")
    expect(page).to_have_url(re.compile(r"#/boards\?sort=-name&state=active&q=ALPH"))
    visit.part("search").fill("nothing like this")
    visit.part("clear-filters").click()
    visit.lists("gamma", "beta", "alpha")


def test_columns_are_chosen_and_resized_and_both_are_remembered(visit: Visit) -> None:
    visit.person.board("wide")
    page = visit.open().page
    visit.part("columns").click()
    visit.part("column-owner").uncheck()
    visit.part("column-id").check()
    page.keyboard.press("Escape")
    edge = page.get_by_role("separator", name="Column width: Name")
    before = patience.box_of(visit.cell("wide", "name"))["width"]
    edge.focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    patience.eventually(page, lambda _page: patience.box_of(visit.cell("wide", "name"))["width"] - before, 48.0)
    page.reload()
    expect(page.locator("[data-column=id]")).to_be_visible()
    expect(page.locator("[data-column=owner]")).to_have_count(0)
    patience.eventually(page, lambda _page: patience.box_of(visit.cell("wide", "name"))["width"] - before, 48.0)


def test_the_list_follows_what_others_do(visit: Visit) -> None:
    person, page = visit.person, visit.page
    made = person.board("watched")
    visit.open()
    expect(visit.row("watched")).to_have_attribute("data-state", "Running")
    expect(visit.cell("watched", "pauses")).to_have_text(re.compile(r"^1 d( 1 h)?$"))
    page.evaluate("window.same = true")
    person.ask("POST", f"boards/{made['id']}:stop", json={})
    expect(visit.row("watched")).to_have_attribute("data-state", "Stopped")
    expect(visit.cell("watched", "pauses")).to_have_text("")
    person.board("new")
    visit.lists("new", "watched")
    person.ask("DELETE", f"boards/{made['id']}")
    visit.lists("new")
    assert page.evaluate("window.same")


def test_many_boards_are_stopped_resumed_and_deleted_at_once(visit: Visit) -> None:
    person, page = visit.person, visit.page
    for name in ("one", "two"):
        person.board(name)
    visit.open()
    visit.lists("two", "one")
    visit.part("select-all").check()
    visit.part("bulk-stop").click()
    expect(visit.part("bulk-dialog")).to_contain_text("Stop 2 boards?")
    visit.part("bulk-confirm").click()
    visit.heard("2 of 2 boards are stopping")
    for name in ("one", "two"):
        expect(visit.row(name)).to_have_attribute("data-state", "Stopped")
    # one slot for two boards: the dialog says which did not start, and why
    person.site.hub.ok("PATCH", f"/api/v1/users/{person.name}", json={"boards_limit": 1})
    visit.part("select-all").check()
    visit.part("bulk-start").click()
    visit.part("bulk-confirm").click()
    results = visit.part("bulk-results")
    expect(results).to_contain_text("1 of 2 boards are starting")
    expect(results.locator('[data-ok="false"]')).to_contain_text("1 of 1 boards are active.")
    results.get_by_role("button", name="Done").click()
    visit.part("select-all").check()
    visit.part("bulk-delete").click()
    dialog = visit.part("bulk-dialog")
    for text in ("one", "two", "its share links", "Your log files stay as they are"):
        expect(dialog).to_contain_text(text)
    visit.part("bulk-confirm").click()
    expect(page.get_by_role("heading", name="No boards yet")).to_be_visible()
    assert (person.site.logs / "a").is_dir()


def test_everything_in_the_list_works_by_keyboard(visit: Visit) -> None:
    person, page = visit.person, visit.page
    for name in ("first", "second", "third"):
        person.stopped_board(name)
    visit.open()
    visit.lists("third", "second", "first")
    page.keyboard.press("/")
    expect(visit.part("search")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(visit.row("third")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(visit.row("second")).to_be_focused()
    page.keyboard.press("Space")
    expect(visit.row("second")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("End")
    expect(visit.row("first")).to_be_focused()
    page.keyboard.press("Shift+Space")
    expect(visit.part("bulk-bar")).to_contain_text("2 selected")
    page.keyboard.press("Delete")
    expect(visit.part("bulk-dialog")).to_contain_text("Delete 2 boards?")
    page.keyboard.press("Escape")
    expect(visit.part("bulk-dialog")).to_be_hidden()
    expect(visit.row("first")).to_be_focused()
    page.keyboard.press("Escape")
    expect(visit.part("bulk-bar")).to_be_hidden()
    page.keyboard.press("?")
    expect(visit.part("help")).to_be_visible()
    page.keyboard.press("Escape")
    expect(visit.row("first")).to_be_focused()
    page.keyboard.press("m")
    expect(page.get_by_role("menuitem", name="Details")).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="first")).to_be_visible()
    page.keyboard.press("b")
    visit.lists("third", "second", "first")


def test_thousands_of_boards_are_loaded_as_one_scrolls(visit: Visit) -> None:
    made = visit.person.stopped_board("the oldest")
    copy_board(visit.person.site.hub, made["id"], 2999)
    page = visit.open().page
    expect(page.get_by_text("3,000 boards")).to_be_visible()
    assert page.locator("[data-board]").count() < 80
    page.locator("[data-board]").first.focus()
    page.keyboard.press("End")
    expect(visit.row("the oldest")).to_be_focused()
    assert page.locator("[data-board]").count() < 80
    visit.part("search").fill("copy 17")
    total = page.get_by_text(re.compile(r"^[0-9]{3} boards$"))
    expect(total).to_be_visible()
    visit.part("select-all").check()
    rest = visit.part("select-rest")
    if rest.is_visible():
        rest.click()
    expect(visit.part("bulk-bar")).to_contain_text(f"{total.inner_text().split()[0]} selected")


def copy_board(hub: hubs.Hub, board: str, count: int) -> None:
    """Newer boards with the same definition, straight into the database: nothing else makes so many so fast."""
    with contextlib.closing(sqlite3.connect(hub.dir / "hub.sqlite3")) as database, database:
        database.row_factory = sqlite3.Row
        row = dict(database.execute("SELECT * FROM boards WHERE id = ?", [board]).fetchone())
        copies = []
        for number in range(count):
            name = f"copy {number}"
            changes = {"name": name, "name_key": name, "search": name, "created": row["created"] + 1 + number}
            copies.append(tuple({**row, **changes, "id": f"b-copy{number}"}.values()))
        marks = ",".join("?" * len(row))
        database.executemany(f"INSERT INTO boards ({','.join(row)}) VALUES ({marks})", copies)


def test_a_restart_of_the_hub_is_shown_and_the_list_catches_up(
    tmp_path: pathlib.Path, site: Site, page: sync_api.Page, forgiven: list[str]
) -> None:
    forgiven.append("status of 50[0-9]")
    flags = ["--allow_root", str(site.logs)]
    with hubs.running(tmp_path / "kept", *flags) as hub:
        person = Site(hub, site.logs).person()
        made = person.board("mine")
        visit = person.signs_in(page).open()
        expect(visit.part("live")).to_have_text("Live")
        hub.stop()
        expect(visit.part("live")).to_have_text("Reconnecting…")
        expect(visit.row("mine")).to_be_visible()
        port = hub.url.rpartition(":")[2]
        with hubs.running(tmp_path / "kept", *flags, "--port", port) as again:
            again.ok("POST", f"/api/v1/boards/{made['id']}:stop", token=person.token, json={})
            expect(visit.row("mine")).to_have_attribute("data-state", "Stopped")
            expect(visit.part("live")).to_have_text("Live")


# -- one board


def test_a_board_is_stopped_kept_alive_renamed_and_deleted_on_its_page(visit: Visit) -> None:
    person, page = visit.person, visit.page
    made = person.board("mine")
    visit.open(f"#/boards/{made['id']}")
    visit.part("keep-alive").click()
    expect(page.get_by_text("Kept alive until")).to_be_visible()
    visit.part("keep-alive").click()
    expect(page.get_by_text("Kept alive until")).to_be_hidden()
    visit.part("stop").click()
    expect(page.get_by_text("A user stopped it. Resume it, or open its link.")).to_be_visible()
    visit.part("start").click()
    expect(page.locator("main.board")).to_have_attribute("data-state", "Running")
    expect(visit.part("usage")).to_contain_text(re.compile(r"Memory\s*\d+ MB"))
    for tab, test_id, text in (("Log", "log", "lightboard"), ("Manifest", "manifest", "kind: Board")):
        page.get_by_role("tab", name=tab).click()
        expect(visit.part(test_id)).to_contain_text(re.compile(text, re.IGNORECASE))
    page.get_by_role("tab", name="Settings").click()
    visit.part("settings-name").fill("ours")
    # somebody else changes it meanwhile
    person.ask("PATCH", f"boards/{made['id']}", json={"name": "theirs"})
    visit.part("save").click()
    expect(page.get_by_text("Someone else changed the board.")).to_be_visible()
    page.get_by_role("button", name="Show the current values").click()
    expect(visit.part("settings-name")).to_have_value("theirs")
    visit.part("settings-name").fill("ours")
    visit.part("visibility").select_option("public")
    expect(visit.part("save")).to_be_disabled()
    visit.part("confirm-public").check()
    visit.part("save").click()
    visit.heard("Saved")
    expect(page.get_by_role("heading", name="ours")).to_be_visible()
    assert person.ask("GET", f"boards/{made['id']}")["visibility"] == "public"
    page.get_by_role("tab", name="Events").click()
    expect(visit.part("events")).to_contain_text(f"{person.name} changed the name, who may see it")
    visit.part("board-menu").click()
    page.get_by_role("menuitem", name="Delete…").click()
    visit.part("bulk-confirm").click()
    expect(page.get_by_role("heading", name="No boards yet")).to_be_visible()


def test_a_share_link_is_shown_once_opens_the_board_and_is_revoked(visit: Visit, open_page: conftest.OpenPage) -> None:
    page = visit.page
    made = visit.person.board("shared")
    visit.open(f"#/boards/{made['id']}?tab=sharing")
    visit.part("share-view").fill(f"{made['url']}#timeseries?tagFilter=loss")
    visit.part("create-share").click()
    link = visit.part("share-url").input_value()
    expect(visit.part("shares")).to_contain_text("opens a view")
    guest = open_page()
    guest.goto(link)
    expect(guest).to_have_url(f"{made['url']}#timeseries?tagFilter=loss")
    page.reload()
    expect(visit.part("shares")).to_contain_text("1 visit")
    expect(visit.part("share-url")).to_have_count(0)
    visit.part("shares").get_by_role("button", name="Revoke").click()
    visit.part("revoke-confirm").click()
    expect(visit.part("shares")).to_contain_text("revoked")
    assert guest.request.get(made["url"]).status in (401, 404)


def test_who_may_only_look_sees_no_commands_and_others_see_nothing(site: Site, open_page: conftest.OpenPage) -> None:
    owner, viewer, stranger = site.person(), site.person(), site.person()
    space = f"space-{owner.name}"
    owner.ask("POST", "workspaces", json={"id": space})
    owner.ask("PUT", f"workspaces/{space}/members/{viewer.name}", json={"role": "viewer"})
    made = owner.board("team board", workspace=space, visibility="workspace")
    seen = viewer.signs_in(open_page()).open()
    seen.lists("team board")
    expect(seen.part(f"open-{made['id']}")).to_be_visible()
    for test_id in (f"stop-{made['id']}", f"start-{made['id']}"):
        expect(seen.part(test_id)).to_have_count(0)
    seen.row("team board").get_by_role("link", name="team board", exact=True).click()
    expect(seen.page.get_by_role("tab", name="Overview")).to_be_visible()
    expect(seen.page.get_by_role("tab", name="Settings")).to_have_count(0)
    expect(seen.part("stop")).to_have_count(0)
    lost = stranger.signs_in(open_page()).open(f"#/boards/{made['id']}")
    expect(lost.page.get_by_role("heading", name="Page not found")).to_be_visible()
    lost.open("#/admin")
    expect(lost.page.get_by_role("heading", name="Page not found")).to_be_visible()


def test_a_source_that_fails_is_shown_in_the_list_and_on_the_page(visit: Visit) -> None:
    person, page = visit.person, visit.page
    gone = person.site.logs / "missing"
    sources = [{"uri": str(person.site.logs / "a")}, {"uri": str(gone), "prefix": "lost"}]
    made = person.site.hub.settled(
        person.ask("POST", "boards", json={"name": "half", "sources": sources}), token=person.token
    )
    hubs.until(lambda: person.ask("GET", f"boards/{made['id']}")["problems"], what="a problem")
    visit.open()
    expect(visit.cell("half", "sources")).to_contain_text("1 source fails")
    visit.open(f"#/boards/{made['id']}")
    expect(page.locator(".source-list__problem")).to_be_visible()


# -- every reader


def test_a_telephone_shows_cards_and_nothing_is_cut_off(site: Site, open_page: conftest.OpenPage) -> None:
    person = site.person()
    made = person.board("一个名字很长的看板，用来检查小屏幕上的布局")
    size = {"width": 360, "height": 740}
    visit = person.signs_in(open_page(viewport=size, locale="zh-CN", has_touch=True, is_mobile=True)).open()
    page = visit.page
    expect(page.locator("[data-board]")).to_contain_text("运行中")
    visit.part("create").click()
    expect(page.get_by_role("dialog", name="创建看板")).to_be_visible()
    fits(page)
    page.keyboard.press("Escape")
    page.get_by_role("link", name=made["name"], exact=True).click()
    for tab in ("概览", "事件", "日志", "设置", "分享", "清单"):
        page.get_by_role("tab", name=tab).click()
        expect(page.get_by_role("tabpanel", name=tab)).to_be_visible()
        fits(page)


def test_language_and_theme_are_chosen_and_kept(visit: Visit) -> None:
    page = visit.open().page
    visit.part("language").click()
    page.get_by_role("menuitemcheckbox", name="简体中文").click()
    expect(page.get_by_role("heading", name="还没有看板")).to_be_visible()
    visit.part("theme").click()
    page.get_by_role("menuitemcheckbox", name="深色").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.reload()
    expect(page.get_by_role("heading", name="还没有看板")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.locator("html")).to_have_attribute("lang", "zh-CN")


def opened(visit: Visit, board: str) -> dict[str, Callable[[], sync_api.Locator]]:
    """Addresses and what is opened there, each with a sign that it is there."""
    page = visit.page

    def at(address: str, sign: str) -> Callable[[], sync_api.Locator]:
        return lambda: visit.open(address).page.locator(sign).first

    def selected() -> sync_api.Locator:
        visit.open()
        visit.part("select-all").check()
        visit.part("bulk-delete").click()
        return page.get_by_test_id("bulk-dialog")

    def columns() -> sync_api.Locator:
        visit.open()
        visit.part("columns").click()
        return page.locator(".columns-choice")

    return {
        "list": at("#/boards", "[data-board]"),
        "empty": at("#/boards?q=nothing", ".list-page__no-match"),
        "create": at("#/boards?create=1", "[data-testid=create-dialog]"),
        "bulk": selected,
        "columns": columns,
        **{
            tab: at(f"#/boards/{board}?tab={tab}", f"[data-part={tab}]")
            for tab in ("overview", "events", "logs", "settings", "sharing", "manifest")
        },
        "not found": at("#/nowhere", "[data-notice]"),
    }


def test_no_page_breaks_a_rule_of_accessibility(site: Site, open_page: conftest.OpenPage) -> None:
    person = site.person()
    board = person.board("mine")["id"]
    page = open_page(reduced_motion="reduce")
    page.add_init_script(path=visits.AXE)
    broken = {}
    for name, opening in opened(person.signs_in(page), board).items():
        expect(opening()).to_be_visible()
        # web/src/theme.test.ts compares all colors of both themes
        for theme in ("light", "dark") if name in ("list", "create", "overview") else ("light",):
            page.evaluate("(theme) => { document.documentElement.dataset.theme = theme; }", theme)
            if found := violations(page):
                broken[f"{name} {theme}"] = found
    assert broken == {}
