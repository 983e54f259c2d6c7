"""The page for readers who use no mouse, see little, or hear it read: rules of WCAG 2, keys, focus, motion.

The rules are axe-core's, run inside every page and with everything opened that can be opened, in both themes and both
languages. What no program can tell from the page (that a focus is seen, that Esc leads back, that a chart can be read
as a table) is driven by keys.
"""

from __future__ import annotations

import json
import math
import pathlib
import re
import time
from collections.abc import Callable, Iterator

import board_process
import event_files
import pytest
from browser import conftest, patience
from playwright import sync_api

import lightboard

pytestmark = pytest.mark.browser

expect = sync_api.expect
AXE = pathlib.Path(__file__).parents[2] / "web/node_modules/axe-core/axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
RUNS = [f"sweep/{optimizer}_{seed}" for optimizer in ("adam", "sgd") for seed in (1, 2)]
TAGS = ["lr", "eval/loss", "train/acc", "train/loss"]


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[board_process.Process]:
    folder = tmp_path_factory.mktemp("logs")
    for name in RUNS:
        seed = int(name[-1])
        config = {"optimizer": name[6:-2], "lr": seed / 10, "model": {"layers": 2, "wide": [{"a": 1}]}}
        run = lightboard.init(name=name, config=config, dir=folder, system_metrics=False, console=False)
        for step in range(60):
            loss = math.exp(-step / 20) * seed
            run.log({"train/loss": loss, "train/acc": step / 60, "eval/loss": 1.2 * loss, "lr": 0.1}, step=step)
        run.finish()
    path = event_files.write(
        folder / "damaged" / "events.out.tfevents.1", event_files.scalars("train/loss", [2.0, 1.0])
    )
    broken = bytearray(path.read_bytes())
    broken[-20] ^= 0xFF
    path.write_bytes(bytes(broken))
    with board_process.Process("--logdir", folder, "--port", "0") as process:
        process.wait_for_runs("damaged", *RUNS)
        yield process


def wait_drawn(page: sync_api.Page) -> None:
    """Until every chart on screen has its lines."""
    page.wait_for_function(
        """() => {
            const canvases = [...document.querySelectorAll("[data-card] canvas")];
            return canvases.length > 0 && canvases.every((canvas) => Number(canvas.dataset.drawn ?? 0) > 0);
        }"""
    )


def by_key(keys: str) -> Callable[[sync_api.Page], None]:
    return lambda page: page.keyboard.press(keys)


def by_click(test_id: str) -> Callable[[sync_api.Page], None]:
    return lambda page: page.get_by_test_id(test_id).first.click()


def card_menu(page: sync_api.Page) -> None:
    page.locator("[data-card] [aria-haspopup=menu]").first.click()


def run_menu(page: sync_api.Page) -> None:
    page.locator("[data-run]").first.click(button="right")


def color_popover(page: sync_api.Page) -> None:
    page.locator(".run-row__swatch").first.click()


def suggestions(page: sync_api.Page) -> None:
    page.get_by_test_id("tag-filter").fill("loss")
    expect(page.get_by_role("option").first).to_be_visible()


def section_settings(page: sync_api.Page) -> None:
    page.locator(".section-heading__settings button").first.click()


def tooltip(page: sync_api.Page) -> None:
    box = patience.box_of(page.locator("[data-card] canvas").first)
    page.mouse.move(box["x"] + 100, box["y"] + 60)
    page.mouse.move(box["x"] + 110, box["y"] + 60)
    expect(page.get_by_test_id("tooltip")).to_be_visible()
    page.mouse.click(box["x"] + 110, box["y"] + 60)


def new_chart(page: sync_api.Page) -> None:
    page.get_by_test_id("timeseries-menu").click()
    page.locator("[role=menu] [role=menuitem]").first.click()


