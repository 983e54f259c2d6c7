"""The time series page as a person uses it, in real Chromium against a real board.

One board serves most tests: three runs, tags with and without prefix, one of them only in one run. What is drawn is
told by the canvas (`data-drawn` counts finished drawings), what is asked by the requests, what is kept by the address.
Left out: pixels of the charts, which the chart's own tests look at.
"""

from __future__ import annotations

import json
import math
import pathlib
import re
from collections.abc import Callable, Iterator
from typing import Any

import board_process
import event_files
import pytest
from browser import patience
from browser.cards import card, drag, drawings, hover, wait_drawn
from browser.patience import eventually
from playwright import sync_api

pytestmark = pytest.mark.browser

STEPS = 200
# high enough that every card of the small board is on screen
WIDTH, HEIGHT = 1200, 1500
TAGS = [
    "lr",
    "eval/loss",
    "train/accuracy",
    "train/loss",
    "train/norms/bias",
    "train/norms/gain",
    "train/norms/weight",
]


def curve(run: int, tag: int) -> list[float]:
    return [(run + 1) * math.exp(-step / (40 + 10 * tag)) + 0.02 * math.sin(step * (run + 2)) for step in range(STEPS)]


def write_run(folder: pathlib.Path, name: str, number: int, tags: list[str]) -> None:
    events = [event_files.version_event()]
    for place, tag in enumerate(tags):
        events += event_files.scalars(tag, curve(number, place))
    event_files.write(folder / name / "events.out.tfevents.1", events)


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[board_process.Process]:
    folder = tmp_path_factory.mktemp("logs")
    write_run(folder, "alpha", 0, TAGS)
    write_run(folder, "beta", 1, TAGS)
    write_run(folder, "gamma", 2, [*TAGS, "only/gamma"])
    with board_process.Process("--logdir", folder, "--port", "0") as process:
        process.wait_for_runs("alpha", "beta", "gamma")
        yield process


def open_page(page: sync_api.Page, board: board_process.Process, fragment: str = "") -> None:
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    page.goto(board.url + fragment)
    sync_api.expect(page.locator("[data-card]").first).to_be_visible()


def titles(page: sync_api.Page) -> list[str]:
    found: list[str] = page.locator("[data-card]").evaluate_all("cards => cards.map((card) => card.dataset.card)")
    return found


def sections(page: sync_api.Page) -> list[str]:
    found: list[str] = page.locator("[data-section]").evaluate_all("all => all.map((one) => one.dataset.section)")
    return found


def choose(page: sync_api.Page, title: str, item: str) -> None:
    card(page, title).hover()
    card(page, title).get_by_role("button", name="More for this chart").click()
    page.get_by_role("menu").get_by_text(item, exact=True).click()


def questions(page: sync_api.Page, route: str) -> list[dict[str, Any]]:
    """Bodies of what is asked from now on, as they come."""
    asked: list[dict[str, Any]] = []

    def note(request: sync_api.Request) -> None:
        if request.url.endswith(f"/api/{route}") and request.post_data is not None:
            asked.append(json.loads(request.post_data))

    page.on("request", note)
    return asked


def wait_asked(
    page: sync_api.Page, asked: list[dict[str, Any]], wanted: Callable[[dict[str, Any]], bool]
) -> dict[str, Any]:
    """The first such question."""
    patience.until(page, lambda: any(map(wanted, asked)), "a question")
    return next(filter(wanted, asked))


# ---- sections


def test_tags_are_sorted_into_sections_by_their_first_prefix(page: sync_api.Page, board: board_process.Process) -> None:
    open_page(page, board)
    eventually(page, sections, ["", "eval", "only", "train"])
    sync_api.expect(page.locator('[data-path="train/norms"]')).to_contain_text("norms")
    for title in TAGS[:4]:
        wait_drawn(page, title)


