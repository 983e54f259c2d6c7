"""The histograms page as a person uses it: real Chromium, a real board, histograms whose counts tell run and step."""

from __future__ import annotations

import json
import pathlib
from collections.abc import Iterator
from urllib import parse

import board_process
import event_files
import pytest
from browser import conftest, histogram_logs, patience, test_accessibility
from browser.histogram_logs import RUNS, STEPS
from browser.kind_cards import drawn, expect_step, in_address, kind_card, open_kind, option
from playwright import sync_api

pytestmark = pytest.mark.browser

expect = sync_api.expect

# steps drawn at most on a card of the usual size
FEW = 50


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[board_process.Process]:
    folder = tmp_path_factory.mktemp("logs")
    for number, name in enumerate(RUNS):
        histogram_logs.write_run(folder, name, number)
    with board_process.Process("--logdir", folder, "--port", "0") as process:
        process.wait_for_runs(*RUNS)
        yield process


def open_page_of(page: sync_api.Page, board: board_process.Process, members: str = "tagFilter=layer") -> None:
    open_kind(page, board, "histograms", members)


def weights(page: sync_api.Page, run: str = "alpha") -> sync_api.Locator:
    return kind_card(page, "histograms", "layer/weights", run)


def expect_steps(card: sync_api.Locator, steps: int) -> None:
    """So many are on display."""
    expect(drawn(card)).to_have_attribute("data-steps", str(steps))