# what is opened, how, and a selector of what must then be there
OPENED: dict[str, tuple[str, Callable[[sync_api.Page], None] | None, str]] = {
    "time series": ("#timeseries?legend=on&pins=tag:lr", None, "[data-card]"),
    "step tables": ('#timeseries?stepTable=1&steps={"lo":10,"hi":null}', None, "[data-row]"),
    "full screen": ("#timeseries?full=tag:train/loss", None, "[data-full] canvas"),
    "groups": ("#timeseries?group=hparam:optimizer", None, "[data-card]"),
    "run list": (
        "#timeseries?runTree=1&runColumns=last:train/loss,hparam:lr,state&baseline=sweep/adam_1",
        None,
        "[data-branch]",
    ),
    "runs": ("#runs?", None, "[data-table-run]"),
    "grouped runs": ("#runs?group=hparam:optimizer&shadeCells=1&baseline=damaged", None, "[data-table-run]"),
    "run": ("#run?of=sweep/adam_1", None, ".run-page h1, .run-page__name"),
    "config": ("#run?of=sweep/adam_1&runTab=config", None, ".config-tree"),
    "metrics": ("#run?of=sweep/adam_1&runTab=metrics", None, ".run-page"),
    "files": ("#run?of=damaged&runTab=files", None, ".run-page table"),
    "compare": ("#compare?of=sweep/adam_1,sweep/sgd_2", None, "[data-compared]"),
    "no such page": ("#nonsense?", None, "[data-notice], main h2"),
    "no run matches": ("#timeseries?runFilter=nobody", None, "[data-notice]"),
    "no tag matches": ("#timeseries?tagFilter=nothing", None, ".run-list"),
    "settings": ("#timeseries?", by_key("]"), "[data-testid=timeseries-settings]"),
    "search": ("#timeseries?", by_key("Control+k"), "[data-testid=palette] [role=option]"),
    "help": ("#timeseries?", by_key("?"), "[data-testid=help]"),
    "health": ("#timeseries?", by_click("faults"), "[data-testid=health]"),
    "save": ("#timeseries?", by_key("Control+s"), "dialog[open]"),
    "share": ("#timeseries?", by_click("share"), "[role=menu]"),
    "card menu": ("#timeseries?", card_menu, "[role=menu]"),
    "run menu": ("#timeseries?", run_menu, "[role=menu]"),
    "more for runs": ("#timeseries?", by_click("run-more"), "[role=menu]"),
    "colours": ("#timeseries?", by_click("run-colors"), "[role=menu]"),
    "colour of a run": ("#timeseries?", color_popover, "[data-testid=color-popover]"),
    "suggestions": ("#timeseries?", suggestions, "[role=listbox]"),
    "section settings": ("#timeseries?", section_settings, "[role=dialog]"),
    "tooltip": ("#timeseries?", tooltip, "[data-testid=tooltip]"),
    "new chart": ("#timeseries?", new_chart, "dialog[open]"),
}


# how long a page may be wrong before that counts
GRACE_SECS = 20.0


IN_CHINESE = {"time series", "step tables", "runs", "run", "compare", "settings", "help", "card menu", "more for runs"}


ON_A_TELEPHONE = {"time series", "full screen", "runs", "run", "compare", "help", "settings"}


def violations(page: sync_api.Page) -> list[str]:
    """Those that stay: what is about to be laid out or loaded breaks rules for some frames."""
    end = time.monotonic() + GRACE_SECS
    while (found := violations_now(page)) and time.monotonic() < end:
        page.wait_for_timeout(200)
    return found


def violations_now(page: sync_api.Page) -> list[str]:
    found: list[str] = page.evaluate(
        """async (rules) => {
            const told = await axe.run(document, {
                runOnly: {type: "tag", values: rules}, resultTypes: ["violations"], iframes: false,
            });
            return told.violations.flatMap(({id, nodes}) => nodes.map((node) => {
                const why = [...node.any, ...node.all, ...node.none].map((check) => check.message);
                return `${id}: ${node.html.slice(0, 200)} – ${why.join("; ")}`;
            }));
        }""",
        RULES,
    )
    return found


def open_anew(page: sync_api.Page, board: board_process.Process, fragment: str) -> None:
    """Without anything that was open before."""
    page.goto("about:blank")
    page.goto(board.url + fragment)
    expect(page.get_by_test_id("live")).to_have_attribute("data-state", "live")


@pytest.mark.parametrize("name", list(OPENED))
def test_no_page_breaks_a_rule(open_page: conftest.OpenPage, board: board_process.Process, name: str) -> None:
    """Chinese once in every area: the rules ask whether things have words, not which. Some on a telephone, too."""
    if not AXE.exists():
        pytest.fail("axe-core is not installed; `make check-web` does it, or `cd web && npm ci`")
    fragment, opening, sign = OPENED[name]
    told: dict[str, list[str]] = {}
    looks = [("en-US", ("light", "dark")), *([("zh-CN", ("light",))] if name in IN_CHINESE else [])]
    for locale, themes in looks:
        page = open_page(locale=locale, reduced_motion="reduce")
        page.add_init_script(path=AXE)
        page.goto(board.url + fragment)
        expect(page.get_by_test_id("live")).to_have_attribute("data-state", "live")
        if opening is not None:
            wait_drawn(page)
            opening(page)
        expect(page.locator(sign).first).to_be_visible()
        for theme in themes:
            page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
            expect(page.locator("html")).to_have_attribute("data-theme", theme)
            told[f"{locale} {theme}"] = violations(page)
        if name in ON_A_TELEPHONE and locale == "en-US":
            page.set_viewport_size({"width": 390, "height": 800})
            expect(page.locator(sign).first).to_be_attached()
            told["390 px"] = violations(page)
            patience.eventually(page, lambda page: page.evaluate("document.documentElement.scrollWidth <= 390"), True)
    assert not any(told.values()), json.dumps(told, indent=1, ensure_ascii=False)


