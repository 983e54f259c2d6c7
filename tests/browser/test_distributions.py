"""The distributions page as a person uses it: real Chromium, a real board, percentiles as the server tells them."""

from __future__ import annotations

import json
import pathlib
from collections.abc import Iterator

import board_process
import event_files
import pytest
from browser import conftest, histogram_logs, patience, test_accessibility
from browser.histogram_logs import RUNS, STEPS
from browser.kind_cards import drawn, expect_step, in_address, kind_card, open_kind, option
from playwright import sync_api

pytestmark = pytest.mark.browser

expect = sync_api.expect


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[board_process.Process]:
    folder = tmp_path_factory.mktemp("logs")
    for number, name in enumerate(RUNS):
        histogram_logs.write_run(folder, name, number)
    with board_process.Process("--logdir", folder, "--port", "0") as process:
        process.wait_for_runs(*RUNS)
        yield process


def open_page_of(page: sync_api.Page, board: board_process.Process, members: str = "tagFilter=layer") -> None:
    open_kind(page, board, "distributions", members)


def weights(page: sync_api.Page, run: str = "alpha") -> sync_api.Locator:
    return kind_card(page, "distributions", "layer/weights", run)


def expect_steps(card: sync_api.Locator, steps: int) -> None:
    expect(drawn(card)).to_have_attribute("data-steps", str(steps))


def place(card: sync_api.Locator, x: float, y: float) -> tuple[float, float]:
    box = patience.box_of(drawn(card))
    return box["x"] + x * box["width"], box["y"] + y * box["height"]


def test_tags_of_histograms_have_a_card_for_each_run_with_all_steps(
    page: sync_api.Page, board: board_process.Process
) -> None:
    open_page_of(page, board)
    for run in RUNS:
        expect_steps(weights(page, run), len(STEPS))
        expect_steps(kind_card(page, "distributions", "layer/bias", run), 3)
    expect(page.locator("[data-kind-card]")).to_have_count(4)


def test_the_read_out_has_every_percentile_as_data_tells_it(page: sync_api.Page, board: board_process.Process) -> None:
    open_page_of(page, board, "tagFilter=bias")
    card = kind_card(page, "distributions", "layer/bias", "beta")
    expect_steps(card, 3)
    page.mouse.move(*place(card, 0.8, 0.5))
    page.mouse.move(*place(card, 0.9, 0.5))
    tip = page.get_by_test_id("hover-tip")
    expect(tip).to_contain_text("Step2")
    _, body = board.get("data/plugin/distributions/distributions?run=beta&tag=layer/bias")
    _, step, percentiles = json.loads(body)[-1]
    assert step == 2
    names = {0: "Lowest", 5000: "Median", 10000: "Highest"}
    for points, value in percentiles:
        shown = f"{float(f'{value:.4g}'):.10g}".replace("-", "−")
        expect(tip).to_contain_text(names.get(points, f"{points / 100:g} %") + shown)


def test_time_and_zoom_are_in_the_address(page: sync_api.Page, board: board_process.Process) -> None:
    open_page_of(page, board, "tagFilter=weights")
    card = weights(page)
    expect_steps(card, len(STEPS))
    start, middle, end = place(card, 0.4, 0.5), place(card, 0.5, 0.5), place(card, 0.7, 0.505)
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*middle)
    page.mouse.move(*end)
    page.mouse.up()
    in_address(page, '"distributions|layer/weights|alpha":{"times":[')
    patience.until(
        page, lambda: 5 < int(drawn(card).get_attribute("data-steps") or 0) < len(STEPS) / 2, "a part of the steps"
    )
    expect_steps(weights(page, "beta"), len(STEPS))
    # stretches of steps mean nothing on another axis
    option(page, "distributions-x").select_option("relative")
    expect_steps(card, len(STEPS))
    in_address(page, "distributionsX=relative")
    page.reload()
    expect(option(page, "distributions-x")).to_have_value("relative")
    expect_steps(card, len(STEPS))


def test_a_step_is_marked_by_slider_click_and_time_series(page: sync_api.Page, board: board_process.Process) -> None:
    open_page_of(page, board, 'tagFilter=weights&stepTable=1&steps={"lo":100,"hi":null}')
    expect_step(weights(page), 99)
    slider = page.get_by_test_id("page-step")
    slider.focus()
    slider.press("Home")
    slider.press("ArrowRight")
    for run in RUNS:
        expect_step(weights(page, run), 3)


def test_odd_values_are_told(page: sync_api.Page, board: board_process.Process) -> None:
    open_page_of(page, board, "tagFilter=odd")
    expect(kind_card(page, "distributions", "odd/shape")).to_contain_text("This is not a histogram")
    expect(kind_card(page, "distributions", "odd/some")).to_contain_text("2 steps are not histograms")
    for tag in ("odd/none", "odd/zero", "odd/endless", "odd/single", "odd/huge"):
        expect_steps(kind_card(page, "distributions", tag), 1)


def test_a_growing_run_is_followed(page: sync_api.Page, tmp_path: pathlib.Path) -> None:
    file = histogram_logs.write_run(tmp_path, "alpha", 0)
    with board_process.Process("--logdir", tmp_path, "--port", "0", "--reload_interval", "1") as board:
        board.wait_for_runs("alpha")
        open_page_of(page, board, "tagFilter=bias")
        card = kind_card(page, "distributions", "layer/bias")
        expect_steps(card, 3)
        event_files.append(file, [histogram_logs.event("layer/bias", histogram_logs.rows(0, 3), 3)])
        expect_steps(card, 4)


def test_all_steps_are_given_away(page: sync_api.Page, board: board_process.Process) -> None:
    open_page_of(page, board, "tagFilter=weights")
    card = weights(page, "beta")
    expect_steps(card, len(STEPS))
    card.hover()
    card.get_by_role("button", name="More for this card").click()
    with page.expect_download() as waiting:
        page.get_by_role("menuitem", name="CSV").click()
    table = pathlib.Path(waiting.value.path()).read_text().splitlines()
    assert table[0] == "step,wall_time,p0,p6.68,p15.87,p30.85,p50,p69.15,p84.13,p93.32,p100"
    _, body = board.get("data/plugin/distributions/distributions?run=beta&tag=layer/weights")
    told = {step: [value for _, value in percentiles] for _, step, percentiles in json.loads(body)}
    rows = {int(row.split(",")[0]): [float(cell) for cell in row.split(",")[2:]] for row in table[1:]}
    assert list(rows) == list(STEPS)
    assert all(rows[step] == values for step, values in told.items())


def test_rules_of_accessibility_are_kept(open_page: conftest.OpenPage, board: board_process.Process) -> None:
    for look in ({"color_scheme": "light"}, {"color_scheme": "dark", "locale": "zh-CN"}):
        page = open_page(reduced_motion="reduce", **look)
        page.add_init_script(path=test_accessibility.AXE)
        page.goto(f"{board.url}#distributions?tagFilter=layer&stepAll=30")
        expect(page.locator("[data-drawn]").first).to_be_visible()
        assert test_accessibility.violations(page) == []
