"""Cards of line charts as a person reads them: where the tooltip is, what the legend shows, how wide cards are.

One board serves all tests: three runs with twelve tags of 200 points, one tag of two points, and fifty more runs that
have only the tag `many`. Left out: the values in tooltips (test_timeseries.py), the pixels of lines and dots (the
chart's own tests).
"""

from __future__ import annotations

import math
import pathlib
import re
import struct
from collections.abc import Iterator

import board_process
import event_files
import pytest
from browser import patience
from browser.cards import card, hover, place_in, wait_drawn
from playwright import sync_api

pytestmark = pytest.mark.browser

NAMES = ["digits/lr=0.1,optimizer=adam", "digits/lr=0.1,optimizer=sgd", "digits/lr=0.01,optimizer=sgd"]
TAGS = [f"loss_{i:02}" for i in range(12)]
FEW = "#timeseries?runFilter=digits&smoothing=0"


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[board_process.Process]:
    folder = tmp_path_factory.mktemp("logs")
    for number, name in enumerate(NAMES):
        events = [event_files.version_event()]
        for place, tag in enumerate(TAGS):
            values = [(number + 1) * math.exp(-step / (40 + 10 * place)) for step in range(200)]
            events += event_files.scalars(tag, values)
        events += event_files.scalars("short", [number, 100.0])
        event_files.write(folder / name / "events.out.tfevents.1", events)
    for number in range(50):
        values = [number + math.sin(step) for step in range(60)]
        events = [event_files.version_event(), *event_files.scalars("many", values)]
        event_files.write(folder / f"crowd/{number}" / "events.out.tfevents.1", events)
    with board_process.Process("--logdir", folder, "--port", "0") as process:
        process.wait_for_runs(*NAMES, *(f"crowd/{number}" for number in range(50)))
        yield process


def open_board(page: sync_api.Page, board: board_process.Process, fragment: str = FEW) -> None:
    page.goto(board.url + fragment)
    sync_api.expect(page.locator("[data-card]").first).to_be_visible()


def choose(page: sync_api.Page, title: str, item: str) -> None:
    card(page, title).hover()
    card(page, title).get_by_role("button", name="More for this chart").click()
    page.get_by_role("menu").get_by_text(item, exact=True).click()


def overlap(one: sync_api.FloatRect, other: sync_api.FloatRect) -> float:
    """The area that both cover, in pixels."""
    across = min(one["x"] + one["width"], other["x"] + other["width"]) - max(one["x"], other["x"])
    upright = min(one["y"] + one["height"], other["y"] + other["height"]) - max(one["y"], other["y"])
    return max(0.0, across) * max(0.0, upright)


def assert_beside(page: sync_api.Page, title: str) -> None:
    """The tooltip is in the window and not over the plot."""
    tooltip = patience.box_of(page.get_by_test_id("tooltip"))
    plot = patience.box_of(card(page, title).locator(".line-chart"))
    assert overlap(tooltip, plot) == 0, (title, tooltip, plot)
    window = page.viewport_size
    assert window is not None
    assert tooltip["x"] >= 0 and tooltip["x"] + tooltip["width"] <= window["width"]
    assert tooltip["y"] >= 0 and tooltip["y"] + tooltip["height"] <= window["height"]


# ---- tooltip


