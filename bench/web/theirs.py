"""TensorBoard's time series page: where its elements are. Selectors are those of 2.21."""

from __future__ import annotations

import json
from urllib.parse import urlencode

from bench import tensorboard_side
from bench.web import browser, pictures

RELOAD_MILLIS = 30_000  # its default if reloading is enabled, which it is not by default
SETTINGS = {"autoReload": True, "autoReloadPeriodInMs": RELOAD_MILLIS}
LIMIT_MILLIS = browser.LIMIT_SECS * 1000
HEAD_PX = 100  # height of the run table's header
PLOTS = "document.querySelectorAll('scalar-card line-chart .series-view canvas')"

SHOWN_BY_KIND = {"images": "img", "histograms": "vz-histogram-timeseries"}
# Its older pages are nested shadow trees.
DEEP = """(() => {
  const found = [];
  const walk = (root) => {
    found.push(...root.querySelectorAll("%s"));
    for (const element of root.querySelectorAll("*")) if (element.shadowRoot) walk(element.shadowRoot);
  };
  walk(document);
  return found;
})()"""


class Page:
    """TensorBoard with its defaults."""

    name = tensorboard_side.NAME
    following = f"localStorage.setItem('_tb_global_settings', {json.dumps(json.dumps(SETTINGS))});"

    drawn_script = ""
    links_zoom = False

    def address(self, url: str, *, tags: str = "", every_run: bool = False, linked: bool = False) -> str:
        del every_run, linked
        return f"{url}/?{urlencode({'tagFilter': tags})}#timeseries" if tags else f"{url}/#timeseries"

    async def plots(self, tab: browser.Tab) -> list[pictures.Area]:
        return await tab.areas(PLOTS)

    async def all_runs(self, tab: browser.Tab) -> None:
        """Select all runs: above 500 runs none is selected at first."""
        box = tab.page.locator("runs-data-table mat-checkbox input").first
        if not await box.is_checked(timeout=LIMIT_MILLIS):
            await box.click(timeout=LIMIT_MILLIS)

    async def smoothing(self, tab: browser.Tab) -> pictures.Area:
        (area,) = await tab.areas("document.querySelectorAll('.scalars-smoothing mat-slider input[type=range]')")
        return area

    async def run_list(self, tab: browser.Tab) -> list[pictures.Area]:
        """Return the area below the filter and the header of the table."""
        found = await tab.areas("document.querySelectorAll('runs-selector-component')")
        rows = await tab.page.locator("tb-data-table-content-row").count() if found else 0
        return [pictures.Area(a.x, a.y + HEAD_PX, a.width, a.height - HEAD_PX) for a in found] if rows else []

    async def focus_run_filter(self, tab: browser.Tab) -> None:
        await tab.page.locator("input[placeholder='Filter runs (regex)']").click(timeout=LIMIT_MILLIS)

    async def run_switch(self, tab: browser.Tab, index: int) -> tuple[float, float]:
        box = tab.page.locator("runs-data-table tb-data-table-content-row mat-checkbox").nth(index)
        place = await box.bounding_box(timeout=LIMIT_MILLIS)
        assert place is not None
        return place["x"] + place["width"] / 2, place["y"] + place["height"] / 2

    def kind_address(self, url: str, kind: str) -> str:
        return f"{url}/#{kind}"

    async def kind_areas(self, tab: browser.Tab, kind: str) -> list[pictures.Area]:
        return await tab.areas(DEEP % SHOWN_BY_KIND[kind])

    async def tag_list(self, tab: browser.Tab) -> pictures.Area:
        (area,) = await tab.areas("document.querySelectorAll('metrics-main-view .main')")
        return area
