"""The look of the page: borders, titles, corners, frames of pictures, marks of runs, in both themes."""

from __future__ import annotations

import pathlib
import re
from collections.abc import Iterator
from typing import Any

import board_process
import event_files
import numpy as np
import pytest
from playwright import sync_api

import lightboard

pytestmark = pytest.mark.browser

expect = sync_api.expect


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[board_process.Process]:
    """A run that is being written, and one that ended long ago."""
    logs: pathlib.Path = tmp_path_factory.mktemp("look")
    event_files.write(logs / "old" / "events.out.tfevents.1", event_files.scalars("loss", [2.0, 1.0]))
    with lightboard.SummaryWriter(str(logs / "new")) as writer:
        writer.add_scalar("loss", 1.0, 0)
        writer.add_histogram("weights", np.arange(100.0), 0)
        writer.add_image("white", np.full((3, 8, 8), 255, np.uint8), 0)
    with board_process.Process("--port", "0", "--logdir", logs) as process:
        process.wait_for_runs("old", "new")
        yield process


def style_of(place: sync_api.Locator, name: str, part: str = "") -> str:
    expect(place).to_be_visible()
    found: Any = place.evaluate(f"(one, part) => getComputedStyle(one, part || null).{name}", part)
    return str(found)


def card(page: sync_api.Page) -> sync_api.Locator:
    return page.locator(".card").first


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_fields_have_the_light_border_of_cards(board: board_process.Process, page: sync_api.Page, theme: Any) -> None:
    page.emulate_media(color_scheme=theme)
    page.goto(board.url)
    border = style_of(card(page), "borderTopColor")
    fields = page.locator(".filter-box__row, select.field__input, .field__input--number")
    expect(fields.first).to_be_visible()
    assert {style_of(fields.nth(at), "borderTopColor") for at in range(fields.count())} == {border}
    box = page.locator(".filter-box__row").first
    box.locator("input").focus()
    assert style_of(box, "borderTopColor") != border


def test_titles_of_cards_are_larger_than_text(board: board_process.Process, page: sync_api.Page) -> None:
    page.goto(board.url)
    title = page.locator(".card-header__title").first
    assert (style_of(title, "fontSize"), style_of(title, "fontWeight")) == ("14px", "600")


def test_the_canvas_leaves_the_lower_corners_of_a_card_round(board: board_process.Process, page: sync_api.Page) -> None:
    page.goto(f"{board.url}#histograms")
    canvas = card(page).locator("canvas")
    radius = float(style_of(canvas, "borderBottomLeftRadius").removesuffix("px"))
    assert radius >= float(style_of(card(page), "borderBottomLeftRadius").removesuffix("px")) - 1
    assert radius > 0


def test_a_white_picture_on_a_white_card_has_a_frame(board: board_process.Process, page: sync_api.Page) -> None:
    page.goto(f"{board.url}#images")
    frame = page.locator(".picture-frame").first
    assert style_of(frame, "borderTopWidth", "::after") == "1px"
    assert style_of(frame, "borderTopColor", "::after") == style_of(card(page), "borderTopColor")
    assert style_of(frame, "backgroundColor") != style_of(card(page), "backgroundColor")


def test_only_runs_that_are_not_finished_have_a_state_mark(board: board_process.Process, page: sync_api.Page) -> None:
    page.goto(board.url)
    mark = page.locator("[data-run=new] .state-mark")
    expect(mark).to_have_attribute("data-state", "running")
    assert style_of(mark, "opacity") == style_of(mark.locator("svg"), "opacity") == "1"
    assert style_of(mark.locator("svg"), "animationName") == "none"
    expect(page.locator("[data-run=old]")).to_be_visible()
    expect(page.locator("[data-run=old] .state-mark")).to_have_count(0)
    expect(page.locator("[data-run=old] .run-row__name")).to_have_attribute("title", re.compile("^old\nfinished"))
