"""The address is the state: what a reader did by hand is there again after a reload, for somebody who gets the link,
and after back and forward; undo takes each deed back and redo does it again.

Each journey is a few deeds done one after the other with mouse and keys. Its end is compared as an address and as a
picture of the page's middle, pixel by pixel.
"""

from __future__ import annotations

import io
import json
import math
import pathlib
import re
import time
from collections.abc import Callable, Iterator

import board_process
import pytest
from browser import conftest, patience
from browser.cards import card, drag, place_in
from PIL import Image, ImageChops
from playwright import sync_api

import lightboard

pytestmark = [pytest.mark.browser, pytest.mark.sweep]

expect = sync_api.expect
RUNS = [f"sweep/{optimizer}_{seed}" for optimizer in ("adam", "sgd") for seed in (1, 2)]
# high enough that all cards are on screen
SIZE: sync_api.ViewportSize = {"width": 1280, "height": 1100}


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[board_process.Process]:
    folder = tmp_path_factory.mktemp("logs")
    for name in RUNS:
        seed = int(name[-1])
        config = {"optimizer": name[6:-2], "lr": seed / 10, "model": {"layers": 2}}
        run = lightboard.init(name=name, config=config, dir=folder, system_metrics=False, console=False)
        for step in range(100):
            loss = math.exp(-step / 20) * seed + (0.3 if "sgd" in name else 0.0) + 0.05 * math.sin(step * seed)
            values = {"train/loss": loss, "train/acc": 1 - loss / 3, "eval/loss": 1.2 * loss, "lr": 0.1 * 0.99**step}
            run.log(values, step=step)
        run.finish()
    with board_process.Process("--logdir", folder, "--port", "0") as process:
        process.wait_for_runs(*RUNS)
        yield process


def card_button(page: sync_api.Page, title: str, name: str) -> None:
    card(page, title).hover()
    card(page, title).get_by_role("button", name=name).click()


def card_item(page: sync_api.Page, title: str, item: str) -> None:
    card_button(page, title, "More for this chart")
    page.get_by_role("menu").get_by_text(item, exact=True).click()


def run_item(page: sync_api.Page, run: str, item: str) -> None:
    page.locator(f'.run-list [data-run="{run}"]').click(button="right")
    page.get_by_role("menuitem", name=item, exact=True).click()


def more_for_runs(page: sync_api.Page, item: str) -> None:
    page.get_by_test_id("run-more").click()
    page.locator(".menu__item", has_text=item).first.click()


def setting(page: sync_api.Page, label: str, value: str | bool) -> None:
    """In the drawer, which is closed again: whether it is open belongs to the reader, not to the link."""
    page.keyboard.press("]")
    pane = page.get_by_test_id("timeseries-settings")
    if isinstance(value, bool):
        pane.get_by_role("checkbox", name=label, exact=True).set_checked(value)
    else:
        pane.get_by_role("combobox", name=label, exact=True).select_option(value)
    release(page)
    page.keyboard.press("]")
    expect(pane).to_have_count(0)


def choose_color(page: sync_api.Page) -> None:
    page.locator(f'[data-run="{RUNS[0]}"] .run-row__swatch').click()
    page.get_by_test_id("color-popover").get_by_label("#rrggbb").fill("#d00000")
    page.keyboard.press("Escape")


def choose_palette(page: sync_api.Page) -> None:
    page.get_by_test_id("run-colors").click()
    page.get_by_role("menuitemcheckbox", name="Safe for color blindness").click()


def choose_column(page: sync_api.Page) -> None:
    more_for_runs(page, "Columns")
    page.get_by_test_id("find-column").fill("train/loss")
    page.get_by_test_id("columns-dialog").get_by_label("last", exact=True).check()
    page.keyboard.press("Escape")


def group(page: sync_api.Page) -> None:
    more_for_runs(page, "Group")
    dialog = page.get_by_test_id("group-dialog")
    dialog.locator("select").nth(0).select_option("hparam")
    dialog.locator("select").nth(1).select_option("optimizer")
    dialog.get_by_role("button", name="Apply").click()