def test_a_section_is_folded_away_and_stays_so_after_a_reload(
    page: sync_api.Page, board: board_process.Process
) -> None:
    open_page(page, board)
    page.locator('[data-section="eval"] button').first.click()
    sync_api.expect(card(page, "eval/loss")).to_have_count(0)
    page.wait_for_url(re.compile("closed=eval"))
    page.reload()
    sync_api.expect(card(page, "lr")).to_be_visible()
    sync_api.expect(card(page, "eval/loss")).to_have_count(0)


def test_the_filter_takes_a_part_of_a_name_or_an_expression(page: sync_api.Page, board: board_process.Process) -> None:
    open_page(page, board)
    field = page.get_by_test_id("tag-filter")
    field.fill("loss")
    sync_api.expect(card(page, "lr")).to_have_count(0)
    eventually(page, lambda page: sorted(titles(page)), ["eval/loss", "train/loss"])
    sync_api.expect(page.get_by_text("2 of 8")).to_be_visible()
    field.fill("/^train.*s$/")
    sync_api.expect(card(page, "eval/loss")).to_have_count(0)
    eventually(page, lambda page: sorted(titles(page)), ["train/loss", "train/norms/bias"])
    field.fill("/los(s/")
    sync_api.expect(page.get_by_text("Not a regular expression")).to_be_visible()
    field.fill("nothing like it")
    sync_api.expect(page.get_by_text("No tag matches")).to_be_visible()
    page.get_by_role("button", name="Clear the filter").click()
    sync_api.expect(card(page, "lr")).to_be_visible()


def test_cards_without_data_in_the_shown_runs_are_hidden(page: sync_api.Page, board: board_process.Process) -> None:
    open_page(page, board)
    sync_api.expect(page.locator('[data-section="only"]')).to_have_count(1)
    page.locator('[data-run="gamma"] input').first.uncheck()
    sync_api.expect(page.locator('[data-section="only"]')).to_have_count(0)
    page.locator('[data-run="gamma"] input').first.check()
    sync_api.expect(page.locator('[data-section="only"]')).to_have_count(1)


def test_a_hundred_thousand_tags_make_a_screenful_of_cards(page: sync_api.Page, tmp_path: pathlib.Path) -> None:
    events = [event_files.version_event()]
    events += [event_files.scalar_event(f"group{n // 50_000}/tag{n}", 1.0, step=0) for n in range(100_000)]
    event_files.write(tmp_path / "run" / "events.out.tfevents.1", events)
    with board_process.Process("--logdir", tmp_path, "--port", "0") as many:
        many.wait_for_runs("run")
        page.goto(many.url)
        sync_api.expect(page.get_by_text("100000").first).to_be_visible()
        sync_api.expect(page.locator("[data-card]").first).to_be_visible()
        patience.still(page, 300)
        assert page.locator("[data-card]").count() < 40
        grid = page.get_by_test_id("card-grid")
        grid.evaluate("(grid) => { grid.scrollTop = grid.scrollHeight; }")
        sync_api.expect(card(page, "group1/tag99999")).to_be_visible()
        wait_drawn(page, "group1/tag99999")
        patience.still(page, 300)
        assert page.locator("canvas").count() < 40
        page.goto("about:blank")


# ---- pins


def test_pins_come_first_in_the_readers_order_and_live_in_the_address(
    page: sync_api.Page, board: board_process.Process
) -> None:
    open_page(page, board)
    for title in ["train/loss", "lr"]:
        wait_drawn(page, title)
        card(page, title).hover()
        card(page, title).get_by_role("button", name="Pin").click()
    sync_api.expect(page.get_by_role("button", name=re.compile("Pinned"))).to_be_visible()
    eventually(page, lambda page: titles(page)[:2], ["train/loss", "lr"])
    page.wait_for_url(re.compile("pins=tag:train/loss,tag:lr"))
    page.reload()
    sync_api.expect(page.locator("[data-card]").first).to_have_attribute("data-card", "train/loss")
    first, second = page.locator(".card-header__drag").nth(0), page.locator(".card").nth(1)
    wait_drawn(page, "train/loss")
    first.drag_to(second)
    sync_api.expect(page.locator("[data-card]").first).to_have_attribute("data-card", "lr")
    page.get_by_role("button", name="Clear all pins").click()
    sync_api.expect(page.get_by_text("Pinned")).to_have_count(0)


