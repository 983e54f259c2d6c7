"""Chart cards as tests find them: by their title, drawn when their canvas says so."""

from __future__ import annotations

from playwright import sync_api

PATIENCE_MS = 30_000


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
        timeout=PATIENCE_MS,
    )
