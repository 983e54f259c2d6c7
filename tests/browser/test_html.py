"""Logged HTML: it is shown and its scripts run, but they reach neither the board, the network, nor what the browser keeps.

Each attempt is made by a page that was logged, in a real Chromium; what it could do it writes into itself, where the test
reads it. Whether a request leaves is asked of the server that would get it.
"""

# ruff: noqa: E501
from __future__ import annotations

import pathlib
from collections.abc import Iterator

import board_process
import event_files
import pytest
from browser import patience, stranger, test_accessibility
from browser.conftest import OpenPage
from browser.kind_cards import drawn, expect_step, kind_card, slide
from playwright import sync_api

pytestmark = pytest.mark.browser

expect = sync_api.expect

HTML = event_files.summary_metadata("lightboard_html")
# What a refusal looks like on the console.
REFUSED = r"Content Security|sandbox|Blocked|Refused|Unsafe attempt|ERR_BLOCKED|opaque origin|SecurityError|Framing"


def html_event(tag: str, page: str, step: int = 0) -> bytes:
    tensor = event_files.string_tensor([page.encode()], shape=[1])
    value = event_files.value(tag, event_files.field_bytes(8, tensor), HTML)
    return event_files.summary_event(value, step=step, wall_time=event_files.WALL + step)


def write(folder: pathlib.Path, *events: bytes) -> None:
    event_files.write(folder / "run" / "events.out.tfevents.1", [event_files.version_event(), *events])


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[board_process.Process]:
    folder = tmp_path_factory.mktemp("logs")
    write(
        folder,
        *(html_event("report", f"<h1>Report {step}</h1>", step) for step in range(3)),
        html_event("script", "<p>before</p><script>document.body.append('after')</script>"),
        html_event("empty", ""),
        html_event("large", "<p>large</p>" + "x" * 9_000_000),
    )
    with board_process.Process("--logdir", folder, "--port", "0") as process:
        process.wait_for_runs("run")
        yield process


def open_html(page: sync_api.Page, board: board_process.Process, members: str = "") -> None:
    page.goto(f"{board.url}#html?{members}")
    expect(page.locator("[data-kind-card]").first).to_be_visible()


def inside(card: sync_api.Locator) -> sync_api.FrameLocator:
    return card.frame_locator("iframe")


def test_a_page_is_shown_step_by_step(page: sync_api.Page, board: board_process.Process) -> None:
    open_html(page, board)
    card = kind_card(page, "html", "report")
    expect_step(card, 2)
    expect(inside(card).locator("h1")).to_have_text("Report 2")
    slide(card, "Home")
    expect_step(card, 0)
    expect(inside(card).locator("h1")).to_have_text("Report 0")
    expect(card).to_contain_text("Sandboxed: can't access the board or network")


def test_scripts_run_in_a_frame_without_this_origin(page: sync_api.Page, board: board_process.Process) -> None:
    open_html(page, board)
    card = kind_card(page, "html", "script")
    expect(drawn(card)).to_have_attribute("sandbox", "allow-scripts")
    expect(inside(card).locator("body")).to_contain_text("after")
    assert inside(card).locator("body").evaluate("() => self.origin") == "null"


def test_empty_and_large_pages_say_what_they_are(page: sync_api.Page, board: board_process.Process) -> None:
    open_html(page, board)
    expect(kind_card(page, "html", "empty")).to_contain_text("An empty page")
    large = kind_card(page, "html", "large")
    expect(large).to_contain_text("This page is large (9.0 MB)")
    large.get_by_role("button", name="Show").click()
    expect(inside(large).locator("p")).to_contain_text("large")


def test_a_page_fills_the_screen_and_can_be_made_higher(page: sync_api.Page, board: board_process.Process) -> None:
    open_html(page, board, "cardHeight=500")
    card = kind_card(page, "html", "report")
    assert patience.box_of(card)["height"] == pytest.approx(500, abs=2)
    card.hover()
    card.get_by_role("button", name="Expand").click()
    frame = page.locator("[data-full] iframe")
    expect(frame).to_be_visible()
    assert patience.box_of(frame)["height"] > 450