# ---- lines


def test_hiding_a_run_draws_at_once_and_showing_it_asks_for_it_alone(
    page: sync_api.Page, board: board_process.Process
) -> None:
    open_page(page, board, "#timeseries?tagFilter=train/loss")
    wait_drawn(page, "train/loss")
    asked = questions(page, "scalars")
    before = drawings(page, "train/loss")
    page.locator('[data-run="beta"] input').first.uncheck()
    wait_drawn(page, "train/loss", before)
    wait_asked(page, asked, lambda one: one.get("run") == ["alpha", "gamma"])
    patience.still(page)  # until that is answered, the lines of before are still there
    page.locator('[data-run="beta"] input').first.check()
    wait_asked(page, asked, lambda one: one.get("run") == ["beta"])


def test_the_smoothing_slider_asks_for_smoothed_lines_only(page: sync_api.Page, board: board_process.Process) -> None:
    open_page(page, board, "#timeseries?tagFilter=train/loss")
    wait_drawn(page, "train/loss")
    patience.still(page)
    asked = questions(page, "scalars")
    before = drawings(page, "train/loss")
    page.get_by_test_id("smoothing").fill("0.9")
    wait_drawn(page, "train/loss", before)
    eventually(page, lambda _: [(one["smoothing"], one["raw"]) for one in asked[:1]], [("ema:0.9", False)])
    page.wait_for_url(re.compile("smoothing=0.9"))


def test_a_zoom_is_fetched_in_full_detail_kept_in_the_address_and_undone(
    page: sync_api.Page, board: board_process.Process
) -> None:
    open_page(page, board)
    wait_drawn(page, "train/loss")
    asked = questions(page, "scalars")
    drag(page, "train/loss", (0.4, 0.3), (0.7, 0.7))
    page.wait_for_url(re.compile("xRange"))
    zoom = wait_asked(page, asked, lambda one: "lo" in one)
    assert zoom["tag"] == ["train/loss"]
    assert 50 < zoom["lo"] < zoom["hi"] < 160
    link = page.url
    page.goto("about:blank")
    again = questions(page, "scalars")
    page.goto(link)
    wait_drawn(page, "train/loss")
    wait_asked(page, again, lambda one: one.get("lo") == zoom["lo"] and one.get("hi") == zoom["hi"])
    card(page, "train/loss").hover()
    card(page, "train/loss").get_by_role("button", name="Fit to data").click()
    page.wait_for_url(lambda url: "xRange" not in url)


def test_a_linked_zoom_moves_every_card(page: sync_api.Page, board: board_process.Process) -> None:
    open_page(page, board)
    wait_drawn(page, "train/loss")
    page.get_by_test_id("link-zoom").click()
    asked = questions(page, "scalars")
    drag(page, "train/loss", (0.4, 0.5), (0.7, 0.51))
    page.wait_for_url(re.compile(r"[?&]xRange="))
    wait_asked(page, asked, lambda _: len({one["tag"][0] for one in asked if "lo" in one}) > 2)


def test_limits_are_typed_and_checked(page: sync_api.Page, board: board_process.Process) -> None:
    open_page(page, board, "#timeseries?tagFilter=train/loss")
    wait_drawn(page, "train/loss")
    card(page, "train/loss").hover()
    card(page, "train/loss").get_by_role("button", name="Axis limits").click()
    page.get_by_test_id("limit-y-from").fill("5")
    page.get_by_test_id("limit-y-to").fill("1")
    sync_api.expect(page.get_by_role("button", name="Apply")).to_be_disabled()
    page.get_by_test_id("limit-y-from").fill("0")
    page.get_by_test_id("limit-y-to").fill("1.5")
    page.get_by_role("button", name="Apply").click()
    page.wait_for_url(re.compile(r"yRange.*1\.5"))


# ---- settings of a card, a section, the board


