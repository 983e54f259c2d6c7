"""Cards of images and other kinds as tests find them: by kind, tag and run; shown when the data carrier says so."""

from __future__ import annotations

import board_process
from browser import patience
from playwright import sync_api


def kind_card(page: sync_api.Page, kind: str, tag: str, run: str | None = None) -> sync_api.Locator:
    of_run = "" if run is None else f'[data-run-of="{run}"]'
    return page.locator(f'[data-kind-card="{kind}"][data-card="{tag}"]{of_run}').first


def drawn(card: sync_api.Locator) -> sync_api.Locator:
    """What shows the data; `data-step` says of which step."""
    return card.locator("[data-drawn]").first


def expect_step(card: sync_api.Locator, step: int) -> None:
    sync_api.expect(drawn(card)).to_have_attribute("data-step", str(step))


def slide(card: sync_api.Locator, key: str, times: int = 1) -> None:
    """The card's own slider, by keys."""
    slider = card.get_by_test_id("card-step")
    slider.focus()
    for _ in range(times):
        slider.press(key)


def open_kind(page: sync_api.Page, board: board_process.Process, kind: str, members: str, height: int = 1400) -> None:
    """The page of a kind, high enough for some rows of cards."""
    page.set_viewport_size({"width": 1200, "height": height})
    page.goto(f"{board.url}#{kind}?{members}")
    sync_api.expect(page.locator("[data-kind-card]").first).to_be_visible()


def in_address(page: sync_api.Page, text: str) -> None:
    patience.eventually(page, lambda page: text in page.evaluate("decodeURIComponent(location.hash)"), wanted=True)


def option(page: sync_api.Page, test_id: str) -> sync_api.Locator:
    """A setting in the popover of the toolbar's button "View", which is opened."""
    button = page.get_by_test_id("view-options")
    if button.get_attribute("aria-expanded") != "true":
        button.click()
    return page.get_by_test_id(test_id)