def limit(page: sync_api.Page) -> None:
    card_button(page, "eval/loss", "Axis limits")
    page.get_by_test_id("limit-y-from").fill("-1")
    page.get_by_test_id("limit-y-to").fill("4")
    page.get_by_role("button", name="Apply").click()


def make_chart(page: sync_api.Page) -> None:
    page.get_by_test_id("timeseries-menu").click()
    page.get_by_role("menuitem", name="New chart…").click()
    page.get_by_test_id("tags-title").fill("Both, 两者")
    page.get_by_test_id("tags-pattern").fill("loss$")
    page.get_by_test_id("tags-save").click()


def section_axis(page: sync_api.Page) -> None:
    page.locator('[data-section="train"]').hover()
    page.locator('[data-section="train"]').get_by_role("button", name="Settings for this section").click()
    page.get_by_role("dialog").get_by_label("Horizontal axis").select_option("relative")
    page.keyboard.press("Escape")


def metric_axis(page: sync_api.Page) -> None:
    page.get_by_test_id("x-axis").select_option("other")
    page.get_by_test_id("tag-picker").fill("train/acc")
    page.get_by_role("option", name="train/acc").click()


def compare(page: sync_api.Page) -> None:
    boxes = page.locator("[data-table-run] .runs-table__select input")
    boxes.nth(0).click()
    boxes.nth(1).click()
    page.get_by_test_id("compare-selected").click()
    expect(page.locator("[data-compared]")).to_have_count(2)


def table_sort(page: sync_api.Page) -> None:
    page.locator('[data-column="hparam:lr"] .virtual-table__sort').click()


def column_filter(page: sync_api.Page) -> None:
    head = page.locator('[data-column="hparam:optimizer"]')
    head.hover()
    head.get_by_role("button", name="Column menu: optimizer").click()
    page.get_by_role("menuitem", name="Filter…").click()
    page.get_by_test_id("column-filter").get_by_label("sgd").uncheck()
    page.keyboard.press("Escape")


# what is done, and what the address has to say of it
Deed = tuple[Callable[[sync_api.Page], object], str]

JOURNEYS: dict[str, list[Deed]] = {
    "runs": [
        (lambda page: page.get_by_test_id("run-filter").fill("adam|sgd_1"), "runFilter="),
        (lambda page: page.locator(f'[data-run="{RUNS[1]}"] input').uncheck(), "hide="),
        (choose_color, "colors="),
        (choose_palette, "palette=safe"),
        (lambda page: run_item(page, RUNS[2], "Pin on top"), "pinnedRuns="),
        (lambda page: run_item(page, RUNS[0], "Use as baseline"), "baseline="),
        (lambda page: page.get_by_test_id("run-tree").click(), "runTree=1"),
        (choose_column, "runColumns="),
        (lambda page: page.locator(".run-heads").get_by_role("button", name="loss").click(), "runSort="),
    ],
    "groups": [
        (group, "group=hparam:optimizer"),
        (lambda page: setting(page, "Group band", "minmax"), "band=minmax"),
        (lambda page: page.locator('[data-branch="group:adam"] .run-row__name').click(), "folded="),
    ],
    "charts": [
        (lambda page: page.get_by_test_id("tag-filter").fill("/loss|lr/"), "tagFilter="),
        (lambda page: page.get_by_test_id("smoothing").fill("0.9"), "smoothing=0.9"),
        (lambda page: setting(page, "Smoothing method", "median"), "smoother=median"),
        (lambda page: setting(page, "Show raw values behind smoothed lines", False), "faint=0"),
        (lambda page: page.keyboard.press("l"), "yScale=log"),
        (lambda page: setting(page, "x scale", "symlog"), "xScale=symlog"),
        (lambda page: setting(page, "Legend", "on"), "legend=on"),
        (lambda page: setting(page, "Dots", "all"), "markers=all"),
        (lambda page: page.keyboard.press("Alt+m"), "theme=dark"),
    ],
    "axes": [
        (metric_axis, "x=metric:train/acc"),
        (lambda page: page.get_by_test_id("x-axis").select_option("wall"), "x=wall"),
        (lambda page: setting(page, "Ignore outliers when fitting y", False), "ignoreOutliers=0"),
        (lambda page: setting(page, "Same y range within a section", True), "shareY=1"),
    ],
    "zooms": [
        (lambda page: drag(page, "train/loss", (0.4, 0.3), (0.7, 0.8)), "xRange"),
        (limit, "yRange"),
        (lambda page: page.get_by_test_id("link-zoom").click(), "linkZoom=1"),
        (lambda page: drag(page, "lr", (0.3, 0.5), (0.8, 0.51)), "[?&]xRange="),
    ],
    "cards": [
        (lambda page: card_button(page, "train/acc", "Pin"), "pins=tag:train/acc"),
        (make_chart, "cards="),
        (lambda page: page.locator('[data-section="eval"] button').first.click(), "closed=eval"),
        (lambda page: card_item(page, "train/loss", "Logarithmic y"), "overrides="),
        (section_axis, "section:train"),
        (lambda page: card_item(page, "lr", "Hide this chart"), "hiddenCards="),
    ],
    "sections": [
        (lambda page: setting(page, "Sections by", "last"), "sectionBy=last"),
        (lambda page: card_button(page, "lr", "Expand"), "full="),
        (lambda page: page.keyboard.press("ArrowRight"), "full="),
    ],
    "steps": [
        (lambda page: setting(page, "Click a chart to select a step (shows a value table)", True), "stepTable=1"),
        (lambda page: page.mouse.click(*place_in(page, "lr", 0.5, 0.5)), "steps="),
        (lambda page: page.get_by_role("button", name="Select a range").first.click(), "hi%22"),
    ],
    "table of runs": [
        (lambda page: page.get_by_test_id("open-runs-table").click(), "#runs"),
        (table_sort, "runSort="),
        (column_filter, "columnFilters="),
        (lambda page: page.get_by_test_id("only-differing").click(), "onlyDiffering=1"),
        (compare, "#compare.*of="),
    ],
    "a run": [
        (lambda page: run_item(page, RUNS[3], "Open run"), "#run.*of="),
        (lambda page: page.get_by_role("tab", name="Config").click(), "runTab=config"),
    ],
}