def test_a_logarithmic_card_asks_for_exact_points_and_is_marked(
    page: sync_api.Page, board: board_process.Process
) -> None:
    open_page(page, board, "#timeseries?tagFilter=train/loss")
    wait_drawn(page, "train/loss")
    asked = questions(page, "scalars")
    choose(page, "train/loss", "Logarithmic y")
    sync_api.expect(
        card(page, "train/loss").get_by_label("This chart has its own settings. Click to see them.")
    ).to_be_visible()
    wait_asked(page, asked, lambda one: bool(one["encoding"] == "exact"))
    page.wait_for_url(re.compile("yScale"))
    card(page, "train/loss").get_by_label("This chart has its own settings. Click to see them.").click()
    page.get_by_role("button", name="Reset to inherited settings").click()
    page.wait_for_url(lambda url: "yScale" not in url)


def test_settings_of_a_section_count_for_its_cards_alone(page: sync_api.Page, board: board_process.Process) -> None:
    open_page(page, board)
    wait_drawn(page, "train/loss")
    asked = questions(page, "scalars")
    page.locator('[data-section="train"]').hover()
    page.locator('[data-section="train"]').get_by_role("button", name="Settings for this section").click()
    page.get_by_role("dialog").get_by_label("Horizontal axis").select_option("wall")
    wait_asked(page, asked, lambda one: bool(one["x"] == "wall"))
    patience.still(page, 300)
    assert {one["tag"][0].split("/")[0] for one in asked if one["x"] == "wall"} == {"train"}


def test_the_horizontal_axis_may_be_another_metric(page: sync_api.Page, board: board_process.Process) -> None:
    open_page(page, board, "#timeseries?tagFilter=train/loss")
    wait_drawn(page, "train/loss")
    asked = questions(page, "scalars")
    page.get_by_test_id("x-axis").select_option("other")
    page.get_by_test_id("tag-picker").fill("lr")
    page.get_by_role("option", name="lr").click()
    wait_asked(page, asked, lambda one: bool(one["x"] == "metric:lr"))
    page.wait_for_url(re.compile("x=metric:lr"))


# ---- tooltip


def test_the_tooltip_tells_exact_values_and_can_be_kept(page: sync_api.Page, board: board_process.Process) -> None:
    open_page(page, board, "#timeseries?tagFilter=train/loss&smoothing=0")
    wait_drawn(page, "train/loss")
    hover(page, "train/loss")
    tooltip = page.get_by_test_id("tooltip")
    sync_api.expect(tooltip.locator("tbody tr")).to_have_count(3)
    sync_api.expect(tooltip.locator("tbody tr").first).not_to_contain_text("–")
    at = hover(page, "train/loss", 0.55)
    page.mouse.click(*at)
    sync_api.expect(page.get_by_role("dialog", name="train/loss")).to_be_visible()
    page.mouse.move(5, 5)
    row = tooltip.locator('tr[data-row="gamma"]')

    def is_exact() -> bool:
        cells = row.locator("td").all_inner_texts()
        wanted = curve(2, TAGS.index("train/loss"))[int(cells[3])]
        return float(cells[2]) == pytest.approx(wanted, rel=1e-3)

    patience.until(page, is_exact, "the value of that step")
    row.get_by_role("button").click()
    page.get_by_role("menuitem", name="Only this run").click()
    sync_api.expect(page.locator('[data-run="alpha"] input').first).not_to_be_checked()
    page.keyboard.press("Escape")
    sync_api.expect(tooltip).to_have_count(0)


def test_the_tooltip_stays_inside_the_window(page: sync_api.Page, board: board_process.Process) -> None:
    open_page(page, board)
    wait_drawn(page, "eval/loss")
    tooltip = page.get_by_test_id("tooltip")
    for x, y in [(0.15, 0.1), (0.95, 0.8)]:
        page.mouse.move(5, 5)
        sync_api.expect(tooltip).to_have_count(0)
        hover(page, "eval/loss", x, y)
        sync_api.expect(tooltip).to_be_visible()
        patience.until(page, lambda: is_inside(patience.box_of(tooltip)), "a tooltip inside the window")


