"""Waiting for a page. What a test says of it is looked for until it is so, however slow the machine, or for very long.

`expect(…)` waits by itself. `eventually` is for everything that has no `to_have_…`. Nothing of a page is asserted
straight after a key or a click, except that something did not happen.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, TypeVar

import board_process
from playwright import sync_api

PATIENCE_MS = 1000 * board_process.PATIENCE_SECS
# what the page does by itself comes later than any of its delays: it fits y again 0.9 s after a run was hidden
QUIET_MS = 1200

T = TypeVar("T")


def new_page(chromium: sync_api.Browser, **options: Any) -> sync_api.Page:
    """In a context of its own: close that."""
    context = chromium.new_context(**options)
    context.set_default_timeout(PATIENCE_MS)
    return context.new_page()


def eventually(page: sync_api.Page, look: Callable[[sync_api.Page], T], wanted: T) -> None:
    """Until the same is seen."""
    end = time.monotonic() + board_process.PATIENCE_SECS
    while (seen := look(page)) != wanted:
        assert time.monotonic() < end, f"{seen!r} did not become {wanted!r}"
        # lets the page's events be heard, too: what it asks and says
        page.wait_for_timeout(20)


def until(page: sync_api.Page, condition: Callable[[], object], what: str) -> None:
    """Until something is so that needs more than a look at the page."""
    end = time.monotonic() + board_process.PATIENCE_SECS
    while not condition():
        assert time.monotonic() < end, f"waited in vain for {what}"
        page.wait_for_timeout(20)


def still(page: sync_api.Page, quiet_ms: float = QUIET_MS) -> None:
    """Until nothing loads, and for so long no card comes or goes, nothing is drawn and nothing has been fetched."""
    page.evaluate(
        """async ([quiet, patience]) => {
            const frame = () => new Promise(requestAnimationFrame);
            const look = () => JSON.stringify([
                [...document.querySelectorAll("canvas")].map((one) => one.dataset.drawn),
                [...document.querySelectorAll("[data-card]")].map((one) => one.dataset.card),
                performance.getEntriesByType("resource").length,
            ]);
            const begin = performance.now();
            let [seen, since, frames] = ["", begin, 0];
            while (frames < 6 || performance.now() - since < quiet) {
                if (performance.now() - begin > patience) throw new Error(`the page is never still: ${seen}`);
                await frame();
                const now = look();
                const loads = document.querySelector(".card__busy, .card__skeleton") !== null;
                if (now === seen && !loads) frames += 1;
                else [seen, since, frames] = [now, performance.now(), 0];
            }
        }""",
        [quiet_ms, PATIENCE_MS],
    )


def box_of(place: sync_api.Locator) -> sync_api.FloatRect:
    """Where it is once it stays there for some frames: pages find their layout after they are shown."""
    place.evaluate(
        """async (one, patience) => {
            const frame = () => new Promise(requestAnimationFrame);
            const look = () => {
                const {x, y, width, height} = one.getBoundingClientRect();
                return [x, y, width, height].join();
            };
            const begin = performance.now();
            let [seen, frames] = ["", 0];
            while (frames < 3) {
                if (performance.now() - begin > patience) throw new Error(`it never stays in its place: ${seen}`);
                await frame();
                const now = look();
                frames = now === seen ? frames + 1 : 0;
                seen = now;
            }
        }""",
        PATIENCE_MS,
    )
    box = place.bounding_box()
    assert box is not None
    return box


def text_of_clipboard(page: sync_api.Page) -> str:
    found: str = page.evaluate("navigator.clipboard.readText()")
    return found
