"""Lightboard's page: where its elements are."""

from __future__ import annotations

from urllib.parse import quote, urlencode

from bench import lightboard_side
from bench.web import browser, pictures


class Page:
    """Lightboard with its defaults."""

    name = lightboard_side.NAME
    following = ""
    # when the page itself reports that a card was drawn: not measured, but it must agree with the screencast
    drawn_script = """document.addEventListener("lightboard:drawn", () => {
      (window.__drawn ??= []).push((performance.timeOrigin + performance.now()) / 1000);
    });"""

    links_zoom = True

    def address(self, url: str, *, tags: str = "", every_run: bool = False, linked: bool = False) -> str:
        members = {"tagFilter": f"/{tags}/" if tags else "", "showAll": every_run and "1", "linkZoom": linked and "1"}
        chosen = {name: value for name, value in members.items() if value}
        return f"{url}/#timeseries?{urlencode(chosen, quote_via=quote)}" if chosen else f"{url}/"

    async def plots(self, tab: browser.Tab) -> list[pictures.Area]:
        return await tab.areas("document.querySelectorAll('[data-card] canvas')")

    async def all_runs(self, tab: browser.Tab) -> None:
        """Do nothing: the address shows all runs."""

    async def smoothing(self, tab: browser.Tab) -> pictures.Area:
        (area,) = await tab.areas("document.querySelectorAll('[data-testid=smoothing]')")
        return area

    async def run_list(self, tab: browser.Tab) -> list[pictures.Area]:
        return await tab.areas("[document.querySelector('[data-run]')?.closest('.virtual-list')].filter(Boolean)")

    async def focus_run_filter(self, tab: browser.Tab) -> None:
        await tab.page.locator("[data-testid=run-filter]").click()

    async def run_switch(self, tab: browser.Tab, index: int) -> tuple[float, float]:
        place = await tab.page.locator("[data-run] input[type=checkbox]").nth(index).bounding_box()
        assert place is not None
        return place["x"] + place["width"] / 2, place["y"] + place["height"] / 2

    def kind_address(self, url: str, kind: str) -> str:
        return f"{url}/#{kind}"

    async def kind_areas(self, tab: browser.Tab, kind: str) -> list[pictures.Area]:
        return await tab.areas(f"document.querySelectorAll('[data-kind-card={kind}] [data-drawn]')")

    async def tag_list(self, tab: browser.Tab) -> pictures.Area:
        (area,) = await tab.areas("document.querySelectorAll('[data-testid=card-grid]')")
        return area
