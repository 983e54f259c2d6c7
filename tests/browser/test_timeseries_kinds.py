"""Images and histograms among the charts of the time series page, as a person meets them there."""

from __future__ import annotations

import re
from collections.abc import Iterator

import board_process
import event_files
import pytest
from browser import conftest, histogram_logs, test_images
from browser.kind_cards import drawn, expect_step, in_address, kind_card, slide
from playwright import sync_api

pytestmark = pytest.mark.browser

expect = sync_api.expect

RUNS = ("alpha", "beta")
STEPS = range(0, 100, 10)


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[board_process.Process]:
    folder = tmp_path_factory.mktemp("logs")
    for number, run in enumerate(RUNS):
        events = [event_files.version_event(), *event_files.scalars("val/loss", [1.0] * 100)]
        for step in STEPS:
            events.append(test_images.images_event("val/sample", test_images.batch(number, step, 2), step))
            events.append(histogram_logs.event("val/weights", histogram_logs.rows(number, step), step))
        if run == "beta":
            events.append(test_images.images_event("only/picture", test_images.batch(number, 0, 1), 0))
        event_files.write(folder / run / "events.out.tfevents.1", events)
    with board_process.Process("--logdir", folder, "--port", "0") as process:
        process.wait_for_runs(*RUNS)
        yield process


def open_charts(page: sync_api.Page, board: board_process.Process, members: str = "") -> None:
    page.set_viewport_size({"width": 1280, "height": 1100})
    page.goto(f"{board.url}#timeseries?{members}")
    expect(page.locator("[data-card]").first).to_be_visible()


def chart(page: sync_api.Page) -> sync_api.Locator:
    return page.locator('[data-card="val/loss"]:not([data-kind-card])')


def test_charts_come_alone_and_nothing_of_the_others_is_fetched(
    page: sync_api.Page, board: board_process.Process
) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    open_charts(page, board)
    expect(chart(page).locator("canvas")).to_be_visible()
    expect(page.locator("[data-kind-card]")).to_have_count(0)
    assert not [url for url in asked if "panel" in url or "/api/steps" in url or "/api/blobs" in url]


def test_each_kind_is_shown_alone_or_with_the_others(page: sync_api.Page, board: board_process.Process) -> None:
    open_charts(page, board)
    choice = page.get_by_test_id("shown-kinds")
    choice.select_option("all")
    # one per tag and run, among the charts of their section
    expect(page.locator('[data-kind-card="images"]')).to_have_count(3)
    expect(page.locator('[data-kind-card="histograms"]')).to_have_count(2)
    expect(chart(page)).to_have_count(1)
    expect(page.locator('[data-section="val"]')).to_contain_text("5")
    in_address(page, "timeseriesKinds=all")
    choice.select_option("images")
    expect(page.locator('[data-kind-card="histograms"]')).to_have_count(0)
    expect(chart(page)).to_have_count(0)
    expect(page.locator('[data-kind-card="images"]')).to_have_count(3)
    choice.select_option("histograms")
    expect(page.locator('[data-kind-card="images"]')).to_have_count(0)
    expect(drawn(kind_card(page, "histograms", "val/weights", "beta"))).to_be_visible()
    choice.select_option("scalars")
    expect(page.locator("[data-kind-card]")).to_have_count(0)
    expect(chart(page)).to_have_count(1)


def test_pictures_show_the_marked_step_and_their_own_after_that(
    page: sync_api.Page, board: board_process.Process
) -> None:
    open_charts(page, board, 'timeseriesKinds=all&stepTable=1&steps={"lo":42,"hi":null}')
    alpha, beta = (kind_card(page, "images", "val/sample", run) for run in RUNS)
    expect_step(alpha, 40)
    test_images.expect_picture(page, beta, 1, 40)
    slide(alpha, "ArrowRight", 2)
    test_images.expect_picture(page, alpha, 0, 60)
    expect_step(beta, 40)


def test_a_click_on_a_histogram_marks_the_step_for_all_cards(page: sync_api.Page, board: board_process.Process) -> None:
    open_charts(page, board, "timeseriesKinds=all")
    weights = kind_card(page, "histograms", "val/weights", "alpha")
    expect(drawn(weights)).to_be_visible()
    weights.locator("canvas").first.click()
    in_address(page, 'steps={"lo":')
    marked = page.evaluate("""JSON.parse(new URLSearchParams(location.hash.split("?")[1]).get("steps")).lo""")
    assert marked in STEPS
    expect_step(kind_card(page, "images", "val/sample", "alpha"), marked)


def test_a_pinned_picture_stands_above_charts_only(page: sync_api.Page, board: board_process.Process) -> None:
    open_charts(page, board, "timeseriesKinds=images")
    card = kind_card(page, "images", "val/sample", "beta")
    expect(drawn(card)).to_be_visible()
    card.hover()
    card.get_by_role("button", name="Pin").click()
    page.get_by_test_id("shown-kinds").select_option("scalars")
    pinned = page.locator('[data-kind-card="images"]')
    expect(pinned).to_have_count(1)
    test_images.expect_picture(page, pinned, 1, 90)
    in_address(page, "pins=images|val/sample|beta")
    expect(page).not_to_have_url(re.compile("timeseriesKinds"))
    page.reload()
    test_images.expect_picture(page, pinned, 1, 90)
    expect(chart(page)).to_have_count(1)
    pinned.get_by_role("button", name="Unpin").click()
    expect(pinned).to_have_count(0)


def test_one_of_them_fills_the_page_and_the_arrows_go_on_to_charts(
    page: sync_api.Page, board: board_process.Process
) -> None:
    open_charts(page, board, "timeseriesKinds=all&full=images%7Conly%2Fpicture%7Cbeta")
    full = page.locator("[data-full]")
    expect(full).to_have_attribute("data-card", "only/picture")
    expect(drawn(full)).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(full).to_have_attribute("data-card", "val/loss")
    page.keyboard.press("ArrowRight")
    expect(full).to_have_attribute("data-run-of", "alpha")
    page.keyboard.press("Escape")
    expect(chart(page)).to_be_visible()


def test_how_they_look_is_among_the_settings(page: sync_api.Page, board: board_process.Process) -> None:
    open_charts(page, board, "timeseriesKinds=all")
    expect(drawn(kind_card(page, "images", "val/sample", "alpha"))).to_be_visible()
    page.get_by_test_id("toggle-settings").click()
    page.get_by_test_id("pane-brightness").fill("0.5")
    picture = drawn(kind_card(page, "images", "val/sample", "alpha"))
    expect(picture).to_have_css("filter", "brightness(0.5) contrast(1)")
    page.get_by_test_id("pane-mode").select_option("overlay")
    in_address(page, "histogramsMode=overlay")


def test_words_are_chinese_for_chinese_readers(open_page: conftest.OpenPage, board: board_process.Process) -> None:
    page = open_page(locale="zh-CN")
    page.goto(f"{board.url}#timeseries?timeseriesKinds=all")
    expect(page.get_by_label("显示内容")).to_have_value("all")
    expect(page.locator('[data-kind-card="histograms"]').first).to_be_visible()
