"""Plotly figures: drawn in a frame of ours that is shut off from the board, in its colours, and saved as pictures."""

from __future__ import annotations

import json
import pathlib
from collections.abc import Iterator

import board_process
import event_files
import pytest
from browser import patience, stranger, test_accessibility
from browser.conftest import OpenPage
from browser.kind_cards import drawn, expect_step, kind_card, option, slide
from playwright import sync_api

pytestmark = pytest.mark.browser

expect = sync_api.expect

PLOTLY = event_files.summary_metadata("lightboard_plotly")
LINE = {"data": [{"type": "scatter", "y": [1, 3, 2]}], "layout": {"title": {"text": "A line"}}}


def plotly_event(tag: str, figure: object, step: int = 0) -> bytes:
    content = figure if isinstance(figure, str) else json.dumps(figure)
    tensor = event_files.string_tensor([content.encode()], shape=[1])
    value = event_files.value(tag, event_files.field_bytes(8, tensor), PLOTLY)
    return event_files.summary_event(value, step=step, wall_time=event_files.WALL + step)


def bars(step: int) -> dict[str, object]:
    return {"data": [{"type": "bar", "y": [step, 2]}, {"type": "bar", "y": [1, 1]}]}


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[board_process.Process]:
    folder = tmp_path_factory.mktemp("logs")
    events = [
        event_files.version_event(),
        plotly_event("line", LINE),
        *(plotly_event("bars", bars(step), step) for step in (0, 10)),
        plotly_event("odd/nan", '{"data": [{"y": [1, NaN, -Infinity, 3], "name": "NaN \\" NaN"}]}'),
        plotly_event("odd/no json", "not json"),
        plotly_event("odd/no figure", {"rows": []}),
        plotly_event("odd/map", {"data": [{"type": "scattergeo", "lon": [0], "lat": [0]}]}),
    ]
    event_files.write(folder / "run" / "events.out.tfevents.1", events)
    with board_process.Process("--logdir", folder, "--port", "0") as process:
        process.wait_for_runs("run")
        yield process


def open_plotly(page: sync_api.Page, board: board_process.Process, tag: str, members: str = "") -> sync_api.Locator:
    page.goto(f"{board.url}#plotly?tagFilter={tag}{members}")
    card = kind_card(page, "plotly", tag)
    expect(card).to_be_visible()
    return card


def test_a_figure_is_drawn_inside_of_a_frame_without_this_origin(
    page: sync_api.Page, board: board_process.Process
) -> None:
    card = open_plotly(page, board, "line")
    expect_step(card, 0)
    expect(drawn(card)).to_have_attribute("data-drawn", "1")
    expect(drawn(card)).to_have_attribute("sandbox", "allow-scripts")
    inside = card.frame_locator("iframe")
    expect(inside.locator(".scatterlayer .trace")).to_have_count(1)
    expect(inside.locator(".gtitle")).to_have_text("A line")
    told = """async () => [self.origin, await fetch("api/board").then(() => "reached", () => "refused"),
        (() => { try { return parent.document.title } catch { return "refused" } })()]"""
    # asked of the frame on purpose; its refusals are no faults of the page
    with page.expect_console_message(lambda message: message.type == "error"):
        assert inside.locator("body").evaluate(told) == ["null", "refused", "refused"]


@pytest.fixture(autouse=True)
def refusals(forgiven: list[str]) -> None:
    forgiven.append("Content Security Policy|violates the following")


def test_steps_are_drawn_in_the_same_frame(page: sync_api.Page, board: board_process.Process) -> None:
    card = open_plotly(page, board, "bars")
    expect_step(card, 10)
    expect(drawn(card)).to_have_attribute("data-drawn", "2")
    drawn(card).evaluate("(frame) => { frame.marked = true }")
    slide(card, "Home")
    expect_step(card, 0)
    assert drawn(card).evaluate("(frame) => frame.marked")


def test_colours_follow_the_theme_or_stay_as_logged(open_page: OpenPage, board: board_process.Process) -> None:
    page = open_page(color_scheme="dark")
    card = open_plotly(page, board, "line")
    expect_step(card, 0)
    paper = card.frame_locator("iframe").locator(".main-svg").first

    def background(_: sync_api.Page) -> str:
        found: str = paper.evaluate("(one) => getComputedStyle(one).backgroundColor")
        return found

    patience.eventually(page, background, "rgb(22, 28, 36)")
    option(page, "plotly-as-logged").check()
    patience.eventually(page, background, "rgb(255, 255, 255)")