# ---- by keyboard alone

# Controls on screen that Tab has to reach. Those with tabindex=-1 belong to a row or a bar in which arrows move.
CONTROLS = """() => [...document.querySelectorAll(
    "button, a[href], input, select, textarea, summary, [tabindex='0'], [role=slider], [role=separator][tabindex]"
)].filter((one) => one.tabIndex >= 0 && !one.disabled && one.checkVisibility() && one.getClientRects().length > 0)
"""
NAME = """(one) => `${one.tagName.toLowerCase()} ${one.getAttribute("aria-label") ?? one.title ?? ""}`
    + ` ${one.className} ${one.textContent.slice(0, 30)}`"""
# Where the focus is, and whether it can be seen there.
FOCUS = f"""() => {{
    const one = document.activeElement;
    if (one === null || one === document.body) return null;
    const name = ({NAME})(one);
    window.walked ??= new Set();
    window.walked.add(one);
    const style = getComputedStyle(one);
    const ringed = (of) => {{
        const style = getComputedStyle(of);
        return (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== "none";
    }};
    const around = one.parentElement;
    // edges that are dragged are lines: the line is coloured
    const after = getComputedStyle(one, "::after").backgroundColor;
    const line = one.matches("[role=separator]") && (style.backgroundImage !== "none" || after !== "rgba(0, 0, 0, 0)");
    const seen = ringed(one) || line || (around !== null && around.matches(":focus-within") && ringed(around));
    let opacity = 1;
    for (let up = one; up !== null; up = up.parentElement) opacity *= Number(getComputedStyle(up).opacity);
    const box = one.getBoundingClientRect();
    const inside = box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth;
    return {{name, seen, opacity, inside}};
}}"""


@pytest.mark.parametrize(
    ("fragment", "sign"),
    [
        ("#timeseries?pins=tag:lr&legend=on", "[data-card] canvas[data-drawn]"),
        ('#timeseries?stepTable=1&steps={"lo":10,"hi":null}', "[data-row]"),
        ("#timeseries?full=tag:lr", "[data-full] canvas[data-drawn]"),
        ("#runs?", "[data-table-run]"),
        ("#run?of=sweep/adam_1", ".run-page dl, .run-page table"),
        ("#compare?of=sweep/adam_1,sweep/sgd_2", "[data-testid=compare-config]"),
    ],
)
def test_tab_reaches_every_control_and_the_focus_is_seen(
    page: sync_api.Page, board: board_process.Process, fragment: str, sign: str
) -> None:
    open_anew(page, board, fragment)
    expect(page.locator(sign).first).to_be_visible()
    patience.still(page, 300)
    complaints = []
    grace = GRACE_SECS
    for _ in range(400):
        page.keyboard.press("Tab")
        begin = time.monotonic()
        while (focus := page.evaluate(FOCUS)) is not None and not (
            focus["seen"] and focus["opacity"] >= 0.5 and focus["inside"]
        ):
            if time.monotonic() - begin > grace:
                break
            page.wait_for_timeout(20)
        # rings and buttons fade in, lists scroll: all of them together may take so long
        grace = max(0.0, grace - (time.monotonic() - begin))
        if focus is None:
            break
        if not focus["seen"]:
            complaints.append(f"no ring: {focus['name']}")
        if focus["opacity"] < 0.5:
            complaints.append(f"transparent: {focus['name']}")
        if not focus["inside"]:
            complaints.append(f"off screen: {focus['name']}")
    else:
        pytest.fail("Tab leads in a circle")
    complaints += page.evaluate(
        f"() => ({CONTROLS})().filter((one) => !window.walked.has(one)).map((one) => 'missed: ' + ({NAME})(one))"
    )
    assert complaints == []


OPENERS: dict[str, tuple[str, str]] = {
    "share": ("[data-testid=share]", "[role=menu]"),
    "theme": ("[data-testid=bar-menu]", "[role=menu]"),
    "more kinds": ("[data-testid=more-kinds]", "[role=menu]"),
    "search": (".top-bar__search", "[data-testid=palette]"),
    "health": ("[data-testid=faults]", "[data-testid=health]"),
    "more for runs": ("[data-testid=run-more]", "[role=menu]"),
    "colours": ("[data-testid=run-colors]", "[role=menu]"),
    "card menu": ("[data-card] [aria-haspopup=menu]", "[role=menu]"),
    "section settings": (".section-heading__settings button", "[role=dialog]"),
    "more": ("[data-testid=timeseries-menu]", "[role=menu]"),
}


