"""The hub's pages of uploads in Chromium, with a real hub and a real `lightboard dev upload`.

What is stored and who may see it is decided by the hub and tested in tests/hub; here it is that the page shows it,
follows growth, and lets people rename, publish and delete.
"""

from __future__ import annotations

import os
import pathlib
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator

import event_files
import pytest
from browser import conftest, patience
from browser.hub import visits
from browser.hub.visits import Person, Site, Visit
from hub import hubs
from playwright import sync_api

from lightboard import client

pytestmark = [pytest.mark.browser, pytest.mark.whole_hub]

expect = sync_api.expect


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("hub")
    for run in ("left", "right"):
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


def upload(person: Person, name: str, description: str = "", visibility: str = "private") -> client.Upload:
    with client.Hub(person.site.hub.url, person.token) as hub:
        made = hub.uploads.create(name=name, description=description, visibility=visibility)
        made.send(person.site.logs)
        return made


def names(page: sync_api.Page) -> list[str]:
    found: list[str] = page.locator("[data-upload]").evaluate_all("(rows) => rows.map((row) => row.ariaLabel)")
    return found


def test_an_upload_appears_and_grows_while_a_client_sends(visit: Visit, tmp_path: pathlib.Path) -> None:
    page, person = visit.page, visit.person
    visit.open("#/uploads")
    expect(page.get_by_role("heading", name="No uploads yet")).to_be_visible()
    expect(page.locator("code").filter(has_text="lightboard dev upload --logdir runs")).to_be_visible()
    logs = tmp_path / "logs"
    event_files.write(logs / "a" / "events.out.tfevents.1", event_files.scalars("loss", [2.0]))
    process = follow(person, logs, tmp_path)
    try:
        expect(visit.row("growing")).to_be_visible()
        expect(visit.cell("growing", "state")).to_contain_text("Receiving")
        visit.row("growing").click()
        expect(visit.part("sending")).to_be_visible()
        expect(visit.part("files")).to_contain_text("a/events.out.tfevents.1")
        expect(visit.part("continue-command")).to_contain_text("--upload up-")
        event_files.write(logs / "b" / "events.out.tfevents.2", event_files.scalars("loss", [2.0] * 1000))
        expect(visit.part("files")).to_contain_text("b/events.out.tfevents.2")
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=hubs.PATIENCE_SECS)
    expect(visit.part("sending")).to_have_count(0, timeout=90_000)