def test_a_figure_fits_its_card(page: sync_api.Page, board: board_process.Process) -> None:
    card = open_plotly(page, board, "line")
    expect_step(card, 0)
    card.hover()
    card.get_by_role("button", name="Expand").click()
    frame = page.locator("[data-full] iframe")
    expect(frame).to_have_attribute("data-drawn", "1")
    width = patience.box_of(frame)["width"]
    drawing = page.frame_locator("[data-full] iframe").locator(".main-svg").first
    patience.eventually(page, lambda _: round(drawing.evaluate("(one) => one.clientWidth")), round(width))


def test_a_figure_is_saved_as_png_and_svg(page: sync_api.Page, board: board_process.Process) -> None:
    card = open_plotly(page, board, "line")
    expect_step(card, 0)
    for word, start in (("PNG", b"\x89PNG"), ("SVG", b"<svg")):
        card.hover()
        card.get_by_role("button", name="More for this card").click()
        with page.expect_download() as download:
            page.get_by_role("menuitem", name=f"Download as {word}").click()
        assert pathlib.Path(download.value.path()).read_bytes().startswith(start)
        assert download.value.suggested_filename == f"line_run_0.{word.lower()}"


@pytest.mark.parametrize(
    ("tag", "reason"),
    [
        ("odd/no json", "The logged value is not JSON."),
        ("odd/no figure", "it is not a Plotly figure"),
        ("odd/map", "Maps need data from the network"),
    ],
)
def test_what_cannot_be_drawn_says_why(
    page: sync_api.Page, board: board_process.Process, tag: str, reason: str
) -> None:
    card = open_plotly(page, board, tag)
    expect(card.get_by_role("alert")).to_contain_text("This figure cannot be drawn")
    expect(card.get_by_role("alert")).to_contain_text(reason)


def test_numbers_that_json_does_not_know_are_gaps(page: sync_api.Page, board: board_process.Process) -> None:
    card = open_plotly(page, board, "odd/nan")
    expect_step(card, 0)
    expect(card.frame_locator("iframe").locator(".scatterlayer .trace")).to_have_count(1)


def test_a_hostile_figure_runs_nothing_and_asks_nobody(
    page: sync_api.Page, tmp_path: pathlib.Path, forgiven: list[str]
) -> None:
    forgiven += [f"request to another origin: http://{stranger.NAME}", "ERR_BLOCKED"]
    with stranger.listening() as other:
        address = f"http://{other.host}/"
        words = f'<a href="javascript:alert(1)">x</a><img src="{address}i" onerror="alert(1)">'
        figure = {
            "data": [{"type": "scatter", "y": [1, 2], "name": words, "text": [words, words], "mode": "text+markers"}],
            "layout": {
                "title": {"text": words},
                "images": [{"source": f"{address}image.png", "x": 0, "y": 1, "sizex": 1, "sizey": 1}],
                "annotations": [{"text": words, "x": 0, "y": 1}],
            },
            "config": {"plotlyServerURL": address, "topojsonURL": address},
        }
        write = [event_files.version_event(), plotly_event("hostile", figure)]
        event_files.write(tmp_path / "run" / "events.out.tfevents.1", write)
        with board_process.Process("--logdir", tmp_path, "--port", "0") as board:
            board.wait_for_runs("run")
            dialogs: list[str] = []

            def shown(dialog: sync_api.Dialog) -> None:
                dialogs.append(dialog.message)
                dialog.dismiss()

            page.on("dialog", shown)
            card = open_plotly(page, board, "hostile")
            expect(drawn(card)).to_have_attribute("data-drawn", "1")
            patience.still(page, 500)
            assert (dialogs, other.heard) == ([], [])


def test_plotly_is_not_fetched_before_it_is_needed(page: sync_api.Page, board: board_process.Process) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(board.url)
    patience.still(page, 500)
    assert [one for one in asked if "plotly" in one] == []


def test_a_token_does_not_keep_the_figure_away(page: sync_api.Page, tmp_path: pathlib.Path) -> None:
    event_files.write(tmp_path / "run" / "events.out.tfevents.1", [plotly_event("line", LINE)])
    with board_process.Process("--logdir", tmp_path, "--port", "0", "--token", "sesame") as board:
        base = board.url.partition("?")[0]
        page.goto(f"{base}?token=sesame#plotly?")
        expect(drawn(kind_card(page, "plotly", "line"))).to_have_attribute("data-drawn", "1")


def test_rules_of_accessibility_are_kept(page: sync_api.Page, board: board_process.Process) -> None:
    page.add_init_script(path=test_accessibility.AXE)
    card = open_plotly(page, board, "line")
    expect_step(card, 0)
    assert test_accessibility.violations(page) == []