def drag(card: sync_api.Locator, start: tuple[float, float], end: tuple[float, float]) -> None:
    """From place to place, in shares of the chart."""
    box, mouse = patience.box_of(drawn(card)), card.page.mouse
    (x0, y0), (x1, y1) = ((box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in (start, end))
    mouse.move(x0, y0)
    mouse.down()
    mouse.move((x0 + x1) / 2, (y0 + y1) / 2)
    mouse.move(x1, y1)
    mouse.up()


def point(card: sync_api.Locator, x: float, y: float) -> sync_api.Locator:
    """The read-out beside the pointer."""
    box, mouse = patience.box_of(drawn(card)), card.page.mouse
    mouse.move(box["x"] + x * box["width"] - 4, box["y"] + y * box["height"])
    mouse.move(box["x"] + x * box["width"], box["y"] + y * box["height"])
    return card.page.get_by_test_id("hover-tip")


def pixels(card: sync_api.Locator) -> int:
    """How many are coloured: not grey, as the axes are."""
    found: int = drawn(card).evaluate(
        """(shown) => {
            const canvas = document.createElement("canvas");
            [canvas.width, canvas.height] = [shown.width, shown.height];
            const context = canvas.getContext("2d");
            context.drawImage(shown, 0, 0);
            const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
            let count = 0;
            for (let i = 0; i < data.length; i += 4) {
                const parts = [data[i], data[i + 1], data[i + 2]];
                if (Math.max(...parts) - Math.min(...parts) > 40) count += 1;
            }
            return count;
        }"""
    )
    return found


def expect_colours(card: sync_api.Locator, least: int) -> None:
    patience.until(card.page, lambda: pixels(card) > least, "something in the run's colour")


def test_there_is_a_card_for_each_tag_and_run_thinned_only_for_its_room(
    page: sync_api.Page, board: board_process.Process
) -> None:
    open_page_of(page, board)
    for run in RUNS:
        expect_steps(weights(page, run), FEW)
        expect(weights(page, run)).to_contain_text(f"{FEW} of {len(STEPS)} steps")
        expect_steps(kind_card(page, "histograms", "layer/bias", run), 3)
    expect(page.locator("[data-kind-card]")).to_have_count(4)
    expect_colours(weights(page), 2000)


@pytest.mark.parametrize("mode", ["offset", "overlay", "heat"])
def test_the_read_out_tells_step_bin_and_count_as_logged(
    page: sync_api.Page, board: board_process.Process, mode: str
) -> None:
    open_page_of(page, board, "tagFilter=bias&histogramsBins=logged")
    page.get_by_test_id(f"histograms-{mode}").click()
    card = kind_card(page, "histograms", "layer/bias", "beta")
    expect_steps(card, 3)
    # in the heat map values go upwards; counts of the other looks do, and the newest is in front, at the bottom
    place = {"offset": (0.45, 0.86), "overlay": (0.45, 0.06), "heat": (0.9, 0.62)}[mode]
    tip = point(card, *place)
    expect(tip).to_contain_text("Step2")
    expect(tip).to_contain_text("Bin−1 … 0")
    expect(tip).to_contain_text("Count1002")
    expect(tip).to_contain_text("All bins1610")
    page.mouse.move(0, 0)
    expect(tip).to_have_count(0)


def test_even_bins_say_that_counts_are_spread(page: sync_api.Page, board: board_process.Process) -> None:
    open_page_of(page, board, "tagFilter=bias")
    card = kind_card(page, "histograms", "layer/bias", "alpha")
    expect_steps(card, 3)
    tip = point(card, 0.45, 0.86)
    expect(tip).to_contain_text("Count (spread)")
    option(page, "histograms-bins").select_option("logged")
    expect(point(card, 0.46, 0.86)).to_contain_text("Count1002")


def test_zooming_into_steps_brings_all_of_them_and_is_in_the_address(
    page: sync_api.Page, board: board_process.Process
) -> None:
    open_page_of(page, board, "tagFilter=weights")
    card = weights(page)
    expect_steps(card, FEW)
    # upright: steps alone; ridges stand in the lower two thirds
    drag(card, (0.5, 0.75), (0.5, 0.86))
    expect(card).not_to_contain_text(" of ")
    in_address(page, '"histograms|layer/weights|alpha":{"times":[')
    patience.until(page, lambda: 5 < int(drawn(card).get_attribute("data-steps") or 0) < FEW, "fewer steps")
    shown = int(drawn(card).get_attribute("data-steps") or 0)
    zoom = json.loads(page.evaluate("decodeURIComponent(location.hash).match(/histogramsZoom=(.*?)(&|$)/)[1]"))
    lo, hi = zoom["histograms|layer/weights|alpha"]["times"]
    assert shown == len([step for step in STEPS if lo <= step <= hi])
    page.reload()
    expect_steps(card, shown)
    expect_steps(weights(page, "beta"), FEW)
    card.get_by_test_id("reset-zoom").click()
    expect_steps(card, FEW)


def test_values_are_zoomed_and_a_double_click_shows_all(page: sync_api.Page, board: board_process.Process) -> None:
    open_page_of(page, board, "tagFilter=weights")
    card = weights(page)
    expect_steps(card, FEW)
    drag(card, (0.4, 0.6), (0.7, 0.605))
    in_address(page, '"histograms|layer/weights|alpha":{"values":[')
    box = patience.box_of(drawn(card))
    page.mouse.dblclick(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    patience.eventually(page, lambda page: "Zoom" in page.evaluate("location.hash"), wanted=False)
    # the first of the two clicks has marked no step for long
    expect(drawn(card)).to_have_attribute("data-step", "")
    assert "stepAll" not in page.evaluate("location.hash")


def test_modes_time_and_counts_are_in_the_address_and_change_the_picture(
    page: sync_api.Page, board: board_process.Process
) -> None:
    open_page_of(page, board, "tagFilter=weights")
    card = weights(page)
    expect_steps(card, FEW)
    page.get_by_test_id("histograms-heat").click()
    expect_steps(card, len(STEPS))
    option(page, "histograms-x").select_option("wall")
    option(page, "histograms-log").click()
    in_address(page, "histogramsMode=heat&histogramsX=wall")
    in_address(page, "histogramsLog=1")
    page.reload()
    expect(page.get_by_test_id("histograms-heat")).to_have_attribute("aria-pressed", "true")
    expect(option(page, "histograms-x")).to_have_value("wall")
    expect_steps(card, len(STEPS))
    tip = point(card, 0.6, 0.5)
    expect(tip).to_contain_text("Relative")


def test_every_step_is_reached_and_marked_on_all_cards(page: sync_api.Page, board: board_process.Process) -> None:
    open_page_of(page, board, "tagFilter=weights")
    expect_steps(weights(page), FEW)
    slider = page.get_by_test_id("page-step")
    slider.focus()
    slider.press("Home")
    for step in STEPS[1:12]:
        slider.press("ArrowRight")
        for run in RUNS:
            expect_step(weights(page, run), step)
    page.get_by_test_id("page-step-follow").click()
    expect(drawn(weights(page))).to_have_attribute("data-step", "")


def test_a_click_marks_the_step_everywhere_and_a_second_one_lets_go(
    page: sync_api.Page, board: board_process.Process
) -> None:
    open_page_of(page, board, "tagFilter=bias")
    card = kind_card(page, "histograms", "layer/bias", "alpha")
    expect_steps(card, 3)
    box = patience.box_of(drawn(card))
    place = (box["x"] + 0.45 * box["width"], box["y"] + 0.86 * box["height"])
    page.mouse.click(*place)
    expect_step(card, 2)
    expect_step(kind_card(page, "histograms", "layer/bias", "beta"), 2)
    in_address(page, "stepAll=2")
    page.wait_for_timeout(600)  # else it were a double click
    page.mouse.click(*place)
    expect(drawn(card)).to_have_attribute("data-step", "")


def test_the_step_marked_on_the_time_series_page_stands_out(page: sync_api.Page, board: board_process.Process) -> None:
    open_page_of(page, board, 'tagFilter=weights&stepTable=1&steps={"lo":100,"hi":null}')
    expect_step(weights(page), 99)
    expect(page.get_by_test_id("linked-step")).to_contain_text("step 100")
    page.get_by_test_id("let-go").click()
    expect(drawn(weights(page))).to_have_attribute("data-step", "")


def test_steps_outside_a_marked_range_stand_back(page: sync_api.Page, board: board_process.Process) -> None:
    open_page_of(page, board, "tagFilter=weights")
    expect_steps(weights(page), FEW)
    expect_colours(weights(page), 2000)
    whole = pixels(weights(page))
    open_page_of(page, board, 'tagFilter=weights&stepTable=1&steps={"lo":0,"hi":30}')
    page.reload()
    expect_steps(weights(page), FEW)
    patience.until(page, lambda: 0 < pixels(weights(page)) < 0.7 * whole, "paler ridges")


def test_odd_values_are_told_and_nothing_is_blank(page: sync_api.Page, board: board_process.Process) -> None:
    open_page_of(page, board, "tagFilter=odd")
    for tag, words in (
        ("odd/shape", "This is not a histogram"),
        ("odd/some", "2 steps are not histograms"),
        ("odd/none", "These steps have no counts"),
        ("odd/zero", "These steps have no counts"),
    ):
        expect(kind_card(page, "histograms", tag)).to_contain_text(words)
    for tag in ("odd/endless", "odd/single", "odd/huge"):
        card = kind_card(page, "histograms", tag)
        expect_steps(card, 1)
        expect_colours(card, 200)
    for mode in ("overlay", "heat"):
        page.get_by_test_id(f"histograms-{mode}").click()
        for bins in ("logged", "even"):
            option(page, "histograms-bins").select_option(bins)
            patience.still(page, 200)
            expect_steps(kind_card(page, "histograms", "odd/huge"), 1)


def test_a_growing_run_is_followed(page: sync_api.Page, tmp_path: pathlib.Path) -> None:
    file = histogram_logs.write_run(tmp_path, "alpha", 0)
    with board_process.Process("--logdir", tmp_path, "--port", "0", "--reload_interval", "1") as board:
        board.wait_for_runs("alpha")
        open_page_of(page, board, "tagFilter=bias")
        card = kind_card(page, "histograms", "layer/bias")
        expect_steps(card, 3)
        event_files.append(file, [histogram_logs.event("layer/bias", histogram_logs.rows(0, 3), 3)])
        expect_steps(card, 4)
        tip = point(card, 0.45, 0.86)
        expect(tip).to_contain_text("Step3")


def test_pictures_and_all_steps_are_given_away(page: sync_api.Page, board: board_process.Process) -> None:
    open_page_of(page, board, "tagFilter=weights")
    card = weights(page, "beta")
    expect_steps(card, FEW)

    def saved(label: str) -> bytes:
        card.hover()
        card.get_by_role("button", name="More for this card").click()
        with page.expect_download() as waiting:
            page.get_by_role("menuitem", name=label).click()
        return pathlib.Path(waiting.value.path()).read_bytes()

    table = saved("CSV").decode().splitlines()
    wanted = [
        f"{step},{event_files.WALL + 10 * step:g}".split(",")[0] + f":{left:g}:{right:g}:{count:g}"
        for step in STEPS
        for left, right, count in histogram_logs.rows(1, step)
    ]
    assert table[0] == "step,wall_time,left,right,count"
    assert [":".join((row.split(",")[0], *row.split(",")[2:])) for row in table[1:]] == wanted
    steps = json.loads(saved("JSON"))
    assert [one["step"] for one in steps] == list(STEPS)
    assert [tuple(row) for row in steps[4]["buckets"]] == histogram_logs.rows(1, STEPS[4])
    assert saved("PNG").startswith(b"\x89PNG")
    picture = saved("SVG").decode()
    assert picture.startswith("<svg") and "layer/weights · beta" in picture


def test_a_card_in_full_screen_shows_more_steps_and_is_left_by_a_key(
    page: sync_api.Page, board: board_process.Process
) -> None:
    open_page_of(page, board, "tagFilter=weights")
    weights(page).hover()
    weights(page).get_by_role("button", name="Expand").click()
    full = page.locator("[data-full]")
    expect(full).to_have_attribute("data-run-of", "alpha")
    expect_steps(full, len(STEPS))
    page.keyboard.press("Escape")
    expect_steps(weights(page), FEW)


def test_the_chart_is_moved_by_keys(page: sync_api.Page, board: board_process.Process) -> None:
    open_page_of(page, board, "tagFilter=weights")
    expect_steps(weights(page), FEW)
    chart = weights(page).get_by_role("application")
    chart.focus()
    chart.press("+")
    in_address(page, "histogramsZoom=")
    chart.press("0")
    patience.eventually(page, lambda page: "Zoom" in page.evaluate("location.hash"), wanted=False)


def test_cards_that_come_together_ask_together(page: sync_api.Page, board: board_process.Process) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/api/histograms" in request.url else None)
    open_page_of(page, board, "tagFilter=weights")
    for run in RUNS:
        expect_steps(weights(page, run), FEW)
    assert len(asked) == 1


def test_histograms_of_real_writers_are_on_the_page(page: sync_api.Page, data_dir: pathlib.Path) -> None:
    with board_process.Process("--logdir", data_dir, "--port", "0", "--no_index") as board:
        patience.until(page, lambda: json.loads(board.get("api/board")[1])["progress"]["done"], "all files")
        status, body = board.get("data/plugin/histograms/tags")
        assert status == 200
        # old and new encodings, of TensorFlow, PyTorch, Lightning, tensorboardX: two of each folder
        by_corpus: dict[str, list[tuple[str, str]]] = {}
        for run, tags in json.loads(body).items():
            by_corpus.setdefault(run.split("/")[0], []).extend((run, tag) for tag in tags)
        assert len(by_corpus) > 5
        page.set_viewport_size({"width": 1600, "height": 1400})
        for run, tag in [one for listed in by_corpus.values() for one in dict.fromkeys((listed[0], listed[-1]))]:
            asked = parse.urlencode({"run": run, "tag": tag})
            logged = json.loads(board.get(f"data/plugin/histograms/histograms?{asked}")[1])
            page.goto("about:blank")
            page.goto(f"{board.url}#histograms?showAll=1&full={parse.quote(f'histograms|{tag}|{run}')}")
            full = page.locator("[data-full]")
            expect_steps(full, len(logged))
            if any(count for _, _, rows in logged for _, _, count in rows):
                expect_colours(full, 100)


@pytest.mark.parametrize("members", ["stepAll=30", "histogramsMode=heat&full=histograms|layer/weights|alpha"])
def test_rules_of_accessibility_are_kept(
    open_page: conftest.OpenPage, board: board_process.Process, members: str
) -> None:
    for look in ({"color_scheme": "light"}, {"color_scheme": "dark", "locale": "zh-CN"}):
        page = open_page(reduced_motion="reduce", **look)
        page.add_init_script(path=test_accessibility.AXE)
        page.goto(f"{board.url}#histograms?tagFilter=layer&{members}")
        expect(page.locator("[data-drawn]").first).to_be_visible()
        assert test_accessibility.violations(page) == []
