"""Chart cards as tests find them: by their title, drawn when their canvas says so."""

from __future__ import annotations

from browser import patience
from playwright import sync_api


def card(page: sync_api.Page, title: str) -> sync_api.Locator:
    return page.locator(f'[data-card="{title}"]').first


def drawings(page: sync_api.Page, title: str) -> int:
    return int(card(page, title).locator("canvas").first.get_attribute("data-drawn") or 0)


def wait_drawn(page: sync_api.Page, title: str, more_than: int = 0) -> None:
    page.wait_for_function(
        """([title, count]) => {
            const canvas = document.querySelector(`[data-card="${title}"] canvas`);
            return Number(canvas?.dataset.drawn ?? 0) > count;
        }""",
        arg=[title, more_than],
    )


def place_in(page: sync_api.Page, title: str, x: float, y: float) -> tuple[float, float]:
    """Of a chart, by parts of its width and height."""
    return _within(patience.box_of(card(page, title).locator("canvas").first), x, y)


def drag(page: sync_api.Page, title: str, start: tuple[float, float], end: tuple[float, float]) -> None:
    box = patience.box_of(card(page, title).locator("canvas").first)
    page.mouse.move(*_within(box, *start))
    page.mouse.down()
    page.mouse.move(*_within(box, (start[0] + end[0]) / 2, (start[1] + end[1]) / 2))
    page.mouse.move(*_within(box, *end))
    page.mouse.up()


def hover(page: sync_api.Page, title: str, x: float = 0.5, y: float = 0.5) -> tuple[float, float]:
    at = place_in(page, title, x, y)
    page.mouse.move(at[0] - 4, at[1])
    page.mouse.move(*at)
    return at


def _within(box: sync_api.FloatRect, x: float, y: float) -> tuple[float, float]:
    return box["x"] + x * box["width"], box["y"] + y * box["height"]