def follow(person: Person, logs: pathlib.Path, folder: pathlib.Path) -> subprocess.Popen[bytes]:
    own = {name: value for name, value in os.environ.items() if not name.startswith("LIGHTBOARD_")}
    variables = {"LIGHTBOARD_HUB": person.site.hub.url, "LIGHTBOARD_HUB_TOKEN": person.token, "HOME": str(folder)}
    words = [sys.executable, "-m", "lightboard", "dev", "upload", "--logdir", str(logs), "--name", "growing"]
    return subprocess.Popen(words, env={**own, **variables}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def test_uploads_are_searched_filtered_and_sorted(visit: Visit) -> None:
    page, person = visit.page, visit.person
    upload(person, "beta", description="the paper")
    upload(person, "alpha", visibility="workspace")
    upload(person, "")
    visit.open("#/uploads?mine=1")
    patience.eventually(page, lambda _: names(page), ["Unnamed upload", "alpha", "beta"])
    page.locator("[data-column=name] button").first.click()
    patience.eventually(page, lambda _: names(page), ["Unnamed upload", "alpha", "beta"])
    page.locator("[data-column=name] button").first.click()
    patience.eventually(page, lambda _: names(page), ["beta", "alpha", "Unnamed upload"])
    visit.part("filter-visibility").select_option("workspace")
    patience.eventually(page, lambda _: names(page), ["alpha"])
    visit.open("#/uploads?q=paper&mine=1")
    patience.eventually(page, lambda _: names(page), ["beta"])


def test_an_upload_is_renamed_and_published_after_a_question(visit: Visit, open_page: conftest.OpenPage) -> None:
    page, person = visit.page, visit.person
    made = upload(person, "old name")
    visit.open(f"#/uploads/{made.id}")
    visit.part("edit").click()
    visit.part("upload-name").fill("x" * 101)
    expect(visit.part("save")).to_be_disabled()
    visit.part("upload-name").fill("新名字 <b>")
    visit.part("upload-description").fill("line one\n<script>two</script>")
    visit.part("visibility").select_option("public")
    expect(visit.part("save")).to_be_disabled()
    visit.part("confirm-public").check()
    visit.part("save").click()
    visit.heard("Saved")
    expect(page.get_by_role("heading", name="新名字 <b>")).to_be_visible()
    expect(page.locator(".upload__description")).to_have_text("line one\n<script>two</script>")
    expect(visit.part("about")).to_contain_text("Everyone")
    stranger = open_page()
    answer = stranger.goto(made.url)
    assert answer is not None
    assert answer.status < 400


def test_a_deleted_upload_frees_its_bytes(visit: Visit) -> None:
    page, person = visit.page, visit.person
    made = upload(person, "short-lived")
    upload(person, "stays")
    # public uploads of others are in the list of everybody
    visit.open("#/uploads?mine=1")
    expect(visit.row("short-lived")).to_be_visible()
    visit.part(f"menu-{made.id}").click()
    page.get_by_role("menuitem", name="Delete…").click()
    expect(visit.part("bulk-dialog")).to_contain_text(re.compile(r"removes 2 files and frees \d+ B on the hub"))
    visit.part("bulk-confirm").click()
    visit.heard("short-lived was deleted")
    patience.eventually(page, lambda _: names(page), ["stays"])
    page.get_by_role("link", name="stays", exact=True).click()
    expect(page.get_by_role("heading", name="stays")).to_be_visible()
    person.ask("DELETE", f"uploads/{person.ask('GET', 'uploads')['items'][0]['id']}")
    expect(page.get_by_role("heading", name="The upload was deleted")).to_be_visible()


def test_a_file_is_downloaded_as_it_was_sent(visit: Visit) -> None:
    page, person = visit.page, visit.person
    made = upload(person, "files")
    visit.open(f"#/uploads/{made.id}")
    with page.expect_download() as download:
        page.get_by_role("link", name="left/events.out.tfevents.1").click()
    sent = (person.site.logs / "left" / "events.out.tfevents.1").read_bytes()
    assert pathlib.Path(download.value.path()).read_bytes() == sent


def test_somebody_else_cannot_change_an_upload(site: Site, page: sync_api.Page) -> None:
    owner, other = site.person(), site.person()
    hidden = upload(owner, "hidden")
    shown = upload(owner, "shown", visibility="private")
    owner.ask("PATCH", f"boards/{shown.data['board']}", json={"visibility": "public", "confirm_public": True})
    visit = other.signs_in(page)
    visit.open(f"#/uploads/{hidden.id}")
    expect(page.get_by_role("heading", name="Page not found")).to_be_visible()
    visit.open(f"#/uploads/{shown.id}")
    expect(page.get_by_role("heading", name="shown")).to_be_visible()
    expect(visit.part("edit")).to_have_count(0)
    expect(visit.part("continue-command")).to_have_count(0)


def test_uploads_fit_on_a_telephone_in_chinese(site: Site, open_page: conftest.OpenPage) -> None:
    person = site.person()
    made = upload(person, "很长的名字" * 19, description="描述" * 200)
    page = open_page(viewport={"width": 390, "height": 760}, locale="zh-CN", has_touch=True)
    visit = person.signs_in(page)
    for address, sign in (("#/uploads", "[data-upload]"), (f"#/uploads/{made.id}", ".file-table")):
        visit.open(address)
        expect(page.locator(sign).first).to_be_visible()
        visits.fits(page)


def test_no_page_of_uploads_breaks_a_rule_of_accessibility(site: Site, open_page: conftest.OpenPage) -> None:
    person = site.person()
    made = upload(person, "mine", description="text")
    page = open_page(reduced_motion="reduce")
    page.add_init_script(path=visits.AXE)
    visit = person.signs_in(page)

    def at(address: str, sign: str, *clicks: str) -> Callable[[], sync_api.Locator]:
        def opening() -> sync_api.Locator:
            visit.open(address)
            for each in clicks:
                visit.part(each).click()
            return page.locator(sign).first

        return opening

    broken = {}
    places = {
        "list": at("#/uploads", "[data-upload]"),
        "delete": at("#/uploads", "[data-testid=bulk-dialog]", "select-all", "bulk-delete"),
        "one": at(f"#/uploads/{made.id}", ".file-table"),
        "edit": at(f"#/uploads/{made.id}", "[data-testid=edit-upload]", "edit"),
    }
    for name, opening in places.items():
        expect(opening()).to_be_visible()
        for theme in ("light", "dark"):
            page.evaluate("(theme) => { document.documentElement.dataset.theme = theme; }", theme)
            if found := visits.violations(page):
                broken[f"{name} {theme}"] = found
    assert broken == {}