def is_inside(box: sync_api.FloatRect) -> bool:
    right, bottom = box["x"] + box["width"], box["y"] + box["height"]
    return box["x"] >= 0 and right <= WIDTH and box["y"] >= 0 and bottom <= HEIGHT


def test_rows_of_the_tooltip_are_copied_as_a_table(chromium: sync_api.Browser, board: board_process.Process) -> None:
    page = patience.new_page(chromium, locale="en-US", permissions=["clipboard-read", "clipboard-write"])
    open_page(page, board, "#timeseries?tagFilter=train/loss&tooltipOrder=alphabetical")
    wait_drawn(page, "train/loss")
    place = hover(page, "train/loss")
    sync_api.expect(page.get_by_test_id("tooltip")).to_be_visible()
    page.mouse.click(*place)
    page.get_by_role("button", name="Copy as table").click()
    sync_api.expect(page.get_by_text("Table copied")).to_be_visible()
    lines = patience.text_of_clipboard(page).splitlines()
    assert lines[0].split("\t")[:3] == ["Run", "Smoothed", "Value"]
    assert [line.split("\t")[0] for line in lines[1:]] == ["alpha", "beta", "gamma"]
    page.context.close()


# ---- several tags in one chart


def test_a_card_dropped_onto_another_makes_a_chart_of_both(page: sync_api.Page, board: board_process.Process) -> None:
    open_page(page, board)
    wait_drawn(page, "eval/loss")
    asked = questions(page, "scalars")
    card(page, "lr").locator(".card-header__drag").drag_to(card(page, "eval/loss"))
    made = card(page, "eval/loss + lr")
    sync_api.expect(made).to_be_visible()
    wait_drawn(page, "eval/loss + lr")
    wait_asked(page, asked, lambda one: bool(one["tag"] == ["eval/loss", "lr"]))
    page.wait_for_url(re.compile("cards="))
    choose(page, "eval/loss + lr", "Edit chart…")
    page.get_by_test_id("tags-title").fill("Both")
    page.get_by_role("button", name="Remove lr").click()
    page.get_by_test_id("tags-pattern").fill("^train/")
    sync_api.expect(page.get_by_text("matches 5 tags")).to_be_visible()
    page.get_by_test_id("tags-save").click()
    sync_api.expect(card(page, "Both")).to_be_visible()
    wait_asked(page, asked, lambda one: len(one["tag"]) == 6)
    choose(page, "Both", "Remove this chart")
    sync_api.expect(card(page, "Both")).to_have_count(0)


# ---- steps


def test_a_click_marks_a_step_and_every_card_has_a_table_of_it(
    page: sync_api.Page, board: board_process.Process
) -> None:
    open_page(page, board, "#timeseries?stepTable=1&smoothing=0")
    wait_drawn(page, "lr")
    page.mouse.click(*hover(page, "lr"))
    page.wait_for_url(re.compile("steps="))
    table = card(page, "lr").get_by_test_id("step-table-rows")
    sync_api.expect(table.locator("[data-row]")).to_have_count(3)
    sync_api.expect(card(page, "eval/loss").get_by_test_id("step-table-rows").locator("[data-row]")).to_have_count(3)
    field = page.get_by_test_id("step-lo").first
    field.fill("100")
    field.press("Enter")
    expected = curve(1, 0)[100]
    sync_api.expect(table.locator('[data-row="beta"]')).to_contain_text(f"{expected:.3g}"[:5])
    table.get_by_role("button", name="Value", exact=True).click()
    sync_api.expect(table.locator("[data-row]").first).to_have_attribute("data-row", "gamma")
    page.get_by_role("button", name="Select a range").first.click()
    sync_api.expect(table.get_by_text("Start value")).to_be_visible()
    cells = table.locator('[data-row="beta"] [role=cell]')
    sync_api.expect(cells.nth(3)).to_have_attribute("title", re.compile(f"^{expected:.5f}"[:6]))
    page.get_by_role("button", name="Clear the selection").first.click()
    sync_api.expect(table).to_have_count(0)


