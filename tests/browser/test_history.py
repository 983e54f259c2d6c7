"""Back and forward of the browser: filters, pins, zooms and expanded charts are entries, sliders are not.

Each test starts on a page that was opened by its address, so that one step too far back is noticed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

import board_process
import event_files
import pytest
from browser import patience
from browser.cards import card, drag, place_in, wait_drawn
from playwright import sync_api

pytestmark = pytest.mark.browser

expect = sync_api.expect
TAGS = ("eval/loss", "train/accuracy", "train/loss")
RUNS = ("adam_1", "adam_2", "sgd_1")


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[board_process.Process]:
    folder = tmp_path_factory.mktemp("logs")
    for number, run in enumerate(RUNS):
        events = [event_files.version_event()]
        for tag in TAGS:
            events += event_files.scalars(tag, [(number + 1) * math.exp(-step / 30) for step in range(100)])
        event_files.write(folder / run / "events.out.tfevents.1", events)
    with board_process.Process("--logdir", folder, "--port", "0") as process:
        process.wait_for_runs(*RUNS)
        yield process


@pytest.fixture
def shown(page: sync_api.Page, board: board_process.Process) -> sync_api.Page:
    # high enough for all cards, pinned ones included
    page.set_viewport_size({"width": 1280, "height": 1200})
    page.goto("about:blank")
    page.goto(board.url)
    wait_drawn(page, "train/loss")
    return page


def zoom_of(page: sync_api.Page) -> str:
    """The limits of the x axis in the address."""
    found: str = page.evaluate("(/xRange[^\\]]*/.exec(decodeURIComponent(location.hash)) ?? [''])[0]")
    return found


def zoom(page: sync_api.Page, title: str) -> str:
    before = zoom_of(page)
    drag(page, title, (0.3, 0.3), (0.8, 0.7))
    patience.until(page, lambda: zoom_of(page) not in ("", before), "a zoom in the address")
    return zoom_of(page)


def expand(page: sync_api.Page, title: str) -> None:
    card(page, title).hover()
    card(page, title).get_by_role("button", name="Expand").click()
    expect_expanded(page, title)


def expect_expanded(page: sync_api.Page, title: str | None) -> None:
    expect(page.locator("[data-full]")).to_have_count(0 if title is None else 1)
    if title is not None:
        expect(page.locator(f'[data-full][data-card="{title}"]')).to_be_visible()


def pin(page: sync_api.Page, title: str) -> None:
    card(page, title).hover()
    card(page, title).get_by_role("button", name="Pin", exact=True).click()


def cards(page: sync_api.Page) -> list[str]:
    found: list[str] = page.locator("[data-card]").evaluate_all("all => all.map((one) => one.dataset.card)")
    return found


def test_back_takes_a_zoom_away_and_forward_zooms_again(shown: sync_api.Page) -> None:
    first = zoom(shown, "train/loss")
    # between two zooms of one chart, so that they are two entries however fast this test is
    expand(shown, "train/loss")
    wait_drawn(shown, "train/loss")
    second = zoom(shown, "train/loss")
    shown.go_back()
    patience.eventually(shown, zoom_of, first)
    expect_expanded(shown, "train/loss")
    shown.go_back()
    expect_expanded(shown, None)
    assert zoom_of(shown) == first
    shown.go_back()
    patience.eventually(shown, zoom_of, "")
    expect(card(shown, "train/loss")).to_be_visible()
    for wanted in (first, first, second):
        shown.go_forward()
        patience.eventually(shown, zoom_of, wanted)
    expect_expanded(shown, "train/loss")


def test_a_double_click_that_fits_the_axes_is_an_entry(shown: sync_api.Page) -> None:
    wanted = zoom(shown, "train/loss")
    pin(shown, "eval/loss")
    shown.mouse.dblclick(*place_in(shown, "train/loss", 0.5, 0.5))
    patience.eventually(shown, zoom_of, "")
    shown.go_back()
    patience.eventually(shown, zoom_of, wanted)


def test_back_goes_through_expanded_charts_one_by_one(shown: sync_api.Page) -> None:
    for title in ("eval/loss", "train/accuracy"):
        expand(shown, title)
        shown.keyboard.press("Escape")
        expect_expanded(shown, None)
    for wanted in ("train/accuracy", None, "eval/loss", None):
        shown.go_back()
        expect_expanded(shown, wanted)
    expect(card(shown, "train/loss")).to_be_visible()
    shown.go_forward()
    expect_expanded(shown, "eval/loss")


def test_back_goes_through_filters_and_pins(shown: sync_api.Page) -> None:
    tags, runs = shown.get_by_test_id("tag-filter"), shown.get_by_test_id("run-filter")
    tags.press_sequentially("loss")
    patience.eventually(shown, cards, ["eval/loss", "train/loss"])
    pin(shown, "train/loss")
    patience.eventually(shown, cards, ["train/loss", "eval/loss", "train/loss"])
    runs.press_sequentially("adam")
    expect(shown.locator(".run-list [data-run]")).to_have_count(2)
    # letters reach the address a moment later than the page
    expect(shown).to_have_url(re.compile("runFilter=adam"))
    shown.go_back()
    expect(runs).to_have_value("")
    expect(shown.locator(".run-list [data-run]")).to_have_count(3)
    shown.go_back()
    patience.eventually(shown, cards, ["eval/loss", "train/loss"])
    shown.go_back()
    expect(tags).to_have_value("")
    patience.eventually(shown, cards, list(TAGS))
    for _ in range(3):
        shown.go_forward()
    expect(runs).to_have_value("adam")
    patience.eventually(shown, cards, ["train/loss", "eval/loss", "train/loss"])


def test_a_slider_is_no_entry(shown: sync_api.Page) -> None:
    pin(shown, "train/loss")
    expect(shown).to_have_url(re.compile("pins="))
    shown.get_by_test_id("smoothing").fill("0.9")
    expect(shown).to_have_url(re.compile("smoothing=0.9"))
    shown.go_back()
    expect(shown).not_to_have_url(re.compile("pins="))