ATTEMPTS = {
    "parent": "parent.document.title",
    "top": "top.location.href",
    "cookies": "document.cookie",
    "storage": "localStorage.length",
    "session storage": "sessionStorage.length",
    "databases": "await new Promise((yes, no) => { const o = indexedDB.open('x'); o.onsuccess = yes; o.onerror = no; })",
    "caches": "await caches.keys()",
    "board": "await (await fetch('{board}api/board')).text()",
    "board by relative address": "await (await fetch('../board')).text()",
    "network": "await (await fetch('{other}fetch')).text()",
    "request": "await new Promise((yes, no) => { const r = new XMLHttpRequest(); r.open('GET', '{other}xhr'); "
    "r.onload = yes; r.onerror = no; r.send(); })",
    "socket": "await new Promise((yes, no) => { const s = new WebSocket('{other}ws'.replace('http', 'ws')); "
    "s.onopen = yes; s.onerror = no; })",
    "events": "await new Promise((yes, no) => { const s = new EventSource('{other}es'); s.onopen = yes; s.onerror = no; })",
    "picture": "await new Promise((yes, no) => { const i = new Image(); i.onload = yes; i.onerror = no; i.src = '{other}i.png'; })",
    "script": "await new Promise((yes, no) => { const s = document.createElement('script'); s.src = '{other}s.js'; "
    "s.onload = yes; s.onerror = no; document.head.append(s); })",
    "style": "await new Promise((yes, no) => { const l = document.createElement('link'); l.rel = 'stylesheet'; "
    "l.href = '{other}c.css'; l.onload = yes; l.onerror = no; document.head.append(l); })",
    "worker": "await new Promise((yes, no) => { const w = new Worker('{other}w.js'); w.onmessage = yes; w.onerror = no; })",
    "service worker": "await navigator.serviceWorker.register('sw.js')",
    "window": "if (window.open('{other}open') === null) throw 'no window'",
    "eval of a module": "await import('{other}m.js')",
    "clipboard": "await navigator.clipboard.readText()",
}
LEAVING = {
    "beacon": "navigator.sendBeacon('{other}beacon')",
    "navigation": "location.href = '{other}self'",
    "navigation above": "top.location.href = '{other}top'",
    "form": "const f = document.createElement('form'); f.action = '{other}form'; document.body.append(f); f.submit()",
    "link": "const a = document.createElement('a'); a.href = '{other}link'; a.target = '_top'; document.body.append(a); a.click()",
    "refresh": "const m = document.createElement('meta'); m.httpEquiv = 'refresh'; m.content = '0;url={other}refresh'; document.head.append(m)",
    "prefetch": "const l = document.createElement('link'); l.rel = 'prefetch'; l.href = '{other}prefetch'; document.head.append(l)",
    "style of a picture": "document.body.style.background = 'url({other}background)'",
    "frame": "const i = document.createElement('iframe'); i.src = '{other}frame'; document.body.append(i)",
}


def test_a_page_reaches_nothing(open_page: OpenPage, tmp_path: pathlib.Path, forgiven: list[str]) -> None:
    # what is only tried, Chromium tells of; whether it left, the stranger says
    forgiven += [REFUSED, f"request to another origin: http://{stranger.NAME}", "^script: "]
    with stranger.listening() as other:
        with board_process.Process("--logdir", tmp_path, "--port", "0") as board:
            address = f"http://{other.host}/"

            def filled(code: str) -> str:
                return code.replace("{board}", board.url).replace("{other}", address)

            tries = {name: filled(code) for name, code in ATTEMPTS.items()}
            pages = [
                html_event(
                    name,
                    "<p id=told>waiting</p><script type=module>try { "
                    f"{code}; told.textContent = 'reached' }} catch (e) {{ told.textContent = 'refused' }}</script>",
                )
                for name, code in tries.items()
            ]
            pages += [
                html_event(f"leave {name}", f"<p id=told>here</p><script>{filled(code)}</script>")
                for name, code in LEAVING.items()
            ]
            write(tmp_path, *pages)
            board.wait_for_runs("run")
            page = open_page(viewport={"width": 1600, "height": 12_000})
            open_html(page, board)
            for name in tries:
                expect(inside(kind_card(page, "html", name)).locator("#told")).to_have_text("refused")
            for name in LEAVING:
                expect(drawn(kind_card(page, "html", f"leave {name}"))).not_to_have_attribute("data-drawn", "0")
            page.wait_for_timeout(500)
            expect(page.get_by_test_id("html-page")).to_be_visible()
            assert page.url.startswith(board.url)
        assert other.heard == []


def test_a_page_opened_by_itself_runs_no_script(
    page: sync_api.Page, board: board_process.Process, forgiven: list[str]
) -> None:
    forgiven.append(REFUSED)
    open_html(page, board)
    address = drawn(kind_card(page, "html", "script")).get_attribute("src")
    page.goto(f"{board.url}{address}")
    expect(page.locator("p")).to_have_text("before")
    assert "after" not in page.locator("body").inner_text()


def test_rules_of_accessibility_are_kept(page: sync_api.Page, board: board_process.Process) -> None:
    page.add_init_script(path=test_accessibility.AXE)
    open_html(page, board, "tagFilter=report")
    expect_step(kind_card(page, "html", "report"), 2)
    assert test_accessibility.violations(page) == []