@pytest.mark.parametrize("size", [(390, 800), (900, 700), (1280, 800), (1920, 1080)])
def test_the_tooltip_is_beside_the_hovered_chart_never_over_it(
    page: sync_api.Page, board: board_process.Process, size: tuple[int, int]
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    open_board(page, board)
    # a narrow window shows one column
    charts = TAGS[:1] if size[0] < 1200 else TAGS[:3]
    for title in charts:
        wait_drawn(page, title)
        for x, y in [(0.2, 0.2), (0.5, 0.5), (0.9, 0.8)]:
            hover(page, title, x, y)
            sync_api.expect(page.get_by_test_id("tooltip")).to_be_visible()
            assert_beside(page, title)


def test_a_tooltip_of_fifty_runs_is_beside_the_chart_and_says_how_many_more_there_are(
    page: sync_api.Page, board: board_process.Process
) -> None:
    open_board(page, board, "#timeseries?tagFilter=many&smoothing=0")
    wait_drawn(page, "many")
    place = hover(page, "many")
    tooltip = page.get_by_test_id("tooltip")
    sync_api.expect(tooltip.locator("tbody tr")).to_have_count(12)
    sync_api.expect(tooltip).to_contain_text("+38 more")
    assert_beside(page, "many")
    page.mouse.click(*place)
    sync_api.expect(tooltip.locator("tbody tr")).to_have_count(50)
    assert_beside(page, "many")
    scrolls = tooltip.locator(".tooltip__rows").evaluate("one => one.scrollHeight > one.clientHeight")
    assert scrolls


def test_the_tooltip_of_an_expanded_chart_is_beside_it(page: sync_api.Page, board: board_process.Process) -> None:
    for width, height in [(1280, 800), (700, 800)]:
        page.set_viewport_size({"width": width, "height": height})
        page.goto("about:blank")
        open_board(page, board, f"{FEW}&full=tag:{TAGS[0]}")
        wait_drawn(page, TAGS[0])
        for x in (0.3, 0.9):
            hover(page, TAGS[0], x)
            sync_api.expect(page.get_by_test_id("tooltip")).to_be_visible()
            assert_beside(page, TAGS[0])


def test_the_tooltip_is_hidden_while_dragging_and_after_a_zoom_until_the_pointer_moves(
    page: sync_api.Page, board: board_process.Process
) -> None:
    open_board(page, board)
    wait_drawn(page, TAGS[0])
    tooltip = page.get_by_test_id("tooltip")
    for key in (None, "Shift"):
        hover(page, TAGS[0], 0.4, 0.4)
        sync_api.expect(tooltip).to_be_visible()
        if key is not None:
            page.keyboard.down(key)
        page.mouse.down()
        page.mouse.move(*place_in(page, TAGS[0], 0.6, 0.6))
        sync_api.expect(tooltip).to_have_count(0)
        page.mouse.up()
        if key is not None:
            page.keyboard.up(key)
        page.wait_for_url(re.compile("xRange"))
        patience.still(page, 300)
        sync_api.expect(tooltip).to_have_count(0)
        hover(page, TAGS[0], 0.5, 0.5)
        sync_api.expect(tooltip).to_be_visible()


def test_the_tooltip_has_run_value_and_step_and_with_shift_or_pinned_the_times(
    page: sync_api.Page, board: board_process.Process
) -> None:
    open_board(page, board)
    wait_drawn(page, TAGS[0])
    heads = page.get_by_test_id("tooltip").locator("th:not(:empty)")
    place = hover(page, TAGS[0])
    sync_api.expect(heads).to_have_text(["Run", "Value", "Step"])
    page.keyboard.down("Shift")
    sync_api.expect(heads).to_have_text(["Run", "Value", "Step", "Time", "Relative"])
    assert_beside(page, TAGS[0])
    page.keyboard.up("Shift")
    sync_api.expect(heads).to_have_count(3)
    page.mouse.click(*place)
    sync_api.expect(heads).to_have_text(["Run", "Value", "Step", "Time", "Relative"])


def test_the_pinned_tooltip_selects_the_step(page: sync_api.Page, board: board_process.Process) -> None:
    open_board(page, board)
    wait_drawn(page, TAGS[0])
    place = hover(page, TAGS[0])
    sync_api.expect(page.get_by_test_id("tooltip")).to_be_visible()
    page.mouse.click(*place)
    page.get_by_role("button", name=re.compile("Select step")).click()
    page.wait_for_url(re.compile("stepTable=1.*steps="))
    table = card(page, TAGS[1]).get_by_test_id("step-table-rows")
    sync_api.expect(table.locator("[data-row]")).to_have_count(3)


# ---- legend


def test_few_lines_have_a_legend_with_last_values_and_many_have_none(
    page: sync_api.Page, board: board_process.Process
) -> None:
    open_board(page, board)
    wait_drawn(page, "short")
    legend = card(page, "short").get_by_test_id("legend")
    sync_api.expect(legend.locator("button")).to_have_count(3)
    sync_api.expect(legend.locator(".legend__value")).to_have_text(["100", "100", "100"])
    sync_api.expect(legend.locator("button").first).to_have_attribute("title", re.compile("lr=0.0?1,optimizer"))
    first = card(page, TAGS[0]).get_by_test_id("legend")
    height = patience.box_of(first)["height"]
    assert height <= 52
    for place in range(3):
        box = first.locator("button").nth(place).bounding_box()
        assert box is not None and box["y"] + box["height"] <= patience.box_of(first)["y"] + height + 1
    open_board(page, board, "#timeseries?tagFilter=many")
    wait_drawn(page, "many")
    sync_api.expect(card(page, "many").get_by_test_id("legend")).to_have_count(0)
    open_board(page, board, "#timeseries?tagFilter=many&legend=on")
    sync_api.expect(card(page, "many").get_by_test_id("legend").locator("button").first).to_be_visible()
    open_board(page, board, f"{FEW}&legend=off")
    wait_drawn(page, "short")
    sync_api.expect(page.get_by_test_id("legend")).to_have_count(0)


def test_the_legend_follows_a_run_that_goes_on(page: sync_api.Page, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "run" / "events.out.tfevents.1"
    event_files.write(path, [event_files.version_event(), *event_files.scalars("loss", [3.0, 2.0])])
    with board_process.Process("--logdir", tmp_path, "--port", "0", "--reload_interval", "1") as process:
        process.wait_for_runs("run")
        open_board(page, process, "")
        value = card(page, "loss").locator(".legend__value")
        sync_api.expect(value).to_have_text("2")
        event_files.append(path, event_files.scalars("loss", [1.5], first_step=2))
        sync_api.expect(value).to_have_text("1.5")


# ---- size and settings of cards


def test_cards_fill_the_row_at_every_width_and_the_last_row_has_the_same_width(
    page: sync_api.Page, board: board_process.Process
) -> None:
    open_board(page, board)
    for width, columns in [(1280, 3), (1920, 4), (2560, 5)]:
        page.set_viewport_size({"width": width, "height": 1200})

        def seen(page: sync_api.Page) -> list[list[float]]:
            found: list[list[float]] = page.locator("[data-card]").evaluate_all(
                "all => all.map((one) => one.getBoundingClientRect()).map(({top, left, right}) => [top, left, right])"
            )
            return found

        def in_first_row(page: sync_api.Page) -> int:
            boxes = seen(page)
            return sum(top == boxes[0][0] for top, _, _ in boxes)

        patience.eventually(page, in_first_row, columns)
        boxes = seen(page)
        assert len({round(right - left) for _, left, right in boxes}) == 1
        free = width - max(right for _, _, right in boxes)
        assert free < 40


def test_settings_of_a_chart_open_beside_it(page: sync_api.Page, board: board_process.Process) -> None:
    open_board(page, board)
    for title in (TAGS[0], TAGS[2]):
        wait_drawn(page, title)
        choose(page, title, "Settings for this chart…")
        dialog = page.get_by_role("dialog", name=title)
        sync_api.expect(dialog).to_be_visible()
        assert overlap(patience.box_of(dialog), patience.box_of(card(page, title))) == 0
        page.keyboard.press("Escape")
        sync_api.expect(dialog).to_have_count(0)
    open_board(page, board, f"{FEW}&full=tag:{TAGS[0]}")
    wait_drawn(page, TAGS[0])
    choose(page, TAGS[0], "Settings for this chart…")
    dialog = page.get_by_role("dialog", name=TAGS[0])
    assert overlap(patience.box_of(dialog), patience.box_of(card(page, TAGS[0]).locator(".line-chart"))) == 0


def test_a_dragged_chart_says_what_dropping_it_does(page: sync_api.Page, board: board_process.Process) -> None:
    open_board(page, board)
    wait_drawn(page, TAGS[1])
    handle = card(page, TAGS[0]).locator(".card-header__drag")
    sync_api.expect(handle).to_have_attribute("title", re.compile("Drag onto another chart"))
    handle.hover()
    page.mouse.down()
    page.mouse.move(*place_in(page, TAGS[1], 0.4, 0.4))
    page.mouse.move(*place_in(page, TAGS[1], 0.5, 0.5))
    sync_api.expect(card(page, TAGS[1])).to_contain_text("Drop to show both in one chart")
    sync_api.expect(card(page, TAGS[2])).not_to_contain_text("Drop")
    page.mouse.up()
    sync_api.expect(card(page, f"{TAGS[1]} + {TAGS[0]}")).to_be_visible()


# ---- pictures


def test_pictures_are_large_and_have_a_legend_of_full_names(
    chromium: sync_api.Browser, board: board_process.Process
) -> None:
    page = patience.new_page(chromium, locale="en-US", permissions=["clipboard-read", "clipboard-write"])
    open_board(page, board)
    wait_drawn(page, TAGS[0])
    with page.expect_download() as started:
        choose(page, TAGS[0], "Picture (PNG)")
    assert size_of(pathlib.Path(started.value.path()).read_bytes()) == (1600, 900)
    with page.expect_download() as started:
        choose(page, TAGS[0], "Picture (SVG)")
    picture = pathlib.Path(started.value.path()).read_text()
    for name in NAMES:
        assert f">{name}<" in picture
    choose(page, TAGS[0], "Copy picture")
    sync_api.expect(page.get_by_text("Picture copied")).to_be_visible()
    copied = page.evaluate(
        """async () => {
            const [item] = await navigator.clipboard.read();
            return [...new Uint8Array(await (await item.getType("image/png")).arrayBuffer()).slice(0, 24)];
        }"""
    )
    assert size_of(bytes(copied)) == (1600, 900)
    page.context.close()


def size_of(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", png[16:24])
    return width, height