def release(page: sync_api.Page) -> None:
    """Nothing under the cursor, no caret: neither belongs to the view."""
    page.mouse.move(SIZE["width"] - 2, SIZE["height"] - 2)
    page.evaluate("document.activeElement?.blur()")


def fragment(page: sync_api.Page) -> str:
    found: str = page.evaluate("location.hash")
    return found


def picture(page: sync_api.Page) -> bytes:
    return page.locator("#content").screenshot(animations="disabled")


def settled(page: sync_api.Page, quiet_ms: float = 200) -> bytes:
    """The page once nothing changes any more for so long."""
    release(page)
    page.wait_for_function(
        """() => [...document.querySelectorAll("[data-card] canvas")].every((one) => Number(one.dataset.drawn ?? 0) > 0)
            && document.querySelector("[data-testid=live]")?.dataset.state === "live"
            && document.querySelector(".toast") === null""",
    )
    patience.still(page, quiet_ms)
    before = b""
    while (now := picture(page)) != before:
        before = now
        patience.still(page, 200)
    return now


# Corners and icons are mixed from two colours, and not every drawing of them rounds alike. A line is a hundred pixels.
ROUNDING = 3
MOST_ROUNDED = 60


def alike(one: bytes, other: bytes) -> bool:
    left, right = (Image.open(io.BytesIO(each)).convert("RGB") for each in (one, other))
    if left.size != right.size:
        return False
    differing = ImageChops.difference(left, right).convert("L").point(lambda level: 255 if level > ROUNDING else 0)
    return differing.histogram()[255] <= MOST_ROUNDED


def same(page: sync_api.Page, address: str, wanted: bytes, how: str, kept: pathlib.Path) -> None:
    expect(page).to_have_url(re.compile(re.escape(address) + "$"))
    end = time.monotonic() + board_process.PATIENCE_SECS
    while not alike(now := settled(page), wanted):
        if time.monotonic() > end:
            (kept / "wanted.png").write_bytes(wanted)
            (kept / "found.png").write_bytes(now)
            pytest.fail(f"after {how} the page looks otherwise: see {kept}")
    assert fragment(page) == address, how