# ---- expanded


def test_a_card_fills_the_page_and_its_neighbours_are_an_arrow_away(
    page: sync_api.Page, board: board_process.Process
) -> None:
    open_page(page, board)
    wait_drawn(page, "lr")
    card(page, "lr").hover()
    page.keyboard.press("Shift+F")
    sync_api.expect(page.locator('[data-full][data-card="lr"]')).to_be_visible()
    wait_drawn(page, "lr")
    page.wait_for_url(re.compile("full=tag:lr"))
    page.keyboard.press("ArrowRight")
    sync_api.expect(page.locator('[data-full][data-card="eval/loss"]')).to_be_visible()
    page.wait_for_url(re.compile("full=tag:eval/loss"))
    page.reload()
    sync_api.expect(page.locator('[data-full][data-card="eval/loss"]')).to_be_visible()
    page.keyboard.press("Escape")
    sync_api.expect(page.locator("[data-full]")).to_have_count(0)
    sync_api.expect(card(page, "lr")).to_be_visible()


# ---- files and tables


def test_every_point_and_the_picture_can_be_downloaded(page: sync_api.Page, board: board_process.Process) -> None:
    open_page(page, board, "#timeseries?tagFilter=train/loss")
    wait_drawn(page, "train/loss")
    with page.expect_download() as started:
        choose(page, "train/loss", "All points (CSV)")
    rows = pathlib.Path(started.value.path()).read_text().splitlines()
    assert len(rows) == 1 + 3 * STEPS
    assert started.value.suggested_filename == "train_loss.csv"
    with page.expect_download() as started:
        choose(page, "train/loss", "Picture (SVG)")
    picture = pathlib.Path(started.value.path()).read_text()
    for word in ["train/loss", "alpha", "beta", "gamma"]:
        assert word in picture
    with page.expect_download() as started:
        choose(page, "train/loss", "Picture (PNG)")
    assert pathlib.Path(started.value.path()).read_bytes().startswith(b"\x89PNG")


def test_a_chart_can_be_read_as_a_table(page: sync_api.Page, board: board_process.Process) -> None:
    open_page(page, board, "#timeseries?tagFilter=train/loss")
    wait_drawn(page, "train/loss")
    choose(page, "train/loss", "View as table…")
    dialog = page.get_by_role("dialog", name="Values of train/loss")
    sync_api.expect(dialog.locator("[data-row]")).to_have_count(3)
    sync_api.expect(dialog.locator('[data-row="alpha"]')).to_contain_text("199")


# ---- live


