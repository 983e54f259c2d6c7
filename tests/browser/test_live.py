"""A board that is watched while programs write to it: a real writer in a process of its own, a real page.

New points, tags and runs come by themselves and nothing the reader has before the eyes moves. A server that is killed
and started again, and a tab nobody looks at, are here as well; the words of those states are in test_states.py.
"""

from __future__ import annotations

import contextlib
import json
import pathlib
import re
import shutil
import subprocess
import sys
import textwrap
import threading
import urllib.parse
from collections.abc import Iterator

import board_process
import pytest
from browser import conftest, patience
from browser.cards import card, drag, drawings, hover, wait_drawn
from playwright import sync_api

pytestmark = pytest.mark.browser

expect = sync_api.expect

# one line of JSON in: what to log; one line out when it is written
PROGRAM = """
    import json, pathlib, sys
    import lightboard
    runs = {}
    for line in sys.stdin:
        name, points = json.loads(line)
        if name not in runs:
            runs[name] = lightboard.SummaryWriter(pathlib.Path(sys.argv[1]) / name)
        for step, values in points:
            for tag, value in values.items():
                runs[name].add_scalar(tag, value, step)
        runs[name].flush()
        print("done", flush=True)
    for run in runs.values():
        run.close()
"""


class Writer:
    """Programs that train, as far as a board can tell."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(PROGRAM), str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def log(self, run: str, first: int, count: int, **tags: float) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        points = [
            (step, {tag.replace("__", "/"): number / (step + 1) for tag, number in tags.items()})
            for step in range(first, first + count)
        ]
        self.process.stdin.write(json.dumps([run, points]) + "\n")
        self.process.stdin.flush()
        assert self.process.stdout.readline() == "done\n"

    def end(self) -> None:
        self.process.communicate(timeout=board_process.PATIENCE_SECS)


@pytest.fixture
def writer(tmp_path: pathlib.Path) -> Iterator[Writer]:
    made = Writer(tmp_path)
    made.log("first", 0, 50, loss=1.0, train__loss=2.0, train__acc=0.5)
    yield made
    made.end()


@pytest.fixture
def board(writer: Writer, tmp_path: pathlib.Path) -> Iterator[board_process.Process]:
    with board_process.Process("--logdir", tmp_path, "--port", "0") as process:
        process.wait_for_runs("first")
        yield process


@pytest.fixture
def shown(board: board_process.Process, page: sync_api.Page) -> Iterator[sync_api.Page]:
    page.goto(board.url)
    expect(card(page, "train/loss")).to_be_visible()
    wait_drawn(page, "loss")
    expect(page.get_by_test_id("live")).to_have_attribute("data-state", "live")
    yield page
    page.goto("about:blank")


def last_step(page: sync_api.Page, title: str, run: str) -> str:
    """As the table of a chart tells it."""
    card(page, title).hover()
    card(page, title).get_by_role("button", name="More for this chart").click()
    page.get_by_role("menuitem", name="View as table…").click()
    row = page.get_by_role("dialog").locator(f'[data-row="{run}"]')
    expect(row).to_be_visible()
    text = row.inner_text()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    return text


def requests(page: sync_api.Page) -> list[tuple[str, str]]:
    """Route and body of what is asked from now on."""
    asked: list[tuple[str, str]] = []
    page.on("request", lambda request: asked.append((request.url.partition("/api/")[2], request.post_data or "")))
    return asked


# ---- what comes


def test_points_tags_and_runs_come_without_a_reload(shown: sync_api.Page, writer: Writer) -> None:
    shown.evaluate("window.untouched = true")
    before = drawings(shown, "loss")
    writer.log("first", 50, 30, loss=1.0)
    wait_drawn(shown, "loss", before)
    board_process.wait_until(lambda: "79" in last_step(shown, "loss", "first"), "the newest step")
    writer.log("second", 0, 10, loss=3.0)
    expect(shown.locator("[data-run=second]")).to_be_visible()
    expect(shown.locator("[data-run=second] input[type=checkbox]")).to_be_checked()
    expect(shown.get_by_test_id("run-count")).to_have_text("2 of 2 shown")
    writer.log("second", 10, 10, eval__score=3.0)
    expect(card(shown, "eval/score")).to_be_visible()
    wait_drawn(shown, "eval/score")
    expect(shown.locator("[data-kind=scalars]")).to_have_attribute("title", "4 tags")
    assert shown.evaluate("window.untouched") is True


@contextlib.contextmanager
def writing(writer: Writer, run: str, every_secs: float) -> Iterator[None]:
    """A run that logs a point again and again until the end of the block."""
    ended = threading.Event()

    def write() -> None:
        step = 50
        while not ended.wait(every_secs):
            writer.log(run, step, 1, loss=1.0, train__loss=2.0)
            step += 1

    thread = threading.Thread(target=write)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def test_charts_come_back_when_a_filter_is_cleared_while_a_run_writes(shown: sync_api.Page, writer: Writer) -> None:
    writer.log("second", 0, 10, loss=3.0)
    expect(shown.locator("[data-run=second]")).to_be_visible()
    field = shown.get_by_test_id("run-filter")
    with writing(writer, "first", 0.3):
        for _ in range(3):
            field.fill("second")
            expect(card(shown, "train/loss")).to_have_count(0)
            field.fill("")
            expect(card(shown, "train/loss")).to_be_visible()
            wait_drawn(shown, "train/loss")


def test_zoom_scroll_selection_and_fields_stay_where_they_are(shown: sync_api.Page, writer: Writer) -> None:
    shown.set_viewport_size({"width": 1280, "height": 500})
    drag(shown, "loss", (0.4, 0.3), (0.7, 0.7))
    shown.wait_for_function("() => location.hash.includes('xRange')")
    shown.locator("[data-run=first] .run-row__name").click()
    field = shown.get_by_test_id("run-filter")
    field.click()
    shown.keyboard.type("first|sec")
    grid = shown.get_by_test_id("card-grid")
    grid.evaluate("(grid) => { grid.scrollTop = 60; }")
    expect(shown).to_have_url(re.compile("runFilter=first.*sec"))
    patience.still(shown)
    before = shown.evaluate(LOOK)
    assert before["top"] > 0
    drawn = drawings(shown, "loss")
    writer.log("first", 50, 30, loss=1.0, train__loss=5.0)
    writer.log("second", 0, 10, loss=3.0)
    expect(shown.locator("[data-run=second]")).to_be_visible()
    wait_drawn(shown, "loss", drawn)
    assert shown.evaluate(LOOK) == before
    # somebody may go on typing
    shown.keyboard.type("ond")
    expect(field).to_have_value("first|second")


LOOK = """() => ({
    hash: location.hash,
    top: document.querySelector("[data-testid=card-grid]").scrollTop,
    focus: document.activeElement?.dataset.testid,
    caret: document.activeElement?.selectionStart,
    cards: [...document.querySelectorAll("[data-card]")].map((one) => {
        const {x, y, width, height} = one.getBoundingClientRect();
        return [one.dataset.card, x, y, width, height];
    }),
    emphasised: [...document.querySelectorAll("[data-run][class*=emphasised]")].map((one) => one.dataset.run),
})"""


def test_an_open_tooltip_stays_and_shows_the_same_place(shown: sync_api.Page, writer: Writer) -> None:
    place = hover(shown, "loss")
    tooltip = shown.get_by_test_id("tooltip")
    expect(tooltip.locator("tbody tr")).to_have_count(1)
    shown.mouse.click(*place)
    # kept: its values do not change, whatever the chart does
    expect(tooltip.get_by_role("button", name="Copy as table")).to_be_visible()
    expect(tooltip.locator("tbody tr").first).not_to_contain_text("–")
    patience.still(shown)
    before = (patience.box_of(tooltip), tooltip.inner_text())
    drawn = drawings(shown, "loss")
    writer.log("first", 50, 30, loss=1.0)
    wait_drawn(shown, "loss", drawn)
    assert (tooltip.bounding_box(), tooltip.inner_text()) == before


def test_an_open_menu_and_dialog_stay_open(shown: sync_api.Page, writer: Writer) -> None:
    drawn = drawings(shown, "loss")
    shown.get_by_test_id("run-more").click()
    menu = shown.get_by_role("menu")
    expect(menu).to_be_visible()
    writer.log("first", 50, 10, loss=1.0, brand__new=1.0)
    wait_drawn(shown, "loss", drawn)
    expect(card(shown, "brand/new")).to_be_attached()
    expect(menu).to_be_visible()
    shown.keyboard.press("Escape")
    shown.get_by_test_id("timeseries-menu").click()
    shown.get_by_role("menuitem", name="New chart…").click()
    shown.get_by_test_id("tags-title").fill("half typed")
    drawn = drawings(shown, "loss")
    writer.log("first", 60, 10, loss=1.0)
    wait_drawn(shown, "loss", drawn)
    expect(shown.get_by_test_id("tags-title")).to_have_value("half typed")


def test_a_chart_of_an_expression_is_checked_made_kept_in_the_address_and_live(
    shown: sync_api.Page, writer: Writer
) -> None:
    writer.log("first", 50, 1, loss=3.0, other=1.0)
    shown.get_by_test_id("timeseries-menu").click()
    shown.get_by_role("menuitem", name="New chart…").click()
    dialog = shown.get_by_test_id("tags-dialog")
    field = shown.get_by_test_id("tags-expression")
    field.fill("loss - nothing")
    expect(dialog).to_contain_text("No run has a metric named “nothing”")
    expect(shown.get_by_test_id("tags-save")).to_be_disabled()
    # letter by letter: no error on the console, and no mistake is reported
    text = "ema(loss, 0.5) - oth"
    for end in range(1, len(text) + 1):
        field.fill(text[:end])
        expect(field).to_have_attribute("aria-invalid", "false")
    expect(dialog).to_contain_text("This expression is not complete")
    expect(shown.get_by_test_id("tags-save")).to_be_disabled()
    field.fill("loss - 2")
    expect(dialog).to_contain_text("1 run has these metrics")
    shown.get_by_test_id("tags-save").click()
    expect(card(shown, "loss - 2")).to_be_visible()
    wait_drawn(shown, "loss - 2")
    expect(shown).to_have_url(re.compile("cards="))
    shown.reload()
    wait_drawn(shown, "loss - 2")
    drawn = drawings(shown, "loss - 2")
    writer.log("first", 60, 10, loss=1.0)
    wait_drawn(shown, "loss - 2", drawn)


def test_a_full_screen_chart_and_the_table_of_runs_live_too(shown: sync_api.Page, writer: Writer) -> None:
    card(shown, "loss").hover()
    card(shown, "loss").get_by_role("button", name="Expand").click()
    full = shown.locator("[data-full][data-card=loss]")
    expect(full).to_be_visible()
    wait_drawn(shown, "loss")
    drawn = drawings(shown, "loss")
    writer.log("first", 50, 10, loss=1.0)
    wait_drawn(shown, "loss", drawn)
    shown.keyboard.press("Escape")
    shown.locator("[data-kind=runs]").click()
    expect(shown.locator("[data-table-run]")).to_have_count(1)
    writer.log("second", 0, 10, loss=3.0)
    expect(shown.locator("[data-table-run]")).to_have_count(2)


def test_a_run_removed_from_disk_goes(shown: sync_api.Page, writer: Writer, tmp_path: pathlib.Path) -> None:
    writer.log("second", 0, 10, loss=3.0)
    expect(shown.locator("[data-run=second]")).to_be_visible()
    shutil.rmtree(tmp_path / "second")
    expect(shown.locator("[data-run=second]")).to_have_count(0)
    expect(shown.locator("[data-run=first]")).to_be_visible()
    expect(card(shown, "loss")).to_be_visible()


# ---- a tab nobody looks at


def test_a_hidden_tab_rests_and_catches_up_at_once(
    board: board_process.Process, shown: sync_api.Page, writer: Writer
) -> None:
    # what has been asked before may still be drawn
    patience.still(shown)
    asked = requests(shown)
    hide(shown, True)
    expect(shown.get_by_test_id("live")).to_have_attribute("data-state", "resting")
    asked.clear()
    drawn = drawings(shown, "loss")
    for number in range(5):
        writer.log("first", 50 + 10 * number, 10, loss=1.0)
    writer.log("second", 0, 10, loss=3.0)
    board.wait_for_points("first", "loss", 100)
    board.wait_for_points("second", "loss", 10)
    # the page would have asked: news is pushed within a second
    shown.wait_for_timeout(1500)
    assert asked == []
    assert drawings(shown, "loss") == drawn
    hide(shown, False)
    expect(shown.locator("[data-run=second]")).to_be_visible()
    wait_drawn(shown, "loss", drawn)
    board_process.wait_until(lambda: "99" in last_step(shown, "loss", "first"), "the newest step")
    streams = [route for route, _ in asked if route.startswith("events")]
    lists = [body for route, body in asked if route == "runs" and "since" in body]
    assert (len(streams), len(lists)) == (1, 1)


def hide(page: sync_api.Page, hidden: bool) -> None:
    page.evaluate(
        """hidden => {
          Object.defineProperty(document, "hidden", {value: hidden, configurable: true});
          Object.defineProperty(document, "visibilityState", {
              value: hidden ? "hidden" : "visible", configurable: true,
          });
          document.dispatchEvent(new Event("visibilitychange"));
        }""",
        hidden,
    )


# ---- a server that dies


def test_a_killed_server_leaves_the_data_and_the_next_one_brings_more(
    open_page: conftest.OpenPage, writer: Writer, tmp_path: pathlib.Path, forgiven: list[str]
) -> None:
    forgiven += ["Failed to load resource", "net::ERR_"]
    page = open_page()
    with board_process.Process("--logdir", tmp_path, "--port", "0") as first:
        first.wait_for_runs("first")
        page.goto(first.url)
        wait_drawn(page, "loss")
        expect(page.get_by_test_id("live")).to_have_attribute("data-state", "live")
        port = str(urllib.parse.urlsplit(first.url).port)
        first.process.kill()
        first.process.wait()
        expect(page.get_by_test_id("live")).to_have_attribute("data-state", "lost")
        expect(page.get_by_role("status").or_(page.get_by_role("alert")).first).to_be_visible()
        # what was drawn stays, and what is here can be used
        before = drawings(page, "loss")
        page.keyboard.press("l")
        wait_drawn(page, "loss", before)
        page.keyboard.press("l")
        expect(page.locator("[data-run=first]")).to_be_visible()
        expect(card(page, "loss").get_by_role("alert")).to_have_count(0)
        hover(page, "loss")
        expect(page.get_by_test_id("tooltip").locator("tbody tr")).to_have_count(1)
    writer.log("first", 50, 30, loss=1.0)
    writer.log("second", 0, 10, loss=3.0)
    drawn = drawings(page, "loss")
    with board_process.Process("--logdir", tmp_path, "--port", port) as again:
        again.wait_for_runs("second")
        expect(page.get_by_test_id("live")).to_have_attribute("data-state", "live")
        expect(page.locator("[data-run=second]")).to_be_visible()
        wait_drawn(page, "loss", drawn)
        board_process.wait_until(lambda: "79" in last_step(page, "loss", "first"), "the newest step")
        page.goto("about:blank")


def test_a_visible_page_says_that_somebody_looks(page: sync_api.Page, tmp_path: pathlib.Path) -> None:
    with board_process.Process("--logdir", tmp_path, "--port", "0") as process:
        with page.expect_response(lambda answer: answer.url.endswith("/api/activity")) as reported:
            page.goto(process.url)
        assert reported.value.json()["by"] == "page"