def test_escape_closes_what_was_opened_and_the_focus_returns(page: sync_api.Page, board: board_process.Process) -> None:
    open_anew(page, board, "")
    wait_drawn(page)
    before = page.url
    for name, (opener, opened) in OPENERS.items():
        button = page.locator(opener).first
        button.focus()
        page.keyboard.press("Enter")
        expect(page.locator(opened).first, name).to_be_visible()
        inside = page.locator(opened).first.and_(page.locator(":focus, :focus-within"))
        expect(inside, f"{name}: the focus goes inside").to_have_count(1)
        page.keyboard.press("Escape")
        expect(page.locator(opened), name).to_have_count(0)
        expect(button, f"{name}: the focus returns").to_be_focused()
    assert page.url == before


def test_dialogs_opened_from_a_menu_give_the_focus_back(page: sync_api.Page, board: board_process.Process) -> None:
    open_anew(page, board, "")
    wait_drawn(page)
    menu = page.locator("[data-card] [aria-haspopup=menu]").first
    menu.focus()
    page.keyboard.press("Enter")
    page.get_by_role("menuitem", name="View as table…").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(menu).to_be_focused()


def test_every_chart_can_be_read_as_a_table_by_keys(page: sync_api.Page, board: board_process.Process) -> None:
    made = json.dumps([{"id": "m", "title": "Both", "tags": ["lr", "eval/loss"], "pattern": ""}])
    open_anew(page, board, f"#timeseries?cards={made}")
    wait_drawn(page)
    titles = sorted([*TAGS, "Both"])
    of_cards = "cards => cards.map((card) => card.dataset.card).sort()"
    patience.eventually(page, lambda page: page.locator("[data-card]").evaluate_all(of_cards), titles)
    for title in titles:
        card = page.locator(f'[data-card="{title}"]').first
        # a chart names itself, and says what keys do
        expect(card.locator("[aria-label*='Arrow keys']")).to_have_attribute("aria-label", re.compile(re.escape(title)))
        card.locator("[aria-haspopup=menu]").focus()
        page.keyboard.press("Enter")
        table = page.get_by_role("menuitem", name="View as table…")
        expect(table).to_be_visible()
        while not table.evaluate("(item) => item === document.activeElement"):
            page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        dialog = page.get_by_role("dialog", name=f"Values of {title}")
        expect(dialog.get_by_role("table")).to_be_visible()
        expect(dialog.locator("[data-row='sweep/adam_1']").first).to_contain_text("59")
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)


def test_a_chart_is_zoomed_panned_and_fitted_by_keys(page: sync_api.Page, board: board_process.Process) -> None:
    open_anew(page, board, "#timeseries?tagFilter=train/loss")
    wait_drawn(page)
    page.locator("[data-card] [aria-label*='Arrow keys']").focus()
    page.keyboard.press("+")
    page.wait_for_url(re.compile("xRange"))
    zoomed = page.url
    page.keyboard.press("ArrowRight")
    page.wait_for_url(lambda url: url != zoomed and "xRange" in url)
    page.keyboard.press("0")
    page.wait_for_url(lambda url: "xRange" not in url)


# ---- motion

MOVING = """() => {
    const moving = document.getAnimations().filter((one) => one.playState === "running");
    const names = moving.map((one) => one.effect?.target?.className ?? "?");
    const set = [...document.querySelectorAll("*")].filter((one) => {
        const style = getComputedStyle(one);
        const longest = (text) => Math.max(...text.split(",").map((part) => parseFloat(part)));
        const turning = style.animationName !== "none" && longest(style.animationDuration) > 0.01;
        return turning || longest(style.transitionDuration) > 0.01;
    });
    return [...names, ...set.map((one) => `${one.tagName} ${one.className}`)];
}"""


def test_nothing_moves_for_readers_who_asked_for_that(open_page: conftest.OpenPage, tmp_path: pathlib.Path) -> None:
    page = open_page(reduced_motion="reduce")
    run = lightboard.init(name="training", dir=tmp_path, system_metrics=False, console=False)
    run.log({"loss": 1.0}, step=0)
    run.log({"loss": 0.5}, step=1)
    try:
        with board_process.Process("--logdir", tmp_path, "--port", "0") as live:
            live.wait_for_runs("training")
            open_anew(page, live, "")
            wait_drawn(page)
            # a run that runs is where something would pulse
            expect(page.locator("[data-run=training] [data-state=running]")).to_be_attached()
            assert page.evaluate(MOVING) == []
            page.keyboard.press("Control+k")
            expect(page.get_by_test_id("palette")).to_be_visible()
            assert page.evaluate(MOVING) == []
            page.keyboard.press("Escape")
            page.keyboard.press("]")
            expect(page.get_by_test_id("timeseries-settings")).to_be_visible()
            assert page.evaluate(MOVING) == []
            page.goto("about:blank")
    finally:
        run.finish()
