"""The layout of all pages: toolbars in one row at usual widths; in windows as narrow as a phone nothing sticks out,
no two controls overlap, and controls are large enough for fingers.

Left out on purpose: what the controls do, which tests of the pages cover.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import board_process
import pytest
from browser import conftest, patience
from browser.kind_cards import option
from playwright import sync_api

from lightboard.demo import logs

pytestmark = pytest.mark.browser

expect = sync_api.expect

# pages with the toolbar of kinds
KIND_PAGES = [
    "images",
    "audio",
    "video",
    "histograms",
    "distributions",
    "text",
    "html",
    "tables",
    "plotly",
    "pr_curves",
    "mesh",
    "tensors",
]
PAGES = ["timeseries", "runs", "hparams", "graphs", "projector", "custom_scalars", *KIND_PAGES]
NARROW_PX = 390

CONTROLS = "a[href], button, input, select, summary"

# visible controls, as the pointer finds them
LOOK = """(selector) => {
    const seen = [...document.querySelectorAll(selector)].filter((one) => {
        const { width, height } = one.getBoundingClientRect();
        return width > 2 && height > 2 && one.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    });
    const name = (one) => one.dataset.testid || one.title || one.ariaLabel || one.textContent.trim() || one.className;
    const clip = (one) => {
        let { left, top, right, bottom } = one.getBoundingClientRect();
        for (let up = one.parentElement; up !== null; up = up.parentElement) {
            if (getComputedStyle(up).overflow === "visible") continue;
            const box = up.getBoundingClientRect();
            left = Math.max(left, box.left);
            top = Math.max(top, box.top);
            right = Math.min(right, box.right);
            bottom = Math.min(bottom, box.bottom);
        }
        return { left, top, right, bottom };
    };
    return { seen, name, clip };
}"""


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[board_process.Process]:
    folder = tmp_path_factory.mktemp("logs")
    logs.write(folder)
    with board_process.Process("--logdir", folder, "--port", "0") as process:
        process.wait_for_runs("damaged")
        yield process


@pytest.fixture(scope="module")
def narrow(chromium: sync_api.Browser) -> Iterator[sync_api.Page]:
    page = patience.new_page(chromium, viewport={"width": NARROW_PX, "height": 800})
    yield page
    page.context.close()


def show(page: sync_api.Page, board: board_process.Process, name: str) -> None:
    page.goto("about:blank")
    page.goto(f"{board.url}#{name}?")
    expect(page.get_by_role("main").get_by_role("button").first).to_be_visible()
    patience.still(page, 300)


def sticking_out(page: sync_api.Page) -> Any:
    """What is wider than the window and cannot be scrolled to."""
    return page.evaluate(
        f"""([selector, width]) => {{
            const {{ seen, name, clip }} = ({LOOK})(selector);
            const scrolled = (one) => {{
                for (let up = one.parentElement; up !== null; up = up.parentElement) {{
                    if (["auto", "scroll"].includes(getComputedStyle(up).overflowX)) return true;
                }}
                return false;
            }};
            const pagePx = document.documentElement.scrollWidth;
            const wide = pagePx > width ? [`page: ${{pagePx}} px`] : [];
            return [...wide, ...seen.filter((one) => !scrolled(one) && one.getBoundingClientRect().right > width + 1)
                .map(name)];
        }}""",
        [CONTROLS, NARROW_PX],
    )


def overlapping(page: sync_api.Page) -> Any:
    """Pairs of controls that cover each other; one inside the other is fine."""
    return page.evaluate(
        f"""(selector) => {{
            const {{ seen, name, clip }} = ({LOOK})(selector);
            const boxes = seen.map((one) => [one, clip(one)]);
            const found = [];
            for (const [at, [one, a]] of boxes.entries()) {{
                for (const [other, b] of boxes.slice(at + 1)) {{
                    if (one.contains(other) || other.contains(one)) continue;
                    const x = Math.min(a.right, b.right) - Math.max(a.left, b.left);
                    const y = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
                    if (x > 4 && y > 4) found.push(`${{name(one)}} and ${{name(other)}}`);
                }}
            }}
            return found;
        }}""",
        CONTROLS,
    )


def too_small(page: sync_api.Page) -> Any:
    """Buttons and fields of the top bar and of toolbars that are lower than 40 px."""
    return page.evaluate(
        f"""(selector) => {{
            const {{ seen, name }} = ({LOOK})(selector);
            return seen.filter((one) => one.getBoundingClientRect().height < 39.5).map(name);
        }}""",
        ".top-bar button, [role=toolbar] > .button, [role=toolbar] > .choice .button, [role=toolbar] > .field select",
    )


@pytest.mark.parametrize("name", PAGES)
def test_in_a_narrow_window_nothing_sticks_out_or_overlaps(
    narrow: sync_api.Page, board: board_process.Process, name: str
) -> None:
    show(narrow, board, name)
    assert sticking_out(narrow) == []
    assert overlapping(narrow) == []
    assert too_small(narrow) == []


def test_in_a_narrow_window_details_of_a_node_are_a_sheet_below_the_graph(
    narrow: sync_api.Page, board: board_process.Process
) -> None:
    show(narrow, board, "graphs")
    expect(narrow.get_by_test_id("graph-side")).to_have_count(0)
    narrow.get_by_test_id("graph-pane-nodes").click()
    sheet = patience.box_of(narrow.get_by_test_id("graph-side"))
    stage = patience.box_of(narrow.locator(".graphs-page__stage"))
    assert sheet["width"] == stage["width"] == NARROW_PX
    assert sheet["y"] >= stage["y"] + stage["height"] / 3


def test_in_a_narrow_window_the_pane_of_hparams_is_closed_until_opened(
    narrow: sync_api.Page, board: board_process.Process
) -> None:
    show(narrow, board, "hparams")
    expect(narrow.get_by_test_id("hparams-pane")).to_have_count(0)
    narrow.get_by_test_id("hparams-pane-toggle").click()
    expect(narrow.get_by_test_id("hparams-pane")).to_be_visible()
    narrow.get_by_test_id("hparams-pane-toggle").click()
    expect(narrow.get_by_test_id("hparams-pane")).to_have_count(0)


@pytest.mark.parametrize("width", [1280, 1440, 1920])
def test_toolbars_of_all_kinds_are_one_row_of_the_same_height(
    open_page: conftest.OpenPage, board: board_process.Process, width: int
) -> None:
    page = open_page(viewport={"width": width, "height": 900})
    heights = {}
    for name in KIND_PAGES:
        page.goto(f"{board.url}#{name}?")
        expect(page.get_by_test_id(f"{name}-page")).to_be_visible()
        expect(page.get_by_test_id("view-options")).to_be_visible()
        patience.still(page, 200)
        heights[name] = patience.box_of(page.locator(".kind-toolbar"))["height"]
    assert len(set(heights.values())) == 1, json.dumps(heights)
    assert heights["images"] < 60


def test_other_settings_of_a_kind_are_behind_one_button(page: sync_api.Page, board: board_process.Process) -> None:
    page.goto(f"{board.url}#histograms?")
    expect(page.get_by_test_id("histograms-x")).to_have_count(0)
    expect(option(page, "histograms-x")).to_be_visible()
    # the slider is called "Step"; the axis is not
    expect(page.get_by_label("Time axis")).to_be_visible()
    page.get_by_role("button", name="Close all sections").click()
    expect(page.locator("[data-kind-card]")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("histograms-x")).to_have_count(0)
    expect(page.get_by_test_id("view-options")).to_be_focused()


@pytest.mark.parametrize(
    ("name", "facts", "text"),
    [("tensors", "tensor-about", "1,024 elements"), ("audio", "audio-form", "PCM 16 bit")],
)
def test_facts_of_a_card_are_not_cut(
    page: sync_api.Page, board: board_process.Process, name: str, facts: str, text: str
) -> None:
    page.goto(f"{board.url}#{name}?")
    shown = page.get_by_test_id(facts).first
    expect(shown).to_contain_text(text)
    assert shown.evaluate("(one) => one.scrollWidth <= one.clientWidth + 1")


def test_the_axes_of_a_curve_have_names(page: sync_api.Page, board: board_process.Process) -> None:
    page.goto(f"{board.url}#pr_curves?")
    card = page.locator("[data-kind-card=pr_curves]").first
    expect(card).to_contain_text("Precision")
    expect(card).to_contain_text("Recall")
    page.get_by_test_id("pr-mode-roc").click()
    expect(card).to_contain_text("False positive rate")


def test_no_row_of_a_table_is_cut_at_the_end_of_its_card(page: sync_api.Page, board: board_process.Process) -> None:
    page.goto(f"{board.url}#tables?")
    table = page.get_by_test_id("data-table").first
    expect(table.locator(".data-table__row--data").first).to_be_visible()

    def rest_px(_: sync_api.Page) -> int:
        """Height of the part of a row at the end."""
        found: int = table.evaluate(
            """(one) => {
                const [head] = one.getElementsByClassName("data-table__row--data");
                const top = head.getBoundingClientRect().top - one.getBoundingClientRect().top;
                return Math.round(one.clientHeight - top) % 26;
            }"""
        )
        return found

    patience.eventually(page, rest_px, 0)


def test_a_graph_has_the_whole_page_until_a_node_is_selected(page: sync_api.Page, board: board_process.Process) -> None:
    show(page, board, "graphs")
    stage = page.locator(".graphs-page__stage")
    before = patience.box_of(stage)
    expect(page.get_by_test_id("graph-side")).to_have_count(0)
    expect(page.get_by_test_id("graph-info")).to_contain_text("nodes")
    page.locator(".graph-stage__view").focus()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_test_id("graph-side")).to_be_visible()
    assert patience.box_of(stage) == before, "the drawing does not move"