def changed(page: sync_api.Page, address: str, said: str = "") -> str:
    """The address, once it is another and says so."""
    waiting = "([before, said]) => location.hash !== before && new RegExp(said).test(location.hash)"
    try:
        page.wait_for_function(waiting, arg=[address, said])
    except sync_api.TimeoutError:
        pytest.fail(f"{fragment(page)} does not say {said}")
    return fragment(page)


@pytest.mark.parametrize("journey", list(JOURNEYS))
def test_what_is_done_by_hand_is_in_the_address(
    open_page: conftest.OpenPage, board: board_process.Process, journey: str, tmp_path: pathlib.Path
) -> None:
    page = open_page(viewport=SIZE, reduced_motion="reduce")
    page.goto(board.url)
    settled(page)
    start = address = fragment(page)
    for deed, said in JOURNEYS[journey]:
        deed(page)
        address = changed(page, address, said)
        release(page)
    for keys, wanted in (("Control+z", start), ("Control+Shift+Z", address)):
        for _ in JOURNEYS[journey]:
            page.keyboard.press(keys)
        expect(page).to_have_url(re.compile(f"{re.escape(wanted)}$"))
    # all at once: they may go by themselves meanwhile
    page.locator(".toast").get_by_role("button", name="Close").evaluate_all("all => all.map(one => one.click())")
    seen = settled(page, patience.QUIET_MS)
    assert fragment(page) == address

    page.reload()
    same(page, address, seen, "a reload", tmp_path)

    other = "scalars" if re.match("#(runs|run|compare)", address) else "runs"
    page.locator(f"[data-kind={other}]").click()
    elsewhere = changed(page, address)
    page.go_back()
    expect(page).to_have_url(re.compile(f"{re.escape(address)}$"))
    page.go_forward()
    expect(page).to_have_url(re.compile(f"{re.escape(elsewhere)}$"))
    page.go_back()
    same(page, address, seen, "going back", tmp_path)

    theirs = open_page(viewport=SIZE, reduced_motion="reduce")
    theirs.goto(page.url)
    same(theirs, address, seen, "opening the link elsewhere", tmp_path)


def test_a_link_counts_more_than_the_readers_habits(page: sync_api.Page, board: board_process.Process) -> None:
    page.goto(board.url)
    page.get_by_test_id("smoothing").fill("0.95")
    expect(page).to_have_url(re.compile("smoothing=0.95"))
    page.goto("about:blank")
    page.goto(f"{board.url}#timeseries?theme=dark")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.get_by_test_id("smoothing")).to_have_value("0.6")


def test_an_address_that_was_cut_or_mangled_shows_what_can_be_read(
    page: sync_api.Page, board: board_process.Process
) -> None:
    bad = "#timeseries?smoothing=much&tagFilter=loss&overrides=%7B%22card:&colors=[1]&steps={&pins=%E0%A4&cardWidth=1e9"
    page.goto(board.url + bad)
    expect(page.get_by_test_id("tag-filter")).to_have_value("loss")
    expect(page.get_by_test_id("smoothing")).to_have_value("0.6")
    expect(card(page, "train/loss")).to_be_visible()
    patience.eventually(page, lambda page: page.evaluate("document.documentElement.scrollWidth <= innerWidth"), True)


def test_names_with_anything_in_them_survive_the_address(
    open_page: conftest.OpenPage, board: board_process.Process
) -> None:
    page = open_page()
    odd = "a,b~c%20&d=e?f#g/h+i 100% \"'<b> 日本 🚀 \u202eRTL"
    page.goto(board.url)
    page.get_by_test_id("tag-filter").fill(odd)
    page.get_by_test_id("run-filter").fill(odd)
    expect(page).to_have_url(re.compile("runFilter=.*tagFilter="))
    page.reload()
    expect(page.get_by_test_id("run-filter")).to_have_value(odd)
    theirs = open_page()
    theirs.goto(page.url)
    expect(theirs.get_by_test_id("run-filter")).to_have_value(odd)
    cards = json.dumps([{"id": "m", "title": odd, "tags": ["lr"], "pattern": ""}])
    theirs.goto(board.url + "#timeseries?cards=" + theirs.evaluate("encodeURIComponent", cards))
    expect(theirs.get_by_role("article", name=odd)).to_be_visible()