def test_new_points_are_drawn_without_a_jump(page: sync_api.Page, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "run" / "events.out.tfevents.1"
    event_files.write(path, [event_files.version_event(), *event_files.scalars("loss", [1.0, 0.5])])
    with board_process.Process("--logdir", tmp_path, "--port", "0") as live:
        live.wait_for_runs("run")
        page.goto(live.url + "#timeseries?overrides=" + json.dumps({"card:tag:loss": {"yRange": "[0,3]"}}))
        wait_drawn(page, "loss")
        sync_api.expect(page.get_by_test_id("live")).to_have_attribute("data-state", "live")
        before = drawings(page, "loss")
        patience.eventually(page, lambda page: "overrides=%7B" in page.url, True)  # the page's own spelling
        url = page.url
        event_files.append(path, [event_files.scalar_event("loss", 0.25, step=2)])
        wait_drawn(page, "loss", before)
        hover(page, "loss", 0.9)
        sync_api.expect(page.get_by_test_id("tooltip").locator("tbody tr")).to_contain_text("0.25")
        assert page.url == url
        event_files.append(path, [event_files.scalar_event("later/tag", 1.0, step=0)])
        sync_api.expect(card(page, "later/tag")).to_be_visible()
        page.goto("about:blank")


def test_what_writers_said_about_a_tag_opens_as_the_markdown_it_is(page: sync_api.Page, tmp_path: pathlib.Path) -> None:
    for run, text in (("a", "the **mean** of\n\n- one\n- two"), ("b", "summed <img src=x onerror=alert(1)>")):
        about = event_files.summary_metadata("scalars", description=text)
        values = event_files.value("loss", event_files.field_bytes(8, event_files.tensor([1.0])), about)
        event_files.write(tmp_path / run / "events.out.tfevents.1", [event_files.summary_event(values)])
    with board_process.Process("--logdir", tmp_path, "--port", "0") as described:
        described.wait_for_runs("a", "b")
        page.goto(described.url)
        wait_drawn(page, "loss")
        card(page, "loss").get_by_role("button", name="Description").click()
        said = page.get_by_test_id("description")
        sync_api.expect(said).to_have_count(2)
        sync_api.expect(said.locator("strong")).to_have_text("mean")
        sync_api.expect(said.locator("li")).to_have_text(["one", "two"])
        sync_api.expect(said.locator("img")).to_have_count(0)
        sync_api.expect(page.get_by_role("dialog", name="Description")).to_contain_text("summed")
        page.goto("about:blank")


# ---- odd data


def test_values_that_are_no_numbers_and_single_points_are_drawn(page: sync_api.Page, tmp_path: pathlib.Path) -> None:
    events = [event_files.version_event()]
    events += event_files.scalars("nan", [math.nan] * 5)
    events += event_files.scalars("mixed", [1.0, math.inf, -math.inf, math.nan, 2.0])
    events += event_files.scalars("one point", [3.0])
    event_files.write(tmp_path / "日本語 🚀" / "events.out.tfevents.1", events)
    with board_process.Process("--logdir", tmp_path, "--port", "0") as odd:
        odd.wait_for_runs("日本語 🚀")
        page.goto(odd.url)
        for title in ["nan", "mixed", "one point"]:
            wait_drawn(page, title)
            sync_api.expect(card(page, title).get_by_role("alert")).to_have_count(0)
        page.goto("about:blank")


def test_a_card_that_cannot_be_loaded_says_so_and_tries_again(
    page: sync_api.Page, board: board_process.Process, forgiven: list[str]
) -> None:
    forgiven.append("status of 500")
    page.route("**/api/scalars", lambda route: route.fulfill(status=500, body='{"error": {"message": "no luck"}}'))
    open_page(page, board, "#timeseries?tagFilter=train/loss")
    sync_api.expect(card(page, "train/loss").get_by_role("alert")).to_contain_text("no luck")
    page.unroute("**/api/scalars")
    card(page, "train/loss").get_by_role("button", name="Try again").click()
    sync_api.expect(card(page, "train/loss").get_by_role("alert")).to_have_count(0)
    wait_drawn(page, "train/loss")


def test_with_all_runs_hidden_the_page_says_how_to_show_them(page: sync_api.Page, board: board_process.Process) -> None:
    page.goto(board.url + "#timeseries?showOnly=1")
    sync_api.expect(page.get_by_text("All runs are hidden")).to_be_visible()
    page.get_by_role("button", name="Show all runs").click()
    wait_drawn(page, "lr")


def test_tags_without_prefix_need_no_heading_unless_there_are_sections(
    page: sync_api.Page, tmp_path: pathlib.Path
) -> None:
    path = tmp_path / "run" / "events.out.tfevents.1"
    events = [event_files.version_event(), *event_files.scalars("loss", [1.0, 0.5])]
    event_files.write(path, events)
    with board_process.Process("--logdir", tmp_path, "--port", "0") as plain:
        plain.wait_for_runs("run")
        open_page(page, plain)
        wait_drawn(page, "loss")
        sync_api.expect(page.locator(".section-heading")).to_have_count(0)
        event_files.write(path, [*events, *event_files.scalars("train/loss", [1.0, 0.5])])
        sync_api.expect(page.locator(".section-heading").first).to_contain_text("Metrics")
        page.goto("about:blank")
