"""Logs of somebody who means harm, on every page that shows them: no script runs, nothing leaves, nothing breaks.

More than 200 payloads (hostile_payloads.py) are in one log directory (hostile_logs.py). A stranger listens
(stranger.py); scripts that get anywhere call `pwned`; dialogs, windows, downloads and other addresses are noticed. That
all of this would be noticed is proved first, by the same payloads in pages that nothing protects. And what is harmless
about each payload has to be seen: hiding everything would be safe, too.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import re
from collections.abc import Callable, Iterator
from urllib import parse

import board_process
import pyromark
import pytest
from browser import conftest, hostile_logs, patience, stranger
from browser import hostile_payloads as payloads
from playwright import sync_api

pytestmark = [pytest.mark.browser, pytest.mark.sweep]


@pytest.fixture(scope="session")
def chromium(whole_chromium: sync_api.Browser) -> sync_api.Browser:
    """What must not happen is looked for in the browser in which it would."""
    return whole_chromium


expect = sync_api.expect
# refusals inside of a frame are what is wanted there; outside of frames each is a complaint
REFUSED_IN_FRAMES = (
    r"(api/blobs/|plotly_frame\.html|about:|blob:|data:)",
    r"Blocked (opening|form submission|script execution)|sandboxed|Unsafe attempt|Content Security Policy",
    r"request to another origin: ",  # asked by a frame and refused; what left is heard by the stranger
    r"script: ",
)


class Watch:
    """What a page does that no page may do, by the numbers of payloads where they are known."""

    def __init__(self, page: sync_api.Page, outside: stranger.Stranger) -> None:
        self.page = page
        self.outside = outside
        self.ran: list[int] = []
        self.other: list[str] = []
        page.context.expose_binding("pwned", lambda _, number: self.ran.append(number))
        page.on("dialog", self._dialog)
        page.on("download", lambda download: self.other.append(f"download {download.url[:100]}"))
        page.context.on("page", lambda opened: self.other.append(f"popup {opened.url[:100]}"))
        self._heard = len(outside.heard)

    def _dialog(self, dialog: sync_api.Dialog) -> None:
        self.other.append(f"dialog {dialog.type}")
        dialog.dismiss()

    @property
    def heard(self) -> list[str]:
        return self.outside.heard[self._heard :]

    def nothing(self) -> None:
        assert [one.name for one in payloads.ALL if one.number in self.ran] == []
        assert self.heard == []
        assert self.other == []


@pytest.fixture(scope="module")
def outside() -> Iterator[stranger.Stranger]:
    with stranger.listening() as found:
        yield found


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory, outside: stranger.Stranger) -> Iterator[board_process.Process]:
    folder = tmp_path_factory.mktemp("hostile")
    hostile_logs.write(folder, outside.host)
    with board_process.Process("--logdir", folder, "--port", "0") as process:
        process.wait_for_runs("text", "html", "pictures", "figures", "clips", "names", "bombs")
        yield process


# ---- what is true of every page

BOARDS = """() => {
    const found = [];
    const own = new Set(["http:", "https:", "mailto:", "blob:"]);
    for (const one of document.querySelectorAll("*")) {
        for (const {name, value} of one.attributes) {
            if (name.startsWith("on")) found.push(`handler ${name}=${value.slice(0, 60)}`);
            if (!["href", "src", "action", "formaction", "data", "xlink:href", "poster"].includes(name)) continue;
            if (one.localName === "img" && value.startsWith("data:image/")) continue;
            let url;
            try { url = new URL(value, location.href); } catch { continue; }
            if (!own.has(url.protocol)) found.push(`address ${value.slice(0, 60)}`);
            if (one.localName !== "a" && url.host !== location.host && url.protocol !== "blob:") {
                found.push(`loads ${value.slice(0, 60)}`);
            }
        }
        const name = one.localName;
        if (name === "script" && (!one.src || one.text !== "")) found.push(`script ${one.text.slice(0, 60)}`);
        if (["style", "object", "embed", "base", "form", "marquee", "frame", "portal"].includes(name)) found.push(name);
        if (name === "meta" && one.httpEquiv) found.push("meta");
        if (name === "iframe" && one.getAttribute("sandbox") !== "allow-scripts") found.push("frame without a sandbox");
        if (one.shadowRoot) found.push("shadow root");
    }
    const beyond = document.documentElement.scrollWidth - document.documentElement.clientWidth;
    if (beyond > 0) found.push(`${beyond} px wider than its window`);
    const bar = document.querySelector(".top-bar")?.getBoundingClientRect();
    for (let x = 4; bar && x < innerWidth; x += 60) {
        const top = document.elementFromPoint(x, bar.top + bar.height / 2);
        if (!top?.closest(".top-bar")) found.push(`${top?.className || top?.localName} covers the top bar at ${x}`);
    }
    const cards = [...document.querySelectorAll("[data-card]")].filter((card) => !card.closest("[data-full]"));
    const boxes = cards.map((card) => [card, card.getBoundingClientRect()]);
    boxes.forEach(([card, box], i) => {
        for (const [other, beside] of boxes.slice(i + 1)) {
            const across = Math.min(box.right, beside.right) - Math.max(box.left, beside.left);
            const down = Math.min(box.bottom, beside.bottom) - Math.max(box.top, beside.top);
            if (across > 1 && down > 1) found.push(`${card.dataset.card.slice(0, 40)} overlaps another card`);
        }
        const [across, down] = [box.left + 60, box.top + 60];
        for (const [x, y] of [[box.left - 3, down], [box.right + 3, down], [across, box.bottom + 3]]) {
            const there = document.elementFromPoint(x, y);
            if (there && there !== card && card.contains(there)) found.push(`${card.dataset.card.slice(0, 40)} leaks`);
        }
    });
    for (const words of ["This part of the page failed", "This chart failed"]) {
        if (document.body.innerText.includes(words)) found.push(words);
    }
    return [...new Set(found)];
}"""


def check(page: sync_api.Page, watch: Watch, board: board_process.Process) -> None:
    """The page is whole, and nothing has happened that may not."""
    assert page.url.startswith(board.url)
    patience.eventually(page, lambda page: page.evaluate(BOARDS), [])
    assert page.evaluate("({}).polluted ?? Object.keys(Object.prototype).length") == 0
    watch.nothing()


def open_at(page: sync_api.Page, board: board_process.Process, place: str) -> None:
    page.goto("about:blank")
    page.goto(f"{board.url}#{place}")
    expect(page.get_by_test_id("live")).to_have_attribute("data-state", "live")


def walk(page: sync_api.Page, look: Callable[[], set[str]], wanted: set[str], scroller: str) -> None:
    """Scroll down until everything wanted has been seen."""
    seen: set[str] = set()
    place = page.locator(scroller).first
    while True:
        patience.still(page, 200)
        seen |= look()
        if wanted <= seen:
            return
        end = place.evaluate("(one) => one.scrollTop + one.clientHeight >= one.scrollHeight - 2")
        assert not end, f"never shown: {sorted(wanted - seen)}"
        place.evaluate("(one) => { one.scrollTop += 0.8 * one.clientHeight; }")


def words_in(page: sync_api.Page) -> set[str]:
    """The harmless words that are to be read on the page."""
    found = page.evaluate("document.body.innerText.match(/harmless[0-9]+z/g) ?? []")
    return set(found)


# ---- that everything above would be noticed


def unprotected(payload: payloads.Payload, host: str) -> tuple[str, bytes]:
    """Type and body of a page as a careless board would send it."""
    if payload.family == "svg":
        return "image/svg+xml", payload.data(host)
    if payload.family in ("images", "html"):
        return "text/html; charset=utf-8" if payload.family == "html" else "", payload.data(host)
    body = payload.text(host).replace("\0", "")
    if payload.family != "names":
        rendered = pyromark.html(body, options=pyromark.Options.ENABLE_TABLES)
        # CommonMark shows a tag of odd spelling as text, browsers obey it
        body = body if "&lt;" in rendered else rendered
    top = "<!doctype html><header class=top-bar style='height:40px'></header><div data-card=x style='width:300px'>"
    click = "<script>for (const link of document.querySelectorAll('a')) link.click()</script>"
    return "text/html; charset=utf-8", f"{top}{body}</div>{click}".encode("utf-8", "replace")


ALONE = ("dialog", "popup", "download", "layout")


def test_payloads_do_their_harm_where_nothing_protects(chromium: sync_api.Browser, outside: stranger.Stranger) -> None:
    live = [one for one in payloads.ALL if one.fires]
    assert len(live) > 120
    outside.pages |= {f"raw/{one.number}": unprotected(one, outside.host) for one in live}
    outside.pages |= {"worker.js": ("text/javascript", b""), "api/board": ("text/plain", b""), "api/views": ("", b"")}
    base = f"http://localhost:{outside.port}"
    # many in one page, each in a frame that is no sandbox
    together = [one for one in live if one.fires not in ALONE and "top" not in str(one.source)]
    for at in range(0, len(together), 20):
        some = together[at : at + 20]
        frames = "".join(f"<iframe src={base}/raw/{one.number}></iframe>" for one in some)
        outside.pages["some"] = ("text/html", f"<!doctype html>{frames}".encode())
        with harm(chromium, outside, f"{base}/some") as (page, watch):
            patience.until(page, functools.partial(_all_done, some, watch), ", ".join(one.name for one in some))
    for one in live:
        if one in together:
            continue
        with harm(chromium, outside, f"{base}/raw/{one.number}") as (page, watch):
            patience.until(page, functools.partial(_done, one, page, watch), one.name)
    outside.heard.clear()


@contextlib.contextmanager
def harm(chromium: sync_api.Browser, outside: stranger.Stranger, address: str) -> Iterator[tuple[sync_api.Page, Watch]]:
    page = patience.new_page(chromium)
    watch = Watch(page, outside)
    page.goto(address, wait_until="commit")
    yield page, watch
    page.context.close()


def _all_done(some: list[payloads.Payload], watch: Watch) -> bool:
    return missing(some, watch) == []


def _done(one: payloads.Payload, page: sync_api.Page, watch: Watch) -> bool:
    if one.fires == "layout":
        return bool(page.evaluate(BOARDS))
    if one.fires in ALONE:
        return any(one.fires in each for each in watch.other)
    return missing([one], watch) == []


# what connects without a question that could name the payload
UNNAMED = {"connect ahead": "a connection", "link that connects ahead": "a connection"}


def missing(some: list[payloads.Payload], watch: Watch) -> list[str]:
    """Payloads that have done nothing yet."""
    heard = " ".join(watch.heard)
    asked = {int(number) for number in re.findall(r"(?:^| |harmless)(\d{3})", heard)}
    return [
        one.name
        for one in some
        if not (one.number in watch.ran if one.fires == "ran" else one.number in asked)
        and UNNAMED.get(one.name, "nothing") not in heard
    ]


# ---- pages


@pytest.fixture
def watched(page: sync_api.Page, outside: stranger.Stranger) -> Watch:
    return Watch(page, outside)


def test_texts(page: sync_api.Page, board: board_process.Process, watched: Watch) -> None:
    page.set_viewport_size({"width": 1280, "height": 3000})
    wanted = {one.seen for one in payloads.TEXT}
    for members in ("", "&textMarkdown=false"):
        open_at(page, board, f"text?full=text|text/all|text{members}")
        expect(page.get_by_text(payloads.TEXT[-1].seen)).to_be_visible()

        def look() -> set[str]:
            check(page, watched, board)
            return words_in(page)

        walk(page, look, wanted, ".measured-list")


# pages that lead themselves elsewhere, and are refused: nothing of them is left to be seen
LEFT = ("address of itself", "address of itself as data", "meta refresh")


def test_logged_pages_are_shut_off(
    page: sync_api.Page, board: board_process.Process, watched: Watch, forgiven: list[str]
) -> None:
    forgiven.extend(REFUSED_IN_FRAMES)
    page.set_viewport_size({"width": 2600, "height": 2400})
    page.add_init_script("if (window === top) { localStorage.secret = 'x'; document.cookie = 'secret=x'; }")
    open_at(page, board, "html?tagFilter=html/")
    page.get_by_role("button", name="Search", exact=False).first.focus()
    shown: set[str] = set()

    def look() -> set[str]:
        for frame in page.frames[1:]:
            assert "/api/blobs/" in frame.url or not frame.url.startswith("http"), frame.url
            with contextlib.suppress(sync_api.Error):  # it may be on its way out of the page
                shown.update(frame.evaluate("document.body?.innerText.match(/harmless[0-9]+z/g) ?? []"))
        check(page, watched, board)
        # one of them takes the keyboard, and has to give it back
        patience.eventually(page, lambda page: page.evaluate("document.activeElement?.localName !== 'iframe'"), True)
        return shown

    # not `walk`: a page that leads itself elsewhere may be on its way for ever
    wanted = {one.seen for one in payloads.HTML if one.name not in LEFT}
    grid, quiet = page.locator(GRID).first, 0
    while not wanted <= shown:
        before = len(shown)
        page.wait_for_timeout(200)
        quiet = quiet + 1 if len(look()) == before else 0
        if quiet == 15:
            quiet = 0
            end = grid.evaluate("(one) => one.scrollTop + one.clientHeight >= one.scrollHeight - 2")
            if end:
                patience.until(page, lambda: wanted <= look(), "the last pages")
            grid.evaluate("(one) => { one.scrollTop += 0.8 * one.clientHeight; }")
    # what a page does by itself a while after it was shown
    page.wait_for_timeout(patience.QUIET_MS)
    look()


def test_pictures(page: sync_api.Page, board: board_process.Process, watched: Watch, forgiven: list[str]) -> None:
    # what is no picture, or too large a one, is refused in words; the browser tells the console of the status
    forgiven.append(r"status of 4\d\d .*api/blobs/")
    page.set_viewport_size({"width": 1600, "height": 2400})
    open_at(page, board, "images?tagFilter=/^(svg|images)\\//")
    told: dict[str, str] = {}

    def look() -> set[str]:
        check(page, watched, board)
        told.update(page.evaluate(PICTURES))
        return set(told)

    walk(page, look, {hostile_logs.tag_of(one) for one in (*payloads.SVG, *payloads.IMAGES)}, GRID)
    assert {tag: what for tag, what in told.items() if what == ""} == {}
    # these are pictures, whatever else they are
    honest = {"PNG with a page inside", "GIF with a page at its end", "PNG that becomes 12 MB", "style that imports"}
    for one in (*payloads.SVG, *payloads.IMAGES):
        if one.name in honest or (one.family == "svg" and one.name in ("script", "handler", "foreign object")):
            assert told[hostile_logs.tag_of(one)] == "picture", one.name


GRID = "[data-testid=card-grid]"
# what each card shows: a picture that has been decoded, or words that say why there is none
PICTURES = """() => Object.fromEntries([...document.querySelectorAll("[data-card]")].map((card) => {
    const image = card.querySelector("img");
    const words = card.querySelector(".card__message, [role=alert], [role=status]")?.innerText ?? "";
    return [card.dataset.card, image?.complete && image.naturalWidth > 0 ? "picture" : words];
}).filter(([, what]) => what !== ""))"""


def test_blobs_opened_by_themselves(
    page: sync_api.Page, board: board_process.Process, outside: stranger.Stranger, forgiven: list[str]
) -> None:
    """As somebody does who follows a link to the address of a picture or a page."""
    forgiven.append("")  # refusals on the console are what is wanted here
    watch = Watch(page, outside)
    dangerous = {"svg": "pictures", "images": "pictures", "html": "html"}
    for one in (*payloads.SVG[:9], *payloads.IMAGES[:6], *payloads.IMAGES[8:15], *payloads.HTML[::6]):
        query = parse.urlencode({"run": dangerous[one.family], "tag": hostile_logs.tag_of(one)})
        with contextlib.suppress(sync_api.Error):  # becomes a download
            page.goto(f"{board.url}api/blobs?{query}", wait_until="load")
        assert page.url.startswith((board.url, "about:blank")), one.name
    page.goto(f"{board.url}api/board")
    # what no browser can show becomes a file, without having been opened
    watch.other = [each for each in watch.other if not each.startswith(f"download {board.url}")]
    watch.nothing()


def test_figures(page: sync_api.Page, board: board_process.Process, watched: Watch, forgiven: list[str]) -> None:
    forgiven.extend(REFUSED_IN_FRAMES)
    page.set_viewport_size({"width": 1280, "height": 900})
    open_at(page, board, "plotly?tagFilter=plotly/")
    seen: set[str] = set()

    def look() -> set[str]:
        check(page, watched, board)
        for frame in page.frames[1:]:
            found = frame.evaluate(FIGURE)
            assert found["active"] == []
            seen.update(found["words"])
        # a figure that cannot be drawn says why; one without anything in it is drawn, too
        done = page.locator("[data-card] [role=alert], [data-card] iframe:not([data-drawn='0'])")
        seen.update(done.evaluate_all("all => all.map((one) => one.closest('[data-card]').dataset.card)"))
        return seen

    wanted = {one.seen for one in payloads.PLOTLY} | {hostile_logs.tag_of(one) for one in payloads.BROKEN_PLOTLY}
    walk(page, look, wanted, GRID)


FIGURE = """() => ({
    words: document.body.textContent.match(/harmless[0-9]+z/g) ?? [],
    active: [...document.querySelectorAll("a")].map((one) => one.getAttribute("href") ?? one.href?.baseVal ?? "")
        .filter((address) => /^\\s*(javascript|data|vbscript):/i.test(address)),
})"""


@pytest.mark.parametrize("width", [1280, 390])
def test_names_of_tags(
    open_page: conftest.OpenPage, board: board_process.Process, outside: stranger.Stranger, width: int
) -> None:
    page = open_page(viewport={"width": width, "height": 2600})
    watch = Watch(page, outside)
    open_at(page, board, "timeseries?tagFilter=n:")
    expect(page.locator("[data-card]").first).to_be_visible()
    page.get_by_test_id("timeseries-menu").click()
    page.get_by_role("menuitem", name="Open all sections").click()
    titles: set[str] = set()

    def look() -> set[str]:
        check(page, watch, board)
        titles.update(page.locator("[data-card]").evaluate_all("cards => cards.map(card => card.dataset.card)"))
        return titles

    walk(page, look, {_in_page(hostile_logs.BEFORE + one.text(outside.host)) for one in payloads.NAMES}, GRID)


def _in_page(name: str) -> str:
    """A name in a log may be no UTF-8; it is told with a mark in place of what is none."""
    return name.encode("utf-8", "surrogatepass").decode("utf-8", "replace")


OF_NAMES = {
    "text": "text n:",
    "html": "page n:",
    "images": "picture n:",
    "audio": "clip n:",
    "plotly": "figure n:",
    "histograms": "histogram n:",
    "distributions": "histogram n:",
    "pr_curves": "curve n:",
    "mesh": "mesh n:",
    "tensors": "tensor n:",
    "video": "films/",
    "tables": "",
    "custom_scalars": "",
    "hparams": "",
}


def test_names_on_the_pages_of_all_kinds(
    page: sync_api.Page, board: board_process.Process, watched: Watch, forgiven: list[str]
) -> None:
    forgiven.extend(REFUSED_IN_FRAMES)
    forgiven.append(r"status of 4\d\d .*api/")
    for kind, tags in OF_NAMES.items():
        open_at(page, board, f"{kind}?tagFilter={parse.quote(tags)}")
        expect(page.get_by_role("main")).to_be_visible()
        if tags:
            expect(page.locator("[data-card]").first).to_be_visible()
        patience.still(page, 200)
        check(page, watched, board)


@pytest.mark.parametrize("width", [1280, 390])
def test_names_and_remarks_of_runs(
    open_page: conftest.OpenPage, board: board_process.Process, outside: stranger.Stranger, width: int
) -> None:
    page = open_page(viewport={"width": width, "height": 1600})
    watch = Watch(page, outside)
    runs = {one.number: hostile_logs.run_name(one, outside.host) for one in payloads.NAMES}
    known = [run for run in runs.values() if run is not None]
    assert len(known) >= 25
    open_at(page, board, "runs?")
    expect(page.locator("[data-table-run]").first).to_be_visible()
    check(page, watch, board)
    # one in each row, none over another
    boxes = page.locator("[data-table-run]").evaluate_all(ROWS)
    assert all(low >= high - 1 for (_, high), (low, _) in itertools.pairwise(sorted(boxes)))
    open_at(page, board, f"compare?of={','.join(map(escaped, known[:6]))}")
    expect(page.locator("[data-compared]").first).to_be_visible()
    check(page, watch, board)
    # notes are Markdown of whoever wrote the directory
    for run in [known[number] for number in range(len(payloads.NOTES))]:
        open_at(page, board, f"run?of={escaped(run)}")
        expect(page.locator(".run-page")).to_be_visible()
        patience.still(page, 200)
        check(page, watch, board)
    open_at(page, board, "run?of=names")
    expect(page.get_by_text(hostile_logs.NAMED.seen).first).to_be_visible()
    check(page, watch, board)


def escaped(run: str) -> str:
    """As a member of a list in the address."""
    return parse.quote(run.replace("~", "~2").replace(",", "~1"), safe="")


ROWS = "rows => rows.map(row => { const {top, bottom} = row.getBoundingClientRect(); return [top, bottom]; })"


def test_names_of_saved_views_and_what_is_found(
    page: sync_api.Page, board: board_process.Process, watched: Watch
) -> None:
    open_at(page, board, "timeseries?")
    page.keyboard.press("Control+k")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.type("harmless")
    expect(page.get_by_role("dialog").get_by_text("harmless").first).to_be_visible()
    check_dialog = page.evaluate(BOARDS)
    assert [each for each in check_dialog if "covers the top bar" not in each] == []
    watched.nothing()
